// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

namespace pw {

struct Candidate;
struct DifferingPlan;

double peakShare(const Candidate& plan); // of the fullest GPU's memory; 0 if nothing is known of it
// What a plan is beside its layers and launch counts: GPUs, tp and dp of each stage, micro-batch and
// schedule.
QString structureOf(const Candidate& plan);

// Plans that are no choice of their own: within 0.1 % of a faster one of the same structure, which the same
// trainers run and which needs no more than 2 % of a GPU's memory more. Pinned, named and edited ones, and
// those with a note, are nobody's near ties, nor are those that differ from the fastest (differing_plans.h);
// plans of another file lead none and are none.
struct NearTies {
    static constexpr double kTime = 0.001, kMemory = 0.02;
    static constexpr std::size_t kMost =
        500;                // of the fastest plans: asking the trainers takes half a millisecond each
    QHash<int, int> leader; // of a near tie, by id
    QHash<int, int> count;  // of near ties, by the leader's id
};
// `plans` best first; `differing`: by id. `structure` and `trainers` are only asked about plans that are
// close in time.
NearTies nearTies(const std::vector<Candidate>& plans, const QHash<int, DifferingPlan>& differing,
                  const std::function<const QString&(const Candidate&)>& structure,
                  const std::function<const QStringList&(const Candidate&)>& trainers);

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/memory_cases.h"
#include "core/findings/advisor.h"
#include "core/whatif/whatif.h"

#include <fmt/format.h>

#include <algorithm>

namespace pw {
namespace {

constexpr double kSlack = 0.8; // of the capacity, the fullest device below it

// By share of its capacity; null without known capacities.
const DeviceMemory* fullestOf(const Evaluation& evaluation) {
    const DeviceMemory* most = nullptr;
    for (const DeviceMemory& m : evaluation.memory)
        if (m.capacity.value > 0.0 &&
            (!most || m.peak.total() / m.capacity > most->peak.total() / most->capacity))
            most = &m;
    return most;
}

} // namespace

// What fits by prediction may run out of memory all the same; no edit that was tried for speed helps there,
// the search's own demand does.
void findTightMemory(Advisor& advisor, std::vector<Finding>& found) {
    const double chance = chanceToFit(advisor.problem(), advisor.now());
    const DeviceMemory* most = fullestOf(advisor.now());
    if (!most || chance >= kLikelyToFit)
        return;
    Finding finding;
    finding.rule = "tight";
    finding.severity = Severity::Warning;
    finding.stage = most->stage;
    finding.text = fmt::format("fits with a chance of {:.0f} %; its fullest device is {:.0f} % full",
                               100.0 * chance, 100.0 * (most->peak.total() / most->capacity));
    finding.searchChance = kLikelyToFit;
    found.push_back(std::move(finding));
}

// Less of it, stage by stage, or none in all of them at once.
void findRecompute(Advisor& advisor, std::vector<Finding>& found) {
    const Problem& problem = advisor.problem();
    for (int i = 0; i < advisor.stages(); ++i) {
        const Stage& stage = advisor.pipeline().stages[static_cast<std::size_t>(i)];
        const StageFigures& f = advisor.figures()[static_cast<std::size_t>(i)];
        if (stage.recompute == Recompute::None || f.recompute.value <= 0.0)
            continue;
        Finding finding;
        finding.rule = "recompute";
        finding.stage = i;
        const DeviceMemory* fullest = advisor.fullest(i);
        finding.text = fmt::format("stage {} spends {:.1f} % of its time recomputing{}", i,
                                   100.0 * (f.recompute / (f.forward + f.backward)),
                                   fullest ? fmt::format(" and is {:.0f} % full",
                                                         100.0 * (fullest->peak.total() / fullest->capacity))
                                           : std::string());
        std::optional<Advisor::Trial> best;
        advisor.attempt(whatif::setRecompute(problem, advisor.plan(), i, Recompute::None),
                        fmt::format("do without recompute in stage {}", i), best);
        if (stage.recompute == Recompute::Full)
            advisor.attempt(whatif::setRecompute(problem, advisor.plan(), i, Recompute::Selective),
                            fmt::format("recompute attention only in stage {}", i), best);
        int blocks = 0;
        for (const LayerRange& range : stage.chunks)
            blocks += (range.last - range.first + 1) / 2;
        // As few blocks as memory allows: what a stage holds falls with every one, so bisection finds it.
        int none = 0, all = stage.recomputeLayers > 0 ? stage.recomputeLayers : blocks;
        while (stage.recompute == Recompute::Full && all - none > 1 && !advisor.stopped()) {
            const int middle = none + (all - none) / 2;
            std::optional<Advisor::Trial> trial;
            const std::string remedy =
                fmt::format("recompute the first {} of {} blocks of stage {}", middle, blocks, i);
            advisor.attempt(whatif::setRecompute(problem, advisor.plan(), i, Recompute::Full, middle), remedy,
                            trial);
            (trial ? all : none) = middle;
            if (trial && (!best || trial->iteration < best->iteration))
                best = trial;
        }
        finding = advisor.with(std::move(finding), best);
        if (!finding.remedy.empty())
            found.push_back(std::move(finding)); // else memory needs it
    }
}

void findSlack(Advisor& advisor, std::vector<Finding>& found) {
    const DeviceMemory* most = fullestOf(advisor.now());
    if (!most || most->peak.total() / most->capacity > kSlack)
        return;
    Finding finding;
    finding.rule = "slack";
    finding.stage = most->stage;
    finding.text =
        fmt::format("no device is more than {:.0f} % full", 100.0 * (most->peak.total() / most->capacity));
    std::optional<Advisor::Trial> best;
    for (const std::int64_t size : whatif::microbatchChoices(advisor.problem(), advisor.plan()))
        if (size > advisor.pipeline().microbatchSize && size <= 8 * advisor.pipeline().microbatchSize)
            advisor.attempt(whatif::setMicrobatch(advisor.problem(), advisor.plan(), size),
                            fmt::format("raise the micro-batch to {}", size), best);
    finding = advisor.with(std::move(finding), best);
    if (!finding.remedy.empty())
        found.push_back(std::move(finding));
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/difference.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace pw {

struct Candidate;

QString runnerLabel(); // of the exporter for the program's own runner

// What is dear to find out of plans is kept for as long as the plan stays the same and in the table.
class KnownPlans {
public:
    const QStringList& trainers(const Candidate& c); // that can run it
    const QString& structure(const Candidate& c);    // structureOf()
    double chance(const Candidate& c);               // to fit
    const PlanTraits& traits(const Candidate& c);

    void forgetOthers(const std::vector<int>& ids); // than these plans: a session meets thousands
    std::size_t size() const { return m_known.size(); }

private:
    struct Known {
        std::string key, problem; // the hash of that
        std::optional<QStringList> trainers;
        std::optional<QString> structure;
        std::optional<double> chance;
        std::optional<PlanTraits> traits;
    };
    Known& known(const Candidate& c);

    std::unordered_map<int, Known> m_known; // by id
};

} // namespace pw

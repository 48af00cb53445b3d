// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/accuracy/published_runs.h"
#include "ui/accuracy/accuracy_study.h"

#include <algorithm>

#include <QTest>

namespace pw {

// The shipped tables of these names, as a study takes them.
inline std::vector<RunTable> shippedTables(const std::vector<std::string>& names) {
    std::vector<RunTable> all = publishedRunTables(), chosen;
    for (std::size_t i = 0; i < publishedTables().size(); ++i)
        if (std::find(names.begin(), names.end(), publishedTables()[i].name) != names.end())
            chosen.push_back(std::move(all[i]));
    return chosen;
}

// Predicts the shipped tables of these names; false if that did not end in time.
inline bool predict(AccuracyStudy& study, const std::vector<std::string>& names) {
    study.start(shippedTables(names));
    return QTest::qWaitFor([&study] { return !study.isRunning(); }, 300'000);
}

// The first run of the source that satisfies the condition.
template <class Condition>
RunRef findRun(const AccuracyStudy& study, int source, Condition holds) {
    for (int row = 0; row < static_cast<int>(study.source(source)->rows.size()); ++row)
        if (holds(RunRef{source, row}))
            return {source, row};
    return {};
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/node_groups.h"
#include "core/search/planners.h"
#include "core/search/search.h"
#include "tests/search/sample_problems.h"

namespace pw::test {

// Two nodes of four A100 and two of two V100 behind one switch, and a model that one of them can hold.
inline std::shared_ptr<const Problem> smallQuestion(const char* model = "gpt3-1.3b") {
    Model m = sampleModel(model);
    m.blocks = 8;
    return problemOf(drawnCluster({{"A100-SXM4-40GB", 4, 100.0},
                                   {"V100-SXM2-32GB", 2, 25.0},
                                   {"A100-SXM4-40GB", 4, 100.0},
                                   {"V100-SXM2-32GB", 2, 25.0}}),
                     m, 64, 2048);
}

inline Searcher searcherOf(int& calls) {
    return [&calls](const std::shared_ptr<const Problem>& problem) {
        ++calls;
        SearchOptions options;
        options.work = 60'000;
        options.top = 4;
        SearchObserver nobody;
        return search(problem, options, nobody, {});
    };
}

} // namespace pw::test

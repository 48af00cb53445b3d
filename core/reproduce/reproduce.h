// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/problem/problem.h"
#include "core/reproduce/published_paper.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace pw {

// Within this share of what is published a prediction counts as the same. Predictions of whole iterations are
// off by some 10 % on runs that are measured in full (resources/manual/accuracy.md).
constexpr double kSameFigure = 0.15;

// A row of a paper with its prediction. Predicted figures are this program's, from estimates; published ones
// are the authors'.
struct ReproducedRow {
    const PublishedCase* ofCase = nullptr; // of the paper
    const PublishedRow* row = nullptr;
    std::optional<double> predicted; // in the row's unit
    std::string failed;              // why there is none, in words
    // Whether both are there and further apart than kSameFigure of the published one, or the published one is
    // a gain (a ratio above 1) of which less than half is predicted, in logarithms: 1.0 is near 1.1, but no
    // gain at all.
    bool differs() const;
};

struct ReproduceOptions {
    int threads = 0; // 0 = all cores; results do not depend on it
    std::stop_token stop;
    std::optional<std::size_t> only;                     // this one of the paper's cases; none: all
    std::function<void(const PublishedCase&)> begins;    // told before each case; may be empty
    std::function<void(const ReproducedRow&)> predicted; // told each row as it is made; may be empty
};

// All rows of a paper, or of one case, in its order. A row that cannot be predicted says why; only a stop is
// an error.
Result<std::vector<ReproducedRow>> reproduce(const PublishedPaper& paper, const ReproduceOptions& options);

// The question that a case asks. Infeasible for one without cluster, model and recipe: its rows are bare
// schedules, or runs of a table, each of which has a question of its own.
Result<std::shared_ptr<const Problem>> problemOf(const PublishedCase& one);
// The planner that a case is about: the one that its first ratio holds against another, else the first that a
// row asks, and for its plan of this very case. Null if no row does.
const PlannerRun* plannerOf(const PublishedCase& one);
// What the authors have published as their plans of the case, each once. Bad input, named by `file`, where
// one of them is none of the problem.
Result<std::vector<Plan>> plansOf(const PublishedCase& one, const Problem& problem, const std::string& file);

} // namespace pw

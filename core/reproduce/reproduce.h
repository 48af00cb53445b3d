// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/reproduce/published_paper.h"

#include <functional>
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
    // Whether both are there and further apart than kSameFigure of the published one.
    bool differs() const;
};

struct ReproduceOptions {
    int threads = 0; // 0 = all cores; results do not depend on it
    std::stop_token stop;
    std::function<void(const PublishedCase&)> begins; // told before each case; may be empty
};

// All rows of a paper, in its order. A row that cannot be predicted says why; only a stop is an error.
Result<std::vector<ReproducedRow>> reproduce(const PublishedPaper& paper, const ReproduceOptions& options);

} // namespace pw

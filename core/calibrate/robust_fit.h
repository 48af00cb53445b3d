// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <stop_token>
#include <vector>

namespace pw {

// A fit of parameters to rows of which some are far off: the least of
//
//   sum over rows      weight (sqrt(r(x)^2 + knee^2) - knee)
//   sum over parameters  pull (x - start)^2 / 2
//
// with every x between its bounds. Residuals r count by their square well within the knee and linearly beyond
// it. Logarithms are meant: of factors as x, of predicted over measured as r.
struct RobustFit {
    // Of every row at x; as many as there are weights.
    std::function<std::vector<double>(const std::vector<double>&)> residuals;
    std::vector<double> weights; // of rows
    double knee = 0.1;
    std::vector<double> start, least, most;
    std::vector<double> pull; // of the prior, 0 = none
    double settled = 2e-4;    // an end, once a step gains less than this share of the loss
    int steps = 60;           // at most
};

struct RobustFitResult {
    std::vector<double> x;
    double startLoss = 0.0, loss = 0.0;
    int steps = 0, evaluations = 0;
    bool settled = false;    // else the steps ran out, or it was stopped
    std::vector<bool> moved; // whether any row's residual changed with a parameter
};

double robustLoss(const RobustFit& fit, const std::vector<double>& x, const std::vector<double>& residuals);

// Gauss-Newton steps on the reweighted squares (Huber) within a region of trust, slopes by
// differences. Between two rounds of differences, which take an evaluation for each parameter, slopes are
// corrected by what steps have shown (Broyden). A step counts if the loss itself has fallen, so that the
// result is never worse than the start. A parameter that no residual depends on stays at its start.
RobustFitResult fitRobustly(const RobustFit& fit, std::stop_token stop);

} // namespace pw

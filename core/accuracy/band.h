// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/accuracy/cases.h"

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace pw {

// What a predicted time is worth: the span of measured / predicted that 80 % of runs are expected in, taken
// from the measured cases nearest to a configuration (cases.h), in logarithms:
//
//   source s:  its nearest cases, weighing exp(-(d - d_s)/0.15), d_s the nearest one's distance; so 1440 rows
//              of one source weigh no more than four of another
//   sources:   weigh exp(-(d_s - d_min)/0.15)
//   centre     the mean error of the cases times exp(-d_min/0.4): errors of other configurations are
//              known to be shared only by close ones
//   width^2    (1 - u) near^2 (variance of the cases about the centre + 0.02^2)
//              + u far^2 (1 + (0.6 d_min)^2 + (2 c)^2)        u = d_min^2 / (d_min^2 + 0.3^2)
//
// u is the share of a stranger: what cases far away scatter by says nothing about here, so that their spread
// gives way to `far` with distance. c is the share of the iteration in exposed collectives, whose times are
// known worst: over the sources, 80 % of the rows below 0.05 are within 5 to 20 %, of those above 0.3 within
// 10 to 50 %.
//
// Both widths are conformal, over rows left out for `near` and over what is left out whole for `far`:
//   near   the smallest with which, over the sources, 80 % of rows lie inside when the row itself is left
//          out; a source weighs the root of its rows
//   far    for each source, each software stack and each generation of devices, left out whole, the smallest
//          with which 80 % of its rows lie inside; of these the 80 % quantile, one of fewer than ten rows
//          weighing less. A new source is one more of these and not one more row of them: pooled rows would
//          promise 80 % to the average row and much less to most sources (conformal for groups, in the
//          spirit of arXiv:1809.07441).
// This project's own construction; weights by distance as in weighted conformal prediction
// (arXiv:1904.06019).
// A nearest case beyond this is far: one clear difference in kind (features.h).
inline constexpr double kNearDistance = 1.0;

struct NearCase {
    int index = 0; // into CaseTable::cases
    double distance = 0.0;
    double weight = 0.0; // in the band; those of a band add up to 1
};

struct ErrorBand {
    double low = 1.0, high = 1.0; // measured / predicted
    double distance = 0.0;        // of the nearest case
    std::vector<NearCase> cases;  // that it rests on, nearest first
    int sources = 0;              // that these come from
    bool isNear() const { return distance <= kNearDistance; }
};

ErrorBand errorBand(const Features& features);
ErrorBand errorBand(const Problem& problem, const Plan& plan, const Evaluation& evaluation);

// For people: the publication's label and the row's id ("Zero bubble zb-0012").
std::string caseText(const NearCase& near);

// The band before it is given its width, for the calibration: from every case but those that are left out.
struct Neighbourhood {
    double centre = 0.0;                                       // of ln(measured / predicted)
    double variance = 0.0;                                     // of the cases about it
    double distance = std::numeric_limits<double>::infinity(); // of the nearest; infinite: there is none
    double communication = 0.0; // of the configuration: share of its iteration in exposed collectives
    std::vector<NearCase> cases;
    int sources = 0;
};
// What a case's neighbourhood is to know nothing of: a case for which this is true.
using LeftOut = std::function<bool(std::size_t index)>;
Neighbourhood neighbourhood(const CaseTable& table, const Features& features, const LeftOut& without = {});
// The same from distances to all cases.
Neighbourhood neighbourhood(const CaseTable& table, const Features& features,
                            const std::vector<double>& distances, const LeftOut& without);
double halfWidth(const Neighbourhood& around, const BandWidths& widths); // of the logarithm

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/accuracy/cases.h"

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
//   width^2    near^2 (variance of the cases about the centre + 0.02^2) + (growth * d_min)^2
//
// `near` and `growth` are conformal: the smallest widths with which, over the sources, 80 % of rows lie
// inside their band when the row itself is left out (near), and when its whole source is (growth). Left-out
// rows count so that a source weighs the root of its rows. This project's own construction, in the spirit of
// weighted conformal prediction (arXiv:1904.06019).
inline constexpr double kBandShare = 0.8;
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
    std::vector<NearCase> cases;
    int sources = 0;
};
struct LeftOut {
    int source = -1; // all its cases
    int row = -1;    // this case
};
Neighbourhood neighbourhood(const CaseTable& table, const Features& features, LeftOut without = {});
// The same from distances to all cases.
Neighbourhood neighbourhood(const CaseTable& table, const std::vector<double>& distances, LeftOut without);
double halfWidth(const Neighbourhood& around, const BandWidths& widths); // of the logarithm

} // namespace pw

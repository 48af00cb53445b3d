// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/accuracy/cases.h"

#include <string>
#include <vector>

namespace pw {

// The widths of bands and of comparisons that the cases themselves ask for (band.h, tie.h). Determined by
// leaving out rows and, whole, sources, software stacks and generations of devices; a second or two.
BandWidths calibratedWidths(const CaseTable& table);

// What a band would have been worth for runs of a kind that nobody had seen: all cases of it left out of the
// neighbourhoods, and its errors of the widths.
struct GroupCoverage {
    std::string name; // of the source, the stack ("" = none known) or the generation
    int rows = 0;
    double distance = 0.0;  // median, to the nearest case of another one
    double inside = 0.0;    // share of rows within the band of the others
    double halfWidth = 0.0; // median of ln
};
struct SourceCoverage : GroupCoverage {
    double rowInside = 0.0; // the same with the row alone left out
    double rowHalfWidth = 0.0;
    int pairs = 0;         // of runs of one group with different measured times
    int called = 0;        // of them, those in which one was called faster: no tie
    int right = 0;         // of these, those in which it was
    double promised = 0.0; // mean probability of the called ones
    int tiesRight = 0;     // of the others, those in which the prediction had the order right all the same
};
struct Coverage {
    std::vector<SourceCoverage> sources;
    std::vector<GroupCoverage> stacks, generations;
};
Coverage coverage(const CaseTable& table);

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/reproduce/reproduce.h"

#include <string>
#include <vector>

namespace pw {

// Figures of a row as the command line, the manual and the window print them.
std::string predictedText(const ReproducedRow& row); // "1.42 x", or "none"
std::string publishedText(const PublishedRow& row);  // "1.3 to 1.6 x", or ""
std::string agreementText(const ReproducedRow& row); // "yes", "no", or "" where one of the two is missing
std::string standingText(const PublishedRow& row);   // "measured by the authors", "stated by the authors"
// Why the prediction is another figure than the published one, or why there is none; "" where the two agree
// or nobody knows.
std::string whyText(const ReproducedRow& row);

// What stands below a table, each text once with the first row that it is said of.
struct ReproducedRemarks {
    struct Remark {
        const ReproducedRow* row = nullptr; // of those given
        std::string text;
    };
    std::vector<Remark> assumed; // of the row's case
    std::vector<Remark> reasons; // whyText()
};
ReproducedRemarks remarksOf(const std::vector<ReproducedRow>& rows);

} // namespace pw

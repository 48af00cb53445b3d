// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/reproduce_text.h"

#include <fmt/format.h>

namespace pw::cli {

std::string predictedText(const ReproducedRow& row) {
    return row.predicted ? fmt::format("{:.4g} {}", *row.predicted, row.row->unit) : "none";
}

std::string publishedText(const PublishedRow& row) {
    if (!row.published)
        return "";
    if (row.published->low == row.published->high)
        return fmt::format("{:.4g} {}", row.published->low, row.unit);
    return fmt::format("{:.4g} to {:.4g} {}", row.published->low, row.published->high, row.unit);
}

std::string agreementText(const ReproducedRow& row) {
    if (!row.predicted || !row.row->published)
        return "";
    return row.differs() ? "no" : "yes";
}

std::string standingText(const PublishedRow& row) {
    if (!row.published)
        return "";
    return row.measured ? "measured by the authors" : "stated by the authors";
}

} // namespace pw::cli

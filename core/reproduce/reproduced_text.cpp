// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reproduce/reproduced_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace pw {

namespace {

void say(std::vector<ReproducedRemarks::Remark>& list, const ReproducedRow& row, std::string text) {
    if (!text.empty() &&
        std::none_of(list.begin(), list.end(), [&](const auto& said) { return said.text == text; }))
        list.push_back({&row, std::move(text)});
}

} // namespace

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

std::string whyText(const ReproducedRow& row) {
    if (!row.failed.empty())
        return row.failed;
    return row.differs() ? row.row->why : "";
}

ReproducedRemarks remarksOf(const std::vector<ReproducedRow>& rows) {
    ReproducedRemarks remarks;
    for (const ReproducedRow& row : rows) {
        say(remarks.assumed, row, row.ofCase->assumed);
        say(remarks.reasons, row, whyText(row));
    }
    return remarks;
}

} // namespace pw

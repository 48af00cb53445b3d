// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace pw {

namespace {

// Attention is the odd one of a block's two fine layers; half a block is named.
std::string blocksText(int firstFine, int lastFine, bool withUnit) {
    const int first = (firstFine - 1) / 2, last = (lastFine - 1) / 2;
    const bool fromMlp = firstFine % 2 == 0, toAttention = lastFine % 2 == 1;
    const char* unit = !withUnit ? "" : first == last ? "block " : "blocks ";
    if (first == last)
        return fmt::format("{}{}{}", unit, first, fromMlp ? " (MLP)" : toAttention ? " (attention)" : "");
    return fmt::format("{}{}{} to {}{}", unit, first, fromMlp ? " (MLP)" : "", last,
                       toAttention ? " (attention)" : "");
}

std::string text(const Stage& stage, int fineLayers, bool withUnit) {
    std::vector<std::string> runs;
    for (const LayerRange& range : stage.chunks) {
        std::vector<std::string> parts;
        if (range.first == 0)
            parts.emplace_back("emb");
        const int first = std::max(range.first, 1), last = std::min(range.last, fineLayers - 2);
        if (first <= last)
            parts.push_back(blocksText(first, last, withUnit));
        if (range.last == fineLayers - 1)
            parts.emplace_back("head");
        runs.push_back(fmt::format("{}", fmt::join(parts, ", ")));
    }
    return fmt::format("{}", fmt::join(runs, "; "));
}

} // namespace

std::string layersText(const Stage& stage, int fineLayers) {
    return text(stage, fineLayers, false);
}

std::string layersPhrase(const Stage& stage, int fineLayers) {
    return text(stage, fineLayers, true);
}

} // namespace pw

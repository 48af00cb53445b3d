// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/stage_notes.h"

#include "core/calibrate/words.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace pw {

namespace {

// The whole numbers of the first [...] behind `key`; `rest` is what follows the bracket.
std::vector<int> listBehind(std::string_view notes, std::string_view key, std::string_view& rest) {
    const std::size_t at = notes.find(key);
    const std::size_t open = at == std::string_view::npos ? at : notes.find('[', at);
    const std::size_t close = open == std::string_view::npos ? open : notes.find(']', open);
    if (close == std::string_view::npos)
        return {};
    rest = notes.substr(close + 1);
    std::vector<int> numbers;
    for (const std::string& word : wordsOf(notes.substr(open, close - open)))
        if (const auto number = wholeNumber(word))
            numbers.push_back(*number);
    return numbers;
}

// DeepSpeed's pipeline of a GPT has modules besides the blocks: the embedding and conversions in front, and
// behind them a conversion, the final norm, the head and the loss's conversion.
int modulesBehind(int extra) {
    constexpr int kBehind = 4;
    return std::min(kBehind, (extra + 1) / 2 + (extra > 5 ? 1 : 0));
}

std::vector<int> blocksOfBoundaries(const std::vector<int>& bounds, int blocks) {
    if (bounds.size() < 2 || bounds.front() != 0 || !std::is_sorted(bounds.begin(), bounds.end()) ||
        bounds.back() < blocks)
        return {};
    const int extra = bounds.back() - blocks;
    const int first = extra - modulesBehind(extra);
    std::vector<int> counts;
    for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
        const int from = std::clamp(bounds[i] - first, 0, blocks);
        const int to = std::clamp(bounds[i + 1] - first, 0, blocks);
        counts.push_back(to - from);
    }
    return counts;
}

std::vector<int> blocksOfCounts(std::vector<int> counts, int blocks) {
    const std::int64_t sum = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    if (counts.empty() || (sum != blocks && sum != blocks + 2))
        return {};
    if (sum == blocks + 2) { // embedding and head are counted
        --counts.front();
        --counts.back();
    }
    return *std::min_element(counts.begin(), counts.end()) < 0 ? std::vector<int>{} : counts;
}

StageNotes::Group groupOf(std::string_view text) {
    StageNotes::Group group;
    const std::size_t slash = text.rfind('/');
    if (slash != std::string_view::npos) {
        group.tp = numberBehind(wordsOf(text.substr(slash)), "tp").value_or(0);
        text = text.substr(0, slash);
    }
    const std::size_t start = text.find_first_not_of(" \t");
    const std::size_t x = start == std::string_view::npos ? start : text.find('x', start);
    if (x == std::string_view::npos)
        return group;
    group.count = wholeNumber(text.substr(start, x - start)).value_or(0);
    group.kind = std::string(text.substr(x + 1));
    return group;
}

std::vector<std::string_view> apart(std::string_view text, char by) {
    std::vector<std::string_view> parts;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t to = std::min(text.find(by, from), text.size());
        parts.push_back(text.substr(from, to - from));
        from = to + 1;
    }
    return parts;
}

constexpr std::size_t kLongestLayout = 4096; // characters of a layout with its repetitions written out

// Megatron-Core's layout with "x*3" and "(...)*3" written out; empty where it is none. One that is cut for
// its length holds too few blocks for anybody.
std::string layoutWrittenOut(std::string_view text, std::size_t& at, int depth) {
    constexpr int kDeepest = 4;
    std::string all;
    while (at < text.size() && all.size() < kLongestLayout) {
        const char c = text[at++];
        std::string unit;
        if (c == ')')
            return all;
        if (c == ' ' || c == ',')
            continue;
        if (c == '(' && depth < kDeepest)
            unit = layoutWrittenOut(text, at, depth + 1);
        else if (c == 'E' || c == 't' || c == 'm' || c == 'L' || c == '|')
            unit = c;
        else
            return {};
        int times = 1;
        if (at < text.size() && text[at] == '*') {
            const std::size_t end = std::min(text.find_first_not_of("0123456789", at + 1), text.size());
            times = wholeNumber(text.substr(at + 1, end - at - 1)).value_or(1);
            at = end;
        }
        for (int i = 0; i < times && all.size() < kLongestLayout; ++i)
            all += unit;
    }
    return all;
}

std::vector<int> blocksOfLayout(std::string_view text) {
    std::size_t at = 0;
    const std::string all = layoutWrittenOut(text, at, 0);
    if (all.find('t') == std::string::npos)
        return {};
    std::vector<int> counts(1);
    for (const char c : all)
        if (c == '|')
            counts.push_back(0);
        else if (c == 't')
            ++counts.back();
    return counts;
}

} // namespace

std::vector<int> parseStageLayers(std::string_view text, int blocks, int parts) {
    const std::vector<std::string> words = wordsOf(text);
    std::vector<int> counts;
    if (hasBeginning(words, "even") && hasBeginning(words, "embed") && hasAnyWord(words, {"loss", "head"})) {
        if (parts > 1 && (blocks + 2) % parts == 0) {
            counts.assign(static_cast<std::size_t>(parts), (blocks + 2) / parts);
            --counts.front();
            --counts.back();
        }
        return counts;
    }
    const bool numbers = std::all_of(words.begin(), words.end(),
                                     [](const auto& word) { return wholeNumber(word).has_value(); });
    if (numbers) {
        for (const std::string& word : words)
            counts.push_back(*wholeNumber(word));
        counts = blocksOfCounts(std::move(counts), blocks);
    } else {
        counts = blocksOfLayout(text);
    }
    const bool whole = static_cast<int>(counts.size()) == parts &&
                       std::accumulate(counts.begin(), counts.end(), std::int64_t{0}) == blocks;
    return whole ? counts : std::vector<int>{};
}

StageNotes parseStageNotes(std::string_view notes, int blocks) {
    StageNotes found;
    std::string_view rest;
    if (const auto bounds = listBehind(notes, "layer boundaries", rest); !bounds.empty())
        found.blocks = blocksOfBoundaries(bounds, blocks);
    else if (const auto counts = listBehind(notes, "layers_per_stage", rest); !counts.empty())
        found.blocks = blocksOfCounts(counts, blocks);
    constexpr std::string_view kStages = "stages:";
    const std::size_t at = notes.find(kStages);
    if (at == std::string_view::npos)
        return found;
    std::string_view list = notes.substr(at + kStages.size());
    list = list.substr(0, list.find(';'));
    for (const std::string_view stage : apart(list, '|')) {
        found.stages.emplace_back();
        for (const std::string_view group : apart(stage, ','))
            found.stages.back().push_back(groupOf(group));
    }
    for (const auto& stage : found.stages)
        for (const StageNotes::Group& group : stage)
            if (group.count < 1 || group.kind.empty())
                return {found.blocks, {}};
    return found;
}

} // namespace pw

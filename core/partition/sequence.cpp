// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/partition/sequence.h"

#include <fmt/format.h>

#include <algorithm>

namespace pw::partition {
namespace {

constexpr std::string_view kLetters = "BMNKHC"; // in the order of Axis
constexpr int kLargestGrid = 8;                 // 2^8 x 2^8 devices

void extend(int bits, std::span<const Axis> axes, int grids, Sequence& head, std::vector<Sequence>& all) {
    if (bits == 0) {
        all.push_back(head);
        return;
    }
    for (const Axis axis : axes) {
        head.push_back(split(axis));
        extend(bits - 1, axes, grids, head, all);
        head.pop_back();
    }
    for (int k = 1; grids > 0 && 2 * k <= bits; ++k) {
        head.push_back(grid(k));
        extend(bits - 2 * k, axes, grids - 1, head, all);
        head.pop_back();
    }
}

// The step that a word names; bits() == 0 if it names none.
Step stepFromText(std::string_view word) {
    if (word == "R")
        return copy();
    if (const std::size_t letter = word.size() == 1 ? kLetters.find(word) : std::string_view::npos;
        letter != std::string_view::npos)
        return split(static_cast<Axis>(letter));
    for (int k = 1; k <= kLargestGrid; ++k)
        if (word == text({grid(k)}))
            return grid(k);
    return grid(0);
}

} // namespace

int bitsOf(const Sequence& sequence) {
    int bits = 0;
    for (const Step& step : sequence)
        bits += step.bits();
    return bits;
}

int gridsOf(const Sequence& sequence) {
    return static_cast<int>(
        std::ranges::count_if(sequence, [](const Step& s) { return s.kind == Step::Kind::Grid; }));
}

int slicesAlong(const Sequence& sequence, Axis axis) {
    const bool ofGrids = axis == Axis::Rows || axis == Axis::Inner || axis == Axis::Columns;
    int slices = 1;
    for (const Step& step : sequence)
        if (step.kind == Step::Kind::Grid && ofGrids)
            slices <<= step.k;
        else if (step.kind == Step::Kind::Split && step.axis == axis)
            slices <<= 1;
    return slices;
}

std::string text(const Sequence& sequence) {
    std::string words;
    for (const Step& step : sequence) {
        if (!words.empty())
            words += '.';
        if (step.kind == Step::Kind::Copy)
            words += 'R';
        else if (step.kind == Step::Kind::Grid)
            words += fmt::format("P{0}x{0}", 1 << step.k);
        else
            words += kLetters[static_cast<std::size_t>(step.axis)];
    }
    return words.empty() ? "-" : words;
}

Result<Sequence> sequenceFromText(std::string_view text) {
    Sequence sequence;
    if (text == "-")
        return sequence;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('.', begin), text.size());
        const std::string_view word = text.substr(begin, end - begin);
        const Step step = stepFromText(word);
        if (step.bits() == 0)
            return badInput("partition.sequence", "",
                            {"\"{word}\" in \"{text}\"; expected B, M, N, K, H, C, R, P2x2, P4x4, ... joined "
                             "by dots, or - for one device",
                             {{"word", word}, {"text", text}}});
        sequence.push_back(step);
        begin = end + 1;
    }
    return sequence;
}

std::vector<Sequence> sequences(int bits, std::span<const Axis> axes, int grids) {
    std::vector<Sequence> all;
    Sequence head;
    extend(bits, axes, grids, head, all);
    return all;
}

} // namespace pw::partition

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/partition/transfers.h"

#include <fmt/format.h>

#include <algorithm>

namespace pw::partition {

int GridPlace::at(int device, int row, int column) const {
    const int q = side();
    row = (row % q + q) % q;
    column = (column % q + q) % q;
    for (int j = 0; j < k; ++j) {
        const int rowBit = bits - (first + 2 * j), columnBit = rowBit - 1;
        device &= ~(1 << rowBit | 1 << columnBit);
        device |= (row >> (k - 1 - j) & 1) << rowBit | (column >> (k - 1 - j) & 1) << columnBit;
    }
    return device;
}

std::optional<GridPlace> gridOf(const Sequence& sequence) {
    int pointer = 1;
    for (const Step& step : sequence) {
        if (step.kind == Step::Kind::Grid)
            return GridPlace{bitsOf(sequence), pointer, step.k};
        pointer += step.bits();
    }
    return std::nullopt;
}

std::vector<Transfer> transfersOf(int k, Phase phase, int step) {
    const int q = 1 << k;
    const bool last = step == q - 1;
    switch (phase) {
    case Phase::Forward:
        if (last)
            return {};
        return {{Operand::Input, 0, 1}, {Operand::Weight, 1, 0}};
    case Phase::Backward:
        if (last)
            return {{Operand::Weight, 0, 1}};
        return {{Operand::Output, 0, 1}, {Operand::Weight, -1, 1}};
    case Phase::Gradient:
        if (last)
            return {{Operand::Weight, 0, 1}};
        if (step == q - 2)
            return {{Operand::Input, 1, 0}, {Operand::Output, 1, 1}};
        return {{Operand::Input, 1, -1}, {Operand::Output, 1, 0}};
    }
    return {};
}

int sender(const GridPlace& place, int receiver, const Transfer& transfer) {
    return place.at(receiver, place.row(receiver) + transfer.row, place.column(receiver) + transfer.column);
}

Indicator splitBits(const Sequence& sequence, std::span<const Axis> axes) {
    const int bits = bitsOf(sequence);
    int pointer = 1;
    Indicator indicator = 0;
    for (const Step& step : sequence) {
        if (step.kind == Step::Kind::Split && std::ranges::find(axes, step.axis) != axes.end())
            indicator |= 1U << (bits - pointer);
        pointer += step.bits();
    }
    return indicator;
}

std::vector<std::vector<int>> groupsOf(Indicator indicator, int bits) {
    std::vector<std::vector<int>> groups;
    const int devices = 1 << bits;
    for (int first = 0; first < devices; ++first) {
        if ((static_cast<Indicator>(first) & indicator) != 0)
            continue;
        groups.emplace_back();
        for (int device = first; device < devices; ++device)
            if (static_cast<Indicator>(device ^ first) ==
                (static_cast<Indicator>(device ^ first) & indicator))
                groups.back().push_back(device);
    }
    return groups;
}

std::string text(Indicator indicator, int bits) {
    std::string words;
    for (int j = 1; j <= bits; ++j)
        if ((indicator >> (bits - j) & 1U) != 0)
            words += fmt::format("{}d{}", words.empty() ? "" : " ", j);
    return words.empty() ? "-" : words;
}

} // namespace pw::partition

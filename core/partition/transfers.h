// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/partition/slices.h"

#include <optional>
#include <string>

namespace pw::partition {

// Where a grid lies among the device bits: rows are numbered by bits first, first + 2, .., columns by those
// between.
struct GridPlace {
    int bits = 0;  // of the device number
    int first = 1; // d_first is the highest bit of the row
    int k = 0;

    int side() const { return 1 << k; }
    int row(int device) const { return number(device, first); }
    int column(int device) const { return number(device, first + 1); }
    // The device at another place of the same grid; all other bits stay. Row and column wrap round.
    int at(int device, int row, int column) const;
    bool operator==(const GridPlace&) const = default;

private:
    int number(int device, int from) const {
        int n = 0;
        for (int j = 0; j < k; ++j)
            n = 2 * n + deviceBit(device, bits, from + 2 * j);
        return n;
    }
};
// Of the first grid in the sequence.
std::optional<GridPlace> gridOf(const Sequence& sequence);

// The matrices of a linear operator. In the backward phase Output stands for its gradient dO, in the gradient
// phase Output and Weight for dO and dW.
enum class Operand : std::uint8_t { Input, Weight, Output };

// One block moves while a step computes, into a second buffer: the receiver (r, c) takes `what` from
// (r + row, c + column).
struct Transfer {
    Operand what = Operand::Input;
    int row = 0, column = 0;
    bool operator==(const Transfer&) const = default;
};

// What moves during step t of a phase in a P(2^k x 2^k) grid (published):
//
//     forward   t < q-1    I <- (r, c+1)      W <- (r+1, c)
//     backward  t < q-1   dO <- (r, c+1)      W <- (r-1, c+1)
//               t = q-1    W <- (r, c+1)      (where the next forward pass wants it)
//     gradient  t < q-2    I <- (r+1, c-1)   dO <- (r+1, c)
//               t = q-2    I <- (r+1, c)     dO <- (r+1, c+1)
//               t = q-1   dW <- (r, c+1)      (added to the receiver's own product)
std::vector<Transfer> transfersOf(int k, Phase phase, int step);
int sender(const GridPlace& place, int receiver, const Transfer& transfer);

// A group indicator: the bits of the device number in which the members of a communicating group differ.
using Indicator = unsigned;
// The bits that split one of the axes.
Indicator splitBits(const Sequence& sequence, std::span<const Axis> axes);
// All groups of an indicator, each in the order of device numbers.
std::vector<std::vector<int>> groupsOf(Indicator indicator, int bits);
// "d1 d3"; "-" for none.
std::string text(Indicator indicator, int bits);

} // namespace pw::partition

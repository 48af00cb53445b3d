// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/partition/sequence.h"

#include <array>

namespace pw::partition {

// Forward O = I W, backward dI = dO W^T, gradient dW = I^T dO.
enum class Phase : std::uint8_t { Forward, Backward, Gradient };
inline constexpr int kPhases = 3;
inline constexpr std::array kAllPhases = {Phase::Forward, Phase::Backward, Phase::Gradient};

// Device numbers are 0 .. 2^n - 1 with d_1 as the highest bit, so that eight devices of two nodes are
// numbered node by node.
constexpr int deviceBit(int device, int bits, int j) { // d_j, j from 1
    return device >> (bits - j) & 1;
}

// Which slice of every axis a device works on in every phase at every step (published;
// resources/manual/planners/partition.md#slice-indices): indices start at 0, then for each step of the
// sequence
//
//     split X        I_X <- 2 I_X + d
//     P(q x q)       I_X <- q I_X + (entry mod q), where r, c are the grid's two interleaved bit groups and
//
//                                I_M      I_N                     I_K
//                    forward     r        r + c + t               c
//                    backward    r        r + c - 1               c + t
//                    gradient    r + t    r + c - 1 + (t=q-1)     c - 1 + (t=q-1)
//
// Several grids in one sequence nest their loops over t, the first one's outermost (verified for coverage,
// not published in detail); what the search uses has one at most.
class Slices {
public:
    explicit Slices(const Sequence& sequence);

    int bits() const { return m_bits; }
    int devices() const { return 1 << m_bits; }
    int steps() const { return m_steps; } // of every phase: the product of the grids' q
    int count(Axis axis) const { return m_counts[static_cast<std::size_t>(axis)]; }
    int index(Phase phase, Axis axis, int device, int step) const {
        return m_index[place(phase, axis, step) + static_cast<std::size_t>(device)];
    }
    // Of all devices, in their order.
    std::span<const std::uint16_t> indices(Phase phase, Axis axis, int step) const {
        return {m_index.data() + place(phase, axis, step), static_cast<std::size_t>(devices())};
    }

private:
    std::size_t place(Phase phase, Axis axis, int step) const {
        return ((static_cast<std::size_t>(phase) * static_cast<std::size_t>(m_steps) +
                 static_cast<std::size_t>(step)) *
                    kAxes +
                static_cast<std::size_t>(axis))
               << m_bits;
    }

    int m_bits = 0, m_steps = 1;
    std::array<int, kAxes> m_counts{};
    std::vector<std::uint16_t> m_index;
};

} // namespace pw::partition

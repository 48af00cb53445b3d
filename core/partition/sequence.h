// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The spatial-temporal tensor partition space of PrimePar (published: ASPLOS 2024, doi
// 10.1145/3620666.3651357): how 2^n equal devices share the operators of a transformer block, where a step
// may divide an operator over devices and over time at once, so that blocks wander round a grid of devices
// and neither tensors are copied nor partial sums gathered.
//
//     sequence, slices     one operator: which device works on which block at which step
//     transfers            who hands what to whom between steps, and who adds up partial sums
//     layout               what is moved between two operators that are divided differently
//     block_graph          the operators of a block, from the model physics (core/model/operators.h)
//     prices               what all this takes, from core/cost/device_time.h and core/comm
//     stack_search         the segmented dynamic programme over a stack of blocks
//     partition            the question and the answer
//
// Indices, sender table, cost formula and dynamic programme are published; prices, the operator list, and
// what a header calls so are this project's reconstruction.
namespace pw::partition {

// What an operator can be divided along. A linear operator O[B,M,K] = I[B,M,N] x W[N,K] has the first four;
// Heads and Keys are attention's: scores[B,H,M,C]. Element-wise operators work on Batch, Rows, Columns.
enum class Axis : std::uint8_t { Batch, Rows, Inner, Columns, Heads, Keys };
inline constexpr int kAxes = 6;

// One step uses up bits of the device number, outermost first. Split: 1 bit, halves `axis`. Grid: 2k bits,
// the primitive P(2^k x 2^k) over Rows, Inner and Columns. Copy: 1 bit, both halves do the same (not in the
// published space; what Megatron's tensor parallelism does with norms and residuals).
struct Step {
    enum class Kind : std::uint8_t { Split, Grid, Copy };
    Kind kind = Kind::Split;
    Axis axis = Axis::Batch; // of a split
    int k = 0;               // of a grid
    int bits() const { return kind == Kind::Grid ? 2 * k : 1; }
    bool operator==(const Step&) const = default;
};
constexpr Step split(Axis axis) {
    return {Step::Kind::Split, axis, 0};
}
constexpr Step grid(int k) {
    return {Step::Kind::Grid, Axis::Batch, k};
}
constexpr Step copy() {
    return {Step::Kind::Copy, Axis::Batch, 0};
}

// How one operator is divided: the steps in the order of the device bits d_1 (outermost, nodes) .. d_n.
using Sequence = std::vector<Step>;

int bitsOf(const Sequence& sequence);
int gridsOf(const Sequence& sequence);
int slicesAlong(const Sequence& sequence, Axis axis); // into how many parts the axis is cut, grids included

// "K.P2x2": B, M, N, K, H, C for splits, R for copies, P2x2, P4x4, ... for grids; "-" for one device.
std::string text(const Sequence& sequence);
Result<Sequence> sequenceFromText(std::string_view text);

// Every sequence of splits of `axes` and grids that uses `bits` bits, with at most `grids` grids; in a fixed
// order. Four axes and any number of grids: 4, 17, 72, 306, 1300 for 1 to 5 bits; 305 and 1288 for the last
// two with at most one grid.
std::vector<Sequence> sequences(int bits, std::span<const Axis> axes, int grids);

} // namespace pw::partition

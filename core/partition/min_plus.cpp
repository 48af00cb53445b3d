// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/partition/min_plus.h"

#include "core/base/parallel.h"
#include "core/base/quantity.h"
#include "core/partition/vectors.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace pw::partition {
namespace {

constexpr std::size_t kAtOnce = 4;        // rows of b that one pass over a row of c takes
constexpr std::size_t kRowsAtOnce = 32;   // of the result, by one thread
constexpr std::size_t kBetweenLooks = 64; // rows of b before asking again which of the rest still matter

PW_NEWER_INSTRUCTIONS void lower(double* __restrict out, const double* const* with, const double* add,
                                 std::size_t n) {
    const double* __restrict w0 = with[0], * __restrict w1 = with[1], * __restrict w2 = with[2], * __restrict w3 = with[3];
    const double a0 = add[0], a1 = add[1], a2 = add[2], a3 = add[3];
    for (std::size_t i = 0; i < n; ++i) {
        const double c0 = w0[i] + a0, c1 = w1[i] + a1, c2 = w2[i] + a2, c3 = w3[i] + a3;
        const double low = c0 < c1 ? c0 : c1, high = c2 < c3 ? c2 : c3;
        const double least = low < high ? low : high;
        out[i] = least < out[i] ? least : out[i];
    }
}

PW_NEWER_INSTRUCTIONS double largest(const double* values, std::size_t n) {
    std::array<double, 8> lanes;
    lanes.fill(-kNever);
    std::size_t i = 0;
    for (; i + lanes.size() <= n; i += lanes.size())
        for (std::size_t k = 0; k < lanes.size(); ++k)
            lanes[k] = lanes[k] < values[i + k] ? values[i + k] : lanes[k];
    for (; i < n; ++i)
        lanes[0] = std::max(lanes[0], values[i]);
    return *std::ranges::max_element(lanes);
}

// The cheapest few rows of b first; then only those that can still win: b adds nothing below zero.
void productRow(const double* a, const Matrix& b, double* out, std::vector<std::size_t>& order) {
    order.resize(b.rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto cheap = order.begin() + static_cast<std::ptrdiff_t>(std::min(kAtOnce, order.size()));
    std::ranges::partial_sort(order, cheap, {}, [&](std::size_t y) { return a[y]; });
    std::array<const double*, kAtOnce> with{};
    std::array<double, kAtOnce> add{};
    std::size_t waiting = 0, taken = 0;
    double limit = kNever;
    for (const std::size_t y : order) {
        if (a[y] >= limit)
            continue;
        with[waiting] = b.row(y);
        add[waiting] = a[y];
        if (++waiting < kAtOnce)
            continue;
        lower(out, with.data(), add.data(), b.columns);
        waiting = 0;
        if (taken % kBetweenLooks == 0)
            limit = largest(out, b.columns);
        taken += kAtOnce;
    }
    if (waiting > 0) {
        for (std::size_t i = waiting; i < kAtOnce; ++i) { // the same one again changes nothing
            with[i] = with[0];
            add[i] = add[0];
        }
        lower(out, with.data(), add.data(), b.columns);
    }
}

} // namespace

Matrix minPlus(const Matrix& a, const Matrix& b, int threads) {
    Matrix c(a.rows, b.columns, kNever);
    const std::size_t parts = (a.rows + kRowsAtOnce - 1) / kRowsAtOnce;
    inParallel(parts, threads, [&](std::size_t part) {
        std::vector<std::size_t> order;
        const std::size_t begin = part * kRowsAtOnce;
        for (std::size_t x = begin; x < std::min(a.rows, begin + kRowsAtOnce); ++x)
            productRow(a.row(x), b, c.row(x), order);
    });
    return c;
}

} // namespace pw::partition

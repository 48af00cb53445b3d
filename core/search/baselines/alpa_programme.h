// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace pw {

// Alpa's inter-operator dynamic programme (published: arXiv 2201.12023): layers k.. as s stages on d devices,
// no stage longer than t_max,
//
//     F(s, k, d; t_max) = min over i, submesh m of t(k..i, m, s) + F(s-1, i+1, d - m),   t <= t_max
//     T = F(S, 0, D; t_max) + (B - 1) t_max,   all devices in use,
//
// over t_max ascending from the first that any division meets (found by bisection) until t_max B reaches the
// best T. Limits closer than a microsecond, or a thousandth of themselves, to the one before are skipped, so
// that T is within a thousandth of the least. There is no term for transfers between stages.
struct AlpaInput {
    int layers = 0, devices = 0, stages = 0; // stages: most
    std::int64_t microbatches = 1;
    std::vector<int> submeshes; // devices of each
    // Seconds of layers [first, end) on a submesh as the s-th stage from the end, with min(B, s)
    // micro-batches in flight; infinity where they do not fit.
    std::vector<double> times;
    std::size_t at(int first, int end, std::size_t submesh, int s) const {
        const auto row = static_cast<std::size_t>(first * (layers + 1) + end);
        return (row * submeshes.size() + submesh) * static_cast<std::size_t>(stages + 1) +
               static_cast<std::size_t>(s);
    }
    void resize() { times.assign(at(layers, 0, 0, 0), std::numeric_limits<double>::infinity()); }
};

struct AlpaPlan {
    struct Stage {
        int first = 0, end = 0; // layers
        std::size_t submesh = 0;
    };
    std::vector<Stage> stages; // first stage first
    double total = 0.0;        // T with the plan's own slowest stage, s
};

// Nothing if no division fits or none has T below `best`. `spend` is told the steps of each t_max, and ends
// the search with what it has by saying true.
std::optional<AlpaPlan> alpaProgramme(const AlpaInput& input, double best,
                                      const std::function<bool(std::int64_t steps)>& spend);

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/random.h"
#include "core/schedule/schedule.h"

#include <algorithm>
#include <array>

namespace pw::test {

struct RandomPipeline {
    StageTimes times;
    int microbatches = 0;
};

// The distribution of the acceptance numbers: 2 to 8 stages of 0.7 to 1.0, f = t/3, b = 2t/3; each send is
// nothing, a thousandth of the slowest stage, or anything up to that stage; 16, 32, 64 or 128 micro-batches.
inline RandomPipeline acceptancePipeline(Random& random) {
    RandomPipeline p;
    const std::size_t stages = 2 + static_cast<std::size_t>(random.below(7));
    p.microbatches = std::array{16, 32, 64, 128}[random.below(4)];
    double slowest = 0.0;
    for (std::size_t i = 0; i < stages; ++i) {
        const double t = random.uniform(0.7, 1.0);
        slowest = std::max(slowest, t);
        p.times.forward.push_back(t / 3.0);
        p.times.backward.push_back(2.0 * t / 3.0);
    }
    for (std::size_t i = 0; i + 1 < stages; ++i) {
        const std::uint64_t choice = random.below(3);
        p.times.send.push_back(choice == 0   ? 0.0
                               : choice == 1 ? 0.001 * slowest
                                             : random.uniform() * slowest);
    }
    return p;
}

// Anything goes: one stage to nine, times over two orders of magnitude with some exactly 0, few micro-batches
// or many.
inline RandomPipeline wildPipeline(Random& random) {
    RandomPipeline p;
    const std::size_t stages = 1 + static_cast<std::size_t>(random.below(9));
    p.microbatches = 1 + static_cast<int>(random.below(24));
    const auto time = [&] { return random.below(8) == 0 ? 0.0 : random.uniform(0.01, 1.0); };
    for (std::size_t i = 0; i < stages; ++i) {
        p.times.forward.push_back(time());
        p.times.backward.push_back(time());
        if (i + 1 < stages)
            p.times.send.push_back(random.below(3) == 0 ? 0.0 : time() * 2.0);
    }
    return p;
}

} // namespace pw::test

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/random.h"
#include "core/timeline/timeline.h"

namespace pw::test {

// Bars of one nanosecond to a hundred microseconds, most of them short, half of them directly after the one
// before.
inline Lane randomLane(Random& random, std::size_t bars) {
    Lane lane;
    std::int64_t t = static_cast<std::int64_t>(random.below(1000));
    for (std::size_t i = 0; i < bars; ++i) {
        if (random.below(2) == 0)
            t += static_cast<std::int64_t>(random.below(random.below(20) == 0 ? 200000 : 300));
        const auto length = static_cast<std::int64_t>(1 + random.below(random.below(10) == 0 ? 100000 : 500));
        lane.add(t, t + length, static_cast<BarKind>(random.below(kBarKinds)), static_cast<std::int32_t>(i),
                 i % 3 == 0);
        t += length;
    }
    lane.seal();
    return lane;
}

} // namespace pw::test

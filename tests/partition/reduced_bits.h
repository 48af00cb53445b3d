// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/partition/transfers.h"

#include <array>

namespace pw::test {

// The bits that split axes which the phase adds up over, as published: N forward, K backward, B and M for the
// weight gradient. A grid adds up in time and has none.
inline partition::Indicator reducedBits(const partition::Sequence& sequence, partition::Phase phase) {
    using partition::Axis;
    constexpr std::array inner = {Axis::Inner}, columns = {Axis::Columns};
    constexpr std::array rows = {Axis::Batch, Axis::Rows};
    switch (phase) {
    case partition::Phase::Forward:
        return splitBits(sequence, inner);
    case partition::Phase::Backward:
        return splitBits(sequence, columns);
    case partition::Phase::Gradient:
        return splitBits(sequence, rows);
    }
    return 0;
}

} // namespace pw::test

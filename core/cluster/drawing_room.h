// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

namespace pw {

// Room for one node of the drawing, in px of its grid of 16: a node is 256 wide, and a row of four GPUs more
// makes it 52 higher.
inline constexpr double kNodeStep = 288.0;
inline double nodeRoom(int gpus) {
    return 16.0 * std::ceil((64.0 + 52.0 * std::ceil(gpus / 4.0)) / 16.0);
}

} // namespace pw

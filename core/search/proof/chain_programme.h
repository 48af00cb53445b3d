// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/proof/chain_ways.h"

namespace pw {

// The least launch-count bound of all chains of one micro-batch size, by an exact programme from the last
// stage on: its state is the number of stages, the classes that are done, the devices used of the one at work
// and the blocks placed; its label V, of which the smallest is all that the stages in front need to know:
//
//     V' = min over L of max(B t(L) + max(0, 2c + D - (L - 1) f), t(L) + 2c + V).
//
// The iteration lasts at least V of the whole chain and the tail of its front (gradient sync, optimiser step:
// it ends last), and at least B t and the tail of any stage.
// D is the least time that a micro-batch needs behind the stage, there and back: until then the stage has
// nothing to do but its L launched forwards, and the more of them are in flight the more of its blocks memory
// makes it recompute. Left out, so that it stays a lower bound: transfers inside a class, and of those
// between classes all but the bytes over the widest that their nodes have. Stages are lines (stage_line.h).
// What prices of devices (launch_count_bound.h) give away by letting stages take fractions of a node, this
// keeps; its states grow with what the cluster is in units of its stages.
class ChainProgramme {
public:
    ChainProgramme(const ChainSpace& space, const ChainLines& lines) : m_space(space), m_lines(lines) {}

    // Whether there are few enough states and choices for a second, below this time.
    bool suits(double upper) const;
    // s; `upper` if nothing is below it or `stop` says so.
    double least(double upper, const std::function<bool()>& stop) const;

private:
    const ChainSpace& m_space;
    const ChainLines& m_lines;
};

} // namespace pw

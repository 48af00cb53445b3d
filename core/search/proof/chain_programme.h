// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/proof/chain_ways.h"

#include <optional>

namespace pw {

// The least launch-count bound of all chains of one micro-batch size, by an exact programme from the last
// stage on: its state is the number of stages, the classes that are done, the devices used of the one at work
// and the blocks placed; its label V, of which the smallest is all that the stages in front need to know:
//
//     V' = max(min over L of max(B t(L) + max(0, 2c + D - (L - 1) f), B (t(L) + 2c + D) / L),
//              t(L) + 2c + V,  t + (B + 1) c + D).
//
// D is the least time that a micro-batch needs behind the stage, there and back: until then the stage has
// nothing to do but its L launched forwards, and no micro-batch is in flight for less than t + 2c + D, so
// that L at a time (Little's law) take B of these by L; the more of them are in flight the more of its blocks
// memory makes it recompute. B activations, one after the other, take B c over the boundary, and the last one
// has yet to go round. The iteration lasts at least V of any stage with its tail behind it (gradient sync,
// optimiser step). Transfers are taken at their least: what leaves the ports of a stage's nodes, nothing
// inside a node. Stages are lines (stage_line.h). What prices of devices (launch_count_bound.h) give away by
// letting stages take fractions of a node, this keeps; its states grow with what the cluster is in units of
// its stages.
class ChainProgramme {
public:
    ChainProgramme(const ChainSpace& space, const ChainLines& lines) : m_space(space), m_lines(lines) {}

    // Labels looked at and launches tried for one space by whoever asks, in all: some three seconds.
    static constexpr std::int64_t kMostSteps = 300'000'000;
    // s, of chains of so many stages at most; `upper` if nothing is below it. Nothing if that takes more than
    // `steps`, or once `stop` says so. Takes off `steps` what it took.
    std::optional<double> least(double upper, int stages, const std::function<bool()>& stop,
                                std::int64_t& steps) const;

private:
    const ChainSpace& m_space;
    const ChainLines& m_lines;
};

} // namespace pw

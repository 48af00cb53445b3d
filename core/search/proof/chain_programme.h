// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/space/stage_line.h"

#include <array>
#include <functional>
#include <vector>

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
    // Lines of the options, by embedding + 2 * head; those with the embedding hold all leading blocks. At
    // kLone those of first stages without any block but such, where the model has them.
    using Lines = std::array<std::vector<StageLine>, 5>;
    static constexpr std::size_t kLone = 4;
    static Lines lines(const ChainSpace& space, const std::function<bool()>& stop);
    ChainProgramme(const ChainSpace& space, const Lines& lines);

    // Whether there are few enough states and choices for a second, below this time.
    bool suits(double upper) const;
    // s; `upper` if nothing is below it or `stop` says so.
    double least(double upper, const std::function<bool()>& stop) const;

private:
    // A way to stand at one place, by number of blocks behind the leading ones from `first` on: 1, or 0 where
    // a first stage may do with some of these. Stages between that hold leading blocks are taken as if they
    // had none, or left out: that only makes a chain quicker.
    struct Way {
        const StageLine *line = nullptr, *lone = nullptr;
        int first = 1, devices = 0, nodes = 1;
        std::vector<double> time, forward, tail; // s; time with the fewest recomputed
        // Launches: the most that ask for no more recompute than the least do, and the most that fit.
        std::vector<int> launch, mostLaunch;

        int most() const { return first + static_cast<int>(time.size()) - 1; }
        std::size_t at(int blocks) const { return static_cast<std::size_t>(blocks - first); }
        const StageLine& lineOf(int blocks) const { return blocks > 0 ? *line : *lone; }
    };
    struct Ways {
        std::vector<std::vector<Way>> inside, front; // by class
    };
    // All ways that end by a time, by place, and for each class what its stages' sizes are multiples of (0:
    // it has none): a large cluster has as few states as a small one where its stages are large.
    struct Table {
        std::vector<Ways> places;
        std::vector<int> units;
    };
    Table table(double upper) const;
    double steps(const Table& table) const;
    std::vector<std::vector<double>> rates(const Table& table) const;
    std::vector<double> quickest(const Table& table) const;
    bool beats(const Way& a, const Way& b) const;
    std::vector<Way> ways(int cls, int place, bool front, double upper) const;
    // Time of a way with so many in flight.
    static double timeWith(const Way& way, int blocks, int inFlight);
    // Least transfer from the last stage of one class to the first of the next, by nodes of the larger one.
    double crossing(int from, int to, int nodes) const;

    const ChainSpace& m_space;
    const Lines& m_lines;
    const int m_blocks; // behind the leading ones
};

} // namespace pw

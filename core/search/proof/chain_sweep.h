// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/quantity.h"
#include "core/search/proof/chain_ways.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

namespace pw {

// What is least among all chains in one state: each by itself, perhaps of different chains.
struct ChainLabel {
    double bound = kNever;  // s, V
    double around = kNever; // s, D
    double tailed = kNever; // s, W: until the last of these stages has summed its gradients and stepped
};
using ChainLabels = std::vector<ChainLabel>; // by blocks placed

// What the programmes over chains have in common (chain_programme.h has the formulas): the stages that may
// stand at one place from the end, what they make of labels behind them, and the least bound of a whole chain
// so far; what cannot fall below that is left out on the way. The order in which chains take devices is the
// programmes' own.
class ChainSweep {
public:
    // `upper`: s, of the best chain so far. Takes off `steps` what it takes.
    ChainSweep(const ChainSpace& space, ChainWays& ways, double upper, const std::function<bool()>& stop,
               std::int64_t& steps);

protected:
    bool over() const { return m_steps < 0 || m_stop(); }
    // Goes on to this place, from the end.
    void goTo(std::size_t place);
    // Behind no stage: V = D = W = 0.
    ChainLabels none() const;
    // Sets what latest() says of stages in front whose free devices are worth so much, by price of a second.
    // Stages on n devices of a class hold w_c(f, n) + f t blocks at most, so that the b blocks that are left
    // take stages in front whose times, behind V, end by T only if
    //     b <= f (T - tail - V) + sum_c w_c(f, n_c)     for every price f of a second,
    // n_c what is free of a class and the tail the least of a first stage. `key`: of these devices, whose
    // worth is asked for once a place.
    template <class Worth>
    void tellLatest(std::size_t key, const Worth& worth) {
        constexpr std::size_t kMostKept = 1U << 16U; // some tens of MB
        m_steps -= m_blocks;
        if (m_needed.size() >= kMostKept)
            m_needed.clear();
        const auto [known, isNew] = m_needed.try_emplace(key);
        if (isNew)
            known->second = neededBy(worth());
        m_front = known->second.data();
        m_soonest = m_best - m_frontTail;
    }
    // s, c: what a micro-batch takes at least from a stage on so many nodes of one class to one on so many of
    // another or, on other nodes, of the same.
    double transfer(std::size_t cls, int nodes, std::size_t behind, int nodesBehind);
    // A first stage with all blocks that are left:  T >= W'.
    void closeWith(const ChainWay& way, double send, const ChainLabels& behind);
    // A stage with some of the blocks that are left, where those in front can still have the rest:
    //     V' as in value(),   D' = t + 2c + D,   W' as in ended().
    template <class Make>
    void extendBy(const ChainWay& way, double send, const ChainLabels& behind, const Make& make) {
        ChainLabels* into = nullptr; // made for the first label that is worth keeping
        m_steps -= m_blocks / 16;    // looks at every label
        for (int n = 0; n <= m_blocks - m_frontKeeps; ++n) {
            const ChainLabel& label = behind[static_cast<std::size_t>(n)];
            const int left = m_blocks - n;
            if (tooSlow(label, left))
                continue;
            const int most = std::min(left - m_frontKeeps, way.most());
            int least = way.first;
            while (least <= most && label.bound >= latest(left - least))
                ++least;
            m_steps -= std::max(1, most - least);
            for (int k = least; k <= most; ++k) {
                const std::size_t at = way.at(k);
                if (tooLong(way, at, send, label))
                    break;
                const double end = latest(left - k), around = way.time[at] + 2.0 * send;
                if (around + label.bound >= end)
                    continue;
                const double floor = leastValue(way, at, send, label);
                const double floorTailed = ended(way, at, send, label, floor);
                if (floor >= end || floorTailed >= m_best)
                    continue;
                if (into) {
                    const ChainLabel& there = (*into)[static_cast<std::size_t>(n + k)];
                    if (there.bound <= floor && there.around <= around + label.around &&
                        there.tailed <= floorTailed)
                        continue; // nothing that is not there
                }
                const double bound = value(way, k, send, label);
                const double tailed = ended(way, at, send, label, bound);
                if (bound >= end || tailed >= m_best)
                    continue;
                if (!into)
                    into = &make();
                ChainLabel& there = (*into)[static_cast<std::size_t>(n + k)];
                there.bound = std::min(there.bound, bound);
                there.around = std::min(there.around, around + label.around);
                there.tailed = std::min(there.tailed, tailed);
            }
        }
    }

    const ChainSpace& m_space;
    ChainWays& m_ways;
    const std::size_t m_classes;
    std::size_t m_place = 0;    // of the stage that is added, from the end
    ChainWays::Worths m_worths; // w_c(f, n) of the stages in front of it
    double m_best;              // s
    std::int64_t& m_steps;      // left

private:
    double crossing(std::size_t from, std::size_t to, int nodes) const;
    // s, by blocks left: what stages in front need for them at least, 0 where they need nothing.
    std::vector<double> neededBy(const std::vector<double>& worths) const;
    // What is left of the model still takes m_quick a block, one after the other, whatever stands in front:
    // V of the whole chain >= V + that.
    bool tooSlow(const ChainLabel& behind, int left) const { return behind.bound + left * m_quick >= m_best; }

    // s: V from which on so many blocks have no room in front.
    double latest(int left) const {
        return m_front[left] < kNever ? m_soonest - m_front[left] : -kNever; // whatever the best is
    }

    // More blocks only take longer:  B t + tail  and  t + 2c + V  end no chain below the best one.
    bool tooLong(const ChainWay& way, std::size_t at, double send, const ChainLabel& behind) const {
        return m_microbatches * way.time[at] + way.tail[at] >= m_best ||
               way.time[at] + 2.0 * send + behind.bound >= m_best;
    }

    // s, W' = max(V' + tail, c + W): the stages behind begin later by the forward pass and the transfer.
    static double ended(const ChainWay& way, std::size_t at, double send, const ChainLabel& behind,
                        double bound) {
        return std::max(bound + way.tail[at], send + behind.tailed);
    }

    double value(const ChainWay& way, int blocks, double send, const ChainLabel& behind);
    double leastValue(const ChainWay& way, std::size_t at, double send, const ChainLabel& behind) const;
    double busyAtFarEnd(const ChainWay& way, int blocks, double path) const;

    const std::function<bool()>& m_stop;
    const int m_blocks;
    const int m_frontKeeps; // blocks behind the leading ones, at least
    const double m_microbatches;
    double m_frontTail = 0.0; // s, the least of a first stage in front
    double m_quick = 0.0;     // s, what a block takes at least from there on
    std::unordered_map<std::size_t, std::vector<double>> m_needed; // at this place, by key
    const double* m_front = nullptr;                               // that of the stages in front
    double m_soonest = 0.0;                                        // s, V that leaves them nothing
    std::unordered_map<std::size_t, double> m_crossings;           // s, by classes and nodes
};

} // namespace pw

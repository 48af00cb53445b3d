// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "core/search/proof/chain_ways.h"

#include <map>
#include <utility>
#include <vector>

namespace pw {

// Prices per class and second: any are a valid proof.
struct Multipliers {
    std::vector<double> prices; // blocks per GPU of the class
    double fill = 0.0;          // blocks per second
};

// The inequality of LaunchCountBound for the chains of one space that are to end by one deadline, in one
// region: what they hold at most where GPUs and seconds have a price. What may stand at a place is
// worked out when it is first asked for.
class PricedChains {
public:
    // Up to so many stages each number of them is proven out of reach by itself.
    static constexpr int kStagesEach = 16;
    // The most stages that are proven together with so many.
    static int provenWith(int stages);

    // `deadline`: s. The space and its lines must outlive this object.
    PricedChains(const ChainSpace& space, const ChainLines& lines, double deadline,
                 const ChainRegion& region);

    // Blocks that chains of so many stages hold at most.
    double blocksHeld(int stages, int most, const Multipliers& at);
    // Looks for prices that prove the model to be more than that; `at` starts and ends at the best found.
    bool provenOut(int stages, int most, Multipliers& at);

private:
    // A stage at one place: how many blocks it may hold by a deadline, and its time, which grows faster
    // behind `quick` blocks because memory then asks for recompute.
    struct Arc {
        int cls = 0, devices = 0, most = 0;
        double timeBase = 0.0, timeBlock = 0.0, quick = 0.0, timeBeyond = 0.0;
        double time(double k) const {
            return timeBase + k * timeBlock + std::max(0.0, k - quick) * timeBeyond;
        }
        // The number of blocks that is worth most where a second costs `fill` blocks: concave, so an end or
        // the kink.
        double best(double fill) const;
        double worth(double fill) const { return best(fill) - fill * time(best(fill)); }
    };
    static bool beats(const Arc& a, const Arc& b);
    // `first`: of the first stage.
    std::vector<Arc> arcs(int fromEnd, bool first) const;
    const std::vector<Arc>* at(int place, bool first);
    // What may stand at each place of a chain, last one first.
    struct Places {
        const std::vector<Arc>* arcs = nullptr;
        int count = 1;        // of such places, one after the other
        bool mayStay = false; // empty
    };
    struct Question {
        double seconds = 0.0; // that the stages' times may add up to
        std::vector<Places> places;
    };
    Question question(int stages, int most);
    double evaluate(const Question& question, const Multipliers& at, std::vector<double>* devicesUsed,
                    double* timeUsed) const;

    const ChainSpace& m_space;
    const ChainLines& m_lines;
    const double m_deadline; // s
    const ChainRegion m_region;
    const int m_blocks;
    std::vector<double> m_gpus; // by class, that the chains may stand on
    std::map<std::pair<int, bool>, std::vector<Arc>> m_made;
};

} // namespace pw

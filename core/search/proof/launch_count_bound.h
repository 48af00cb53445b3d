// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "core/search/proof/bound.h"
#include "core/search/proof/chain_programme.h"
#include "core/search/proof/priced_chains.h"
#include "core/search/space/chain.h"
#include "core/search/space/coverage.h"

#include <array>
#include <limits>
#include <optional>

namespace pw {

// The launch-count lower bound of a whole Space, with a certificate that anybody can check.
//
// In a launch-count schedule a stage cannot start before the first micro-batch has passed the stages in front
// of it, and what it returned last still has to drain through them
// (resources/manual/proofs.md#the-inequality):
//
//     T >= sum_{j<i} t_j + B t_i   for every stage i,     hence   sum_i t_i <= T (1 - (1 - 1/B)^S).
//
// For a deadline T, a micro-batch size and S stages, every stage i (counted from the end) holds at most
// k_max(i, option, T) blocks: more would not be computed, synced and stepped by T, or would not fit beside
// min(B, i + 1) micro-batches in flight, which no launch-count schedule goes below. With prices p_c >= 0 per
// GPU of class c and f >= 0 per second:
//
//     blocks held <= sum_i max_option [ k - f t(k) - p_c g ]  +  f T (1 - (1 - 1/B)^S)  +  sum_c p_c N_c.
//
// Blocks are those behind the leading dense ones (leadingDense()), which the first stage holds beside its own
// or holds alone; where they stand elsewhere they are taken to cost nothing. If the right side is below the
// model's blocks, no plan of the Space ends by T. Where what leaves a node of the class takes at least s, the
// time of each stage behind the first, but for one node's, is counted as  t + 2 s min(1, g/n) (1 - (1 -
// 1/B)^i)  for its share of a node of n GPUs. Beyond kStagesEach stages, counts are proven some at a time:
// the fewest of them stand, the others may. The bound is the largest T for which prices prove this for every
// micro-batch size and every S. Prices come from a subgradient method; any prices are a valid proof, so
// the bound never depends on how well the method converged. Counting prices instead of devices keeps it
// small: 16,384 GPUs are as cheap as 16. What prices cannot prove, where whole devices matter, is left to an
// exact programme (chain_programme.h), and where that has too many states, or the order in which devices are
// taken is not the one that it fills them in, to a coarser one (open_programme.h). A stage whose nodes could
// not pass on all micro-batches by T stands alone or in a chain inside one node, and no chain crosses
// switches whose links could not: the chains of each such region are proven by themselves. This form (prices
// per class for one pipeline) is this project's own.
class LaunchCountBound {
public:
    static constexpr const char* kKind = "launch-count";
    static constexpr double kNothingFits = 1e14; // s: bounds from here on say that no stage fits anywhere
    // `spaces`: one a micro-batch size, cp and ep. They must outlive this object. A stopped one proves
    // nothing more; `stop` is asked from all threads (0 = as many as there are cores), on whose number no
    // result depends.
    // `order`: of the chains that are meant. Prices and the coarser programme do not ask in which order GPUs
    // are taken, the exact one does: it has no say where any will do.
    explicit LaunchCountBound(
        std::vector<const ChainSpace*> spaces, std::function<bool()> stop = [] { return false; },
        int threads = 0, ChainOrder order = ChainOrder::Filled);

    static constexpr int kStagesEach = PricedChains::kStagesEach;

    struct Proof {
        std::size_t space = 0;
        int stages = 0, most = 0;   // of the chain; 0 stages: any number up to the most, by a programme
        bool open = false;          // by the coarser one
        std::vector<double> prices; // per class
        double fill = 0.0;          // f
        ChainRegion region;         // that these chains stand in
    };
    // Whether a plan with this micro-batch size may end by `deadline`, as far as prices or the exact
    // programme can tell. Proofs of all stage counts when not.
    bool mayEndBy(std::size_t space, double deadline, std::vector<Proof>* proofs = nullptr);
    // The same as far as prices tell, and what the programme has told by now: quickly.
    bool mayEndRoughly(std::size_t space, double deadline);
    // The proofs that a deadline asks of a space: by region, the fewest and the most stages.
    struct Wanted {
        ChainRegion region;
        int least = 1, most = 0;
    };
    std::vector<Wanted> wanted(std::size_t space, double deadline) const;
    // Whether a proof holds: the right side of the inequality is below the model's blocks, or the programme
    // finds nothing.
    bool holds(const Proof& proof, double deadline) const;

    // What prices prove, roughly and quickly; not searched beyond `upper`.
    Bound computeRoughly(double upper);
    // The largest deadline out of reach, exactly where the programme tells, else to 0.1 %; not searched
    // beyond `upper` (the best plan known, or infinity). Stopped: what is proven by then. Soon: without the
    // coarser programme, which may take as long as all the rest.
    enum class Effort { Soon, All };
    Bound compute(double upper, Effort effort = Effort::All);

    // Prices of the tightest stage count at a deadline that may be met: what a GPU of each class is worth, in
    // blocks.
    std::vector<double> guidePrices(std::size_t space, double deadline);

private:
    // Chains of a few stages, each number of which is looked at by itself, and of any number.
    enum class Depth { Few, Any };
    int mostStages(std::size_t space, Depth depth) const;
    // `depth`: chains of few stages, or of more.
    bool mayEndByPrices(std::size_t space, double deadline, Depth depth, std::vector<Proof>* proofs);
    bool mayEndByProgramme(std::size_t space, double deadline, Depth depth);
    // s: nothing of the space is below it, by prices alone and roughly.
    double floorByPrices(std::size_t space, double upper);
    // s: likewise, as exactly as can be told; at most `upper`.
    double leastOf(std::size_t space, double upper, Effort effort);
    // Whether the programme can tell, in so many steps, that nothing is below the limit; else what is, if it
    // comes that far.
    bool nothingBelow(std::size_t space, double limit, Depth depth, std::int64_t steps);
    // Raises what the programme knows of chains of any number of stages as far as its steps go.
    void climb(std::size_t space, double upper);
    // s: likewise, by the programme alone, for chains of few stages or of any number.
    std::optional<double> leastByProgramme(std::size_t space, double upper, Depth depth);
    // s, nothing is below it by the coarser programme, which looks from `low` on as far as it can, up to
    // `upper`.
    double leastInAnyOrder(std::size_t space, double low, double upper);
    Bound boundOf(double deadline, const std::vector<Proof>& proofs) const;
    // Whether no space may end by the deadline; if so, adds the proofs of all of them.
    bool outOfReach(double deadline, std::vector<Proof>& proofs);

    const std::vector<const ChainSpace*> m_spaces;
    const std::function<bool()> m_stop;
    const int m_threads;
    const ChainOrder m_order;
    std::vector<ChainLines> m_lines; // [space]
    struct Least {
        double value = 0.0;                                       // s: nothing is below it
        bool exact = false;                                       // and something is at it
        std::int64_t steps = ChainProgramme::kMostSteps;          // left; below 0: it has too many states
        double tooMuch = std::numeric_limits<double>::infinity(); // s: looking as far as this takes too many
    };
    std::vector<std::array<Least, 2>> m_least; // [space][depth]: by the programme
    struct Open {
        double value = 0.0;                                       // s: nothing is below it
        double tooMuch = std::numeric_limits<double>::infinity(); // s: looking as far as this tells no more
    };
    std::vector<Open> m_open;                      // [space]: by the coarser one
    std::vector<double> m_floors;                  // [space]: s, by prices; empty before they are known
    std::vector<std::vector<Multipliers>> m_start; // [space][stages]: where the last call ended
    int m_blocks = 0;
};

} // namespace pw

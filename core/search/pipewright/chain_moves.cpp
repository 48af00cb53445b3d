// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/pipewright/chain_moves.h"

#include "core/evaluate/stage_terms.h"

#include <algorithm>

namespace pw {
namespace {

// So many blocks recomputed as the option and the stage allow.
void recompute(const ChainSpace& space, ChainStage& stage, int blocks) {
    const bool some = space.options()[static_cast<std::size_t>(stage.option)].plain != nullptr;
    stage.recomputed = some && blocks > 0 && blocks < stage.blocks() ? blocks : 0;
}

// The stage with as few blocks recomputed, of an option that may, as so many micro-batches at once ask for.
ChainStage holding(const ChainSpace& space, ChainStage stage, int inFlight) {
    const double capacity = space.capacity(space.options()[static_cast<std::size_t>(stage.option)]);
    int low = 1, high = stage.blocks();
    while (low < high) {
        const int middle = low + (high - low) / 2;
        recompute(space, stage, middle);
        const bool fits = memoryTotal(space.problem(), space.cost(stage), inFlight) <= capacity;
        (fits ? high : low) = fits ? middle : middle + 1;
    }
    recompute(space, stage, low);
    return stage;
}

} // namespace

void improveChain(SearchRun& run, std::size_t space, Chain chain, double time) {
    const ChainSpace& s = *run.spaces()[space];
    bool better = true;
    while (better && !run.over()) {
        better = false;
        std::vector<Chain> moves;
        for (std::size_t from = 0; from < chain.size(); ++from)
            for (std::size_t to = 0; to < chain.size(); ++to) {
                // One block less here and one more there; the stages between hand theirs on. Stage 0 is the
                // last one.
                if (from == to || chain[from].end - chain[from].first < 2)
                    continue;
                Chain moved = chain;
                const int by = from < to ? 1 : -1;
                for (std::size_t x = std::min(from, to); x < std::max(from, to); ++x) {
                    moved[x].first += by;
                    moved[x + 1].end += by;
                }
                for (ChainStage& stage : moved)
                    recompute(s, stage, stage.recomputed);
                moves.push_back(std::move(moved));
            }
        for (std::size_t i = 0; i < chain.size(); ++i) {
            const StageOption& now = s.options()[static_cast<std::size_t>(chain[i].option)];
            const int held =
                mostHeld(s.problem(), s.cost(chain[i]), Bytes(s.capacity(now)), s.microbatches());
            for (std::size_t o = 0; o < s.options().size(); ++o) {
                const StageOption& other = s.options()[o];
                if (other.cls != now.cls || other.devices != now.devices)
                    continue;
                Chain moved = chain;
                moved[i].option = static_cast<int>(o);
                for (int more = 1; other.plain && more <= 2 && held + more <= s.microbatches(); ++more) {
                    moved[i] = holding(s, moved[i], held + more);
                    moves.push_back(moved);
                }
                if (static_cast<int>(o) == chain[i].option)
                    continue;
                moved = chain;
                moved[i].option = static_cast<int>(o);
                recompute(s, moved[i], other.plain ? std::max(1, chain[i].recomputed) : 0);
                moves.push_back(std::move(moved));
            }
            const int all = chain[i].blocks(), most = chain[i].recomputed > 0 ? chain[i].recomputed : all;
            for (const int blocks : {most - 1, most + 1})
                if (now.plain && blocks > 0 && blocks <= all) {
                    Chain moved = chain;
                    recompute(s, moved[i], blocks);
                    moves.push_back(std::move(moved));
                }
        }
        for (const Chain& moved : moves) {
            if (run.over())
                return;
            const double t = run.consider(space, moved);
            if (t < time * (1.0 - 1e-12)) {
                time = t;
                chain = moved;
                better = true;
            }
        }
    }
}

} // namespace pw

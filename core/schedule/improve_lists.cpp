// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/schedule/list_schedulers.h"

#include <algorithm>
#include <optional>

namespace pw {

namespace {

struct Worth {
    double span;  // s, the largest
    double value; // that, and a little of the spans of all stages, which a move may shorten first
};

void move(std::vector<Pass>& list, std::size_t from, std::size_t to) {
    const auto place = [&list](std::size_t i) { return list.begin() + static_cast<std::ptrdiff_t>(i); };
    if (to > from)
        std::rotate(place(from), place(from) + 1, place(to) + 1);
    else
        std::rotate(place(to), place(from), place(from) + 1);
}

// Whether a stage's passes stand in order and within its limit after one of them moved between the places.
bool allowed(const ChunkedPipeline& p, int d, const std::vector<Pass>& list, std::size_t from, std::size_t to,
             double limit) {
    const auto [first, last] = std::minmax(from, to);
    const Pass moved = list[to];
    for (std::size_t i = first; i <= last; ++i)
        if (i != to && list[i].microbatch == moved.microbatch && list[i].chunk == moved.chunk)
            return false;
    double held = 0.0;
    for (std::size_t i = 0; i <= last; ++i) {
        const std::size_t v = static_cast<std::size_t>(p.virtualStage(d, list[i].chunk));
        held += list[i].kind == OpKind::Forward    ? p.held[v]
                : list[i].kind == OpKind::Backward ? -p.released[v]
                                                   : p.released[v] - p.held[v];
        if (i >= first && held > limit * kHeldSlack)
            return false;
    }
    return true;
}

} // namespace

OpLists improvedLists(const ChunkedPipeline& pipeline, int microbatches, const std::vector<double>& limit,
                      bool overlap, OpLists lists, double target, double work,
                      const std::function<bool()>* stop) {
    constexpr double kOthers = 1e-3;
    constexpr double kLookedAt = 0.1; // of a simulation, for a move that is out of the question
    constexpr int kStuck = 20;        // moves a pass without any gain before a kick
    constexpr int kKick = 4;          // moves that are made whatever they cost
    const auto judge = [&]() -> std::optional<Worth> {
        const Result<Simulation> run =
            simulate(pipeline, microbatches, lists, {.overlap = overlap, .keepOps = false});
        if (!run)
            return {};
        double sum = 0.0;
        for (std::size_t d = 0; d < limit.size(); ++d)
            sum += run->lastEnd[d] - run->firstStart[d];
        const double span = run->largestSpan();
        return Worth{span, span + kOthers * sum / pipeline.stages};
    };
    Random random(1);
    double each = 0.0; // passes a simulation
    for (const std::vector<Pass>& list : lists.stages)
        each += static_cast<double>(list.size());
    const auto nearEnd = static_cast<std::uint64_t>(12 * pipeline.stages);
    std::optional<Worth> here = judge();
    if (!here)
        return lists;
    Worth least = *here;
    OpLists best = lists;
    double simulated = 0.0;
    int kicks = 0;
    double moves = 0.0, since = moves; // since: at the last gain or kick
    for (; simulated < work && least.span > target; moves += 1.0) {
        if (stop != nullptr && (*stop)())
            break;
        if (moves - since > kStuck * each) {
            lists = best;
            kicks = kKick;
            since = moves;
        }
        const auto d = static_cast<std::size_t>(random.below(lists.stages.size()));
        std::vector<Pass>& list = lists.stages[d];
        // Often near either end, where what is to be gained by single passes in a long run mostly is.
        const std::uint64_t drawn = random.below(3), anywhere = random.below(list.size());
        const std::uint64_t near = anywhere % std::min<std::uint64_t>(list.size(), nearEnd);
        const std::uint64_t from = drawn == 0 ? anywhere : drawn == 1 ? near : list.size() - 1 - near;
        const std::uint64_t distance = 1 + random.below(random.below(4) == 0 ? 20 : 4);
        const std::uint64_t to = random.below(2) == 0 ? from - std::min(from, distance)
                                                      : std::min(from + distance, list.size() - 1);
        move(list, from, to);
        std::optional<Worth> moved;
        const bool fits = from != to && allowed(pipeline, static_cast<int>(d), list, from, to, limit[d]);
        if (fits)
            moved = judge();
        simulated += fits ? each : kLookedAt * each;
        if (!moved || (kicks == 0 && moved->value > here->value)) {
            move(list, to, from);
            continue;
        }
        kicks -= kicks > 0 ? 1 : 0;
        if (moved->value < here->value)
            since = moves;
        here = moved;
        if (here->value < least.value) {
            least = *here;
            best = lists;
        }
    }
    return best;
}

} // namespace pw

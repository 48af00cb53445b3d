// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/harp/harp_tables.h"

#include "core/base/quantity.h"

#include <algorithm>
#include <set>

namespace pw {
namespace {

// Micro-batches in flight that fit, at most `most`.
int heldBy(const ChainSpace& space, const StageOption& option, const StageCost& cost, int most) {
    const auto fits = [&](int held) {
        return memoryTotal(space.problem(), cost, held) <= space.capacity(option);
    };
    if (fits(most))
        return most;
    int low = 0, high = most; // `low` fits or is none, `high` does not
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        (fits(middle) ? low : high) = middle;
    }
    return low;
}

void addWay(std::vector<HarpWay>& ways, const HarpWay& way) {
    for (const HarpWay& known : ways)
        if (known.time <= way.time && known.held >= way.held)
            return;
    std::erase_if(ways, [&](const HarpWay& w) { return way.time <= w.time && way.held >= w.held; });
    ways.insert(std::upper_bound(ways.begin(), ways.end(), way.time,
                                 [](double t, const HarpWay& w) { return t < w.time; }),
                way);
}

class Boundaries {
public:
    Boundaries(const ChainSpace& space, const std::vector<std::vector<int>>& submeshes)
        : m_space(space), m_submeshes(submeshes) {}

    // Infinite if there is no room for two such stages, or no link.
    double insideHost(int cls, int size) const {
        const int host = m_space.classes()[static_cast<std::size_t>(cls)].gpusPerNode;
        return between(cls, size, cls, host - size, false,
                       [](const StageOption& back) { return back.devices; });
    }
    double overNetwork(int from, int size, int to) const {
        const ChainClass& behind = m_space.classes()[static_cast<std::size_t>(to)];
        const int host = behind.gpusPerNode;
        const int back = size < host ? size : size / host * host;
        if (from != to)
            return between(from, size, to, back, false, [](const StageOption&) { return 0; });
        const int left = std::min(back, behind.gpus() - std::max(size, host));
        return between(from, size, to, left, true,
                       [&](const StageOption& option) { return (option.devices + host - 1) / host * host; });
    }

private:
    // The option of a class with the most tensor parallelism on the most devices up to `largest`.
    int representative(int cls, int largest) const {
        const auto& sizes = m_submeshes[static_cast<std::size_t>(cls)];
        int best = -1;
        for (std::size_t o = 0; o < m_space.options().size(); ++o) {
            const StageOption& option = m_space.options()[o];
            if (option.cls != cls || option.devices > largest ||
                !std::binary_search(sizes.begin(), sizes.end(), option.devices))
                continue;
            if (best >= 0) {
                const StageOption& known = m_space.options()[static_cast<std::size_t>(best)];
                if (std::pair(option.devices, option.tp) <= std::pair(known.devices, known.tp))
                    continue;
            }
            best = static_cast<int>(o);
        }
        return best;
    }
    template <class FrontPosition>
    double between(int from, int size, int to, int largestBack, bool backAtHostEnd,
                   FrontPosition frontPosition) const {
        ChainStage front, back;
        front.option = representative(from, size);
        back.option = representative(to, largestBack);
        const auto& sizes = m_submeshes[static_cast<std::size_t>(to)];
        if (back.option < 0 && !sizes.empty()) // no submesh so small: the smallest there is
            back.option = representative(to, sizes.front());
        if (front.option < 0 || back.option < 0)
            return kNever;
        const StageOption& f = m_space.options()[static_cast<std::size_t>(front.option)];
        const StageOption& b = m_space.options()[static_cast<std::size_t>(back.option)];
        const int host = m_space.classes()[static_cast<std::size_t>(to)].gpusPerNode;
        back.position = backAtHostEnd ? std::max(0, host - b.devices) : 0;
        front.position = frontPosition(b);
        if (m_space.placeOf(b, back.position) != back.position ||
            m_space.placeOf(f, front.position) != front.position)
            return kNever;
        return m_space.send(front, back).time;
    }

    const ChainSpace& m_space;
    const std::vector<std::vector<int>>& m_submeshes;
};

} // namespace

std::vector<std::vector<int>> harpSubmeshes(const ChainSpace& space) {
    constexpr int kFewNodes = 4;
    int all = 0;
    for (const ChainClass& cls : space.classes())
        all += cls.gpus();
    std::vector<std::set<int>> sizes(space.classes().size());
    for (const StageOption& option : space.options()) {
        const ChainClass& cls = space.classes()[static_cast<std::size_t>(option.cls)];
        const int nodes = option.devices / cls.gpusPerNode;
        const bool few = static_cast<int>(cls.nodes.size()) <= kFewNodes;
        const bool regular = (nodes & (nodes - 1)) == 0 || option.devices == cls.gpus();
        const bool large = 2 * space.maxStages() * option.devices >= all || option.devices == cls.gpus();
        if ((few || regular) && large)
            sizes[static_cast<std::size_t>(option.cls)].insert(option.devices);
    }
    std::vector<std::vector<int>> list;
    for (const std::set<int>& own : sizes)
        list.emplace_back(own.begin(), own.end());
    return list;
}

HarpInput harpTables(const ChainSpace& space, const StageRuns& runs,
                     const std::vector<std::vector<int>>& submeshes,
                     const std::function<bool(std::int64_t)>& spend) {
    HarpInput input;
    input.layers = runs.layers();
    input.stages = space.maxStages();
    input.microbatches = space.microbatches();
    input.runs = runs.runs();
    for (std::size_t c = 0; c < space.classes().size(); ++c)
        input.clusters.push_back({space.classes()[c].gpus(), space.classes()[c].gpusPerNode, submeshes[c]});
    input.resize();
    for (int first = 0; first < input.layers; ++first)
        for (int end = first + 1; end <= input.layers; ++end)
            input.run[input.runAt(first, end)] = runs.run(first, end);

    for (std::size_t o = 0; o < space.options().size(); ++o) {
        const StageOption& option = space.options()[o];
        const auto& sizes = submeshes[static_cast<std::size_t>(option.cls)];
        const auto at = std::lower_bound(sizes.begin(), sizes.end(), option.devices);
        if (at == sizes.end() || *at != option.devices)
            continue;
        for (int r = 0; r < input.runs; ++r) {
            const auto [first, end] = runs.example(r);
            const LayerRange layers{runs.firstFine(first), runs.lastFine(end)};
            if (option.partition && !areWholeBlocks(layers, 2 * space.blocks() + 2))
                continue;
            const StageCost cost =
                option.costs->stage(layers.first, layers.last, option.copies(), option.zero);
            const int held = heldBy(space, option, cost, space.microbatches());
            if (held > 0)
                addWay(input.ways[input.waysAt(option.cls, static_cast<std::size_t>(at - sizes.begin()), r)],
                       {cost.total(), held, static_cast<int>(o)});
        }
        if (spend(input.runs))
            return input;
    }

    const Boundaries boundaries(space, submeshes);
    const auto classes = static_cast<int>(space.classes().size());
    for (int from = 0; from < classes; ++from)
        for (std::size_t s = 0; s < submeshes[static_cast<std::size_t>(from)].size(); ++s) {
            const int size = submeshes[static_cast<std::size_t>(from)][s];
            const double inside = boundaries.insideHost(from, size);
            for (int cut = 1; cut < input.layers; ++cut)
                input.hostSend[input.hostSendAt(from, s, cut)] = inside;
            for (int to = 0; to < classes; ++to) {
                const double time = boundaries.overNetwork(from, size, to);
                for (int cut = 1; cut < input.layers; ++cut)
                    input.send[input.sendAt(from, s, to, cut)] = time;
            }
        }
    return input;
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/harp/harp_tables.h"

#include "core/base/quantity.h"
#include "core/evaluate/stage_terms.h"

#include <algorithm>

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

class Boundaries {
public:
    explicit Boundaries(const ChainSpace& space) : m_space(space) {}

    // Infinite if there is no room for two such stages, or no link.
    double insideHost(const SubCluster& in, int size) const {
        return between(in, size, in, host(in) - size, false,
                       [](const StageOption& back) { return back.devices; });
    }
    double overNetwork(const SubCluster& from, int size, const SubCluster& to) const {
        const int node = host(to);
        const int back = size < node ? size : size / node * node;
        if (&from != &to)
            return between(from, size, to, back, false, [](const StageOption&) { return 0; });
        const int left = std::min(back, to.devices - std::max(size, node));
        return between(from, size, to, left, true,
                       [&](const StageOption& option) { return (option.devices + node - 1) / node * node; });
    }
    // s: between one GPU of each, as if no tensor parallelism divided the embedding; 0 if it is not tied.
    double ends(const SubCluster& first, const SubCluster& last) const {
        const auto device = [&](const SubCluster& cluster, int place) {
            const ChainClass& cls = classOf(cluster);
            const int at = cluster.first + place;
            return std::vector<std::vector<DeviceIndex>>{{cls.nodes[static_cast<std::size_t>(
                at / cls.gpusPerNode)][static_cast<std::size_t>(at % cls.gpusPerNode)]}};
        };
        if (&first == &last && first.devices == 1)
            return 0.0;
        return tiedTime(m_space.problem(), device(first, &first == &last ? first.devices - 1 : 0),
                        device(last, 0));
    }

private:
    const ChainClass& classOf(const SubCluster& cluster) const {
        return m_space.classes()[static_cast<std::size_t>(cluster.cls)];
    }
    int host(const SubCluster& cluster) const { return classOf(cluster).gpusPerNode; }
    // The option with the most tensor parallelism on the most devices up to `largest`.
    int representative(const SubCluster& in, int largest) const {
        int best = -1;
        for (std::size_t o = 0; o < m_space.options().size(); ++o) {
            const StageOption& option = m_space.options()[o];
            if (option.cls != in.cls || option.devices > largest ||
                !std::binary_search(in.sizes.begin(), in.sizes.end(), option.devices))
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
    // `frontPosition`: in its sub-cluster, behind the stage at the back.
    template <class FrontPosition>
    double between(const SubCluster& from, int size, const SubCluster& to, int largestBack,
                   bool backAtHostEnd, FrontPosition frontPosition) const {
        if (from.cls == to.cls && from.first < to.first)
            return kNever; // those of a class are taken in their order
        ChainStage front, back;
        front.option = representative(from, size);
        back.option = representative(to, largestBack);
        if (back.option < 0 && !to.sizes.empty()) // no submesh so small: the smallest there is
            back.option = representative(to, to.sizes.front());
        if (front.option < 0 || back.option < 0)
            return kNever;
        const StageOption& f = m_space.options()[static_cast<std::size_t>(front.option)];
        const StageOption& b = m_space.options()[static_cast<std::size_t>(back.option)];
        back.position = to.first + (backAtHostEnd ? std::max(0, host(to) - b.devices) : 0);
        front.position = from.first + frontPosition(b);
        if (m_space.placeOf(b, back.position) != back.position ||
            m_space.placeOf(f, front.position) != front.position)
            return kNever;
        return m_space.send(front, back).time;
    }

    const ChainSpace& m_space;
};

} // namespace

HarpInput harpTables(const ChainSpace& space, const StageRuns& runs, const std::vector<SubCluster>& clusters,
                     const std::function<bool(std::int64_t)>& spend) {
    HarpInput input;
    input.layers = runs.layers();
    input.stages = space.maxStages();
    input.microbatches = space.microbatches();
    input.runs = runs.runs();
    for (const SubCluster& cluster : clusters)
        input.clusters.push_back({cluster.devices,
                                  space.classes()[static_cast<std::size_t>(cluster.cls)].gpusPerNode,
                                  cluster.sizes});
    input.resize();
    for (int first = 0; first < input.layers; ++first)
        for (int end = first + 1; end <= input.layers; ++end)
            input.run[input.runAt(first, end)] = runs.run(first, end);

    for (std::size_t o = 0; o < space.options().size(); ++o) {
        const StageOption& option = space.options()[o];
        std::vector<std::size_t> rows; // of the ways of the first run; alike in all clusters of the class
        for (std::size_t c = 0; c < clusters.size(); ++c) {
            const std::vector<int>& sizes = clusters[c].sizes;
            const auto at = std::lower_bound(sizes.begin(), sizes.end(), option.devices);
            if (clusters[c].cls == option.cls && at != sizes.end() && *at == option.devices)
                rows.push_back(
                    input.waysAt(static_cast<int>(c), static_cast<std::size_t>(at - sizes.begin()), 0));
        }
        if (rows.empty())
            continue;
        ChainStage stage; // where the class begins; elsewhere it sums its gradients as fast, or about
        stage.option = static_cast<int>(o);
        for (int r = 0; r < input.runs; ++r) {
            const auto [first, end] = runs.example(r);
            const LayerRange layers{runs.firstFine(first), runs.lastFine(end)};
            if (option.partition && !areWholeBlocks(layers, 2 * space.blocks() + 2))
                continue;
            const StageCost cost =
                option.costs->stage(layers.first, layers.last, option.copies(), option.zero);
            const int held = heldBy(space, option, cost, space.microbatches());
            if (held <= 0)
                continue;
            const double sync = cost.innerSync + space.sync(stage, cost).alone().value + cost.optimizer;
            for (const std::size_t row : rows)
                addHarpWay(input.ways[row + static_cast<std::size_t>(r)],
                           {cost.total(), held, static_cast<int>(o), cost.backward, sync});
        }
        if (spend(input.runs))
            return input;
    }

    const Boundaries boundaries(space);
    const auto count = static_cast<int>(clusters.size());
    for (int from = 0; from < count; ++from) {
        const SubCluster& front = clusters[static_cast<std::size_t>(from)];
        for (int to = 0; to < count; ++to)
            input.ends[input.endsAt(from, to)] =
                boundaries.ends(front, clusters[static_cast<std::size_t>(to)]);
        for (std::size_t s = 0; s < front.sizes.size(); ++s) {
            const double inside = boundaries.insideHost(front, front.sizes[s]);
            for (int cut = 1; cut < input.layers; ++cut)
                input.hostSend[input.hostSendAt(from, s, cut)] = inside;
            for (int to = 0; to < count; ++to) {
                const double time =
                    boundaries.overNetwork(front, front.sizes[s], clusters[static_cast<std::size_t>(to)]);
                for (int cut = 1; cut < input.layers; ++cut)
                    input.send[input.sendAt(from, s, to, cut)] = time;
            }
        }
    }
    return input;
}

} // namespace pw

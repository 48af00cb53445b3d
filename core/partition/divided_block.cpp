// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/partition/divided_block.h"

#include "core/cost/roofline.h"
#include "core/partition/partition.h"
#include "core/partition/redistribution.h"

#include <algorithm>

namespace pw::partition {
namespace {

// Where stages hand rows over: whole on every device, or in slices.
Sequence handedOver(int bits, bool sequenceParallel) {
    return {static_cast<std::size_t>(bits), sequenceParallel ? split(Axis::Rows) : copy()};
}

// Attention or MLP: nodes (begin, end].
struct Half {
    LayerKind kind;
    std::size_t begin, end;
};

} // namespace

Result<DividedBlock> dividedBlock(const Problem& problem, const std::vector<DeviceIndex>& devices,
                                  std::int64_t sequences, const BlockWays& ways, bool sequenceParallel) {
    Result<DeviceGroup> group = deviceGroup(problem.topology(), devices);
    if (!group)
        return group.error();
    const DeviceKind& kind = problem.topology().kindOf(devices.front());
    const Result<BlockGraph> made = blockGraph(problem, kind, sequences);
    if (!made)
        return made.error();
    const BlockGraph& graph = *made;
    const int bits = group->bits;
    if (const std::vector<WayFault> faults = faultsOf(graph, bits, ways); !faults.empty())
        return infeasible("partition.ways", faults.front().name, faults.front().wording);
    const GroupPrices prices(problem, *std::move(group));
    const WayPrices wayPrices(problem, graph, prices);
    const DeviceTime device(problem.constants().compute(), kind, problem.precision(),
                            problem.topology().devices()[static_cast<std::size_t>(devices.front())].speed,
                            problem.recipe().software);
    const auto wayOf = [&](std::size_t node) -> const Sequence& {
        return node == 0 ? ways.back().way : ways[node - 1].way;
    };

    DividedBlock block;
    double spare = 0.0;
    const std::size_t last = graph.nodes.size() - 1;
    // The residual in the middle is where the edge past the attention ends.
    const std::size_t middle =
        std::ranges::find_if(graph.edges, [](const BlockEdge& e) { return e.from == 0 && e.to > 1; })->to;
    for (const Half& half : {Half{LayerKind::Attention, 0, middle}, Half{LayerKind::Mlp, middle, last}}) {
        double forward = 0.0, backward = 0.0, weightGrad = 0.0;
        RankShape whole = wholeShape(problem, kind);
        whole.sequences = static_cast<double>(sequences);
        int calls = layerOperators(problem.model(), half.kind, 0, whole).hostOperators;
        for (std::size_t n = half.begin + 1; n <= half.end; ++n) {
            const WayPrice price = wayPrices(graph.nodes[n], wayOf(n));
            forward += price.forward;
            backward += price.backward + price.weightGrad;
            weightGrad += price.weightGrad;
            block.comm += price.collective - price.sync + price.ring;
            block.sync += price.sync;
            block.kept += price.kept;
            spare = std::max(spare, price.spare);
            block.weights += graph.nodes[n].weights /
                             (slicesAlong(wayOf(n), Axis::Inner) * slicesAlong(wayOf(n), Axis::Columns));
            if (const auto place = gridOf(wayOf(n)))
                calls += 3 * (place->side() - 1);
        }
        for (const BlockEdge& edge : graph.edges)
            if (edge.to > half.begin && edge.to <= half.end) {
                const Redistribution moved = redistribution(prices, edge, wayOf(edge.from), wayOf(edge.to));
                forward += moved.forward;
                backward += moved.backward;
                block.comm += moved.both();
                double bytes = 0.0;
                for (const EdgeTensor& tensor : edge.tensors)
                    bytes += bytesOn({tensor.bytes, tensor.to}, wayOf(edge.to));
                block.transient = std::max(block.transient, 2.0 * bytes); // and their gradients
            }
        const double host = calls * device.hostCall();
        block.forward += std::max(forward, host);
        block.backward += std::max(backward, 2.0 * host);
        block.weightGrad += std::min(weightGrad, 0.5 * backward);
    }
    block.transient += spare;

    const BlockEdge& residual = *std::ranges::find(graph.edges, std::size_t{0}, &BlockEdge::from);
    const EdgeTensor& rows = residual.tensors.front();
    block.keptInput = bytesOn({rows.bytes, rows.from}, wayOf(0));
    const BlockEdge crossing{0, 0, {{rows.bytes, rows.from, rows.from}}};
    const Sequence outside = handedOver(bits, sequenceParallel);
    const Redistribution in = redistribution(prices, crossing, outside, wayOf(0));
    const Redistribution out = redistribution(prices, crossing, wayOf(last), outside);
    block.endsForward = in.forward + out.forward;
    block.endsBackward = in.backward + out.backward;
    return block;
}

std::vector<BlockWays> steadyWays(const Problem& problem, const std::vector<DeviceIndex>& devices,
                                  std::int64_t sequences, std::int64_t microbatches, bool sequenceParallel) {
    SpaceOptions options;
    options.sequences = sequences;
    const auto made = PartitionSpace::make(problem, devices, options, 1);
    if (!made)
        return {};
    const PartitionSpace& space = **made;
    const Sequence outside = handedOver(space.group().bits, sequenceParallel);
    std::vector<std::size_t> asOutside;
    for (std::size_t way = 0; way < space.ways(0).size(); ++way)
        if (space.ways(0)[way] == outside)
            asOutside.push_back(way);
    std::vector<BlockWays> list;
    for (const double memoryWeight : {0.0, 1.0})
        for (const std::vector<std::size_t>& ends : {std::vector<std::size_t>{}, asOutside}) {
            BlockWays ways = space.steady(microbatches, memoryWeight, ends);
            if (std::ranges::find(list, ways) == list.end())
                list.push_back(std::move(ways));
        }
    return list;
}

} // namespace pw::partition

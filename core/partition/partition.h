// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/partition/block_ways.h"
#include "core/partition/prices.h"
#include "core/partition/stack_search.h"

#include <memory>

namespace pw::partition {

struct SpaceOptions {
    std::int64_t sequences = 1; // worked on at once: a micro-batch, or the whole batch
    int grids = 1;              // most spatial-temporal primitives in a way, 0 or 1: 0 leaves splits alone
};

// One operator in an answer.
struct OperatorWay {
    std::string name;
    Sequence way;
    WayPrice price;
};

// What a stack of equal blocks costs, divided one way: predicted, for one pass over `sequences`.
struct StackFigures {
    double seconds = 0.0;                                   // of everything below
    double forward = 0.0, backward = 0.0, weightGrad = 0.0; // of the operators, without redistribution
    double sync = 0.0;                                      // of weight gradients
    double redistribution = 0.0;                            // between operators
    double collective = 0.0;                                // of all that: all-reduces that nothing hides
    double ring = 0.0;                            // of all that: transfers of grids that outlast their step
    double states = 0.0, kept = 0.0, spare = 0.0; // bytes on a device
    double memory() const { return states + kept + spare; }
};

struct Partition {
    int blocks = 0;
    StackFigures figures;
    OperatorWay first; // the residual before the stack
    // Blocks that follow one another with the same ways are listed once.
    struct Run {
        int count = 0;
        std::vector<OperatorWay> operators;
    };
    std::vector<Run> runs;
};

// All ways to divide the blocks of a problem's model over a group of devices, priced. Made once, then asked.
class PartitionSpace {
public:
    // Refuses devices (deviceGroup) and models (blockGraph) that it is not for. `threads` (0 = all cores) say
    // how long it takes, here and in best(), and nothing else.
    static Result<std::unique_ptr<PartitionSpace>> make(const Problem& problem,
                                                        std::vector<DeviceIndex> devices,
                                                        const SpaceOptions& options, int threads = 0);

    // The cheapest partition of so many blocks. `memoryPrice` in s per byte of a device's memory is the
    // published alpha, whose value is not.
    Partition best(int blocks, double memoryPrice = 0.0) const;
    // The cheapest that was found to fit into `bytes` a device, raising the price until one does
    // (reconstruction; a cheaper one that fits may exist between two prices). The cheapest of all, which then
    // needs more, if none does.
    Partition bestWithin(int blocks, double bytes) const;

    // The cheapest block that any number of its like can follow (bestCycle), where so many passes share one
    // sum of weight gradients; begins and ends with one of `ends`, ways of the first node (empty = any).
    // `memoryWeight` 1: all memory that the fastest such block takes counts as much as all its time.
    BlockWays steady(std::int64_t passes, double memoryWeight, std::span<const std::size_t> ends) const;

    // Megatron's tensor parallelism over the inner bits, data parallelism over the outer ones: {B.., K..} and
    // {B.., N..} for the linear operators, heads for attention; norms and residuals copied, or with sequence
    // parallelism divided along the rows, where a reduce-scatter and an all-gather take the all-reduce's
    // place and time. `tp` a power of two; refuses one that the model or the batch cannot be divided by.
    Result<Partition> tensorParallel(int tp, bool sequenceParallel, int blocks) const;

    const BlockGraph& graph() const { return m_graph; }
    const DeviceGroup& group() const { return m_prices.group(); }
    const StackCosts& costs() const { return m_costs; }
    std::span<const Sequence> ways(std::size_t node) const { return m_ways[node]; }
    std::size_t wayCount() const; // of all nodes

private:
    PartitionSpace(const Problem& problem, BlockGraph graph, DeviceGroup group, const SpaceOptions& options,
                   int threads);
    struct NodeLayouts {
        std::vector<Slices> slices;  // of every way
        std::vector<Layout> outputs; // by out class
    };
    NodeLayouts layoutsOf(std::size_t node);
    void priceEdge(std::size_t which, const std::vector<NodeLayouts>& layouts);
    Partition judged(const StackChoice& choice, bool withRedistribution) const;

    BlockGraph m_graph;
    GroupPrices m_prices;
    WayPrices m_wayPrices;
    int m_threads;
    std::vector<std::vector<Sequence>> m_ways; // by node
    std::vector<std::vector<WayPrice>> m_priced;
    StackCosts m_costs;
};

} // namespace pw::partition

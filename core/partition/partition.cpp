// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/partition/partition.h"

#include "core/base/parallel.h"
#include "core/partition/redistribution.h"

#include <algorithm>
#include <bit>

namespace pw::partition {
namespace {

// Numbers equal values in the order of their first appearance.
template <class Value>
class Classes {
public:
    std::size_t add(Value value) {
        const auto [entry, fresh] = m_known.try_emplace(std::move(value), m_known.size());
        if (fresh)
            m_list.push_back(&entry->first);
        return entry->second;
    }
    std::size_t size() const { return m_list.size(); }
    const Value& operator[](std::size_t i) const { return *m_list[i]; }
    std::vector<Value> list() const {
        std::vector<Value> values;
        for (const Value* value : m_list)
            values.push_back(*value);
        return values;
    }

private:
    std::map<Value, std::size_t> m_known;
    std::vector<const Value*> m_list;
};

} // namespace

Result<std::unique_ptr<PartitionSpace>> PartitionSpace::make(const Problem& problem,
                                                             std::vector<DeviceIndex> devices,
                                                             const SpaceOptions& options, int threads) {
    Result<DeviceGroup> group = deviceGroup(problem.topology(), std::move(devices));
    if (!group)
        return group.error();
    Result<BlockGraph> graph =
        blockGraph(problem, problem.topology().kindOf(group->devices.front()), options.sequences);
    if (!graph)
        return graph.error();
    return std::unique_ptr<PartitionSpace>(
        new PartitionSpace(problem, *std::move(graph), *std::move(group), options, threads));
}

PartitionSpace::PartitionSpace(const Problem& problem, BlockGraph graph, DeviceGroup group,
                               const SpaceOptions& options, int threads)
    : m_graph(std::move(graph)), m_prices(problem, std::move(group)), m_wayPrices(problem, m_graph, m_prices),
      m_threads(threads) {
    const std::size_t nodes = m_graph.nodes.size(), edges = m_graph.edges.size();
    m_ways.resize(nodes);
    m_priced.resize(nodes);
    m_costs.cuts = m_graph.cuts;
    m_costs.nodes.resize(nodes);
    m_costs.edges.resize(edges);
    std::vector<NodeLayouts> layouts(nodes);
    inParallel(nodes, threads, [&](std::size_t n) {
        m_ways[n] = waysOf(m_graph.nodes[n], m_prices.group().bits, options.grids);
        layouts[n] = layoutsOf(n);
    });
    // The prices of ways share a memory of communication times; edges need none.
    inParallel(edges + 1, threads, [&](std::size_t task) {
        if (task < edges)
            priceEdge(task, layouts);
        else
            for (std::size_t n = 0; n < nodes; ++n)
                for (const Sequence& way : m_ways[n]) {
                    m_priced[n].push_back(m_wayPrices(m_graph.nodes[n], way));
                    m_costs.nodes[n].cost.push_back(m_priced[n].back().time());
                }
    });
}

PartitionSpace::NodeLayouts PartitionSpace::layoutsOf(std::size_t node) {
    NodeLayouts layouts;
    for (const Sequence& way : m_ways[node])
        layouts.slices.emplace_back(way);
    // All edges from a node hand on the same tensor. The last node's goes where the first one's does.
    const std::size_t alike = node + 1 == m_graph.nodes.size() ? 0 : node;
    const auto edge = std::ranges::find(m_graph.edges, alike, &BlockEdge::from);
    Classes<Layout> outputs;
    StackNode& own = m_costs.nodes[node];
    for (const Slices& way : layouts.slices)
        own.out.push_back(outputs.add(outputOf(way, *edge)));
    own.outClasses = outputs.size();
    layouts.outputs = outputs.list();
    return layouts;
}

void PartitionSpace::priceEdge(std::size_t which, const std::vector<NodeLayouts>& layouts) {
    const BlockEdge& edge = m_graph.edges[which];
    StackEdge& own = m_costs.edges[which];
    own.from = edge.from;
    own.to = edge.to;
    Classes<Wanted> inputs;
    for (const Slices& way : layouts[edge.to].slices)
        own.in.push_back(inputs.add(wantedBy(way, edge)));
    const std::vector<Layout>& outputs = layouts[edge.from].outputs;

    // For every tensor the layouts of both directions; without a grid they are the same.
    const std::size_t tensors = edge.tensors.size();
    std::vector<LayoutPairs> pairs;
    std::vector<std::vector<std::size_t>> forward(tensors), backward(tensors); // by class: its layouts
    std::vector<std::vector<Common>> common(tensors);
    for (std::size_t t = 0; t < tensors; ++t) {
        Classes<Layout> wanted;
        for (std::size_t c = 0; c < inputs.size(); ++c) {
            forward[t].push_back(wanted.add(inputs[c].forward[t]));
            backward[t].push_back(wanted.add(inputs[c].backward[t]));
        }
        pairs.emplace_back(outputs, wanted.list(), m_prices.group().nodeBits);
        common[t].resize(wanted.size());
    }
    own.cost = Matrix(outputs.size(), inputs.size(), 0.0);
    for (std::size_t o = 0; o < outputs.size(); ++o) {
        for (std::size_t t = 0; t < tensors; ++t)
            pairs[t].common(o, common[t]);
        for (std::size_t c = 0; c < inputs.size(); ++c) {
            Missing there, back;
            for (std::size_t t = 0; t < tensors; ++t) {
                const std::size_t f = forward[t][c], b = backward[t][c];
                there.add(pairs[t].toRight(common[t][f], o, f), edge.tensors[t].bytes);
                back.add(pairs[t].toLeft(common[t][b], o, b), edge.tensors[t].bytes);
            }
            own.cost.row(o)[c] = m_prices.redistribution(there) + m_prices.redistribution(back);
        }
    }
}

std::size_t PartitionSpace::wayCount() const {
    std::size_t count = 0;
    for (const auto& ways : m_ways)
        count += ways.size();
    return count;
}

Partition PartitionSpace::best(int blocks, double memoryPrice) const {
    if (memoryPrice <= 0.0)
        return judged(bestStack(m_costs, blocks, m_threads), true);
    StackCosts costs = m_costs;
    for (std::size_t n = 0; n < costs.nodes.size(); ++n)
        for (std::size_t way = 0; way < m_priced[n].size(); ++way)
            costs.nodes[n].cost[way] += memoryPrice * m_priced[n][way].memory();
    return judged(bestStack(costs, blocks, m_threads), true);
}

Partition PartitionSpace::bestWithin(int blocks, double bytes) const {
    Partition fastest = best(blocks);
    if (fastest.figures.memory() <= bytes)
        return fastest;
    // From a price at which memory hardly counts to one at which it is all that counts, then between.
    constexpr double kLeast = 1e-2, kMost = 1e4, kStep = 10.0;
    constexpr int kHalvings = 4;
    const double unit = fastest.figures.seconds / fastest.figures.memory();
    double below = 0.0;
    for (double price = kLeast; price <= kMost; below = price, price *= kStep) {
        Partition found = best(blocks, price * unit);
        if (found.figures.memory() > bytes)
            continue;
        double above = price;
        for (int i = 0; i < kHalvings; ++i) {
            const double middle = 0.5 * (below + above);
            Partition other = best(blocks, middle * unit);
            const bool fits = other.figures.memory() <= bytes;
            (fits ? above : below) = middle;
            if (fits && other.figures.seconds < found.figures.seconds)
                found = std::move(other);
        }
        return found;
    }
    return fastest;
}

BlockWays PartitionSpace::steady(std::int64_t passes, double memoryWeight,
                                 std::span<const std::size_t> ends) const {
    StackCosts costs = m_costs;
    const double once = 1.0 - 1.0 / static_cast<double>(passes);
    for (std::size_t n = 0; n < costs.nodes.size(); ++n)
        for (std::size_t way = 0; way < m_priced[n].size(); ++way)
            costs.nodes[n].cost[way] -= once * m_priced[n][way].sync;
    StackChoice choice = bestCycle(costs, ends, m_threads);
    if (memoryWeight > 0.0) {
        double memory = 0.0;
        for (std::size_t n = 1; n < costs.nodes.size(); ++n)
            memory += m_priced[n][choice.blocks[0][n - 1]].memory();
        const double price = memoryWeight * choice.cost / memory;
        for (std::size_t n = 0; n < costs.nodes.size(); ++n)
            for (std::size_t way = 0; way < m_priced[n].size(); ++way)
                costs.nodes[n].cost[way] += price * m_priced[n][way].memory();
        choice = bestCycle(costs, ends, m_threads);
    }
    const std::vector<std::string> names = operatorNames(m_graph);
    BlockWays ways;
    for (std::size_t n = 1; n < m_ways.size(); ++n)
        ways.push_back({names[n - 1], m_ways[n][choice.blocks[0][n - 1]]});
    return ways;
}

Partition PartitionSpace::judged(const StackChoice& choice, bool withRedistribution) const {
    Partition answer;
    answer.blocks = static_cast<int>(choice.blocks.size());
    StackFigures& sum = answer.figures;
    const auto take = [&](std::size_t node, std::size_t way) {
        const OperatorWay own{m_graph.nodes[node].name, m_ways[node][way], m_priced[node][way]};
        sum.forward += own.price.forward;
        sum.backward += own.price.backward;
        sum.weightGrad += own.price.weightGrad;
        sum.sync += own.price.sync;
        sum.collective += own.price.collective;
        sum.ring += own.price.ring;
        sum.states += own.price.states;
        sum.kept += own.price.kept;
        sum.spare = std::max(sum.spare, own.price.spare);
        return own;
    };
    answer.first = take(0, choice.first);
    std::size_t start = choice.first;
    const std::vector<std::size_t>* before = nullptr;
    for (const std::vector<std::size_t>& ways : choice.blocks) {
        const bool repeats = before && *before == ways;
        if (!repeats)
            answer.runs.emplace_back();
        Partition::Run& run = answer.runs.back();
        ++run.count;
        for (std::size_t node = 1; node < m_graph.nodes.size(); ++node) {
            OperatorWay own = take(node, ways[node - 1]);
            if (!repeats)
                run.operators.push_back(std::move(own));
        }
        for (const BlockEdge& edge : m_graph.edges) {
            if (!withRedistribution)
                break;
            const std::size_t from = edge.from == 0 ? start : ways[edge.from - 1];
            sum.redistribution +=
                redistribution(m_prices, edge, m_ways[edge.from][from], m_ways[edge.to][ways[edge.to - 1]])
                    .both();
        }
        start = ways.back();
        before = &ways;
    }
    sum.seconds = sum.forward + sum.backward + sum.weightGrad + sum.sync + sum.redistribution;
    return answer;
}

Result<Partition> PartitionSpace::tensorParallel(int tp, bool sequenceParallel, int blocks) const {
    const int bits = m_prices.group().bits;
    const int inner = std::countr_zero(static_cast<unsigned>(tp));
    if (!std::has_single_bit(static_cast<unsigned>(tp)) || inner > bits)
        return badInput("partition.tp", "tp",
                        {"{tp} does not divide {devices} devices", {{"tp", tp}, {"devices", 1 << bits}}});
    // What every node does with the tensor-parallel bits; the others split the batch.
    std::vector<std::size_t> ways;
    bool opened = false; // a linear operator cut along its columns waits for one cut along its inner axis
    for (std::size_t n = 0; n < m_graph.nodes.size(); ++n) {
        const BlockNode& node = m_graph.nodes[n];
        Step step = copy();
        if (node.linear) {
            step = split(opened ? Axis::Inner : Axis::Columns);
            opened = !opened;
        } else if (!node.copies) {
            step = split(std::ranges::find(node.axes, Axis::Heads) != node.axes.end() ? Axis::Heads
                                                                                      : Axis::Columns);
        } else if (sequenceParallel) {
            step = split(Axis::Rows);
        }
        Sequence way(static_cast<std::size_t>(bits - inner), split(Axis::Batch));
        way.insert(way.end(), static_cast<std::size_t>(inner), step);
        const auto at = std::ranges::find(m_ways[n], way);
        if (at == m_ways[n].end())
            return infeasible("partition.tp", node.name,
                              {"cannot be divided as {text}: an axis is too short", {{"text", text(way)}}});
        ways.push_back(static_cast<std::size_t>(at - m_ways[n].begin()));
    }
    StackChoice choice;
    choice.first = ways.front();
    choice.blocks.assign(static_cast<std::size_t>(blocks), {ways.begin() + 1, ways.end()});
    return judged(choice, !sequenceParallel);
}

} // namespace pw::partition

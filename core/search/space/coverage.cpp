// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/space/coverage.h"

#include "core/search/space/uniform_grid.h"
#include "core/whatif/arrange.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace pw {

namespace {

// Finds the nodes of a class by their GPUs. Nodes of a rack are in the order of their devices; most of what
// is asked for one after the other stays in one.
class NodeFinder {
public:
    explicit NodeFinder(const ChainClass& cls) : m_class(cls) {}

    // Index of the node; that of no node if the GPU is none of the class.
    std::size_t operator()(DeviceIndex device) {
        const auto& nodes = m_class.nodes;
        for (std::size_t tried = 0; tried < m_class.racks.size(); ++tried) {
            const auto begin = nodes.begin() + m_begin;
            const auto end = begin + m_class.racks[m_rack];
            const auto behind = std::upper_bound(
                begin, end, device, [](DeviceIndex d, const auto& gpus) { return d < gpus.front(); });
            if (behind != begin &&
                std::find((behind - 1)->begin(), (behind - 1)->end(), device) != (behind - 1)->end())
                return static_cast<std::size_t>(behind - 1 - nodes.begin());
            m_begin += m_class.racks[m_rack];
            if (++m_rack == m_class.racks.size())
                m_begin = static_cast<std::ptrdiff_t>(m_rack = 0);
        }
        return nodes.size();
    }

private:
    const ChainClass& m_class;
    std::size_t m_rack = 0;
    std::ptrdiff_t m_begin = 0; // the first node of that rack
};

// The nodes that these GPUs fill one after the other, the last one in part if it is the only one; none if
// they are not in the order in which an option of the class takes them.
std::vector<std::size_t> nodesOf(const ChainClass& cls, const std::vector<DeviceIndex>& devices) {
    NodeFinder find(cls);
    std::vector<std::size_t> nodes;
    for (std::size_t at = 0; at < devices.size();) {
        const std::size_t n = find(devices[at]);
        if (n == cls.nodes.size())
            return {};
        const std::vector<DeviceIndex>& node = cls.nodes[n];
        const auto first = std::find(node.begin(), node.end(), devices[at]);
        const std::size_t run = std::min(devices.size() - at, static_cast<std::size_t>(node.end() - first));
        if (!std::equal(first, first + static_cast<std::ptrdiff_t>(run),
                        devices.begin() + static_cast<std::ptrdiff_t>(at)) ||
            (run < static_cast<std::size_t>(cls.gpusPerNode) && run < devices.size()))
            return {};
        nodes.push_back(n);
        at += run;
    }
    return nodes;
}

} // namespace

int classOf(const std::vector<ChainClass>& classes, const std::vector<DeviceIndex>& devices) {
    const auto found = std::find_if(classes.begin(), classes.end(),
                                    [&](const ChainClass& cls) { return !nodesOf(cls, devices).empty(); });
    return found == classes.end() ? -1 : static_cast<int>(found - classes.begin());
}

namespace {

// The index of a stage's option; its layers aside.
std::optional<std::size_t> optionOf(const ChainSpace& space, const Stage& stage, int cls) {
    for (std::size_t o = 0; o < space.options().size(); ++o) {
        const StageOption& option = space.options()[o];
        if (option.cls == cls && option.tp == stage.tp && option.dp == stage.dp() &&
            option.zero == stage.zero && option.sequenceParallel == stage.sequenceParallel &&
            option.recompute == stage.recompute && (stage.recomputeLayers == 0 || option.plain) &&
            (option.partition ? *option.partition == stage.partition : stage.partition.empty()))
            return o;
    }
    return std::nullopt;
}

} // namespace

bool isOption(const ChainSpace& space, const Stage& stage) {
    if (Sharing{stage.cp, stage.ep} != space.sharing() ||
        std::any_of(stage.replicas.begin(), stage.replicas.end(), [&](const Replica& replica) {
            return std::abs(replica.share * stage.dp() - 1.0) > 1e-9;
        }))
        return false;
    return optionOf(space, stage, classOf(space.classes(), whatif::devicesOf(stage))).has_value();
}

namespace {

bool holdsEnough(const Pipeline& pipeline) {
    if (!usesLaunchCounts(pipeline.schedule.kind))
        return false;
    const std::vector<int>& launch = pipeline.schedule.launch;
    const auto stages = static_cast<std::int64_t>(pipeline.stages.size());
    for (std::size_t i = 0; i < launch.size(); ++i)
        if (launch[i] < std::min(pipeline.microbatches, stages - static_cast<std::int64_t>(i)))
            return false;
    return true;
}

// Whether the stages take the GPUs of their classes as bounds count them, from the last stage on: no class is
// left and entered again, and a stage starts in the node of the one behind it wherever it fits there, else on
// nodes that no other stage is on (ChainSpace::placeOf). A plan that puts small stages together on one node,
// around a large one, has room where the bounds have none.
bool fillsInOrder(const ChainSpace& space, const Pipeline& pipeline) {
    std::vector<int> used(space.classes().size(), 0);
    std::set<std::pair<int, std::size_t>> taken; // class and node
    int last = -1;
    std::size_t lastNode = 0;
    for (auto stage = pipeline.stages.rbegin(); stage != pipeline.stages.rend(); ++stage) {
        const std::vector<DeviceIndex> devices = whatif::devicesOf(*stage);
        const int cls = classOf(space.classes(), devices);
        const std::optional<std::size_t> option = optionOf(space, *stage, cls);
        if (!option)
            return false;
        int& before = used[static_cast<std::size_t>(cls)];
        const ChainClass& of = space.classes()[static_cast<std::size_t>(cls)];
        const int position = space.placeOf(space.options()[*option], before);
        if ((before > 0 && cls != last) || position < 0)
            return false;
        const std::vector<std::size_t> nodes = nodesOf(of, devices);
        if (position % of.gpusPerNode != 0) {
            if (nodes.size() != 1 || nodes.front() != lastNode)
                return false;
        } else {
            for (const std::size_t node : nodes)
                if (!taken.emplace(cls, node).second)
                    return false;
        }
        lastNode = nodes.back();
        last = cls;
        before = position + space.options()[*option].devices;
    }
    return true;
}

} // namespace

bool coveredByBound(const ChainSpace& space, const Plan& plan, ChainOrder order) {
    if (plan.pipelines.size() != 1)
        return false;
    const Pipeline& pipeline = plan.pipelines.front();
    const int fineLayers = 2 * space.blocks() + 2;
    return pipeline.count == 1 && pipeline.microbatchSize == space.microbatchSize() &&
           static_cast<int>(pipeline.stages.size()) <= space.maxStages() && holdsEnough(pipeline) &&
           std::all_of(pipeline.stages.begin(), pipeline.stages.end(),
                       [&](const Stage& stage) {
                           return stage.chunks.size() == 1 &&
                                  areWholeBlocks(stage.chunks.front(), fineLayers) && isOption(space, stage);
                       }) &&
           (order == ChainOrder::Any || fillsInOrder(space, pipeline));
}

bool isChain(const Problem& problem, const Plan& plan, ChainOrder order) {
    if (plan.pipelines.size() != 1)
        return false;
    const std::int64_t size = plan.pipelines.front().microbatchSize;
    const std::vector<std::int64_t> sizes = ChainSpace::microbatchSizes(problem);
    if (std::find(sizes.begin(), sizes.end(), size) == sizes.end())
        return false;
    const CostTable table(problem);
    const Stage& first = plan.pipelines.front().stages.front();
    const Sharing sharing{first.cp, first.ep};
    const std::vector<Sharing> allowed = sharings(problem);
    return std::find(allowed.begin(), allowed.end(), sharing) != allowed.end() &&
           coveredByBound(ChainSpace(problem, table, size, sharing), plan, order);
}

bool coveredByBound(const Problem& problem, const Plan& plan, ChainOrder order) {
    return (order == ChainOrder::Filled && isUniformGrid(problem, plan)) || isChain(problem, plan, order);
}

} // namespace pw

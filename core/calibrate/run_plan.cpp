// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/run_plan.h"

#include "core/calibrate/gpu_text.h"
#include "core/calibrate/unsupported.h"

#include <algorithm>

namespace pw {

namespace {

// Fine layers of the run of blocks [from, to) that is number `index` of `parts`.
LayerRange layersOf(int from, int to, int index, int parts, int blocks) {
    return {index == 0 ? 0 : 2 * from + 1, index == parts - 1 ? 2 * blocks + 1 : 2 * to};
}

// Devices of a kind that no stage has yet, in the order of the cluster.
class FreeDevices {
public:
    explicit FreeDevices(const Topology& topology)
        : m_topology(topology), m_used(topology.devices().size(), false) {}

    // Empty if there are not so many.
    std::vector<DeviceIndex> take(const std::string& kind, int count) {
        std::vector<DeviceIndex> found;
        for (std::size_t d = 0; d < m_used.size() && static_cast<int>(found.size()) < count; ++d)
            if (!m_used[d] && m_topology.kindOf(static_cast<DeviceIndex>(d)).name == kind)
                found.push_back(static_cast<DeviceIndex>(d));
        if (static_cast<int>(found.size()) < count)
            return {};
        for (const DeviceIndex d : found)
            m_used[static_cast<std::size_t>(d)] = true;
        return found;
    }

private:
    const Topology& m_topology;
    std::vector<bool> m_used;
};

Error misplaced(Wording wording) {
    return unsupported("notes", std::move(wording));
}

Result<std::vector<Replica>> notedReplicas(FreeDevices& free, const std::vector<StageNotes::Group>& groups,
                                           const RunSizes& sizes) {
    std::vector<Replica> replicas;
    for (const StageNotes::Group& group : groups) {
        const Result<GpuText> gpu = parseGpus(group.kind, {}, Catalogue::builtin());
        if (!gpu)
            return gpu.error();
        const std::vector<DeviceIndex> devices = free.take(gpu->parts.front().kind.name, group.count);
        const int each = sizes.tp * sizes.cp;
        if ((group.tp > 0 && group.tp != sizes.tp) || group.count % each != 0)
            return misplaced(
                {"a stage on {count} x {kind} does not fit tp {tp} and cp {cp}",
                 {{"count", group.count}, {"kind", group.kind}, {"tp", sizes.tp}, {"cp", sizes.cp}}});
        if (devices.empty())
            return misplaced({"the stages take more of {kind} than the run has", {{"kind", group.kind}}});
        for (int at = 0; at < group.count; at += each)
            replicas.push_back({{devices.begin() + at, devices.begin() + at + each}, 0.0});
    }
    return replicas;
}

std::vector<Replica> rankedReplicas(int stage, const RunSizes& sizes) {
    std::vector<Replica> replicas;
    const int each = sizes.tp * sizes.cp;
    for (int d = 0; d < sizes.dp; ++d) {
        Replica replica;
        for (int r = 0; r < each; ++r)
            replica.devices.push_back((stage * sizes.dp + d) * each + r);
        replicas.push_back(std::move(replica));
    }
    return replicas;
}

} // namespace

std::vector<int> splitBlocks(int blocks, int parts) {
    const bool outer = blocks % parts != 0 && (blocks + 2) % parts == 0 && parts > 1;
    const int all = outer ? blocks + 2 : blocks;
    std::vector<int> counts;
    for (int i = 0; i < parts; ++i)
        counts.push_back(all / parts + (i < all % parts ? 1 : 0));
    if (outer) {
        --counts.front();
        --counts.back();
    }
    return counts;
}

namespace {

// The same with a block for every stage but the last one, which may hold the head alone: one that has none
// takes it from the last stage before it that has two, the first stage at the very end. Empty where there are
// too few.
std::vector<int> filledFromTheFront(std::vector<int> counts) {
    for (std::size_t s = counts.size() - 1; s-- > 1;) {
        if (counts[s] > 0)
            continue;
        std::size_t from = s;
        while (from > 0 && counts[from - 1] < 2)
            --from;
        if (from == 0)
            return {};
        --counts[from - 1];
        ++counts[s];
    }
    return counts;
}

} // namespace

std::vector<int> splitByCost(const Model& model, int stages) {
    const AttentionForm attention = attentionForm(model, 0);
    const auto h = static_cast<double>(model.hidden);
    const double block = 4.0 * static_cast<double>(attention.heads * attention.headDim) * h +
                         3.0 * static_cast<double>(model.ffn) * h;
    const double all =
        block * static_cast<double>(model.blocks) + static_cast<double>(model.vocab) * h; // and the head
    std::vector<int> counts(static_cast<std::size_t>(stages));
    std::size_t stage = 0;
    for (int b = 0; b < model.blocks && stage < counts.size(); ++b) {
        ++counts[stage];
        if (block * (b + 1) > all * static_cast<double>(stage + 1) / stages)
            ++stage;
    }
    return filledFromTheFront(std::move(counts));
}

Result<Plan> runPlan(const Problem& problem, const RunSizes& sizes, const StageShape& shape,
                     const StageNotes& notes) {
    const int blocks = static_cast<int>(problem.model().blocks);
    const int parts = sizes.pp * sizes.vpp;
    const bool noted = static_cast<int>(notes.blocks.size()) == parts;
    if (parts > blocks + 2)
        return unsupported("pp", {"{pp} stages of {vpp} chunks for {blocks} layers",
                                  {{"pp", sizes.pp}, {"vpp", sizes.vpp}, {"blocks", blocks}}});
    std::vector<int> counts = noted ? notes.blocks : splitBlocks(blocks, parts);
    if (shape.byCost && !noted && sizes.vpp == 1)
        if (std::vector<int> byCost = splitByCost(problem.model(), sizes.pp); !byCost.empty())
            counts = std::move(byCost);

    Pipeline pipeline;
    pipeline.microbatches = sizes.microbatches;
    pipeline.microbatchSize = sizes.mbs * sizes.dp;
    pipeline.schedule.kind = shape.schedule;
    pipeline.schedule.chunks = sizes.vpp;
    pipeline.stages.resize(static_cast<std::size_t>(sizes.pp));

    int from = 0;
    for (int i = 0; i < parts; ++i) {
        const int count = counts[static_cast<std::size_t>(i)];
        const int lap = i / sizes.pp, place = i % sizes.pp;
        const int stage = shape.zigzag && lap % 2 == 1 ? sizes.pp - 1 - place : place;
        if (count < 1 && i > 0 && i + 1 < parts)
            return unsupported("pp",
                               {"part {i} of {parts} would hold no layer", {{"i", i}, {"parts", parts}}});
        pipeline.stages[static_cast<std::size_t>(stage)].chunks.push_back(
            layersOf(from, from + count, i, parts, blocks));
        from += count;
    }

    FreeDevices free(problem.topology());
    const bool placed = static_cast<int>(notes.stages.size()) == sizes.pp;
    for (int s = 0; s < sizes.pp; ++s) {
        Stage& stage = pipeline.stages[static_cast<std::size_t>(s)];
        stage.tp = sizes.tp;
        stage.cp = sizes.cp;
        stage.ep = sizes.ep;
        stage.sequenceParallel = shape.sequenceParallel;
        stage.zero = shape.zero;
        stage.recompute = shape.recompute.mode;
        stage.recomputeLayers = shape.recompute.layers;
        if (placed) {
            Result<std::vector<Replica>> replicas =
                notedReplicas(free, notes.stages[static_cast<std::size_t>(s)], sizes);
            if (!replicas)
                return replicas.error();
            stage.replicas = *std::move(replicas);
        } else {
            stage.replicas = rankedReplicas(s, sizes);
        }
        if (static_cast<int>(stage.replicas.size()) != sizes.dp)
            return misplaced({"stage {stage} has {replicas} replicas, dp is {dp}",
                              {{"stage", s}, {"replicas", stage.replicas.size()}, {"dp", sizes.dp}}});
        for (Replica& replica : stage.replicas)
            replica.share = 1.0 / sizes.dp;
    }
    return Plan{{std::move(pipeline)}};
}

} // namespace pw

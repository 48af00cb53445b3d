// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/features.h"

#include "core/cost/roofline.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

namespace pw {

namespace {

constexpr FeatureRow kTable[] = {
    {Feature::Arithmetic, "arithmetic", 0.35, "device arithmetic"},
    {Feature::MemoryBandwidth, "memory_bandwidth", 0.35, "memory bandwidth"},
    {Feature::Pcie, "pcie", 1.0, "PCIe or NVLink"},
    {Feature::Network, "network", 0.2, "network"},
    {Feature::Gpus, "gpus", 0.1, "GPU count"},
    {Feature::Nodes, "nodes", 0.15, "node count"},
    {Feature::Tensor, "tensor", 0.3, "tensor parallel"},
    {Feature::TensorOverNodes, "tensor_over_nodes", 1.0, "tensor parallel over nodes"},
    {Feature::Stages, "stages", 0.2, "pipeline stages"},
    {Feature::Data, "data", 0.1, "data parallel"},
    {Feature::Context, "context", 0.7, "context parallel"},
    {Feature::Expert, "expert", 0.7, "expert parallel"},
    {Feature::LocalTokens, "local_tokens", 0.25, "micro-batch"},
    {Feature::Rounds, "rounds", 0.1, "micro-batches"},
    {Feature::Hidden, "hidden", 0.25, "hidden size"},
    {Feature::Sequence, "sequence", 0.2, "sequence length"},
    {Feature::HeadGrouping, "head_grouping", 0.1, "grouped heads"},
    {Feature::Experts, "experts", 1.5, "experts or kind of attention"},
    {Feature::NumberFormat, "number_format", 1.0, "precision"},
    {Feature::Recompute, "recompute", 0.4, "recompute"},
    {Feature::Sharding, "sharding", 0.8, "sharding"},
    {Feature::Chunks, "chunks", 0.3, "chunks a stage"},
    {Feature::SplitBackward, "split_backward", 0.6, "zero-bubble schedule"},
    {Feature::EagerKernels, "eager_kernels", 0.5, "unfused kernels"},
    {Feature::CompiledKernels, "compiled_kernels", 0.4, "compiled kernels"},
    {Feature::FusedAttention, "fused_attention", 0.4, "fused attention"},
    {Feature::OverlapGradients, "overlap_gradients", 0.4, "gradient overlap"},
    {Feature::Mixed, "mixed", 1.0, "mixed devices"},
    {Feature::Measured, "measured", 1.0, "measured layers"},
    {Feature::TensorTime, "tensor_time", 2.0, "time in tensor parallel"},
    {Feature::GradientTime, "gradient_time", 2.0, "time in gradient sums"},
    {Feature::BubbleTime, "bubble_time", 2.0, "idle time"},
    {Feature::OptimizerTime, "optimizer_time", 2.0, "time in the optimiser"},
};
static_assert(std::size(kTable) == kFeatures);

double doublings(double value) {
    return std::log2(std::max(value, 1e-9));
}

double giga(double value) {
    return value * 1e-9;
}

double level(Precision precision) {
    switch (precision) {
    case Precision::Fp8:
        return 2.0;
    case Precision::Fp16:
    case Precision::Bf16:
    case Precision::Auto:
        return 1.0;
    case Precision::Fp32:
    case Precision::Tf32:
        return 0.0;
    }
    return 1.0;
}

double level(const Stage& stage, int blocksOfStage) {
    switch (stage.recompute) {
    case Recompute::None:
        return 0.0;
    case Recompute::Selective:
        return 0.5;
    case Recompute::Full:
        return stage.recomputeLayers > 0 && blocksOfStage > 0
                   ? std::min(1.0, static_cast<double>(stage.recomputeLayers) / blocksOfStage)
                   : 1.0;
    }
    return 0.0;
}

int blocksOf(const Stage& stage) {
    int layers = 0;
    for (const LayerRange& chunk : stage.chunks)
        layers += chunk.last - chunk.first + 1;
    return std::max(1, layers / 2);
}

// Sums over the devices of a plan, each counting once.
class Averages {
public:
    Averages(const Problem& problem, Features& features)
        : m_problem(problem), m_topology(problem.topology()), m_features(features),
          m_gpusOfNode(m_topology.cluster().nodes.size(), 0) {}

    void add(const Pipeline& pipeline, const Stage& stage) {
        for (const Replica& replica : stage.replicas) {
            const double local = static_cast<double>(pipeline.microbatchSize) * replica.share *
                                 static_cast<double>(m_problem.recipe().seq) / stage.cp;
            const bool spans =
                std::any_of(replica.devices.begin(), replica.devices.end(),
                            [&](DeviceIndex d) { return nodeOf(d) != nodeOf(replica.devices.front()); });
            for (const DeviceIndex d : replica.devices)
                addDevice(stage, d, local, spans && stage.tp > 1);
        }
        m_dp += stage.dp();
    }

    void finish(double stages) {
        const double devices = std::max(1.0, m_devices);
        for (const Feature f :
             {Feature::Arithmetic, Feature::MemoryBandwidth, Feature::Pcie, Feature::Tensor,
              Feature::TensorOverNodes, Feature::Context, Feature::Expert, Feature::LocalTokens,
              Feature::Recompute, Feature::Sharding, Feature::FusedAttention, Feature::OverlapGradients})
            m_features[f] /= devices;
        const auto nodes = static_cast<double>(
            std::count_if(m_gpusOfNode.begin(), m_gpusOfNode.end(), [](int gpus) { return gpus > 0; }));
        constexpr double kSingleNode = 25.0; // GB/s
        double network = doublings(kSingleNode);
        if (nodes > 1.0) {
            network = 0.0;
            for (std::size_t n = 0; n < m_gpusOfNode.size(); ++n)
                if (m_gpusOfNode[n] > 0)
                    network +=
                        doublings(giga(m_topology.uplink(static_cast<int>(n)).value) / m_gpusOfNode[n]) /
                        nodes;
        }
        m_features[Feature::Network] = network;
        m_features[Feature::Gpus] = doublings(devices);
        m_features[Feature::Nodes] = doublings(std::max(1.0, nodes));
        m_features[Feature::Data] = doublings(m_dp / std::max(1.0, stages));
        m_features[Feature::Mixed] = m_kinds.size() > 1 ? 1.0 : 0.0;
    }

private:
    int nodeOf(DeviceIndex d) const { return m_topology.devices()[static_cast<std::size_t>(d)].node; }

    void addDevice(const Stage& stage, DeviceIndex d, double localTokens, bool spans) {
        const DeviceKind& kind = m_topology.kindOf(d);
        const Software& software = m_problem.recipe().software;
        m_devices += 1.0;
        m_kinds.insert(m_topology.devices()[static_cast<std::size_t>(d)].kind);
        ++m_gpusOfNode[static_cast<std::size_t>(nodeOf(d))];
        const bool linked = kind.fabric != Fabric::Pcie && kind.fabric != Fabric::Bridge;
        m_features[Feature::Arithmetic] += doublings(kind.peak(m_problem.precision()).value * 1e-12);
        m_features[Feature::MemoryBandwidth] += doublings(giga(kind.memoryBandwidth.value));
        m_features[Feature::Pcie] += linked ? 0.0 : 1.0;
        m_features[Feature::Tensor] += doublings(stage.tp);
        m_features[Feature::TensorOverNodes] += spans ? 1.0 : 0.0;
        m_features[Feature::Context] += doublings(stage.cp);
        m_features[Feature::Expert] += doublings(stage.ep);
        m_features[Feature::LocalTokens] += doublings(localTokens);
        m_features[Feature::Recompute] += level(stage, blocksOf(stage));
        m_features[Feature::Sharding] += stage.zero / 3.0;
        m_features[Feature::FusedAttention] += fusedAttention(m_problem, kind) ? 1.0 : 0.0;
        m_features[Feature::OverlapGradients] += isOn(software.overlapGradients, stage.zero >= 2) ? 1.0 : 0.0;
    }

    const Problem& m_problem;
    const Topology& m_topology;
    Features& m_features;
    std::vector<int> m_gpusOfNode;
    std::set<int> m_kinds;
    double m_devices = 0.0, m_dp = 0.0;
};

} // namespace

std::span<const FeatureRow> featureTable() {
    return kTable;
}

Features featuresOf(const Problem& problem, const Plan& plan, const Evaluation& evaluation) {
    Features f;
    Averages averages(problem, f);
    double stages = 0.0, pipelines = 0.0;
    for (const Pipeline& pipeline : plan.pipelines) {
        for (const Stage& stage : pipeline.stages)
            averages.add(pipeline, stage);
        // Pipelines that differ count alike; a stage of one is its replicas over all copies.
        const auto depth = static_cast<double>(pipeline.stages.size());
        stages += depth;
        pipelines += 1.0;
        f[Feature::Stages] += doublings(depth);
        f[Feature::Rounds] += doublings(static_cast<double>(pipeline.microbatches) / depth);
        f[Feature::Chunks] += doublings(pipeline.schedule.chunks);
        f[Feature::SplitBackward] += depth > 1 && splitsBackward(pipeline.schedule.kind) ? 1.0 : 0.0;
    }
    averages.finish(stages / std::max(1.0, pipelines));
    for (const Feature each : {Feature::Stages, Feature::Rounds, Feature::Chunks, Feature::SplitBackward})
        f[each] /= std::max(1.0, pipelines);

    const Model& model = problem.model();
    const Software& software = problem.recipe().software;
    f[Feature::Hidden] = doublings(static_cast<double>(model.hidden));
    f[Feature::Sequence] = doublings(static_cast<double>(problem.recipe().seq));
    f[Feature::HeadGrouping] = doublings(static_cast<double>(model.heads) /
                                         static_cast<double>(std::max<std::int64_t>(1, model.kvHeads)));
    const bool ownAttention = !model.others.empty() || model.parts != AttentionParts{};
    f[Feature::Experts] = hasExperts(model) || hasLatentAttention(model) || ownAttention ? 1.0 : 0.0;
    f[Feature::NumberFormat] = level(problem.precision());
    f[Feature::EagerKernels] = software.kernels == Launch::Eager ? 1.0 : 0.0;
    f[Feature::CompiledKernels] = software.kernels == Launch::Compiled ? 1.0 : 0.0;
    f[Feature::Measured] = evaluation.measuredShare;
    const double iteration = std::max(evaluation.iteration.value, 1e-12);
    const TimeParts& time = evaluation.time;
    f[Feature::TensorTime] = time.exposedTp.value / iteration;
    f[Feature::GradientTime] = (time.exposedDp + time.sync).value / iteration;
    f[Feature::BubbleTime] = evaluation.bubble / (1.0 + evaluation.bubble);
    f[Feature::OptimizerTime] = time.optimizer.value / iteration;
    return f;
}

double distance(const Features& a, const Features& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < kFeatures; ++i) {
        const double apart = kTable[i].weight * (a.values[i] - b.values[i]);
        sum += apart * apart;
    }
    return std::sqrt(sum);
}

std::vector<std::string> differences(const Features& a, const Features& b) {
    constexpr double kNotable = 0.25; // of distance
    constexpr std::size_t kNamed = 3;
    std::vector<std::pair<double, const char*>> apart;
    for (std::size_t i = 0; i < kFeatures; ++i)
        if (const double by = std::abs(kTable[i].weight * (a.values[i] - b.values[i])); by >= kNotable)
            apart.emplace_back(by, kTable[i].label);
    std::stable_sort(apart.begin(), apart.end(),
                     [](const auto& x, const auto& y) { return x.first > y.first; });
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < std::min(kNamed, apart.size()); ++i)
        labels.emplace_back(apart[i].second);
    return labels;
}

} // namespace pw

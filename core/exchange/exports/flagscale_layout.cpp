// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/flagscale_layout.h"

#include "core/exchange/exports/launch_files.h"

#include <algorithm>
#include <set>

namespace pw::flagscale {

namespace {

class Checker {
public:
    Checker(const Problem& problem, const Plan& plan, std::vector<Refusal>& refusals)
        : m_problem(problem), m_plan(plan), m_refusals(refusals) {}

    // Of one pipeline; several are refused by what all targets share (capabilityTable()).
    Layout layout() {
        for (const Stage& stage : stages()) {
            std::int64_t blocks = 0;
            for (const LayerRange& range : stage.chunks)
                blocks += wholeBlocks(m_problem.model(), range);
            m_layout.layers.push_back(blocks);
        }
        checkSequenceParallel();
        makeMeshes();
        fillBatch();
        checkEmbedding();
        chooseRecompute();
        placeDevices();
        return m_layout;
    }

private:
    const Pipeline& pipeline() const { return m_plan.pipelines.front(); }
    const std::vector<Stage>& stages() const { return pipeline().stages; }
    const DeviceKind& kindOf(DeviceIndex device) const { return m_problem.topology().kindOf(device); }
    const DeviceKind& kindOf(const Stage& stage) const {
        return kindOf(stage.replicas.front().devices.front());
    }

    void refuse(const char* code, std::string where, Wording wording) {
        m_refusals.push_back({code, std::move(where), std::move(wording)});
    }
    std::string stageName(std::size_t i) const { return pw::stageName(m_plan, 0, i); }

    // Device types are words of the hostfile and of YAML lists: the short name, where it is one word and
    // unique.
    std::string typeName(const DeviceKind& kind) const {
        const auto isWord = [](const std::string& s) {
            return !s.empty() && std::all_of(s.begin(), s.end(), [](char c) {
                return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                       c == '-' || c == '_' || c == '.';
            });
        };
        const std::vector<DeviceKind>& kinds = m_problem.topology().kinds();
        const auto sharing = std::count_if(
            kinds.begin(), kinds.end(), [&](const DeviceKind& k) { return k.shortName == kind.shortName; });
        if (isWord(kind.shortName) && sharing == 1)
            return kind.shortName;
        std::string name = kind.name;
        std::replace_if(
            name.begin(), name.end(), [&](char c) { return !isWord(std::string(1, c)); }, '-');
        return name;
    }

    // A must where tp differs: the activation between meshes is split by it.
    void checkSequenceParallel() {
        OneForAll<int> tp;
        for (std::size_t i = 0; i < stages().size(); ++i) {
            const Stage& stage = stages()[i];
            tp.add(stage.tp, stageName(i));
            m_layout.sequenceParallel = m_layout.sequenceParallel || (stage.sequenceParallel && stage.tp > 1);
        }
        if (tp.differ() && !m_layout.sequenceParallel)
            refuse(
                "E_SEQUENCE_PARALLEL", tp.where(),
                "tensor parallelism differs between stages, which needs sequence parallelism on all of them");
    }

    void makeMeshes() {
        std::set<std::string> vendors;
        for (std::size_t i = 0; i < stages().size(); ++i) {
            const Stage& stage = stages()[i];
            const std::string type = typeName(kindOf(stage));
            vendors.insert(kindOf(stage).vendor);
            std::vector<Mesh>& meshes = m_layout.meshes;
            if (!meshes.empty() && meshes.back().type == type && meshes.back().tp == stage.tp &&
                meshes.back().ep == stage.ep && meshes.back().dp == stage.dp()) {
                ++meshes.back().pp;
                continue;
            }
            if (!meshes.empty() && meshes.back().type != type &&
                std::any_of(meshes.begin(), meshes.end(), [&](const Mesh& m) { return m.type == type; }))
                refuse("E_DEVICE_TYPE_ORDER", stageName(i),
                       {"comes back to {type} after {after}; stages of one type must be neighbours, or ranks "
                        "are handed to the wrong type",
                        {{"type", type}, {"after", meshes.back().type}}});
            meshes.push_back({type, stage.tp, stage.ep, stage.dp(), 1});
        }
        m_layout.cpuCommunication = vendors.size() > 1;
    }

    // mesh 0 has the micro-batch of a replica, mesh i gets dp_0 * mbs / dp_i; nothing else can be asked for.
    void fillBatch() {
        const std::int64_t count = pipeline().count, size = pipeline().microbatchSize * count;
        m_layout.microbatches = pipeline().microbatches;
        m_layout.microbatchSize = size / stages().front().dp();
        m_layout.distributedOptimizer = std::any_of(stages().begin(), stages().end(), [](const Stage& s) {
            return s.dp() * s.cp > 1 && s.zero == 1;
        });
    }

    void checkEmbedding() {
        const Mesh &first = m_layout.meshes.front(), &last = m_layout.meshes.back();
        if (!headTakesEmbedding(m_problem.model()) || m_layout.meshes.size() < 2)
            return;
        if (first.tp != last.tp)
            refuse("E_TIED_EMBED", stageName(stages().size() - 1),
                   {"first and last stage share the embedding with tensor parallel {first} and {last}; it "
                    "must be equal",
                    {{"first", first.tp}, {"last", last.tp}}});
        if (first.dp == last.dp || !m_layout.distributedOptimizer)
            return;
        if (first.dp % last.dp != 0 && last.dp % first.dp != 0)
            refuse("E_TIED_EMBED", stageName(stages().size() - 1),
                   {"first and last stage share the embedding with {first} and {last} replicas; one must "
                    "divide the other",
                    {{"first", first.dp}, {"last", last.dp}}});
        m_layout.partialReduceEmbedding = true;
    }

    void chooseRecompute() {
        const auto uses = [&](Recompute mode) {
            return std::count_if(stages().begin(), stages().end(),
                                 [&](const Stage& s) { return s.recompute == mode; });
        };
        const auto all = static_cast<std::ptrdiff_t>(stages().size());
        if (uses(Recompute::None) == all)
            return;
        if (uses(Recompute::Selective) == all) {
            m_layout.recompute = RecomputeMode::Selective;
            return;
        }
        bool everyLayer = uses(Recompute::Full) == all;
        for (std::size_t i = 0; i < stages().size(); ++i) {
            const Stage& stage = stages()[i];
            if (stage.recompute == Recompute::Selective)
                refuse("E_RECOMPUTE_PER_STAGE", stageName(i),
                       "recomputes selectively and other stages do not; stages may choose between all and "
                       "nothing");
            const bool full = stage.recompute == Recompute::Full;
            const bool partial =
                full && stage.recomputeLayers > 0 && stage.recomputeLayers < m_layout.layers[i];
            everyLayer = everyLayer && !partial;
            const std::int64_t layers = !full ? 0 : partial ? stage.recomputeLayers : m_layout.layers[i];
            const auto add = [](std::vector<RecomputeRow>& rows, std::int64_t value) {
                if (rows.empty() || rows.back().value != value)
                    rows.push_back({0, value});
                ++rows.back().stages;
            };
            add(m_layout.granularity, full ? 1 : 0);
            add(m_layout.recomputedLayers, layers);
        }
        m_layout.recompute = everyLayer ? RecomputeMode::FullEverywhere : RecomputeMode::PerStage;
    }

    // Ranks within a type run over stages, replicas and tensor-parallel slots; hosts hold consecutive ranks.
    // Types come in the order of the stages, so that this is the order of launch.
    void placeDevices() {
        const LaunchOrder order = launchOrder(m_problem, pipeline(), RankNesting::StagesOutside);
        checkHostNames(m_problem, order, m_refusals);
        const Cluster& cluster = m_problem.topology().cluster();
        for (const RankNode& entry : order.nodes) {
            const DeviceKind& kind = kindOf(m_problem.topology().firstOfNode(entry.node));
            m_layout.hosts.push_back(
                {cluster.nodes[static_cast<std::size_t>(entry.node)].id, typeName(kind), entry.gpus});
        }
    }

    const Problem& m_problem;
    const Plan& m_plan;
    std::vector<Refusal>& m_refusals;
    Layout m_layout;
};

} // namespace

Layout layoutOf(const Problem& problem, const Plan& plan, std::vector<Refusal>& refusals) {
    return Checker(problem, plan, refusals).layout();
}

} // namespace pw::flagscale

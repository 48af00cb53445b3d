// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/flagscale_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace pw::flagscale {

namespace {

class Checker {
public:
    Checker(const ExportInput& input, std::vector<Refusal>& refusals)
        : m_problem(input.problem), m_plan(input.plan), m_refusals(refusals) {}

    Layout layout() {
        checkModel();
        checkRecipe();
        if (m_plan.pipelines.size() != 1) {
            refuse("E_REPLICA_SHAPE", "plan",
                   fmt::format("{} pipelines of different shape; one is possible", m_plan.pipelines.size()));
            return m_layout;
        }
        checkSchedule();
        checkLayers();
        checkParallelism();
        makeMeshes();
        checkBatch();
        checkSharding();
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

    void refuse(const char* code, std::string where, std::string message) {
        m_refusals.push_back({code, std::move(where),
                              std::move(message) + ". The chrome-trace and plan formats can express it"});
    }
    static std::string stageName(std::size_t i) { return fmt::format("stage {}", i); }

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

    void checkModel() {
        const Model& model = m_problem.model();
        const auto unsupported = [&](std::string what) {
            refuse("E_UNSUPPORTED_MODEL", "model " + model.name, std::move(what));
        };
        const auto local =
            std::count_if(model.window.begin(), model.window.end(), [](std::int64_t w) { return w != 0; });
        if (local > 0)
            unsupported(
                fmt::format("{} of {} blocks attend locally; Megatron-based trainers attend globally in all",
                            local, model.blocks));
        if (model.family == "opt")
            unsupported("OPT's ReLU is no activation that the trainer can be asked for");
        if (hasExperts(model))
            unsupported(fmt::format("{} experts a block; dense models are written", model.experts.count));
        if (hasLatentAttention(model))
            unsupported("latent attention; plain and grouped heads are written");
        if (model.family == "gpt_neox")
            unsupported(
                "GPT-NeoX adds attention and MLP to the same input; the trainer runs one after the other");
        if (model.family == "mpt")
            unsupported(
                "MPT's norms without bias and its ALiBi are nothing that the trainer can be asked for");
        if (model.embedProjection != 0)
            unsupported("the word embedding is narrower than the model and projected");
        if (!model.finalNorm)
            unsupported("it has no final norm");
        if (model.learnedPositions != 0 && model.learnedPositions != model.positions)
            unsupported(fmt::format("the position table has {} rows for {} positions", model.learnedPositions,
                                    model.positions));
        if (model.learnedPositions != 0 && m_problem.recipe().seq > model.positions)
            unsupported(
                fmt::format("it has {} positions for {} tokens", model.positions, m_problem.recipe().seq));
        const bool none = !model.qkvBias && !model.attentionOutBias && !model.mlpBias;
        const bool onlyQkv = model.qkvBias && !model.attentionOutBias && !model.mlpBias;
        const bool all = model.qkvBias && model.attentionOutBias && model.mlpBias;
        if (!none && !onlyQkv && !all)
            unsupported("biases can stand everywhere, nowhere or on query, key and value alone");
    }

    void checkRecipe() {
        if (m_problem.precision() == Precision::Fp8)
            refuse("E_PRECISION", "recipe", "fp8 is not written; bf16, fp16 and fp32 are");
    }

    void checkSchedule() {
        const PlanSchedule& schedule = pipeline().schedule;
        if (schedule.kind != ScheduleKind::OneFOneB)
            refuse("E_SCHEDULE", "plan",
                   fmt::format("the schedule is {}; 1F1B with its fixed launch counts is what runs",
                               label(schedule.kind)));
        for (std::size_t i = 0; schedule.kind == ScheduleKind::OneFOneB && i < schedule.launch.size(); ++i)
            if (const auto fixed = static_cast<int>(stages().size() - i); schedule.launch[i] != fixed)
                refuse("E_SCHEDULE", stageName(i),
                       fmt::format("launch count {}; 1F1B fixes it to {}", schedule.launch[i], fixed));
        if (schedule.chunks != 1)
            refuse("E_VPP", "plan", fmt::format("{} virtual stages a stage; 1 is possible", schedule.chunks));
    }

    // Fine layers 1 + 2b and 2 + 2b are the attention and the MLP of block b; 0 and the last are embedding
    // and head.
    void checkLayers() {
        const int last = fineLayerCount(m_problem.model()) - 1;
        int next = 0;
        for (std::size_t i = 0; i < stages().size(); ++i) {
            const Stage& stage = stages()[i];
            if (stage.chunks.size() != 1) {
                refuse("E_VPP", stageName(i),
                       fmt::format("{} pieces of the model; 1 is possible", stage.chunks.size()));
                m_layout.layers.push_back(0);
                continue;
            }
            const LayerRange range = stage.chunks.front();
            if (range.first != next || range.last < range.first)
                refuse(
                    "E_LAYER_ORDER", stageName(i),
                    fmt::format("fine layers {} to {}; {} is next in order", range.first, range.last, next));
            next = range.last + 1;
            if (range.last != last && range.last % 2 == 1)
                refuse("E_SUBLAYER", stageName(i),
                       fmt::format("ends between attention and MLP of block {}; whole blocks are possible",
                                   (range.last - 1) / 2));
            const int firstAttention = std::max(range.first, 1), lastMlp = std::min(range.last, last - 1);
            const int fine = std::max(0, lastMlp - firstAttention + 1);
            if (fine == 0)
                refuse("E_EMPTY_STAGE", stageName(i), "holds no transformer block; at least one is needed");
            m_layout.layers.push_back(fine / 2);
        }
        if (next != last + 1)
            refuse("E_LAYER_ORDER", stageName(stages().size() - 1),
                   fmt::format("ends with fine layer {}; the model ends with {}", next - 1, last));
    }

    void checkParallelism() {
        const Model& model = m_problem.model();
        for (std::size_t i = 0; i < stages().size(); ++i) {
            const Stage& stage = stages()[i];
            if (stage.cp != 1)
                refuse("E_CP", stageName(i),
                       fmt::format("context parallelism {}; groups form with 1 only", stage.cp));
            if (stage.ep != 1)
                refuse("E_EP", stageName(i),
                       fmt::format("expert parallelism {} of a model without experts", stage.ep));
            const auto divides = [&](const char* what, std::int64_t value) {
                if (value % stage.tp != 0)
                    refuse("E_DIVIDE_HEADS", stageName(i),
                           fmt::format("{} {} do not divide by tensor parallel {}", value, what, stage.tp));
            };
            divides("attention heads", model.heads);
            divides("key-value heads", model.kvHeads);
            divides("columns of the MLP", model.ffn);
            for (const Replica& replica : stage.replicas)
                for (DeviceIndex device : replica.devices)
                    if (&kindOf(device) != &kindOf(stage)) {
                        refuse("E_LOCAL_MIX", stageName(i),
                               fmt::format("mixes {} and {}; a process mesh is of one type",
                                           kindOf(stage).shortName, kindOf(device).shortName));
                        return;
                    }
        }
        checkSequenceParallel();
    }

    // One flag for all stages, and a must where tp differs: the activation between meshes is split by it.
    void checkSequenceParallel() {
        bool differs = false;
        std::set<bool> asked;
        for (const Stage& stage : stages()) {
            differs = differs || stage.tp != stages().front().tp;
            if (stage.tp > 1)
                asked.insert(stage.sequenceParallel);
        }
        m_layout.sequenceParallel = asked.contains(true);
        if (asked.size() > 1)
            refuse("E_SEQUENCE_PARALLEL", "plan",
                   "some stages use sequence parallelism and others do not; one flag is "
                   "for all");
        else if (differs && !m_layout.sequenceParallel)
            refuse(
                "E_SEQUENCE_PARALLEL", "plan",
                "tensor parallelism differs between stages, which needs sequence parallelism on all of them");
        for (std::size_t i = 0; m_layout.sequenceParallel && i < stages().size(); ++i)
            if (m_problem.recipe().seq % stages()[i].tp != 0)
                refuse("E_DIVIDE_HEADS", stageName(i),
                       fmt::format("{} tokens do not divide by tensor parallel {}", m_problem.recipe().seq,
                                   stages()[i].tp));
    }

    void makeMeshes() {
        std::set<std::string> vendors;
        for (std::size_t i = 0; i < stages().size(); ++i) {
            const Stage& stage = stages()[i];
            const std::string type = typeName(kindOf(stage));
            vendors.insert(kindOf(stage).vendor);
            std::vector<Mesh>& meshes = m_layout.meshes;
            if (!meshes.empty() && meshes.back().type == type && meshes.back().tp == stage.tp &&
                meshes.back().dp == stage.dp()) {
                ++meshes.back().pp;
                continue;
            }
            if (!meshes.empty() && meshes.back().type != type &&
                std::any_of(meshes.begin(), meshes.end(), [&](const Mesh& m) { return m.type == type; }))
                refuse("E_DEVICE_TYPE_ORDER", stageName(i),
                       fmt::format(
                           "comes back to {} after {}; stages of one type must be neighbours, or ranks are "
                           "handed to the wrong type",
                           type, meshes.back().type));
            meshes.push_back({type, stage.tp, stage.dp(), 1});
        }
        m_layout.cpuCommunication = vendors.size() > 1;
    }

    // mesh 0 has the micro-batch of a replica, mesh i gets dp_0 * mbs / dp_i; nothing else can be asked for.
    void checkBatch() {
        const std::int64_t count = pipeline().count, size = pipeline().microbatchSize * count;
        m_layout.microbatches = pipeline().microbatches;
        for (std::size_t i = 0; i < stages().size(); ++i) {
            const Stage& stage = stages()[i];
            if (size % stage.dp() != 0)
                refuse("E_MB_SPLIT_UNEVEN", stageName(i),
                       fmt::format(
                           "a micro-batch of {} sequences over {} replicas; equal whole numbers are possible",
                           size, stage.dp()));
            const auto [least, most] =
                std::minmax_element(stage.replicas.begin(), stage.replicas.end(),
                                    [](const Replica& a, const Replica& b) { return a.share < b.share; });
            if (most->share - least->share > 1e-9)
                refuse(
                    "E_MB_SPLIT_UNEVEN", stageName(i),
                    fmt::format("replicas take {:.4g} to {:.4g} of a micro-batch; equal shares are possible",
                                least->share, most->share));
        }
        m_layout.microbatchSize = size / stages().front().dp();
        if (const std::int64_t gbs = m_problem.recipe().gbs;
            gbs % size != 0 || gbs / size != m_layout.microbatches)
            refuse("E_DIVIDE_GBS", "plan",
                   fmt::format("a global batch of {} is not {} micro-batches of {} sequences", gbs,
                               m_layout.microbatches, size));
    }

    void checkSharding() {
        std::set<int> levels;
        for (const Stage& stage : stages())
            if (stage.dp() > 1)
                levels.insert(stage.zero);
        m_layout.distributedOptimizer = levels.contains(1);
        if (levels.size() > 1)
            refuse("E_SHARDING", "plan", "optimiser sharding differs between stages; one setting is for all");
        else if (!levels.empty() && *levels.begin() > 1)
            refuse("E_SHARDING", "plan",
                   fmt::format("optimiser sharding {}; 0 and 1 are possible", *levels.begin()));
    }

    void checkEmbedding() {
        const Mesh &first = m_layout.meshes.front(), &last = m_layout.meshes.back();
        if (!m_problem.model().tied || m_layout.meshes.size() < 2)
            return;
        if (first.tp != last.tp)
            refuse("E_TIED_EMBED", "plan",
                   fmt::format("first and last stage share the embedding with tensor parallel {} and {}; it "
                               "must be equal",
                               first.tp, last.tp));
        if (first.dp == last.dp || !m_layout.distributedOptimizer)
            return;
        if (first.dp % last.dp != 0 && last.dp % first.dp != 0)
            refuse(
                "E_TIED_EMBED", "plan",
                fmt::format(
                    "first and last stage share the embedding with {} and {} replicas; one must divide the "
                    "other",
                    first.dp, last.dp));
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
    void placeDevices() {
        const Cluster& cluster = m_problem.topology().cluster();
        std::map<std::string, std::vector<Host>> byType; // a type that comes back is refused elsewhere
        std::vector<std::string> order;
        for (std::size_t i = 0; i < stages().size(); ++i) {
            const std::string type = typeName(kindOf(stages()[i]));
            if (!byType.contains(type))
                order.push_back(type);
            std::vector<Host>& hosts = byType[type];
            for (const Replica& replica : stages()[i].replicas)
                for (DeviceIndex index : replica.devices) {
                    const Device& device = m_problem.topology().devices()[static_cast<std::size_t>(index)];
                    const std::string& node = cluster.nodes[static_cast<std::size_t>(device.node)].id;
                    if (hosts.empty() || hosts.back().name != node) {
                        if (std::any_of(hosts.begin(), hosts.end(),
                                        [&](const Host& h) { return h.name == node; }))
                            refuse(
                                "E_NONCONTIGUOUS_DEVICES", stageName(i),
                                fmt::format(
                                    "comes back to node {} after {}; a node holds consecutive ranks, which "
                                    "follow the stages",
                                    node, hosts.back().name));
                        hosts.push_back({node, type, {}});
                    }
                    hosts.back().slots.push_back(device.slot);
                }
        }
        for (const std::string& type : order)
            for (Host& host : byType[type]) {
                if (host.name.find_first_of(" \t#\"'{}") != std::string::npos)
                    refuse("E_HOST_NAME", "node " + host.name, "has characters that a hostfile cannot hold");
                m_layout.hosts.push_back(std::move(host));
            }
    }

    const Problem& m_problem;
    const Plan& m_plan;
    std::vector<Refusal>& m_refusals;
    Layout m_layout;
};

} // namespace

Layout layoutOf(const ExportInput& input, std::vector<Refusal>& refusals) {
    return Checker(input, refusals).layout();
}

} // namespace pw::flagscale

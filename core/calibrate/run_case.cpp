// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/run_case.h"

#include "core/base/text.h"
#include "core/calibrate/framework_text.h"
#include "core/calibrate/run_cluster.h"
#include "core/calibrate/run_model.h"
#include "core/calibrate/run_plan.h"
#include "core/calibrate/unsupported.h"
#include "core/calibrate/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace pw {

namespace {

constexpr std::int64_t kMostGpus = 131'072;

Error contradiction(std::string field, Wording wording) {
    return badInput("runs.contradiction", std::move(field), std::move(wording));
}

// Builds one case; every step adds what it assumed.
class Builder {
public:
    Builder(const RunRow& row, const Calibration& calibration, const std::vector<LayerTime>& layers,
            const ConstantSet& constants)
        : m_row(completed(row, m_case.assumptions)), m_calibration(calibration), m_layers(layers),
          m_constants(calibrated(constants, calibration)) {}

    Result<RunCase> build() {
        using Step = Status (Builder::*)();
        for (const Step step :
             {&Builder::readTexts, &Builder::readSizes, &Builder::readSchedule, &Builder::readBatch})
            if (Status done = (this->*step)(); !done)
                return done.error();
        std::vector<std::string>& said = m_case.assumptions;
        const std::int64_t multiple = m_framework.padsVocabulary ? std::int64_t{128} * m_sizes.tp : 1;
        Result<Model> model = runModel(m_row, m_sizes.tp, multiple, said);
        if (!model)
            return model.error();
        Result<Cluster> cluster = runCluster(m_gpus, m_network, m_sizes.gpus, gpusPerNode(), nvlinkDomain(),
                                             m_constants.comm(), said);
        if (!cluster)
            return cluster.error();
        const int blocks = static_cast<int>(model->blocks);
        StageNotes notes = parseStageNotes(m_row.notes, blocks);
        if (!m_row.stageLayers.empty()) {
            std::vector<int> counts = parseStageLayers(m_row.stageLayers, blocks, m_sizes.pp * m_sizes.vpp);
            if (counts.empty())
                assume(fmt::format("stage_layers \"{}\" not understood", m_row.stageLayers));
            else
                notes.blocks = std::move(counts);
        }
        Cluster machine = calibrated(*std::move(cluster), m_calibration);
        std::vector<ProfileRow> rows = profileRows(m_layers, *model, machine);
        if (!rows.empty())
            assume(fmt::format("rests on {} measured layer times", rows.size()));
        settlePrecision(rows, *model, machine);
        Result<std::shared_ptr<const Problem>> problem =
            Problem::make(std::move(machine), *std::move(model), calibrated(recipe(), m_calibration),
                          std::move(rows), {}, m_constants);
        if (!problem)
            return refused(problem.error());
        m_case.problem = *problem;
        Result<Plan> plan = runPlan(**problem, m_sizes, shape(), notes);
        if (!plan)
            return plan.error();
        if (const std::vector<PlanFault> faults = planFaults(**problem, *plan); !faults.empty())
            return unsupportedPlan(faults.front());
        m_case.plan = *std::move(plan);
        return std::move(m_case);
    }

private:
    void assume(std::string text) { m_case.assumptions.push_back(std::move(text)); }

    Status readTexts() {
        m_network = parseNetwork(m_row.network);
        Result<GpuText> gpus =
            parseGpus(m_row.gpu, {m_row.gpuMemGb, m_network.pcie && !m_network.nvlink}, Catalogue::builtin());
        if (!gpus)
            return gpus.error();
        m_gpus = *std::move(gpus);
        take(m_gpus.assumptions);
        m_framework = parseFramework(m_row.framework, m_row.notes, monthOfPublication(m_row.source));
        take(m_framework.assumptions);
        Result<Precision> precision = parsePrecision(m_row.precision);
        if (!precision)
            return precision.error();
        m_precision = *precision;
        if (contains(lowered(m_row.precision), "fp4"))
            assume("products in 4 bits priced at the rate of fp8");
        m_recompute = parseRecompute(m_row.recompute);
        if (m_recompute.unknown)
            assume(fmt::format("recompute \"{}\" not understood", m_row.recompute));
        if (!m_recompute.stated)
            assume(fmt::format("recompute not stated, {} taken", name(m_recompute.mode)));
        if (m_recompute.everyOther)
            assume("recompute of every other layer judged as that of the first half");
        m_sharding = parseSharding(m_row.sharding);
        if (m_sharding.unknown)
            assume(fmt::format("sharding \"{}\" not understood", m_row.sharding));
        if (!m_sharding.zero && m_row.fsdp.value_or(0) > 0)
            m_sharding.zero = 3;
        else if (!m_sharding.zero && m_row.distributedOptimizer)
            m_sharding.zero = *m_row.distributedOptimizer > 0 ? 1 : 0;
        if (!m_sharding.zero) {
            m_sharding.zero = m_framework.zero;
            assume(fmt::format("sharding not stated, {} taken", *m_sharding.zero));
        }
        if (hasBeginning(wordsOf(m_row.peft), "lora"))
            return unsupported("peft", "the cost model trains all weights; LoRA trains few");
        return Ok{};
    }

    // Measured layers tell whether an unstated precision can have been of 16 bits.
    void settlePrecision(const std::vector<ProfileRow>& rows, const Model& model, const Cluster& machine) {
        if (m_precision != Precision::Auto)
            return;
        m_precision = precisionOf(rows, model, machine, *m_row.seqLen);
        assume(m_precision == Precision::Fp32 ? "precision not stated, fp32 by the measured layer times"
                                              : "precision not stated, 16 bit taken");
    }

    void take(const std::vector<std::string>& said) {
        m_case.assumptions.insert(m_case.assumptions.end(), said.begin(), said.end());
    }

    // tp, pp, dp, cp: one that is missing follows from the GPU count; two only where nothing but data
    // parallelism is in play.
    Status readSizes() {
        const std::int64_t gpus = m_row.nGpus.value_or(0);
        if (gpus < 1 || gpus > kMostGpus)
            return unsupported("n_gpus", gpus < 1 ? "is not stated" : "is beyond any cluster");
        m_sizes.gpus = static_cast<int>(gpus);
        std::optional<std::int64_t> tp = m_row.tp, pp = m_row.pp, dp = m_row.dp;
        const std::int64_t cp = m_row.cp.value_or(1);
        for (const auto& [field, value] : {std::pair("tp", tp), std::pair("pp", pp), std::pair("dp", dp),
                                           std::pair("cp", m_row.cp), std::pair("ep", m_row.ep)})
            if (value && (*value < 1 || *value > gpus))
                return contradiction(field,
                                     {"is {value} on {gpus} GPUs", {{"value", *value}, {"gpus", gpus}}});
        if (!tp && !pp && (m_sharding.zero.value_or(0) >= 2 || gpus == 1 || dp == gpus)) {
            tp = pp = 1;
            assume("tp and pp not stated, 1 taken");
        }
        const auto derive = [&](std::optional<std::int64_t>& one, std::int64_t others) {
            if (!one && gpus % others == 0)
                one = gpus / others;
        };
        if (tp && pp)
            derive(dp, *tp * *pp * cp);
        else if (tp && dp)
            derive(pp, *tp * *dp * cp);
        else if (pp && dp)
            derive(tp, *pp * *dp * cp);
        for (const auto& [field, value] : {std::pair("tp", tp), std::pair("pp", pp), std::pair("dp", dp)})
            if (!value)
                return unsupported(field, "is not stated");
        if (*tp * *pp * *dp * cp != gpus)
            return contradiction("n_gpus",
                                 {"tp {tp} x pp {pp} x dp {dp} x cp {cp} are not {gpus} GPUs",
                                  {{"tp", *tp}, {"pp", *pp}, {"dp", *dp}, {"cp", cp}, {"gpus", gpus}}});
        m_sizes.tp = static_cast<int>(*tp);
        m_sizes.pp = static_cast<int>(*pp);
        m_sizes.dp = static_cast<int>(*dp);
        m_sizes.cp = static_cast<int>(cp);
        m_sizes.ep = static_cast<int>(m_row.ep.value_or(1));
        readExpertRanks();
        return Ok{};
    }

    // Trainers deal experts out over context- and tensor-parallel ranks too (Stage::expertTp).
    void readExpertRanks() {
        const int ranks = m_sizes.tp * m_sizes.cp * m_sizes.dp, ep = m_sizes.ep;
        m_sizes.ep = std::gcd(ep, ranks);
        if (m_sizes.ep != ep)
            assume(fmt::format("ep {} priced as {}, which divides the {} GPUs of a stage", ep, m_sizes.ep,
                               ranks));
        if (m_sizes.dp % m_sizes.ep == 0)
            return;
        assume(m_sizes.dp * m_sizes.cp % m_sizes.ep == 0
                   ? fmt::format("ep {} over context-parallel ranks too", m_sizes.ep)
                   : fmt::format("ep {} over tensor-parallel ranks too, experts whole", m_sizes.ep));
    }

    // Which schedule runs, and how many chunks a stage has.
    Status readSchedule() {
        Result<ScheduleText> schedule = parseSchedule(m_row.schedule);
        if (!schedule)
            return schedule.error();
        if (schedule->unknown)
            assume(fmt::format("schedule \"{}\" not understood", m_row.schedule));
        const std::optional<int> stated = wholeNumber(m_row.vpp);
        const int layers = static_cast<int>(std::min<std::int64_t>(m_row.nLayers.value_or(0), 100'000));
        std::string kind = schedule->kind;
        if (m_sizes.pp == 1) {
            m_schedule = ScheduleKind::OneFOneB; // of one stage: any order
            return Ok{};
        }
        if (kind.empty()) {
            kind = stated.value_or(1) > 1 ? "interleaved" : "1f1b";
            assume(fmt::format("schedule not stated, {} taken", kind));
        } else if (kind == "1f1b" && stated.value_or(1) > 1) {
            kind = "interleaved";
        }
        if (kind == "zb-v") {
            m_sizes.vpp = 2;
        } else if (kind == "interleaved") {
            m_sizes.vpp = stated ? *stated : chunksOf(layers);
            // Interleaving takes the micro-batches in rounds of one for each stage; a guess gives way to
            // that.
            const std::int64_t rounds = m_row.nMicrobatches.value_or(0);
            if (!schedule->stated && !stated && rounds % m_sizes.pp != 0)
                m_sizes.vpp = 1;
            if (!stated)
                assume(fmt::format("interleaved with {} chunks a stage", m_sizes.vpp));
            if (m_sizes.vpp < 2)
                kind = "1f1b";
        }
        const std::optional<ScheduleKind> known = scheduleKindFromName(kind);
        if (!known)
            return unsupported("schedule",
                               {"\"{schedule}\" is not simulated", {{"schedule", m_row.schedule}}});
        m_schedule = *known;
        m_zigzag = kind == "zb-v";
        if (m_sizes.vpp < 1 || (layers > 0 && m_sizes.vpp > layers))
            return contradiction(
                "vpp", {"{vpp} chunks of {layers} layers", {{"vpp", m_row.vpp}, {"layers", layers}}});
        return Ok{};
    }

    // "max: 1 layer per chunk" is stated; else two chunks where the layers allow it, or the fewest that they
    // allow.
    int chunksOf(int layers) const {
        const int pp = m_sizes.pp;
        const int all = layers % pp == 0 ? layers : layers + 2;
        const int each = all % pp == 0 ? all / pp : 1;
        if (const auto perChunk = numberBehind(wordsOf(m_row.vpp), "max"); perChunk && *perChunk > 0)
            return each / *perChunk;
        for (int v = 2; v <= each; ++v)
            if (each % v == 0)
                return v;
        return 1;
    }

    Status readBatch() {
        const std::int64_t dp = m_sizes.dp;
        const std::int64_t gbs =
            m_row.gbs.value_or(m_row.mbs.value_or(0) * m_row.nMicrobatches.value_or(0) * dp);
        if (gbs < 1)
            return unsupported("gbs", "is not stated");
        m_sizes.gbs = gbs;
        std::int64_t mbs = m_row.mbs.value_or(0);
        if (mbs < 1 && m_row.nMicrobatches.value_or(0) > 0 && gbs % (dp * *m_row.nMicrobatches) == 0)
            mbs = gbs / (dp * *m_row.nMicrobatches);
        if (mbs < 1) {
            mbs = 1;
            assume("mbs not stated, 1 taken");
        }
        if (gbs % (mbs * dp) != 0)
            return contradiction("gbs", {"{gbs} is no multiple of mbs {mbs} x dp {dp}",
                                         {{"gbs", gbs}, {"mbs", mbs}, {"dp", dp}}});
        if (m_sizes.pp > 1 && !m_row.nMicrobatches && gbs == mbs * dp && mbs > 1) {
            // What a pipeline gets at once is cut for its stages: one micro-batch a stage, as nearly as it
            // divides.
            const std::int64_t wanted = std::min<std::int64_t>(mbs, m_sizes.pp * m_sizes.vpp);
            std::int64_t count = wanted;
            while (mbs % count != 0)
                --count;
            mbs /= count;
            assume(fmt::format("local batch cut into {} micro-batches", count));
        }
        m_sizes.mbs = mbs;
        m_sizes.microbatches = gbs / (mbs * dp);
        if (m_schedule == ScheduleKind::Interleaved && m_sizes.microbatches % m_sizes.pp != 0) {
            assume(fmt::format("interleaved with {} micro-batches over {} stages, judged as 1F1B",
                               m_sizes.microbatches, m_sizes.pp));
            m_schedule = ScheduleKind::OneFOneB;
            m_sizes.vpp = 1;
        }
        return Ok{};
    }

    int gpusPerNode() {
        if (m_row.gpusPerNode.value_or(0) > 0)
            return static_cast<int>(std::min<std::int64_t>(*m_row.gpusPerNode, 1024));
        constexpr int kUsual = 8;
        if (m_sizes.gpus > kUsual)
            assume("gpus_per_node not stated, 8 taken");
        return kUsual;
    }

    // GPUs that NVLink joins; 0 = not stated. The text of the GPUs may name the rack: "GB200 NVL72".
    int nvlinkDomain() const {
        constexpr std::int64_t kMost = 1024;
        if (m_row.nvlinkDomain.value_or(0) > 0)
            return static_cast<int>(std::min(*m_row.nvlinkDomain, kMost));
        return parseNetwork(m_row.gpu).nvlinkDomain;
    }

    bool sequenceParallel() const {
        const bool wanted = m_row.sp ? *m_row.sp > 0 : m_framework.sequenceParallel;
        return wanted && m_sizes.tp > 1 && m_row.seqLen.value_or(1) % m_sizes.tp == 0;
    }

    Recipe recipe() const {
        Recipe r;
        r.gbs = m_sizes.gbs;
        r.seq = *m_row.seqLen;
        r.precision = m_precision;
        r.zero = *m_sharding.zero;
        r.recompute = {m_recompute.mode};
        r.sequenceParallel = sequenceParallel() ? Choice::On : Choice::Off;
        r.mbs = {m_sizes.mbs};
        r.stack = m_framework.stack;
        r.software = m_framework.software;
        takeStated({m_row.overlapGradReduce, m_row.overlapParamGather, m_row.tpCommOverlap, m_row.cudaGraphs,
                    m_row.precision},
                   r.software);
        // Gradients in bf16 need a wider sum; those in scaled fp16 are usually reduced as they are.
        if (r.software.gradFp32 == Choice::Auto && m_precision == Precision::Fp16)
            r.software.gradFp32 = Choice::Off;
        if (m_row.flashAttn)
            r.software.fusedAttention = *m_row.flashAttn > 0 ? Choice::On : Choice::Off;
        if (m_sharding.overlapped)
            r.software.overlapGradients = Choice::On;
        int ranks = m_sharding.ranks;
        if (m_sharding.withinNode)
            ranks = std::max(1, static_cast<int>(m_row.gpusPerNode.value_or(8)) / (m_sizes.tp * m_sizes.cp));
        r.software.shardRanks = ranks < m_sizes.dp ? ranks : 0;
        return r;
    }

    StageShape shape() const {
        RecomputeText recompute = m_recompute;
        if (recompute.everyOther) { // the first half of a stage's blocks costs the same
            recompute.mode = Recompute::Full;
            recompute.layers = std::max(1, static_cast<int>(m_case.problem->model().blocks) /
                                               (2 * m_sizes.pp * m_sizes.vpp));
        }
        return {sequenceParallel(), m_sizes.dp * m_sizes.cp > 1 ? *m_sharding.zero : 0,
                recompute,          m_schedule,
                m_zigzag,           m_framework.stagesByCost};
    }

    // A question that no device can answer is refused for the column that asks it.
    static Error refused(Error error) {
        if (error.code == "problem.precision")
            return unsupported("precision", error);
        return error;
    }

    // A plan that is sound here and is refused all the same has something that is not modelled. Columns are
    // called as the fields of plans are, but that the schedule makes the chunks, and that whole stages and
    // replicas go wrong where context parallelism places them.
    static Error unsupportedPlan(const PlanFault& fault) {
        return unsupported(fault.field == "chunks" ? "schedule"
                           : fault.field.empty()   ? "cp"
                                                   : fault.field,
                           fault.wording);
    }

    RunCase m_case; // first: completing the row adds to its assumptions
    const RunRow m_row;
    const Calibration& m_calibration;
    const std::vector<LayerTime>& m_layers;
    const ConstantSet m_constants;
    NetworkText m_network;
    GpuText m_gpus;
    FrameworkText m_framework;
    Precision m_precision = Precision::Auto;
    RecomputeText m_recompute;
    ShardingText m_sharding;
    RunSizes m_sizes;
    ScheduleKind m_schedule = ScheduleKind::OneFOneB;
    bool m_zigzag = false;
};

} // namespace

Result<RunCase> runCase(const RunRow& row, const Calibration& calibration,
                        const std::vector<LayerTime>& layers, const ConstantSet& constants) {
    return Builder(row, calibration, layers, constants).build();
}

} // namespace pw

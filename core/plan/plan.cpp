// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/plan/plan.h"

#include "core/cost/cost.h"
#include "core/plan/stage_partition.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace pw {
namespace {

constexpr double kShareTolerance = 1e-9;

// Collects what is wrong with a plan.
struct Faults {
    std::vector<PlanFault> list;
    // `at`: the pointer of the plan, pipeline, stage or replica; `below`: what of the field it is.
    void add(const std::string& at, const char* field, Wording wording, const std::string& below = {}) {
        list.push_back({field, fmt::format("{}/{}{}", at, field, below), std::move(wording)});
    }
    void add(const std::string& at, Wording wording) { list.push_back({"", at, std::move(wording)}); }
};

void checkReplicas(const Problem& problem, const Stage& stage, int copies, std::int64_t microbatchSize,
                   std::set<DeviceIndex>& used, const std::string& at, Faults& faults) {
    const auto& devices = problem.topology().devices();
    if (stage.replicas.empty() || stage.dp() % copies != 0) {
        faults.add(at, "replicas",
                   {"{replicas} replicas for {pipelines} identical pipelines; expected a multiple",
                    {{"replicas", stage.dp()}, {"pipelines", copies}}});
        return;
    }
    const std::size_t each = stage.replicas.size() / static_cast<std::size_t>(copies);
    std::vector<double> shares(static_cast<std::size_t>(copies), 0.0); // by identical pipeline
    std::set<std::string> vendors;
    for (std::size_t r = 0; r < stage.replicas.size(); ++r) {
        const Replica& replica = stage.replicas[r];
        const std::string here = fmt::format("{}/replicas/{}", at, r);
        shares[r / each] += replica.share;
        if (replica.devices.size() != static_cast<std::size_t>(stage.tp * stage.cp)) {
            faults.add(here, "devices",
                       {"{devices} devices; expected tp x cp = {expected}",
                        {{"devices", replica.devices.size()}, {"expected", stage.tp * stage.cp}}});
            continue;
        }
        for (const DeviceIndex d : replica.devices) {
            const std::string& id = devices[static_cast<std::size_t>(d)].id;
            vendors.insert(problem.topology().kindOf(d).vendor);
            const Device& device = devices[static_cast<std::size_t>(d)];
            const Device& lead = devices[static_cast<std::size_t>(replica.devices.front())];
            if (device.kind != lead.kind || device.speed != lead.speed)
                faults.add(here, "devices",
                           {"{device} and {other} differ in kind or speed within one tensor-parallel group",
                            {{"device", lead.id}, {"other", device.id}}});
            if (!used.insert(d).second)
                faults.add(here, "devices", {"device {device} serves two places", {{"device", id}}});
            if (!problem.allowed()[static_cast<std::size_t>(d)])
                faults.add(here, "devices", {"device {device} is to stay unused", {{"device", id}}});
        }
        // One pipeline is priced and stands for all.
        const Replica& drawn = stage.replicas[r % each];
        if (!drawn.devices.empty()) {
            const Device& own = devices[static_cast<std::size_t>(replica.devices.front())];
            const Device& other = devices[static_cast<std::size_t>(drawn.devices.front())];
            if (own.kind != other.kind || own.speed != other.speed || replica.share != drawn.share)
                faults.add(here, "differs from its like in the first of the identical pipelines in device "
                                 "kind, speed or share");
        }
        const double sequences = replica.share * static_cast<double>(microbatchSize);
        if (sequences < 1.0 - 1e-6 || std::abs(sequences - std::round(sequences)) > 1e-6)
            faults.add(
                here, "share",
                {"{share} of {sequences} sequences is {product}; expected a whole number of at least 1",
                 {{"share", replica.share},
                  {"sequences", microbatchSize},
                  {"product", fmt::format("{:.4g}", sequences)}}});
    }
    for (const double sum : shares)
        if (std::abs(sum - 1.0) > kShareTolerance * static_cast<double>(each))
            faults.add(at, "replicas", {"shares of a pipeline add up to {sum}; expected 1", {{"sum", sum}}});
    if (vendors.size() > 1)
        faults.add(at, "replicas",
                   {"data-parallel replicas on devices of {vendors}; expected one vendor",
                    {{"vendors", fmt::format("{}", fmt::join(vendors, " and "))}}});
}

// Chunks in the order in which a micro-batch passes them hold all layers once.
void checkLayers(const Problem& problem, const Pipeline& pipeline, const std::string& at, Faults& faults) {
    bool counted = true;
    for (std::size_t i = 0; i < pipeline.stages.size(); ++i) {
        const auto held = pipeline.stages[i].chunks.size();
        if (held == static_cast<std::size_t>(pipeline.schedule.chunks))
            continue;
        counted = false;
        faults.add(fmt::format("{}/stages/{}", at, i), "chunks",
                   {"{chunks} chunks; the schedule runs {expected} a stage",
                    {{"chunks", held}, {"expected", pipeline.schedule.chunks}}});
    }
    if (!counted)
        return;
    const ChunkLayout layout = pipeline.layout();
    int next = 0;
    for (int v = 0; v < layout.virtualStages(); ++v) {
        const int stage = layout.stageOf(v);
        const LayerRange range = pipeline.stages[static_cast<std::size_t>(stage)]
                                     .chunks[static_cast<std::size_t>(layout.chunkOf(v))];
        if (range.first != next || range.last < range.first)
            faults.add(fmt::format("{}/stages/{}", at, stage), "chunks",
                       {"layers {first} to {last}; expected to start at {next}",
                        {{"first", range.first}, {"last", range.last}, {"next", next}}});
        next = range.last + 1;
    }
    const int layers = fineLayerCount(problem.model());
    if (next != layers)
        faults.add(at, "stages",
                   {"layers 0 to {held} are held; expected 0 to {last}",
                    {{"held", next - 1}, {"last", layers - 1}}});
}

void checkSchedule(const Pipeline& pipeline, const std::string& at, Faults& faults) {
    const PlanSchedule& schedule = pipeline.schedule;
    const auto stages = pipeline.stages.size();
    if (schedule.chunks < leastChunks(schedule.kind) || schedule.chunks > mostChunks(schedule.kind))
        faults.add(at, "schedule",
                   {mostChunks(schedule.kind) > leastChunks(schedule.kind)
                        ? "{chunks}; {schedule} runs {least} or more"
                        : "{chunks}; {schedule} runs {least}",
                    {{"chunks", schedule.chunks},
                     {"schedule", label(schedule.kind)},
                     {"least", leastChunks(schedule.kind)}}},
                   "/chunks");
    if (const auto why = unfitMicrobatches(schedule.kind, pipeline.microbatches, static_cast<int>(stages)))
        faults.add(at, "microbatches", *why);
    const auto& launch = schedule.launch;
    if (!usesLaunchCounts(schedule.kind)) {
        if (!launch.empty())
            faults.add(
                at, "schedule",
                {"{schedule} has no launch counts; expected none", {{"schedule", label(schedule.kind)}}},
                "/launch");
        return;
    }
    if (!launch.empty() && (launch.size() != stages || *std::min_element(launch.begin(), launch.end()) < 1))
        faults.add(at, "schedule", {"expected {stages} counts of at least 1", {{"stages", stages}}},
                   "/launch");
    for (std::size_t i = 1; i < launch.size(); ++i)
        if (launch[i] > launch[i - 1] && launch[i - 1] < pipeline.microbatches)
            faults.add(at, "schedule",
                       {"{count} after {before}; counts that rise along the pipeline cannot progress",
                        {{"count", launch[i]}, {"before", launch[i - 1]}}},
                       fmt::format("/launch/{}", i));
}

void checkStages(const Problem& problem, const Pipeline& pipeline, std::set<DeviceIndex>& used,
                 const std::string& at, Faults& faults) {
    for (std::size_t i = 0; i < pipeline.stages.size(); ++i) {
        const Stage& stage = pipeline.stages[i];
        const std::string here = fmt::format("{}/stages/{}", at, i);
        if (stage.tp < 1 || !divides(problem.model(), stage.tp))
            faults.add(here, "tp",
                       {"{tp} does not divide the {heads} heads, {kv_heads} key-value heads and ffn {ffn} of "
                        "the model",
                        {{"tp", stage.tp},
                         {"heads", problem.model().heads},
                         {"kv_heads", problem.model().kvHeads},
                         {"ffn", fmt::format("{}", fmt::join(mlpWidths(problem.model()), ", "))}}});
        if (stage.sequenceParallel && stage.tp >= 1 && problem.recipe().seq % stage.tp != 0)
            faults.add(here, "sequence_parallel",
                       {"tp {tp} does not divide the sequence of {seq}",
                        {{"tp", stage.tp}, {"seq", problem.recipe().seq}}});
        if (stage.recomputeLayers < 0 || (stage.recomputeLayers > 0 && stage.recompute != Recompute::Full))
            faults.add(here, "recompute",
                       {"{layers} with mode {mode}; expected 0, which is all layers of the stage, or with "
                        "full recompute the number of blocks that it covers",
                        {{"layers", stage.recomputeLayers}, {"mode", name(stage.recompute)}}},
                       "/layers");
        if (stage.cp < 1 || (stage.cp > 1 && problem.recipe().seq % (2 * stage.cp) != 0))
            faults.add(here, "cp",
                       {"{cp} does not divide half the sequence of {seq}",
                        {{"cp", stage.cp}, {"seq", problem.recipe().seq}}});
        const std::int64_t experts = std::max<std::int64_t>(1, problem.model().experts.count);
        const std::int64_t ranks = std::int64_t{stage.dp()} * std::max(1, stage.cp) * std::max(1, stage.tp);
        if (stage.ep < 1 || experts % stage.ep != 0 || ranks % stage.ep != 0)
            faults.add(here, "ep",
                       {"{ep} does not divide the {experts} experts and the {ranks} devices of all replicas",
                        {{"ep", stage.ep}, {"experts", problem.model().experts.count}, {"ranks", ranks}}});
        if (stage.zero < 0 || stage.zero > 3)
            faults.add(here, "zero", {"{zero}; expected 0 to 3", {{"zero", stage.zero}}});
        const std::size_t known = faults.list.size();
        checkReplicas(problem, stage, pipeline.count, pipeline.microbatchSize, used, here, faults);
        if (!stage.partition.empty() && faults.list.size() == known) // of the replicas
            for (const PartitionFault& fault : partitionFaults(problem, stage, pipeline.microbatchSize))
                faults.add(here, "partition", fault.wording, fault.where);
    }
}

// Layers that several pipelines hold on different stages.
bool overlap(const Stage& a, const Stage& b) {
    for (const LayerRange& x : a.chunks)
        for (const LayerRange& y : b.chunks)
            if (x.first <= y.last && y.first <= x.last)
                return true;
    return false;
}

// Gradients are summed between the pipelines, and no group spans vendors.
void checkSharing(const Problem& problem, const Plan& plan, const std::string& at, Faults& faults) {
    const auto vendor = [&](const Stage& stage) -> std::string {
        if (stage.replicas.empty() || stage.replicas.front().devices.empty())
            return {}; // a fault of its own
        return problem.topology().kindOf(stage.replicas.front().devices.front()).vendor;
    };
    const std::vector<Pipeline>& all = plan.pipelines;
    for (std::size_t p = 1; p < all.size(); ++p)
        for (std::size_t i = 0; i < all[p].stages.size(); ++i)
            for (const Stage& other : all.front().stages) {
                const Stage& stage = all[p].stages[i];
                const std::string own = vendor(stage), its = vendor(other);
                if (!own.empty() && !its.empty() && own != its && overlap(stage, other))
                    faults.add(fmt::format("{}/{}/stages/{}", at, p, i),
                               {"devices of {vendor} share layers with a pipeline on devices of {other}; "
                                "expected one vendor",
                                {{"vendor", own}, {"other", its}}});
            }
}

} // namespace

int Stage::deviceCount() const {
    int n = 0;
    for (const Replica& r : replicas)
        n += static_cast<int>(r.devices.size());
    return n;
}

int usedGpus(const Plan& plan) {
    int gpus = 0;
    for (const Pipeline& pipeline : plan.pipelines)
        for (const Stage& stage : pipeline.stages)
            gpus += stage.deviceCount();
    return gpus;
}

std::vector<PlanFault> planFaults(const Problem& problem, const Plan& plan) {
    Faults faults;
    std::set<DeviceIndex> used;
    const auto gbs = static_cast<double>(problem.recipe().gbs);
    if (plan.pipelines.empty())
        faults.add("", "pipelines", "none; expected one or more");
    double sequences = 0.0;
    for (std::size_t p = 0; p < plan.pipelines.size(); ++p) {
        const Pipeline& pipeline = plan.pipelines[p];
        const std::string at = fmt::format("/pipelines/{}", p);
        const auto stages = pipeline.stages.size();
        if (stages == 0)
            faults.add(at, "stages", "no stage");
        if (pipeline.count < 1 || pipeline.microbatches < 1 || pipeline.microbatchSize < 1) {
            faults.add(at, "count, micro-batches and their size must be at least 1");
            continue;
        }
        checkSchedule(pipeline, at, faults);
        checkLayers(problem, pipeline, at, faults);
        checkStages(problem, pipeline, used, at, faults);
        // Whole numbers far beyond any batch, so as floating point.
        const double own = static_cast<double>(pipeline.count) * static_cast<double>(pipeline.microbatches) *
                           static_cast<double>(pipeline.microbatchSize);
        if (std::abs(pipeline.share * gbs - own) > kShareTolerance * gbs)
            faults.add(at, "share",
                       {"{share} of the global batch of {gbs} is not {sequences} sequences",
                        {{"share", pipeline.share}, {"gbs", problem.recipe().gbs}, {"sequences", own}}});
        sequences += own;
    }
    checkSharing(problem, plan, "/pipelines", faults);
    if (sequences != gbs)
        faults.add("", "pipelines",
                   {"{sequences} sequences an iteration; expected the global batch of {gbs}",
                    {{"sequences", sequences}, {"gbs", problem.recipe().gbs}}});
    return std::move(faults.list);
}

Status checkPlan(const Problem& problem, const Plan& plan, const std::string& where) {
    std::vector<Error> errors;
    for (PlanFault& fault : planFaults(problem, plan))
        errors.push_back(badInput("plan.structure", where + fault.where, std::move(fault.wording)));
    return statusOf(std::move(errors));
}

std::string canonicalKey(const Plan& plan) {
    std::string key;
    for (const Pipeline& p : plan.pipelines) {
        key += fmt::format("{}x{}x{}@{} {} {} {} [{}]", p.count, p.microbatches, p.microbatchSize, p.share,
                           name(p.schedule.kind), name(p.schedule.rule), p.schedule.chunks,
                           fmt::join(p.schedule.launch, ","));
        for (const Stage& s : p.stages) {
            for (const LayerRange& c : s.chunks)
                key += fmt::format(" {}-{}", c.first, c.last);
            key += fmt::format(" tp{} cp{} ep{} sp{} z{} {}{}:", s.tp, s.cp, s.ep, s.sequenceParallel ? 1 : 0,
                               s.zero, name(s.recompute), s.recomputeLayers);
            if (!s.partition.empty())
                key += fmt::format(" {{{}}}", partition::text(s.partition));
            for (const Replica& r : s.replicas)
                key += fmt::format("({}@{})", fmt::join(r.devices, ","), r.share);
        }
        key += ';';
    }
    return key;
}

std::string stagePattern(const Problem& problem, const Plan& plan) {
    std::string text;
    for (const Pipeline& pipeline : plan.pipelines) {
        if (!text.empty())
            text += " + ";
        if (pipeline.count > 1)
            text += fmt::format("{} x ", pipeline.count);
        const DeviceKind* before = nullptr;
        for (const Stage& stage : pipeline.stages) {
            const DeviceKind& kind = problem.topology().kindOf(stage.replicas.front().devices.front());
            if (before)
                text += before == &kind ? " " : " | ";
            text += std::to_string(stage.deviceCount() / pipeline.count);
            before = &kind;
        }
    }
    return text;
}

std::string shardingText(const Plan& plan) {
    std::set<int> stages;
    for (const Pipeline& pipeline : plan.pipelines)
        for (const Stage& stage : pipeline.stages)
            if (stage.zero > 1)
                stages.insert(stage.zero);
    return stages.empty() ? std::string() : fmt::format("ZeRO {}", fmt::join(stages, " and "));
}

std::string stagesText(const Problem& problem, const Plan& plan) {
    const std::string sharding = shardingText(plan);
    return stagePattern(problem, plan) + (sharding.empty() ? sharding : ", " + sharding);
}

} // namespace pw

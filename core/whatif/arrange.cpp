// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/whatif/arrange.h"

#include "core/plan/shares.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <string_view>
#include <system_error>

namespace pw::whatif {
namespace {

const Device& deviceAt(const Problem& problem, DeviceIndex d) {
    return problem.topology().devices()[static_cast<std::size_t>(d)];
}

bool spansNodes(const Problem& problem, const Stage& stage) {
    for (const Replica& replica : stage.replicas)
        for (std::size_t first = 0; first < replica.devices.size();
             first += static_cast<std::size_t>(stage.tp))
            for (std::size_t k = 1; k < static_cast<std::size_t>(stage.tp); ++k)
                if (!problem.topology().joined(replica.devices[first + k], replica.devices[first]))
                    return true;
    return false;
}

// Sequences of a micro-batch that each of so many replicas gets.
std::vector<std::int64_t> dealtOut(std::int64_t sequences, std::int64_t replicas) {
    std::vector<std::int64_t> list;
    for (std::int64_t r = 0; r < replicas; ++r)
        list.push_back(sequences / replicas + (r < sequences % replicas ? 1 : 0));
    return list;
}

// The stage that a place in a plan names: 3 of "plan/pipelines/0/stages/3/tp".
std::optional<int> stageIn(std::string_view place) {
    constexpr std::string_view kKey = "/stages/";
    const std::size_t key = place.find(kKey);
    if (key == std::string_view::npos)
        return std::nullopt;
    int stage = 0;
    const char* const begin = place.data() + key + kKey.size();
    const auto [end, problem] = std::from_chars(begin, place.data() + place.size(), stage);
    return problem == std::errc() && end != begin ? std::optional(stage) : std::nullopt;
}

} // namespace

Error refusal(Wording wording) {
    return infeasible("whatif.refused", "", std::move(wording));
}

Result<Plan> checked(const Problem& problem, Plan plan) {
    const Status sound = checkPlan(problem, plan, "plan");
    if (sound)
        return plan;
    const Error& error = sound.error();
    const std::optional<int> stage = stageIn(error.where);
    if (!stage)
        return refusal(error);
    return refusal({"stage {stage}: {why}", {{"stage", *stage}, {"why", error}}});
}

Status hasStage(const Plan& plan, int stage) {
    if (plan.pipelines.size() != 1)
        return refusal("only plans with one pipeline can be edited");
    const int stages = static_cast<int>(plan.pipelines.front().stages.size());
    if (stage < 0 || stage >= stages)
        return refusal(
            {"there is no stage {stage}; the plan has {stages}", {{"stage", stage}, {"stages", stages}}});
    return Ok{};
}

std::vector<DeviceIndex> devicesOf(const Stage& stage) {
    std::vector<DeviceIndex> devices;
    for (const Replica& replica : stage.replicas)
        devices.insert(devices.end(), replica.devices.begin(), replica.devices.end());
    return devices;
}

bool holds(const std::vector<DeviceIndex>& list, DeviceIndex d) {
    return std::find(list.begin(), list.end(), d) != list.end();
}

Result<Stage> arranged(const Problem& problem, const Pipeline& pipeline, Stage stage,
                       std::vector<DeviceIndex> devices, int tp) {
    const int each = tp * stage.cp, total = static_cast<int>(devices.size());
    if (tp < 1 || !divides(problem.model(), tp))
        return refusal({"tp {tp} does not divide the {heads} heads, {kv_heads} key-value heads and ffn {ffn} "
                        "of the model",
                        {{"tp", tp},
                         {"heads", problem.model().heads},
                         {"kv_heads", problem.model().kvHeads},
                         {"ffn", fmt::format("{}", fmt::join(mlpWidths(problem.model()), ", "))}}});
    if (total == 0 || total % (each * pipeline.count) != 0)
        return refusal({"{devices} devices cannot be divided into replicas of {each}",
                        {{"devices", total}, {"each", each}}});
    const std::int64_t replicas = total / each / pipeline.count;
    if (replicas > pipeline.microbatchSize)
        return refusal({"{sequences} sequences of a micro-batch cannot be shared by {replicas} replicas",
                        {{"sequences", pipeline.microbatchSize}, {"replicas", replicas}}});
    const bool mayspan = spansNodes(problem, stage);
    stage.replicas.clear();
    for (int first = 0; first < total; first += each)
        stage.replicas.push_back({{devices.begin() + first, devices.begin() + first + each}, 0.0});
    if (tp != stage.tp)
        stage.sequenceParallel = usesSequenceParallel(problem, tp);
    stage.tp = tp;
    const std::vector<std::int64_t> sequences =
        pipeline.count == 1 && mixesDevices(problem, stage)
            ? sequencesBySpeed(problem, CostTable(problem), stage, pipeline.microbatchSize)
            : dealtOut(pipeline.microbatchSize, replicas);
    for (std::size_t r = 0; r < stage.replicas.size(); ++r)
        stage.replicas[r].share = static_cast<double>(sequences[r % sequences.size()]) /
                                  static_cast<double>(pipeline.microbatchSize);
    if (!mayspan && spansNodes(problem, stage))
        return refusal({"a tensor-parallel group of {tp} would not stay inside a node", {{"tp", tp}}});
    for (const Replica& replica : stage.replicas)
        for (const DeviceIndex d : replica.devices)
            if (deviceAt(problem, d).kind != deviceAt(problem, replica.devices.front()).kind)
                return refusal({"a tensor-parallel group of {tp} would mix {kind} and {other}",
                                {{"tp", tp},
                                 {"kind", problem.topology().kindOf(replica.devices.front()).shortName},
                                 {"other", problem.topology().kindOf(d).shortName}}});
    stage.ep = std::gcd(stage.ep, stage.dp());
    stage.partition.clear();
    return stage;
}

Result<Stage> arrangedNearest(const Problem& problem, const Pipeline& pipeline, const Stage& stage,
                              const std::vector<DeviceIndex>& devices) {
    std::vector<int> sizes;
    for (int tp = 1; tp * stage.cp <= static_cast<int>(devices.size()); ++tp)
        sizes.push_back(tp);
    // Nearest by ratio, the smaller of two.
    const auto distance = [&](int tp) { return std::max(tp, stage.tp) * 1000 / std::min(tp, stage.tp); };
    std::stable_sort(sizes.begin(), sizes.end(), [&](int a, int b) { return distance(a) < distance(b); });
    std::optional<Error> first;
    for (const int tp : sizes) {
        Result<Stage> made = arranged(problem, pipeline, stage, devices, tp);
        if (made)
            return made;
        if (!first)
            first = made.error();
    }
    return first ? *first : refusal("no device is left");
}

std::vector<int> innerLayers(const Problem& problem, const Pipeline& pipeline) {
    const int head = static_cast<int>(problem.layers().size()) - 1;
    std::vector<int> inner;
    for (const Stage& stage : pipeline.stages) {
        int count = 0;
        for (const LayerRange& range : stage.chunks)
            count += std::min(range.last, head - 1) - std::max(range.first, 1) + 1;
        inner.push_back(count);
    }
    return inner;
}

Status layOut(const Problem& problem, Pipeline& pipeline, const std::vector<int>& inner) {
    const ChunkLayout layout = pipeline.layout();
    const int head = static_cast<int>(problem.layers().size()) - 1;
    for (Stage& stage : pipeline.stages)
        stage.chunks.assign(static_cast<std::size_t>(layout.chunks), {});
    int next = 1;
    for (int v = 0; v < layout.virtualStages(); ++v) {
        const int stage = layout.stageOf(v), chunk = layout.chunkOf(v);
        const int own = inner[static_cast<std::size_t>(stage)], blocks = own / 2;
        int count = own;
        if (layout.chunks > 1)
            count = 2 * (blocks / layout.chunks + (chunk < blocks % layout.chunks ? 1 : 0)) +
                    (chunk + 1 == layout.chunks ? own % 2 : 0);
        LayerRange range{v == 0 ? 0 : next, next + count - 1};
        next += count;
        if (v + 1 == layout.virtualStages())
            range.last = head;
        if (range.last < range.first)
            return refusal({layout.chunks > 1 ? "stage {stage} has too few blocks for {chunks} chunks"
                                              : "stage {stage} would be empty",
                            {{"stage", stage}, {"chunks", layout.chunks}}});
        pipeline.stages[static_cast<std::size_t>(stage)].chunks[static_cast<std::size_t>(chunk)] = range;
    }
    return Ok{};
}

} // namespace pw::whatif

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/capability.h"

#include "core/base/name_ranges.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace pw {

namespace {

// Of "stage 11", and of nothing else.
std::optional<int> stageAt(std::string_view where) {
    constexpr std::string_view kStage = "stage ";
    int number = 0;
    const char* const end = where.data() + where.size();
    if (!where.starts_with(kStage))
        return std::nullopt;
    const auto [rest, error] = std::from_chars(where.data() + kStage.size(), end, number);
    return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

// "0, 2, 5 to 7"
std::string numbersText(std::vector<int> numbers) {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    std::vector<std::string> names;
    names.reserve(numbers.size());
    for (const int number : numbers)
        names.push_back(std::to_string(number));
    return fmt::format("{}", fmt::join(nameRanges(names), ", "));
}

} // namespace

bool Capability::takes(ScheduleKind kind, std::size_t stages) const {
    return schedules.empty() || std::any_of(schedules.begin(), schedules.end(), [&](const ScheduleChoice& c) {
               return c.kind == kind && c.allows(stages);
           });
}

bool Capability::searches(ScheduleKind kind) const {
    return takes(kind) && (virtualStages || leastChunks(kind) == 1) &&
           std::find(notSearched.begin(), notSearched.end(), kind) == notSearched.end();
}

std::vector<int> Capability::zeroOf(Optimizer optimizer) const {
    std::vector<int> levels = zero;
    if (optimizer != Optimizer::Adam && !shardsSgd)
        std::erase_if(levels, [](int level) { return level > 0; });
    return levels;
}

bool Capability::runsOn(const DeviceKind& kind) const {
    return vendors.empty() || kind.vendor.empty() || std::ranges::find(vendors, kind.vendor) != vendors.end();
}

std::string stageName(const Plan& plan, std::size_t pipeline, std::size_t stage) {
    return plan.pipelines.size() > 1 ? fmt::format("stage {}.{}", pipeline, stage)
                                     : fmt::format("stage {}", stage);
}

std::vector<const DeviceKind*> usedKinds(const Problem& problem, const Plan& plan) {
    std::vector<const DeviceKind*> kinds;
    for (const Pipeline& pipeline : plan.pipelines)
        for (const Stage& stage : pipeline.stages)
            for (const Replica& replica : stage.replicas)
                for (const DeviceIndex d : replica.devices)
                    if (const DeviceKind* kind = &problem.topology().kindOf(d);
                        std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
                        kinds.push_back(kind);
    return kinds;
}

bool everyKindHasBf16(const Problem& problem, const Plan& plan) {
    const std::vector<const DeviceKind*> kinds = usedKinds(problem, plan);
    return std::all_of(kinds.begin(), kinds.end(), [](const DeviceKind* k) { return k->bf16.value > 0.0; });
}

int wholeBlocks(const Model& model, const LayerRange& range) {
    const int first = std::max(range.first, 1);
    const int last = std::min(range.last, fineLayerCount(model) - 2);
    const int begin = first / 2, end = last / 2; // blocks whose attention and MLP are both there
    return std::max(0, end - begin);
}

int commonRecomputedBlocks(const Problem& problem, const Plan& plan) {
    int partial = 0, most = 0;
    const auto each = [&](const auto& visit) {
        for (const Pipeline& pipeline : plan.pipelines)
            for (const Stage& stage : pipeline.stages) {
                int held = 0, largest = 0;
                for (const LayerRange& chunk : stage.chunks) {
                    held += wholeBlocks(problem.model(), chunk);
                    largest = std::max(largest, wholeBlocks(problem.model(), chunk));
                }
                const bool full = stage.recompute == Recompute::Full;
                const int done = !full                        ? 0
                                 : stage.recomputeLayers == 0 ? held
                                                              : std::min(held, stage.recomputeLayers);
                visit(stage, held, largest, done);
            }
    };
    bool possible = true;
    each([&](const Stage& stage, int held, int largest, int done) {
        most = std::max(most, largest);
        if (done == held)
            return;
        // A number of blocks is counted chunk by chunk, a plan's over all chunks of a stage.
        possible = possible && stage.chunks.size() == 1 && (partial == 0 || partial == done);
        partial = done;
    });
    if (partial == 0)
        return possible ? most : 0;
    each([&](const Stage&, int held, int, int done) {
        possible = possible && std::min(partial, held) == done;
    });
    return possible ? partial : 0;
}

std::vector<Refusal> refusalsOf(const CapabilityRow& feature, const Capability& capability,
                                const Problem& problem, const Plan& plan) {
    std::vector<Refusal> refusals;
    feature.check(capability, problem, plan, refusals);
    for (Refusal& refusal : refusals)
        if (refusal.code.empty())
            refusal.code = feature.code;
    return refusals;
}

Error reasonOf(const Refusal& refusal) {
    if (refusal.targets.empty())
        return infeasible(refusal.code, refusal.where, refusal);
    Params params = {{"refusal", refusal}, {"targets", fmt::format("{}", fmt::join(refusal.targets, ", "))}};
    params.insert(params.end(), refusal.params.begin(), refusal.params.end());
    return infeasible(refusal.code, refusal.where,
                      {"{refusal}. Can be expressed by {targets}", std::move(params)});
}

std::vector<Refusal> saidOnce(const std::vector<Refusal>& refusals) {
    std::vector<Refusal> said;
    std::vector<std::vector<int>> stages; // of each that is said
    for (const Refusal& refusal : refusals) {
        const std::optional<int> stage = stageAt(refusal.where);
        std::size_t at = 0;
        while (at < said.size() &&
               (!stage || stages[at].empty() || said[at].code != refusal.code ||
                said[at].message != refusal.message || said[at].targets != refusal.targets))
            ++at;
        if (at == said.size()) {
            said.push_back(refusal);
            stages.emplace_back();
        }
        if (stage)
            stages[at].push_back(*stage);
    }
    for (std::size_t i = 0; i < said.size(); ++i)
        if (stages[i].size() > 1)
            said[i].where = "stages " + numbersText(stages[i]);
    return said;
}

} // namespace pw

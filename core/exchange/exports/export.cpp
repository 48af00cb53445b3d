// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/export.h"

#include "core/base/text.h"
#include "core/exchange/exports/export_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace pw {

namespace {

namespace fs = std::filesystem;

Error refused(const ExporterRow& exporter, const std::vector<Refusal>& refusals) {
    Error error =
        infeasible(refusals.front().code, refusals.front().where,
                   {"{trainer} cannot run this plan; nothing was written", {{"trainer", exporter.label}}});
    for (const Refusal& r : refusals)
        error.reasons.push_back(reasonOf(r));
    return error;
}

} // namespace

const ExporterRow* exporterRow(std::string_view format) {
    for (const ExporterRow& row : exporterTable())
        if (format == row.format)
            return &row;
    return nullptr;
}

const ExportRelease* findRelease(const ExporterRow& exporter, std::string_view name) {
    for (const ExportRelease& release : exporter.releases)
        if (name.empty() || name == release.name)
            return &release;
    return nullptr;
}

namespace {

bool canTake(const CapabilityRow& feature, const ExporterRow& row, const Problem& problem, const Plan& plan) {
    return row.write != nullptr && refusalsOf(feature, row.capability, problem, plan).empty();
}

std::string releaseOf(const ExporterRow& row, const std::string& asked) {
    return asked.empty() ? row.releases.front().name : asked;
}

std::vector<Refusal> ownRefusals(const ExporterRow& row, const Problem& problem, const Plan& plan,
                                 const std::string& release) {
    std::vector<Refusal> refusals;
    if (row.checkQuestion != nullptr)
        row.checkQuestion(problem, releaseOf(row, release), refusals);
    if (row.check != nullptr)
        row.check(problem, plan, releaseOf(row, release), refusals);
    return refusals;
}

// A kind that the plan leaves idle may have kept all others from bf16.
void precisionNote(const Problem& problem, const Plan& plan, Diagnostics& notes) {
    if (problem.recipe().precision != Precision::Auto || problem.precision() == Precision::Bf16)
        return;
    const std::vector<const DeviceKind*> used = usedKinds(problem, plan);
    std::vector<std::string> idle;
    for (const DeviceKind& kind : problem.topology().kinds())
        if (kind.bf16.value <= 0.0 && std::find(used.begin(), used.end(), &kind) == used.end())
            idle.push_back(kind.shortName);
    if (everyKindHasBf16(problem, plan) && !idle.empty())
        notes.push_back(
            {Severity::Warning,
             "export.precision",
             "recipe",
             {"{precision}, because {kinds}, which the plan leaves idle, has no bf16: search again "
              "with {--forbid} {forbidden}",
              {{"precision", name(problem.precision())},
               {"kinds", fmt::format("{}", fmt::join(idle, " and "))},
               {"forbidden", fmt::format("{}", fmt::join(idle, ","))}}}});
}

// Trainers here are known by their CUDA builds.
void rocmNote(const Problem& problem, const Plan& plan, Diagnostics& notes) {
    for (const DeviceKind* kind : usedKinds(problem, plan))
        if (kind->vendor == "AMD")
            return notes.push_back(
                {Severity::Warning,
                 "export.rocm",
                 "cluster",
                 {"{kind}: PyTorch, the trainer and what it compiles have to be their ROCm "
                  "builds, which nothing here was tried with",
                  {{"kind", kind->shortName}}}});
}

std::vector<const ExporterRow*> otherTrainers(const ExporterRow& exporter, const Problem& problem) {
    std::vector<const ExporterRow*> rows;
    for (const ExporterRow& row : exporterTable())
        if (row.trainer && &row != &exporter && questionRefusals(row, problem).empty())
            rows.push_back(&row);
    return rows;
}

} // namespace

bool canRun(const ExporterRow& exporter, const Problem& problem, const Plan& plan) {
    const std::vector<CapabilityRow>& features = capabilityTable();
    return std::all_of(features.begin(), features.end(),
                       [&](const CapabilityRow& f) { return canTake(f, exporter, problem, plan); }) &&
           ownRefusals(exporter, problem, plan, {}).empty();
}

std::vector<Refusal> exportRefusals(const ExporterRow& exporter, const Problem& problem, const Plan& plan,
                                    const std::string& release) {
    std::vector<Refusal> refusals;
    std::optional<std::vector<const ExporterRow*>> others; // trainers that can run some plan of the problem
    const auto addAll = [&](std::vector<Refusal> more, const auto& takes) {
        if (more.empty())
            return;
        if (!others)
            others = otherTrainers(exporter, problem);
        std::vector<std::string> targets;
        for (const ExporterRow* row : *others)
            if (takes(*row))
                targets.emplace_back(row->format);
        for (Refusal& refusal : more) {
            refusal.targets = targets;
            refusals.push_back(std::move(refusal));
        }
    };
    for (const CapabilityRow& feature : capabilityTable())
        addAll(refusalsOf(feature, exporter.capability, problem, plan),
               [&](const ExporterRow& row) { return canTake(feature, row, problem, plan); });
    addAll(ownRefusals(exporter, problem, plan, release),
           [&](const ExporterRow& row) { return canRun(row, problem, plan); });
    return refusals;
}

std::vector<Refusal> questionRefusals(const ExporterRow& exporter, const Problem& problem) {
    std::vector<Refusal> refusals;
    for (const CapabilityRow& feature : capabilityTable())
        if (feature.ofAnyPlan)
            for (Refusal& refusal : refusalsOf(feature, exporter.capability, problem, {}))
                refusals.push_back(std::move(refusal));
    if (exporter.checkQuestion != nullptr)
        exporter.checkQuestion(problem, releaseOf(exporter, {}), refusals);
    return refusals;
}

std::vector<const ExporterRow*> expressibleBy(const Problem& problem, const Plan& plan) {
    std::vector<const ExporterRow*> rows;
    for (const ExporterRow& row : exporterTable())
        if (canRun(row, problem, plan))
            rows.push_back(&row);
    return rows;
}

namespace {

// Of trainers whose files say nothing of scaled positions; those on Megatron's core have flags for some, and
// torchtitan's say all that it takes.
void scalingNote(const ExporterRow& exporter, const Model& m, Diagnostics& notes) {
    constexpr std::array kSay = {"megatron", "flagscale", "nemo2", "megatron-bridge", "torchtitan"};
    const bool says = std::ranges::find(kSay, std::string_view(exporter.format)) != kSay.end();
    if (exporter.trainer && !says && scalesPositions(m))
        notes.push_back(
            {Severity::Warning,
             "export.rope_scaling",
             "model " + m.name,
             {"scales its rotary positions ({kind}), which the files do not say: give the trainer "
              "its flags for that, or it builds another model",
              {{"kind", m.rotaryScaling.kind}}}});
}

} // namespace

ExportResult makeExport(const ExporterRow& exporter, const ExportInput& input) {
    ExportResult result;
    result.refusals = exportRefusals(exporter, input.problem, input.plan, input.release);
    if (!result.refusals.empty())
        return result;
    ExportInput chosen = input;
    if (chosen.release.empty())
        chosen.release = exporter.releases.front().name;
    result.files = exporter.write(chosen);
    result.plan = exportedPlan(input.problem, input.plan);
    for (ExportFile& file : result.files)
        if (const fs::path extension = fs::path(file.name).extension();
            extension == ".csv" || extension == ".md")
            file.text = printable(file.text, kInText); // the formats of all others have escapes of their own
    bindTogether(result.files, result.plan);
    if (exporter.trainer) {
        precisionNote(input.problem, input.plan, result.notes);
        rocmNote(input.problem, input.plan, result.notes);
    }
    scalingNote(exporter, input.problem.model(), result.notes);
    if (exporter.notes != nullptr)
        exporter.notes(input.problem, input.plan, chosen.release, result.notes);
    return result;
}

std::optional<OfferedPlan> bestRunnable(const ExporterRow& exporter, const std::string& release,
                                        const Problem& problem, const std::vector<FoundPlan>& plans,
                                        Seconds refused) {
    const std::vector<CapabilityRow>& features = capabilityTable();
    for (std::size_t i = 0; i < plans.size(); ++i)
        if (std::all_of(
                features.begin(), features.end(),
                [&](const CapabilityRow& f) { return canTake(f, exporter, problem, plans[i].plan); }) &&
            ownRefusals(exporter, problem, plans[i].plan, release).empty())
            return OfferedPlan{i, plans[i].evaluation.iteration / refused - 1.0};
    return std::nullopt;
}

std::string text(const OfferedPlan& offer) {
    return fmt::format("plan {}, {:.1f} % slower", offer.index + 1, 100.0 * offer.slower);
}

void restrictTo(const Capability& capability, Space& space) {
    if (!capability.partitions)
        space.partitions = false;
    if (!capability.subLayers)
        space.fineCuts = false;
    if (capability.cp == Grain::No)
        space.maxCp = 1;
    if (capability.ep == Grain::No)
        space.maxEp = 1;
    if (capability.tp == Grain::No)
        space.maxTp = 1;
    if (!capability.foldsExperts)
        space.foldExperts = false;
    std::erase_if(space.sharded, [&](int zero) {
        return std::ranges::find(capability.zero, zero) == capability.zero.end();
    });
    space.alike.tp = capability.tp == Grain::Plan;
    space.alike.replicas = capability.dp != Replication::Stages;
    space.alike.gpus = !capability.stageSizes;
    if (capability.schedules.empty())
        return;
    space.schedules.clear();
    space.interleaved = space.interleaved && capability.takes(ScheduleKind::Interleaved);
    for (const ScheduleChoice& choice : capability.schedules)
        if (usesLaunchCounts(choice.kind))
            space.schedules.push_back(choice);
}

Status writeExport(const ExporterRow& exporter, const ExportResult& result, const fs::path& folder,
                   Replace replace) {
    if (!result.refusals.empty())
        return refused(exporter, result.refusals);
    return writeSet(result.files, result.plan, folder, replace);
}

} // namespace pw

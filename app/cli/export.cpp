// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/chosen_plan.h"
#include "app/cli/session.h"
#include "app/cli/table.h"

#include "core/base/text.h"
#include "core/exchange/exports/export.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>

namespace pw::cli {

namespace {

struct ExportFlags {
    PlanFlags plan;
    std::string format, release, out;
    bool list = false, force = false;
};

std::vector<std::string> releaseNames(const ExporterRow& row) {
    std::vector<std::string> names;
    for (const ExportRelease& release : row.releases)
        names.emplace_back(release.name);
    return names;
}

Json refusalsJson(const std::vector<Refusal>& refusals) {
    Json list = Json::array();
    for (const Refusal& r : refusals)
        list.push_back(
            {{"code", r.code}, {"where", r.where}, {"message", r.message}, {"targets", r.targets}});
    return list;
}

double slower(const JudgedPlan& than, const JudgedPlan& plan) {
    return plan.evaluation().iteration / than.evaluation().iteration - 1.0;
}

// The plan that the file has for the target, if that runs it and it fits: written in place of one that nobody
// named and that the target refuses.
Result<std::optional<JudgedPlan>> planInstead(const JudgedPlan& judged, const PlanFlags& flags,
                                              const ExporterRow& row, const std::string& release,
                                              bool keepOps) {
    Result<std::optional<JudgedPlan>> own = judgePlanFor(judged, flags, row, keepOps);
    if (own && *own &&
        ((*own)->refusal() || !exportRefusals(row, *(*own)->problem, (*own)->plan(), release).empty()))
        own->reset();
    return own;
}

// What every target makes of the plan, and feature by feature what it allows and whether the plan asks more.
Result<Answer> capabilityMatrix(const JudgedPlan& judged, const PlanFlags& flags) {
    const Problem& problem = *judged.problem;
    Json targets = Json::array();
    Table table({"format", "release", "takes the plan", "else the best plan of the file", "refused"});
    for (const ExporterRow& row : exporterTable()) {
        const std::vector<Refusal> refusals = exportRefusals(row, problem, judged.plan());
        Json features = Json::object();
        for (const CapabilityRow& feature : capabilityTable())
            features[feature.key] = {
                {"allowed", feature.allowed(row.capability)},
                {"refused", !refusalsOf(feature, row.capability, problem, judged.plan()).empty()}};
        Json entry = {{"format", row.format},
                      {"label", row.label},
                      {"releases", releaseNames(row)},
                      {"expressible", refusals.empty()},
                      {"features", std::move(features)},
                      {"refusals", refusalsJson(refusals)}};
        std::string offered;
        if (!refusals.empty()) {
            const auto own = planInstead(judged, flags, row, {}, false);
            if (!own)
                return own.error();
            if (const std::optional<JudgedPlan>& instead = *own) {
                const double apart = slower(judged, *instead); // less than 0 where kinds were left out for it
                offered = fmt::format("the one found for it, {:.1f} % {}", 100.0 * std::abs(apart),
                                      apart < 0.0 ? "faster" : "slower");
                entry["offered"] = {{"best_by_target", true}, {"slower", apart}};
            } else if (const auto offer =
                           bestRunnable(row, {}, problem, judged.listed, judged.evaluation().iteration)) {
                offered = text(*offer);
                entry["offered"] = {{"plan", offer->index + 1}, {"slower", offer->slower}};
            }
        }
        std::vector<std::string> codes;
        for (const Refusal& r : refusals)
            if (std::find(codes.begin(), codes.end(), r.code) == codes.end())
                codes.push_back(r.code);
        table.add({row.format, row.releases.front().name, refusals.empty() ? "yes" : "no", offered,
                   fmt::format("{}", fmt::join(codes, " "))});
        targets.push_back(std::move(entry));
    }
    return Answer{Json{{"targets", std::move(targets)}}, table.text(), {}};
}

ExportResult exported(const ExporterRow& row, const ExportRelease& release, const JudgedPlan& judged) {
    return makeExport(row,
                      {*judged.problem, judged.outcome, judged.plan(), judged.evaluation(), release.name});
}

// That another plan than the first was written, and of which devices.
Diagnostics takenInstead(const ExporterRow& row, const std::vector<Refusal>& refusals, double slower,
                         const JudgedPlan& own) {
    Diagnostics notes = own.outcome.notes;
    notes.insert(
        notes.begin(),
        {Severity::Note,
         "export.best_by_target",
         "plan",
         {slower < 0.0 ? "the first plan of the file is refused ({code}); written is the one that it "
                         "has for {target}, {percent} % faster"
                       : "the first plan of the file is refused ({code}); written is the one that it "
                         "has for {target}, {percent} % slower",
          {{"code", refusals.front().code},
           {"target", row.label},
           {"percent", fmt::format("{:.1f}", 100.0 * std::abs(slower))}}}});
    return notes;
}

Result<Answer> exportCommand(const Session& session, const ExportFlags& flags) {
    const Result<JudgedPlan> judged =
        judgePlan(session, flags.plan, !flags.list, flags.list ? FileBound::LeftOut : FileBound::Proven);
    if (!judged)
        return judged.error();
    if (flags.list)
        return capabilityMatrix(*judged, flags.plan);
    if (flags.format.empty() || flags.out.empty())
        return badInput("usage", flags.format.empty() ? "--format" : "--out",
                        "is needed, unless --list asks what every format makes of the plan");
    if (std::optional<Error> refusal = judged->refusal())
        return *refusal;
    const ExporterRow& row = *exporterRow(flags.format);
    const ExportRelease* release = findRelease(row, flags.release);
    if (release == nullptr)
        return badInput("usage", "--release",
                        {"\"{text}\" is no release of {format}; expected {known}",
                         {{"text", flags.release},
                          {"format", row.format},
                          {"known", fmt::format("{}", fmt::join(releaseNames(row), ", "))}}});
    ExportResult made = exported(row, *release, *judged);
    Json taken;
    if (!made.refusals.empty()) {
        const auto own = planInstead(*judged, flags.plan, row, release->name, true);
        if (!own)
            return own.error();
        if (*own) {
            const double more = slower(*judged, **own);
            Diagnostics notes = takenInstead(row, made.refusals, more, **own);
            made = exported(row, *release, **own);
            append(notes, std::move(made.notes));
            made.notes = std::move(notes);
            taken = {{"best_by_target", true}, {"slower", more}};
        }
    }
    for (const ExportFile& file : made.files)
        if (std::optional<Error> lost =
                overwritten(session.named, "--out", std::filesystem::path(flags.out) / file.name))
            return *lost;
    if (Status written = writeExport(row, made, flags.out, flags.force ? Replace::All : Replace::Unchanged);
        !written) {
        Error error = written.error();
        if (made.refusals.empty())
            return error;
        if (const auto offer = bestRunnable(row, release->name, *judged->problem, judged->listed,
                                            judged->evaluation().iteration))
            error.reasons.push_back(
                infeasible("export.other_plan", "",
                           {"the best plan of the file that it can run: {plan}", {{"plan", text(*offer)}}}));
        std::vector<std::string> others;
        for (const ExporterRow* other : expressibleBy(*judged->problem, judged->plan()))
            others.emplace_back(other->format);
        error.reasons.push_back(infeasible("export.other_formats", "",
                                           {"formats that take the whole plan: {formats}",
                                            {{"formats", fmt::format("{}", fmt::join(others, ", "))}}}));
        return error;
    }
    std::vector<std::string> files;
    for (const ExportFile& file : made.files)
        files.push_back(file.name);
    std::string text = fmt::format("{}, written to {}:\n", release->label, flags.out);
    for (const std::string& file : files)
        text += fmt::format("  {}\n", file);
    Json notes = Json::array();
    for (const Diagnostic& note : made.notes) {
        text += fmt::format("{}: {}\n", name(note.severity), printable(note.text(), kInLine));
        notes.push_back({{"code", note.code}, {"where", note.where}, {"message", note.message}});
    }
    Json document = {{"format", row.format},
                     {"release", release->label},
                     {"out", flags.out},
                     {"files", files},
                     {"notes", std::move(notes)}};
    if (!taken.is_null())
        document["taken"] = std::move(taken);
    return Answer{std::move(document), text, {}};
}

std::string formatsHelp() {
    std::string text = "Formats and the releases that they are written for, newest first:\n";
    for (const ExporterRow& row : exporterTable())
        text += fmt::format("  {:<16} {} ({})\n", row.format, row.releases.front().label,
                            fmt::join(releaseNames(row), ", "));
    return text;
}

} // namespace

Command addExport(CLI::App& app) {
    auto flags = std::make_shared<ExportFlags>();
    CLI::App* sub = app.add_subcommand(
        "export", "write a plan as files of a trainer or a viewer; refuses, never approximates");
    sub->add_option("--format", flags->format, "see below")
        ->type_name("F")
        ->check([](const std::string& text) {
            std::vector<std::string> formats;
            for (const ExporterRow& row : exporterTable())
                formats.emplace_back(row.format);
            return exporterRow(text) != nullptr
                       ? std::string()
                       : fmt::format("\"{}\" is none of {}", text, fmt::join(formats, ", "));
        });
    sub->add_option("--release", flags->release, "of the format's program (default: the newest)")
        ->type_name("R");
    sub->add_flag("--list", flags->list, "what every format makes of the plan, instead of files");
    flags->plan.addTo(*sub);
    sub->add_flag("--force", flags->force, "replace files of the folder that were changed by hand");
    sub->add_option("--out", flags->out, "folder to write to")->type_name("DIR");
    sub->footer(formatsHelp());
    return {sub, [flags](const Session& session) { return exportCommand(session, *flags); }};
}

} // namespace pw::cli

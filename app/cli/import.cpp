// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/import_files.h"
#include "app/cli/parse.h"
#include "app/cli/session.h"

#include "core/base/file.h"
#include "core/base/in_file.h"
#include "core/document/plan_document.h"
#include "core/exchange/imports/measurements/profile_file.h"
#include "core/links/link_apply.h"
#include "core/links/link_fit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

namespace pw::cli {

namespace {

// The file that a sort of import becomes.
struct Written {
    std::string text;
    Json document;
};

// A file that can be read is accepted whatever it is silent on. What it says is written as it is, with what a
// cluster still needs as warnings, unless flags answer: who states one answer wants the cluster.
Written inventoryFile(ImportedFiles& imported, const Error& asked) {
    const auto& inventory = std::get<Inventory>(imported.all.what);
    Json open = Json::array();
    for (Diagnostic& question : diagnosticsOf(asked)) {
        open.push_back({{"where", question.where}, {"question", question.message}});
        question.severity = Severity::Warning;
        imported.all.notes.push_back(std::move(question));
    }
    Json file = {{"schema", "pipewright-inventory-1"}, {"inventory", toJson(inventory)}, {"asked", open}};
    return {printJson(file), Json{{"wrote", "inventory"}, {"asked", std::move(open)}}};
}

// Hosts are known by the files that tell of them; flags are nobody's but the caller's.
Error inFiles(const Error& error, const std::vector<std::string>& files) {
    constexpr std::size_t kMost = 3; // of large clusters there are hundreds, and each reason has them all
    const auto shown = static_cast<std::ptrdiff_t>(std::min(files.size(), kMost));
    std::string all = fmt::format("{}", fmt::join(files.begin(), files.begin() + shown, ", "));
    if (files.size() > kMost)
        all += fmt::format(" +{}", files.size() - kMost);
    const auto named = [&all](const Error& one) {
        return one.where.starts_with("--") ? one : inFile(one, all);
    };
    Error top = error;
    top.reasons.clear();
    top = named(top);
    for (const Error& reason : error.reasons)
        top.reasons.push_back(named(reason));
    return top;
}

Result<Written> clusterFile(ImportedFiles& imported, const ImportFlags& flags, const std::string& out) {
    const Result<ClusterAnswers> answers = flags.answers();
    if (!answers)
        return answers.error();
    const std::string name = out.empty() ? "cluster" : std::filesystem::path(out).stem().string();
    const Result<Cluster> cluster =
        clusterOf(std::get<Inventory>(imported.all.what), *answers, name, imported.all.notes);
    if (!cluster)
        return flags.answersAnything() ? Result<Written>(inFiles(cluster.error(), imported.files))
                                       : inventoryFile(imported, cluster.error());
    append(imported.all.notes, checkCluster(*cluster));
    const Json json = toJson(*cluster);
    return Written{printJson(json), Json{{"cluster", json}, {"wrote", "cluster"}}};
}

// Timed collectives by themselves, or on the machines of --cluster, which then predict what was measured.
Result<Written> linksFile(const Session& session, ImportedFiles& imported, const ImportFlags& flags) {
    const auto& links = std::get<std::vector<LinkMeasurement>>(imported.all.what);
    if (!flags.problem.onMachines(session)) {
        if (!flags.to.empty())
            return badInput("usage", "--to", "names items of --cluster, which is missing");
        return Written{printLinks(links), {}};
    }
    const Result<Cluster> cluster = flags.problem.cluster(session);
    if (!cluster)
        return cluster.error();
    const Result<std::vector<std::string>> named =
        flags.to.empty() ? std::vector<std::string>() : parseList("--to", flags.to);
    if (!named)
        return named.error();
    const Result<Cluster> changed = applyMeasurements(*cluster, links, *named, imported.all.notes);
    if (!changed)
        return changed.error();
    const Json json = toJson(*changed);
    return Written{printJson(json), Json{{"cluster", json}, {"wrote", "cluster"}}};
}

// A trainer's plan becomes a plan document where --cluster says on which machines; else what it says of the
// model is written.
Result<Written> planFile(const Session& session, ImportedFiles& imported, const ImportFlags& flags) {
    const auto& plan = std::get<TrainerPlan>(imported.all.what);
    if (flags.problem.onMachines(session)) {
        const Result<ProblemFlags::ChosenPlan> bound =
            flags.problem.bind(session, plan, imported.files.front());
        if (!bound)
            return bound.error();
        Result<Evaluation> evaluation = evaluate(*bound->problem, bound->plan);
        if (!evaluation)
            return evaluation.error();
        SearchOutcome outcome;
        outcome.status = SearchStatus::Feasible;
        outcome.planner = "hand-written";
        outcome.plans = {FoundPlan{bound->plan, *std::move(evaluation)}};
        outcome.covered = false;
        return Written{printJson(planDocument(*bound->problem, outcome)), Json{{"wrote", "plan"}}};
    }
    if (!plan.model)
        return badInput("import.cluster", "--cluster",
                        {"on which machines does the plan of {file} run? It holds no model to write instead",
                         {{"file", imported.files.front()}}});
    imported.all.notes.push_back({Severity::Warning, "import.model_only", imported.files.front(),
                                  "The model is written; the plan too with --cluster"});
    return Written{printJson(toJson(*plan.model)), Json{{"wrote", "model"},
                                                        {"model", toJson(*plan.model)},
                                                        {"parameters", parameterCount(*plan.model)}}};
}

Result<Written> fileOf(const Session& session, ImportedFiles& imported, const ImportFlags& flags,
                       const std::string& out) {
    if (const Model* model = imported.model())
        return Written{printJson(toJson(*model)), {}};
    if (std::holds_alternative<std::vector<LinkMeasurement>>(imported.all.what))
        return linksFile(session, imported, flags);
    if (std::holds_alternative<Inventory>(imported.all.what))
        return clusterFile(imported, flags, out);
    if (std::holds_alternative<TrainerPlan>(imported.all.what))
        return planFile(session, imported, flags);
    return Written{printProfiles(*imported.rows()), {}};
}

Result<Answer> importCommand(const Session& session, const ImportFlags& flags, const std::string& out) {
    Result<ImportedFiles> imported = importFiles(session, flags);
    if (!imported)
        return imported.error();
    const Result<Written> made = fileOf(session, *imported, flags, out);
    if (!made)
        return made.error();
    Json document = imported->document();
    if (made->document.is_object())
        document.update(made->document);
    if (out.empty()) {
        document.erase("wrote");
        return Answer{std::move(document), imported->text(), {}};
    }
    if (Status written = writeFileAtomically(out, made->text); !written)
        return written.error();
    document["out"] = out;
    const char* what = document.value("wrote", "") == "inventory" ? "what was read is " : "";
    return Answer{std::move(document), imported->text() + fmt::format("{}written to {}\n", what, out), {}};
}

} // namespace

Command addImport(CLI::App& app) {
    struct Flags {
        ImportFlags files;
        std::string out;
    };
    auto flags = std::make_shared<Flags>();
    CLI::App* sub =
        app.add_subcommand("import", "read files of others: models, machines, measured layers and links");
    flags->files.addTo(*sub);
    flags->files.addAnswersTo(*sub);
    sub->add_option("--out", flags->out,
                    "file to write; without it what was read is shown and nothing written")
        ->type_name("FILE");
    return {sub, [flags](const Session& session) { return importCommand(session, flags->files, flags->out); },
            true};
}

} // namespace pw::cli

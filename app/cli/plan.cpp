// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/answers_text.h"
#include "app/cli/best_so_far.h"
#include "app/cli/parse.h"
#include "app/cli/plan_output.h"
#include "app/cli/problem_flags.h"
#include "app/cli/progress_line.h"
#include "app/cli/session.h"
#include "app/cli/stored_plans.h"

#include "core/answers/run_deadline.h"
#include "core/base/pipes.h"
#include "core/base/trace.h"
#include "core/document/plan_document.h"
#include "core/search/options.h"
#include "core/search/planners.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <map>
#include <optional>
#include <unistd.h>

namespace pw::cli {

namespace {

constexpr const char* kAllPlanners = "all";  // --planner
constexpr const char* kEveryTrainer = "all"; // --target

struct SearchFlags {
    ProblemFlags problem;
    std::map<std::string, std::string> options; // by name of the option table
    std::string target;
    std::string maxTp, maxCp, maxEp;
    std::string require;
    std::string deadline;
    std::string objective = "time";
    bool answers = false;
    bool surer = false;
    bool ablations = false;
    bool explain = false;
    PlanOutput output;
    std::string keep;
};

// Refuses, before anything is searched, a place where the document could not be written afterwards.
Status writable(const std::string& out) {
    namespace fs = std::filesystem;
    if (isWrittenThrough(out))
        return Ok{};
    std::error_code ignored;
    const fs::path folder = fs::path(out).has_parent_path() ? fs::path(out).parent_path() : fs::path(".");
    if (fs::is_directory(out, ignored))
        return badInput("plan.out", out, "is a folder; --out takes a file");
    if (!fs::is_directory(folder, ignored))
        return badInput("plan.out", out, {"there is no folder {folder}", {{"folder", folder.string()}}});
    if (access(folder.c_str(), W_OK | X_OK) != 0)
        return badInput("plan.out", out,
                        {"the folder {folder} cannot be written", {{"folder", folder.string()}}});
    return Ok{};
}

// Both places, before anything is searched for them.
Status writable(const Session& session, const SearchFlags& flags) {
    if (!flags.output.out.empty())
        if (Status possible = writable(flags.output.out); !possible)
            return possible;
    if (!flags.keep.empty())
        if (const auto store = openPatiently(session, flags.keep); !store)
            return store.error();
    return Ok{};
}

// `document`: for the file and the database, with devices as `names` says.
Answer written(const Session& session, const SearchFlags& flags, Json document, DeviceNames names,
               Answer answer) {
    if (!flags.keep.empty() && !answer.refused)
        keepPlans(session, flags.keep, document, answer);
    if (flags.output.out.empty() || answer.refused)
        return answer;
    if (Status done = flags.output.write(document, names); !done)
        answer.refused = done.error(); // what was found is printed all the same
    else
        answer.text += fmt::format("\nwritten to {}\n", flags.output.out);
    return answer;
}

// The question that the flags ask, and the largest parallel sizes among them.
struct Asked {
    Question question;
    Space space;
    std::optional<RunDeadline> deadline;
};

Result<Asked> askedBy(const SearchFlags& flags) {
    Asked asked;
    Question& question = asked.question;
    if (!flags.deadline.empty()) {
        const Result<RunDeadline> deadline = parseRunDeadline(flags.deadline);
        if (!deadline)
            return badInput("usage", "--deadline", deadline.error());
        asked.deadline = *deadline;
        question.deadline = deadline->time; // until the batch is known
    }
    const bool all = flags.options.at("planner") == kAllPlanners;
    for (const auto& [name, text] : flags.options)
        if (!text.empty() && !(all && name == "planner"))
            if (Status set = setSearchOption(question.options, name, text); !set) {
                Wording why = set.error();
                if (name == "planner") // a word of this flag, and no planner
                    why = {"\"{text}\"; expected {expected}, or {all}",
                           {{"text", text}, {"expected", why.param("expected")}, {"all", kAllPlanners}}};
                return badInput("usage", "--" + name, std::move(why));
            }
    if (flags.ablations && !all)
        return badInput("usage", "--ablations", {"is of --planner {all}", {{"all", kAllPlanners}}});
    if (all)
        question.entrants = allPlanners();
    question.everyTrainer = flags.target == kEveryTrainer;
    question.target = exporterRow(flags.target);
    if (!flags.require.empty()) {
        Result<std::vector<std::string>> names = parseList("--require", flags.require);
        if (!names)
            return names.error();
        question.required = *std::move(names);
    }
    question.objective = *objectiveFromName(flags.objective);
    question.around = flags.answers;
    question.surer = flags.surer;
    for (const auto& [flag, text, largest] : {std::tuple("--max-tp", &flags.maxTp, &asked.space.maxTp),
                                              std::tuple("--max-cp", &flags.maxCp, &asked.space.maxCp),
                                              std::tuple("--max-ep", &flags.maxEp, &asked.space.maxEp)}) {
        if (text->empty())
            continue;
        const auto most = parseCounts(flag, *text, 1, kMostAskedSize);
        if (!most || most->size() != 1)
            return most ? badInput("usage", flag, "takes one number") : most.error();
        *largest = static_cast<int>(most->front());
    }
    return asked;
}

Result<Answer> plan(const Session& session, const SearchFlags& flags) {
    Result<Asked> asked = askedBy(flags);
    if (!asked)
        return asked.error();
    // Every document says what its search did, asked for or not; a log is told while it happens.
    TraceSink untold;
    std::optional<TraceLog> told;
    asked->question.options.trace = session.log ? &told.emplace(*session.log, "search") : &untold;
    if (Status possible = writable(session, flags); !possible)
        return possible.error();
    const Result<std::shared_ptr<const Problem>> problem = flags.problem.problem(session, asked->space);
    if (!problem)
        return problem.error();
    if (asked->deadline)
        asked->question.deadline = asked->deadline->ofIteration((*problem)->recipe());
    if (asked->deadline && asked->deadline->isOfRun())
        asked->question.run = asked->deadline;
    if (flags.ablations)
        asked->question.entrants = allPlannersWith(allAblations(), **problem, asked->question.options);
    ProgressLine progress(session);
    const auto answer = [&] {
        PlanOutput output = flags.output;
        if (isWrittenThrough(output.out))
            output.out.clear();
        BestSoFar observer(progress, *problem, asked->question, std::move(output));
        return ask(*problem, asked->question, observer, session.stop);
    }();
    if (!answer)
        return answer.error();
    const auto document = [&](DeviceNames names) {
        Json made = documentOf(*answer, names);
        if (session.reproducible)
            leaveOutRunTimes(made);
        return made;
    };
    const DeviceNames names = flags.output.names((*problem)->topology());
    const bool kept = !flags.output.out.empty() || !flags.keep.empty();
    Json onDisk = kept ? document(names) : Json();
    Json shown = Json::object(); // nobody sees it without --json, and of 16,384 devices it takes a second
    if (session.json)
        shown = kept && names == DeviceNames::Each ? onDisk : document(DeviceNames::Each);
    return written(session, flags, std::move(onDisk), names,
                   {std::move(shown), answerText(*answer, flags.explain), answer->refused});
}

// Behind the options: what each planner does.
std::string plannersHelp() {
    std::string text = "Planners:\n";
    for (const PlannerRow& planner : plannerTable()) {
        text += fmt::format("  {:<12} {} ({}).\n{:15}Stage candidates by default: {}\n", planner.name,
                            planner.help, planner.standing, "", planner.workText);
        if (!planner.parts.empty())
            text += fmt::format("{:15}Knows --without {}\n", "", fmt::join(planner.parts, ", "));
    }
    text += fmt::format("  {:<12} Each of them, in one table\n", kAllPlanners);
    text += "Parts to leave out, so that what they bring can be seen:\n";
    for (const SearchPart& part : searchPartTable())
        text += fmt::format("  {:<12} {}\n", part.name, part.help);
    return text;
}

} // namespace

Command addPlan(CLI::App& app) {
    auto flags = std::make_shared<SearchFlags>();
    CLI::App* sub = app.add_subcommand("plan", "search for the fastest plan of a problem");
    flags->problem.addTo(*sub);
    for (const SearchOptionRow& row : searchOptionTable()) {
        using Type = SearchOptionRow::Type;
        const bool described = row.type() == Type::Planner || row.type() == Type::Parts;
        sub->add_option(std::string("--") + row.name, flags->options[row.name],
                        described ? fmt::format("{}, see below", row.help)
                                  : fmt::format("{} (default {})", row.help,
                                                searchOptionText(SearchOptions{}, row.name)))
            ->type_name(row.type() == Type::Planner    ? "NAME"
                        : row.type() == Type::Parts    ? "PART,..."
                        : row.type() == Type::Switch   ? "on|off"
                        : row.type() == Type::Duration ? "S"
                                                       : "N")
            ->group("Search");
    }
    sub->add_option("--target", flags->target,
                    fmt::format("only plans that this export format can run; {}: the best for each trainer",
                                kEveryTrainer))
        ->type_name("EXPORT")
        ->group("Search")
        ->check([](const std::string& text) {
            return text == kEveryTrainer ? std::string() : isExportFormat(text);
        });
    sub->add_flag("--ablations", flags->ablations,
                  fmt::format("with --planner {}: each planner without each of its parts, too", kAllPlanners))
        ->group("Search");
    sub->add_option("--require", flags->require, "nodes, devices or device kinds that every plan must use")
        ->type_name("LIST")
        ->group("Search");
    sub->add_option("--max-cp", flags->maxCp,
                    "largest context-parallel size (default: 1 but for long or few sequences)")
        ->type_name("N")
        ->group("Search");
    sub->add_option("--max-ep", flags->maxEp,
                    "largest expert-parallel size (default 64 for models with experts)")
        ->type_name("N")
        ->group("Search");
    sub->add_option("--max-tp", flags->maxTp, "largest tensor-parallel size (default 8)")
        ->type_name("N")
        ->group("Search");
    sub->add_option(
           "--deadline", flags->deadline,
           "the fewest GPUs, by whole nodes, with an iteration of at most this many seconds, or a run "
           "that ends in time, as in \"30 days for 15T tokens\"; with --objective the best by that "
           "in this time")
        ->type_name("T")
        ->group("Search");
    std::vector<std::string> objectives;
    for (const ObjectiveRow& row : objectiveTable())
        objectives.emplace_back(row.name);
    sub->add_option("--objective", flags->objective,
                    "what a plan is to be good at, beside its time: a Pareto front of both, with --deadline "
                    "of the plans that meet it (default time)")
        ->check(CLI::IsMember(objectives))
        ->type_name(fmt::format("{}", fmt::join(objectives, "|")))
        ->group("Search");
    sub->add_flag("--answers", flags->answers,
                  "also how sure the order of the plans is, what to measure, and what slow, lost and extra "
                  "nodes and faster links change")
        ->group("Search");
    sub->add_flag("--surer", flags->surer,
                  "search also for the fastest plan that is likely to fit, where the best one is not, as the "
                  "window does; about half more time. Of a plain search or one for a --target")
        ->group("Search");
    sub->add_flag("--explain", flags->explain,
                  "also what each phase of the search did and took, and which found the best plan")
        ->group("Search");
    flags->output.addTo(*sub, "write the plan document to a file");
    sub->add_option("--keep", flags->keep, "keep the plans in a profile database, under their problem's hash")
        ->type_name("DB");
    sub->footer(plannersHelp());
    return {sub, [flags](const Session& session) { return plan(session, *flags); }, true};
}

} // namespace pw::cli

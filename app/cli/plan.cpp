// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/answers_text.h"
#include "app/cli/parse.h"
#include "app/cli/plan_text.h"
#include "app/cli/problem_flags.h"
#include "app/cli/progress_line.h"
#include "app/cli/session.h"
#include "app/cli/stored_plans.h"

#include "core/answers/require.h"
#include "core/answers/target_search.h"
#include "core/base/file.h"
#include "core/base/units.h"
#include "core/document/plan_document.h"
#include "core/search/options.h"
#include "core/search/planners.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace pw::cli {

namespace {

constexpr const char* kAllPlanners = "all"; // --planner

struct SearchFlags {
    ProblemFlags problem;
    std::map<std::string, std::string> options; // by name of the option table
    std::string target;
    std::string maxTp, maxCp, maxEp;
    std::string require;
    std::string deadline;
    std::string objective = "time";
    bool answers = false;
    bool explain = false;
    std::string out;
    std::string keep;
};

const PlannerRow& plannerRow(const std::string& name) {
    const std::vector<PlannerRow>& table = plannerTable();
    return *std::find_if(table.begin(), table.end(), [&](const PlannerRow& row) { return name == row.name; });
}

std::string boundText(const SearchOutcome& outcome) {
    if (!outcome.covered)
        return "the best plan lies outside the spaces that bounds are proven for: no gap\n";
    if (outcome.bound.value.value <= 0)
        return {};
    return fmt::format("no plan of the space ({}) is predicted under {}{}\n", outcome.bound.scope.text(),
                       formatDuration(outcome.bound.value),
                       outcome.plans.empty() ? "" : fmt::format("; gap {:.2f} %", 100 * outcome.gap()));
}

std::string bestText(const Problem& problem, const SearchOutcome& outcome) {
    const FoundPlan& best = outcome.plans.front();
    return figuresText(problem, best.plan, best.evaluation) + notesText(problem, outcome.notes) + "\n" +
           stagesTable(problem, best.plan, best.evaluation);
}

std::string summary(const Problem& problem, const SearchOutcome& outcome, bool explain) {
    const PlannerRow& planner = plannerRow(outcome.planner);
    std::string text = problemLine(problem);
    text += fmt::format("{} ({}{}{}): {} after {}, {} candidates, {} plans simulated\n", planner.label,
                        planner.standing, outcome.without.empty() ? "" : ", without ",
                        fmt::join(outcome.without, " and "), endText(outcome),
                        formatDuration(Seconds(outcome.wall)), outcome.work, outcome.evaluated);
    text += boundText(outcome);
    if (!outcome.plans.empty())
        text += "\n" + plansTable(problem, outcome) + "\nplan 1: " + bestText(problem, outcome);
    if (!outcome.rejected.empty()) {
        text += "\nrejected:\n";
        for (const auto& [reason, count] : outcome.rejected)
            text += fmt::format("  {:>12}  {}\n", count, reason);
    }
    if (explain)
        text += "\n" + phasesTable(outcome);
    return text;
}

std::string summary(const Problem& problem, const Tournament& tournament, const SearchOutcome& overall,
                    bool explain) {
    std::string text = problemLine(problem) + "all planners, each with its own budget unless one is given\n" +
                       boundText(overall) + "\n" + tournamentTable(problem, tournament);
    if (!overall.plans.empty())
        text += fmt::format("\nplan 1 ({}): ", tournament.ranked().front()->planner->label) +
                bestText(problem, overall);
    if (explain)
        text += "\n" + phasesTable(overall);
    return text;
}

std::optional<Error> refusal(const SearchOutcome& outcome) {
    if (!outcome.plans.empty())
        return std::nullopt;
    if (outcome.status == SearchStatus::Infeasible)
        return infeasible("search.infeasible", "", "no plan of this space can run", outcome.reasons);
    const bool budget = outcome.status == SearchStatus::Budget;
    return stopped(budget ? "search.budget" : "search.stopped",
                   outcome.timeLimit ? "the time limit ended before a plan was found"
                   : budget          ? "the budget ended before a plan was found"
                                     : "stopped before a plan was found");
}

// Refuses, before anything is searched, a place where the document could not be written afterwards.
Status writable(const std::string& out) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    const fs::path folder = fs::path(out).has_parent_path() ? fs::path(out).parent_path() : fs::path(".");
    if (fs::is_directory(out, ignored))
        return badInput("plan.out", out, "is a folder; --out takes a file");
    if (!fs::is_directory(folder, ignored))
        return badInput("plan.out", out, fmt::format("there is no folder {}", folder.string()));
    if (access(folder.c_str(), W_OK | X_OK) != 0)
        return badInput("plan.out", out, fmt::format("the folder {} cannot be written", folder.string()));
    return Ok{};
}

Answer written(const SearchFlags& flags, Answer answer) {
    if (!flags.keep.empty() && !answer.refused)
        keepPlans(flags.keep, answer);
    if (flags.out.empty() || answer.refused)
        return answer;
    if (Status done = writeFileAtomically(flags.out, printJson(answer.document)); !done)
        answer.refused = done.error(); // what was found is printed all the same
    else
        answer.text += fmt::format("\nwritten to {}\n", flags.out);
    return answer;
}

Result<Answer> planAll(const Session& session, const SearchFlags& flags,
                       const std::shared_ptr<const Problem>& problem, const SearchOptions& options,
                       const ExporterRow* target, std::size_t top) {
    Result<Tournament> tournament = [&] {
        ProgressLine progress(session);
        return searchAll(problem, options, progress, session.stop);
    }();
    if (!tournament)
        return tournament.error();
    for (TournamentRow& row : tournament->rows)
        if (target != nullptr && !row.leftOut)
            if (const auto unrunnable = keepRunnable(*problem, *target, top, row.outcome)) {
                row.refusal = unrunnable->message;
                for (const Error& reason : unrunnable->reasons)
                    row.refusal += "; " + reasonText(reason);
            }
    const SearchOutcome overall = tournament->overall();
    return written(flags, {tournamentDocument(*problem, *tournament),
                           summary(*problem, *tournament, overall, flags.explain), refusal(overall)});
}

Answer planForDeadline(const DeadlineAnswer& found, bool explain) {
    Json document = planDocument(*found.problem, found.outcome);
    document["deadline"] = toJson(found);
    const std::string text = deadlineText(found);
    return {std::move(document),
            found.met ? text + "\n" + summary(*found.problem, found.outcome, explain)
                      : problemLine(*found.problem) + text,
            refusalOf(found)};
}

// What the target costs, beside the best plan of an open search with the same budget.
void addTargetCost(Answer& answer, const ExporterRow& target, Seconds best, const SearchOutcome& open) {
    answer.document["target"] = {{"format", target.format}, {"release", target.releases.front().label}};
    if (open.plans.empty())
        return;
    const Seconds without = std::min(best, open.plans.front().evaluation.iteration);
    answer.document["target"]["unrestricted_s"] = without.value;
    answer.text +=
        without < best
            ? fmt::format("\nbest plan for any trainer: {}; what {} can run is {:.1f} % slower\n",
                          formatDuration(without), target.label, 100.0 * (best / without - 1.0))
            : fmt::format("\nno faster plan was found for any trainer than what {} can run\n", target.label);
}

Result<Answer> plan(const Session& session, const SearchFlags& flags) {
    // Every document says what its search did, asked for or not; a log is told while it happens.
    TraceSink untold;
    std::optional<TraceLog> told;
    SearchOptions options;
    options.trace = session.log ? &told.emplace(*session.log, "search") : &untold;
    Seconds deadline;
    if (!flags.deadline.empty()) {
        const Result<double> seconds = parseDuration(flags.deadline);
        if (!seconds || *seconds <= 0.0)
            return badInput("usage", "--deadline",
                            seconds ? "takes a time above 0, as in 2.5 or 800ms" : seconds.error().message);
        deadline = Seconds(*seconds);
    }
    const bool all = flags.options.at("planner") == kAllPlanners;
    for (const auto& [name, text] : flags.options)
        if (!text.empty() && !(all && name == "planner"))
            if (Status set = setSearchOption(options, name, text); !set)
                return badInput("usage", "--" + name, set.error().message);
    if (!flags.out.empty())
        if (Status possible = writable(flags.out); !possible)
            return possible.error();
    const ExporterRow* target = exporterRow(flags.target);
    const bool constrained = target != nullptr && (target->trainer || target->check != nullptr);
    const auto top = static_cast<std::size_t>(options.top);
    std::vector<std::string> required;
    if (!flags.require.empty()) {
        Result<std::vector<std::string>> names = parseList("--require", flags.require);
        if (!names)
            return names.error();
        required = *std::move(names);
        options.top = std::max(options.top, kLookedThrough);
    }
    Space space;
    for (const auto& [flag, text, largest] : {std::tuple("--max-tp", &flags.maxTp, &space.maxTp),
                                              std::tuple("--max-cp", &flags.maxCp, &space.maxCp),
                                              std::tuple("--max-ep", &flags.maxEp, &space.maxEp)}) {
        if (text->empty())
            continue;
        const auto most = parseCounts(flag, *text, 1, 1024);
        if (!most || most->size() != 1)
            return most ? usage(fmt::format("{} takes one number", flag)) : most.error();
        *largest = static_cast<int>(most->front());
    }
    if (all && constrained) {
        restrictTo(target->capability, space);
        options.top = std::max(options.top, kLookedThrough);
        restrictTo(target->capability, options);
    }
    const Result<std::shared_ptr<const Problem>> problem = flags.problem.problem(session, space);
    if (!problem)
        return problem.error();
    const Objective objective = *objectiveFromName(flags.objective);
    const bool asksMore = deadline.value > 0.0 || flags.answers || objective != Objective::Time;
    if (all && (asksMore || !required.empty()))
        return usage("--deadline, --answers, --objective and --require take one planner");
    if (asksMore && !required.empty())
        return usage("--require is not combined with --deadline, --answers and --objective, which leave "
                     "nodes out");
    if (const Status sound = checkRequired(**problem, required); !sound)
        return sound.error();
    if (deadline.value > 0.0 && objective != Objective::Time)
        return usage("--deadline is about time: leave out --objective");
    if (const Status possible = checkObjective(**problem, objective); !possible)
        return possible.error();
    if (all)
        return planAll(session, flags, *problem, options, constrained ? target : nullptr, top);
    std::optional<Error> unrunnable; // of the last search
    const Searcher searcher = [&](const std::shared_ptr<const Problem>& asked) {
        ProgressLine progress(session);
        return constrained ? searchForTarget(asked, options, *target, progress, session.stop, unrunnable)
                           : search(asked, options, progress, session.stop);
    };
    const auto completed = [&](Answer answer, const Problem& asked,
                               const SearchOutcome& outcome) -> Result<Answer> {
        if (flags.answers && !answer.refused) {
            const Result<Answers> around = answersAround(asked, outcome, searcher, session.stop);
            if (!around)
                return around.error();
            answer.document["answers"] = toJson(*around, outcome);
            answer.text += answersText(*around, outcome);
        }
        return written(flags, std::move(answer));
    };
    if (deadline.value > 0.0) {
        const Result<DeadlineAnswer> found = meetDeadline(*problem, deadline, searcher, session.stop);
        if (!found)
            return found.error();
        if (!found->problem)
            return *refusalOf(*found); // stopped before anything was searched
        return completed(planForDeadline(*found, flags.explain), *found->problem, found->outcome);
    }
    if (objective != Objective::Time) {
        const Result<ParetoFront> front = paretoFront(*problem, objective, searcher, session.stop);
        if (!front)
            return front.error();
        std::string text = problemLine(**problem) + paretoText(**problem, *front);
        if (!front->outcome.plans.empty())
            text += "\nplan 1: " + bestText(**problem, front->outcome);
        if (flags.explain)
            text += "\n" + phasesTable(front->outcome);
        return completed({paretoDocument(**problem, *front), std::move(text), refusal(front->outcome)},
                         **problem, front->outcome);
    }
    const Result<SearchOutcome> outcome =
        required.empty() ? searcher(*problem)
                         : searchRequiring(*problem, required, top, searcher, session.stop);
    if (!outcome)
        return outcome.error();
    Answer answer{planDocument(**problem, *outcome), summary(**problem, *outcome, flags.explain),
                  unrunnable && outcome->plans.empty() ? unrunnable : refusal(*outcome)};
    if (constrained && !outcome->plans.empty()) {
        ProgressLine progress(session);
        const Result<SearchOutcome> open = search(*problem, options, progress, session.stop);
        if (!open)
            return open.error();
        addTargetCost(answer, *target, outcome->plans.front().evaluation.iteration, *open);
    }
    return completed(std::move(answer), **problem, *outcome);
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
    sub->add_option("--target", flags->target, "only plans that this export format can run")
        ->type_name("EXPORT")
        ->group("Search")
        ->check([](const std::string& text) {
            return exporterRow(text) != nullptr ? "" : "\"" + text + "\" is no export format";
        });
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
    sub->add_option("--deadline", flags->deadline,
                    "the fewest GPUs, by whole nodes, with an iteration of at most this many seconds")
        ->type_name("T")
        ->group("Search");
    std::vector<std::string> objectives;
    for (const ObjectiveRow& row : objectiveTable())
        objectives.emplace_back(row.name);
    sub->add_option("--objective", flags->objective,
                    "what a plan is to be good at, beside its time: a Pareto front of both (default time)")
        ->check(CLI::IsMember(objectives))
        ->type_name(fmt::format("{}", fmt::join(objectives, "|")))
        ->group("Search");
    sub->add_flag("--answers", flags->answers,
                  "also how sure the order of the plans is, what to measure, and what slow, lost and extra "
                  "nodes change")
        ->group("Search");
    sub->add_flag("--explain", flags->explain,
                  "also what each phase of the search did and took, and which found the best plan")
        ->group("Search");
    sub->add_option("--out", flags->out, "write the plan document to a file")->type_name("FILE");
    sub->add_option("--keep", flags->keep, "keep the plans in a profile database, under their problem's hash")
        ->type_name("DB");
    sub->footer(plannersHelp());
    return {sub, [flags](const Session& session) { return plan(session, *flags); }, true};
}

} // namespace pw::cli

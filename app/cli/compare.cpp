// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/problem_flags.h"
#include "app/cli/session.h"
#include "app/cli/table.h"

#include "core/compare/compare.h"
#include "core/timeline/build.h"

#include <fmt/format.h>

namespace pw::cli {

namespace {

struct CompareFlags {
    std::vector<std::string> plans;
    ProblemFlags problem;
    std::size_t base = 1;
};

struct Judged {
    std::shared_ptr<const Problem> problem;
    Plan plan;
    Evaluation evaluation;
    Timeline timeline;
};

std::vector<std::string> headings(const Comparison& c, const char* what, bool right) {
    std::vector<std::string> list{what};
    for (std::size_t p = 0; p < c.names.size(); ++p)
        list.push_back((right ? ">" : "") + c.names[p] + (p == c.base ? " (base)" : ""));
    return list;
}

std::string text(const Comparison& c) {
    std::string out;
    for (const std::string& sentence : c.sentences)
        out += sentence + "\n";
    for (const std::string& input : c.inputs)
        out += fmt::format("note: the plans answer different questions: {}\n", input);
    Table figures(headings(c, "", true));
    for (const PlanFigure& figure : c.figures) {
        std::vector<std::string> row{figure.unit.empty() ? figure.name
                                                         : fmt::format("{}, {}", figure.name, figure.unit)};
        for (const double value : figure.values)
            row.push_back(fmt::format("{:.{}f}", value, figure.decimals));
        figures.add(std::move(row));
    }
    std::vector<std::string> heads = headings(c, "seconds of a GPU, mean", true);
    heads.emplace_back(">largest change");
    Table time(heads);
    for (const TimeDifference& entry : c.time) {
        std::vector<std::string> row{label(entry.entry)};
        for (const double seconds : entry.seconds)
            row.push_back(fmt::format("{:.3f}", seconds));
        row.push_back(signedDuration(entry.largest));
        time.add(std::move(row));
    }
    Table fields(headings(c, "plan", false));
    for (const PlanField& field : c.fields) {
        std::vector<std::string> row{(field.differs ? "* " : "  ") + field.name};
        row.insert(row.end(), field.values.begin(), field.values.end());
        fields.add(std::move(row));
    }
    return out + "\n" + figures.text() + "\n" + time.text() + "\n" + fields.text();
}

Result<Answer> compareCommand(const Session& session, const CompareFlags& flags) {
    if (flags.base < 1 || flags.base > flags.plans.size())
        return badInput(
            "usage", "--base",
            {"{found}; expected 1 to {high}", {{"found", flags.base}, {"high", flags.plans.size()}}});
    std::vector<Judged> judged;
    for (const std::string& argument : flags.plans) {
        const Result<ProblemFlags::ChosenPlan> chosen = flags.problem.plan(session, argument);
        if (!chosen)
            return chosen.error();
        Result<Evaluation> evaluation = evaluate(*chosen->problem, chosen->plan, {.keepOps = true});
        if (!evaluation)
            return evaluation.error();
        Timeline timeline = buildTimeline(*chosen->problem, chosen->plan, *evaluation);
        judged.push_back({chosen->problem, chosen->plan, *std::move(evaluation), std::move(timeline)});
    }
    std::vector<ComparedPlan> plans;
    for (std::size_t i = 0; i < judged.size(); ++i) {
        const Judged& one = judged[i];
        plans.push_back({flags.plans[i], one.problem.get(), &one.plan, &one.evaluation, &one.timeline});
    }
    const Comparison comparison = comparePlans(plans, flags.base - 1);
    return Answer{toJson(comparison), text(comparison), {}};
}

} // namespace

Command addCompare(CLI::App& app) {
    auto flags = std::make_shared<CompareFlags>();
    CLI::App* sub = app.add_subcommand("compare", "what differs between plans, and what it costs");
    sub->add_option("plans", flags->plans,
                    "two to four plan documents, or FILE:k for the k-th plan of a list")
        ->type_name("P")
        ->required()
        ->expected(2, 4);
    sub->add_option("--base", flags->base, "which of them the others are held against (default 1)")
        ->type_name("N");
    flags->problem.addTo(*sub);
    return {sub, [flags](const Session& session) { return compareCommand(session, *flags); }};
}

} // namespace pw::cli

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/failed_nodes.h"
#include "app/cli/measured.h"
#include "app/cli/parse.h"
#include "app/cli/sensitivity.h"
#include "app/cli/session.h"
#include "app/cli/table.h"

#include "core/answers/ask.h"
#include "core/answers/findings_for.h"
#include "core/base/file.h"
#include "core/base/units.h"
#include "core/evaluate/deciding_stages.h"
#include "core/exchange/exports/exporters.h"

#include <fmt/format.h>

namespace pw::cli {

namespace {

struct IdleRow {
    std::size_t pipeline = 0, stage = 0;
    IdleTime idle;
};

std::vector<IdleRow> idleRows(const Evaluation& evaluation) {
    std::vector<IdleRow> rows;
    for (std::size_t p = 0; p < evaluation.pipelines.size(); ++p) {
        const PipelineFigures& figures = evaluation.pipelines[p];
        const std::vector<IdleTime> idle = idleByCause(figures, evaluation.iteration);
        for (std::size_t i = 0; i < idle.size(); ++i)
            rows.push_back({p, i, idle[i]});
    }
    return rows;
}

std::string stagesOf(const Finding& finding) {
    if (!finding.stages.empty())
        return stageNumbers(finding.stages);
    return finding.stage < 0 ? "-" : fmt::format("{}", finding.stage);
}

// Where the plan loses time or memory, and what would help whoever runs it with the target, if there is one.
Status addFindings(const Session& session, const JudgedPlan& judged, const ExporterRow* target,
                   Answer& answer) {
    const Result<Findings> findings = findingsFor(judged.problem, judged.plan(), target, session.stop);
    if (!findings)
        return findings.error();
    Json list = Json::array();
    Table table({"finding", "stage", "what", "would help", ">iteration", ">gain"});
    for (const Finding& finding : findings->list) {
        const bool fits = finding.gain.value < 0.0; // with the remedy; without it there is no time to compare
        Json row = {{"rule", finding.rule},
                    {"severity", name(finding.severity)},
                    {"text", finding.text},
                    {"remedy", finding.remedy}};
        if (finding.stage >= 0)
            row["stage"] = finding.stage;
        if (!finding.stages.empty())
            row["stages"] = finding.stages;
        if (!finding.link.empty())
            row["link"] = finding.link;
        if (finding.searchChance > 0.0)
            row["search_fit_chance"] = finding.searchChance;
        if (!finding.remedy.empty()) {
            row["iteration_s"] = finding.iteration.value;
            if (!fits)
                row["gain_s"] = finding.gain.value;
        }
        list.push_back(std::move(row));
        const bool none = finding.remedy.empty();
        table.add({finding.rule, stagesOf(finding), finding.text,
                   finding.searchChance > 0.0
                       ? fmt::format("a search with --fit-chance {:g}", finding.searchChance)
                   : none ? "nothing that was tried"
                          : finding.remedy,
                   none ? "-" : formatDuration(finding.iteration),
                   none   ? "-"
                   : fits ? "fits"
                          : formatDuration(finding.gain)});
    }
    answer.text += "\n" + (findings->list.empty() ? std::string("no findings\n") : table.text());
    for (const std::string& lacking : findings->lacking)
        answer.text += fmt::format("not checked: {}\n", lacking);
    answer.text += fmt::format("{} edits tried{}\n", findings->tried, findings->stopped ? ", stopped" : "");
    answer.document["findings"] = {{"list", std::move(list)},
                                   {"lacking", findings->lacking},
                                   {"tried", findings->tried},
                                   {"refused", findings->refused},
                                   {"stopped", findings->stopped}};
    return Ok{};
}

struct EvaluateFlags {
    PlanFlags plan;
    bool verdict = false, findings = false, sensitivity = false;
    std::string target, fails;
    std::vector<std::string> measured;
};

Result<Answer> evaluateCommand(const Session& session, const EvaluateFlags& flags) {
    if (!flags.target.empty() && !flags.verdict && !flags.findings)
        return usage("--target asks something with --verdict or --findings only");
    const Result<JudgedPlan> judged = judgePlan(session, flags.plan, !flags.measured.empty());
    if (!judged)
        return judged.error();
    Answer answer{judged->document(), judged->text(), judged->refusal()};
    if (!flags.measured.empty())
        if (Status added = addMeasured(session, *judged, flags.measured, answer); !added)
            return added.error();
    const ExporterRow* target =
        exporterRow(!flags.target.empty() || !judged->trainer ? flags.target : judged->trainer->trainer);
    if (flags.findings)
        if (Status added = addFindings(session, *judged, target, answer); !added)
            return added.error();
    if (flags.sensitivity)
        if (Status added = addSensitivity(session, *judged, answer); !added)
            return added.error();
    if (!flags.fails.empty())
        if (Status added = addFailedNodes(*judged, flags.fails, answer); !added)
            return added.error();
    if (!judged->trainer && !flags.verdict)
        return answer;
    Question question;
    question.options = quickSearch();
    question.judged = judged->outcome.plans.front();
    question.target = target;
    QuestionObserver silent;
    const Result<pw::Answer> beside = ask(judged->problem, question, silent, session.stop);
    if (!beside)
        return beside.error();
    const Verdict& verdict = *beside->verdict;
    answer.text = verdict.text.message + "\n\n" + answer.text;
    answer.document["verdict"] = toJson(verdict);
    if (answer.refused)
        answer.refused->because(verdict.text);
    return answer;
}

Result<Answer> simulateCommand(const Session& session, const PlanFlags& flags, const std::string& trace,
                               const std::vector<std::string>& measured) {
    const Result<JudgedPlan> judged = judgePlan(session, flags, true);
    if (!judged)
        return judged.error();
    Answer answer{judged->document(), judged->text(), judged->refusal()};
    Json idle = Json::array();
    Table table(
        {"stage", ">idle: warm-up", ">slower stage", ">transfer", ">cool-down", ">all", ">of the iteration"});
    for (const IdleRow& row : idleRows(judged->evaluation())) {
        idle.push_back({{"pipeline", row.pipeline},
                        {"stage", row.stage},
                        {"warm_up", row.idle.warmUp.value},
                        {"slower_stage", row.idle.slowerStage.value},
                        {"transfer", row.idle.transfer.value},
                        {"cool_down", row.idle.coolDown.value}});
        table.add({fmt::format("{}", row.stage), formatDuration(row.idle.warmUp),
                   formatDuration(row.idle.slowerStage), formatDuration(row.idle.transfer),
                   formatDuration(row.idle.coolDown), formatDuration(row.idle.total()),
                   fmt::format("{:.1f} %", 100 * (row.idle.total() / judged->evaluation().iteration))});
    }
    answer.document["idle"] = std::move(idle);
    answer.text += "\n" + table.text();
    if (!measured.empty())
        if (Status added = addMeasured(session, *judged, measured, answer); !added)
            return added.error();
    if (!trace.empty()) {
        const ExportInput input{*judged->problem, judged->outcome, judged->plan(), judged->evaluation()};
        const auto make = [&](const TextSink& sink) { writeChromeTrace(input, sink); };
        if (Status written = streamFileAtomically(trace, make); !written)
            return written.error();
        answer.document["trace"] = trace;
        answer.text += fmt::format("\ntrace written to {}\n", trace);
    }
    return answer;
}

} // namespace

Command addEvaluate(CLI::App& app) {
    auto flags = std::make_shared<EvaluateFlags>();
    CLI::App* sub = app.add_subcommand("evaluate", "judge a plan, found or hand-written");
    flags->plan.addTo(*sub);
    sub->add_flag(
        "--verdict", flags->verdict,
        "also how it stands beside the best that a quick search finds; of a trainer's own plan that "
        "is always said");
    sub->add_option("--target", flags->target,
                    "with --verdict: the best of those that this export format can run; with --findings: no "
                    "edits to others")
        ->type_name("EXPORT")
        ->check(isExportFormat);
    sub->add_flag("--findings", flags->findings,
                  "also where it loses time or memory, and what edits that were tried would gain");
    sub->add_flag("--sensitivity", flags->sensitivity,
                  fmt::format("also what its time does when one thing changes: bandwidths (of {} links at "
                              "most), latencies between sites, "
                              "micro-batch, boundaries, tensor-parallel sizes",
                              kMostSlicedLinks));
    sub->add_option("--fails", flags->fails,
                    "also what is left of it without these nodes, and what that costs")
        ->type_name("NODE,...");
    addMeasuredFlag(*sub, flags->measured);
    return {sub, [flags](const Session& session) { return evaluateCommand(session, *flags); }};
}

Command addSimulate(CLI::App& app) {
    struct SimulateFlags {
        PlanFlags plan;
        std::string trace;
        std::vector<std::string> measured;
    };
    auto flags = std::make_shared<SimulateFlags>();
    CLI::App* sub = app.add_subcommand("simulate", "judge a plan and show where its stages stand still");
    flags->plan.addTo(*sub);
    sub->add_option("--trace", flags->trace, "write a Chrome trace")->type_name("FILE");
    addMeasuredFlag(*sub, flags->measured);
    return {sub, [flags](const Session& session) {
                return simulateCommand(session, flags->plan, flags->trace, flags->measured);
            }};
}

} // namespace pw::cli

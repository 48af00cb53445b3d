// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/task_result.h"

#include "core/accuracy/band.h"
#include "core/answers/ask.h"
#include "core/answers/objective.h"
#include "core/base/hash.h"
#include "core/base/version.h"
#include "core/document/plan_document.h"
#include "core/sweep/result_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace pw {

namespace {

constexpr std::size_t kMostReasons = 5, kLongestReason = 240; // bytes

// So many bytes at most, whole characters, and dots where there was more.
std::string shortenedTo(std::size_t most, std::string text) {
    if (text.size() <= most)
        return text;
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) // within a character
        --most;
    text.resize(most);
    return text + "...";
}

std::string compact(const Json& record) {
    return record.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json reasonsJson(const Error& error) {
    Json reasons = Json::array({shortened(error.text())});
    for (const Error& reason : error.reasons)
        if (reasons.size() < kMostReasons)
            reasons.push_back(shortened(reason.text()));
    return reasons;
}

// Fullest device of each kind.
Json peaksJson(const Problem& problem, const Evaluation& evaluation) {
    std::map<std::string, const DeviceMemory*> fullest;
    for (const DeviceMemory& memory : evaluation.memory) {
        const DeviceMemory*& most = fullest[problem.topology().kindOf(memory.device).name];
        if (most == nullptr || memory.peak.total() > most->peak.total())
            most = &memory;
    }
    Json peaks = Json::object();
    for (const auto& [kind, memory] : fullest)
        peaks[kind] = {{"bytes", memory->peak.total().value},
                       {"share", memory->peak.total() / memory->capacity}};
    return peaks;
}

// By the ids of devices: the same in every world in which these are there.
std::string planHash(const Problem& problem, const Plan& plan) {
    return hashText(toJson(problem, plan).dump());
}

void addPlan(Json& record, const Problem& problem, const FoundPlan& found) {
    const Evaluation& evaluation = found.evaluation;
    const ErrorBand band = errorBand(problem, found.plan, evaluation);
    const Pipeline& first = found.plan.pipelines.front();
    record["plan_hash"] = planHash(problem, found.plan);
    record["iteration_s"] = evaluation.iteration.value;
    record["expected_low_s"] = evaluation.iteration.value * band.low;
    record["expected_high_s"] = evaluation.iteration.value * band.high;
    record["tokens_per_s"] = evaluation.tokensPerSecond;
    record["bubble"] = evaluation.bubble;
    record["measured_share"] = evaluation.measuredShare;
    record["gpus_used"] = evaluation.memory.size();
    record["stages"] = shortened(stagePattern(problem, found.plan));
    record["schedule"] = name(first.schedule.kind);
    record["microbatches"] = first.microbatches;
    record["microbatch_size"] = first.microbatchSize;
    record["peak"] = peaksJson(problem, evaluation);
    record["fullest"] = objectiveValue(problem, found, Objective::Memory);
    const double price = objectiveValue(problem, found, Objective::Money);
    if (price > 0.0 && checkObjective(problem, Objective::Money))
        record["price_per_token"] = price;
    const double energy = objectiveValue(problem, found, Objective::Energy);
    if (energy > 0.0 && checkObjective(problem, Objective::Energy))
        record["energy_j_per_token"] = energy;
}

void addRefusal(Json& record, const Error& error, const char* status) {
    record["exit"] = static_cast<int>(ErrorKind::Infeasible);
    record["status"] = status;
    record["reasons"] = reasonsJson(error);
}

struct Worked {
    Json record;
    std::optional<SearchOutcome> outcome; // with at least one plan
};

void addOutcome(Worked& worked, const Problem& problem, SearchOutcome outcome) {
    worked.record["exit"] = 0;
    worked.record["status"] = name(outcome.status);
    addPlan(worked.record, problem, outcome.plans.front());
    worked.outcome = std::move(outcome);
}

// A plan of a file in the task's world.
void judge(Worked& worked, const TaskQuestion& asked) {
    const Json entry = Json::parse(*asked.plan);
    const JsonReader reader(entry, "plan");
    const Result<Plan> plan = planFromJson(reader, *asked.problem);
    if (!plan)
        return addRefusal(worked.record, plan.error(), "impossible");
    Result<Evaluation> evaluation = evaluate(*asked.problem, *plan);
    if (!evaluation)
        return addRefusal(worked.record, evaluation.error(), "impossible");
    if (!evaluation->feasible)
        return addRefusal(worked.record,
                          infeasible("sweep.plan", "", "the plan does not fit", evaluation->reasons),
                          "infeasible");
    SearchOutcome outcome;
    outcome.status = SearchStatus::Feasible;
    outcome.covered = false;
    outcome.plans.push_back({*plan, *std::move(evaluation), {}});
    addOutcome(worked, *asked.problem, std::move(outcome));
    worked.record["status"] = "judged";
}

Status searchFor(Worked& worked, TaskQuestion& asked, int threads, const std::stop_token& stop,
                 const Clock& clock) {
    asked.question.options.threads = threads;
    asked.question.options.clock = &clock;
    QuestionObserver nobody;
    const Result<Answer> answer = ask(asked.problem, asked.question, nobody, stop);
    if (stop.stop_requested())
        return stopped("stopped", "stopped before the search was done");
    if (!answer && answer.error().kind == ErrorKind::Failure)
        return answer.error();
    if (!answer) {
        addRefusal(worked.record, answer.error(), "refused");
        return Ok{};
    }
    const SearchOutcome& outcome = answer->found();
    worked.record["planner"] = outcome.planner;
    worked.record["work"] = outcome.work;
    worked.record["evaluated"] = outcome.evaluated;
    if (answer->refused || outcome.plans.empty()) {
        const Error none =
            answer->refused ? *answer->refused : infeasible("search.infeasible", "", "no plan was found");
        addRefusal(worked.record, none, name(outcome.status));
        if (none.kind == ErrorKind::Stopped) // the budget of work ended it, every time
            worked.record["exit"] = static_cast<int>(ErrorKind::Stopped);
        return Ok{};
    }
    if (outcome.covered && outcome.bound.value.value > 0.0) {
        worked.record["lower_bound_s"] = outcome.bound.value.value;
        worked.record["gap"] = outcome.gap();
    }
    addOutcome(worked, *answer->problem, outcome);
    return Ok{};
}

} // namespace

std::string shortened(std::string text) {
    return shortenedTo(kLongestReason, std::move(text));
}

std::string recordLine(Json record) {
    std::string line = compact(record);
    if (line.size() <= kMostRecord)
        return line;
    record["peak"] = Json::object(); // the fullest of all is told besides
    const auto reasons = record.find("reasons");
    record["reasons"] =
        reasons != record.end() && !reasons->empty() ? Json::array({reasons->front()}) : Json::array();
    line = compact(record);
    // A byte of a text takes up to six of the line: a control character is written \u0001.
    for (std::size_t most = kLongestReason / 2; line.size() > kMostRecord && most > 0; most /= 2) {
        const auto shorten = [most](Json& value) {
            if (value.is_string())
                value = shortenedTo(most, value.get<std::string>());
        };
        for (Json& reason : record["reasons"])
            shorten(reason);
        for (const char* key : {"stages", "host"})
            if (const auto at = record.find(key); at != record.end())
                shorten(*at);
        line = compact(record);
    }
    return line;
}

Result<TaskResult> workOut(const Composer& composer, const Assignment& task, const std::string& id,
                           int threads, bool withDocument, const std::stop_token& stop, const Clock& clock) {
    const double begun = clock.steady();
    Worked worked;
    Result<TaskQuestion> asked = composer.question(task);
    TaskResult result;
    if (!asked) {
        if (asked.error().kind != ErrorKind::Infeasible)
            return asked.error();
        addRefusal(worked.record, asked.error(), "impossible");
        if (const Result<Cluster> cluster = composer.cluster(task)) {
            const ClusterRates rates = ratesOf(*cluster);
            worked.record["gpus"] = rates.gpus;
        }
    } else {
        worked.record = {{"problem_hash", asked->problem->hash()}, {"gpus", asked->rates.gpus}};
        if (asked->rates.pricePerHour > 0.0)
            worked.record["price_per_hour"] = asked->rates.pricePerHour;
        if (asked->rates.watts > 0.0)
            worked.record["power_w"] = asked->rates.watts;
        if (asked->plan != nullptr)
            judge(worked, *asked);
        else if (const Status done = searchFor(worked, *asked, threads, stop, clock); !done)
            return done.error();
    }
    if (worked.outcome && withDocument) {
        Json document = planDocument(*asked->problem, *worked.outcome);
        leaveOutRunTimes(document);
        result.document = document.dump();
    }
    worked.record["id"] = id;
    worked.record["wall_s"] = clock.steady() - begun;
    worked.record["host"] = hostName();
    worked.record["tool_version"] = fullVersion();
    result.record = recordLine(std::move(worked.record));
    return result;
}

} // namespace pw

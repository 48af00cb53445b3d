// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/overlay/run_overlay.h"

#include "core/base/median.h"
#include "core/exchange/imports/measurements/run_passes.h"
#include "core/overlay/run_findings.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace pw {

namespace {

// Medians of the simulated operations of every stage, as stageOps() has those of the run. A transfer is its
// sender's send and its receiver's receive. What takes no time is not there.
class PredictedOps {
public:
    PredictedOps(const Plan& plan, const Evaluation& evaluation) {
        for (std::size_t p = 0; p < evaluation.pipelines.size(); ++p) {
            const PipelineFigures& figures = evaluation.pipelines[p];
            const Simulation& run = figures.simulation;
            const auto pipeline = static_cast<int>(p);
            for (const Op& op : run.ops)
                add(pipeline, op.stage, passKind(op.kind), op.end - op.start);
            const ChunkLayout layout = plan.pipelines[p].layout();
            for (const Transfer& t : run.transfers) {
                const bool onward = t.kind == OpKind::Forward;
                const int from = layout.stageOf(t.boundary + (onward ? 0 : 1)),
                          to = layout.stageOf(t.boundary + (onward ? 1 : 0));
                add(pipeline, from, RunOpKind::Send, t.end - t.start);
                add(pipeline, to, RunOpKind::Receive, t.end - t.start);
            }
            for (std::size_t i = 0; i < figures.stages.size(); ++i) {
                add(pipeline, static_cast<int>(i), RunOpKind::Sync, figures.stages[i].sync.value);
                add(pipeline, static_cast<int>(i), RunOpKind::Update, figures.stages[i].optimizer.value);
            }
        }
    }
    std::optional<Seconds> of(int pipeline, int stage, RunOpKind kind) const {
        const auto found = m_times.find({pipeline, stage, kind});
        return found == m_times.end() ? std::nullopt : std::optional(Seconds(median(found->second)));
    }

private:
    static RunOpKind passKind(OpKind kind) {
        return kind == OpKind::Forward      ? RunOpKind::Forward
               : kind == OpKind::WeightGrad ? RunOpKind::WeightGrad
                                            : RunOpKind::Backward;
    }
    void add(int pipeline, int stage, RunOpKind kind, double seconds) {
        m_times[{pipeline, stage, kind}].push_back(seconds);
    }
    std::map<std::tuple<int, int, RunOpKind>, std::vector<double>> m_times;
};

// What the passes took over what is predicted for them.
double passScale(const std::vector<StageOps>& all, const Plan& plan, const PredictedOps& predicted) {
    double measured = 0.0, expected = 0.0;
    for (const StageOps& ops : all) {
        const auto time = predicted.of(ops.pipeline, ops.stage, ops.kind);
        if (!isPass(ops.kind) || !time)
            continue;
        const auto n =
            static_cast<double>(plan.pipelines[static_cast<std::size_t>(ops.pipeline)].microbatches);
        measured += n * ops.slowest().value;
        expected += n * time->value;
    }
    return expected > 0.0 && measured > 0.0 ? measured / expected : 1.0;
}

double stepMedian(const std::vector<const RunStep*>& steps) {
    std::vector<double> seconds;
    seconds.reserve(steps.size());
    for (const RunStep* step : steps)
        seconds.push_back(step->duration.value);
    return median(std::move(seconds));
}

// Most forwards of a rank, of any chunk, whose backward has not ended: as Simulation::peakInFlight counts.
int mostInFlight(const std::vector<const RunOp*>& passes) {
    int held = 0, most = 0;
    for (const RunOp* op : passes) { // by start
        if (op->kind == RunOpKind::Forward)
            most = std::max(most, ++held);
        if (op->kind == RunOpKind::Backward)
            --held;
    }
    return most;
}

class Overlaying {
public:
    Overlaying(const Problem& problem, const Plan& plan, const Evaluation& evaluation, const RunRecord& run)
        : m_problem(problem), m_plan(plan), m_evaluation(evaluation), m_run(run), m_steps(countedSteps(run)),
          m_ops(stageOps(run)), m_predicted(plan, evaluation) {}

    RunOverlay make() {
        RunOverlay o;
        o.emulated = m_run.emulated;
        o.tiny = m_run.tiny;
        o.measured = m_run.isMeasured();
        o.standing = m_run.standing();
        o.pace = m_run.pace;
        o.scale = m_run.isMeasured() ? 1.0 : passScale(m_ops, m_plan, m_predicted);
        for (const RunStep* step : m_steps)
            o.steps.push_back(step->step);
        o.firstLoss = m_run.steps.front().loss;
        o.lastLoss = m_run.steps.back().loss;
        o.iteration = {Seconds(stepMedian(m_steps)), m_evaluation.iteration * o.scale};
        o.fastest = o.slowest = m_steps.front()->duration;
        for (const RunStep* step : m_steps) {
            o.fastest = std::min(o.fastest, step->duration);
            o.slowest = std::max(o.slowest, step->duration);
        }
        for (const StageOps& ops : m_ops) {
            RunOpRow row{ops.pipeline, ops.stage, ops.kind, ops.count, {ops.slowest(), std::nullopt}};
            if (isPass(ops.kind) || m_run.isMeasured())
                row.time.predicted = m_predicted.of(ops.pipeline, ops.stage, ops.kind);
            if (row.time.predicted)
                row.time.predicted = *row.time.predicted * o.scale;
            o.rows.push_back(row);
        }
        addStages(o);
        addMemory(o);
        o.slower = findSlower(m_problem, m_plan, m_evaluation, m_run, m_ops, o);
        return o;
    }

private:
    void addStages(RunOverlay& o) const {
        const std::set<int> counted(o.steps.begin(), o.steps.end());
        using Passes = std::vector<const RunOp*>;
        std::map<std::pair<int, int>, std::map<std::pair<int, int>, Passes>> ofStage; // by rank and step
        for (const RunOp& op : m_run.ops)
            if (counted.contains(op.step) && isPass(op.kind))
                ofStage[{op.pipeline, op.stage}][{op.rank, op.step}].push_back(&op);
        for (auto& [at, lists] : ofStage) {
            const Simulation& simulated =
                m_evaluation.pipelines[static_cast<std::size_t>(at.first)].simulation;
            RunStageRow row;
            row.pipeline = at.first;
            row.stage = at.second;
            std::map<int, double> busy; // by rank, over all counted steps
            for (auto& [key, passes] : lists) {
                std::sort(passes.begin(), passes.end(),
                          [](const RunOp* a, const RunOp* b) { return a->start < b->start; });
                for (const RunOp* op : passes)
                    busy[key.first] += op->end - op->start;
                row.inFlight = std::max(row.inFlight, mostInFlight(passes));
            }
            double most = 0.0;
            for (const auto& [rank, seconds] : busy)
                most = std::max(most, seconds / static_cast<double>(m_steps.size()));
            const Seconds predicted(simulated.busy[static_cast<std::size_t>(at.second)]);
            row.predictedInFlight = simulated.peakInFlight[static_cast<std::size_t>(at.second)];
            row.busy = {Seconds(most), predicted * o.scale};
            row.rest = {o.iteration.measured - Seconds(most), (m_evaluation.iteration - predicted) * o.scale};
            o.stages.push_back(row);
        }
    }

    void addMemory(RunOverlay& o) const {
        if (!m_run.isMeasured())
            return;
        for (const RunRank& rank : m_run.ranks) {
            const DeviceIndex device = m_problem.topology().find(rank.device);
            for (const DeviceMemory& memory : m_evaluation.memory)
                if (memory.device == device)
                    o.memory.push_back(
                        {rank.device, m_run.peak[static_cast<std::size_t>(rank.rank)], memory.peak.total()});
        }
    }

    const Problem& m_problem;
    const Plan& m_plan;
    const Evaluation& m_evaluation;
    const RunRecord& m_run;
    std::vector<const RunStep*> m_steps;
    std::vector<StageOps> m_ops;
    PredictedOps m_predicted;
};

void addPair(Json& json, const RunPair& pair) {
    json["measured_s"] = pair.measured.value;
    if (!pair.predicted)
        return;
    json["predicted_s"] = pair.predicted->value;
    json["error_s"] = (*pair.predicted - pair.measured).value;
    json["error"] = pair.error();
    // The other way round, as readers of 0.1 know it.
    json["residual_s"] = (pair.measured - *pair.predicted).value;
    json["relative"] = pair.predicted->value > 0.0 ? pair.measured / *pair.predicted - 1.0 : 0.0;
}

Json pairJson(const RunPair& pair) {
    Json json = Json::object();
    addPair(json, pair);
    return json;
}

} // namespace

Result<RunOverlay> overlayRun(const Problem& problem, const Plan& plan, const Evaluation& evaluation,
                              const RunRecord& run) {
    if (Status sound = checkRun(run, problem, plan); !sound)
        return sound.error();
    if (countedSteps(run).empty())
        return badInput("run.recorded", run.file + "#/ops",
                        "no operation of any step; run without --record 0");
    return Overlaying(problem, plan, evaluation, run).make();
}

Json toJson(const RunOverlay& o) {
    Json rows = Json::array(), stages = Json::array(), slower = Json::array(), memory = Json::array();
    for (const RunOpRow& row : o.rows) {
        rows.push_back({{"pipeline", row.pipeline},
                        {"stage", row.stage},
                        {"kind", name(row.kind)},
                        {"count", row.count}});
        addPair(rows.back(), row.time);
    }
    for (const RunStageRow& row : o.stages)
        stages.push_back({{"pipeline", row.pipeline},
                          {"stage", row.stage},
                          {"busy", pairJson(row.busy)},
                          {"rest", pairJson(row.rest)},
                          {"in_flight", {{"measured", row.inFlight}, {"predicted", row.predictedInFlight}}}});
    for (const RunFinding& f : o.slower)
        slower.push_back({{"cause", name(f.cause)},
                          {"pipeline", f.pipeline},
                          {"stage", f.stage},
                          {"ratio", f.ratio},
                          {"lost_s", f.lost.value},
                          {"message", f.says.message}});
    for (const RunMemory& m : o.memory)
        memory.push_back(
            {{"device", m.device}, {"measured", m.measured.value}, {"predicted", m.predicted.value}});
    Json iteration = pairJson(o.iteration);
    iteration["fastest_s"] = o.fastest.value;
    iteration["slowest_s"] = o.slowest.value;
    Json emulation;
    if (o.pace)
        emulation = {{"real_share", o.pace->realShare},
                     {"late_passes", o.pace->late},
                     {"passes", o.pace->passes},
                     {"disturbed", o.pace->disturbed}};
    return {{"emulated", o.emulated},
            {"emulation", std::move(emulation)},
            {"tiny", o.tiny},
            {"measured", o.measured},
            {"standing", o.standing},
            {"scale", o.scale},
            {"steps", o.steps},
            {"loss", {{"first", o.firstLoss}, {"last", o.lastLoss}}},
            {"iteration", std::move(iteration)},
            {"operations", std::move(rows)},
            {"stages", std::move(stages)},
            {"slower", std::move(slower)},
            {"memory", std::move(memory)}};
}

} // namespace pw

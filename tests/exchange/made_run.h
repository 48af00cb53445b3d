// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/document/plan_document.h"
#include "core/evaluate/evaluation.h"
#include "core/search/search.h"

#include <nlohmann/json.hpp>

#include <functional>

namespace pw {

// run.json as the runner would write it if the plan ran just as it was simulated. Ranks are the plan's
// devices in order; `seconds` may change how long an operation takes, by rank and kind.
using RunSeconds = std::function<double(int rank, int stage, const char* kind, double seconds)>;

inline Json madeRun(const Problem& problem, const Plan& plan, const Evaluation& evaluation, int steps = 3,
                    const RunSeconds& seconds = {}) {
    Json ops = Json::array(), ranks = Json::array(), listed = Json::array(), peaks = Json::array();
    const double iteration = evaluation.iteration.value;
    for (std::size_t p = 0; p < plan.pipelines.size(); ++p) {
        const Simulation& run = evaluation.pipelines[p].simulation;
        const ChunkLayout layout = plan.pipelines[p].layout();
        for (std::size_t s = 0; s < plan.pipelines[p].stages.size(); ++s) {
            const Stage& stage = plan.pipelines[p].stages[s];
            for (std::size_t r = 0; r < stage.replicas.size(); ++r)
                for (std::size_t t = 0; t < stage.replicas[r].devices.size(); ++t) {
                    const DeviceIndex device = stage.replicas[r].devices[t];
                    const int rank = device; // plans of these tests use all devices
                    ranks.push_back(
                        {{"rank", rank},
                         {"device", problem.topology().devices()[static_cast<std::size_t>(device)].id},
                         {"pipeline", p},
                         {"stage", s},
                         {"replica", r},
                         {"tp_rank", t},
                         {"host", "h"}});
                    const auto add = [&](int step, const char* kind, int chunk, int microbatch, double start,
                                         double end) {
                        const double lasts =
                            seconds ? seconds(rank, static_cast<int>(s), kind, end - start) : end - start;
                        ops.push_back({{"step", step},
                                       {"rank", rank},
                                       {"pipeline", p},
                                       {"replica", r},
                                       {"stage", s},
                                       {"chunk", chunk},
                                       {"kind", kind},
                                       {"microbatch", microbatch},
                                       {"start_s", start},
                                       {"end_s", start + lasts}});
                    };
                    for (int step = 0; step < steps; ++step) {
                        const double begin = step * iteration;
                        for (const Op& op : run.ops)
                            if (op.stage == static_cast<int>(s))
                                add(step,
                                    op.kind == OpKind::Forward      ? "F"
                                    : op.kind == OpKind::WeightGrad ? "W"
                                                                    : "B",
                                    op.chunk, op.microbatch, begin + op.start, begin + op.end);
                        for (const Transfer& x : run.transfers) {
                            const bool onward = x.kind == OpKind::Forward;
                            const int from = x.boundary + (onward ? 0 : 1),
                                      to = x.boundary + (onward ? 1 : 0);
                            if (layout.stageOf(from) == static_cast<int>(s))
                                add(step, "send", layout.chunkOf(from), x.microbatch, begin + x.start,
                                    begin + x.end);
                            if (layout.stageOf(to) == static_cast<int>(s))
                                add(step, "recv", layout.chunkOf(to), x.microbatch, begin + x.start,
                                    begin + x.end);
                        }
                        const double last = begin + run.lastEnd[s];
                        const StageFigures& f = evaluation.pipelines[p].stages[s];
                        add(step, "sync", 0, 0, last, last + f.sync.value);
                        add(step, "update", 0, 0, last + f.sync.value,
                            last + f.sync.value + f.optimizer.value);
                    }
                }
        }
    }
    std::sort(ranks.begin(), ranks.end(), [](const Json& a, const Json& b) { return a["rank"] < b["rank"]; });
    for (int step = 0; step < steps; ++step)
        listed.push_back({{"step", step},
                          {"loss", 5.0 - step},
                          {"gradient_norm", 1.0},
                          {"start_s", step * iteration},
                          {"seconds", iteration}});
    for (std::size_t i = 0; i < ranks.size(); ++i)
        peaks.push_back(std::int64_t{1} << 30);
    SearchOutcome outcome;
    outcome.plans = {FoundPlan{plan, evaluation}};
    return {{"schema", "pipewright-run-1"},
            {"emulated", false},
            {"device_type", "cuda"},
            {"plan", "plan.json"},
            {"tiny", false},
            {"fused_update", isOn(problem.recipe().software.fusedUpdate, true)},
            {"steps", listed},
            {"ops", ops},
            {"peak_bytes", peaks},
            {"ranks", ranks},
            {"versions", {{"torch", "1.13.1"}}},
            {"plan_document", planDocument(problem, outcome)}};
}

// Every time of the run so many times as long.
inline Json slowed(Json run, double factor) {
    for (Json& op : run["ops"])
        for (const char* key : {"start_s", "end_s"})
            op[key] = op[key].get<double>() * factor;
    for (Json& step : run["steps"])
        step["seconds"] = step["seconds"].get<double>() * factor;
    return run;
}

} // namespace pw

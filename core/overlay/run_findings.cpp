// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/overlay/run_findings.h"

#include "core/exchange/exports/capability.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace pw {

namespace {

constexpr double kOwnShare = 0.05;   // of its own time
constexpr double kStepShare = 0.005; // of the step

const char* operationWords(RunOpKind kind) {
    return kind == RunOpKind::Forward    ? "forward passes"
           : kind == RunOpKind::Backward ? "backward passes"
           : kind == RunOpKind::Update   ? "optimizer steps"
                                         : "gradients of weights";
}

std::string times(double ratio) {
    return fmt::format("{:.2f}", ratio);
}

// Seconds of a step, by rank, between the moment at which a rank's device was free and a pass's input there,
// and that at which the pass began. Steps' first passes are left out: they wait for the step itself.
std::map<int, double> hostGaps(const RunRecord& run, const std::vector<int>& steps) {
    const std::set<int> counted(steps.begin(), steps.end());
    std::map<std::pair<int, int>, std::vector<const RunOp*>> passes;
    std::map<std::tuple<int, int, int, std::int64_t>, std::vector<double>>
        arrivals; // step, rank, chunk, micro-batch
    for (const RunOp& op : run.ops) {
        if (!counted.contains(op.step))
            continue;
        if (op.kind == RunOpKind::Receive)
            arrivals[{op.step, op.rank, op.chunk, op.microbatch}].push_back(op.end);
        if (isPass(op.kind))
            passes[{op.step, op.rank}].push_back(&op);
    }
    std::map<int, double> gaps;
    for (auto& [key, list] : passes) {
        std::sort(list.begin(), list.end(),
                  [](const RunOp* a, const RunOp* b) { return a->start < b->start; });
        double& sum = gaps[key.second];
        for (std::size_t i = 1; i < list.size(); ++i) {
            double ready = list[i - 1]->end;
            // Of a micro-batch's two arrivals, its activation and its gradient, those before the pass count.
            for (const double end : arrivals[{key.first, key.second, list[i]->chunk, list[i]->microbatch}])
                if (end <= list[i]->start)
                    ready = std::max(ready, end);
            sum += std::max(0.0, list[i]->start - ready);
        }
    }
    for (auto& [rank, seconds] : gaps)
        seconds /= static_cast<double>(steps.size());
    return gaps;
}

class Findings {
public:
    Findings(const Problem& problem, const Plan& plan, const Evaluation& evaluation, const RunRecord& run,
             const RunOverlay& overlay)
        : m_problem(problem), m_plan(plan), m_evaluation(evaluation), m_run(run), m_overlay(overlay) {}

    std::vector<RunFinding> take(const std::vector<StageOps>& all) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            const RunPair& pair = m_overlay.rows[i].time; // a row an entry, in its order
            const StageOps& ops = all[i];
            if (isPass(ops.kind)) {
                imbalance(ops);
                kernel(ops, pair);
            } else if (m_run.isMeasured() && ops.kind == RunOpKind::Update) {
                imbalance(ops);
                update(ops, pair);
            } else if (m_run.isMeasured()) {
                link(ops, pair);
            }
        }
        host();
        std::stable_sort(m_list.begin(), m_list.end(),
                         [](const RunFinding& a, const RunFinding& b) { return b.lost < a.lost; });
        return std::move(m_list);
    }

private:
    std::string stageOf(int pipeline, int stage) const {
        return stageName(m_plan, static_cast<std::size_t>(pipeline), static_cast<std::size_t>(stage));
    }
    const Stage& drawn(const StageOps& ops) const {
        return m_plan.pipelines[static_cast<std::size_t>(ops.pipeline)]
            .stages[static_cast<std::size_t>(ops.stage)];
    }
    const StageFigures& figures(const StageOps& ops) const {
        return m_evaluation.pipelines[static_cast<std::size_t>(ops.pipeline)]
            .stages[static_cast<std::size_t>(ops.stage)];
    }
    double inAStep(const StageOps& ops) const { // of one rank
        if (ops.kind == RunOpKind::Update)
            return 1.0;
        const Pipeline& pipeline = m_plan.pipelines[static_cast<std::size_t>(ops.pipeline)];
        return static_cast<double>(pipeline.microbatches * pipeline.schedule.chunks);
    }
    std::string deviceOf(int rank) const {
        return m_run.ranks.empty() ? fmt::format("rank {}", rank)
                                   : m_run.ranks[static_cast<std::size_t>(rank)].device;
    }
    void add(RunCause cause, int pipeline, int stage, double ratio, double lost, Wording says) {
        if (lost >= kStepShare * m_overlay.iteration.measured.value)
            m_list.push_back({cause, pipeline, stage, ratio, Seconds(lost), std::move(says)});
    }

    const std::string& kindOf(const StageOps& ops) const {
        return m_problem.topology().kindOf(drawn(ops).replicas.front().devices.front()).shortName;
    }
    static double predictedOf(const RunPair& pair) { return pair.predicted ? pair.predicted->value : 0.0; }
    // What the middle rank of the stage takes, over what is predicted; 0 where nothing is.
    static double ratioOf(const StageOps& ops, const RunPair& pair) {
        const double predicted = predictedOf(pair);
        return predicted > 0.0 ? ops.middle().value / predicted : 0.0;
    }

    // All ranks of the stage: what its middle one takes.
    void kernel(const StageOps& ops, const RunPair& pair) {
        const double predicted = predictedOf(pair), ratio = ratioOf(ops, pair);
        if (ratio <= 1.0 + kOwnShare)
            return;
        const bool estimated = figures(ops).forwardProvenance == Provenance::Estimated;
        const std::string& kind = kindOf(ops);
        add(RunCause::Kernel, ops.pipeline, ops.stage, ratio, inAStep(ops) * (ops.middle().value - predicted),
            {m_run.emulated ? "{passes} of {stage} on {kind} take {ratio} times what is predicted beside the "
                              "other stages: kernels, as they were acted out"
             : !m_run.isMeasured()
                 ? "{passes} of {stage}, planned on {kind}, take {ratio} times what is predicted beside the "
                   "other stages: kernels, of other rates or widths than the plan's"
             : estimated
                 ? "{passes} of {stage} on {kind} take {ratio} times what is estimated: kernels; time "
                   "these layers alone, or calibrate"
                 : "{passes} of {stage} on {kind} take {ratio} times what rests on measured layers: "
                   "kernels; time these layers again with the run's software",
             {{"passes", operationWords(ops.kind)},
              {"stage", stageOf(ops.pipeline, ops.stage)},
              {"kind", kind},
              {"ratio", times(ratio)}}});
    }

    // One rank beside the others of its stage, where all have as much to do.
    void imbalance(const StageOps& ops) {
        const std::vector<Replica>& replicas = drawn(ops).replicas;
        const auto unlike = [&](const Replica& r) {
            return r.share != replicas.front().share ||
                   &m_problem.topology().kindOf(r.devices.front()) !=
                       &m_problem.topology().kindOf(replicas.front().devices.front());
        };
        if (ops.ofRank.size() < 2 || std::any_of(replicas.begin(), replicas.end(), unlike))
            return;
        const double ratio = ops.slowest() / ops.middle();
        if (ratio > 1.0 + kOwnShare)
            add(RunCause::Imbalance, ops.pipeline, ops.stage, ratio,
                inAStep(ops) * (ops.slowest() - ops.middle()).value,
                {m_run.isMeasured() ? "{passes} of {device} take {ratio} times those of the middle rank of "
                                      "{stage}: imbalance; look at its clock, its cooling and what else runs "
                                      "there"
                                    : "{passes} of {device} take {ratio} times those of the middle rank of "
                                      "{stage}: imbalance; look at what else ran on the machine",
                 {{"passes", operationWords(ops.kind)},
                  {"device", deviceOf(ops.slowestRank())},
                  {"ratio", times(ratio)},
                  {"stage", stageOf(ops.pipeline, ops.stage)}}});
    }

    // An optimizer's step is predicted as passes over memory at its rate, one of a fused step.
    void update(const StageOps& ops, const RunPair& pair) {
        const double ratio = ratioOf(ops, pair);
        if (ratio <= 1.0 + kOwnShare)
            return;
        const bool fused = isOn(m_problem.recipe().software.fusedUpdate, true);
        add(RunCause::Kernel, ops.pipeline, ops.stage, ratio, ops.middle().value - predictedOf(pair),
            {m_run.fusedUpdate.value_or(false)
                 ? "optimizer steps of {stage} on {kind}, each of one fused kernel, take {ratio} times what "
                   "is predicted; look at the memory's rate"
             : fused
                 ? "optimizer steps of {stage} on {kind} take {ratio} times what is predicted, which is one "
                   "fused kernel that reads and writes each state once; fuse the step, or predict with "
                   "software that does not fuse it"
                 : "optimizer steps of {stage} on {kind} take {ratio} times what is predicted of kernels "
                   "that each read and write memory; look at the memory's rate, and at the host that starts "
                   "them one by one",
             {{"stage", stageOf(ops.pipeline, ops.stage)}, {"kind", kindOf(ops)}, {"ratio", times(ratio)}}});
    }

    void link(const StageOps& ops, const RunPair& pair) {
        const double lost = ops.middle().value - predictedOf(pair);
        if (ops.kind == RunOpKind::Sync && predictedOf(pair) <= 0.0 && lost > 0.0)
            return add(RunCause::Link, ops.pipeline, ops.stage, 0.0, lost,
                       {"sums of gradients of {stage} take time behind the last pass, where none is "
                        "predicted: link, or ranks that wait for each other; the runner hides none of them "
                        "behind passes",
                        {{"stage", stageOf(ops.pipeline, ops.stage)}}});
        const double ratio = ratioOf(ops, pair);
        if (ratio <= 1.0 + kOwnShare)
            return;
        if (ops.kind == RunOpKind::Send)
            add(RunCause::Link, ops.pipeline, ops.stage, ratio, inAStep(ops) * lost,
                {"transfers of {stage} take {ratio} times what is predicted: link {link}, or a receiver that "
                 "comes "
                 "late; time the link with nccl-tests",
                 {{"stage", stageOf(ops.pipeline, ops.stage)},
                  {"ratio", times(ratio)},
                  {"link", figures(ops).link.empty() ? "before it" : figures(ops).link}}});
        if (ops.kind == RunOpKind::Sync)
            add(RunCause::Link, ops.pipeline, ops.stage, ratio, lost,
                {"sums of gradients of {stage} take {ratio} times what is predicted: link, or ranks that "
                 "wait for "
                 "each other; the runner hides none of them behind passes",
                 {{"stage", stageOf(ops.pipeline, ops.stage)}, {"ratio", times(ratio)}}});
    }

    // The rank that loses most of each stage.
    void host() {
        std::map<int, std::pair<int, int>> placed;
        for (const RunOp& op : m_run.ops)
            placed.emplace(op.rank, std::pair{op.pipeline, op.stage});
        std::map<std::pair<int, int>, std::pair<double, int>> most;
        for (const auto& [rank, seconds] : hostGaps(m_run, m_overlay.steps))
            most[placed[rank]] = std::max(most[placed[rank]], std::pair{seconds, rank});
        for (const auto& [at, worst] : most) {
            const double share = worst.first / m_overlay.iteration.measured.value;
            if (share > kOwnShare)
                add(RunCause::Host, at.first, at.second, share, worst.first,
                    {"{device} of {stage} stands still {share} % of a step although its input is there: "
                     "host; look at "
                     "what starts its kernels and reads its tokens",
                     {{"device", deviceOf(worst.second)},
                      {"stage", stageOf(at.first, at.second)},
                      {"share", fmt::format("{:.1f}", 100.0 * share)}}});
        }
    }

    const Problem& m_problem;
    const Plan& m_plan;
    const Evaluation& m_evaluation;
    const RunRecord& m_run;
    const RunOverlay& m_overlay;
    std::vector<RunFinding> m_list;
};

} // namespace

const char* name(RunCause cause) {
    switch (cause) {
    case RunCause::Kernel:
        return "kernel";
    case RunCause::Link:
        return "link";
    case RunCause::Host:
        return "host";
    case RunCause::Imbalance:
        return "imbalance";
    }
    return "";
}

std::vector<RunFinding> findSlower(const Problem& problem, const Plan& plan, const Evaluation& evaluation,
                                   const RunRecord& run, const std::vector<StageOps>& ops,
                                   const RunOverlay& overlay) {
    return Findings(problem, plan, evaluation, run, overlay).take(ops);
}

} // namespace pw

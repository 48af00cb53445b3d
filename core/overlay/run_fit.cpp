// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/overlay/run_fit.h"

#include "core/cluster/network_kind.h"
#include "core/exchange/imports/measurements/run_passes.h"
#include "core/overlay/run_overlay.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace pw {

namespace {

constexpr double kLeastRunFactor = 0.1, kMostRunFactor = 10.0; // what readCalibration accepts
// Shorter transfers are latency, which no factor of a link changes.
constexpr double kShortestTransfer = 100e-6;
constexpr double kFurtherOff = 5e-4; // of a step
// Of logarithms: what a stage's optimizer step leaves to its factor (shipped runs of one model lie within 2 %
// of each other), and how far factors lie from 1 (root mean square of the shipped unfused ones, 0.2).
constexpr double kUpdateResidual = 0.03, kUpdatePrior = 0.2;

using StagePlace = std::pair<int, int>; // pipeline, stage

struct StageSample {
    std::string kind;
    StagePlace at;
    double measured = 0.0; // s of a micro-batch, forward and backward
};

struct UpdateSample {
    StagePlace at;
    double measured = 0.0; // s of a step
};

struct LinkSampleOfRun {
    std::string medium;
    double measured = 0.0, predicted = 0.0;
};

double middle(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t at = values.size() / 2;
    return values.size() % 2 == 1 ? values[at] : std::sqrt(values[at - 1] * values[at]);
}

double within(double factor) {
    return std::clamp(factor, kLeastRunFactor, kMostRunFactor);
}

const StageFigures& figuresAt(const Evaluation& evaluation, StagePlace at) {
    return evaluation.pipelines[static_cast<std::size_t>(at.first)]
        .stages[static_cast<std::size_t>(at.second)];
}

class RunFitting {
public:
    explicit RunFitting(const RunRecord& run) : m_run(run) {}

    Result<RunFit> fit() {
        Result<Evaluation> plain = estimated(m_run.problem->recipe(), {});
        if (!plain)
            return plain.error();
        const Result<RunOverlay> laid = overlayRun(*m_run.problem, *m_run.plan, *plain, m_run);
        if (!laid)
            return laid.error();
        m_scale = laid->scale;
        collect(*plain, *laid);
        if (m_samples.empty())
            return badInput("run.stages", m_run.file,
                            "no stage on devices of one kind alone has measured passes");
        RunFit result;
        result.stages = static_cast<int>(m_samples.size());
        const std::optional<Seconds> apart = unrecordedStep();
        result.measured = apart.value_or(laid->iteration.measured);
        result.ofRecordedSteps = !apart;
        result.iterationBefore = *laid->iteration.predicted;
        Result<Calibration> all = factors(*plain, {});
        if (!all)
            return all.error();
        result.calibration = *std::move(all);
        result.calibration.emulated = !m_run.isMeasured();
        if (Status stepped = predictStep(result); !stepped)
            return stepped.error();
        if (Status judged = judgeStages(result, *plain); !judged)
            return judged.error();
        return result;
    }

private:
    // Whether the optimizer stepped in one kernel. A file that does not say so is of a runner that could not.
    bool steppedFused() const { return m_run.fusedUpdate.value_or(false); }

    // Steps that were neither the first nor recorded; nothing: there are none, or their time is no GPU's.
    std::optional<Seconds> unrecordedStep() const {
        std::vector<double> seconds;
        for (std::size_t i = 1; i < m_run.steps.size(); ++i)
            if (!m_run.steps[i].recorded)
                seconds.push_back(m_run.steps[i].duration.value);
        if (seconds.empty() || !m_run.isMeasured())
            return std::nullopt;
        return Seconds(middle(std::move(seconds)));
    }

    // The plan on the calibrated machine, without measured layers.
    Result<Evaluation> estimated(const Recipe& recipe, const Calibration& calibration) const {
        const Problem& own = *m_run.problem;
        const auto problem = Problem::make(calibrated(own.topology().cluster(), calibration), own.model(),
                                           recipe, {}, own.space(), calibrated(own.constants(), calibration));
        if (!problem)
            return problem.error();
        return evaluate(**problem, *m_run.plan, {.keepOps = true});
    }
    Result<Evaluation> predicted(const Calibration& calibration) const {
        return estimated(calibrated(m_run.problem->recipe(), calibration), calibration);
    }

    Status predictStep(RunFit& result) const {
        Calibration held = result.calibration;
        held.software.clear();
        for (const auto& [calibration, step] :
             {std::pair(&result.calibration, &result.fitted), std::pair(&held, &result.inProject)}) {
            const Result<Evaluation> evaluation = predicted(*calibration);
            if (!evaluation)
                return evaluation.error();
            const Result<RunOverlay> laid = overlayRun(*m_run.problem, *m_run.plan, *evaluation, m_run);
            if (!laid)
                return laid.error();
            step->iteration = evaluation->iteration * m_scale;
            if (!laid->slower.empty()) // what costs most first
                step->remains = laid->slower.front().says;
        }
        return Ok{};
    }

    // Errors of passes and of optimizer's steps, stage by stage: before, after, and by a fit of the others.
    Status judgeStages(RunFit& result, const Evaluation& plain) const {
        const Result<Evaluation> fitted = predicted(result.calibration);
        if (!fitted)
            return fitted.error();
        std::vector<double> before, after, unseen, updateBefore, updateAfter, updateUnseen;
        for (const UpdateSample& u : m_updates) {
            updateBefore.push_back(errorOf(u, plain));
            updateAfter.push_back(errorOf(u, *fitted));
        }
        for (const StageSample& s : m_samples) {
            before.push_back(errorOf(s, plain));
            after.push_back(errorOf(s, *fitted));
            const auto same = [&](const StageSample& other) { return other.kind == s.kind; };
            if (std::count_if(m_samples.begin(), m_samples.end(), same) < 2)
                continue;
            const Result<Calibration> others = factors(plain, s.at);
            if (!others)
                return others.error();
            const Result<Evaluation> without = predicted(*others);
            if (!without)
                return without.error();
            unseen.push_back(errorOf(s, *without));
            for (const UpdateSample& u : m_updates)
                if (u.at == s.at && m_updates.size() > 1)
                    updateUnseen.push_back(errorOf(u, *without));
        }
        const auto told = [](std::vector<double> errors) {
            return errors.empty() ? std::nullopt : std::optional(errorFigures(std::move(errors)));
        };
        result.before = errorFigures(std::move(before));
        result.after = errorFigures(std::move(after));
        result.crossValidated = told(std::move(unseen));
        result.updateBefore = told(std::move(updateBefore));
        result.updateAfter = told(std::move(updateAfter));
        result.updateCrossValidated = told(std::move(updateUnseen));
        return Ok{};
    }

    static double predictedOf(const StageSample& s, const Evaluation& evaluation) {
        const StageFigures& f = figuresAt(evaluation, s.at);
        return (f.forward + f.backward).value;
    }
    // What the device does of it: the host's part between steps is in no operation of the run.
    double predictedOf(const UpdateSample& u, const Evaluation& evaluation) const {
        return figuresAt(evaluation, u.at).optimizer.value - m_run.problem->recipe().software.betweenSteps;
    }
    template <class Sample>
    double errorOf(const Sample& sample, const Evaluation& evaluation) const {
        return m_scale * predictedOf(sample, evaluation) / sample.measured - 1.0;
    }

    void collect(const Evaluation& plain, const RunOverlay& laid) {
        const Topology& topology = m_run.problem->topology();
        std::map<StagePlace, double> sums;
        for (const StageOps& ops : stageOps(m_run)) {
            const Pipeline& pipeline = m_run.plan->pipelines[static_cast<std::size_t>(ops.pipeline)];
            if (isPass(ops.kind))
                sums[{ops.pipeline, ops.stage}] += pipeline.schedule.chunks * ops.middle().value;
            else if (ops.kind == RunOpKind::Update)
                takeUpdate({{ops.pipeline, ops.stage}, ops.middle().value}, plain);
        }
        for (const auto& [at, seconds] : sums)
            if (const DeviceKind* kind = kindAt(at); kind && seconds > 0.0)
                m_samples.push_back({kind->name, at, seconds});
        for (const RunOpRow& row : laid.rows) {
            const std::string& id = plain.pipelines[static_cast<std::size_t>(row.pipeline)]
                                        .stages[static_cast<std::size_t>(row.stage)]
                                        .link;
            const std::vector<Link>& links = topology.cluster().links;
            const auto link =
                std::find_if(links.begin(), links.end(), [&](const Link& l) { return l.id == id; });
            if (row.kind == RunOpKind::Send && row.time.predicted &&
                row.time.predicted->value >= kShortestTransfer && row.time.measured.value > 0.0 &&
                link != links.end())
                m_links.push_back({std::string(mediumOf(topology.cluster(), *link)), row.time.measured.value,
                                   row.time.predicted->value});
        }
    }

    // Of all replicas of a stage; null: they are of several, of which the prediction has the slowest and the
    // median of the run's ranks any.
    const DeviceKind* kindAt(StagePlace at) const {
        const Topology& topology = m_run.problem->topology();
        const Stage& stage = m_run.plan->pipelines[static_cast<std::size_t>(at.first)]
                                 .stages[static_cast<std::size_t>(at.second)];
        const DeviceKind* kind = &topology.kindOf(stage.replicas.front().devices.front());
        const bool one = std::all_of(stage.replicas.begin(), stage.replicas.end(), [&](const Replica& r) {
            return &topology.kindOf(r.devices.front()) == kind;
        });
        return one ? kind : nullptr;
    }

    void takeUpdate(const UpdateSample& sample, const Evaluation& plain) {
        if (m_run.isMeasured() && kindAt(sample.at) && sample.measured > 0.0 &&
            predictedOf(sample, plain) > 0.0)
            m_updates.push_back(sample);
    }

    // From all stages but `left`.
    Result<Calibration> factors(const Evaluation& plain, std::optional<StagePlace> left) const {
        std::map<std::string, std::vector<double>> kinds, media;
        for (const StageSample& s : m_samples)
            if (s.at != left)
                kinds[s.kind].push_back(m_scale * predictedOf(s, plain) / s.measured);
        for (const LinkSampleOfRun& l : m_links)
            media[l.medium].push_back(l.predicted / l.measured);
        Calibration calibration;
        for (auto& [kind, ratios] : kinds) {
            const double factor = within(middle(std::move(ratios)));
            calibration.kinds[kind] = {factor, factor, 1.0};
        }
        for (auto& [medium, ratios] : media)
            calibration.links[medium] = within(middle(std::move(ratios)));
        if (Status fitted = fitUpdate(calibration, left); !fitted)
            return fitted.error();
        return calibration;
    }

    // How much slower the optimizer steps than the calibrated memory would have it.
    Status fitUpdate(Calibration& calibration, std::optional<StagePlace> left) const {
        if (m_updates.empty())
            return Ok{};
        Recipe asItRan = m_run.problem->recipe();
        asItRan.software.fusedUpdate = steppedFused() ? Choice::On : Choice::Off;
        const Result<Evaluation> evaluation = estimated(asItRan, calibration);
        if (!evaluation)
            return evaluation.error();
        std::vector<double> ratios;
        for (const UpdateSample& u : m_updates)
            if (u.at != left)
                ratios.push_back(predictedOf(u, *evaluation) / u.measured);
        if (ratios.empty())
            return Ok{};
        const auto stages = static_cast<double>(ratios.size());
        const double told = stages / (stages + std::pow(kUpdateResidual / kUpdatePrior, 2));
        calibration.software[kUpdateGroup] = within(std::pow(middle(std::move(ratios)), told));
        if (!steppedFused())
            calibration.fusedUpdate = Choice::Off;
        return Ok{};
    }

    const RunRecord& m_run;
    double m_scale = 1.0;
    std::vector<StageSample> m_samples;
    std::vector<UpdateSample> m_updates; // of measured runs
    std::vector<LinkSampleOfRun> m_links;
};

} // namespace

bool RunFit::isFurtherOff(const FittedStep& step) const {
    return std::abs(errorOf(step)) > std::abs(errorBefore()) + kFurtherOff;
}

Result<RunFit> fitRun(const RunRecord& run) {
    if (!run.plan)
        return badInput(
            "run.document", run.file,
            "does not hold the plan that ran, which says what its passes are of; run it again with this "
            "version's runner");
    return RunFitting(run).fit();
}

} // namespace pw

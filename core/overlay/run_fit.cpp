// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/overlay/run_fit.h"

#include "core/cluster/network_kind.h"
#include "core/exchange/imports/measurements/run_passes.h"
#include "core/overlay/run_overlay.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace pw {

namespace {

constexpr double kLeastRunFactor = 0.1, kMostRunFactor = 10.0; // what readCalibration accepts
// Shorter transfers are latency, which no factor of a link changes.
constexpr double kShortestTransfer = 100e-6;
constexpr double kFurtherOff = 5e-4; // of a step

struct StageSample {
    std::string kind;
    int pipeline = 0, stage = 0;
    double measured = 0.0; // s of a micro-batch, forward and backward
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

class RunFitting {
public:
    explicit RunFitting(const RunRecord& run) : m_run(run) {}

    Result<RunFit> fit() {
        Result<Evaluation> plain = estimated({});
        if (!plain)
            return plain.error();
        const Result<RunOverlay> laid = overlayRun(*m_run.problem, *m_run.plan, *plain, m_run);
        if (!laid)
            return laid.error();
        m_scale = laid->scale;
        collect(*plain, *laid);
        if (m_samples.empty())
            return badInput("run.stages", m_run.file, "no stage stands on devices of one kind alone");
        RunFit result;
        result.stages = static_cast<int>(m_samples.size());
        result.measured = laid->iteration.measured;
        result.iterationBefore = *laid->iteration.predicted;
        result.calibration = factors(*plain, nullptr);
        result.calibration.emulated = !m_run.isMeasured();
        const Result<Evaluation> fitted = estimated(result.calibration);
        if (!fitted)
            return fitted.error();
        result.iterationAfter = fitted->iteration * m_scale;
        const Result<RunOverlay> again = overlayRun(*m_run.problem, *m_run.plan, *fitted, m_run);
        if (!again)
            return again.error();
        if (!again->slower.empty()) // what costs most first
            result.remains = again->slower.front().says;
        std::vector<double> before, after, unseen;
        for (const StageSample& s : m_samples) {
            before.push_back(errorOf(s, *plain));
            after.push_back(errorOf(s, *fitted));
            const auto same = [&](const StageSample& other) { return other.kind == s.kind; };
            if (std::count_if(m_samples.begin(), m_samples.end(), same) < 2)
                continue;
            const Result<Evaluation> without = estimated(factors(*plain, &s));
            if (!without)
                return without.error();
            unseen.push_back(errorOf(s, *without));
        }
        result.before = errorFigures(std::move(before));
        result.after = errorFigures(std::move(after));
        if (!unseen.empty())
            result.crossValidated = errorFigures(std::move(unseen));
        return result;
    }

private:
    // The plan on the calibrated machine, without measured layers.
    Result<Evaluation> estimated(const Calibration& calibration) const {
        const Problem& own = *m_run.problem;
        const auto problem = Problem::make(calibrated(own.topology().cluster(), calibration), own.model(),
                                           own.recipe(), {}, own.space(), own.constants());
        if (!problem)
            return problem.error();
        return evaluate(**problem, *m_run.plan, {.keepOps = true});
    }

    static double predictedOf(const StageSample& s, const Evaluation& evaluation) {
        const StageFigures& f = evaluation.pipelines[static_cast<std::size_t>(s.pipeline)]
                                    .stages[static_cast<std::size_t>(s.stage)];
        return (f.forward + f.backward).value;
    }
    double errorOf(const StageSample& s, const Evaluation& evaluation) const {
        return m_scale * predictedOf(s, evaluation) / s.measured - 1.0;
    }

    void collect(const Evaluation& plain, const RunOverlay& laid) {
        const Topology& topology = m_run.problem->topology();
        std::map<std::pair<int, int>, double> sums;
        for (const StageOps& ops : stageOps(m_run)) {
            const Pipeline& pipeline = m_run.plan->pipelines[static_cast<std::size_t>(ops.pipeline)];
            if (isPass(ops.kind))
                sums[{ops.pipeline, ops.stage}] += pipeline.schedule.chunks * ops.middle().value;
        }
        for (const auto& [at, seconds] : sums) {
            const Stage& stage = m_run.plan->pipelines[static_cast<std::size_t>(at.first)]
                                     .stages[static_cast<std::size_t>(at.second)];
            const DeviceKind* kind = &topology.kindOf(stage.replicas.front().devices.front());
            const bool one = std::all_of(stage.replicas.begin(), stage.replicas.end(), [&](const Replica& r) {
                return &topology.kindOf(r.devices.front()) == kind;
            });
            if (one && seconds > 0.0)
                m_samples.push_back({kind->name, at.first, at.second, seconds});
        }
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

    Calibration factors(const Evaluation& plain, const StageSample* left) const {
        std::map<std::string, std::vector<double>> kinds, media;
        for (const StageSample& s : m_samples)
            if (&s != left)
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
        return calibration;
    }

    const RunRecord& m_run;
    double m_scale = 1.0;
    std::vector<StageSample> m_samples;
    std::vector<LinkSampleOfRun> m_links;
};

} // namespace

bool RunFit::isFurtherOff() const {
    return std::abs(errorAfter()) > std::abs(errorBefore()) + kFurtherOff;
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

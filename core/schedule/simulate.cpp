// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/schedule.h"

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

// Launch counts that do not rise along the pipeline give a dataflow order without any queue. Step k of stage
// i is the pair (forward k + L_i - 1, backward k). That forward needs the same one of stage i-1, whose step
// is k + L_i - L_{i-1} <= k, and that backward needs step k of stage i+1:
//
//     warm-up, first stage to last    forwards 0 .. L_i - 2
//     step k   first stage to last    forward k + L_i - 1, where there is one
//              last stage to first    backward k
//
// So a micro-batch's forward is at one place at a time and a single number holds its arrival, and a gradient
// is consumed by the very next op computed.
template <bool Keep, bool Overlap>
class Run {
public:
    Run(const StageTimes& times, int microbatches, SimulationWorkspace& workspace, Simulation& out)
        : m_microbatches(microbatches), m_stages(times.stages()), m_forward(times.forward.data()),
          m_backward(times.backward.data()), m_send(times.send.data()), m_launch(workspace.launch.data()),
          m_stageFree(workspace.stageFree.data()), m_forwardFree(workspace.forwardFree.data()),
          m_backwardFree(workspace.backwardFree.data()), m_arrival(workspace.arrival.data()), m_out(out) {
        if constexpr (Keep) {
            std::size_t transfers = 0;
            for (int i = 0; i + 1 < m_stages; ++i) {
                m_transferBase.push_back(transfers);
                if (m_send[i] > 0.0)
                    transfers += 2 * static_cast<std::size_t>(m_microbatches);
            }
            m_out.ops.resize(2 * static_cast<std::size_t>(m_stages) *
                             static_cast<std::size_t>(m_microbatches));
            m_out.transfers.resize(transfers);
        }
    }

    // False if it was stopped.
    bool all(const std::function<bool()>* stop) {
        const auto stopped = [stop](int microbatch) {
            return (microbatch & 511) == 511 && stop != nullptr && (*stop)();
        };
        for (int i = 0; i < m_stages; ++i)
            for (int m = 0; m + 1 < m_launch[i]; ++m) {
                if (stopped(m))
                    return false;
                forward(i, m);
            }
        int active = 0; // stages before it have run all their forwards
        for (int k = 0; k < m_microbatches; ++k) {
            if (stopped(k))
                return false;
            while (active < m_stages && k + m_launch[active] > m_microbatches)
                ++active;
            for (int i = active; i < m_stages; ++i)
                forward(i, k + m_launch[i] - 1);
            double gradient = 0.0;
            for (int i = m_stages - 1; i >= 0; --i)
                gradient = backward(i, k, gradient);
        }
        return true;
    }

private:
    void forward(int i, int m) {
        const double start = std::max(m_stageFree[i], m_arrival[m]);
        const double end = start + m_forward[i];
        double free = end;
        if (i + 1 < m_stages) {
            const double sendStart = std::max(end, m_forwardFree[i]);
            const double arrives = sendStart + m_send[i];
            m_forwardFree[i] = arrives;
            m_arrival[m] = arrives;
            if constexpr (!Overlap)
                free = arrives;
            keepTransfer(i, m, OpKind::Forward, sendStart, arrives);
        }
        m_stageFree[i] = free;
        if (m == 0)
            m_out.firstStart[static_cast<std::size_t>(i)] = start;
        const int paired = m - m_launch[i] + 1; // the step, where not in the warm-up
        keepOp(i, m, OpKind::Forward, paired <= 0 ? m : m + paired, start, end);
    }

    // Returns when the gradient of the input reaches stage i-1.
    double backward(int i, int k, double gradient) {
        const double start = std::max(m_stageFree[i], gradient);
        const double end = start + m_backward[i];
        double free = end, arrives = end;
        if (i > 0) {
            const double sendStart = std::max(end, m_backwardFree[i - 1]);
            arrives = sendStart + m_send[i - 1];
            m_backwardFree[i - 1] = arrives;
            if constexpr (!Overlap)
                free = arrives;
            keepTransfer(i - 1, k, OpKind::Backward, sendStart, arrives);
        }
        m_stageFree[i] = free;
        if (k + 1 == m_microbatches)
            m_out.lastEnd[static_cast<std::size_t>(i)] = end;
        keepOp(i, k, OpKind::Backward, std::min(m_launch[i] + 2 * k, m_microbatches + k), start, end);
        return arrives;
    }

    void keepOp(int stage, int microbatch, OpKind kind, int place, double start, double end) {
        if constexpr (Keep)
            m_out.ops[2 * static_cast<std::size_t>(stage) * static_cast<std::size_t>(m_microbatches) +
                      static_cast<std::size_t>(place)] = Op{stage, microbatch, kind, 0, start, end};
    }
    void keepTransfer(int boundary, int microbatch, OpKind kind, double start, double end) {
        if constexpr (Keep) {
            if (m_send[boundary] > 0.0) {
                const int offset = microbatch + (kind == OpKind::Backward ? m_microbatches : 0);
                m_out.transfers[m_transferBase[static_cast<std::size_t>(boundary)] +
                                static_cast<std::size_t>(offset)] =
                    Transfer{boundary, microbatch, kind, start, end};
            }
        }
    }

    int m_microbatches, m_stages;
    const double *m_forward, *m_backward, *m_send;
    const int* m_launch;
    double *m_stageFree, *m_forwardFree, *m_backwardFree, *m_arrival;
    Simulation& m_out;
    std::vector<std::size_t> m_transferBase; // by boundary, only when kept
};

bool usable(const std::vector<double>& values, std::size_t count) {
    return values.size() == count &&
           std::all_of(values.begin(), values.end(), [](double v) { return v >= 0.0 && std::isfinite(v); });
}

Status checkInput(const StageTimes& times, int microbatches, const std::vector<int>& launch) {
    const std::size_t stages = times.forward.size();
    if (stages == 0 || microbatches < 1)
        return badInput("schedule.input", "", "a schedule needs a stage and a micro-batch");
    if (!usable(times.forward, stages) || !usable(times.backward, stages) || !usable(times.send, stages - 1))
        return badInput(
            "schedule.input", "",
            {"expected finite times of at least 0: one forward and one backward a stage and one send "
             "less than there are stages ({stages})",
             {{"stages", stages}}});
    if (launch.size() != stages || std::any_of(launch.begin(), launch.end(), [](int l) { return l < 1; }))
        return badInput(
            "schedule.input", "",
            {"expected a launch count of at least 1 for each of {stages} stages", {{"stages", stages}}});
    return Ok{};
}

// Stage i stops after L_i forwards for a gradient, and stage i+1 gives none before its own L_{i+1}th forward.
Status checkProgress(const std::vector<int>& capped) {
    Error error =
        badInput("schedule.deadlock", "", "the launch counts rise along the pipeline, so it cannot progress");
    for (std::size_t i = 0; i + 1 < capped.size(); ++i)
        if (capped[i] < capped[i + 1])
            error.because({"stage {stage} waits for the first gradient of stage {next}, which waits for "
                           "forward {forward} of stage {stage}",
                           {{"stage", i}, {"next", i + 1}, {"forward", capped[i]}}});
    if (error.reasons.empty())
        return Ok{};
    return error;
}

} // namespace

double Simulation::bubble() const {
    double worst = 0.0;
    for (std::size_t i = 0; i < busy.size(); ++i)
        if (busy[i] > 0.0)
            worst = std::max(worst, (lastEnd[i] - firstStart[i]) / busy[i] - 1.0);
    return worst;
}

double Simulation::largestSpan() const {
    double largest = 0.0;
    for (std::size_t i = 0; i < lastEnd.size(); ++i)
        largest = std::max(largest, lastEnd[i] - firstStart[i]);
    return largest;
}

Status simulate(const StageTimes& times, int microbatches, const std::vector<int>& launch,
                const SimulationOptions& options, SimulationWorkspace& workspace, Simulation& out) {
    if (Status ok = checkInput(times, microbatches, launch); !ok)
        return ok;
    const std::size_t stages = times.forward.size();
    workspace.launch.resize(stages);
    bool rises = false;
    for (std::size_t i = 0; i < stages; ++i) {
        workspace.launch[i] = std::min(launch[i], microbatches);
        rises = rises || (i > 0 && workspace.launch[i] > workspace.launch[i - 1]);
    }
    if (rises)
        return checkProgress(workspace.launch);
    workspace.stageFree.assign(stages, 0.0);
    workspace.forwardFree.assign(stages, 0.0);
    workspace.backwardFree.assign(stages, 0.0);
    workspace.arrival.assign(static_cast<std::size_t>(microbatches), 0.0);

    out.ops.clear();
    out.transfers.clear();
    out.peakHeld.clear();
    out.held.clear();
    out.released.clear();
    out.layout = {static_cast<int>(stages)};
    out.split = false;
    out.firstStart.assign(stages, 0.0);
    out.lastEnd.assign(stages, 0.0);
    const auto run = [&] {
        if (options.keepOps && options.overlap)
            return Run<true, true>(times, microbatches, workspace, out).all(options.stop);
        if (options.keepOps)
            return Run<true, false>(times, microbatches, workspace, out).all(options.stop);
        if (options.overlap)
            return Run<false, true>(times, microbatches, workspace, out).all(options.stop);
        return Run<false, false>(times, microbatches, workspace, out).all(options.stop);
    };
    if (!run())
        return stopped("schedule.stopped", "stopped before its end");

    out.makespan = *std::max_element(out.lastEnd.begin(), out.lastEnd.end());
    out.peakInFlight.assign(workspace.launch.begin(), workspace.launch.end()); // by the op lists themselves
    out.busy.resize(stages);
    for (std::size_t i = 0; i < stages; ++i)
        out.busy[i] = microbatches * (times.forward[i] + times.backward[i]);
    return Ok{};
}

Result<Simulation> simulate(const StageTimes& times, int microbatches, const std::vector<int>& launch,
                            const SimulationOptions& options) {
    SimulationWorkspace workspace;
    Simulation out;
    if (Status ok = simulate(times, microbatches, launch, options, workspace, out); !ok)
        return ok.error();
    return out;
}

} // namespace pw

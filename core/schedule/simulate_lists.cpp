// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/op_lists.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace pw {

namespace {

constexpr double kUnknown = -1.0; // an arrival that no executed pass has caused yet

const char* noun(OpKind kind) {
    return kind == OpKind::Forward ? "activation" : kind == OpKind::Backward ? "gradient" : "backward";
}

// Stages run until an input is missing; the pass that makes it wakes the stage that waits for it. Every pass
// is therefore visited once, plus once for each wait.
class ListRun {
public:
    ListRun(const ChunkedPipeline& pipeline, int microbatches, const OpLists& lists,
            const SimulationOptions& options, Simulation& out)
        : m_pipeline(pipeline), m_microbatches(microbatches), m_lists(lists), m_options(options), m_out(out),
          m_stage(at(pipeline.stages)), m_virtual(at(pipeline.virtualStages())) {
        const std::size_t inputs = m_virtual.size() * at(microbatches);
        m_forwardInput.assign(inputs, kUnknown);
        m_backwardInput.assign(inputs, kUnknown);
        std::fill_n(m_forwardInput.begin(), microbatches, 0.0);
        m_links.resize(2 * m_stage.size());
        describe();
        if (options.keepOps)
            reserve();
    }

    bool all() {
        std::vector<int> runnable;
        for (int d = m_pipeline.stages - 1; d >= 0; --d)
            runnable.push_back(d);
        while (!runnable.empty() && !m_stopped) {
            const int d = runnable.back();
            runnable.pop_back();
            advance(d, runnable);
        }
        bool done = true;
        for (int d = 0; d < m_pipeline.stages; ++d)
            done = done && m_stage[at(d)].next == m_lists.stages[at(d)].size();
        if (done)
            finish();
        return done;
    }

    // Why it did not get to its end.
    Error unfinished() const {
        if (m_stopped)
            return stopped("schedule.stopped", "stopped before its end");
        Error error = badInput("schedule.deadlock", "", "the lists wait for each other in a circle");
        for (int d = 0; d < m_pipeline.stages; ++d) {
            const std::vector<Pass>& list = m_lists.stages[at(d)];
            if (m_stage[at(d)].next == list.size())
                continue;
            const Pass& pass = list[m_stage[at(d)].next];
            error.because({"stage {stage} waits for the {pass} of micro-batch {microbatch}, chunk {chunk}",
                           {{"stage", d},
                            {"pass", noun(pass.kind)},
                            {"microbatch", pass.microbatch},
                            {"chunk", pass.chunk}}});
        }
        return error;
    }

private:
    struct Link {
        int to = -1;
        double free = 0.0;
    };
    // What a pass of a virtual stage costs and feeds.
    struct Virtual {
        double time[3] = {};    // by kind
        double release[3] = {}; // by kind; negative for what a forward takes
        int consumer[2] = {};   // stage that takes the activation and the gradient; -1 for none
        int link[2] = {-1, -1}; // and the link to it; -1 where nothing is sent
        double send[2] = {};
    };
    struct Stage {
        std::size_t next = 0; // in its list
        double free = 0.0, busy = 0.0, held = 0.0, peakHeld = 0.0;
        double firstStart = 0.0, lastEnd = 0.0;
        int inFlight = 0, peakInFlight = 0;
        std::vector<Op> ops;
    };

    void describe() {
        const ChunkedPipeline& p = m_pipeline;
        for (int v = 0; v < p.virtualStages(); ++v) {
            Virtual& x = m_virtual[at(v)];
            const double weight = p.weightGrad[at(v)], rest = p.held[at(v)] - p.released[at(v)];
            x.time[0] = p.forward[at(v)];
            x.time[1] = p.inputGrad[at(v)] + (m_lists.split ? 0.0 : weight);
            x.time[2] = weight;
            x.release[0] = -p.held[at(v)];
            x.release[1] = p.released[at(v)] + (m_lists.split ? 0.0 : rest);
            x.release[2] = rest;
            const int own = p.stageOf(v);
            const int behind = v + 1 < p.virtualStages() ? p.stageOf(v + 1) : -1;
            const int before = v > 0 ? p.stageOf(v - 1) : -1;
            x.consumer[0] = v + 1 < p.virtualStages() ? behind : own; // the last one turns round
            x.consumer[1] = before;
            if (behind >= 0 && behind != own) {
                x.link[0] = link(own, behind);
                x.send[0] = p.send[at(v)];
            }
            if (before >= 0 && before != own) {
                x.link[1] = link(own, before);
                x.send[1] = p.send[at(v - 1)];
            }
        }
    }

    // Either placement sends from a stage to two others at most.
    int link(int from, int to) {
        int index = 2 * from;
        if (m_links[at(index)].to >= 0 && m_links[at(index)].to != to)
            ++index;
        m_links[at(index)].to = to;
        return index;
    }

    void reserve() {
        for (int d = 0; d < m_pipeline.stages; ++d)
            m_stage[at(d)].ops.reserve(m_lists.stages[at(d)].size());
        m_sent.resize(2 * m_virtual.size());
    }

    void advance(int d, std::vector<int>& runnable) {
        Stage& stage = m_stage[at(d)];
        const std::vector<Pass>& list = m_lists.stages[at(d)];
        for (; stage.next < list.size(); ++stage.next) {
            const Pass pass = list[stage.next];
            const int v = m_pipeline.virtualStage(d, pass.chunk);
            const std::size_t slot = at(v) * at(m_microbatches) + at(pass.microbatch);
            double input = 0.0; // a WeightGrad follows its Backward in the same list
            if (pass.kind != OpKind::WeightGrad) {
                input = (pass.kind == OpKind::Forward ? m_forwardInput : m_backwardInput)[slot];
                if (input == kUnknown)
                    return;
            }
            execute(d, v, pass, slot, input, runnable);
            if ((++m_executed & 8191) == 0 && m_options.stop != nullptr && (*m_options.stop)()) {
                m_stopped = true;
                return;
            }
        }
    }

    void execute(int d, int v, const Pass& pass, std::size_t slot, double input, std::vector<int>& runnable) {
        Stage& stage = m_stage[at(d)];
        Virtual& x = m_virtual[at(v)];
        const auto kind = static_cast<std::size_t>(pass.kind);
        const double start = std::max(stage.free, input);
        const double end = start + x.time[kind];
        if (stage.next == 0)
            stage.firstStart = start;
        stage.lastEnd = end;
        stage.busy += x.time[kind];
        stage.free = end;
        stage.held -= x.release[kind];
        stage.peakHeld = std::max(stage.peakHeld, stage.held);
        stage.inFlight += pass.kind == OpKind::Forward ? 1 : pass.kind == OpKind::Backward ? -1 : 0;
        stage.peakInFlight = std::max(stage.peakInFlight, stage.inFlight);
        if (m_options.keepOps)
            stage.ops.push_back({d, pass.microbatch, pass.kind, pass.chunk, start, end});
        if (pass.kind == OpKind::WeightGrad || x.consumer[kind] < 0)
            return;

        double arrives = end;
        if (const int l = x.link[kind]; l >= 0) {
            Link& over = m_links[at(l)];
            const double sendStart = std::max(end, over.free);
            arrives = over.free = sendStart + x.send[kind];
            if (!m_options.overlap && !(m_options.paired && pass.kind == OpKind::Forward))
                stage.free = arrives;
            if (m_options.keepOps && x.send[kind] > 0.0)
                keepTransfer(pass.kind == OpKind::Forward ? v : v - 1, pass, sendStart, arrives);
        }
        deliver(v, pass.kind, slot, arrives, x.consumer[kind], d, runnable);
    }

    void keepTransfer(int boundary, const Pass& pass, double start, double end) {
        m_sent[2 * at(boundary) + static_cast<std::size_t>(pass.kind)].push_back(
            {boundary, pass.microbatch, pass.kind, start, end});
    }

    void deliver(int v, OpKind kind, std::size_t slot, double arrives, int consumer, int producer,
                 std::vector<int>& runnable) {
        const bool turns = kind == OpKind::Forward && v + 1 == m_pipeline.virtualStages();
        const std::size_t row = at(m_microbatches);
        if (turns)
            m_backwardInput[slot] = arrives;
        else if (kind == OpKind::Forward)
            m_forwardInput[slot + row] = arrives;
        else
            m_backwardInput[slot - row] = arrives;
        if (consumer == producer)
            return; // it is running
        const Stage& waiting = m_stage[at(consumer)];
        const std::vector<Pass>& list = m_lists.stages[at(consumer)];
        if (waiting.next == list.size())
            return;
        const Pass& next = list[waiting.next];
        const int needed = kind == OpKind::Forward ? v + 1 : v - 1;
        if (next.kind == kind && static_cast<std::size_t>(next.microbatch) == slot % row &&
            m_pipeline.virtualStage(consumer, next.chunk) == needed)
            runnable.push_back(consumer);
    }

    void finish() {
        m_out = {};
        m_out.held = m_pipeline.held;
        m_out.released = m_pipeline.released;
        m_out.layout = m_pipeline;
        m_out.split = m_lists.split;
        for (Stage& stage : m_stage) {
            m_out.firstStart.push_back(stage.firstStart);
            m_out.lastEnd.push_back(stage.lastEnd);
            m_out.busy.push_back(stage.busy);
            m_out.peakInFlight.push_back(stage.peakInFlight);
            m_out.peakHeld.push_back(stage.peakHeld);
            m_out.makespan = std::max(m_out.makespan, stage.lastEnd);
            m_out.ops.insert(m_out.ops.end(), stage.ops.begin(), stage.ops.end());
        }
        for (const std::vector<Transfer>& sent : m_sent)
            m_out.transfers.insert(m_out.transfers.end(), sent.begin(), sent.end());
    }

    const ChunkedPipeline& m_pipeline;
    int m_microbatches;
    const OpLists& m_lists;
    const SimulationOptions& m_options;
    Simulation& m_out;
    std::int64_t m_executed = 0; // passes
    bool m_stopped = false;
    std::vector<Stage> m_stage;
    std::vector<Virtual> m_virtual;
    std::vector<Link> m_links;
    std::vector<double> m_forwardInput, m_backwardInput; // arrival by virtual stage and micro-batch
    std::vector<std::vector<Transfer>> m_sent;           // by boundary and direction
};

bool usable(const std::vector<double>& values, int count) {
    return values.size() == at(count) &&
           std::all_of(values.begin(), values.end(), [](double v) { return v >= 0.0 && std::isfinite(v); });
}

Status checkInput(const ChunkedPipeline& p, int microbatches, const OpLists& lists) {
    if (p.stages < 1 || p.chunks < 1 || microbatches < 1)
        return badInput("schedule.input", "", "a schedule needs a stage, a chunk and a micro-batch");
    const int n = p.virtualStages();
    for (const std::vector<double>* values : {&p.forward, &p.inputGrad, &p.weightGrad, &p.held, &p.released})
        if (!usable(*values, n))
            return badInput("schedule.input", "",
                            {"expected finite figures of at least 0 for each of {stages} virtual stages",
                             {{"stages", n}}});
    if (!usable(p.send, n - 1))
        return badInput("schedule.input", "",
                        {"expected {sends} finite sends of at least 0", {{"sends", n - 1}}});
    if (lists.stages.size() != at(p.stages))
        return badInput("schedule.input", "",
                        {"expected a list for each of {stages} stages", {{"stages", p.stages}}});
    return Ok{};
}

// Each pass once, forward before backward before weight gradient.
Status checkLists(const ChunkedPipeline& p, int microbatches, const OpLists& lists) {
    const std::size_t passes = (lists.split ? 3u : 2u) * at(p.chunks) * at(microbatches);
    std::vector<std::uint8_t> done(at(p.chunks) * at(microbatches));
    for (int d = 0; d < p.stages; ++d) {
        const auto wrong = [d](const char* pattern, Params params) {
            params.emplace_back("stage", d);
            return badInput("schedule.ops", "", {pattern, std::move(params)});
        };
        const std::vector<Pass>& list = lists.stages[at(d)];
        if (list.size() != passes)
            return wrong("stage {stage}: {passes} passes; expected {expected}",
                         {{"passes", list.size()}, {"expected", passes}});
        std::fill(done.begin(), done.end(), std::uint8_t{0});
        for (const Pass& pass : list) {
            if (pass.microbatch < 0 || pass.microbatch >= microbatches || pass.chunk < 0 ||
                pass.chunk >= p.chunks)
                return wrong("stage {stage}: a pass of micro-batch {microbatch}, chunk {chunk}",
                             {{"microbatch", pass.microbatch}, {"chunk", pass.chunk}});
            std::uint8_t& state = done[at(pass.chunk) * at(microbatches) + at(pass.microbatch)];
            if (state != static_cast<std::uint8_t>(pass.kind))
                return wrong(
                    "stage {stage}: the passes of micro-batch {microbatch} are not each once and in order",
                    {{"microbatch", pass.microbatch}});
            ++state;
        }
    }
    return Ok{};
}

} // namespace

double ChunkedPipeline::busiest() const {
    double most = 0.0;
    for (int d = 0; d < stages; ++d) {
        double once = 0.0;
        for (int c = 0; c < chunks; ++c) {
            const std::size_t v = at(virtualStage(d, c));
            once += forward[v] + inputGrad[v] + weightGrad[v];
        }
        most = std::max(most, once);
    }
    return most;
}

ChunkedPipeline chunkedPipeline(const StageTimes& times, const std::vector<double>& weight, int chunks,
                                ChunkPlacement placement, double wrap) {
    ChunkedPipeline p;
    p.stages = times.stages();
    p.chunks = chunks;
    p.placement = placement;
    for (int v = 0; v < p.virtualStages(); ++v) {
        const std::size_t d = at(p.stageOf(v));
        const double w = weight.empty() ? 0.5 * times.backward[d] : weight[d];
        p.forward.push_back(times.forward[d] / chunks);
        p.inputGrad.push_back((times.backward[d] - w) / chunks);
        p.weightGrad.push_back(w / chunks);
        p.held.push_back(2.0 / chunks);
        p.released.push_back(1.0 / chunks);
        if (v + 1 == p.virtualStages())
            break;
        const int from = p.stageOf(v), to = p.stageOf(v + 1);
        p.send.push_back(from == to                 ? 0.0
                         : std::abs(from - to) == 1 ? times.send[at(std::min(from, to))]
                                                    : wrap);
    }
    return p;
}

Result<Simulation> simulate(const ChunkedPipeline& pipeline, int microbatches, const OpLists& lists,
                            const SimulationOptions& options) {
    if (Status ok = checkInput(pipeline, microbatches, lists); !ok)
        return ok.error();
    if (Status ok = checkLists(pipeline, microbatches, lists); !ok)
        return ok.error();
    Simulation out;
    ListRun run(pipeline, microbatches, lists, options, out);
    if (!run.all())
        return run.unfinished();
    return out;
}

std::vector<int> forwardsBeforeBackward(const OpLists& lists) {
    std::vector<int> counts;
    for (const std::vector<Pass>& list : lists.stages)
        counts.push_back(static_cast<int>(
            std::find_if(list.begin(), list.end(), [](const Pass& p) { return p.kind == OpKind::Backward; }) -
            list.begin()));
    return counts;
}

} // namespace pw

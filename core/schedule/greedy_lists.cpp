// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/list_schedulers.h"

#include <algorithm>
#include <queue>
#include <tuple>

namespace pw {

namespace {

// Builds lists by running the pipeline in time order and deciding whenever a stage becomes free or an input
// arrives. An arrival is known from the moment that its producer starts, so a stage sees that far ahead.
//
// Memory: a forward of chunk c starts only if its stage could then still take the later chunks of the same
// micro-batch. So the oldest micro-batch in flight always gets through, and nothing waits for ever.
class GreedyRun {
public:
    GreedyRun(const ChunkedPipeline& pipeline, int microbatches, const std::vector<double>& limit,
              bool overlap, const GreedyPolicy& policy, const OpLists* order = nullptr, bool toTheEnd = false)
        : m_pipeline(pipeline), m_microbatches(microbatches), m_limit(limit), m_overlap(overlap),
          m_policy(policy), m_order(order), m_toTheEnd(toTheEnd), m_stage(at(pipeline.stages)),
          m_nextForward(at(pipeline.virtualStages())), m_nextBackward(at(pipeline.virtualStages())),
          m_need(at(pipeline.virtualStages())) {
        const std::size_t inputs = m_nextForward.size() * at(microbatches);
        m_forwardInput.assign(inputs, kUnknown);
        m_backwardInput.assign(inputs, kUnknown);
        std::fill_n(m_forwardInput.begin(), microbatches, 0.0);
        const std::vector<double> onTheirWay = lastChunkInFlight(pipeline);
        for (int d = 0; d < pipeline.stages; ++d) {
            m_stage[at(d)].reserved = static_cast<int>(policy.reserve * onTheirWay[at(d)] + 0.5);
            double behind = 0.0; // of the chunks that follow
            for (int c = pipeline.chunks - 1; c >= 0; --c) {
                const int v = pipeline.virtualStage(d, c);
                behind += pipeline.held[at(v)];
                m_need[at(v)] = behind;
            }
            const int left = pipeline.stages - d;
            m_stage[at(d)].cap = policy.slowStart < 0.0
                                     ? microbatches
                                     : left + static_cast<int>(policy.slowStart * (left - 1));
            m_events.push({0.0, d});
        }
    }

    // Incomplete if stopped.
    OpLists lists(const std::function<bool()>* stop) {
        for (int n = 1; !m_events.empty(); ++n) {
            if (n % 8192 == 0 && stop != nullptr && (*stop)())
                break;
            const auto [time, d] = m_events.top();
            m_events.pop();
            if (m_stage[at(d)].free > time)
                continue;
            if (m_order != nullptr && (m_toTheEnd || m_stage[at(d)].entered < m_microbatches))
                follow(d, time);
            else
                decide(d, time);
        }
        OpLists lists;
        lists.split = true;
        for (Stage& stage : m_stage)
            lists.stages.push_back(std::move(stage.list));
        return lists;
    }

private:
    struct Stage {
        double free = 0.0, held = 0.0;
        double linkFree[2] = {};            // to the next and to the previous stage
        int cap = 0, entered = 0, left = 0; // micro-batches of the first chunk
        int reserved = 0, deep = 0;         // of the last chunk: to leave room for; in flight
        OpKind last = OpKind::WeightGrad;
        std::vector<Pass> list;
        std::size_t next = 0;        // in the order that is followed
        std::size_t firstWeight = 0; // of `weights` that is still to run
        std::vector<Pass> weights;   // in the order in which their backwards ran
    };

    // By stage: micro-batches, at the pace of the busiest stage, between a forward of its last chunk and the
    // gradient that comes back for it.
    static std::vector<double> lastChunkInFlight(const ChunkedPipeline& p) {
        const double pace = p.busiest();
        std::vector<double> count(at(p.stages));
        double trip = 0.0;
        for (int v = p.virtualStages() - 1; v >= p.virtualStages() - p.stages; --v) {
            trip += p.forward[at(v)];
            count[at(p.stageOf(v))] = pace > 0.0 ? trip / pace : 0.0;
            trip += p.inputGrad[at(v)] + (v > 0 ? 2.0 * p.send[at(v - 1)] : 0.0);
        }
        return count;
    }

    bool fits(const Stage& stage, int d, int v) const {
        double need = m_need[at(v)];
        if (m_pipeline.chunkOf(v) == 0 && stage.entered > stage.left) { // else it must go on in any case
            const int deep = m_pipeline.virtualStage(d, m_pipeline.chunks - 1);
            const int more = std::min(stage.reserved - stage.deep, m_microbatches - m_nextForward[at(deep)]);
            need += std::max(0, more - 1) * m_pipeline.held[at(deep)]; // one of them is part of m_need
        }
        return stage.held + need <= m_limit[at(d)] * kHeldSlack;
    }

    // The virtual stage whose forward or backward to run at `time`, -1 for none; `soon` becomes the earliest
    // known arrival after it.
    int ready(int d, double time, OpKind kind, double& soon) const {
        const Stage& stage = m_stage[at(d)];
        const bool forward = kind == OpKind::Forward;
        const bool deep = forward ? m_policy.deepForwards : m_policy.deepBackwards;
        int found = -1;
        for (int k = 0; k < m_pipeline.chunks; ++k) {
            const int c = deep ? m_pipeline.chunks - 1 - k : k;
            const int v = m_pipeline.virtualStage(d, c);
            const int m = (forward ? m_nextForward : m_nextBackward)[at(v)];
            if (m == m_microbatches)
                continue;
            if (forward && (!fits(stage, d, v) || (c == 0 && stage.entered - stage.left >= stage.cap)))
                continue;
            const double input = (forward ? m_forwardInput : m_backwardInput)[slot(v, m)];
            if (input == kUnknown)
                continue;
            if (input > time)
                soon = std::min(soon, input);
            else if (found < 0)
                found = v;
        }
        return found;
    }

    void decide(int d, double time) {
        Stage& stage = m_stage[at(d)];
        constexpr double kNever = 1e300;
        double backwardSoon = kNever, forwardSoon = kNever;
        const int backward = ready(d, time, OpKind::Backward, backwardSoon);
        const int forward = ready(d, time, OpKind::Forward, forwardSoon);
        const bool turn = m_policy.alternate && stage.last == OpKind::Backward && forward >= 0;
        if (backward >= 0 && !turn)
            return run(d, backward, OpKind::Backward, m_nextBackward[at(backward)]++, time);
        if (forward >= 0 &&
            (turn || backwardSoon >= time + m_policy.forwardWaits * m_pipeline.forward[at(forward)])) {
            if (m_pipeline.chunkOf(forward) == 0)
                ++stage.entered;
            return run(d, forward, OpKind::Forward, m_nextForward[at(forward)]++, time);
        }
        if (stage.firstWeight == stage.weights.size())
            return;
        const Pass weight = stage.weights[stage.firstWeight];
        const int v = m_pipeline.virtualStage(d, weight.chunk);
        const double soon = std::min(backwardSoon, forwardSoon);
        if (time + (1.0 - m_policy.weightDelay) * m_pipeline.weightGrad[at(v)] > soon)
            return; // an event comes with that arrival
        ++stage.firstWeight;
        run(d, v, OpKind::WeightGrad, weight.microbatch, time);
    }

    // The next of the order if its input is there; weight gradients while it is not, or where memory is
    // short.
    void follow(int d, double time) {
        Stage& stage = m_stage[at(d)];
        const std::vector<Pass>& order = m_order->stages[at(d)];
        while (stage.next < order.size() && order[stage.next].kind == OpKind::WeightGrad)
            ++stage.next;
        const bool any = stage.firstWeight < stage.weights.size();
        const Pass weight = any ? stage.weights[stage.firstWeight] : Pass{};
        const int w = m_pipeline.virtualStage(d, weight.chunk);
        if (stage.next < order.size()) {
            const Pass pass = order[stage.next];
            const int v = m_pipeline.virtualStage(d, pass.chunk);
            const bool forward = pass.kind == OpKind::Forward;
            const double input = (forward ? m_forwardInput : m_backwardInput)[slot(v, pass.microbatch)];
            const bool full = forward && stage.held + m_pipeline.held[at(v)] > m_limit[at(d)] * kHeldSlack;
            if (input != kUnknown && input <= time && !(full && any)) {
                ++stage.next;
                ++(forward ? m_nextForward : m_nextBackward)[at(v)];
                stage.entered += forward && pass.chunk == 0 ? 1 : 0;
                return run(d, v, pass.kind, pass.microbatch, time);
            }
            if (!full && input != kUnknown &&
                time + (1.0 - m_policy.weightDelay) * m_pipeline.weightGrad[at(w)] > input)
                return; // an event comes with the input
        }
        if (any) {
            ++stage.firstWeight;
            run(d, w, OpKind::WeightGrad, weight.microbatch, time);
        }
    }

    void run(int d, int v, OpKind kind, int m, double time) {
        Stage& stage = m_stage[at(d)];
        const ChunkedPipeline& p = m_pipeline;
        const int chunk = p.chunkOf(v);
        const Pass pass{m, static_cast<std::int16_t>(chunk), kind};
        stage.list.push_back(pass);
        if (kind != OpKind::WeightGrad)
            stage.last = kind;
        double end = time;
        switch (kind) {
        case OpKind::Forward:
            end += p.forward[at(v)];
            stage.held += p.held[at(v)];
            stage.deep += chunk + 1 == p.chunks ? 1 : 0;
            stage.free = end;
            if (v + 1 == p.virtualStages())
                m_backwardInput[slot(v, m)] = end;
            else
                m_forwardInput[slot(v + 1, m)] = send(d, p.stageOf(v + 1), p.send[at(v)], end);
            break;
        case OpKind::Backward:
            end += p.inputGrad[at(v)];
            stage.held -= p.released[at(v)];
            stage.left += chunk == 0 ? 1 : 0;
            stage.deep -= chunk + 1 == p.chunks ? 1 : 0;
            stage.weights.push_back({m, pass.chunk, OpKind::WeightGrad});
            stage.free = end;
            if (v > 0)
                m_backwardInput[slot(v - 1, m)] = send(d, p.stageOf(v - 1), p.send[at(v - 1)], end);
            break;
        case OpKind::WeightGrad:
            end += p.weightGrad[at(v)];
            stage.held -= p.held[at(v)] - p.released[at(v)];
            stage.free = end;
            break;
        }
        m_events.push({stage.free, d});
    }

    // When it arrives; the receiver looks again then.
    double send(int from, int to, double time, double end) {
        if (from == to)
            return end;
        Stage& sender = m_stage[at(from)];
        double& link = sender.linkFree[to == (from + 1) % m_pipeline.stages ? 0 : 1];
        link = std::max(end, link) + time;
        if (!m_overlap)
            sender.free = link;
        m_events.push({link, to});
        return link;
    }

    std::size_t slot(int v, int m) const { return at(v) * at(m_microbatches) + at(m); }

    using Event = std::tuple<double, int>; // time, stage
    const ChunkedPipeline& m_pipeline;
    int m_microbatches;
    const std::vector<double>& m_limit;
    bool m_overlap;
    GreedyPolicy m_policy;
    const OpLists* m_order; // of the forwards and backwards; null: by the policy
    bool m_toTheEnd;        // keeps the order; else until the first chunk's last forward
    std::vector<Stage> m_stage;
    std::vector<int> m_nextForward, m_nextBackward; // micro-batch, by virtual stage
    std::vector<double> m_need; // by virtual stage: memory of this and the later chunks of a micro-batch
    std::vector<double> m_forwardInput, m_backwardInput;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> m_events;
};

} // namespace

OpLists greedyLists(const ChunkedPipeline& pipeline, int microbatches, const std::vector<double>& limit,
                    bool overlap, const GreedyPolicy& policy, const std::function<bool()>* stop) {
    return GreedyRun(pipeline, microbatches, limit, overlap, policy).lists(stop);
}

OpLists followedLists(const ChunkedPipeline& pipeline, int microbatches, const std::vector<double>& limit,
                      bool overlap, const OpLists& order, const FollowPolicy& policy,
                      const std::function<bool()>* stop) {
    return GreedyRun(pipeline, microbatches, limit, overlap, policy.rest, &order, policy.toTheEnd)
        .lists(stop);
}

} // namespace pw

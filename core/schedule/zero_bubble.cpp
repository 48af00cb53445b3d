// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/builders.h"

#include <algorithm>
#include <queue>
#include <tuple>

namespace pw {

namespace {

constexpr double kUnknown = -1.0;
// Sums of what passes hold drift by rounding; a limit of whole units must not be missed for that.
constexpr double kLimitSlack = 1.0 + 1e-9;

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

// What a stage does when there is a choice.
struct Policy {
    bool alternate = false;    // between forward and backward; else a backward that is ready goes first
    double forwardWaits = 0.0; // a forward steps back for a backward that is known to come within this
                               // share of its own time
    double weightDelay = 1.0;  // share of its own time by which a weight gradient may delay what is known
                               // to come
    bool deepForwards = true;  // of several chunks, the last one's forward first
    bool deepBackwards = false;
    double slowStart = 0.0; // cap of micro-batches in flight by position: S - i + slowStart * (S - i - 1);
                            // negative: none but the memory's
};

// Builds lists by running the pipeline in time order and deciding whenever a stage becomes free or an input
// arrives. An arrival is known from the moment that its producer starts, so a stage sees that far ahead.
//
// Memory: a forward of chunk c starts only if its stage could then still take the later chunks of the same
// micro-batch. So the oldest micro-batch in flight always gets through, and nothing waits for ever.
class GreedyRun {
public:
    GreedyRun(const ChunkedPipeline& pipeline, int microbatches, const std::vector<double>& limit,
              bool overlap, const Policy& policy)
        : m_pipeline(pipeline), m_microbatches(microbatches), m_limit(limit), m_overlap(overlap),
          m_policy(policy), m_stage(at(pipeline.stages)), m_nextForward(at(pipeline.virtualStages())),
          m_nextBackward(at(pipeline.virtualStages())), m_need(at(pipeline.virtualStages())) {
        const std::size_t inputs = m_nextForward.size() * at(microbatches);
        m_forwardInput.assign(inputs, kUnknown);
        m_backwardInput.assign(inputs, kUnknown);
        std::fill_n(m_forwardInput.begin(), microbatches, 0.0);
        for (int d = 0; d < pipeline.stages; ++d) {
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
            if (m_stage[at(d)].free <= time)
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
        OpKind last = OpKind::WeightGrad;
        std::vector<Pass> list;
        std::size_t firstWeight = 0; // of `weights` that is still to run
        std::vector<Pass> weights;   // in the order in which their backwards ran
    };

    bool fits(const Stage& stage, int d, int v) const {
        return stage.held + m_need[at(v)] <= m_limit[at(d)] * kLimitSlack;
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
    Policy m_policy;
    std::vector<Stage> m_stage;
    std::vector<int> m_nextForward, m_nextBackward; // micro-batch, by virtual stage
    std::vector<double> m_need; // by virtual stage: memory of this and the later chunks of a micro-batch
    std::vector<double> m_forwardInput, m_backwardInput;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> m_events;
};

// The more often a choice matters, the further in it is varied, so that the first few hold most of what all
// of them find: on 88 random pipelines a dozen come within 0.3 % of all, two dozen within 0.1 %. Caps on what
// is in flight never helped a V.
std::vector<Policy> policies(const ChunkedPipeline& pipeline) {
    const bool several = pipeline.chunks > 1;
    const std::vector<double> slowStarts =
        several ? std::vector<double>{-1.0} : std::vector<double>{-1.0, 1.0, 0.0, 2.0};
    const std::vector<bool> deepForwards = several ? std::vector<bool>{true, false} : std::vector<bool>{true};
    const std::vector<bool> deepBackwards =
        several ? std::vector<bool>{false, true} : std::vector<bool>{false};
    std::vector<Policy> all;
    for (const double slowStart : slowStarts)
        for (const double forwardWaits : {0.0, 1.0, 0.5})
            for (const double weightDelay : {1.0, 0.0, 0.5})
                for (const bool deepForward : deepForwards)
                    for (const bool deepBackward : deepBackwards)
                        for (const bool alternate : {false, true})
                            all.push_back(
                                {alternate, forwardWaits, weightDelay, deepForward, deepBackward, slowStart});
    return all;
}

// What a list is judged by; the order of the fields is the order of preference.
struct Figures {
    double span = 0.0, makespan = 0.0, bubble = 0.0;
    bool noWorseThan(const Figures& o) const {
        constexpr double kRounding = 1.0 + 1e-12;
        return span <= o.span * kRounding && makespan <= o.makespan * kRounding &&
               bubble <= o.bubble + (kRounding - 1.0);
    }
    auto tie() const { return std::tie(span, makespan, bubble); }
};

// Keeps the best of the lists that it is shown.
class Choice {
public:
    Choice(const ChunkedPipeline& pipeline, int microbatches, const std::vector<double>& limit, bool overlap)
        : m_pipeline(pipeline), m_microbatches(microbatches), m_limit(limit), m_overlap(overlap) {
        for (int d = 0; d < pipeline.stages; ++d) {
            double once = 0.0;
            for (int c = 0; c < pipeline.chunks; ++c) {
                const std::size_t v = at(pipeline.virtualStage(d, c));
                once += pipeline.forward[v] + pipeline.inputGrad[v] + pipeline.weightGrad[v];
            }
            m_busiest = std::max(m_busiest, once * microbatches);
        }
    }

    void consider(OpLists lists, bool isYardstick = false) {
        const Result<Simulation> run =
            simulate(m_pipeline, m_microbatches, lists, {.overlap = m_overlap, .keepOps = false});
        if (!run)
            return;
        for (int d = 0; d < m_pipeline.stages; ++d)
            if (run->peakHeld[at(d)] > m_limit[at(d)] * kLimitSlack)
                return;
        const Figures f{run->largestSpan(), run->makespan, run->bubble()};
        if (isYardstick) {
            m_yardstick = f;
            m_hasYardstick = true;
        }
        if ((m_hasYardstick && !f.noWorseThan(m_yardstick)) || (m_any && !(f.tie() < m_least.tie())))
            return;
        m_any = true;
        m_least = f;
        m_best = std::move(lists);
    }

    // No list has a smaller largest span than the busiest stage's work.
    bool isPerfect() const { return m_any && m_least.span <= m_busiest * (1.0 + 1e-12); }
    OpLists best() && { return std::move(m_best); }

private:
    const ChunkedPipeline& m_pipeline;
    int m_microbatches;
    const std::vector<double>& m_limit;
    bool m_overlap;
    double m_busiest = 0.0; // s
    bool m_any = false, m_hasYardstick = false;
    Figures m_least, m_yardstick;
    OpLists m_best;
};

// 1F1B with as many micro-batches in flight as the limits allow; counts that rose could not progress.
std::vector<int> cappedLaunch(const ChunkedPipeline& pipeline, const std::vector<double>& limit) {
    std::vector<int> launch;
    for (int d = 0; d < pipeline.stages; ++d) {
        const double held = pipeline.held[at(d)];
        const double room = held > 0.0 ? limit[at(d)] * kLimitSlack / held : pipeline.stages;
        int count = std::min(pipeline.stages - d, static_cast<int>(std::min<double>(room, pipeline.stages)));
        if (d > 0)
            count = std::min(count, launch.back());
        launch.push_back(std::max(count, 1));
    }
    return launch;
}

} // namespace

OpLists zeroBubbleLists(const ChunkedPipeline& pipeline, int microbatches, const std::vector<double>& limit,
                        bool overlap, const std::function<bool()>* stop) {
    // Passes that the policies together may place, some 0.2 s of one core, and policies that run in any case.
    constexpr double kWork = 1e6;
    constexpr int kLeastPolicies = 8;
    Choice choice(pipeline, microbatches, limit, overlap);
    if (pipeline.chunks == 1) {
        choice.consider(launchCountLists(cappedLaunch(pipeline, limit), microbatches, true), true);
        choice.consider(zbH1Lists(pipeline.stages, microbatches));
    }
    double work = 0.0;
    int tried = 0;
    for (const Policy& policy : policies(pipeline)) {
        if (choice.isPerfect() || (work > kWork && tried >= kLeastPolicies))
            break;
        if (stop != nullptr && (*stop)())
            return {};
        choice.consider(GreedyRun(pipeline, microbatches, limit, overlap, policy).lists(stop));
        work += 3.0 * pipeline.virtualStages() * microbatches;
        ++tried;
    }
    return std::move(choice).best();
}

} // namespace pw

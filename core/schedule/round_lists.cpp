// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/list_schedulers.h"

#include <algorithm>
#include <array>

namespace pw {

namespace {

// Places passes at the times at which they will run, but in rounds and not in time order: a stage keeps its
// place in the period that all stages share, however late an input is.
class RoundRun {
public:
    RoundRun(const ChunkedPipeline& pipeline, int microbatches, const std::vector<double>& limit,
             bool overlap, const RoundPolicy& policy)
        : m_pipeline(pipeline), m_last(pipeline.stages - 1), m_microbatches(microbatches), m_limit(limit),
          m_overlap(overlap), m_policy(policy), m_stage(at(pipeline.stages)) {
        const std::size_t inputs = at(pipeline.virtualStages()) * at(microbatches);
        m_input[0].assign(inputs, kUnknown);
        m_input[1].assign(inputs, kUnknown);
        std::fill_n(m_input[0].begin(), microbatches, 0.0);
    }

    // Incomplete if stopped.
    OpLists lists(const std::function<bool()>* stop) {
        fill();
        level();
        for (int n = 1; round(); ++n)
            if (n % 256 == 0 && stop != nullptr && (*stop)())
                break;
        OpLists lists;
        lists.split = true;
        for (int d = 0; d <= m_last; ++d) {
            while (putWeight(d)) {
            }
            lists.stages.push_back(std::move(m_stage[at(d)].list));
        }
        return lists;
    }

private:
    struct Stage {
        double free = 0.0, held = 0.0;
        double linkFree[2] = {};
        int done[2][2] = {}; // forwards and backwards by chunk
        std::vector<Pass> list;
        std::vector<Pass> weights;
        std::size_t firstWeight = 0;
    };

    double held(int d, int chunk) const { return m_pipeline.held[at(m_pipeline.virtualStage(d, chunk))]; }

    // A forward, and the second chunk's of the same micro-batch after it.
    bool fits(int d, int chunk) const {
        const double need = held(d, chunk) + (chunk == 0 ? held(d, 1) : 0.0);
        return m_stage[at(d)].held + need <= m_limit[at(d)] * kHeldSlack;
    }

    // kUnknown if there is none or its input is not on its way.
    double input(int d, int kind, int chunk) const {
        const Stage& stage = m_stage[at(d)];
        const int m = stage.done[kind][chunk];
        return m == m_microbatches
                   ? kUnknown
                   : m_input[kind][at(m_pipeline.virtualStage(d, chunk)) * at(m_microbatches) + at(m)];
    }

    // Before the first micro-batch comes back up the V, stages use the time for more of the first chunk.
    void fill() {
        for (int d = 0; d <= m_last; ++d)
            put(d, 0, 0);
        put(m_last, 0, 1);
        for (int d = m_last - 1; d >= 0; --d) {
            const double back = input(d, 0, 1);
            // at the pace of the next stage, which is to take them
            const double each = std::max(m_pipeline.forward[at(d)], m_pipeline.forward[at(d + 1)]);
            double time = m_stage[at(d)].free;
            while (m_stage[at(d)].done[0][0] < m_microbatches && time + each <= back && roomAbove(d)) {
                for (int j = 0; j <= d; ++j)
                    put(j, 0, 0);
                time = std::max(time + each, m_stage[at(d)].free);
            }
            put(d, 0, 1);
        }
    }

    // Stage j will take pairs of forwards until the first gradient gets to it.
    bool roomAbove(int d) const {
        for (int j = 0; j <= d; ++j) {
            const double one = held(j, 0) + held(j, 1);
            if (m_stage[at(j)].held + (1 + j) * one > m_limit[at(j)] * kHeldSlack)
                return false;
        }
        return true;
    }

    // Both chunks in turn, until each stage has as many forwards as the one before it.
    void level() {
        int chunk = 0;
        for (int d = 1; d <= m_last; ++d) {
            const Stage& before = m_stage[at(d - 1)];
            const Stage& own = m_stage[at(d)];
            for (int idle = 0; idle < 2;) {
                const bool behind =
                    own.done[0][0] + own.done[0][1] < before.done[0][0] + before.done[0][1] ||
                    (own.done[0][1] <= before.done[0][1] && before.done[0][1] < m_microbatches);
                if (!behind)
                    break;
                bool any = false;
                for (int j = m_last; j >= d; --j)
                    if (input(j, 0, chunk) != kUnknown && fits(j, chunk)) {
                        put(j, 0, chunk);
                        any = true;
                    }
                idle = any ? 0 : idle + 1;
                chunk = 1 - chunk;
            }
        }
    }

    // A backward and a forward of each stage.
    bool round() {
        bool any = false;
        for (const int kind : {1, 0}) {
            m_choice.assign(m_stage.size(), -1);
            for (int d = 0; d <= m_last; ++d)
                m_choice[at(d)] = choose(d, kind);
            // in the direction in which a chunk's passes run
            for (const int chunk : {1, 0}) {
                const bool down = (kind == 0) == (chunk == 0);
                for (int k = 0; k <= m_last; ++k) {
                    const int d = down ? k : m_last - k;
                    if (m_choice[at(d)] == chunk)
                        any = place(d, kind, chunk) || any;
                }
            }
        }
        return any;
    }

    int choose(int d, int kind) const {
        const double deep = input(d, kind, 1), shallow = input(d, kind, 0);
        if (deep == kUnknown)
            return shallow == kUnknown ? -1 : 0;
        if (shallow == kUnknown || !m_policy.soonest)
            return 1;
        return std::max(shallow, m_stage[at(d)].free) < std::max(deep, m_stage[at(d)].free) ? 0 : 1;
    }

    bool place(int d, int kind, int chunk) {
        Stage& stage = m_stage[at(d)];
        while (kind == 0 && !fits(d, chunk))
            if (!putWeight(d))
                return false;
        const double ready = input(d, kind, chunk);
        const double gap = kind == 1 ? m_policy.backwardGap : m_policy.forwardGap;
        while (ready > stage.free && stage.firstWeight < stage.weights.size()) {
            const Pass w = stage.weights[stage.firstWeight];
            if (ready - stage.free < gap * m_pipeline.weightGrad[at(m_pipeline.virtualStage(d, w.chunk))])
                break;
            putWeight(d);
        }
        put(d, kind, chunk);
        return true;
    }

    bool putWeight(int d) {
        Stage& stage = m_stage[at(d)];
        if (stage.firstWeight == stage.weights.size())
            return false;
        const Pass pass = stage.weights[stage.firstWeight++];
        const std::size_t v = at(m_pipeline.virtualStage(d, pass.chunk));
        stage.list.push_back(pass);
        stage.free += m_pipeline.weightGrad[v];
        stage.held -= m_pipeline.held[v] - m_pipeline.released[v];
        return true;
    }

    void put(int d, int kind, int chunk) {
        const ChunkedPipeline& p = m_pipeline;
        Stage& stage = m_stage[at(d)];
        const int v = p.virtualStage(d, chunk);
        const double start = std::max(stage.free, input(d, kind, chunk));
        const int m = stage.done[kind][chunk]++;
        stage.list.push_back(
            {m, static_cast<std::int16_t>(chunk), kind == 0 ? OpKind::Forward : OpKind::Backward});
        stage.free = start + (kind == 0 ? p.forward : p.inputGrad)[at(v)];
        stage.held += kind == 0 ? p.held[at(v)] : -p.released[at(v)];
        if (kind == 1)
            stage.weights.push_back({m, static_cast<std::int16_t>(chunk), OpKind::WeightGrad});
        const int to = kind == 0 ? v + 1 : v - 1;
        if (to < 0)
            return;
        if (to == p.virtualStages()) {
            m_input[1][at(v) * at(m_microbatches) + at(m)] = stage.free;
            return;
        }
        double arrives = stage.free;
        if (p.stageOf(to) != d) {
            double& link = stage.linkFree[p.stageOf(to) > d ? 0 : 1];
            link = std::max(link, stage.free) + p.send[at(std::min(v, to))];
            arrives = link;
            if (!m_overlap)
                stage.free = link;
        }
        m_input[kind][at(to) * at(m_microbatches) + at(m)] = arrives;
    }

    const ChunkedPipeline& m_pipeline;
    int m_last; // stage
    int m_microbatches;
    const std::vector<double>& m_limit;
    bool m_overlap;
    RoundPolicy m_policy;
    std::vector<Stage> m_stage;
    std::vector<int> m_choice;                  // chunk by stage
    std::array<std::vector<double>, 2> m_input; // arrival by virtual stage and micro-batch
};

} // namespace

OpLists roundLists(const ChunkedPipeline& pipeline, int microbatches, const std::vector<double>& limit,
                   bool overlap, const RoundPolicy& policy, const std::function<bool()>* stop) {
    return RoundRun(pipeline, microbatches, limit, overlap, policy).lists(stop);
}

} // namespace pw

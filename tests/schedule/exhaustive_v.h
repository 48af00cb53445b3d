// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/op_lists.h"

#include <QtGlobal>

#include <algorithm>
#include <array>
#include <vector>

namespace pw::test {

// The smallest largest span of a stage that any lists of split passes reach within the limits, found by
// trying all of them: passes are placed in the order of their starts, each as early as its stage and its
// input allow, and a branch ends where a stage can no longer be better than the best so far. Micro-batches
// are alike, so each kind of pass takes them in turn. For two stages of two chunks and two or three
// micro-batches; times above 0.
class ExhaustiveV {
public:
    ExhaustiveV(const ChunkedPipeline& pipeline, int microbatches, std::vector<double> limit)
        : m_pipeline(pipeline), m_count(microbatches), m_limit(std::move(limit)) {
        if (pipeline.stages != kStages || pipeline.chunks != 2 || microbatches > kMost)
            qFatal("two stages of two chunks and three micro-batches at most");
    }

    // Seconds; at most `known`, which some lists must reach.
    double span(double known) {
        m_best = known;
        State state;
        state.forward.front().count = m_count; // all at 0 s
        for (int d = 0; d < m_pipeline.stages; ++d) {
            double work = 0.0;
            for (int c = 0; c < m_pipeline.chunks; ++c) {
                const std::size_t v = at(m_pipeline.virtualStage(d, c));
                work += m_pipeline.forward[v] + m_pipeline.inputGrad[v] + m_pipeline.weightGrad[v];
            }
            state.stages[at(d)].left = work * m_count;
        }
        place(state, 0.0, 0);
        return m_best;
    }

private:
    static constexpr double kRounding = 1e-9; // sums of times and of what is held drift by less
    static constexpr int kStages = 2, kMost = 3;
    struct Stage {
        double first = -1.0, free = 0.0, held = 0.0, left = 0.0; // left: s of passes to come
        double link[2] = {};
        int done[2][3] = {}; // by chunk and kind
    };
    struct Arrivals {
        int count = 0;
        std::array<double, kMost> times{}; // in order
        void add(double time) { times[at(count++)] = time; }
    };
    struct State { // without memory of its own: a copy is made of every pass that is tried
        std::array<Stage, kStages> stages;
        std::array<Arrivals, 2 * kStages> forward, backward; // by virtual stage
    };

    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    void place(const State& state, double time, int least) {
        double span = 0.0, left = 0.0;
        for (const Stage& stage : state.stages) {
            const bool done = stage.left < kRounding;
            if (stage.first >= 0.0)
                span = std::max(span, std::max(stage.free, done ? 0.0 : time) + stage.left - stage.first);
            left += stage.left;
        }
        if (span >= m_best - kRounding)
            return;
        if (left < kRounding) {
            m_best = span;
            return;
        }
        for (int d = 0; d < m_pipeline.stages; ++d)
            for (int c = 0; c < 2; ++c)
                for (int kind = 0; kind < 3; ++kind)
                    tryPass(state, time, least, d, c, kind);
    }

    void tryPass(const State& state, double time, int least, int d, int c, int kind) {
        const ChunkedPipeline& p = m_pipeline;
        const Stage& stage = state.stages[at(d)];
        const int m = stage.done[c][kind], v = p.virtualStage(d, c);
        if (m == m_count || (kind > 0 && stage.done[c][kind - 1] <= m))
            return;
        double start = stage.free;
        if (kind < 2) {
            const Arrivals& ready = (kind == 0 ? state.forward : state.backward)[at(v)];
            if (ready.count <= m)
                return;
            start = std::max(start, ready.times[at(m)]);
        }
        if (start < time || (start == time && d < least))
            return; // the same lists are found the other way round
        if (kind == 0 && stage.held + p.held[at(v)] > m_limit[at(d)] + kRounding)
            return;
        State next = state;
        Stage& own = next.stages[at(d)];
        const double length = (kind == 0 ? p.forward : kind == 1 ? p.inputGrad : p.weightGrad)[at(v)];
        if (own.first < 0.0)
            own.first = start;
        own.free = start + length;
        own.left -= length;
        own.held += kind == 0   ? p.held[at(v)]
                    : kind == 1 ? -p.released[at(v)]
                                : p.released[at(v)] - p.held[at(v)];
        ++own.done[c][kind];
        const int to = kind == 0 ? v + 1 : v - 1;
        if (kind < 2 && to == p.virtualStages()) {
            next.backward[at(v)].add(own.free);
        } else if (kind < 2 && to >= 0) {
            double arrives = own.free;
            if (p.stageOf(to) != d) {
                double& link = own.link[p.stageOf(to) > d ? 0 : 1];
                arrives = link = std::max(link, own.free) + p.send[at(std::min(v, to))];
            }
            (kind == 0 ? next.forward : next.backward)[at(to)].add(arrives);
        }
        place(next, start, start == time ? std::max(least, d) : d);
    }

    const ChunkedPipeline& m_pipeline;
    int m_count;
    std::vector<double> m_limit;
    double m_best = 0.0;
};

} // namespace pw::test

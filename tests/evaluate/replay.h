// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <queue>
#include <tuple>
#include <vector>

namespace pw::test {

// A second opinion on a pipeline, from the rules in resources/manual/proofs.md#the-simulated-iteration and
// nothing of the engine: a queue of events, a list of ops a stage, a FIFO queue a link and direction. Starts
// whatever may start whenever something has ended.
class Replay {
public:
    struct Stage {
        double forward = 0.0, backward = 0.0, send = 0.0; // send: over the boundary behind it
        int launch = 1;
    };
    std::vector<double> firstStart, lastEnd, busy;
    std::vector<int> peakInFlight;
    std::size_t opsRun = 0; // 2 * stages * micro-batches unless it got stuck

    Replay(std::vector<Stage> stages, int microbatches)
        : m_stages(std::move(stages)), m_microbatches(microbatches) {
        const std::size_t n = m_stages.size(), all = n * static_cast<std::size_t>(microbatches);
        firstStart.assign(n, -1.0);
        lastEnd.assign(n, 0.0);
        busy.assign(n, 0.0);
        peakInFlight.assign(n, 0);
        m_inFlight.assign(n, 0);
        m_next.assign(n, 0);
        m_running.assign(n, false);
        m_links.resize(2 * n);
        m_here[0].assign(all, false);
        m_here[1].assign(all, false);
        for (int m = 0; m < microbatches; ++m)
            m_here[0][static_cast<std::size_t>(m)] = true; // the data is at stage 0 from the start
        for (const Stage& stage : m_stages) {
            std::vector<Op> list;
            const int warmUp = std::min(stage.launch, microbatches) - 1;
            int forward = 0, backward = 0;
            while (forward < warmUp)
                list.push_back({0, forward++});
            while (backward < microbatches) {
                if (forward < microbatches)
                    list.push_back({0, forward++});
                list.push_back({1, backward++});
            }
            m_lists.push_back(std::move(list));
        }
        for (std::size_t i = 0; i < n; ++i)
            startOp(i, 0.0);
        while (!m_events.empty()) {
            const Event e = m_events.top();
            m_events.pop();
            e.transfer ? endTransfer(e) : endOp(e);
        }
    }

private:
    struct Op {
        int direction, microbatch; // 0 forward, 1 backward
    };
    struct Event {
        double time;
        std::size_t order; // of creation, for events at one time
        bool transfer;
        std::size_t at; // stage, or boundary
        Op op;
        bool operator<(const Event& o) const { return std::tie(o.time, o.order) < std::tie(time, order); }
    };
    struct Link {
        std::deque<Op> waiting;
        bool busy = false;
    };

    std::size_t slot(std::size_t stage, int microbatch) const {
        return stage * static_cast<std::size_t>(m_microbatches) + static_cast<std::size_t>(microbatch);
    }
    void push(double time, bool transfer, std::size_t at, Op op) {
        m_events.push({time, m_created++, transfer, at, op});
    }
    void startOp(std::size_t i, double now) {
        if (m_running[i] || m_next[i] == m_lists[i].size())
            return;
        const Op op = m_lists[i][m_next[i]];
        if (!m_here[op.direction][slot(i, op.microbatch)])
            return;
        m_running[i] = true;
        ++m_next[i];
        if (firstStart[i] < 0.0)
            firstStart[i] = now;
        if (op.direction == 0)
            peakInFlight[i] = std::max(peakInFlight[i], ++m_inFlight[i]);
        const double length = op.direction == 0 ? m_stages[i].forward : m_stages[i].backward;
        busy[i] += length;
        push(now + length, false, i, op);
    }
    void endOp(const Event& e) {
        ++opsRun;
        m_running[e.at] = false;
        lastEnd[e.at] = e.time;
        if (e.op.direction == 1)
            --m_inFlight[e.at];
        const bool lastStage = e.at + 1 == m_stages.size();
        if (e.op.direction == 0 && lastStage)
            m_here[1][slot(e.at, e.op.microbatch)] = true;
        else if (e.op.direction == 0)
            issue(e.at, e.op, e.time);
        else if (e.at > 0)
            issue(e.at - 1, e.op, e.time);
        startOp(e.at, e.time);
    }
    void issue(std::size_t boundary, Op op, double now) {
        link(boundary, op.direction).waiting.push_back(op);
        startTransfer(boundary, op.direction, now);
    }
    void startTransfer(std::size_t boundary, int direction, double now) {
        Link& l = link(boundary, direction);
        if (l.busy || l.waiting.empty())
            return;
        l.busy = true;
        const Op op = l.waiting.front();
        l.waiting.pop_front();
        push(now + m_stages[boundary].send, true, boundary, op);
    }
    void endTransfer(const Event& e) {
        link(e.at, e.op.direction).busy = false;
        const std::size_t to = e.op.direction == 0 ? e.at + 1 : e.at;
        m_here[e.op.direction][slot(to, e.op.microbatch)] = true;
        startTransfer(e.at, e.op.direction, e.time);
        startOp(to, e.time);
    }
    Link& link(std::size_t boundary, int direction) {
        return m_links[2 * boundary + static_cast<std::size_t>(direction)];
    }

    std::vector<Stage> m_stages;
    int m_microbatches;
    std::vector<std::vector<Op>> m_lists;
    std::vector<std::size_t> m_next;
    std::vector<bool> m_running;
    std::vector<int> m_inFlight;
    std::vector<Link> m_links;
    std::vector<bool> m_here[2]; // inputs that have arrived
    std::priority_queue<Event> m_events;
    std::size_t m_created = 0;
};

} // namespace pw::test

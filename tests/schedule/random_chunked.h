// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <algorithm>
#include <map>
#include <tuple>

#include "core/base/random.h"
#include "core/schedule/op_lists.h"

namespace pw::test {

// Stage times with a share of every backward that is the gradient of the weights, and what a forward holds.
inline ChunkedPipeline chunked(Random& random, const StageTimes& times, ScheduleKind kind, int chunks) {
    std::vector<double> weight;
    for (const double b : times.backward)
        weight.push_back(b * random.uniform(0.0, 1.0));
    ChunkedPipeline p =
        chunkedPipeline(times, weight, chunks, chunkPlacement(kind), random.uniform(0.0, 1.0));
    for (std::size_t v = 0; v < p.held.size(); ++v) {
        p.forward[v] *= random.uniform(0.5, 1.5); // chunks of a stage differ, too
        p.held[v] = random.uniform(0.5, 2.0);
        p.released[v] = p.held[v] * random.uniform();
    }
    return p;
}

// Says what is wrong with a run of op lists, from its recorded passes and transfers and the rules alone;
// empty if nothing. Every start must equal the largest of what it may wait for, so that a run which passes is
// the only one that the rules allow.
inline QString violation(const ChunkedPipeline& p, int microbatches, const OpLists& lists, bool overlap,
                         const Simulation& run) {
    using Key = std::tuple<int, int, OpKind>; // virtual stage, or boundary of a transfer; micro-batch
    const auto at = [](int i) { return static_cast<std::size_t>(i); };
    const int last = p.virtualStages() - 1;
    std::map<Key, Op> ops;
    std::map<Key, Transfer> transfers;
    for (const Op& op : run.ops)
        if (!ops.emplace(Key{p.virtualStage(op.stage, op.chunk), op.microbatch, op.kind}, op).second)
            return "an op twice";
    for (const Transfer& t : run.transfers)
        if (!transfers.emplace(Key{t.boundary, t.microbatch, t.kind}, t).second)
            return "a transfer twice";
    if (ops.size() != at((lists.split ? 3 : 2) * p.virtualStages() * microbatches))
        return "number of ops";

    std::size_t next = 0, sends = 0;
    double makespan = 0.0;
    std::map<std::pair<int, int>, double> linkFree; // by sender and receiver
    for (int d = 0; d < p.stages; ++d) {
        double stageFree = 0.0, busy = 0.0, held = 0.0, peakHeld = 0.0;
        int inFlight = 0, peak = 0;
        const std::size_t first = next;
        for (const Pass& pass : lists.stages[at(d)]) {
            const Op& op = run.ops[next++];
            if (op.stage != d || Pass{op.microbatch, op.chunk, op.kind} != pass)
                return QString("order of stage %1").arg(d);
            const int v = p.virtualStage(d, pass.chunk);
            double ready = 0.0, length = 0.0, releases = 0.0;
            switch (pass.kind) {
            case OpKind::Forward:
                length = p.forward[at(v)];
                releases = -p.held[at(v)];
                if (v > 0) {
                    const auto sent = transfers.find({v - 1, pass.microbatch, pass.kind});
                    ready = sent != transfers.end() ? sent->second.end
                                                    : ops.at({v - 1, pass.microbatch, pass.kind}).end;
                }
                break;
            case OpKind::Backward:
                length = p.inputGrad[at(v)] + (lists.split ? 0.0 : p.weightGrad[at(v)]);
                releases = lists.split ? p.released[at(v)] : p.held[at(v)];
                if (v == last) {
                    ready = ops.at({v, pass.microbatch, OpKind::Forward}).end;
                } else {
                    const auto sent = transfers.find({v, pass.microbatch, pass.kind});
                    ready = sent != transfers.end() ? sent->second.end
                                                    : ops.at({v + 1, pass.microbatch, pass.kind}).end;
                }
                break;
            case OpKind::WeightGrad:
                length = p.weightGrad[at(v)];
                releases = p.held[at(v)] - p.released[at(v)];
                if (ops.at({v, pass.microbatch, OpKind::Backward}).end > op.start)
                    return "a weight gradient before its backward";
                break;
            }
            if (op.start != std::max(stageFree, ready))
                return QString("start of an op of stage %1").arg(d);
            if (op.end != op.start + length)
                return "an op's length";
            stageFree = op.end;
            const int to = pass.kind == OpKind::Forward ? v + 1 : v - 1, boundary = std::min(v, to);
            if (pass.kind != OpKind::WeightGrad && to >= 0 && to <= last && p.stageOf(to) != d) {
                double& free = linkFree[{d, p.stageOf(to)}];
                const double start = std::max(op.end, free);
                free = start + p.send[at(boundary)];
                const auto sent = transfers.find({boundary, pass.microbatch, pass.kind});
                if ((sent != transfers.end()) != (p.send[at(boundary)] > 0.0))
                    return "transfers are those that take time";
                if (sent != transfers.end() && (sent->second.start != start || sent->second.end != free))
                    return "a transfer starts when its producer and its link allow";
                sends += sent != transfers.end() ? 1 : 0;
                if (!overlap)
                    stageFree = free;
            }
            inFlight += pass.kind == OpKind::Forward ? 1 : pass.kind == OpKind::Backward ? -1 : 0;
            peak = std::max(peak, inFlight);
            held -= releases;
            peakHeld = std::max(peakHeld, held);
            busy += length;
            makespan = std::max(makespan, op.end);
        }
        if (run.peakInFlight[at(d)] != peak || std::abs(run.peakHeld[at(d)] - peakHeld) > 1e-9)
            return "peaks";
        if (run.firstStart[at(d)] != run.ops[first].start || run.lastEnd[at(d)] != run.ops[next - 1].end)
            return "span of a stage";
        if (std::abs(busy - run.busy[at(d)]) > 1e-9 * (1.0 + busy))
            return "busy time";
    }
    if (sends != run.transfers.size())
        return "number of transfers";
    return makespan == run.makespan ? QString() : "makespan";
}

} // namespace pw::test

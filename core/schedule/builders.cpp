// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/builders.h"

#include <algorithm>
#include <array>
#include <string>

namespace pw {

namespace {

void add(std::vector<Pass>& list, OpKind kind, int chunk, int microbatch) {
    list.push_back({microbatch, static_cast<std::int16_t>(chunk), kind});
}

StageTimes wholeBackward(const ChunkedPipeline& p) {
    StageTimes times{p.forward, p.inputGrad, p.send};
    for (std::size_t v = 0; v < times.backward.size(); ++v)
        times.backward[v] += p.weightGrad[v];
    return times;
}

template <ScheduleKind Kind>
Result<OpLists> launchCounted(const ChunkedPipeline& p, const ListRequest& request) {
    const std::vector<int> launch = launchCounts(Kind, request.rule, wholeBackward(p), request.microbatches);
    return launchCountLists(launch, request.microbatches, false);
}

// Megatron-LM's order (arXiv 2104.04473): micro-batches go through a chunk in groups of S, chunk after chunk;
// stage d runs (S-d-1)*2 + (chunks-1)*S forwards ahead of its backwards, which visit the chunks in reverse.
Result<OpLists> interleaved(const ChunkedPipeline& p, const ListRequest& request) {
    const int stages = p.stages, chunks = p.chunks, passes = request.microbatches * chunks;
    if (const auto why = unfitMicrobatches(ScheduleKind::Interleaved, request.microbatches, stages))
        return badInput("schedule.microbatches", "", *why);
    const auto microbatch = [&](int k) { return k / (stages * chunks) * stages + k % stages; };
    const auto chunk = [&](int k) { return k % (stages * chunks) / stages; };
    OpLists lists;
    for (int d = 0; d < stages; ++d) {
        std::vector<Pass> list;
        const int warmUp = std::min((stages - d - 1) * 2 + (chunks - 1) * stages, passes);
        for (int k = 0; k < passes + warmUp; ++k) {
            if (k < passes)
                add(list, OpKind::Forward, chunk(k), microbatch(k));
            if (k >= warmUp)
                add(list, OpKind::Backward, chunks - 1 - chunk(k - warmUp), microbatch(k - warmUp));
        }
        lists.stages.push_back(std::move(list));
    }
    return lists;
}

Result<OpLists> zbH1(const ChunkedPipeline& p, const ListRequest& request) {
    return zbH1Lists(p, request.microbatches, request.overlap, request.stop);
}

// A stage may hold what `Times` x S of its micro-batches hold.
template <int Times>
Result<OpLists> searched(const ChunkedPipeline& p, const ListRequest& request) {
    std::vector<double> limit = request.memoryLimit;
    for (int d = 0; d < p.stages; ++d) {
        double one = 0.0;
        for (int c = 0; c < p.chunks; ++c)
            one += p.held[static_cast<std::size_t>(p.virtualStage(d, c))];
        if (request.memoryLimit.empty())
            limit.push_back(Times * p.stages * one);
        else if (limit[static_cast<std::size_t>(d)] < one) {
            return infeasible("schedule.memory", "",
                              {"stage {stage} holds {held} for one micro-batch; the limit is {limit}",
                               {{"stage", d},
                                {"held", std::to_string(one)},
                                {"limit", std::to_string(limit[static_cast<std::size_t>(d)])}}});
        }
    }
    OpLists lists = zeroBubbleLists(p, request.microbatches, limit, request.overlap, request.stop);
    if (lists.stages.empty())
        return stopped("schedule.stopped", "stopped before its end");
    return lists;
}

struct Builder {
    ScheduleKind kind;
    Result<OpLists> (*build)(const ChunkedPipeline&, const ListRequest&);
    bool limited;
};

constexpr std::array kBuilders = {
    Builder{ScheduleKind::GPipe, launchCounted<ScheduleKind::GPipe>, false},
    Builder{ScheduleKind::OneFOneB, launchCounted<ScheduleKind::OneFOneB>, false},
    Builder{ScheduleKind::Interleaved, interleaved, false},
    Builder{ScheduleKind::Eager, launchCounted<ScheduleKind::Eager>, false},
    Builder{ScheduleKind::H1F1B, launchCounted<ScheduleKind::H1F1B>, false},
    Builder{ScheduleKind::ZbH1, zbH1, false},
    Builder{ScheduleKind::Zb1p, searched<1>, true},
    Builder{ScheduleKind::Zb2p, searched<2>, true},
    Builder{ScheduleKind::ZbV, searched<1>, true},
};

static_assert(rowsAreKinds(kBuilders), "kBuilders has one row a kind, in the order of ScheduleKind");

const Builder& builder(ScheduleKind kind) {
    return kBuilders[static_cast<std::size_t>(kind)];
}

} // namespace

bool takesMemoryLimit(ScheduleKind kind) {
    return builder(kind).limited;
}

double closedForm(ScheduleKind kind, const ChunkedPipeline& p, int microbatches) {
    double busiest = 0.0, bubble = 0.0, least = 0.0;
    for (int d = 0; d < p.stages; ++d) {
        double once = 0.0, ahead = 0.0; // ahead: what keeps the other stages waiting before or after
        for (int c = 0; c < p.chunks; ++c) {
            const auto v = static_cast<std::size_t>(p.virtualStage(d, c));
            const double whole = p.forward[v] + p.inputGrad[v] + p.weightGrad[v];
            once += whole;
            ahead += splitsBackward(kind) ? std::max(0.0, whole - 2.0 * p.weightGrad[v]) : whole / p.chunks;
        }
        if (once > busiest)
            least = ahead;
        busiest = std::max(busiest, once);
        bubble += ahead;
    }
    bubble -= least; // the busiest stage does not wait for itself
    double slowest = 0.0;
    for (std::size_t v = 0; v < p.send.size(); ++v) {
        slowest = std::max(slowest, p.send[v] * p.chunks);
        if (static_cast<int>(v) < p.stages - 1)
            bubble += 2.0 * p.send[v];
    }
    if (kind == ScheduleKind::Zb2p || kind == ScheduleKind::ZbV)
        bubble = 0.0;
    return microbatches * std::max(busiest, slowest) + bubble;
}

OpLists launchCountLists(const std::vector<int>& launch, int microbatches, bool split) {
    OpLists lists;
    lists.split = split;
    for (const int count : launch) {
        std::vector<Pass> list;
        const int warmUp = std::min(count, microbatches) - 1;
        for (int k = 0; k < microbatches + warmUp; ++k) {
            if (k < microbatches)
                add(list, OpKind::Forward, 0, k);
            if (k < warmUp)
                continue;
            add(list, OpKind::Backward, 0, k - warmUp);
            if (split)
                add(list, OpKind::WeightGrad, 0, k - warmUp);
        }
        lists.stages.push_back(std::move(list));
    }
    return lists;
}

OpLists zbH1Lists(int stages, int microbatches, int mostDelayed) {
    OpLists lists;
    lists.split = true;
    for (int d = 0; d < stages; ++d) {
        std::vector<Pass> list;
        const int warmUp = std::min(stages - d, microbatches) - 1, delayed = std::min(d, mostDelayed);
        for (int k = 0; k < microbatches + warmUp; ++k) {
            if (k < microbatches)
                add(list, OpKind::Forward, 0, k);
            if (k < warmUp)
                continue;
            add(list, OpKind::Backward, 0, k - warmUp);
            if (k - warmUp >= delayed)
                add(list, OpKind::WeightGrad, 0, k - warmUp - delayed);
        }
        for (int m = std::max(0, microbatches - delayed); m < microbatches; ++m)
            add(list, OpKind::WeightGrad, 0, m);
        lists.stages.push_back(std::move(list));
    }
    return lists;
}

Result<OpLists> opLists(ScheduleKind kind, const ChunkedPipeline& pipeline, const ListRequest& request) {
    if (pipeline.chunks < leastChunks(kind) || pipeline.chunks > mostChunks(kind))
        return badInput(
            "schedule.chunks", "",
            {mostChunks(kind) > leastChunks(kind)
                 ? "{schedule} runs {least} or more chunks a stage, not {chunks}"
                 : "{schedule} runs {least} chunks a stage, not {chunks}",
             {{"schedule", label(kind)}, {"least", leastChunks(kind)}, {"chunks", pipeline.chunks}}});
    return builder(kind).build(pipeline, request);
}

} // namespace pw

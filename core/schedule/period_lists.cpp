// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/list_schedulers.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace pw {

namespace {

constexpr double kTouch = 1e-9; // s; passes that overlap by less than that only touch

// What a stage or a link does in each period.
class Timetable {
public:
    explicit Timetable(double period) : m_period(period) {}

    // Takes the first start from `ready` on that is free in every period; none where nothing that long is.
    std::optional<double> take(double ready, double length) {
        if (length <= 0.0)
            return ready;
        double first = isFree(ready, length) ? ready : HUGE_VAL;
        for (const Taken& taken : m_taken) {
            const double end = taken.start + taken.length;
            const double next = end + std::ceil((ready - end) / m_period - 1e-12) * m_period;
            const double start = std::max(ready, next);
            if (start < first && isFree(start, length))
                first = start;
        }
        if (first == HUGE_VAL)
            return {};
        m_taken.push_back({std::fmod(first, m_period), length});
        return first;
    }

private:
    struct Taken {
        double start, length;
    };

    bool isFree(double start, double length) const {
        const double own = std::fmod(start, m_period);
        return std::all_of(m_taken.begin(), m_taken.end(), [&](const Taken& taken) {
            const double after = own - taken.start, behind = -after;
            return (after < 0.0 ? after + m_period : after) >= taken.length - kTouch &&
                   (behind < 0.0 ? behind + m_period : behind) >= length - kTouch;
        });
    }

    double m_period; // s
    std::vector<Taken> m_taken;
};

struct Placed {
    double start = 0.0;
    Pass pass; // of micro-batch 0
};

// One micro-batch's forwards and gradients on their way down and up the pipeline, each as soon as its input
// is there and its stage is not taken by the same of other micro-batches. Empty where a period is too full.
std::vector<std::vector<Placed>> building(const ChunkedPipeline& p, double period, bool overlap) {
    std::vector<Timetable> stages(at(p.stages), Timetable(period)),
        links(at(2 * p.stages), Timetable(period));
    std::vector<std::vector<Placed>> placed(at(p.stages));
    const int count = p.virtualStages();
    double ready = 0.0;
    for (int k = 0; k < 2 * count; ++k) {
        const bool forward = k < count;
        const int v = forward ? k : 2 * count - 1 - k, to = forward ? v + 1 : v - 1, d = p.stageOf(v);
        const bool sends = to >= 0 && to < count && p.stageOf(to) != d;
        const double send = sends ? p.send[at(std::min(v, to))] : 0.0;
        const double length = (forward ? p.forward : p.inputGrad)[at(v)];
        const std::optional<double> start = stages[at(d)].take(ready, overlap ? length : length + send);
        if (!start)
            return {};
        placed[at(d)].push_back(
            {*start,
             {0, static_cast<std::int16_t>(p.chunkOf(v)), forward ? OpKind::Forward : OpKind::Backward}});
        ready = *start + length;
        if (!sends)
            continue;
        const std::optional<double> sent =
            links[at(2 * d + (p.stageOf(to) == (d + 1) % p.stages ? 0 : 1))].take(ready, send);
        if (!sent)
            return {};
        ready = *sent + send;
    }
    return placed;
}

} // namespace

OpLists periodLists(const ChunkedPipeline& pipeline, int microbatches, bool overlap,
                    const PeriodPolicy& policy) {
    double least = pipeline.busiest();
    for (int v = 0; v + 1 < pipeline.virtualStages(); ++v)
        if (pipeline.stageOf(v) != pipeline.stageOf(v + 1))
            least = std::max(least, pipeline.chunks * pipeline.send[at(v)]);
    const double period = least * policy.stretch;
    if (period <= 0.0)
        return {};
    OpLists lists;
    lists.split = true;
    std::vector<Placed> all;
    for (const std::vector<Placed>& once : building(pipeline, period, overlap)) {
        all.clear();
        for (const Placed& placed : once)
            for (int m = 0; m < microbatches; ++m)
                all.push_back({placed.start + m * period, {m, placed.pass.chunk, placed.pass.kind}});
        std::stable_sort(all.begin(), all.end(),
                         [](const Placed& a, const Placed& b) { return a.start < b.start; });
        std::vector<Pass>& list = lists.stages.emplace_back();
        for (const Placed& placed : all)
            list.push_back(placed.pass);
    }
    return lists;
}

} // namespace pw

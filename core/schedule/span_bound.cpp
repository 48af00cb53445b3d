// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/span_bound.h"

#include "core/schedule/list_schedulers.h"

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

// One micro-batch alone: forwards of the virtual stages 0 .. n-1 are steps 0 .. n-1 of its way, gradients of
// n-1 .. 0 steps n .. 2n-1.
struct Way {
    std::vector<double> start, length, send; // s, by step

    Way(const ChunkedPipeline& p) {
        const int n = p.virtualStages();
        double time = 0.0;
        for (int k = 0; k < 2 * n; ++k) {
            const int v = k < n ? k : 2 * n - 1 - k, to = k < n ? v + 1 : v - 1;
            start.push_back(time);
            length.push_back((k < n ? p.forward : p.inputGrad)[at(v)]);
            const bool sends = to >= 0 && to < n && p.stageOf(to) != p.stageOf(v);
            send.push_back(sends ? p.send[at(std::min(v, to))] : 0.0);
            time += length.back() + send.back();
        }
    }
    double end(int k) const { return start[at(k)] + length[at(k)]; }
};

// Work for each unit of memory that it needs or frees.
double density(double work, double memory) {
    return work <= 0.0 ? 0.0 : memory > 0.0 ? work / memory : HUGE_VAL;
}

} // namespace

double spanBoundOfV(const ChunkedPipeline& pipeline, int microbatches, const std::vector<double>& limit,
                    bool overlap) {
    const ChunkedPipeline& p = pipeline;
    const int last = p.virtualStages() - 1, turn = p.virtualStages();
    const double count = microbatches;
    const Way way(p);
    // How long a step keeps its stage.
    const auto taken = [&](int k) { return way.length[at(k)] + (overlap ? 0.0 : way.send[at(k)]); };

    double bound = 0.0;
    for (int d = 0; d < p.stages; ++d) {
        const int outer = d, inner = last - d; // virtual stages: the first chunk's and the second's
        const int down = outer, up = inner, back = turn + outer, home = turn + inner; // steps of this stage
        const double weights[2] = {p.weightGrad[at(outer)], p.weightGrad[at(inner)]};
        const double held[2] = {p.held[at(outer)], p.held[at(inner)]};
        const double rest[2] = {held[0] - p.released[at(outer)], held[1] - p.released[at(inner)]};
        const double room = limit[at(d)] * kHeldSlack;

        const double steps = taken(down) + taken(up) + taken(back) + taken(home);
        // What the last pass sends is no part of the span.
        const auto sent = [&](int k) { return taken(k) - way.length[at(k)]; };
        const double work = count * (steps + weights[0] + weights[1]) - sent(home);

        // Until the first gradient can be there: forwards that fit, those of the second chunk from when the
        // stages behind can have run that many.
        const double leave = way.start[at(down)], window = way.start[at(back)] - leave;
        const auto returns = [&](int nth) {
            double time = way.start[at(up)] - leave;
            for (int j = d + 1; j < p.stages; ++j)
                time = std::max(time, way.start[at(j)] - leave +
                                          nth * (way.length[at(j)] + way.length[at(last - j)]) +
                                          way.start[at(up)] - way.end(last - j));
            return time;
        };
        std::vector<double> second{0.0}; // s of so many of the second chunk in the window
        for (int nth = 1; nth <= microbatches && returns(nth) < window; ++nth)
            second.push_back(
                std::min(second.back() + std::min(taken(up), window - returns(nth)), window - returns(1)));
        const auto mostSecond = static_cast<double>(second.size()) - 1.0;
        double most = 0.0;
        for (int first = 0; first <= microbatches && first * held[0] <= room; ++first) {
            const double left = room - first * held[0];
            const double fit = held[1] > 0.0 ? std::floor(left / held[1]) : count;
            const double more = std::min({fit, static_cast<double>(first), mostSecond});
            most = std::max(most, first * taken(down) + second[static_cast<std::size_t>(more)]);
        }
        const double before = std::max(0.0, window - most);

        // After the last forward: what its own micro-batch left, and what else fits beside that.
        const double own = taken(home) + weights[0] + taken(back) + weights[1];
        const double others =
            (room - held[0] - held[1]) *
            std::max({density(taken(home) + weights[0], held[0]), density(weights[0], rest[0]),
                      density(taken(back) + weights[1], held[1]), density(weights[1], rest[1])});
        const double goHome = way.end(home) + weights[0];
        const double after = std::max(0.0, goHome - way.start[at(up)] - taken(up) - own - others);
        // Where all forwards fit, those before may be those after.
        const bool apart = count * (held[0] + held[1]) > room;
        bound = std::max(bound, work + (apart ? before + after : std::max(before, after)));

        bound = std::max(bound, goHome - leave);
        for (int j = d; j < p.stages; ++j) {
            const double all =
                count * (taken(j) + taken(last - j) + taken(turn + j) + taken(turn + last - j));
            const int turned = turn + last - j;
            bound = std::max(bound, way.start[at(j)] - leave + all - sent(turned) + goHome - way.end(turned));
        }
        for (int j = d; j + 1 < p.stages; ++j) {
            const double send = count * (p.send[at(j)] + p.send[at(last - 1 - j)]);
            // activations of virtual stage j and gradients of its mirror; the other way, those of its
            // mirror's predecessor and of its successor
            bound = std::max(bound, way.end(j) - leave + send + goHome - way.start[at(turn + j + 1)]);
            bound = std::max(bound,
                             way.end(last - 1 - j) - leave + send + goHome - way.start[at(turn + last - j)]);
        }
        if (room > 0.0)
            bound =
                std::max(bound, count / room *
                                    (held[0] * (way.end(home) - leave) + rest[0] * weights[0] +
                                     held[1] * (way.end(back) - way.start[at(up)]) + rest[1] * weights[1]));
    }
    return bound;
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/op_lists.h"

#include <functional>
#include <variant>
#include <vector>

namespace pw {

// The ways in which the zero-bubble search makes a list under a memory limit by stage (both
// reconstructions). None is best everywhere: over 74 pipelines of two chunks a stage the greedy one alone
// stays 1.0 % above the best of it and rounds, rounds alone 6 %, but where links are slow rounds need half of
// the greedy one's idle time.

// Sums of what passes hold drift by rounding; a limit of whole units must not be missed for that.
inline constexpr double kHeldSlack = 1.0 + 1e-9;

// What a stage does when there is a choice, deciding whenever it becomes free or an input arrives.
struct GreedyPolicy {
    bool alternate = false;    // between forward and backward; else a backward that is ready goes first
    double forwardWaits = 0.0; // a forward steps back for a backward that is known to come within this
                               // share of its own time
    double weightDelay = 1.0;  // share of its own time by which a weight gradient may delay what is known
                               // to come
    bool deepForwards = true;  // of several chunks, the last one's forward first
    bool deepBackwards = false;
    double slowStart = -1.0; // cap of micro-batches in flight by position: S - i + slowStart * (S - i - 1);
                             // negative: none but the memory's
    double reserve = 0.0;    // Memory that the first chunk's forwards leave to the last chunk's, of which a
                             // stage starts many before the first gradient comes back: a multiple of those
                             // that a round trip to the end takes at the pace of the busiest stage. Without
                             // it, stages that wait for slow links fill up with the first chunk.
};

// Never runs out of memory, and so always gets to its end. Incomplete if stopped.
OpLists greedyLists(const ChunkedPipeline& pipeline, int microbatches, const std::vector<double>& limit,
                    bool overlap, const GreedyPolicy& policy, const std::function<bool()>* stop);

// For two chunks a stage in a V. While the first micro-batch is on its way, stages take as many of the first
// chunk's forwards as fit; then, round by round, each stage one backward and one forward of the chunk whose
// turn it is, waiting for its input where it must, with weight gradients in the waits.
struct RoundPolicy {
    double backwardGap = 0.5; // share of a weight gradient's time that a stage would have to idle for a
    double forwardGap = 0.5;  // backward, or for a forward, from which on a weight gradient goes first
    bool soonest = false;     // of both chunks, the pass whose input is there first; else the last chunk's
};

// May be incomplete, or hold more than the limit, where that is tight; incomplete if stopped.
OpLists roundLists(const ChunkedPipeline& pipeline, int microbatches, const std::vector<double>& limit,
                   bool overlap, const RoundPolicy& policy, const std::function<bool()>* stop);

// The order in which the forwards and gradients of one micro-batch after the other run where each repeats the
// one before it a fixed period later, every pass as soon as its input is there: the building block of
// arXiv 2405.15362, here laid out by the times of the stages and links. Holds little, and keeps its pace
// where a round trip over slow links is longer than what lists made in time order look ahead.
struct PeriodPolicy {
    double stretch = 1.0; // the period over the work of the busiest stage or link; at least 1
};

// Without the weight gradients. No lists where a pass finds no place in the period.
OpLists periodLists(const ChunkedPipeline& pipeline, int microbatches, bool overlap,
                    const PeriodPolicy& policy);

// Takes the order of forwards and backwards from such lists, to their end or until a stage has run the first
// chunk's last forward, and places the rest, weight gradients included, by a greedy policy: rounds that wait
// for each other only cost time while the pipeline drains.
struct FollowPolicy {
    std::variant<RoundPolicy, PeriodPolicy> order;
    bool toTheEnd = false;
    GreedyPolicy rest;
};

// `order` is of the same pipeline; lists are incomplete if it is, or if stopped.
OpLists followedLists(const ChunkedPipeline& pipeline, int microbatches, const std::vector<double>& limit,
                      bool overlap, const OpLists& order, const FollowPolicy& policy,
                      const std::function<bool()>* stop);

// Moves single passes of complete lists, a few places forth or back, wherever that makes the largest span no
// longer and keeps within the limits, until it is at most `target` (s) or some `work` passes were simulated.
// What is tried is drawn from a fixed seed. The lists so far if stopped.
OpLists improvedLists(const ChunkedPipeline& pipeline, int microbatches, const std::vector<double>& limit,
                      bool overlap, OpLists lists, double target, double work,
                      const std::function<bool()>* stop);

} // namespace pw

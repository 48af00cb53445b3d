// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/wording.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace pw {

// The pipeline schedules that a plan may name. How each one runs is core/schedule's business.
enum class ScheduleKind { GPipe, OneFOneB, Interleaved, Eager, H1F1B, ZbH1, Zb1p, Zb2p, ZbV };
inline constexpr std::size_t kScheduleKinds = 9; // tables with a row a kind are held to it, row by row
// How H-1F1B derives its launch counts: the published thresholds; 1 + ceil(2c/tau), this project's reading;
// or, this project's own, as many as keep every stage busy until its first gradient comes back, as far as
// memory allows.
enum class LaunchRule { Artifact, Ceil, Busy };

// Where chunk c of stage d stands in the pipeline of S stages: Loop at c*S + d, Zigzag there for even c and
// at c*S + S-1-d for odd ones, so that two chunks make a V.
//
//     Loop, S = 2, 2 chunks            Zigzag
//     stage 0   v0       v2            stage 0   v0           v3
//     stage 1      v1       v3         stage 1      v1   v2
enum class ChunkPlacement : std::uint8_t { Loop, Zigzag };

// Virtual stages are the chunks of a pipeline in the order of its forward pass.
struct ChunkLayout {
    int stages = 0, chunks = 1;
    ChunkPlacement placement = ChunkPlacement::Loop;

    int virtualStages() const { return stages * chunks; }
    int virtualStage(int stage, int chunk) const {
        return chunk * stages + (mirrored(chunk) ? stages - 1 - stage : stage);
    }
    int chunkOf(int v) const { return v / stages; }
    int stageOf(int v) const { return mirrored(chunkOf(v)) ? stages - 1 - v % stages : v % stages; }
    // Whether the chunk's activations go to the next stage (from the last one to the first), its gradients to
    // the one before; else the other way round.
    bool sendsOnward(int chunk) const { return !mirrored(chunk); }
    // The stages at the ends of a stage's links: the one that it sends onward to, and the one before it. A
    // Loop of several chunks leads from the last stage to the first. -1: there is none.
    int stageBehind(int stage) const { return stage + 1 < stages ? stage + 1 : goesRound() ? 0 : -1; }
    int stageBefore(int stage) const { return stage > 0 ? stage - 1 : goesRound() ? stages - 1 : -1; }

private:
    bool mirrored(int chunk) const { return placement == ChunkPlacement::Zigzag && chunk % 2 == 1; }
    bool goesRound() const { return placement == ChunkPlacement::Loop && chunks > 1 && stages > 1; }
};

const char* name(ScheduleKind kind);  // "gpipe", "1f1b", "zb-h1", ...: command line and files
const char* label(ScheduleKind kind); // "GPipe", "1F1B", "ZB-H1", ...: for people
const char* name(LaunchRule rule);    // "artifact", "ceil", "busy"
std::string launchRuleNames();        // all of them, "artifact, ceil or busy"
std::string scheduleKindNames();      // all of them, "gpipe, 1f1b, ..., zb-v"
std::optional<ScheduleKind> scheduleKindFromName(std::string_view text);
std::optional<LaunchRule> launchRuleFromName(std::string_view text);

// Whether the rows of a table, each with a field `kind`, are one a kind and in the order of ScheduleKind.
template <typename Rows>
constexpr bool rowsAreKinds(const Rows& rows) {
    if (std::size(rows) != kScheduleKinds)
        return false;
    for (std::size_t i = 0; i < kScheduleKinds; ++i)
        if (rows[i].kind != static_cast<ScheduleKind>(i))
            return false;
    return true;
}

// One chunk a stage and a whole backward: launch counts say everything about the order.
bool usesLaunchCounts(ScheduleKind kind);
// The zero-bubble kinds: the gradient of the weights is a pass of its own, and the optimiser step is
// validated afterwards, so that iterations of neighbouring stages overlap.
bool splitsBackward(ScheduleKind kind);
// Chunks a stage: interleaved takes 2 or more, ZB-V 2, every other kind 1.
int leastChunks(ScheduleKind kind);
int mostChunks(ScheduleKind kind);
ChunkPlacement chunkPlacement(ScheduleKind kind);
// What B micro-batches the kind cannot run on S stages: interleaved takes whole groups of S. None: it can.
std::optional<Wording> unfitMicrobatches(ScheduleKind kind, std::int64_t microbatches, int stages);

} // namespace pw

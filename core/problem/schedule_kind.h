// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pw {

// The pipeline schedules that a plan may name. How each one runs is core/schedule's business.
enum class ScheduleKind { GPipe, OneFOneB, Interleaved, Eager, H1F1B, ZbH1, Zb1p, Zb2p, ZbV };
// How H-1F1B derives its launch counts: the published thresholds, or 1 + ceil(2c/tau), this project's
// reading.
enum class LaunchRule { Artifact, Ceil };

// Where chunk c of stage d stands in the pipeline of S stages: Loop at c*S + d, Zigzag there for even c and
// at c*S + S-1-d for odd ones, so that two chunks make a V.
enum class ChunkPlacement : std::uint8_t { Loop, Zigzag };

const char* name(ScheduleKind kind);  // "gpipe", "1f1b", "zb-h1", ...: command line and files
const char* label(ScheduleKind kind); // "GPipe", "1F1B", "ZB-H1", ...: for people
const char* name(LaunchRule rule);    // "artifact", "ceil"
std::string scheduleKindNames();      // all of them, "gpipe, 1f1b, ..., zb-v"
std::optional<ScheduleKind> scheduleKindFromName(std::string_view text);
std::optional<LaunchRule> launchRuleFromName(std::string_view text);

// One chunk a stage and a whole backward: launch counts say everything about the order.
bool usesLaunchCounts(ScheduleKind kind);
// The zero-bubble kinds: the gradient of the weights is a pass of its own, and the optimiser step is
// validated afterwards, so that iterations of neighbouring stages overlap.
bool splitsBackward(ScheduleKind kind);
// Chunks a stage: interleaved takes 2 or more, ZB-V 2, every other kind 1.
int leastChunks(ScheduleKind kind);
int mostChunks(ScheduleKind kind);
ChunkPlacement chunkPlacement(ScheduleKind kind);

} // namespace pw

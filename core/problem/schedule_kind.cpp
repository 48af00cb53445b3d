// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/problem/schedule_kind.h"

#include <array>

namespace pw {

namespace {

constexpr int kMostChunks = 64; // of a stage; no model has layers for more

struct KindRow {
    ScheduleKind kind;
    const char* name;
    const char* label;
    bool launchCounts, split;
    int leastChunks, mostChunks;
};

constexpr std::array kKinds = {
    KindRow{ScheduleKind::GPipe, "gpipe", "GPipe", true, false, 1, 1},
    KindRow{ScheduleKind::OneFOneB, "1f1b", "1F1B", true, false, 1, 1},
    KindRow{ScheduleKind::Interleaved, "interleaved", "Interleaved 1F1B", false, false, 2, kMostChunks},
    KindRow{ScheduleKind::Eager, "eager", "Eager 1F1B", true, false, 1, 1},
    KindRow{ScheduleKind::H1F1B, "h1f1b", "H-1F1B", true, false, 1, 1},
    KindRow{ScheduleKind::ZbH1, "zb-h1", "ZB-H1", false, true, 1, 1},
    KindRow{ScheduleKind::Zb1p, "zb-1p", "ZB-1p", false, true, 1, 1},
    KindRow{ScheduleKind::Zb2p, "zb-2p", "ZB-2p", false, true, 1, 1},
    KindRow{ScheduleKind::ZbV, "zb-v", "ZB-V", false, true, 2, 2},
};

static_assert(rowsAreKinds(kKinds), "kKinds has one row a kind, in the order of ScheduleKind");

const KindRow& row(ScheduleKind kind) {
    return kKinds[static_cast<std::size_t>(kind)];
}

} // namespace

const char* name(ScheduleKind kind) {
    return row(kind).name;
}

const char* label(ScheduleKind kind) {
    return row(kind).label;
}

std::string scheduleKindNames() {
    std::string names;
    for (const KindRow& r : kKinds)
        names += (names.empty() ? "" : ", ") + std::string(r.name);
    return names;
}

bool usesLaunchCounts(ScheduleKind kind) {
    return row(kind).launchCounts;
}

bool splitsBackward(ScheduleKind kind) {
    return row(kind).split;
}

int leastChunks(ScheduleKind kind) {
    return row(kind).leastChunks;
}

int mostChunks(ScheduleKind kind) {
    return row(kind).mostChunks;
}

ChunkPlacement chunkPlacement(ScheduleKind kind) {
    return kind == ScheduleKind::ZbV ? ChunkPlacement::Zigzag : ChunkPlacement::Loop;
}

const char* name(LaunchRule rule) {
    return rule == LaunchRule::Busy ? "busy" : rule == LaunchRule::Ceil ? "ceil" : "artifact";
}

std::string launchRuleNames() {
    return "artifact, ceil or busy";
}

std::optional<ScheduleKind> scheduleKindFromName(std::string_view text) {
    for (const KindRow& r : kKinds)
        if (text == r.name)
            return r.kind;
    return std::nullopt;
}

std::optional<LaunchRule> launchRuleFromName(std::string_view text) {
    for (const LaunchRule rule : {LaunchRule::Artifact, LaunchRule::Ceil, LaunchRule::Busy})
        if (text == name(rule))
            return rule;
    return std::nullopt;
}

std::optional<Wording> unfitMicrobatches(ScheduleKind kind, std::int64_t microbatches, int stages) {
    if (kind != ScheduleKind::Interleaved || stages < 1 || microbatches % stages == 0)
        return std::nullopt;
    return Wording(
        "interleaved 1F1B runs a multiple of its {stages} stages in micro-batches, not {microbatches}",
        {{"stages", stages}, {"microbatches", microbatches}});
}

} // namespace pw

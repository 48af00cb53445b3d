// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/problem/schedule_kind.h"

#include <array>

namespace pw {

namespace {

struct KindRow {
    ScheduleKind kind;
    const char* name;
    const char* label;
};

constexpr std::array kKinds = {
    KindRow{ScheduleKind::GPipe, "gpipe", "GPipe"},
    KindRow{ScheduleKind::OneFOneB, "1f1b", "1F1B"},
    KindRow{ScheduleKind::Eager, "eager", "Eager 1F1B"},
    KindRow{ScheduleKind::H1F1B, "h1f1b", "H-1F1B"},
};

const KindRow& row(ScheduleKind kind) {
    for (const KindRow& r : kKinds)
        if (r.kind == kind)
            return r;
    return kKinds[0];
}

} // namespace

const char* name(ScheduleKind kind) {
    return row(kind).name;
}

const char* label(ScheduleKind kind) {
    return row(kind).label;
}

const char* name(LaunchRule rule) {
    return rule == LaunchRule::Ceil ? "ceil" : "artifact";
}

std::optional<ScheduleKind> scheduleKindFromName(std::string_view text) {
    for (const KindRow& r : kKinds)
        if (text == r.name)
            return r.kind;
    return std::nullopt;
}

std::optional<LaunchRule> launchRuleFromName(std::string_view text) {
    for (const LaunchRule rule : {LaunchRule::Artifact, LaunchRule::Ceil})
        if (text == name(rule))
            return rule;
    return std::nullopt;
}

} // namespace pw

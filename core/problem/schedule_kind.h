// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

namespace pw {

// The pipeline schedules that a plan may name. How each one runs is core/schedule's business.
enum class ScheduleKind { GPipe, OneFOneB, Eager, H1F1B };
// How H-1F1B derives its launch counts: the published thresholds, or 1 + ceil(2c/tau), this project's
// reading.
enum class LaunchRule { Artifact, Ceil };

const char* name(ScheduleKind kind);  // "gpipe", "1f1b", "eager", "h1f1b": command line and files
const char* label(ScheduleKind kind); // "GPipe", "1F1B", "Eager 1F1B", "H-1F1B": for people
const char* name(LaunchRule rule);    // "artifact", "ceil"
std::optional<ScheduleKind> scheduleKindFromName(std::string_view text);
std::optional<LaunchRule> launchRuleFromName(std::string_view text);

} // namespace pw

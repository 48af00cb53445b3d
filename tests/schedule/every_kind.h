// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/text.h"
#include "core/problem/schedule_kind.h"

#include <string>
#include <vector>

namespace pw::test {

// All that the table of schedules has, so that one that is added is tested like the others.
inline std::vector<ScheduleKind> everyKind() {
    std::vector<ScheduleKind> kinds;
    const std::string names = scheduleKindNames();
    for (const std::string_view word : partsOf(names, ','))
        kinds.push_back(*scheduleKindFromName(trimmed(word)));
    return kinds;
}

} // namespace pw::test

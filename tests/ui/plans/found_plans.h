// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/ui_fixture.h"

namespace pw::test {

// Plans of a real search, and one more of them that is said to need too much memory.
inline void fill(UiFixture& ui) {
    ui.openSmallProject();
    QVERIFY(ui.search());
    QVERIFY(!ui.candidates.all().empty());
    FoundPlan broken{ui.candidates.all().front().plan, ui.candidates.all().front().evaluation};
    broken.plan.pipelines.front().schedule.kind = ScheduleKind::GPipe;
    broken.evaluation.feasible = false;
    broken.evaluation.reasons = {"stage 0 needs 85.8 of 39.6 GiB on A100-40"};
    ui.candidates.add(ui.document.problem(), {broken}, QStringLiteral("imported"));
}

} // namespace pw::test

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/synthetic_plan.h"
#include "ui/session/selection.h"
#include "ui/session/time_range.h"
#include "ui/timeline/timeline_tracks.h"
#include "ui/timeline/timeline_view.h"

#include <QApplication>
#include <QTest>

namespace pw::test {

// A timeline on the screen with the synthetic plan, its tracks focused.
struct ShownTimeline {
    explicit ShownTimeline(QSize size) {
        view.resize(size);
        view.show();
        if (!QTest::qWaitForWindowExposed(&view))
            qFatal("the timeline is not shown");
        plan.show(syntheticPlan());
        view.tracks()->setFocus();
        QApplication::processEvents();
    }
    Selection selection;
    TimeRange range;
    CurrentPlan plan;
    TimelineView view{plan, selection, range};
};

} // namespace pw::test

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/app_fixture.h"
#include "ui/topology/canvas.h"
#include "ui/topology/view.h"

#include <QTest>

namespace pw {

// A drawing in its view, in a window that is shown and has the focus.
struct ShownCanvas : AppFixture {
    TopologyView* view = nullptr; // both from show() on
    TopologyCanvas* canvas = nullptr;

    void show() {
        view = new TopologyView(context, &window);
        canvas = view->canvas();
        window.resize(1000, 700);
        view->resize(1000, 700);
        window.show();
        canvas->setFocus();
        if (!QTest::qWaitForWindowActive(&window))
            qFatal("the window was not shown");
    }
    int undoSteps() { return document.undoStack()->index(); }
};

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/ui_fixture.h"

namespace pw {

// As the window does, which says when a search can run.
inline void bindRun(UiFixture& ui) {
    QAction* run = ui.commands->action("search.run");
    ui.commands->bind("search.run", &ui.window, [&ui] { ui.runner.start(); });
    const auto follow = [&ui, run] {
        run->setEnabled(ui.document.problem() && ui.runner.waitsFor().isEmpty());
    };
    QObject::connect(&ui.document, &Document::changed, run, follow);
    QObject::connect(&ui.runner, &SearchRunner::waitsForChanged, run, follow);
    follow();
}

} // namespace pw

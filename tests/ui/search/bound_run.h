// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/ui_fixture.h"

#include <limits>

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

// A question with more plans than anybody lives to try, asked of the planner that tries them all.
inline void openEndless(UiFixture& ui) {
    if (!ui.document.open(QStringLiteral(PW_SOURCE_DIR "/samples/projects/measured-16.pwx")))
        qFatal("the sample was not opened");
    SearchOptions options;
    options.planner = "exhaustive";
    options.work = std::numeric_limits<std::int64_t>::max() / 4;
    ui.runner.setOptions(options);
}

} // namespace pw

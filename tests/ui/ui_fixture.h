// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/planners.h"
#include "tests/project/small_project.h"
#include "tests/ui/app_fixture.h"
#include "ui/base/theme.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest> // keep: every test that includes this needs it

namespace pw {

// False if it did not end in time.
inline bool searchToEnd(SearchRunner& runner, std::int64_t work = 20'000) {
    SearchOptions options;
    options.work = work;
    runner.setOptions(options);
    QSignalSpy ended(&runner, &SearchRunner::finished);
    return runner.start() && ended.wait(60'000);
}

// An AppFixture with a theme, a project that can be planned on, and a search of it.
struct UiFixture : AppFixture {
    UiFixture() { ThemeControl::instance().apply(*qApp, ThemeMode::Light); }

    void openSmallProject() { document.adopt(smallProject(), QString()); }

    // The small project with eight blocks, whose stages can be moved; the problem of it.
    std::shared_ptr<const Problem> openLongProject() {
        Project project = smallProject();
        project.model->blocks = 8;
        document.adopt(project, QString());
        return document.problem();
    }

    bool search(std::int64_t work = 20'000) { return searchToEnd(runner, work); }
};

} // namespace pw

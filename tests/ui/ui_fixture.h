// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/project/small_project.h"
#include "tests/ui/app_fixture.h"
#include "ui/base/theme.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>

namespace pw {

// An AppFixture with a theme, a project that can be planned on, and a search of it.
struct UiFixture : AppFixture {
    UiFixture() { ThemeControl::instance().apply(*qApp, ThemeMode::Light); }

    void openSmallProject() { document.adopt(smallProject(), QString()); }

    // A search of the small project to its end; false if it did not end in time.
    bool search(std::int64_t work = 20'000) {
        SearchOptions options;
        options.work = work;
        runner.setOptions(options);
        QSignalSpy ended(&runner, &SearchRunner::finished);
        return runner.start() && ended.wait(60'000);
    }
};

} // namespace pw

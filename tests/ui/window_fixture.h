// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
#include "tests/ui/ui_fixture.h"
#include "ui/base/convert.h"
#include "ui/window/main_window.h"

#include <QFile>
#include <QTemporaryDir>

namespace pw {

// For tests of the whole window: folders of its own for settings, data and state, and the light theme.
class WindowFolders {
public:
    // Sets them for all windows that are made from now on.
    void use() const {
        for (const char* variable : {"PIPEWRIGHT_CONFIG_DIR", "PIPEWRIGHT_DATA_DIR", "PIPEWRIGHT_STATE_DIR"})
            qputenv(variable, filePath(QLatin1String(variable)).toUtf8());
        ThemeControl::instance().apply(*qApp, ThemeMode::Light);
    }
    // Likewise, with settings as of a first start, and the small project; empty if it could not be written.
    QString useAnew() const {
        use();
        QFile::remove(filePath(QStringLiteral("PIPEWRIGHT_CONFIG_DIR/pipewright.ini")));
        return smallProjectFile();
    }
    QString path() const { return m_folder.path(); }
    QString filePath(const QString& name) const { return m_folder.filePath(name); }
    // The small project as a file, as it was first; empty if it could not be written.
    QString smallProjectFile() const {
        const QString file = filePath(QStringLiteral("small.pwx"));
        return writeFileAtomically(s(file), printProject(smallProject())) ? file : QString();
    }

private:
    QTemporaryDir m_folder;
};

// As most desks have it, with the focus.
inline std::unique_ptr<MainWindow> shownWindow() {
    auto window = std::make_unique<MainWindow>();
    window->resize(1600, 1000);
    window->show();
    if (!QTest::qWaitForWindowActive(window.get()))
        qFatal("the window was not shown");
    return window;
}

inline bool searched(MainWindow& window) {
    return searchToEnd(window.context().runner);
}

} // namespace pw

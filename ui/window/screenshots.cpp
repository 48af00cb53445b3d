// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/screenshots.h"

#include "ui/window/dock_area.h"
#include "ui/window/main_window.h"

#include <QDir>
#include <QDockWidget>
#include <QTextStream>
#include <QTimer>

namespace pw {

namespace {
constexpr int kSettleMs = 250; // a view computes in the background and paints when it is done
}

Screenshots::Screenshots(MainWindow& window, const QString& folder)
    : QObject(&window), m_window(window), m_folder(folder) {}

void Screenshots::start() {
    if (!QDir().mkpath(m_folder)) {
        QTextStream(stderr) << tr("The folder %1 cannot be made.").arg(m_folder) << '\n';
        Q_EMIT finished(false);
        return;
    }
    for (const auto& [mode, suffix] : {std::pair(ThemeMode::Light, QStringLiteral("light")),
                                       std::pair(ThemeMode::Dark, QStringLiteral("dark"))}) {
        m_steps.push_back([this, mode = mode] {
            m_window.setTheme(mode);
            m_window.docks().restoreDefault();
        });
        m_steps.push_back([this, suffix = suffix] { save(&m_window, QStringLiteral("window-") + suffix); });
        for (QDockWidget* dock : m_window.docks().docks()) {
            m_steps.push_back([dock] { dock->raise(); });
            m_steps.push_back([this, dock, suffix = suffix] {
                save(dock, dock->objectName() + QLatin1Char('-') + suffix);
            });
        }
    }
    QTimer::singleShot(kSettleMs, this, &Screenshots::next);
}

void Screenshots::next() {
    if (m_step == m_steps.size()) {
        Q_EMIT finished(m_saved);
        return;
    }
    m_steps[m_step++]();
    QTimer::singleShot(kSettleMs, this, &Screenshots::next);
}

void Screenshots::save(QWidget* what, const QString& name) {
    const QString path = QDir(m_folder).filePath(name + QStringLiteral(".png"));
    if (what->grab().save(path))
        return;
    QTextStream(stderr) << tr("%1 was not written.").arg(path) << '\n';
    m_saved = false;
}

} // namespace pw

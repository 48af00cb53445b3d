// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/screenshots.h"

#include "ui/window/dock_area.h"
#include "ui/window/main_window.h"

#include <QDir>
#include <QDockWidget>
#include <QTextStream>
#include <QTimer>

#include <algorithm>
#include <cmath>

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
    m_steps.push_back([this] {
        AppContext& app = m_window.context();
        if (!app.runner.problem()) // no search was asked for
            return true;
        app.tournament.setAblations(allAblations());
        app.tournament.start(app.runner.options());
        return true;
    });
    m_steps.push_back([this] { return !m_window.context().tournament.isRunning(); });
    for (const auto& [mode, suffix] : {std::pair(ThemeMode::Light, QStringLiteral("light")),
                                       std::pair(ThemeMode::Dark, QStringLiteral("dark"))}) {
        m_steps.push_back([this, mode = mode] {
            m_window.setTheme(mode);
            m_window.showAccuracy(false);
            m_window.docks().restoreDefault();
            return true;
        });
        m_steps.push_back([this, suffix = suffix] {
            save(&m_window, QStringLiteral("window-") + suffix);
            return true;
        });
        addDocks(m_window.docks(), suffix);
        m_steps.push_back([this] {
            m_window.showAccuracy(true);
            return true;
        });
        m_steps.push_back([this] { return chooseRun(); });
        m_steps.push_back([this, suffix = suffix] {
            save(&m_window, QStringLiteral("accuracy-") + suffix);
            return true;
        });
        addDocks(m_window.accuracyDocks(), suffix);
        m_steps.push_back([this] {
            m_window.comparePlans();
            return true;
        });
        m_steps.push_back([this, suffix = suffix] {
            save(&m_window, QStringLiteral("comparing-") + suffix);
            return true;
        });
        addDocks(m_window.compareDocks(), suffix);
    }
    QTimer::singleShot(kSettleMs, this, &Screenshots::next);
}

void Screenshots::addDocks(DockArea& area, const QString& suffix) {
    for (QDockWidget* dock : area.docks()) {
        m_steps.push_back([dock] {
            dock->raise();
            return true;
        });
        m_steps.push_back([this, dock, suffix] {
            save(dock, dock->objectName() + QLatin1Char('-') + suffix);
            return true;
        });
    }
}

// The source with most figures of memory has both quantities to show; of its runs the one that was predicted
// worst.
bool Screenshots::chooseRun() {
    AccuracyStudy& study = m_window.context().accuracy;
    if (study.isRunning())
        return false;
    const auto& sources = study.sources();
    const auto richest =
        std::max_element(sources.begin(), sources.end(), [](const StudySource& a, const StudySource& b) {
            return a.score.memory.count < b.score.memory.count;
        });
    if (richest == sources.end())
        return true;
    const int source = static_cast<int>(richest - sources.begin());
    RunRef worst;
    for (int row = 0; row < static_cast<int>(richest->rows.size()); ++row) {
        const RunRef run{source, row};
        const double error = std::abs(study.error(run, RunQuantity::Time).value_or(0.0));
        if (!worst || error > std::abs(study.error(worst, RunQuantity::Time).value_or(0.0)))
            worst = run;
    }
    study.setRun(worst);
    return true;
}

void Screenshots::next() {
    if (m_step == m_steps.size()) {
        Q_EMIT finished(m_saved);
        return;
    }
    if (m_steps[m_step]())
        ++m_step;
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

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/screenshots.h"

#include "core/edit/edit.h"
#include "ui/base/background_job.h"
#include "ui/base/restyle.h"
#include "ui/commands/commands.h"
#include "ui/plans/kept_plans.h"
#include "ui/window/dialog_pictures.h"
#include "ui/window/dock_area.h"
#include "ui/window/dock_table.h"
#include "ui/window/main_window.h"

#include <QDir>
#include <QDockWidget>
#include <QTextStream>
#include <QTimer>

#include <algorithm>
#include <cmath>

namespace pw {

namespace {
constexpr int kLookMs = 10;
constexpr int kQuietLooks = 2;  // in a row, so that what a change starts by itself has begun
constexpr int kLaterMs = 1'000; // timers of views that wait for the end of a change are shorter
} // namespace

Screenshots::Screenshots(MainWindow& window, const QString& folder, bool states, QStringList only)
    : QObject(&window), m_window(window), m_folder(folder), m_states(states), m_only(std::move(only)) {}

Screenshots::~Screenshots() = default;

void Screenshots::start() {
    if (!m_steps.empty()) // a search of the states has ended, not the one that was waited for
        return;
    if (!QDir().mkpath(m_folder)) {
        QTextStream(stderr) << tr("The folder %1 cannot be made.").arg(m_folder) << '\n';
        Q_EMIT finished(1);
        return;
    }
    m_steps.push_back([this] {
        AppContext& app = m_window.context();
        if (!app.runner.problem()) // no search was asked for
            return;
        app.tournament.setAblations(allAblations());
        app.tournament.start(app.runner.options(), app.runner.demand());
    });
    m_steps.push_back([this] {
        if (m_window.context().runner.outcome())
            m_window.commands().action("answers.around")->trigger();
    });
    addViews({});
    if (m_states)
        addStates();
    next();
}

void Screenshots::addViews(const QString& state) {
    for (const ThemeRow& theme : themeTable()) {
        if (theme.theme().highContrast && m_only.isEmpty())
            continue;
        const ThemeMode mode = theme.mode;
        const QString suffix = QLatin1String(theme.name);
        const auto named = [state, suffix](const QString& view) {
            return state + view + QLatin1Char('-') + suffix;
        };
        m_steps.push_back([this, mode] {
            m_window.setTheme(mode);
            m_window.showAccuracy(false);
        });
        QStringList pictured; // docks; in the perspective that comes first
        for (const auto& [perspective, name] : {std::pair(Perspective::Look, "window"),
                                                {Perspective::Draw, "draw"},
                                                {Perspective::Compare, "comparing"}}) {
            m_steps.push_back([this, perspective = perspective] {
                if (perspective == Perspective::Compare)
                    m_window.comparePlans();
                m_window.showPerspective(perspective);
                m_window.docks().restoreDefault();
            });
            m_steps.push_back([this, name = named(QLatin1String(name))] { save(&m_window, name); });
            for (const DockPlace& place :
                 planningLayout().arrangements[static_cast<std::size_t>(perspective)].places)
                if (const QString dock = QLatin1String(place.name); !pictured.contains(dock)) {
                    pictured << dock;
                    addDock(m_window.docks(), dock, state, suffix);
                }
        }
        for (const DialogPicture& picture : dialogPictures())
            addDialog(picture, named(QLatin1String(picture.name)));
        m_steps.push_back([this] { m_window.showAccuracy(true); });
        m_steps.push_back([this] { chooseRun(); });
        m_steps.push_back([this, name = named(QStringLiteral("accuracy"))] { save(&m_window, name); });
        for (const DockRow& row : accuracyLayout().docks)
            addDock(m_window.accuracyDocks(), QLatin1String(row.name), state, suffix);
    }
}

void Screenshots::addStates() {
    AppContext& app = m_window.context();
    m_steps.push_back([&app] {
        if (app.document.project()->cluster.nodes.empty())
            return;
        const std::string id = app.document.project()->cluster.nodes.front().id;
        app.document.apply(
            renameItem(*app.document.project(), id, "rack-17-of-the-north-hall-with-water-cooling"),
            tr("Rename"));
        app.runner.start();
    });
    m_steps.push_back([&app] {
        if (app.candidates.all().empty())
            return;
        const int id = app.candidates.all().front().id;
        app.selection.setPlan(id);
        renamePlan(app, id, tr("what the whole department agreed upon before the summer"));
        notePlan(app, id,
                 tr("Both halls, every card, and the slow link between them used for gradients only."));
    });
    addViews(QStringLiteral("long-"));
    m_steps.push_back([&app] {
        Recipe recipe = app.document.project()->recipe;
        recipe.gbs *= 2;
        app.document.apply(setRecipe(*app.document.project(), recipe), tr("Double the batch"));
    });
    addViews(QStringLiteral("stale-"));
    m_steps.push_back([&app] {
        ItemIds links;
        for (const Link& link : app.document.project()->cluster.links)
            links.insert(link.id);
        app.document.apply(removeItems(*app.document.project(), links), tr("Remove links"));
    });
    addViews(QStringLiteral("broken-"));
    m_steps.push_back([this] {
        Document& document = m_window.context().document; // nobody is there to be asked about saving
        document.undoStack()->setClean();
        document.setNewPlans(false);
        document.setNewDemand(false);
        m_window.commands().action("file.new")->trigger();
    });
    addViews(QStringLiteral("empty-"));
}

void Screenshots::addDock(DockArea& area, const QString& dockName, const QString& state,
                          const QString& suffix) {
    const QString name = state + dockName + QLatin1Char('-') + suffix;
    if (!isWanted(name))
        return;
    QDockWidget* dock = area.dock(dockName);
    m_steps.push_back([dock] { dock->raise(); });
    m_steps.push_back([this, dock, name] { save(dock, name); });
}

bool Screenshots::isWanted(const QString& name) const {
    return m_only.isEmpty() || m_only.contains(name);
}

void Screenshots::addDialog(const DialogPicture& picture, const QString& name) {
    if (!isWanted(name))
        return;
    m_steps.push_back([this, &picture] {
        m_dialog = picture.make(m_window, m_scratch.path());
        if (m_dialog)
            m_dialog->show();
    });
    m_steps.push_back([this, name] {
        if (m_dialog)
            save(m_dialog.get(), name);
        m_dialog.reset();
    });
}

// The source with most figures of memory has both quantities to show; of its runs the one that was predicted
// worst.
void Screenshots::chooseRun() {
    AccuracyStudy& study = m_window.context().accuracy;
    const auto& sources = study.sources();
    const auto richest =
        std::max_element(sources.begin(), sources.end(), [](const StudySource& a, const StudySource& b) {
            return a.score.memory.count < b.score.memory.count;
        });
    if (richest == sources.end())
        return;
    const int source = static_cast<int>(richest - sources.begin());
    RunRef worst;
    for (int row = 0; row < static_cast<int>(richest->rows.size()); ++row) {
        const RunRef run{source, row};
        const double error = std::abs(study.error(run, RunQuantity::Time).value_or(0.0));
        if (!worst || error > std::abs(study.error(worst, RunQuantity::Time).value_or(0.0)))
            worst = run;
    }
    study.setRun(worst);
}

void Screenshots::next() {
    if (m_step == m_steps.size()) {
        const QSet<QString> wanted(m_only.begin(), m_only.end());
        for (const QString& name : wanted - m_taken)
            QTextStream(stderr) << tr("--views: no picture is called %1 here.").arg(name) << '\n';
        Q_EMIT finished(!m_saved ? 1 : m_taken.contains(wanted) ? 0 : 2);
        return;
    }
    m_quiet = isSettled() ? m_quiet + 1 : 0;
    if (m_quiet >= kQuietLooks) {
        m_quiet = 0;
        m_steps[m_step++]();
    }
    QTimer::singleShot(kLookMs, this, &Screenshots::next);
}

// A view computes in the background, perhaps after a short wait for the end of what changes, and paints when
// that is done.
bool Screenshots::isSettled() const {
    QList<QTimer*> timers = m_window.findChildren<QTimer*>();
    if (m_dialog)
        timers += m_dialog->findChildren<QTimer*>();
    return !BackgroundJob::anyRunning() &&
           std::none_of(timers.begin(), timers.end(), [](const QTimer* timer) {
               return timer->isSingleShot() && timer->isActive() && timer->interval() < kLaterMs;
           });
}

void Screenshots::save(QWidget* what, const QString& name) {
    const QString path = QDir(m_folder).filePath(name + QStringLiteral(".png"));
    if (!isWanted(name))
        return;
    m_taken.insert(name);
    restyleUnseen(*what);
    if (what->grab().save(path))
        return;
    QTextStream(stderr) << tr("%1 was not written.").arg(path) << '\n';
    m_saved = false;
}

} // namespace pw

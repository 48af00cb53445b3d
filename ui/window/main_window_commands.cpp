// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/config_folder.h"
#include "ui/commands/commands.h"
#include "ui/commands/context_menu.h"
#include "ui/commands/key_sheet.h"
#include "ui/commands/quick_open.h"
#include "ui/commands/shortcut_editor.h"
#include "ui/diagnostics/diagnostics_dialog.h"
#include "ui/export/picture.h"
#include "ui/session/plan_order.h"
#include "ui/session/view.h"
#include "ui/topology/kind_dialog.h"
#include "ui/widgets/file_dialogs.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/stray_focus.h"
#include "ui/widgets/value_field.h"
#include "ui/window/about.h"
#include "ui/window/dock_area.h"
#include "ui/window/dock_focus.h"
#include "ui/window/dock_table.h"
#include "ui/window/file_actions.h"
#include "ui/window/locator.h"
#include "ui/window/main_window.h"
#include "ui/window/status_line.h"

#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QFileInfo>
#include <QLineEdit>
#include <QStackedWidget>
#include <QUndoStack>

namespace pw {

// What the commands do, as far as that is the window's.

void MainWindow::bindCommands() {
    Commands& c = *m_commands;
    c.bind("file.new", this, [this] { m_files->newProject(); });
    c.bind("file.open", this, [this] { m_files->openWithDialog(); });
    c.bind("file.save", this, [this] { m_files->save(); });
    c.bind("file.saveAs", this, [this] { m_files->saveAs(); });
    c.bind("file.restore", this, [this] {
        if (const std::vector<LostWork> lost = lostWork(m_document.disk()); !lost.empty())
            restore(lost.front());
    });
    c.bind("file.discardLost", this, [this] {
        for (const LostWork& work : lostWork(m_document.disk()))
            discard(work, m_document.disk());
        offerLostWork();
    });
    for (const char* id : {"file.restore", "file.discardLost"})
        c.action(id)->setEnabled(false); // until work is found
    c.bind("file.import", this, [this] { importFiles({}); });
    c.bind("file.importFolder", this, [this] {
        const QString folder =
            askForFolder(this, QStringLiteral("importFolder"), tr("Import the measurements of a folder"));
        if (!folder.isEmpty())
            importFiles({folder});
    });
    c.bind("accuracy.load", this, [this] { loadRuns(); });
    c.bind("runs.load", this, [this] { layRun(); });
    c.bind("file.published", this, [this] { showPublished(); });
    c.bind("sweep.new", this, [this] { makeSweep(); });
    c.bind("sweep.open", this, [this] { askForSweep(); });
    c.bind("file.close", this, [this] {
        if (!m_files->mayDiscard())
            return;
        m_document.reset();
        projectOpened();
        showStartPage(true);
    });
    c.bind("file.quit", this, [this] { close(); });

    QUndoStack* undo = m_document.undoStack();
    c.bind("edit.undo", undo, [this, undo] {
        m_status->say(tr("Undone: %1.").arg(undo->undoText()));
        undo->undo();
    });
    c.bind("edit.redo", undo, [this, undo] {
        m_status->say(tr("Redone: %1.").arg(undo->redoText()));
        undo->redo();
    });
    const auto follow = [undo, &c, noUndo = c.action("edit.undo")->statusTip(),
                         noRedo = c.action("edit.redo")->statusTip()] {
        c.action("edit.undo")->setEnabled(undo->canUndo());
        c.action("edit.redo")->setEnabled(undo->canRedo());
        c.action("edit.undo")->setText(undo->canUndo() ? tr("&Undo %1").arg(undo->undoText()) : tr("&Undo"));
        c.action("edit.redo")->setText(undo->canRedo() ? tr("&Redo %1").arg(undo->redoText()) : tr("&Redo"));
        // One stack has the edits of cluster, model and plans: whoever is at one of them sees what comes
        // next.
        setHelp(*c.action("edit.undo"),
                undo->canUndo() ? tr("Takes back: %1.").arg(undo->undoText()) : noUndo);
        setHelp(*c.action("edit.redo"),
                undo->canRedo() ? tr("Makes again: %1.").arg(undo->redoText()) : noRedo);
    };
    connect(undo, &QUndoStack::indexChanged, this, follow);
    follow();

    c.bind("nav.back", &m_history, [this] { m_history.back(); });
    c.bind("nav.forward", &m_history, [this] { m_history.forward(); });
    const auto followHistory = [this, &c] {
        c.action("nav.back")->setEnabled(m_history.canGoBack());
        c.action("nav.forward")->setEnabled(m_history.canGoForward());
    };
    connect(&m_history, &History::changed, this, followHistory);
    followHistory();

    c.bind("search.run", this, [this] {
        if (leadToWrongField())
            return;
        m_runner.start();
        if (docks().arrangement().has(QStringLiteral("search")))
            docks().reveal(docks().dock(QStringLiteral("search")));
    });
    c.bind("search.compare", this, [this] {
        if (!leadToWrongField())
            m_tournament.start(m_runner.options(), m_runner.demand());
    });
    c.bind("search.pause", this, [this] {
        m_runner.setPaused(!m_runner.isPaused());
        m_status->say(m_runner.isPaused() ? tr("The search is paused.") : tr("The search goes on."));
    });
    c.bind("search.stop", this, [this] {
        m_runner.stop();
        m_tournament.stop();
        m_improver.stop();
    });
    c.bind("search.improve", this,
           [this] { m_improver.start(m_runner.options().wider, m_runner.demand().target); });
    c.bind("plan.best", this, [this] {
        const auto problem = m_document.problem();
        const Candidate* best = bestPlan(m_candidates, problem);
        if (!best)
            return;
        m_selection.setPlan(best->id);
        if (const QString apart = apartText(*best, problem); !apart.isEmpty())
            m_status->say(apart);
    });
    c.bind("plan.export", this, [this] { exportPlan(); });
    c.bind("plan.compare", this, [this] { comparePlans(); });
    c.bind("plan.compareFile", this, [this] {
        const QString file =
            askForFile(this, QStringLiteral("openedProject"), tr("Compare with the plans of a project"),
                       tr("Pipewright projects (*.pwx)"));
        if (!file.isEmpty())
            compareWith(file);
    });
    c.bind("whatif.keep", this, [this] { m_whatIf.keep(); });
    c.bind("whatif.revert", this, [this] { m_whatIf.revert(); });
    c.bind("plan.previous", this, [this] { stepPlan(-1); });
    c.bind("plan.next", this, [this] { stepPlan(1); });
    const QString keysFile = configFolder() + QStringLiteral("/keys.ini");
    applyKeys(c, loadKeys(keysFile));
    c.bind("help.editKeys", this, [this, keysFile] {
        auto* editor = new ShortcutEditor(*m_commands, keysFile, this);
        editor->setAttribute(Qt::WA_DeleteOnClose);
        editor->open();
    });
    c.bind("help.tour", this, [this] { beginTour(); });
    c.bind("help.palette", this, [this] {
        (new QuickOpen(tr("Commands"), tr("Type a command"), commandEntries(*m_commands), this))->open();
    });
    c.bind("nav.locate", this, [this] {
        std::vector<QuickOpen::Entry> entries = placeEntries(m_context, areaInView());
        for (QuickOpen::Entry& command : commandEntries(*m_commands))
            entries.push_back(std::move(command));
        (new QuickOpen(tr("Find"),
                       tr("Find device, stage, plan, view, setting, model, what to draw, command"),
                       std::move(entries), this))
            ->open();
    });
    c.bind("help.keys", this, [this] {
        auto* sheet = new KeySheet(this);
        sheet->setAttribute(Qt::WA_DeleteOnClose);
        sheet->open();
    });
    c.bind("cluster.kinds", this, [this] {
        auto* dialog = new KindDialog(m_document, this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });
    c.bind("help.diagnostics", this, [this] { showDiagnostics(); });
    c.bind("help.about", this, [this] { showAbout(this); });
}

DiagnosticsDialog& MainWindow::showDiagnostics() {
    if (auto* open = findChild<DiagnosticsDialog*>()) {
        open->raise();
        open->activateWindow();
        return *open;
    }
    auto* dialog = new DiagnosticsDialog(m_log, settingFacts(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show(); // beside the window, whose events it follows
    return *dialog;
}

// What is not taken over would be searched without: the search waits for it.
bool MainWindow::leadToWrongField() {
    const auto lead = [this](QLineEdit* field, const QString& why) {
        for (QWidget* widget = field; widget; widget = widget->parentWidget())
            if (auto* dock = qobject_cast<QDockWidget*>(widget))
                docks().reveal(dock);
        field->setFocus(Qt::OtherFocusReason);
        field->selectAll();
        m_message->setMessage(MessageBar::Tone::Stale, tr("Not run."), why);
        return true;
    };
    for (const ValueField* field : findChildren<ValueField*>())
        if (!field->error().isEmpty() && field->isEnabled())
            return lead(field->edit(), tr("%1: %2").arg(field->edit()->accessibleName(), field->error()));
    if (m_runner.waitsFor().isEmpty())
        return false;
    for (QLineEdit* field : docks().dock(QStringLiteral("search"))->findChildren<QLineEdit*>())
        if (field->property("invalid").toBool())
            return lead(field, m_runner.waitsFor().front());
    return true; // the panel says why
}

void MainWindow::bindViewCommands() {
    Commands& c = *m_commands;
    bindRowCommands(c, m_selection);
    auto* themes = new QActionGroup(this);
    const auto offer = [this, &c, themes](const char* id, ThemeMode mode) {
        themes->addAction(c.action(id));
        c.action(id)->setChecked(m_settings.theme == mode);
        c.bind(id, this, [this, mode] { setTheme(mode); });
    };
    for (const ThemeRow& row : themeTable())
        offer(row.command, row.mode);
    offer("view.system", ThemeMode::System);
    auto* sizes = new QActionGroup(this);
    for (const int size : kTextSizes) {
        const std::string id = "view.size" + std::to_string(size);
        sizes->addAction(c.action(id.c_str()));
        c.action(id.c_str())->setChecked(m_settings.textSize == size);
        c.bind(id.c_str(), this, [this, size] { setTextSize(size); });
    }
    c.bind("view.draw", this, [this] { choosePerspective(Perspective::Draw); });
    c.bind("view.look", this, [this] { choosePerspective(Perspective::Look); });
    c.bind("view.compare", this, [this] {
        const bool there = areaInView() == m_docks && perspective() == Perspective::Compare;
        choosePerspective(there ? m_beforeCompare : Perspective::Compare);
    });
    c.bind("view.fullScreen", this, [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    c.bind("view.accuracy", this, [this] { showAccuracy(!m_inAccuracy); });
    c.bind("view.sweep", this, [this] { showSweep(!m_inSweep); });
    for (const char* name :
         {"topology", "model", "problems", "search", "plans", "stageMap", "timeline", "memory", "details"})
        c.bind(("view." + std::string(name)).c_str(), this, [this, name] {
            if (!m_open)
                return;
            const FocusUntold focus;
            if (m_inAccuracy)
                showAccuracy(false);
            if (m_inSweep)
                showSweep(false);
            QDockWidget* dock = docks().dock(QLatin1String(name));
            docks().reveal(dock);
            focusView(*dock, Qt::ShortcutFocusReason);
        });
    c.bind("view.message", this, [this] {
        if (!MessageBar::focusNewest(*this))
            m_status->say(tr("No message in sight offers anything."));
    });
    c.bind("view.maximise", this, [this] {
        if (DockArea* area = areaInView())
            area->maximise(qobject_cast<QDockWidget*>(focusedView()));
    });
    c.bind("view.restoreLayout", this, [this] {
        if (DockArea* area = areaInView())
            area->restoreDefault();
    });
    c.bind("view.copyImage", this, [this] {
        copyPicture(picturedView());
        m_status->tell(tr("The picture is in the clipboard."));
    });
    c.bind("view.savePicture", this, [this] {
        const QString file =
            askAndSavePicture(&picturedView(), focusedView()->objectName(),
                              [this](const QString& lead, const Error& error) { showError(lead, error); });
        if (!file.isEmpty())
            m_status->tell(tr("Saved %1.").arg(QFileInfo(file).fileName()));
    });
}

DockArea* MainWindow::areaInView() const {
    for (DockArea* area : areas())
        if (m_pages->currentWidget()->isAncestorOf(area))
            return area;
    return nullptr;
}

// The dock with the focus, else the window. Behind a dialog that has just closed the window is not active
// yet: then the one that has it as soon as it is.
QWidget* MainWindow::focusedView() {
    QWidget* focus = QApplication::focusWidget();
    QDockWidget* dock = dockAround(focus ? focus : focusWidget());
    return dock ? static_cast<QWidget*>(dock) : this;
}

// What a picture is taken of: the dock with its title, or of one that scrolls the whole of it.
QWidget& MainWindow::picturedView() {
    QWidget* focused = focusedView();
    const auto* dock = qobject_cast<QDockWidget*>(focused);
    auto* view = dock ? qobject_cast<View*>(dock->widget()) : nullptr;
    return view && !view->wholeSize().isEmpty() ? *view : *focused;
}

} // namespace pw

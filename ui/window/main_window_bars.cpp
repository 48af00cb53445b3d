// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accuracy/accuracy_bar.h"
#include "ui/base/icons.h"
#include "ui/commands/command_table.h"
#include "ui/commands/commands.h"
#include "ui/window/dock_area.h"
#include "ui/window/file_actions.h"
#include "ui/window/key_figures.h"
#include "ui/window/main_window.h"
#include "ui/window/perspective_bar.h"

#include <QCoreApplication>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QToolBar>
#include <QToolButton>

namespace pw {

// Menus and tool bar: the part of MainWindow that only wires.

void MainWindow::makeMenus() {
    for (const char* name : menuOrder()) {
        // Their first letters differ in English; in a language where two are the same, Alt steps through.
        QMenu* menu = menuBar()->addMenu(QLatin1Char('&') + QCoreApplication::translate("Menus", name));
        menu->setObjectName(QStringLiteral("menu.") + QLatin1String(name));
        m_commands->fill(menu, name);
        menu->menuAction()->setVisible(!menu->isEmpty());
    }
    // A command that waits for something to be chosen says so there.
    menuBar()->findChild<QMenu*>(QStringLiteral("menu.Cluster"))->setToolTipsVisible(true);
    auto* file = menuBar()->findChild<QMenu*>(QStringLiteral("menu.File"));
    auto* recent = new QMenu(tr("Open &recent"), file);
    file->insertMenu(m_commands->action("file.save"), recent);
    const auto fill = [this, recent] { m_files->fillRecent(recent); };
    fill();
    connect(m_files, &FileActions::recentChanged, this, fill);

    auto* view = menuBar()->findChild<QMenu*>(QStringLiteral("menu.View"));
    view->addSeparator(); // the docks follow

    m_title = new QLabel;
    m_title->setObjectName(QStringLiteral("projectTitle"));
    m_title->setContentsMargins(0, 0, 12, 0);
    m_title->setFixedHeight(menuBar()->sizeHint().height());
    m_title->setForegroundRole(QPalette::PlaceholderText);
    menuBar()->setCornerWidget(m_title);
}

void MainWindow::makeToolBar() {
    QToolBar* bar = addToolBar(tr("Tools"));
    bar->setObjectName(QStringLiteral("toolBar"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->setFixedHeight(40);
    bar->layout()->setContentsMargins(0, 0, 0, 0);
    // One widget with a layout of its own: a tool bar does not centre widgets of different heights.
    auto* tools = new QWidget;
    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(12, 0, 12, 0);
    row->setSpacing(2);
    bar->addWidget(tools);
    const auto addButton = [this, row](const char* id) {
        auto* button = new QToolButton;
        button->setDefaultAction(m_commands->action(id));
        button->setIconSize({16, 16});
        button->setFixedSize(28, 28);
        button->setObjectName(QStringLiteral("toolBar.") + QLatin1String(id));
        nameAfter(button, m_commands->action(id));
        row->addWidget(button);
    };
    const auto addGap = [row] {
        auto* line = new QWidget;
        line->setFixedSize(1, 22);
        line->setAutoFillBackground(true);
        line->setBackgroundRole(QPalette::Mid);
        row->addSpacing(6);
        row->addWidget(line);
        row->addSpacing(6);
    };
    for (const char* id : {"file.new", "file.open", "file.save"})
        addButton(id);
    addGap();
    for (const char* id : {"edit.undo", "edit.redo"})
        addButton(id);
    addGap();
    m_run = new QPushButton(icon(QStringLiteral("run"), IconTone::OnAccent), tr("Run  F5"));
    m_run->setProperty("primary", true);
    m_run->setObjectName(QStringLiteral("toolBar.run"));
    m_run->setAccessibleName(tr("Run search"));
    m_run->setToolTip(m_commands->action("search.run")->toolTip());
    m_stop = new QPushButton(icon(QStringLiteral("stop")), QString());
    m_stop->setObjectName(QStringLiteral("toolBar.stop"));
    m_stop->setAccessibleName(tr("Stop search"));
    m_stop->setToolTip(m_commands->action("search.stop")->toolTip());
    m_pause = new QPushButton(icon(QStringLiteral("pause")), QString());
    m_pause->setCheckable(true);
    m_pause->setObjectName(QStringLiteral("toolBar.pause"));
    m_pause->setAccessibleName(tr("Pause search"));
    m_pause->setToolTip(m_commands->action("search.pause")->toolTip());
    connect(m_pause, &QPushButton::toggled, this, [this](bool on) { // screen readers do not click
        if (on != m_runner.isPaused())
            m_commands->action("search.pause")->trigger();
    });
    connect(m_run, &QPushButton::clicked, m_commands->action("search.run"), &QAction::trigger);
    connect(m_stop, &QPushButton::clicked, m_commands->action("search.stop"), &QAction::trigger);
    row->addWidget(m_run);
    row->addSpacing(4);
    row->addWidget(m_pause);
    row->addSpacing(4);
    row->addWidget(m_stop);
    addGap();
    for (const char* id : {"nav.back", "nav.forward"})
        addButton(id);
    addGap();
    auto* figures = new KeyFigures(m_context);
    connect(figures, &KeyFigures::problemClicked, this, [this](const QString& where) {
        if (QDockWidget* problems = docks().dock(QStringLiteral("problems")))
            docks().reveal(problems);
        m_selection.requestFocus(where); // the view that can mend it comes before that
    });
    connect(figures, &KeyFigures::searchClicked, m_commands->action("view.search"), &QAction::trigger);
    m_accuracyBar = new AccuracyBar(m_context);
    row->addWidget(figures, 1);
    row->addWidget(m_accuracyBar, 1);
    row->addStretch();
    m_perspectives = new PerspectiveBar(*m_commands);
    connect(m_perspectives, &PerspectiveBar::chosen, this, &MainWindow::choosePerspective);
    row->addWidget(m_perspectives);
    row->addSpacing(8);
    m_find = new QPushButton(icon(QStringLiteral("find"), IconTone::Text2), tr("Find  Ctrl+K"));
    m_find->setObjectName(QStringLiteral("toolBar.find"));
    m_find->setAccessibleName(tr("Find device, stage, plan, view"));
    m_find->setToolTip(m_commands->action("nav.locate")->toolTip());
    connect(m_find, &QPushButton::clicked, m_commands->action("nav.locate"), &QAction::trigger);
    row->addWidget(m_find);
    m_figures = figures;
}

// Words where they fit, else icons: what stands left of them gives way as far as it can.
void MainWindow::resizeEvent(QResizeEvent* event) {
    constexpr int kRoomForWords = 1100, kRoomForFind = 1000, kRoomForSteps = 720;
    QMainWindow::resizeEvent(event);
    m_perspectives->setNarrow(width() < kRoomForWords);
    for (const char* id : {"toolBar.nav.back", "toolBar.nav.forward"}) // Alt+Left and Alt+Right
        findChild<QToolButton*>(QLatin1String(id))->setVisible(width() >= kRoomForSteps);
    m_find->setText(width() < kRoomForFind ? QString() : tr("Find  Ctrl+K"));
}

} // namespace pw

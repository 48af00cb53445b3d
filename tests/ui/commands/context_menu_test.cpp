// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Right click and Menu key: the commands of the menu bar, on what is under the mouse or chosen.

#include "tests/ui/window_fixture.h"
#include "ui/commands/command_table.h"
#include "ui/commands/commands.h"
#include "ui/commands/context_menu.h"
#include "ui/topology/canvas.h"
#include "ui/window/dock_area.h"

#include <QAccessible>
#include <QContextMenuEvent>
#include <QDockWidget>
#include <QMenu>
#include <QSignalSpy>
#include <QTableView>
#include <QUndoStack>

using namespace pw;

namespace {

// The menu that the widget shows at the place, closed again; the names of its commands in order.
QStringList asked(QWidget* target, QPoint at, QContextMenuEvent::Reason reason, const char* place) {
    QContextMenuEvent event(reason, at, target->mapToGlobal(at));
    QCoreApplication::sendEvent(target, &event);
    QStringList names;
    for (QWidget* shown : QApplication::topLevelWidgets())
        if (auto* menu = qobject_cast<QMenu*>(shown);
            menu && menu->isVisible() &&
            menu->objectName() == QLatin1String("context.") + QLatin1String(place)) {
            for (const QAction* action : menu->actions())
                if (!action->isSeparator())
                    names.append(action->objectName());
            menu->close();
        }
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    return names;
}

} // namespace

class ContextMenuTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_folders.use();
        m_window = std::make_unique<MainWindow>();
        m_window->show();
        QVERIFY(m_window->openFile(m_folders.smallProjectFile()));
        QVERIFY(searched(*m_window));
        m_window->docks();
        m_window->accuracyDocks();
        m_window->sweepDocks();
    }
    void cleanupTestCase() { m_window.reset(); }

    void everyPlaceHasCommandsThatDoSomething() {
        const QStringList unbound = m_window->commands().unbound();
        for (const ContextRow& row : contextTable()) {
            QVERIFY2(!row.commands.empty(), row.place);
            for (const char* id : row.commands) {
                QVERIFY2(!*id || findCommand(id), id);
                QVERIFY2(!*id || !unbound.contains(QLatin1String(id)), id);
            }
        }
    }

    void rowsOfTheTableOfPlans() {
        auto* table = m_window->findChild<QTableView*>(QStringLiteral("plans.table"));
        m_window->docks().reveal(m_window->docks().dock(QStringLiteral("plans")));
        const int last = table->model()->rowCount() - 1;
        QVERIFY(last >= 0);
        const QPoint row = table->visualRect(table->model()->index(last, 2)).center();
        const QStringList byMouse = asked(table->viewport(), row, QContextMenuEvent::Mouse, "plans");
        QCOMPARE(byMouse.value(0), QStringLiteral("plan.export"));
        QVERIFY(byMouse.contains(QStringLiteral("plans.pin")));
        QCOMPARE(table->currentIndex().row(), last); // what the menu is about is chosen
        QCOMPARE(asked(table, {}, QContextMenuEvent::Keyboard, "plans"), byMouse);
        const QPoint below(row.x(), table->viewport()->height() - 1);
        if (!table->indexAt(below).isValid())
            QVERIFY(asked(table->viewport(), below, QContextMenuEvent::Mouse, "plans").isEmpty());
    }

    // Entries of a menu that is gone took those of the menu bar and of every later menu with them.
    void menusAreHeardAgainAndAgain() {
        const auto entriesOf = [](QMenu& menu) {
            QStringList heard;
            QAccessibleInterface* spoken = QAccessible::queryAccessibleInterface(&menu);
            for (int i = 0; spoken && i < spoken->childCount(); ++i) {
                QAccessibleInterface* entry = spoken->child(i);
                if (!entry || !entry->isValid())
                    return QStringList();
                if (entry->role() == QAccessible::MenuItem)
                    heard << entry->text(QAccessible::Name);
            }
            return heard;
        };
        auto* canvas = m_window->docks().findChild<TopologyCanvas*>();
        m_window->context().selection.setItems(
            {q(m_window->context().document.project()->cluster.nodes.front().id)});
        for (int opening = 0; opening < 3; ++opening) {
            QContextMenuEvent event(QContextMenuEvent::Keyboard, {}, {});
            QCoreApplication::sendEvent(canvas, &event);
            auto* menu = canvas->findChild<QMenu*>(QStringLiteral("context.canvas item"));
            QVERIFY(menu);
            const QStringList heard = entriesOf(*menu);
            QVERIFY2(heard.contains(QStringLiteral("Rename")) && !heard.contains(QString()),
                     qPrintable(QStringLiteral("%1: %2").arg(opening).arg(heard.join(u','))));
            menu->close();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
        auto* cluster = m_window->findChild<QMenu*>(QStringLiteral("menu.Cluster"));
        QVERIFY2(entriesOf(*cluster).contains(QStringLiteral("Rename")),
                 qPrintable(entriesOf(*cluster).join(u',')));
    }

    // What an entry shows and does is the command's.
    void entriesAreTheCommands() {
        auto* canvas = m_window->docks().findChild<TopologyCanvas*>();
        m_window->context().selection.setItems(
            {q(m_window->context().document.project()->cluster.nodes.front().id)});
        QAction* command = m_window->commands().action("canvas.lock");
        QContextMenuEvent event(QContextMenuEvent::Keyboard, {}, {});
        QCoreApplication::sendEvent(canvas, &event);
        auto* menu = canvas->findChild<QMenu*>(QStringLiteral("context.canvas item"));
        QVERIFY(menu);
        QAction* entry = nullptr;
        for (QAction* each : menu->actions())
            if (each->objectName() == command->objectName())
                entry = each;
        QVERIFY(entry && entry != command);
        QCOMPARE(entry->text(), command->text());
        QCOMPARE(entry->shortcut(), command->shortcut());
        QCOMPARE(entry->isEnabled(), command->isEnabled());
        const QSignalSpy done(command, &QAction::triggered);
        entry->trigger();
        QCOMPARE(done.size(), 1);
        command->setEnabled(false);
        QVERIFY(!entry->isEnabled());
        command->setEnabled(true);
        menu->close();
        m_window->context().document.undoStack()->undo();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

    void theCanvasKnowsWhatIsUnderTheMouse() {
        auto* canvas = m_window->docks().findChild<TopologyCanvas*>();
        const Cluster& cluster = m_window->context().document.project()->cluster;
        const QString node = q(cluster.nodes.front().id);
        const auto at = [&](const QString& id) {
            return canvas->mapFromScene(canvas->topology().boxOf(id).center());
        };
        m_window->context().selection.setItems({node});
        QVERIFY(asked(canvas->viewport(), at(node), QContextMenuEvent::Mouse, "canvas item")
                    .contains(QStringLiteral("canvas.delete")));
        QVERIFY(asked(canvas, {}, QContextMenuEvent::Keyboard, "canvas item")
                    .contains(QStringLiteral("canvas.delete")));
        m_window->context().selection.setItems({});
        QVERIFY(
            asked(canvas, {}, QContextMenuEvent::Keyboard, "canvas").contains(QStringLiteral("canvas.node")));
        QVERIFY(!cluster.links.empty());
        m_window->context().selection.setItems({q(cluster.links.front().id)});
        const QStringList ofLink = asked(canvas, {}, QContextMenuEvent::Keyboard, "canvas link");
        QVERIFY(ofLink.contains(QStringLiteral("canvas.delete")));
        QVERIFY(!ofLink.contains(QStringLiteral("canvas.lock")));
    }

    void stagesAndTheTimeline() {
        auto* rows = m_window->docks().findChild<QWidget*>(QStringLiteral("stageMap.rows"));
        QVERIFY(rows);
        m_window->context().selection.setStage(0);
        QVERIFY(
            asked(rows, {}, QContextMenuEvent::Keyboard, "stage").contains(QStringLiteral("stages.split")));
        auto* tracks = m_window->docks().findChild<QWidget*>(QStringLiteral("timeline.tracks"));
        QVERIFY(tracks);
        QVERIFY(asked(tracks, {}, QContextMenuEvent::Keyboard, "timeline")
                    .contains(QStringLiteral("timeline.cause")));
    }

    // Where a row has figures to take along, or something to go to.
    void figuresAreCopied() {
        Selection& selection = m_window->context().selection;
        selection.setPlan(m_window->context().candidates.all().front().id);
        selection.setStage(0);
        auto* bars = m_window->docks().findChild<QWidget*>(QStringLiteral("breakdown.bars"));
        auto* column = m_window->docks().findChild<QWidget*>(QStringLiteral("memory.column"));
        auto* cover = m_window->docks().findChild<QTableView*>(QStringLiteral("profiles.coverage"));
        QVERIFY(bars && column && cover);
        cover->setCurrentIndex(cover->model()->index(0, 0));
        for (const auto& [target, place] :
             {std::pair<QWidget*, const char*>(bars, "breakdown"), {column, "memory"}, {cover, "coverage"}})
            QVERIFY2(
                asked(target, {}, QContextMenuEvent::Keyboard, place).contains(QStringLiteral("rows.copy")),
                place);
        const QStringList lines = selectedText(*cover).split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 2);
        QCOMPARE(lines[0].count(QLatin1Char('\t')), lines[1].count(QLatin1Char('\t')));
        QVERIFY(lines[0].startsWith(cover->model()->headerData(0, Qt::Horizontal).toString()));
    }

private:
    WindowFolders m_folders;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(ContextMenuTest)
#include "context_menu_test.moc"

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/file_dialog.h"
#include "tests/ui/settle.h"
#include "tests/ui/window_fixture.h"
#include "ui/commands/commands.h"
#include "ui/widgets/in_sight.h"
#include "ui/window/dock_area.h"
#include "ui/window/dock_focus.h"
#include "ui/window/dock_table.h"
#include "ui/window/file_actions.h"

#include <QApplication>
#include <QDialog>
#include <QDockWidget>
#include <QMenu>
#include <QRegularExpression>
#include <QShortcut>
#include <QSignalSpy>

#include <map>
#include <set>

using namespace pw;

// Whoever has no mouse: where the focus is and goes, and that a key does one thing.
class KeyboardTest : public QObject {
    Q_OBJECT

private:
    WindowFolders m_folder;

    std::unique_ptr<MainWindow> opened() const {
        auto window = shownWindow();
        if (!window->openFile(m_folder.smallProjectFile()) || !settle())
            qFatal("no project");
        return window;
    }
    static QDockWidget* dock(MainWindow& window, const char* name) {
        return window.docks().dock(QLatin1String(name));
    }
    static QDockWidget* dockOf(QWidget* part) {
        while (part && !qobject_cast<QDockWidget*>(part))
            part = part->parentWidget();
        return static_cast<QDockWidget*>(part);
    }

    using Taken = std::map<QString, std::set<QObject*>>;
    static void take(Taken& taken, QObject* owner, const QList<QKeySequence>& keys) {
        for (const QKeySequence& key : keys)
            if (!key.isEmpty())
                taken[key.toString(QKeySequence::PortableText)].insert(owner);
    }
    // What Qt would find by a key while `focus` has the focus: of every action and shortcut what it works in.
    static Taken keysAt(const MainWindow& window, const QWidget* focus) {
        Taken taken;
        const auto takeOf = [&taken, focus](const QWidget* place, bool around) {
            const auto works = [&](Qt::ShortcutContext context) {
                return context == Qt::WidgetShortcut               ? place == focus
                       : context == Qt::WidgetWithChildrenShortcut ? around
                                                                   : true;
            };
            for (QAction* action : place->actions())
                if (works(action->shortcutContext()))
                    take(taken, action, action->shortcuts());
            for (QShortcut* shortcut : place->findChildren<QShortcut*>(QString(), Qt::FindDirectChildrenOnly))
                if (works(shortcut->context()))
                    take(taken, shortcut, {shortcut->key()});
        };
        takeOf(&window, true);
        for (const QWidget* place : window.findChildren<QWidget*>())
            if (place->window() == &window)
                takeOf(place, place == focus || place->isAncestorOf(focus));
        return taken;
    }

private Q_SLOTS:
    void initTestCase() { m_folder.use(); }
    void cleanup() { Settings().save(); }

    void afterAFileDialogTheFocusIsBack() {
        const auto window = opened();
        window->commands().action("view.topology")->trigger();
        QWidget* const before = QApplication::focusWidget();
        QVERIFY(before && dock(*window, "topology")->isAncestorOf(before));
        QVERIFY(answerFileDialog([&] { window->files().openWithDialog(); }).shown);
        QTRY_COMPARE(QApplication::focusWidget(), before);
    }

    void afterADialogTheFocusIsBack() {
        const auto window = opened();
        window->commands().action("view.topology")->trigger();
        QWidget* const before = QApplication::focusWidget();
        QDialog dialog(window.get());
        dialog.open();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        before->clearFocus(); // as what is off for a while does
        QVERIFY(!window->focusWidget());
        dialog.reject();
        QTRY_COMPARE(QApplication::focusWidget(), before);
        // And where that is gone, at the view in front.
        dialog.open();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        dock(*window, "palette")->hide();
        before->clearFocus();
        before->setEnabled(false);
        dialog.reject();
        QTRY_VERIFY(QApplication::focusWidget() && QApplication::focusWidget() != before);
        QVERIFY(isInSight(*QApplication::focusWidget()) && dockOf(QApplication::focusWidget()));
    }

    void tabVisitsWhatIsSeen() {
        constexpr int kMost = 1000;
        const auto window = opened();
        window->showPerspective(Perspective::Look);
        QVERIFY(settle());
        window->commands().action("view.topology")->trigger();
        std::set<QString> docks;
        for (const Qt::Key key : {Qt::Key_Tab, Qt::Key_Backtab})
            for (int step = 0; step < kMost; ++step) {
                QTest::keyClick(QApplication::focusWidget(), key);
                QWidget* const at = QApplication::focusWidget();
                QVERIFY(at);
                QDockWidget* const in = dockOf(at);
                if (!in)
                    continue;
                QVERIFY2(!in->visibleRegion().isEmpty(), qPrintable(in->objectName()));
                docks.insert(in->objectName());
            }
        for (const char* seen : {"topology", "search", "stageMap", "plans"})
            QVERIFY2(docks.contains(QLatin1String(seen)), seen);
    }

    // The docks of another perspective travel, and Qt hands the focus on to a button of the tool bar
    // meanwhile.
    void theFirstPlanLeavesTheFocusInTheDrawing() {
        const auto window = opened();
        window->commands().action("view.topology")->trigger();
        QWidget* const before = QApplication::focusWidget();
        QVERIFY(searched(*window));
        QVERIFY(settle());
        QCOMPARE(window->docks().arranged(), static_cast<int>(Perspective::Look));
        QCOMPARE(QApplication::focusWidget(), before);
        window->commands().action("view.restoreLayout")->trigger();
        QVERIFY(settle());
        QCOMPARE(QApplication::focusWidget(), before);
    }

    void whatCoversTheFocusTakesIt() {
        const auto window = opened();
        window->showPerspective(Perspective::Look);
        QVERIFY(settle());
        QDockWidget *plans = dock(*window, "plans"), *findings = dock(*window, "findings");
        window->docks().reveal(findings);
        focusView(*findings, Qt::OtherFocusReason);
        window->docks().reveal(plans);
        QVERIFY(plans->isAncestorOf(QApplication::focusWidget()));
        dock(*window, "search")->widget()->setFocus();
        QWidget* const elsewhere = QApplication::focusWidget();
        window->docks().reveal(findings);
        QCOMPARE(QApplication::focusWidget(), elsewhere);
    }

    // Keys of the menu bar's view commands are of no view while a menu is open.
    void anOpenMenuHasItsLetters() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("Ambiguous shortcut")));
        const auto window = opened();
        Commands& commands = window->commands();
        commands.action("view.topology")->trigger();
        const QSignalSpy made(commands.action("file.new"), &QAction::triggered);
        std::vector<std::unique_ptr<QSignalSpy>> others;
        for (const char* id : {"canvas.node", "canvas.domain", "canvas.select", "plans.filter"})
            others.push_back(std::make_unique<QSignalSpy>(commands.action(id), &QAction::triggered));
        QTest::keyClick(window.get(), Qt::Key_F, Qt::AltModifier);
        QTRY_VERIFY(QApplication::activePopupWidget());
        QWidget* const menu = QApplication::activePopupWidget();
        QCOMPARE(menu->objectName(), QStringLiteral("menu.File"));
        for (const Qt::Key key : {Qt::Key_J, Qt::Key_V, Qt::Key_Slash}) { // Slash: of two views
            QTest::keyClick(menu, key);
            QVERIFY(menu->isVisible());
        }
        QTest::keyClick(menu, Qt::Key_N);
        QCOMPARE(made.count(), 1);
        for (const auto& other : others)
            QVERIFY(other->isEmpty());
    }

    // Commands, shortcuts of views and those around them, wherever the focus may be.
    void noKeyMeansTwoThingsAtOnce() {
        const auto window = opened();
        window->accuracyDocks();
        window->sweepDocks();
        for (QDockWidget* each : window->docks().docks())
            each->show(); // row menus bring their keys when they are first shown
        QVERIFY(settle());
        int places = 0;
        for (const QWidget* focus : window->findChildren<QWidget*>()) {
            if (focus->focusPolicy() == Qt::NoFocus || focus->window() != window.get())
                continue;
            ++places;
            for (const auto& [key, owners] : keysAt(*window, focus)) {
                QStringList names;
                for (const QObject* owner : owners)
                    names << owner->objectName() + QLatin1Char('/') +
                                 QLatin1String(owner->metaObject()->className());
                QVERIFY2(owners.size() == 1,
                         qPrintable(QStringLiteral("%1 at %2 %3: %4")
                                        .arg(key, focus->objectName(),
                                             QLatin1String(focus->metaObject()->className()),
                                             names.join(QStringLiteral(", ")))));
            }
        }
        QVERIFY(places > 100);
    }
};

QTEST_MAIN(KeyboardTest)
#include "keyboard_test.moc"

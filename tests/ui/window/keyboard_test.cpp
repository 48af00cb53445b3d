// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/edit.h"
#include "tests/ui/file_dialog.h"
#include "tests/ui/settle.h"
#include "tests/ui/window_fixture.h"
#include "ui/commands/commands.h"
#include "ui/widgets/in_sight.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/dock_area.h"
#include "ui/window/dock_focus.h"
#include "ui/window/dock_table.h"
#include "ui/window/file_actions.h"
#include "ui/window/spoken_changes.h"

#include <QAbstractItemView> // keep: a popup of choices is a widget
#include <QApplication>
#include <QCompleter>
#include <QDialog>
#include <QDockWidget>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QShortcut>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTabBar>
#include <QToolButton>

#include <algorithm>
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

    // Of the window itself, as it says that a plan was added.
    static MessageBar* shownMessage(MainWindow& window, int textSize = 100) {
        window.setTextSize(textSize);
        const QList<MessageBar*> bars =
            window.statusBar()->findChildren<MessageBar*>(QString(), Qt::FindDirectChildrenOnly);
        const auto shown = std::ranges::find_if(bars, [](const MessageBar* bar) { return bar->isVisible(); });
        return shown == bars.end() ? nullptr : *shown;
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

    // Else Qt would not see that the window is the active one again.
    void theChoicesOfADialogGoWithIt() {
        const auto window = opened();
        const auto open = [](QLineEdit& field) {
            auto* names = new QCompleter({QStringLiteral("one.pwx"), QStringLiteral("two.pwx")}, &field);
            field.setCompleter(names);
            field.setFocus();
            QTest::keyClicks(&field, QStringLiteral("one"));
            return names->popup();
        };
        QDialog dialog(window.get());
        auto* field = new QLineEdit(&dialog);
        dialog.open();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        QWidget* choices = open(*field);
        QVERIFY(choices->isVisible() && QApplication::activePopupWidget() == choices);
        dialog.accept();
        QVERIFY(!choices->isVisible() && !QApplication::activePopupWidget());
        QTRY_VERIFY(window->isActiveWindow() && QApplication::focusWidget());
        // Those of another window are the user's.
        QDialog other(window.get());
        other.show();
        QMenu menu(window.get());
        menu.addAction(QStringLiteral("first"));
        menu.popup({});
        QVERIFY(menu.isVisible());
        other.reject();
        QVERIFY(menu.isVisible());
    }

    void searchBeginsAtItsFirstField() {
        const auto window = opened();
        window->commands().action("view.search")->trigger();
        QVERIFY(QApplication::focusWidget());
        QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("search.target"));
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

    // The next Enter would press what Tab would go on to, a button of the tool bar.
    void aBarThatGoesLeavesTheFocusInTheViewInFront() {
        const auto window = opened();
        for (const auto& [key, size] : {std::pair(Qt::Key_Return, 100), {Qt::Key_Escape, 125}}) {
            MessageBar* bar = shownMessage(*window, size); // another one: the same stays away
            QVERIFY(bar);
            auto* close = bar->findChild<QToolButton*>(QStringLiteral("messageBar.close"));
            close->setFocus(Qt::TabFocusReason);
            QVERIFY(close->hasFocus());
            QTest::keyClick(close, key);
            QVERIFY(!bar->isVisible());
            const QWidget* now = QApplication::focusWidget();
            QVERIFY(now && dockOf(QApplication::focusWidget()) && isInSight(*now));
        }
    }

    // Also one whose button is only off from then on.
    void aButtonThatGoesLeavesTheFocusInItsView() {
        const auto window = opened();
        for (const char* name : {"topology", "plans"}) {
            window->showPerspective(Perspective::Look);
            QVERIFY(settle());
            QDockWidget* const around = dock(*window, name);
            window->docks().reveal(around);
            auto* button = new QPushButton(QStringLiteral("Hide"), around->widget());
            for (const bool off : {true, false}) {
                button->setEnabled(true);
                button->show();
                button->setFocus();
                QVERIFY(button->hasFocus());
                if (off)
                    button->setEnabled(false);
                else
                    button->hide();
                QWidget* wanted = around->widget();
                while (wanted->focusProxy())
                    wanted = wanted->focusProxy();
                QVERIFY(QApplication::focusWidget() != button);
                QVERIFY(around->isAncestorOf(QApplication::focusWidget()));
                if (wanted->isVisible())
                    QCOMPARE(QApplication::focusWidget(), wanted);
            }
            delete button;
        }
    }

    // A tool bar goes on to its next button, as by Tab.
    void aToolBarKeepsTheFocus() {
        const auto window = opened();
        auto* undo = window->findChild<QWidget*>(QStringLiteral("toolBar.edit.undo"));
        Project renamed = *window->context().document.project();
        renamed.name = "another";
        QVERIFY(window->context().document.apply(renamed, QStringLiteral("Rename")));
        undo->setFocus();
        QVERIFY(undo->hasFocus());
        QTest::keyClick(undo, Qt::Key_Return);
        QVERIFY(!undo->isEnabled());
        QVERIFY(QApplication::focusWidget() && !dockOf(QApplication::focusWidget()));
    }

    // Its own buttons and the tabs at the foot of the page are both reached and seen.
    void aMessageCoversNoTab() {
        constexpr int kMost = 300;
        const auto window = opened();
        window->showPerspective(Perspective::Look);
        QVERIFY(settle());
        MessageBar* const bar = shownMessage(*window);
        QVERIFY(bar);
        QCOMPARE(bar->width(), window->width());
        const QRect covered(bar->mapToGlobal(QPoint()), bar->size());
        window->commands().action("view.topology")->trigger();
        bool met = false, metTabs = false;
        for (int step = 0; step < kMost; ++step) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            const QWidget* at = QApplication::focusWidget();
            met = met || bar->isAncestorOf(at);
            if (qobject_cast<const QTabBar*>(at)) {
                metTabs = true;
                QVERIFY2(!covered.intersects(QRect(at->mapToGlobal(QPoint()), at->size())),
                         qPrintable(at->objectName()));
            }
        }
        QVERIFY(met && metTabs);
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

    // What scrolls is scrolled by what is in it; a page of text that is a stop of its own has a name.
    void noScrollAreaIsAStopWithoutAName() {
        const auto window = opened();
        QVERIFY(searched(*window) && settle());
        const QList<QScrollArea*> areas = window->findChildren<QScrollArea*>();
        QVERIFY(areas.size() > 3);
        for (const QScrollArea* area : areas)
            QVERIFY2(!(area->focusPolicy() & Qt::TabFocus) || !area->accessibleName().isEmpty(),
                     qPrintable(area->parentWidget()->objectName()));
    }

    void aModelIsChosenBeforeItIsImported() {
        const auto window = opened();
        Document& document = window->context().document;
        Project without = *document.project();
        without.model.reset();
        QVERIFY(document.apply(without, QStringLiteral("No model")));
        window->commands().action("view.model")->trigger();
        QVERIFY(settle());
        QStringList names;
        for (int stop = 0; stop < 4; ++stop) {
            const QWidget* at = QApplication::focusWidget();
            names << at->objectName();
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        QCOMPARE(names, (QStringList{QStringLiteral("model.catalogue"), QStringLiteral("model.import"),
                                     QStringLiteral("model.sizes"), QStringLiteral("emptyState.button")}));
    }

    // Without a timeline nobody would see what becomes of them.
    void marksAreOfATimelineInView() {
        const auto window = opened();
        const QAction* mark = window->commands().action("timeline.keepMark");
        window->showPerspective(Perspective::Look);
        QVERIFY(!mark->isEnabled()); // no plan
        QVERIFY(searched(*window) && settle());
        QVERIFY(mark->isEnabled());
        window->commands().action("view.draw")->trigger();
        QVERIFY(!mark->isEnabled());
        window->commands().action("view.look")->trigger();
        QVERIFY(mark->isEnabled());
    }

    // What to do with a tool is read where the user is.
    void theHintOfAToolIsSaid() {
        const auto window = opened();
        window->commands().action("view.topology")->trigger();
        QVERIFY(settle());
        window->commands().action("canvas.link")->trigger();
        const QString said = window->findChild<SpokenChanges*>()->accessibleName();
        QVERIFY2(said.startsWith(QStringLiteral("Link tool: ")), qPrintable(said));
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

    // Escape behind a click leaves the focus in the bar.
    void aMenuThatWasLeftTakesNoCommandsKeys() {
        const auto window = opened();
        const QAction* undo = window->commands().action("edit.undo");
        Document& document = window->context().document;
        QVERIFY(
            document.apply(addSwitch(*document.project(), "Ethernet", {900, 900}), QStringLiteral("add")));
        const QSignalSpy undone(undo, &QAction::triggered);
        QMenuBar* bar = window->menuBar();
        QTest::mouseClick(bar, Qt::LeftButton, {}, bar->actionGeometry(bar->actions().at(1)).center());
        QTRY_VERIFY(QApplication::activePopupWidget());
        QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Escape);
        QTRY_VERIFY(!QApplication::activePopupWidget());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(undone.count(), 1);
        QVERIFY(!document.isModified());
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

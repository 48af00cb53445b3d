// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/ui_fixture.h"
#include "ui/commands/quick_open.h"
#include "ui/topology/canvas.h"
#include "ui/topology/view.h"
#include "ui/widgets/accessible_parts.h"
#include "ui/window/locator.h"

#include <QAccessible>
#include <QLineEdit>
#include <QListWidget>

using namespace pw;

// Finding by letters, and painted parts as assistive tools see them.
class QuickOpenTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lettersMustComeInOrder() {
        QVERIFY(fuzzyScore(QStringLiteral("rdl"), QStringLiteral("Restore default layout")));
        QVERIFY(!fuzzyScore(QStringLiteral("ldr"), QStringLiteral("Restore default")));
        QVERIFY(*fuzzyScore(QStringLiteral("run"), QStringLiteral("Run")) >
                *fuzzyScore(QStringLiteral("run"), QStringLiteral("Redo until now")));
        QCOMPARE(*fuzzyScore(QString(), QStringLiteral("Run")), 0);
    }

    void enterRunsTheFirstHit() {
        UiFixture ui;
        int ran = 0;
        ui.commands->bind("view.restoreLayout", &ui.window, [&ran] { ++ran; });
        ui.window.show();
        auto* open = new QuickOpen(QStringLiteral("Commands"), {}, commandEntries(*ui.commands), &ui.window);
        open->open();
        QTest::keyClicks(static_cast<QWidget*>(open->line()), QStringLiteral("reset lay"));
        QCOMPARE(open->list()->item(0)->text(), QStringLiteral("Reset layout"));
        QTest::keyClick(static_cast<QWidget*>(open->line()), Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(ran, 1, 60'000);
    }

    void nothingFoundRunsNothing() {
        UiFixture ui;
        auto* open = new QuickOpen(QStringLiteral("Commands"), {}, commandEntries(*ui.commands), &ui.window);
        open->open();
        open->line()->setText(QStringLiteral("zzzzqqq"));
        QCOMPARE(open->list()->count(), 1);
        QTest::keyClick(static_cast<QWidget*>(open->line()), Qt::Key_Return);
        QVERIFY(open->isVisible());
        QTest::keyClick(static_cast<QWidget*>(open->line()), Qt::Key_Escape);
    }

    void placesAreSelected() {
        UiFixture ui;
        ui.drawSample();
        const auto entries = placeEntries(ui.context, nullptr);
        const auto find = [&](const char* name) {
            return std::find_if(entries.begin(), entries.end(),
                                [name](const auto& e) { return e.name == QLatin1String(name); });
        };
        QVERIFY(find("n2") != entries.end());
        find("n1.g3")->run();
        QCOMPARE(ui.selection.device(), QStringLiteral("n1.g3"));
        QCOMPARE(ui.selection.items(), QSet<QString>{QStringLiteral("n1")});
    }

    void itemsOfTheDrawingAreFoundAndPressed() {
        UiFixture ui;
        ui.drawSample();
        TopologyView view(ui.context, &ui.window);
        view.resize(900, 600);
        ui.window.resize(900, 600);
        ui.window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&ui.window));
        QAccessibleInterface* canvas = QAccessible::queryAccessibleInterface(view.canvas());
        QVERIFY(canvas);
        QCOMPARE(canvas->role(), QAccessible::List);
        QStringList names;
        QAccessibleInterface* second = nullptr;
        for (int i = 0; i < canvas->childCount(); ++i) {
            names << canvas->child(i)->text(QAccessible::Name);
            if (names.last() == QLatin1String("node n2"))
                second = canvas->child(i);
        }
        for (const char* name : {"node n1", "node n2", "node n3", "switch s1", "link n1 - s1"})
            QVERIFY2(names.contains(QLatin1String(name)), name);
        QVERIFY(second->text(QAccessible::Description).contains(QStringLiteral("V100")));
        QCOMPARE(canvas->childAt(second->rect().center().x(), second->rect().center().y()), second);
        second->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QCOMPARE(ui.selection.items(), QSet<QString>{QStringLiteral("n2")});
        QVERIFY(second->state().selected);
        // Its GPUs are children now.
        names.clear();
        for (int i = 0; i < canvas->childCount(); ++i)
            names << canvas->child(i)->text(QAccessible::Name);
        QVERIFY(names.contains(QStringLiteral("GPU n2.g3")));
        ui.document.apply(removeItems(*ui.document.project(), {"n2"}), QStringLiteral("remove"));
        QVERIFY(!second->isValid());
    }
};

QTEST_MAIN(QuickOpenTest)
#include "quick_open_test.moc"

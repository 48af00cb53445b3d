// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/ui_fixture.h"
#include "ui/commands/command_table.h"
#include "ui/commands/commands.h"
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

private:
    static QStringList hitsOf(const QuickOpen& open, const char* typed) {
        open.line()->setText(QLatin1String(typed));
        QStringList names;
        for (int i = 0; i < open.list()->count(); ++i)
            names << open.list()->item(i)->text();
        return names;
    }

private Q_SLOTS:
    void lettersMustComeInOrder() {
        QVERIFY(fuzzyScore(QStringLiteral("rdl"), QStringLiteral("Restore default layout")));
        QVERIFY(!fuzzyScore(QStringLiteral("ldr"), QStringLiteral("Restore default")));
        QVERIFY(*fuzzyScore(QStringLiteral("run"), QStringLiteral("Run")) >
                *fuzzyScore(QStringLiteral("run"), QStringLiteral("Redo until now")));
        QCOMPARE(*fuzzyScore(QString(), QStringLiteral("Run")), 0);
    }

    // "An edge is shown where..." has the letters of "answer" in their order, and is none.
    void detailsAreFoundByTheirWordsBehindNames() {
        QWidget window;
        const auto entry = [](const char* name, const char* detail) {
            return QuickOpen::Entry{QLatin1String(name), QLatin1String(detail), {}, {}};
        };
        auto* open = new QuickOpen(QStringLiteral("Find"), {},
                                   {entry("Minimap", "An edge is shown where another view is"),
                                    entry("Ask", "Opens the list of Answers"), entry("Answers", "view"),
                                    entry("Add new switches there", "")},
                                   &window);
        open->open();
        const auto hits = [open](const char* typed) { return hitsOf(*open, typed); };
        const QStringList found = {QStringLiteral("Answers"), QStringLiteral("Add new switches there"),
                                   QStringLiteral("Ask")};
        QCOMPARE(hits("answe"), found);
        QCOMPARE(hits("list opens"), QStringList{QStringLiteral("Ask")});
        QCOMPARE(hits("").size(), 4);
    }

    // Whoever types a word for the thing means that, not a name that has its letters far apart.
    void otherWordsAreFoundBeforeScatteredLetters() {
        QWidget window;
        const auto entry = [](const char* name, const char* words) {
            return QuickOpen::Entry{QLatin1String(name), {}, {}, {}, QLatin1String(words)};
        };
        auto* open = new QuickOpen(QStringLiteral("Find"), {},
                                   {entry("Predicted or what ran once", ""), entry("Close project to", ""),
                                    entry("What if", "node fails, lost node"),
                                    entry("Time against money", "price, cost"), entry("Costs of links", "")},
                                   &window);
        open->open();
        const auto hits = [open](const char* typed) { return hitsOf(*open, typed); };
        QCOMPARE(hits("price").front(), QStringLiteral("Time against money"));
        QCOMPARE(hits("Pri").front(), QStringLiteral("Time against money"));
        QCOMPARE(hits("cost"),
                 (QStringList{QStringLiteral("Costs of links"), // a name goes first
                              QStringLiteral("Time against money"), QStringLiteral("Close project to")}));
        QCOMPARE(hits("node  fail"), QStringList{QStringLiteral("What if")});
        QCOMPARE(hits("fails"), QStringList{QStringLiteral("What if")});
        QCOMPARE(hits("prices").front(), QStringLiteral("Time against money"));        // none is called so
        QCOMPARE(hits("ails"), QStringList{QStringLiteral("Nothing is called that")}); // within a word
        QCOMPARE(hits("").size(), 5);
    }

    void wordsForMoneyAndFailureLeadToTheAnswers_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("command");
        const QString money = QStringLiteral("Time against money");
        for (const char* word : {"price", "cost", "money", "cheapest", "budget"})
            QTest::newRow(word) << QString::fromLatin1(word) << money;
        for (const char* word : {"node fail", "what if", "straggler", "lost node"})
            QTest::newRow(word) << QString::fromLatin1(word) << QStringLiteral("How sure, and what if");
        for (const char* word : {"deadline", "minimum gpus"})
            QTest::newRow(word) << QString::fromLatin1(word) << QStringLiteral("Fewest GPUs for a deadline");
    }
    void wordsForMoneyAndFailureLeadToTheAnswers() {
        QFETCH(QString, typed);
        QFETCH(QString, command);
        UiFixture ui;
        for (const CommandRow& row : commandTable())
            ui.commands->bind(row.id, &ui.window, [] {}); // all can be run
        auto* open = new QuickOpen(QStringLiteral("Commands"), {}, commandEntries(*ui.commands), &ui.window);
        open->open();
        open->line()->setText(typed);
        QCOMPARE(open->list()->item(0)->text(), command);
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
        for (const char* name : {"node n1", "node n2", "node n3", "switch s1", "link n1 to s1"})
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

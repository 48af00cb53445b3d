// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"
#include "core/exchange/exports/export.h"
#include "tests/ui/answers/answers_fixture.h"
#include "tests/ui/settle.h"
#include "ui/answers/answer_sections.h"
#include "ui/base/convert.h"
#include "ui/commands/context_menu.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QRegularExpression>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTableWidget>
#include <QUndoStack>
#include <QVBoxLayout>

#include <algorithm>

using namespace pw;

// Questions beside the fastest plan, asked with the buttons that a user has.
class AnswersViewTest : public QObject {
    Q_OBJECT

private:
    using Fixture = AnswersFixture;

private Q_SLOTS:
    void theFormLeavesAThirdForTheAnswers() {
        AnswersFixture f;
        f.openSmallProject();
        QVERIFY(f.choose("answers.objective", static_cast<int>(Objective::Money)));
        QTest::mouseClick(f.button("answers.fewest"), Qt::LeftButton);
        QVERIFY2(f.message().contains(QStringLiteral("Enter a deadline")), qPrintable(f.message()));
        const auto* pages = f.view.findChild<QStackedWidget*>();
        for (const QSize& size : {QSize(970, 177), QSize(560, 240), QSize(1000, 260)}) {
            f.view.resize(size);
            QVERIFY(settle());
            QVERIFY2(pages->height() >= size.height() / 3, qPrintable(QString::number(pages->height())));
        }
        auto* prices = f.view.findChild<QWidget*>(QStringLiteral("answers.prices"));
        for (const auto* label : prices->findChildren<QLabel*>())
            if (const auto* field = qobject_cast<QLineEdit*>(label->buddy()))
                QCOMPARE(label->mapTo(prices, label->rect().center()).y(),
                         field->mapTo(prices, field->rect().center()).y());
    }

    void aRowOffersItsPlanAndItsFigures() {
        AnswersFixture f;
        f.openSmallProject();
        QVERIFY(f.press("answers.fastest"));
        QTableWidget* table = nullptr;
        int plan = -1;
        for (auto* each : f.view.findChildren<QTableWidget*>())
            for (int column = 0; column < each->columnCount(); ++column)
                if (each->horizontalHeaderItem(column)->text() == QLatin1String("plan")) {
                    table = each;
                    plan = column;
                }
        QVERIFY(table);
        const QPoint at = table->visualItemRect(table->item(table->rowCount() - 1, plan)).center();
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, table->viewport()->mapToGlobal(at));
        QCoreApplication::sendEvent(table->viewport(), &event);
        QCOMPARE(table->currentRow(), table->rowCount() - 1);
        auto* menu = table->findChild<QMenu*>(QStringLiteral("context.answers"));
        QVERIFY(menu);
        QSignalSpy opened(f.view.findChild<AnswerSections*>(), &AnswerSections::planActivated);
        menu->actions()[0]->trigger();
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened[0][0].toString(), table->item(table->rowCount() - 1, plan)->text());
        QSignalSpy exported(f.commands->action("plan.export"), &QAction::triggered);
        f.commands->action("plan.export")->setEnabled(true); // as the window does where a plan is in view
        menu->actions()[1]->trigger();
        QCOMPARE(opened.size(), 2); // the row's own plan, and no other
        QTRY_COMPARE(exported.size(), 1);
        bindRowCommands(*f.commands, f.selection); // as the window does
        f.commands->action("rows.copy")->trigger();
        QVERIFY(QApplication::clipboard()->text().contains(table->item(table->rowCount() - 1, 0)->text()));
    }

    // The best plan for each trainer is one of the table's, above what was found for any.
    void eachTrainersPlanCanBeOpened() {
        AnswersFixture f;
        f.openSmallProject();
        QVERIFY(f.choose("answers.target", QStringLiteral("all")));
        QVERIFY(f.press("answers.fastest"));
        auto* table = f.view.findChild<AnswerSections*>()->findChildren<QTableWidget*>().value(0);
        QVERIFY(table && table->rowCount() > 3);
        QCOMPARE(table->horizontalHeaderItem(0)->text(), QStringLiteral("trainer"));
        QCOMPARE(table->horizontalHeaderItem(1)->text(), QStringLiteral("plan"));
        int named = 0;
        for (int row = 0; row < table->rowCount(); ++row) {
            const QString name = table->item(row, 1)->text();
            if (name.isEmpty()) { // a plan of fewer kinds, which answers another question
                QVERIFY(f.texts().contains(table->item(row, 0)->text() + QStringLiteral(": "),
                                           Qt::CaseInsensitive));
                QVERIFY(f.texts().contains(QStringLiteral("left out")));
                continue;
            }
            ++named;
            const Candidate* plan = f.candidates.findNamed(name, f.document.problem()->hash());
            QVERIFY2(plan, qPrintable(table->item(row, 0)->text() + u' ' + name));
            const auto trainer = std::ranges::find_if(exporterTable(), [&](const ExporterRow& each) {
                return q(each.label) == table->item(row, 0)->text();
            });
            QVERIFY(trainer != exporterTable().end());
            QVERIFY2(canRun(*trainer, *plan->problem, plan->plan), trainer->label);
            QCOMPARE(q(formatDuration(plan->evaluation.iteration)), table->item(row, 2)->text());
            Q_EMIT table->cellActivated(row, 1);
            QCOMPARE(f.selection.plan(), plan->id);
        }
        QVERIFY(named > 2);
    }

    void aMissingPriceIsSaidInTheWindowsWords() {
        AnswersFixture f;
        f.openSmallProject();
        QVERIFY(f.choose("answers.objective", static_cast<int>(Objective::Money)));
        QVERIFY(f.press("answers.tradeOff"));
        QVERIFY2(f.message().contains(QStringLiteral("these kinds have no price: give ")),
                 qPrintable(f.message()));
        QVERIFY2(!f.message().contains(QStringLiteral("--")), qPrintable(f.message()));
    }

    void nothingIsAskedWithoutAProblem() {
        Fixture f;
        QVERIFY(!f.button("answers.around")->isEnabled());
        QVERIFY(f.texts().contains(QStringLiteral("A cluster and a model are needed first")));
        f.openSmallProject();
        QVERIFY(f.button("answers.around")->isEnabled());
    }

    // Of any trainer: what the last search found for one of them is not what changes are counted against.
    void changesAreAgainstThePlanOfTheSameQuestion() {
        const auto changes = [](const Fixture& f) {
            const QTableWidget* table = f.view.findChildren<QTableWidget*>().last();
            QStringList rows;
            for (int row = 0; row < table->rowCount(); ++row)
                if (table->item(row, 2)->text() == QStringLiteral("best"))
                    rows << table->item(row, 3)->text() + u' ' + table->item(row, 4)->text();
            return rows;
        };
        Fixture fresh;
        fresh.openSmallProject();
        QVERIFY(fresh.press("answers.around"));
        QVERIFY(!changes(fresh).isEmpty());

        Fixture f;
        f.openSmallProject();
        QVERIFY(f.search(5'000));
        SearchOutcome slow = *f.runner.outcome();
        const Seconds best = slow.plans.front().evaluation.iteration;
        slow.plans.erase(slow.plans.begin(), slow.plans.end() - 1);
        slow.differing.clear();
        QVERIFY(slow.plans.front().evaluation.iteration > best);
        SearchDemand megatron;
        megatron.target = exporterRow("megatron");
        f.runner.restore(f.document.problem(), slow, megatron, {});
        QVERIFY(f.press("answers.around"));
        QCOMPARE(changes(f), changes(fresh));
        const QString first = f.candidates.all().front().name;
        QVERIFY2(f.texts().contains(QStringLiteral("against plan %1, the best").arg(first)),
                 qPrintable(f.texts()));
    }

    // Of the plans of the search, without another one of the same problem.
    void saysHowSureTheOrderIs() {
        Fixture f;
        f.openSmallProject();
        QVERIFY(f.search(5'000));
        const std::size_t plans = f.candidates.all().size();
        QVERIFY(f.press("answers.around"));
        QVERIFY2(f.texts().contains(QStringLiteral("How sure the order is")), qPrintable(f.texts()));
        QCOMPARE(f.candidates.all().size(), plans);
        const auto tables = f.view.findChildren<QTableWidget*>();
        QVERIFY(!tables.isEmpty());
        for (const QTableWidget* table : tables)
            QVERIFY(table->rowCount() > 0 && !table->item(0, 0)->text().isEmpty());
        // Another question: the answers are of an earlier one.
        Project changed = *f.document.project();
        changed.recipe.gbs *= 2;
        QVERIFY(f.document.apply(changed, QStringLiteral("batch")));
        QVERIFY(f.view.findChild<MessageBar*>()->text().contains(QStringLiteral("earlier state")));
    }

    void aDeadlineNeedsATimeAndIsMetByAPlan() {
        Fixture f;
        f.openSmallProject();
        auto* field = f.view.findChild<QLineEdit*>(QStringLiteral("answers.deadline"));
        for (const char* bad : {"", "soon", "0 s"}) {
            field->setText(QLatin1String(bad));
            QTest::mouseClick(f.button("answers.fewest"), Qt::LeftButton);
            QVERIFY2(!f.view.isRunning(), bad);
            QVERIFY2(!f.view.findChild<MessageBar*>()->text().isEmpty(), bad);
        }
        field->setText(QStringLiteral("1000 s"));
        QVERIFY(f.press("answers.fewest"));
        QVERIFY2(f.texts().contains(QStringLiteral("A deadline of 1000")), qPrintable(f.texts()));
        QCOMPARE(f.candidates.all().size(), std::size_t{1});
        QCOMPARE(f.selection.plan(), f.candidates.all().front().id);
        field->setText(QStringLiteral("1 us"));
        QVERIFY(f.press("answers.fewest"));
        QVERIFY2(f.texts().contains(QStringLiteral("not met")), qPrintable(f.texts()));
    }

    // Memory is known of every device; prices are not.
    void tradesTimeAgainstMemoryButNotWithoutPrices() {
        Fixture f;
        f.openSmallProject();
        QVERIFY(f.press("answers.tradeOff"));
        QVERIFY2(f.texts().contains(QStringLiteral("Pareto front")), qPrintable(f.texts()));
        QVERIFY(!f.candidates.all().empty());
        auto* against = f.view.findChild<QComboBox*>(QStringLiteral("answers.objective"));
        against->setCurrentIndex(against->findData(static_cast<int>(Objective::Money)));
        QVERIFY(f.press("answers.tradeOff"));
        QVERIFY2(f.view.findChild<MessageBar*>()->text().contains(QStringLiteral("price")),
                 qPrintable(f.view.findChild<MessageBar*>()->text()));
    }

    // A price is typed where money is asked about; it is one undoable step and makes no plan stale.
    void pricesAreGivenInTheView() {
        Fixture f;
        f.openSmallProject();
        QVERIFY(f.search(5'000));
        auto* prices = f.view.findChild<QWidget*>(QStringLiteral("answers.prices"));
        QVERIFY(!prices->isVisible());
        auto* against = f.view.findChild<QComboBox*>(QStringLiteral("answers.objective"));
        against->setCurrentIndex(against->findData(static_cast<int>(Objective::Money)));
        QVERIFY(prices->isVisible());
        QList<QLineEdit*> fields = prices->findChildren<QLineEdit*>();
        QVERIFY(!fields.isEmpty());
        fields[0]->setFocus();
        fields[0]->setText(QStringLiteral("dear"));
        QTest::keyClick(fields[0], Qt::Key_Return);
        QVERIFY(!f.document.undoStack()->canUndo());
        for (QLineEdit* field : fields) {
            field->setText(QStringLiteral("1.10"));
            QTest::keyClick(field, Qt::Key_Return);
        }
        QCOMPARE(f.document.undoStack()->count(), static_cast<int>(fields.size()));
        QVERIFY(!Candidates::isStale(f.candidates.all().front(), f.document.problem()));
        QVERIFY(f.press("answers.tradeOff"));
        QVERIFY2(f.texts().contains(QStringLiteral("time against money")), qPrintable(f.texts()));
        const auto* table = f.view.findChild<QTableWidget*>();
        QVERIFY2(table->item(0, 1)->text().startsWith(QStringLiteral("\u2234 ")),
                 qPrintable(table->item(0, 1)->text()));
        f.document.undoStack()->undo();
        QCOMPARE(fields.last()->text(), QStringLiteral("unknown"));
        QVERIFY(f.view.findChild<MessageBar*>()->text().contains(QStringLiteral("earlier state")));
    }

    // Row by row, also through fields that came when the rest of the window had been made.
    void tabGoesThroughAllFieldsInTheirOrder() {
        QWidget window;
        Fixture f;
        auto* column = new QVBoxLayout(&window);
        column->addWidget(&f.view);
        column->addWidget(new QLineEdit);
        window.show();
        f.openSmallProject();
        auto* against = f.view.findChild<QComboBox*>(QStringLiteral("answers.objective"));
        against->setCurrentIndex(against->findData(static_cast<int>(Objective::Money)));
        QVERIFY(settle());
        QStringList wanted{QStringLiteral("answers.target"),      QStringLiteral("answers.required"),
                           QStringLiteral("answers.allPlanners"), QStringLiteral("answers.also"),
                           QStringLiteral("answers.fastest"),     QStringLiteral("answers.deadline"),
                           QStringLiteral("answers.fewest"),      QStringLiteral("answers.objective"),
                           QStringLiteral("answers.tradeOff"),    QStringLiteral("answers.inTime"),
                           QStringLiteral("answers.around")};
        for (const QLineEdit* field :
             f.view.findChild<QWidget*>(QStringLiteral("answers.prices"))->findChildren<QLineEdit*>())
            wanted << field->objectName();
        QVERIFY(wanted.size() > 12);
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        f.view.findChild<QWidget*>(wanted.front())->setFocus();
        QStringList names;
        for (qsizetype i = 0; i < wanted.size(); ++i) {
            const QWidget* focus = QApplication::focusWidget();
            QVERIFY(focus);
            names << focus->objectName();
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        QCOMPARE(names, wanted);
    }

    void theCommandForMoneyGoesToThePrices() {
        Fixture f;
        f.window.activateWindow();
        f.view.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&f.view));
        QSignalSpy raised(&f.view, &View::raiseRequested);
        f.commands->action("answers.money")->trigger(); // nothing is drawn, and has a price
        QCOMPARE(raised.size(), 1);
        auto* objective = f.control<QComboBox>("answers.objective");
        QCOMPARE(objective->currentData().toInt(), static_cast<int>(Objective::Money));
        QCOMPARE(QApplication::focusWidget(), objective);
        f.openSmallProject();
        QVERIFY(settle());
        objective->setCurrentIndex(objective->findData(static_cast<int>(Objective::Energy)));
        f.commands->action("answers.money")->trigger();
        const auto* prices = f.control<QWidget>("answers.prices");
        QVERIFY(prices->isVisible());
        QCOMPARE(QApplication::focusWidget(), prices->findChild<QLineEdit*>());
    }

    // The deadline and the prices that stand in the form, in one question.
    void theCheapestPlanWithinADeadline() {
        Fixture f;
        f.openSmallProject();
        QCOMPARE(f.button("answers.inTime")->text(), QStringLiteral("Most memory free within the deadline"));
        QVERIFY(f.choose("answers.objective", static_cast<int>(Objective::Money)));
        QCOMPARE(f.button("answers.inTime")->text(), QStringLiteral("Cheapest within the deadline"));
        QCOMPARE(f.button("answers.inTime")->accessibleName(), f.button("answers.inTime")->text());
        QTest::mouseClick(f.button("answers.inTime"), Qt::LeftButton);
        QVERIFY(!f.view.isRunning());
        QVERIFY2(f.message().contains(QStringLiteral("Enter a deadline")), qPrintable(f.message()));
        f.type("answers.deadline", QStringLiteral("1000 s"));
        QVERIFY(f.press("answers.inTime"));
        QVERIFY2(f.message().contains(QStringLiteral("no price")), qPrintable(f.message()));
        QVERIFY(f.control<QWidget>("answers.prices")->isVisible()); // where it is asked for
        for (auto* field : f.control<QWidget>("answers.prices")->findChildren<QLineEdit*>()) {
            field->setText(QStringLiteral("2"));
            QTest::keyClick(field, Qt::Key_Return);
        }
        QSignalSpy news(&f.view, &View::newsArrived);
        QVERIFY(f.press("answers.inTime"));
        QVERIFY2(f.message().isEmpty(), qPrintable(f.message()));
        QVERIFY2(
            f.texts().contains(QRegularExpression(QStringLiteral("\nPlan \\S+ is the cheapest of these"))),
            qPrintable(f.texts()));
        QVERIFY(!f.candidates.all().empty());
        QCOMPARE(news.size(), 1);
        QVERIFY2(news[0][0].toString().contains(QStringLiteral("Cheapest plan within ")),
                 qPrintable(news[0][0].toString()));
        f.type("answers.deadline", QStringLiteral("1 us"));
        QVERIFY(f.press("answers.inTime"));
        QVERIFY2(f.message().contains(QStringLiteral("No plan that was found takes at most")),
                 qPrintable(f.message()));
    }

    // Asking opens no plan in place of the one that is looked at; the answer's rows do.
    void thePlanInViewStaysThere() {
        Fixture f;
        f.openSmallProject();
        QVERIFY(f.search(5'000));
        const int inView = f.candidates.all().back().id;
        f.selection.setPlan(inView);
        f.type("answers.deadline", QStringLiteral("1000 s"));
        for (const char* question : {"answers.fastest", "answers.fewest", "answers.tradeOff",
                                     "answers.inTime", "answers.around", "answers.judge"}) {
            QVERIFY2(f.press(question), question);
            QCOMPARE(f.selection.plan(), inView);
        }
        // A plan that meets a deadline has a row, too, under its name in the table of plans.
        QVERIFY(f.press("answers.fewest"));
        const auto* table = f.view.findChild<QTableWidget*>();
        QVERIFY(table);
        QCOMPARE(table->horizontalHeaderItem(0)->text(), QStringLiteral("plan"));
        const Candidate* met =
            f.candidates.findNamed(table->item(0, 0)->text(), f.document.problem()->hash());
        QVERIFY(met);
        Q_EMIT f.view.findChild<AnswerSections*>()->planActivated(met->name);
        QCOMPARE(f.selection.plan(), met->id);
    }

    // A screen reader hears the column with each cell, as in the table of plans.
    void cellsAreHeardWithTheirColumn() {
        Fixture f;
        f.openSmallProject();
        QVERIFY(f.press("answers.around"));
        int heard = 0, bare = 0;
        for (const auto* table : f.view.findChildren<QTableWidget*>()) {
            QVERIFY(!table->accessibleName().isEmpty());
            for (int row = 0; row < table->rowCount(); ++row)
                for (int column = 0; column < table->columnCount(); ++column) {
                    const QString heading = table->horizontalHeaderItem(column)->text();
                    const QTableWidgetItem* cell = table->item(row, column);
                    const QString said = cell->data(Qt::AccessibleTextRole).toString();
                    if (heading.isEmpty() || cell->text().isEmpty()) {
                        QVERIFY(said.isEmpty()); // the text alone
                        ++bare;
                    } else {
                        QCOMPARE(said, QStringLiteral("%1 %2").arg(heading, cell->text()));
                        ++heard;
                    }
                }
        }
        QVERIFY(heard > 0 && bare > 0);
    }

    // From the answer Tab leads into its tables, one after another, and then to what is behind the view.
    void tabGoesFromTheAnswerToItsTables() {
        QWidget window;
        Fixture f;
        auto* behind = new QLineEdit;
        auto* column = new QVBoxLayout(&window);
        column->addWidget(&f.view);
        column->addWidget(behind);
        window.show();
        f.openSmallProject();
        for (int time = 0; time < 2; ++time) { // the second answer takes the place of the first
            QVERIFY(f.press("answers.around"));
            QVERIFY(settle());
            window.activateWindow();
            QVERIFY(QTest::qWaitForWindowActive(&window));
            auto* sections = f.view.findChild<AnswerSections*>();
            const QList<QTableWidget*> tables = sections->widget()->findChildren<QTableWidget*>();
            QVERIFY(tables.size() >= 2);
            sections->setFocus();
            for (QTableWidget* table : tables) {
                QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
                QCOMPARE(QApplication::focusWidget(), table);
            }
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            QCOMPARE(QApplication::focusWidget(), behind);
        }
    }

    // A table is as high as its rows: the row that the keys go to is scrolled to.
    void theCurrentRowComesIntoView() {
        Fixture f;
        f.openSmallProject();
        QVERIFY(f.press("answers.around"));
        f.view.resize(600, 180);
        QVERIFY(settle());
        auto* sections = f.view.findChild<AnswerSections*>();
        QTableWidget* table = sections->widget()->findChildren<QTableWidget*>().last();
        f.view.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&f.view));
        table->setFocus();
        table->setCurrentCell(0, 0);
        const auto shown = [&] {
            const QRect row = table->visualItemRect(table->currentItem());
            return sections->viewport()->rect().contains(
                QPoint(1, table->viewport()->mapTo(sections->viewport(), row.center()).y()));
        };
        QVERIFY(shown());
        QVERIFY(table->height() > sections->viewport()->height());
        for (int row = 1; row < table->rowCount(); ++row) {
            QTest::keyClick(table, Qt::Key_Down);
            QCOMPARE(table->currentRow(), row);
            QVERIFY2(shown(), qPrintable(QString::number(row)));
        }
    }

    void anAnswerIsNews() {
        Fixture f;
        f.openSmallProject();
        QSignalSpy news(&f.view, &View::newsArrived);
        QVERIFY(f.press("answers.fastest"));
        QCOMPARE(news.size(), 1);
        // The question, and what the answer says first: its words, and its first row.
        const QString said = news[0][0].toString();
        QVERIFY2(said.startsWith(QStringLiteral("The answer is there: Fastest plan. ")), qPrintable(said));
        const auto* sections = f.view.findChild<AnswerSections*>();
        QVERIFY2(said.endsWith(sections->accessibleDescription()), qPrintable(said));
        const auto* table = sections->widget()->findChild<QTableWidget*>();
        QVERIFY2(said.contains(table->item(0, 0)->data(Qt::AccessibleTextRole).toString()), qPrintable(said));
    }

    void theFirstResultIsWordsAndARow() {
        QCOMPARE(firstResult({}), QString());
        QCOMPARE(firstResult({{"no plan\nat all", {}, {}}}), QStringLiteral("No plan."));
        QCOMPARE(firstResult({{"", {">plan", "", "GPUs"}, {{"3", "", "8"}, {"4", "x", "9"}}}}),
                 QStringLiteral("plan 3, GPUs 8."));
        QCOMPARE(firstResult({{"Plan 3 is it.", {}, {}},
                              {"", {">a", "b", "c", "d", "e"}, {{"1", "2", "3", "4", "5"}}}}),
                 QStringLiteral("Plan 3 is it. a 1, b 2, c 3, d 4."));
    }

    // Whoever has asked by keys is at the first row of the answer; whoever has gone on is left there.
    void theFocusGoesToTheAnswer() {
        QWidget window;
        Fixture f;
        auto* elsewhere = new QLineEdit;
        auto* column = new QVBoxLayout(&window);
        column->addWidget(&f.view);
        column->addWidget(elsewhere);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        f.openSmallProject();
        QVERIFY(f.press("answers.fastest"));
        const auto* sections = f.view.findChild<AnswerSections*>();
        auto* table = sections->widget()->findChild<QTableWidget*>();
        QVERIFY(table);
        QCOMPARE(QApplication::focusWidget(), table);
        QCOMPARE(table->currentRow(), 0);
        QSignalSpy answered(&f.view, &AnswersView::answered);
        QTest::mouseClick(f.button("answers.tradeOff"), Qt::LeftButton);
        elsewhere->setFocus();
        QVERIFY(answered.wait(60'000));
        QCOMPARE(QApplication::focusWidget(), elsewhere);
    }

    // A price that is missing is asked for where it is typed, also where the form is too low to show it.
    void aMissingPriceLeadsToItsField() {
        QWidget window;
        Fixture f;
        auto* column = new QVBoxLayout(&window);
        column->setContentsMargins(0, 0, 0, 0);
        column->addWidget(&f.view);
        window.resize(1000, 190);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        f.openSmallProject();
        QVERIFY(f.press("answers.fastest"));
        QVERIFY(f.choose("answers.objective", static_cast<int>(Objective::Money)));
        QVERIFY(f.press("answers.tradeOff"));
        QVERIFY2(f.message().contains(QStringLiteral("no price")), qPrintable(f.message()));
        QVERIFY(settle());
        QWidget* field = QApplication::focusWidget();
        QVERIFY(field);
        QVERIFY2(f.control<QWidget>("answers.prices")->isAncestorOf(field), qPrintable(field->objectName()));
        const auto* form = f.control<QScrollArea>("answers.form");
        QVERIFY(form->height() < form->widget()->height());
        const QRect seen(field->mapTo(form->viewport(), QPoint()), field->size());
        QVERIFY(form->viewport()->rect().contains(seen));
    }

    // Half of the view at least is the answer's; what is left of the questions shows whole rows.
    void theFormLeavesHalfForAnAnswer() {
        Fixture f;
        f.openSmallProject();
        QVERIFY(f.press("answers.fastest"));
        const auto* pages = f.view.findChild<QStackedWidget*>();
        auto* form = f.control<QScrollArea>("answers.form");
        bool scrolls = false;
        for (const QSize& size : {QSize(970, 180), QSize(560, 240), QSize(640, 260), QSize(1000, 500)}) {
            f.view.resize(size);
            QVERIFY(settle());
            QVERIFY2(pages->height() * 2 >= size.height(), qPrintable(QString::number(pages->height())));
            if (form->height() >= form->widget()->height())
                continue;
            scrolls = true;
            for (const char* name : {"answers.fastest", "answers.around", "answers.target"}) {
                auto* control = f.control<QWidget>(name);
                form->ensureWidgetVisible(control, 0, 4);
                for (const auto* button : form->findChildren<QPushButton*>()) {
                    if (!button->isVisible())
                        continue;
                    const QRect rect(button->mapTo(form->viewport(), QPoint()), button->size());
                    const QRect seen = form->viewport()->rect();
                    QVERIFY2((seen.top() <= rect.top() && rect.bottom() <= seen.bottom()) ||
                                 !seen.intersects(rect), // whole, or not at all
                             qPrintable(button->objectName()));
                }
            }
        }
        QVERIFY(scrolls);
    }

    // What stands below while another question is looked into is said to be of the one before.
    void theEarlierAnswerIsNotTakenForTheNext() {
        Fixture f;
        f.openSmallProject();
        QSignalSpy answered(&f.view, &AnswersView::answered);
        QTest::mouseClick(f.button("answers.fastest"), Qt::LeftButton);
        QVERIFY(f.message().isEmpty()); // nothing is below yet
        QVERIFY(answered.wait(60'000));
        QVERIFY2(f.message().isEmpty(), qPrintable(f.message()));
        QSignalSpy subtitles(&f.view, &View::subtitleChanged);
        QTest::mouseClick(f.button("answers.tradeOff"), Qt::LeftButton);
        QVERIFY(f.view.isRunning());
        QVERIFY2(f.message().contains(QStringLiteral("an earlier question")), qPrintable(f.message()));
        QVERIFY(subtitles.back()[0].toString().endsWith(QStringLiteral(" in 0 s")));
        QVERIFY(answered.wait(60'000));
        QVERIFY2(!f.message().contains(QStringLiteral("an earlier question")), qPrintable(f.message()));
        QVERIFY(subtitles.back()[0].toString().isEmpty());
    }

    void stopEndsIt() {
        Fixture f;
        f.openSmallProject();
        SearchOptions options;
        options.work = 50'000'000;
        f.runner.setOptions(options);
        QSignalSpy answered(&f.view, &AnswersView::answered);
        QTest::mouseClick(f.button("answers.tradeOff"), Qt::LeftButton);
        QVERIFY(f.view.isRunning() && f.button("answers.stop")->isVisible());
        QTest::mouseClick(f.button("answers.stop"), Qt::LeftButton);
        QVERIFY(answered.wait(60'000));
        QVERIFY(!f.view.isRunning() && !f.button("answers.stop")->isVisible());
    }
};

QTEST_MAIN(AnswersViewTest)
#include "answers_view_test.moc"

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/answers/answers_fixture.h"
#include "tests/ui/settle.h"
#include "ui/answers/answer_sections.h"
#include "ui/commands/context_menu.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QStackedWidget>
#include <QTableWidget>
#include <QUndoStack>
#include <QVBoxLayout>

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
        bindRowCommands(*f.commands, f.selection); // as the window does
        f.commands->action("rows.copy")->trigger();
        QVERIFY(QApplication::clipboard()->text().contains(table->item(table->rowCount() - 1, 0)->text()));
    }

    void aMissingPriceIsSaidInTheWindowsWords() {
        AnswersFixture f;
        f.openSmallProject();
        QVERIFY(f.choose("answers.objective", static_cast<int>(Objective::Money)));
        QVERIFY(f.press("answers.tradeOff"));
        QVERIFY2(f.message().contains(QStringLiteral("has no price")), qPrintable(f.message()));
        QVERIFY2(!f.message().contains(QStringLiteral("--")), qPrintable(f.message()));
    }

    void nothingIsAskedWithoutAProblem() {
        Fixture f;
        QVERIFY(!f.button("answers.around")->isEnabled());
        QVERIFY(f.texts().contains(QStringLiteral("A cluster and a model are needed first")));
        f.openSmallProject();
        QVERIFY(f.button("answers.around")->isEnabled());
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
                           QStringLiteral("answers.tradeOff"),    QStringLiteral("answers.around")};
        for (const QLineEdit* field :
             f.view.findChild<QWidget*>(QStringLiteral("answers.prices"))->findChildren<QLineEdit*>())
            wanted << field->objectName();
        QVERIFY(wanted.size() > 11);
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

    void anAnswerIsNews() {
        Fixture f;
        f.openSmallProject();
        QSignalSpy news(&f.view, &View::newsArrived);
        QVERIFY(f.press("answers.fastest"));
        QCOMPARE(news.size(), 1);
        QCOMPARE(news[0][0].toString(), QStringLiteral("The answer is there: Fastest plan."));
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

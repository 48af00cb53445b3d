// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"
#include "tests/ui/answers/answers_fixture.h"
#include "ui/answers/answer_history.h"
#include "ui/answers/answer_sections.h"
#include "ui/base/convert.h"
#include "ui/base/format.h"

#include <nlohmann/json.hpp>

using namespace pw;

// Answers stay, each with its question.
class AnswerHistoryTest : public QObject {
    Q_OBJECT

private:
    static QString shown(const AnswersFixture& f) {
        QStringList texts;
        for (const QLabel* label : f.view.findChild<AnswerSections*>()->findChildren<QLabel*>())
            texts << label->text();
        return texts.join(u'\n');
    }

private Q_SLOTS:
    void anEarlierAnswerIsGoneBackTo() {
        AnswersFixture f;
        f.openSmallProject();
        auto* asked = f.control<QComboBox>("answers.asked");
        QVERIFY(asked && !asked->isVisible());
        f.type("answers.deadline", QStringLiteral("1000 s"));
        QVERIFY(f.press("answers.fewest"));
        QVERIFY(asked->isVisible());
        const QString first = shown(f);
        QVERIFY2(first.contains(QStringLiteral("A deadline of 1000")), qPrintable(first));
        QVERIFY(f.press("answers.tradeOff"));
        const QString second = shown(f);
        QVERIFY2(second.contains(QStringLiteral("Pareto front")) && second != first, qPrintable(second));
        QCOMPARE(asked->count(), 2);
        QCOMPARE(asked->itemText(0), QStringLiteral("2. Time against memory"));
        QCOMPARE(asked->itemText(1),
                 QStringLiteral("1. Fewest GPUs within %1").arg(iterationText(Seconds(1000.0))));
        QCOMPARE(asked->currentIndex(), 0);
        asked->setFocus();
        QTest::keyClick(asked, Qt::Key_Down);
        QCOMPARE(shown(f), first);
        QTest::keyClick(asked, Qt::Key_Up);
        QCOMPARE(shown(f), second);
    }

    // Each is stale for itself, and asking again asks the question that is shown.
    void anAnswerIsStaleForItself() {
        AnswersFixture f;
        f.openSmallProject();
        QVERIFY(f.press("answers.fastest"));
        Project changed = *f.document.project();
        changed.recipe.gbs *= 2;
        QVERIFY(f.document.apply(changed, QStringLiteral("batch")));
        QVERIFY2(f.message().contains(QStringLiteral("earlier state")), qPrintable(f.message()));
        QVERIFY(f.press("answers.tradeOff"));
        QVERIFY2(f.message().isEmpty(), qPrintable(f.message()));
        auto* asked = f.control<QComboBox>("answers.asked");
        asked->setFocus();
        QTest::keyClick(asked, Qt::Key_Down);
        QVERIFY2(f.message().contains(QStringLiteral("earlier state")), qPrintable(f.message()));
        QSignalSpy answered(&f.view, &AnswersView::answered);
        Q_EMIT f.view.findChild<MessageBar*>()->actionClicked(0);
        QVERIFY(f.view.isRunning() && answered.wait(60'000));
        QCOMPARE(asked->count(), 3);
        QCOMPARE(asked->currentText(), QStringLiteral("3. Fastest plan"));
        QVERIFY2(f.message().isEmpty(), qPrintable(f.message()));
    }

    // Why the last question has no answer is not covered by what the shown one is about.
    void aQuestionWithoutAnAnswerIsSaidBesideAStaleOne() {
        AnswersFixture f;
        f.openSmallProject();
        QVERIFY(f.press("answers.fastest"));
        const auto change = [&f] {
            Project changed = *f.document.project();
            changed.recipe.gbs *= 2;
            return f.document.apply(changed, QStringLiteral("batch"));
        };
        QVERIFY(change());
        QVERIFY2(f.message().contains(QStringLiteral("earlier state")), qPrintable(f.message()));
        QVERIFY(f.choose("answers.objective", static_cast<int>(Objective::Money)));
        QVERIFY(f.press("answers.tradeOff"));
        QVERIFY2(f.message().contains(QStringLiteral("have no price")), qPrintable(f.message()));
        Q_EMIT f.candidates.changed();
        QVERIFY2(f.message().contains(QStringLiteral("have no price")), qPrintable(f.message()));
        QVERIFY(change());
        QVERIFY2(f.message().contains(QStringLiteral("earlier state")), qPrintable(f.message()));
        QTest::mouseClick(f.button("answers.fewest"), Qt::LeftButton); // without a deadline
        Q_EMIT f.candidates.changed();
        QVERIFY2(f.message().contains(QStringLiteral("Enter a deadline")), qPrintable(f.message()));
        QVERIFY(f.press("answers.fastest"));
        QVERIFY2(f.message().isEmpty(), qPrintable(f.message()));
    }

    // What a question without a plan was refused for comes back with it.
    void aRefusalIsSaidAgain() {
        AnswersFixture f;
        f.openSmallProject();
        f.type("answers.deadline", QStringLiteral("1 us"));
        QVERIFY(f.press("answers.fewest"));
        const QString why = f.message();
        QVERIFY(!why.isEmpty());
        QVERIFY(f.press("answers.fastest"));
        QVERIFY2(f.message().isEmpty(), qPrintable(f.message()));
        auto* asked = f.control<QComboBox>("answers.asked");
        asked->setFocus();
        QTest::keyClick(asked, Qt::Key_Down);
        QCOMPARE(f.message(), why);
        QVERIFY2(shown(f).contains(QStringLiteral("not met")), qPrintable(shown(f)));
    }

    void anotherProjectHasNoneAndSaysWhy() {
        AnswersFixture f;
        f.openSmallProject();
        QVERIFY(f.press("answers.fastest"));
        auto* asked = f.control<QComboBox>("answers.asked");
        QCOMPARE(asked->count(), 1);
        f.openSmallProject();
        QCOMPARE(asked->count(), 0);
        QVERIFY(!asked->isVisible());
        QVERIFY2(f.texts().contains(QStringLiteral("No questions asked yet")), qPrintable(f.texts()));
        QVERIFY2(f.texts().contains(QStringLiteral("file keeps the answers about it as it is")),
                 qPrintable(f.texts()));
        QVERIFY(f.press("answers.fastest"));
        QCOMPARE(asked->currentText(), QStringLiteral("1. Fastest plan")); // counted anew
    }

    void aQuestionIsCalledByWhatItAsks() {
        Question question;
        QCOMPARE(questionText(Asked::Fastest, question, {}), QStringLiteral("Fastest plan"));
        QCOMPARE(questionText(Asked::Judged, question, QStringLiteral("3, edited")),
                 QStringLiteral("Judge plan 3, edited"));
        question.target = exporterRow("megatron");
        question.required = {"n1", "n2.g0"};
        QCOMPARE(questionText(Asked::Fastest, question, {}),
                 QStringLiteral("Fastest plan: %1, n1, n2.g0").arg(q(question.target->label)));
        question = {};
        question.deadline = Seconds(2.5);
        question.objective = Objective::Money;
        QCOMPARE(questionText(Asked::InTime, question, {}, {QStringLiteral("A at 2 an hour")}),
                 QStringLiteral("Cheapest plan within %1: A at 2 an hour").arg(iterationText(Seconds(2.5))));
        question.objective = Objective::Energy;
        QCOMPARE(questionText(Asked::InTime, question, {}),
                 QStringLiteral("Plan of least energy within %1").arg(iterationText(Seconds(2.5))));
        question.objective = Objective::Memory;
        QCOMPARE(questionText(Asked::InTime, question, {}),
                 QStringLiteral("Plan with most memory to spare within %1").arg(iterationText(Seconds(2.5))));
        question = {};
        question.around = true;
        QCOMPARE(questionText(Asked::Around, question, {}), QStringLiteral("How sure, and what if"));
        QCOMPARE(questionText(Asked::Fastest, question, {}), QStringLiteral("Fastest plan: how sure"));
    }

    // Two answers about money are told apart by the prices that they were given at, and only they are stale
    // when one changes.
    void answersAboutMoneySayTheirPrices() {
        AnswersFixture f;
        f.openSmallProject();
        const auto price = [&f](const QString& text) {
            for (auto* field : f.control<QWidget>("answers.prices")->findChildren<QLineEdit*>()) {
                field->setFocus();
                field->setText(text);
                QTest::keyClick(field, Qt::Key_Return);
            }
        };
        QVERIFY(f.press("answers.tradeOff")); // about memory
        QVERIFY(f.choose("answers.objective", static_cast<int>(Objective::Money)));
        price(QStringLiteral("1.5"));
        QVERIFY2(f.message().isEmpty(), qPrintable(f.message())); // memory has no price
        QVERIFY(f.press("answers.tradeOff"));
        auto* asked = f.control<QComboBox>("answers.asked");
        const QString first = asked->itemText(0);
        QStringList kinds;
        for (const DeviceKind* kind : allowedKinds(*f.document.problem()))
            kinds << QStringLiteral("%1 at 1.5 an hour").arg(q(kind->shortName));
        QCOMPARE(kinds.size(), 2);
        QCOMPARE(first, QStringLiteral("2. Time against money: %1").arg(kinds.join(QStringLiteral(", "))));
        price(QStringLiteral("3"));
        QVERIFY2(f.message().contains(QStringLiteral("earlier state")), qPrintable(f.message()));
        QVERIFY(f.press("answers.tradeOff"));
        QVERIFY2(f.message().isEmpty(), qPrintable(f.message()));
        QCOMPARE(asked->itemText(1), first);
        QVERIFY2(asked->itemText(0).contains(QStringLiteral(" at 3 an hour")),
                 qPrintable(asked->itemText(0)));
    }

    // As the project's file has them: those about it as it is, in words and tables, refused ones with their
    // reasons.
    void theFileKeepsThem() {
        UiFixture ui;
        ui.openSmallProject();
        const auto problem = ui.document.problem();
        Error refused = infeasible("search.infeasible", "", "no plan fits");
        refused.because("memory");
        ui.answers.add({Asked::Around,
                        QStringLiteral("How sure"),
                        problem,
                        {{"a < b & c", {"what", ">time"}, {{"x", "1 s"}, {"y", "2 s"}}}, {"alone", {}, {}}},
                        {}});
        ui.answers.add({Asked::TradeOff, QStringLiteral("Time against money"), problem, {}, refused, true});
        Project other = *ui.document.project();
        other.recipe.gbs *= 2;
        QVERIFY(ui.document.apply(other, QStringLiteral("batch")));
        ui.answers.add({Asked::Fastest, QStringLiteral("Of twice the batch"), ui.document.problem(), {}, {}});
        ui.document.undoStack()->undo();
        Project saved = *ui.document.project();
        saved.answers = ui.answers.kept();
        const Result<Project> read = readProject(printProject(saved), "a.pwx");
        QVERIFY(read);
        ui.document.adopt(*read, QString());
        QVERIFY(ui.answers.all().empty());
        QSignalSpy replaced(&ui.answers, &GivenAnswers::replaced);
        ui.answers.restore();
        ui.answers.restore(); // once
        QCOMPARE(replaced.count(), 1);
        QCOMPARE(ui.answers.all().size(), std::size_t{2});
        const GivenAnswer &newest = ui.answers.all().front(), &oldest = ui.answers.all().back();
        QCOMPARE(newest.question, QStringLiteral("Time against money"));
        QVERIFY(newest.asked == Asked::TradeOff && newest.priced && newest.refused);
        QCOMPARE(newest.refused->message, std::string("no plan fits"));
        QCOMPARE(newest.refused->reasons.size(), std::size_t{1});
        QVERIFY(oldest.asked == Asked::Around && !oldest.refused && oldest.tables.size() == 2);
        QCOMPARE(oldest.tables.front().text, std::string("a < b & c"));
        QCOMPARE(oldest.tables.front().rows.back().back(), std::string("2 s"));
        QVERIFY(!isStale(oldest, ui.document.problem()));
        // The one about another state stays in the file, and is there again where that is asked.
        const auto asked = [](const std::string& text) {
            QStringList questions;
            const Json list = *parseJson(text, "answers");
            for (const Json& entry : list)
                questions << q(entry["question"].get<std::string>());
            questions.sort();
            return questions;
        };
        QCOMPARE(asked(ui.answers.kept()), asked(*read->answers));
        QVERIFY(asked(ui.answers.kept()).contains(QStringLiteral("Of twice the batch")));
        // Where the other state is known it is there beside them, and stale.
        const auto doubled = problemOf(other);
        QVERIFY(doubled);
        ui.document.adopt(*read, QString());
        ui.answers.restore({*doubled});
        QCOMPARE(ui.answers.all().size(), std::size_t{3});
        QCOMPARE(ui.answers.all().front().question, QStringLiteral("Of twice the batch"));
        QVERIFY(isStale(ui.answers.all().front(), ui.document.problem()));
        QCOMPARE(asked(ui.answers.kept()), asked(*read->answers));
        Project twice = *read;
        twice.recipe.gbs *= 2;
        twice.answers = ui.answers.kept();
        ui.document.adopt(twice, QString());
        ui.answers.restore();
        QCOMPARE(ui.answers.all().size(), std::size_t{1});
        QCOMPARE(ui.answers.all().front().question, QStringLiteral("Of twice the batch"));
        QCOMPARE(asked(ui.answers.kept()), asked(*read->answers));
        // What is not as this program writes it is left out, and the rest stays.
        Json spoilt = *parseJson(*read->answers, "answers");
        spoilt[0]["tables"][0]["rows"][0] = Json::array({"one cell"});
        Project strange = *read;
        strange.answers = spoilt.dump();
        ui.document.adopt(strange, QString());
        ui.answers.restore();
        QCOMPARE(ui.answers.all().size(), std::size_t{1});
        QCOMPARE(ui.answers.all().front().question, QStringLiteral("Time against money"));
    }

    void theOldestGoWhereThereAreTooMany() {
        UiFixture ui;
        ui.openSmallProject();
        AnswerHistory history(ui.answers);
        QVERIFY(!history.chosen());
        QSignalSpy changed(&history, &AnswerHistory::changed);
        const int most = static_cast<int>(GivenAnswers::kMost);
        for (int i = 0; i < most + 3; ++i)
            ui.answers.add({Asked::Fastest, QString::number(i), ui.document.problem(), {}, {}});
        QCOMPARE(changed.count(), most + 3);
        const auto* list = history.findChild<QComboBox*>();
        QCOMPARE(list->count(), most);
        QCOMPARE(history.chosen()->question, QString::number(most + 2));
        QCOMPARE(list->itemText(most - 1), QStringLiteral("4. 3"));
        const AnswerHistory late(ui.answers); // made when they were there
        QVERIFY(late.chosen() && late.chosen()->question == history.chosen()->question);
        QCOMPARE(late.findChild<QComboBox*>()->itemText(most - 1), list->itemText(most - 1));
        ui.answers.clear();
        QVERIFY(!history.chosen() && history.isHidden());
        QCOMPARE(changed.count(), most + 4);
    }
};

QTEST_MAIN(AnswerHistoryTest)
#include "answer_history_test.moc"

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/export.h"
#include "tests/ui/answers/answers_fixture.h"
#include "ui/base/convert.h"
#include "ui/search/search_panel.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/name_list.h"

#include <QAbstractItemView> // keep: what a completer shows
#include <QAction>
#include <QCompleter> // keep: what a field completes with
#include <QTableWidget>

using namespace pw;

// What questions are asked under, each set with the mouse or the keys that a user has.
class QuestionLimitsTest : public QObject {
    Q_OBJECT

private:
    static int rowsOfFirstTable(const AnswersFixture& f) {
        const auto* table = f.view.findChild<QTableWidget*>();
        return table ? table->rowCount() : 0;
    }

private Q_SLOTS:
    void everyControlSaysWhatItIs() {
        AnswersFixture f;
        for (const char* name : {"answers.target", "answers.required", "answers.allPlanners", "answers.also",
                                 "answers.fastest", "answers.judge", "answers.objective", "answers.inTime"}) {
            const auto* control = f.control<QWidget>(name);
            QVERIFY2(control, name);
            QVERIFY2(!control->accessibleName().isEmpty() && !control->toolTip().isEmpty(), name);
            QVERIFY2(control->focusPolicy() & Qt::TabFocus, name);
        }
    }

    void aTrainerIsChosenWithTheKeys() {
        AnswersFixture f;
        f.openSmallProject();
        QVERIFY(f.choose("answers.target", QStringLiteral("megatron")));
        QVERIFY(f.press("answers.fastest"));
        QVERIFY2(f.message().isEmpty(), qPrintable(f.message()));
        QVERIFY2(f.texts().contains(QStringLiteral("for any trainer")), qPrintable(f.texts()));
        QVERIFY(!f.candidates.all().empty());
        const ExporterRow& megatron = *exporterRow("megatron");
        for (const Candidate& plan : f.candidates.all())
            QVERIFY(exportRefusals(megatron, *plan.problem, plan.plan).empty());
    }

    // One trainer in the window: chosen in either place it is the other's too, and what is typed beside it
    // stays. Each trainer is asked of answers alone and leaves the search's.
    void theTrainerIsTheSearchs() {
        AnswersFixture f;
        SearchPanel panel(f.context);
        f.openSmallProject();
        auto* searched = panel.findChild<QComboBox*>(QStringLiteral("search.target"));
        auto* answered = f.control<QComboBox>("answers.target");
        const auto offered = [](const QComboBox& box) {
            QStringList formats;
            for (int i = 0; i < box.count(); ++i)
                if (const QString format = box.itemData(i).toString(); format != QStringLiteral("all"))
                    formats << format;
            return formats;
        };
        QCOMPARE(offered(*answered), offered(*searched));
        QVERIFY(offered(*searched).size() > 8);
        auto* required = panel.findChild<QLineEdit*>(QStringLiteral("search.require"));
        QTest::keyClicks(required, QStringLiteral("nobody"));
        auto* size = panel.findChild<QLineEdit*>(QStringLiteral("search.max-tp"));
        QTest::keyClicks(size, QStringLiteral("many"));
        QVERIFY(f.choose("answers.target", QStringLiteral("flagscale")));
        QCOMPARE(searched->currentData().toString(), QStringLiteral("flagscale"));
        QCOMPARE(f.runner.demand().target, exporterRow("flagscale"));
        QCOMPARE(required->text(), QStringLiteral("nobody"));
        QCOMPARE(size->text(), QStringLiteral("many"));
        QVERIFY(required->property("invalid").toBool() && size->property("invalid").toBool());
        searched->setCurrentIndex(searched->findData(QStringLiteral("megatron")));
        QCOMPARE(answered->currentData().toString(), QStringLiteral("megatron"));
        QCOMPARE(f.runner.demand().target, exporterRow("megatron"));
        answered->setCurrentIndex(answered->findData(QStringLiteral("all")));
        QCOMPARE(searched->currentData().toString(), QStringLiteral("megatron"));
        SearchDemand demand = f.runner.demand();
        demand.maxCp = 2; // another part of it
        f.runner.setDemand(demand);
        QCOMPARE(answered->currentData().toString(), QStringLiteral("all"));
        searched->setCurrentIndex(0);
        QVERIFY(answered->currentData().toString().isEmpty());
        // Another project asks for any trainer, in both.
        searched->setCurrentIndex(searched->findData(QStringLiteral("megatron")));
        f.document.reset();
        QVERIFY(answered->currentData().toString().isEmpty());
        QVERIFY(searched->currentData().toString().isEmpty());
    }

    void whatPlansUseIsTypedAndEnterAsks() {
        AnswersFixture f;
        f.openSmallProject();
        f.type("answers.required", QStringLiteral(" n1 , n2"));
        QSignalSpy answered(&f.view, &AnswersView::answered);
        QTest::keyClick(f.control<QLineEdit>("answers.required"), Qt::Key_Return);
        QVERIFY(answered.wait(60'000));
        QVERIFY2(f.message().isEmpty(), qPrintable(f.message()));
        QVERIFY(!f.candidates.all().empty());
        for (const Candidate& plan : f.candidates.all()) {
            std::set<int> nodes;
            for (const Pipeline& pipeline : plan.plan.pipelines)
                for (const Stage& stage : pipeline.stages)
                    for (const Replica& replica : stage.replicas)
                        for (const DeviceIndex d : replica.devices)
                            nodes.insert(
                                plan.problem->topology().devices()[static_cast<std::size_t>(d)].node);
            QVERIFY(nodes.contains(0) && nodes.contains(1));
        }
    }

    void aNameThatIsNoneIsRefusedInItsField() {
        AnswersFixture f;
        f.openSmallProject();
        f.type("answers.required", QStringLiteral("n3, n9"));
        QVERIFY(f.press("answers.fastest"));
        QVERIFY2(f.message().startsWith(QStringLiteral("n9: is to be used but is no node")),
                 qPrintable(f.message()));
        QCOMPARE(f.view.focusWidget(), f.control<QWidget>("answers.required"));
        QVERIFY(f.candidates.all().empty());
    }

    void namesAreCompletedBehindTheLastComma() {
        AnswersFixture f;
        f.openSmallProject();
        f.type("answers.required", QStringLiteral("n1, v1"));
        const auto* field = f.control<QLineEdit>("answers.required");
        QCOMPARE(field->completer()->currentCompletion(), QStringLiteral("n1, V100-16"));
        f.drawSample(); // another cluster has other names
        f.type("answers.required", QStringLiteral("n4"));
        QCOMPARE(field->completer()->currentCompletion(), QStringLiteral("n4"));
    }

    // The beginning of one name alone stands for it, and in full once the field is left; of several for none.
    void theBeginningOfOneNameIsTaken() {
        AnswersFixture f;
        f.openSmallProject();
        auto* field = f.control<QLineEdit>("answers.required");
        f.type("answers.required", QStringLiteral("n1, v1"));
        QCOMPARE(namesIn(field), (std::vector<std::string>{"n1", "V100-16"}));
        QCOMPARE(field->text(), QStringLiteral("n1, v1"));
        Q_EMIT field->editingFinished();
        QCOMPARE(field->text(), QStringLiteral("n1, V100-16"));
        f.type("answers.required", QStringLiteral("n"));
        Q_EMIT field->editingFinished();
        QCOMPARE(field->text(), QStringLiteral("n"));
        // What is offered has an edge of its own before the fields that it covers.
        QWidget* offered = field->completer()->popup();
        offered->resize(120, 40);
        QCOMPARE(offered->grab().toImage().pixelColor(0, 20).rgb(), theme().line.rgb());
    }

    void allPlannersAreTicked() {
        AnswersFixture f;
        f.openSmallProject();
        f.tick("answers.allPlanners");
        QVERIFY(f.press("answers.fastest"));
        QCOMPARE(rowsOfFirstTable(f), static_cast<int>(plannerTable().size()));
        QVERIFY(!f.candidates.all().empty());
        f.type("answers.required", QStringLiteral("n3"));
        QTest::mouseClick(f.button("answers.fastest"), Qt::LeftButton);
        QVERIFY(!f.view.isRunning());
        QCOMPARE(f.message(),
                 QStringLiteral("A required device is not combined with all planners: it takes one planner"));
        QCOMPARE(f.view.focusWidget(), f.control<QWidget>("answers.required"));
        f.tick("answers.allPlanners"); // off again
        QVERIFY(f.press("answers.fastest"));
        QVERIFY2(f.message().isEmpty(), qPrintable(f.message()));
    }

    void howSureIsAskedWithADeadline() {
        AnswersFixture f;
        f.openSmallProject();
        auto* box = f.control<QCheckBox>("answers.also");
        box->setFocus();
        QTest::keyClick(box, Qt::Key_Space);
        f.type("answers.deadline", QStringLiteral("1000 s"));
        QVERIFY(f.press("answers.fewest"));
        QVERIFY2(f.texts().contains(QStringLiteral("A deadline of 1000")), qPrintable(f.texts()));
        QVERIFY2(f.texts().contains(QStringLiteral("How sure the order is")), qPrintable(f.texts()));
    }

    void thePlanInViewIsJudged() {
        AnswersFixture f;
        QVERIFY(!f.button("answers.judge")->isEnabled());
        f.openSmallProject();
        QVERIFY(!f.button("answers.judge")->isEnabled()); // no plan
        f.commands->action("answers.judge")->trigger();
        QVERIFY(!f.view.isRunning());
        QCOMPARE(f.message(), f.button("answers.judge")->toolTip());
        QVERIFY(f.button("answers.fastest")->isEnabled());
        QVERIFY(f.search(5'000));
        const int worst = f.candidates.all().back().id;
        f.selection.setPlan(worst);
        QVERIFY(f.button("answers.judge")->isEnabled());
        QVERIFY(f.press("answers.judge"));
        QVERIFY2(f.texts().contains(QStringLiteral("This plan: ")), qPrintable(f.texts()));
        QVERIFY2(f.texts().contains(QStringLiteral("Plan %1\n").arg(f.candidates.find(worst)->name)),
                 qPrintable(f.texts()));
        QCOMPARE(f.selection.plan(), worst); // stays in view
        QVERIFY(f.choose("answers.target", QStringLiteral("megatron")));
        QSignalSpy answered(&f.view, &AnswersView::answered);
        f.commands->action("answers.judge")->trigger();
        QVERIFY(answered.wait(60'000));
        QVERIFY2(f.texts().contains(q(exporterRow("megatron")->label)), qPrintable(f.texts()));
        // Another question: the plan is no answer to it.
        Project changed = *f.document.project();
        changed.recipe.gbs *= 2;
        QVERIFY(f.document.apply(changed, QStringLiteral("batch")));
        QVERIFY(!f.button("answers.judge")->isEnabled());
    }

    void whatCannotRunIsSaidWithItsReasons() {
        AnswersFixture f;
        Project project = smallProject();
        project.model->hidden = 16'384;
        project.model->headDim = 1'024;
        project.model->ffn = 65'536;
        project.model->blocks = 96;
        project.profiles.clear();
        f.document.adopt(project, QString());
        QVERIFY(f.press("answers.fastest"));
        QCOMPARE(f.message(), QStringLiteral("No plan of this space can run"));
        QVERIFY2(f.texts().contains(QRegularExpression(QStringLiteral("can run\n  \\S"))),
                 qPrintable(f.texts()));
        QVERIFY(f.candidates.all().empty());
    }

    // Until there is something to show, the view says that it is busy.
    void theFirstAnswerIsWaitedFor() {
        AnswersFixture f;
        f.openSmallProject();
        SearchOptions options;
        options.work = 50'000'000;
        f.runner.setOptions(options);
        QSignalSpy answered(&f.view, &AnswersView::answered);
        QTest::mouseClick(f.button("answers.fastest"), Qt::LeftButton);
        QVERIFY(f.view.isRunning());
        QVERIFY(f.view.findChild<EmptyState*>()->isVisible());
        QVERIFY2(f.texts().contains(QStringLiteral("Looking for the answer")), qPrintable(f.texts()));
        for (const char* name : {"answers.fastest", "answers.fewest", "answers.tradeOff", "answers.around"})
            QVERIFY2(!f.button(name)->isEnabled(), name);
        QTest::mouseClick(f.button("answers.stop"), Qt::LeftButton);
        QVERIFY(answered.wait(60'000));
        QVERIFY(f.button("answers.fastest")->isEnabled());
    }

    // In a narrow dock the controls stand below each other, none beside its edge.
    void controlsWrapWhereTheDockIsNarrow() {
        AnswersFixture f;
        const auto bottom = [&] {
            int most = 0;
            for (const char* name : {"answers.target", "answers.required", "answers.allPlanners",
                                     "answers.also", "answers.fastest", "answers.fewest", "answers.tradeOff",
                                     "answers.around", "answers.judge"}) {
                const auto* control = f.control<QWidget>(name);
                const QPoint corner = control->mapTo(&f.view, control->rect().bottomRight());
                if (corner.x() >= f.view.width())
                    return -1;
                most = std::max(most, corner.y());
            }
            return most;
        };
        f.view.resize(1200, 400);
        const int wide = bottom();
        QVERIFY(wide > 0);
        f.view.resize(480, 400);
        QCOMPARE(f.view.width(), 480); // it can be that narrow
        QVERIFY(bottom() > wide);
    }
};

QTEST_MAIN(QuestionLimitsTest)
#include "question_limits_test.moc"

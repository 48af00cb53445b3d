// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The search panel: a field for each option, Run only when there is a question, and a search that never holds
// the window.

#include "core/search/options.h"
#include "tests/base/false_clock.h"
#include "tests/ui/search/bound_run.h"
#include "tests/whatif/edited_plan.h"
#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/base/manual_link.h"
#include "ui/details/breakdown_view.h"
#include "ui/search/option_form.h"
#include "ui/search/rejection_bar.h"
#include "ui/search/search_panel.h"
#include "ui/widgets/column_scroll.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/message_bar.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <map>
#include <set>
#include <utility>

using namespace pw;

class SearchPanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyOptionHasAField() {
        OptionForm form;
        for (const SearchOptionRow& row : searchOptionTable()) {
            auto* field = form.findChild<QWidget*>(QStringLiteral("search.") + QLatin1String(row.name));
            QVERIFY2(field, row.name);
            QVERIFY(!field->accessibleName().isEmpty());
            QVERIFY(!field->toolTip().isEmpty());
        }
    }

    void badTextIsRefusedInItsField() {
        OptionForm form;
        auto* seed = form.findChild<QLineEdit*>(QStringLiteral("search.seed"));
        seed->selectAll();
        QTest::keyClicks(seed, QStringLiteral("many"));
        QVERIFY(!form.valid());
        QVERIFY(form.refusal().startsWith(QStringLiteral("Seed")));
        seed->selectAll();
        QTest::keyClicks(seed, QStringLiteral("7"));
        QVERIFY(form.valid());
        QCOMPARE(form.options().seed, std::uint64_t{7});
        auto* work = form.findChild<QLineEdit*>(QStringLiteral("search.work"));
        QTest::keyClicks(work, QStringLiteral("5000"));
        QCOMPARE(form.options().work, std::int64_t{5000});
        work->selectAll();
        QTest::keyClick(work, Qt::Key_Delete); // empty: the planner's own
        QVERIFY(form.valid());
        QCOMPARE(form.options().work, std::int64_t{0});
    }

    void runWaitsForProblems() {
        UiFixture ui;
        bindRun(ui);
        SearchPanel panel(ui.context);
        auto* run = panel.findChild<QPushButton*>(QStringLiteral("search.run"));
        QVERIFY(!run->isEnabled());
        QVERIFY(panel.findChild<QLabel*>(QStringLiteral("search.blocked"))
                    ->text()
                    .startsWith(QStringLiteral("Run waits for")));
        QStringList lines;
        for (const QLabel* label : panel.findChildren<QLabel*>())
            lines << label->text();
        const QStringList modelless = lines.filter(QStringLiteral("o model is chosen"));
        QCOMPARE(modelless.size(), 1); // not "model: no model is chosen"
        QVERIFY2(modelless.front().startsWith(QStringLiteral("No model is chosen")),
                 qPrintable(modelless.front()));
        ui.openSmallProject();
        QVERIFY(run->isEnabled());
        QVERIFY(panel.findChild<QLabel*>(QStringLiteral("search.blocked"))->isHidden());
    }

    // Why nothing runs and why nothing was found is read without scrolling, wherever the panel is scrolled
    // to.
    void refusalsAreReadInALowPanel() {
        UiFixture ui;
        SearchPanel panel(ui.context);
        panel.resize(330, 300);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        auto* page = panel.findChild<ColumnScroll*>(QStringLiteral("search.page"));
        const auto toTheEnd = [page] {
            page->verticalScrollBar()->setValue(page->verticalScrollBar()->maximum());
            return page->verticalScrollBar()->value() > 0;
        };
        const auto isRead = [&panel](const char* name) { // from its first line on
            const auto* label = panel.findChild<QLabel*>(QLatin1String(name));
            return label && label->visibleRegion().contains(QPoint(label->width() / 2, 8));
        };
        QTRY_VERIFY(toTheEnd());
        QTRY_VERIFY(isRead("search.blocked"));
        ui.openSmallProject();
        auto* target = panel.findChild<QComboBox*>(QStringLiteral("search.target"));
        target->setCurrentIndex(target->findData(QStringLiteral("hexiscale"))); // only sizes of Llama
        page->verticalScrollBar()->setValue(0);
        QVERIFY(ui.search());
        QVERIFY(ui.runner.failure());
        QTRY_VERIFY(isRead("search.reasons"));
        QTRY_VERIFY(toTheEnd());
        QVERIFY(isRead("search.reasons"));
        QVERIFY(page->height() >= panel.height() / 2); // and leaves room for what can be done
    }

    // The panel is asked anew at every edit and step of a search: who is on one of its links stays there, and
    // goes on from it to the first field.
    void theFocusStaysOnWhatRunWaitsFor() {
        UiFixture ui;
        SearchPanel panel(ui.context);
        panel.show();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        QPointer<QLabel> problem;
        for (QLabel* label :
             panel.findChild<QWidget*>(QStringLiteral("search.refusals"))->findChildren<QLabel*>())
            if (!problem && label->text().contains(QStringLiteral("href")))
                problem = label;
        QVERIFY(problem);
        problem->setFocus();
        QVERIFY(problem->hasFocus());
        Project renamed = *ui.document.project();
        renamed.name = "another";
        QVERIFY(ui.document.apply(renamed, QStringLiteral("Rename")));
        QVERIFY(problem && problem->hasFocus());
        const auto* target = panel.findChild<QWidget*>(QStringLiteral("search.target"));
        QStringList order;
        for (const QWidget* at = panel.nextInFocusChain(); at != &panel; at = at->nextInFocusChain())
            if (at == problem || at == target)
                order << at->objectName();
        QCOMPARE(order, QStringList({problem->objectName(), target->objectName()}));
    }

    void searchFillsThePanel() {
        UiFixture ui;
        SearchPanel panel(ui.context);
        ui.openSmallProject();
        QVERIFY(ui.search());
        QVERIFY(ui.runner.outcome());
        QCOMPARE(panel.findChild<QLabel*>(QStringLiteral("search.state"))->text(), ui.runner.endWord());
        QVERIFY(panel.findChild<QLabel*>(QStringLiteral("search.best"))->text().endsWith(QLatin1Char('s')));
        QVERIFY(panel.findChild<QListWidget*>(QStringLiteral("search.bestPlans"))->count() > 0);
        QCOMPARE(ui.selection.plan(), ui.runner.bestId()); // it follows the best
        QCOMPARE(ui.candidates.all().front().id, ui.runner.bestId());
    }

    // Who passes by changes nothing; arrows and Enter choose.
    void theFocusAloneChoosesNoPlan() {
        UiFixture ui;
        SearchPanel panel(ui.context);
        ui.openLongProject();
        QVERIFY(ui.search());
        auto* list = panel.findChild<QListWidget*>(QStringLiteral("search.bestPlans"));
        const int best = list->item(0)->data(Qt::UserRole).toInt();
        const std::shared_ptr<const Problem> problem = ui.document.problem();
        const Plan own = test::editPlan(*problem);
        const int other =
            ui.candidates.add(problem, {{own, *evaluate(*problem, own)}}, QStringLiteral("own"));
        QVERIFY(other != best);
        panel.show();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        ui.selection.setPlan(other);
        QVERIFY(list->selectedItems().isEmpty());
        list->setFocus(Qt::TabFocusReason);
        QCOMPARE(ui.selection.plan(), other);
        list->setCurrentRow(0, QItemSelectionModel::NoUpdate);
        QCOMPARE(ui.selection.plan(), other);
        QTest::keyClick(list, Qt::Key_Return);
        QCOMPARE(ui.selection.plan(), best);
        QCOMPARE(list->selectedItems(), QList<QListWidgetItem*>{list->item(0)});
        ui.selection.setPlan(other);
        QTest::keyClick(list, Qt::Key_Home); // it is there: a space chooses it
        QTest::keyClick(list, Qt::Key_Space);
        QCOMPARE(ui.selection.plan(), best);
    }

    // As narrow as it may be, before its figures come and after.
    void nothingIsCutOnTheRight() {
        UiFixture ui;
        QWidget window;
        auto* room = new QVBoxLayout(&window);
        auto* panel = new SearchPanel(ui.context);
        room->addWidget(panel);
        window.resize(1, 300);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const auto* scroll = panel->findChild<ColumnScroll*>(QStringLiteral("search.page"));
        const auto wholeWidth = [&] {
            return scroll->widget()->width() <= scroll->viewport()->width() &&
                   scroll->widget()->width() >= scroll->widget()->minimumSizeHint().width();
        };
        QTRY_VERIFY_WITH_TIMEOUT(wholeWidth(), 60'000);
        ui.openSmallProject();
        QVERIFY(ui.search());
        panel->findChild<QLabel*>(QStringLiteral("search.evaluated"))
            ->setText(QStringLiteral("a figure that is longer than any other in this panel"));
        QTRY_VERIFY_WITH_TIMEOUT(wholeWidth(), 60'000);
        QVERIFY(scroll->verticalScrollBar()->isVisible());
    }

    void sameSeedAndWorkGiveTheSamePlan() {
        UiFixture one, two;
        for (UiFixture* ui : {&one, &two}) {
            ui->openSmallProject();
            QVERIFY(ui->search());
        }
        QCOMPARE(one.candidates.all().front().key, two.candidates.all().front().key);
    }

    void stopKeepsWhatWasFound() {
        UiFixture ui;
        ui.openSmallProject();
        SearchOptions options;
        options.work = 1'000'000'000;
        ui.runner.setOptions(options);
        QSignalSpy ended(&ui.runner, &SearchRunner::finished);
        QVERIFY(ui.runner.start());
        QVERIFY(!ui.runner.start()); // one at a time
        QTRY_VERIFY_WITH_TIMEOUT(!ui.runner.isRunning() || !ui.candidates.all().empty(), 60'000);
        ui.runner.stop();
        QTRY_VERIFY_WITH_TIMEOUT(ended.size() == 1, 60'000);
        QVERIFY(ui.runner.outcome()->work < options.work);
        QVERIFY(!ui.candidates.all().empty());
        QVERIFY(!ui.runner.isRunning());
    }

    // A limit is not the user's stop, neither in the outcome nor in words.
    void aTimeLimitIsCalledSo() {
        test::FalseClock clock; // outlives the search
        UiFixture ui;
        ui.openLongProject();
        SearchOptions options;
        options.planner = "exhaustive";
        options.clock = &clock;
        options.timeLimit = 1.0;
        ui.runner.setOptions(options);
        QSignalSpy found(&ui.runner, &SearchRunner::bestFound), ended(&ui.runner, &SearchRunner::finished);
        QVERIFY(ui.runner.start());
        QVERIFY(found.wait(60'000)); // without a plan there is nothing that a limit cut short
        clock.advance(2.0);
        QVERIFY(ended.wait(60'000));
        QCOMPARE(ui.runner.outcome()->status, SearchStatus::Budget);
        QCOMPARE(ui.runner.endWord(), QStringLiteral("Time limit"));
        QVERIFY2(!ui.runner.endText().contains(QStringLiteral("you")), qPrintable(ui.runner.endText()));
        options.timeLimit = 0.0;
        options.work = 5'000;
        ui.runner.setOptions(options);
        QVERIFY(ui.runner.start() && ended.wait(60'000));
        QCOMPARE(ui.runner.endWord(), QStringLiteral("Work limit"));
    }

    // A number is a name for life: what is found later, better or worse, gets the next ones.
    void aPlanKeepsItsNumber() {
        UiFixture ui;
        ui.openSmallProject();
        QVERIFY(ui.search());
        std::map<int, QString> names;
        std::set<QString> given;
        for (const Candidate& candidate : ui.candidates.all()) {
            names[candidate.id] = candidate.name;
            QVERIFY2(given.insert(candidate.name).second, qPrintable(candidate.name));
        }
        const Candidate best = ui.candidates.all().front();
        FoundPlan better{best.plan, best.evaluation};
        better.plan.pipelines.front().microbatches *= 2; // another plan
        better.evaluation.iteration = best.evaluation.iteration * 0.5;
        const int improved = ui.candidates.add(best.problem, {better}, QStringLiteral("improved"));
        QCOMPARE(ui.candidates.all().front().id, improved);
        QVERIFY(!given.contains(ui.candidates.find(improved)->name));
        const int last = ui.candidates.all().back().id;
        ui.candidates.setPinned(last, true);
        ui.candidates.setName(last, QStringLiteral("slow but sure"));
        ui.candidates.remove(best.id);
        for (const Candidate& candidate : ui.candidates.all())
            if (candidate.id != improved && candidate.id != last)
                QCOMPARE(candidate.name, names.at(candidate.id));
        ui.candidates.setName(last, QString()); // its name was taken back
        QCOMPARE(ui.candidates.find(last)->name, names.at(last));
        // The number of one that is gone is not given again.
        const int again =
            ui.candidates.add(best.problem, {{best.plan, best.evaluation}}, QStringLiteral("x"));
        QVERIFY(!given.contains(ui.candidates.find(again)->name));
        QVERIFY(ui.candidates.find(again)->name != ui.candidates.find(improved)->name);
    }

    // Every plan of a search for a trainer is one that its export takes.
    void plansForATrainerAreThoseThatItRuns() {
        UiFixture ui;
        SearchPanel panel(ui.context);
        ui.openLongProject();
        auto* target = panel.findChild<QComboBox*>(QStringLiteral("search.target"));
        QVERIFY(target && target->currentData().toString().isEmpty());
        target->setCurrentIndex(target->findData(QStringLiteral("megatron")));
        QVERIFY(ui.search());
        const ExporterRow& megatron = *exporterRow("megatron");
        QVERIFY(!ui.candidates.all().empty());
        for (const Candidate& candidate : ui.candidates.all())
            QVERIFY(exportRefusals(megatron, *candidate.problem, candidate.plan).empty());
        const auto* cost = panel.findChild<QLabel*>(QStringLiteral("search.cost"));
        QVERIFY2(cost->text().contains(QStringLiteral("Megatron-LM")), qPrintable(cost->text()));
        QCOMPARE(ui.selection.plan(), ui.runner.bestId());
        // Another project asks for any trainer again.
        ui.document.reset();
        QVERIFY(target->currentData().toString().isEmpty());
        QVERIFY(!ui.runner.demand().target);
    }

    // A trainer without the precision that some GPUs force: a button leaves them out and searches again.
    void whatATrainerCannotUseIsLeftOutByAButton() {
        UiFixture ui;
        SearchPanel panel(ui.context);
        panel.show();
        const std::string file = PW_SOURCE_DIR "/samples/projects/mixed-16.pwx";
        QVERIFY(ui.document.open(q(file)));
        auto* target = panel.findChild<QComboBox*>(QStringLiteral("search.target"));
        auto* leaveOut = panel.findChild<QPushButton*>(QStringLiteral("search.leaveOut"));
        QVERIFY(target && leaveOut && !leaveOut->isVisible());
        target->setCurrentIndex(target->findData(QStringLiteral("torchtitan")));
        QVERIFY(ui.search());
        QVERIFY(ui.candidates.all().empty() && ui.runner.refused());
        QVERIFY(leaveOut->isVisible());
        QCOMPARE(leaveOut->text(), QStringLiteral("Leave V100-16 out and search"));
        QSignalSpy ended(&ui.runner, &SearchRunner::finished);
        QTest::mouseClick(leaveOut, Qt::LeftButton);
        QVERIFY(ended.wait(60'000));
        QVERIFY(!leaveOut->isVisible());
        QVERIFY(!ui.candidates.all().empty());
        for (const Candidate& candidate : ui.candidates.all())
            QVERIFY(exportRefusals(*exporterRow("torchtitan"), *candidate.problem, candidate.plan).empty());
        QCOMPARE(ui.document.project()->forbidden, std::vector<std::string>{"V100-16"});
        ui.document.undoStack()->undo();
        QVERIFY(ui.document.project()->forbidden.empty());
    }

    // GPUs that a trainer's plans merely leave idle stay in the project: its plans are of all of them.
    void whatATrainerLeavesIdleStays() {
        UiFixture ui;
        SearchPanel panel(ui.context);
        panel.show();
        QVERIFY(ui.document.open(q(PW_SOURCE_DIR "/samples/projects/mixed-16.pwx")));
        auto* target = panel.findChild<QComboBox*>(QStringLiteral("search.target"));
        auto* leaveOut = panel.findChild<QPushButton*>(QStringLiteral("search.leaveOut"));
        QVERIFY(target && leaveOut);
        target->setCurrentIndex(target->findData(QStringLiteral("nemo2")));
        QVERIFY(ui.search());
        QVERIFY(!ui.candidates.all().empty() && !ui.runner.refused());
        QVERIFY(!leaveOut->isVisible());
        const std::string hash = ui.document.problem()->hash();
        for (const Candidate& candidate : ui.candidates.all())
            QCOMPARE(candidate.problem->hash(), hash);
    }

    // By Tab the options come as they are read: those for experts behind their button.
    void tabGoesFromTopToBottom() {
        OptionForm form;
        std::vector<QString> met;
        for (QWidget* at = form.nextInFocusChain(); at != &form; at = at->nextInFocusChain())
            if (at->objectName().startsWith(QStringLiteral("search.")))
                met.push_back(at->objectName());
        std::vector<QString> read, experts;
        for (const SearchOptionRow& row : searchOptionTable())
            (row.expert ? experts : read).push_back(QStringLiteral("search.") + QLatin1String(row.name));
        QVERIFY(!read.empty() && !experts.empty());
        read.push_back(QStringLiteral("search.experts"));
        read.insert(read.end(), experts.begin(), experts.end());
        QCOMPARE(met, read);
    }

    void expertsOptionsFoldAway() {
        OptionForm form;
        form.show();
        auto* unfold = form.findChild<QToolButton*>(QStringLiteral("search.experts"));
        auto* seed = form.findChild<QLineEdit*>(QStringLiteral("search.seed"));
        QVERIFY(!seed->isVisible());
        QVERIFY(form.findChild<QComboBox*>(QStringLiteral("search.planner"))->isVisible());
        unfold->click();
        QVERIFY(seed->isVisible());
        unfold->click();
        SearchOptions options;
        options.seed = 7; // nothing works unseen
        form.setOptions(options);
        QVERIFY(seed->isVisible());
    }

    // A search that would not end by itself: start() returns, and the window's own events go on beside it.
    void startLeavesTheWindowFree() {
        UiFixture ui;
        openEndless(ui);
        QSignalSpy ended(&ui.runner, &SearchRunner::finished);
        QVERIFY(ui.runner.start());
        int turns = 0;
        QTimer timer;
        connect(&timer, &QTimer::timeout, &ui.window, [&turns] { ++turns; });
        timer.start(0);
        QTRY_VERIFY_WITH_TIMEOUT(turns > 100, 60'000);
        QVERIFY(ui.runner.isRunning());
        ui.runner.stop();
        QVERIFY(ended.size() == 1 || ended.wait(60'000));
    }

    void rejectionsAreWordedAndSpoken() {
        QCOMPARE(rejectionText(Rejection::OutOfMemory), QStringLiteral("Out of memory"));
        RejectionBar bar;
        bar.setCounts({{Rejection::OutOfMemory, 12},
                       {Rejection::SlowerThanTheBest, 30},
                       {Rejection::BatchNotDivisible, 0}});
        QCOMPARE(bar.accessibleName(), QStringLiteral("Rejected: Slower than the best 30, Out of memory 12"));
        QCOMPARE(bar.total(), 42);
    }

    // In a narrow panel reasons stand below each other before their words are cut.
    void rejectionsAreWholeInANarrowPanel() {
        RejectionBar bar;
        bar.resize(900, 60);
        bar.setCounts({{Rejection::SlowerThanTheBest, 123'456}, {Rejection::OutOfMemory, 12}});
        bar.show();
        const auto tops = [&bar] {
            QList<int> list;
            for (const AccessiblePart& part : bar.accessibleParts())
                list << part.rect.top();
            return list;
        };
        QCOMPARE(tops().size(), 2);
        QCOMPARE(tops()[0], tops()[1]);
        const int low = bar.height();
        bar.resize(240, bar.height());
        QVERIFY(tops()[0] < tops()[1]);
        QVERIFY(bar.height() > low);
        for (const AccessiblePart& part : bar.accessibleParts())
            QVERIFY(bar.rect().contains(part.rect));
        bar.resize(900, bar.height());
        QCOMPARE(tops()[0], tops()[1]);
        QCOMPARE(bar.height(), low);
    }

    // The panel, its bar and what the search hands back count the same.
    void rejectionsAreCountedOnce() {
        UiFixture ui;
        ui.openSmallProject();
        SearchPanel panel(ui.context);
        QVERIFY(ui.search());
        std::int64_t rejected = 0;
        for (const auto& [reason, count] : ui.runner.outcome()->rejected)
            rejected += count;
        QVERIFY(rejected > 0);
        QCOMPARE(panel.findChild<RejectionBar*>(QStringLiteral("search.rejected"))->total(), rejected);
        QCOMPARE(panel.findChild<QLabel*>(QStringLiteral("search.ruledOut"))->text(),
                 QStringLiteral("%1 rejected").arg(countText(rejected)));
    }

    // Where there is no bound, the reason; where there is one, what it speaks of. Never empty brackets.
    void theBoundSaysWhatItSpeaksOf() {
        UiFixture ui;
        SearchPanel panel(ui.context);
        ui.openSmallProject();
        QVERIFY(ui.search());
        const auto* bound = panel.findChild<QLabel*>(QStringLiteral("search.bound"));
        const auto* gap = panel.findChild<QLabel*>(QStringLiteral("search.gap"));
        const SearchOutcome whole = *ui.runner.outcome();
        QVERIFY(whole.bound.value.value > 0.0 && !whole.bound.kind.empty());
        QVERIFY2(bound->toolTip().contains(q(whole.bound.kind)), qPrintable(bound->toolTip()));
        QVERIFY2(bound->toolTip().contains(q(whole.bound.scope.text())), qPrintable(bound->toolTip()));
        const auto show = [&](const SearchOutcome& outcome, const SearchDemand& demand = {}) {
            ui.runner.restore(ui.document.problem(), outcome, demand, {});
        };
        SearchOutcome unnamed = whole;
        unnamed.bound.kind.clear();
        show(unnamed);
        QVERIFY2(!bound->toolTip().contains(QStringLiteral("()")), qPrintable(bound->toolTip()));
        QVERIFY(bound->text() != QStringLiteral("none"));

        SearchOutcome unproven = whole;
        unproven.status = SearchStatus::Feasible;
        unproven.bound = {};
        SearchOutcome uncovered = unproven, stopped = unproven;
        uncovered.covered = false;
        stopped.plans.clear();
        stopped.status = SearchStatus::Budget;
        SearchOutcome infeasible = stopped;
        infeasible.status = SearchStatus::Infeasible;
        SearchDemand megatron;
        megatron.target = exporterRow("megatron");
        struct Case {
            const SearchOutcome& outcome;
            SearchDemand demand;
            const char* why;
        };
        for (const auto& [outcome, demand, why] :
             {Case{unproven, {}, "has proven no bound"}, Case{unproven, megatron, "Megatron-LM"},
              Case{uncovered, {}, "like the best one"}, Case{stopped, {}, "no plan was found"},
              Case{infeasible, {}, "no plan fits"}}) {
            show(outcome, demand);
            QCOMPARE(bound->text(), QStringLiteral("none"));
            QVERIFY2(bound->toolTip().contains(QLatin1String(why)), qPrintable(bound->toolTip()));
            QCOMPARE(gap->toolTip(), bound->toolTip());
        }
    }

    // What the planner has to say of its answer stands under the counts, each with a way to its entry.
    void whatThePlannerSaysIsShown() {
        UiFixture ui;
        ui.openSmallProject();
        SearchPanel panel(ui.context);
        const auto* says = panel.findChild<QLabel*>(QStringLiteral("search.says"));
        QVERIFY(ui.search());
        QCOMPARE(says->isHidden(), ui.runner.outcome()->notes.empty());
        SearchOptions haap;
        haap.planner = "haap";
        haap.work = 5'000;
        ui.runner.setOptions(haap);
        QSignalSpy ended(&ui.runner, &SearchRunner::finished);
        QVERIFY(ui.runner.start() && ended.wait(60'000));
        QVERIFY(!says->isHidden());
        const Diagnostics& notes = ui.runner.outcome()->notes;
        QVERIFY(!notes.empty());
        for (const Diagnostic& note : notes) {
            QVERIFY2(says->text().contains(sentence(note).toHtmlEscaped()), qPrintable(says->text()));
            QVERIFY(says->text().contains(messageUrl(note.code).toString(QUrl::FullyEncoded)));
        }
    }

    void pauseHoldsTheSearchAndLetsItGoOn() {
        UiFixture ui;
        SearchPanel panel(ui.context);
        openEndless(ui);
        QSignalSpy ended(&ui.runner, &SearchRunner::finished);
        QVERIFY(ui.runner.start());
        // How much there is to do is not known yet: what is held does not move, either.
        const auto* bar = panel.findChild<QProgressBar*>(QStringLiteral("search.progress"));
        QCOMPARE(ui.runner.progress().workLimit, std::int64_t{0});
        QCOMPARE(bar->maximum(), 0);
        ui.runner.setPaused(true);
        QVERIFY(bar->maximum() > 0);
        QCOMPARE(bar->value(), 0);
        ui.runner.setPaused(false);
        QCOMPARE(bar->maximum(), 0);
        QTRY_VERIFY_WITH_TIMEOUT(ui.runner.progress().work > 0, 60'000);
        QCOMPARE(panel.subtitle(), QStringLiteral("running"));
        ui.runner.setPaused(true);
        QCOMPARE(ui.runner.endWord(), QStringLiteral("Paused"));
        QCOMPARE(panel.subtitle(), QStringLiteral("paused"));
        // The round that runs may end; then one look into the mailbox after the other finds the same work.
        std::int64_t held = 0;
        int looks = 0;
        const auto told = connect(&ui.runner, &SearchRunner::progressed, &ui.window, [&] {
            const auto before = std::exchange(held, ui.runner.progress().work);
            looks = before == held ? looks + 1 : 0;
        });
        QTRY_VERIFY_WITH_TIMEOUT(looks >= 10, 60'000);
        disconnect(told);
        QVERIFY(ui.runner.isRunning());
        ui.runner.setPaused(false);
        QCOMPARE(panel.subtitle(), QStringLiteral("running"));
        QTRY_VERIFY_WITH_TIMEOUT(ui.runner.progress().work > held, 60'000);
        ui.runner.setPaused(true);
        ui.runner.stop(); // a held search stops, too
        QVERIFY(ended.size() == 1 || ended.wait(60'000));
    }
};

QTEST_MAIN(SearchPanelTest)
#include "search_panel_test.moc"

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Plans that differ from the fastest one say by what and for how much time, as long as that is so.

#include "tests/ui/ui_fixture.h"
#include "ui/base/convert.h"
#include "ui/plans/differing_plans.h"
#include "ui/plans/kept_plans.h"
#include "ui/plans/known_plans.h"
#include "ui/plans/near_ties.h"
#include "ui/plans/plan_filter.h"
#include "ui/plans/plan_table_model.h"
#include "ui/plans/saved_table.h"

#include <map>

using namespace pw;

class DifferingPlansTest : public QObject {
    Q_OBJECT

private:
    // Of a real search.
    static FoundPlan fastestOf(UiFixture& ui) {
        ui.openSmallProject();
        if (!ui.search() || ui.candidates.all().empty())
            qFatal("nothing found");
        FoundPlan first{ui.candidates.all().front().plan, ui.candidates.all().front().evaluation};
        ui.candidates.clear();
        return first;
    }
    static FoundPlan slower(const FoundPlan& first, double times, int launch) {
        FoundPlan plan = first;
        plan.plan.pipelines.front().schedule.launch.assign(plan.plan.pipelines.front().stages.size(), launch);
        plan.evaluation.iteration = first.evaluation.iteration * times;
        return plan;
    }
    static FoundPlan scheduled(const FoundPlan& first, double times, ScheduleKind kind, int launch = 1) {
        FoundPlan plan = slower(first, times, launch);
        plan.plan.pipelines.front().schedule.kind = kind;
        return plan;
    }
    static FoundPlan lighter(const FoundPlan& first, double times) {
        FoundPlan plan = slower(first, times, 90);
        for (DeviceMemory& memory : plan.evaluation.memory)
            memory.capacity = memory.capacity * 4.0;
        return plan;
    }
    // As if all had one structure and the same trainers.
    static NearTies tiesOf(const Candidates& candidates, const QHash<int, DifferingPlan>& differing = {}) {
        const QString structure;
        const QStringList trainers;
        return nearTies(
            candidates.all(), differing, [&](const Candidate&) -> const QString& { return structure; },
            [&](const Candidate&) -> const QStringList& { return trainers; });
    }
    // By name.
    static std::map<QString, std::vector<Difference>> marksOf(const Candidates& candidates) {
        std::map<QString, std::vector<Difference>> marks;
        const auto all = differingPlans(candidates.all());
        for (const Candidate& c : candidates.all())
            if (const auto at = all.constFind(c.id); at != all.cend())
                marks[c.name] = at->by;
        return marks;
    }

private Q_SLOTS:
    void theTableSaysByWhatAndForHowMuch() {
        UiFixture ui;
        const FoundPlan first = fastestOf(ui);
        ui.candidates.add(ui.document.problem(),
                          {first, slower(first, 1.01, 2), lighter(first, 1.041),
                           scheduled(first, 1.1, ScheduleKind::GPipe),
                           scheduled(first, 1.2, ScheduleKind::Eager)},
                          QStringLiteral("searched"));
        PlanTableModel model(ui.context);
        const auto cell = [&](int row, int column) { return model.index(row, column); };
        QCOMPARE(cell(2, PlanTableModel::Differs).data().toString(), QStringLiteral("+4.1 %: less memory"));
        QCOMPARE(cell(3, PlanTableModel::Differs).data().toString(),
                 QStringLiteral("+10.0 %: another schedule"));
        for (const int row : {0, 1, 4})
            QVERIFY(cell(row, PlanTableModel::Differs).data().toString().isEmpty());
        for (int row = 0; row < 5; ++row) {
            const bool marked = row == 2 || row == 3;
            QCOMPARE(cell(row, PlanTableModel::Ties).data().toString().contains(QChar(0x2260)), marked);
        }
        for (const int column : {PlanTableModel::Ties, PlanTableModel::Differs}) {
            const QString tip = cell(3, column).data(Qt::ToolTipRole).toString();
            QVERIFY2(tip.contains(QStringLiteral("GPipe in place of")), qPrintable(tip));
            QVERIFY2(tip.contains(QStringLiteral("10.0 % longer than plan 1")), qPrintable(tip));
        }
        QVERIFY(cell(3, PlanTableModel::Ties)
                    .data(Qt::AccessibleTextRole)
                    .toString()
                    .contains(QStringLiteral("another schedule")));
        // The words find it, and the column puts those that differ in front.
        PlanFilter filter;
        filter.setSourceModel(&model);
        filter.setFilter(QStringLiteral("another schedule"));
        QCOMPARE(filter.rowCount(), 1);
        filter.setFilter(QString());
        filter.sort(PlanTableModel::Differs);
        QCOMPARE(filter.index(0, PlanTableModel::Name).data().toString(), QStringLiteral("3"));
        QCOMPARE(filter.index(1, PlanTableModel::Name).data().toString(), QStringLiteral("4"));
    }

    // Which the table does with those that are gone.
    void whatIsKnownOfPlansIsForgotten() {
        UiFixture ui;
        const FoundPlan first = fastestOf(ui);
        ui.candidates.add(ui.document.problem(), {first, slower(first, 1.01, 2), lighter(first, 1.041)},
                          QStringLiteral("searched"));
        KnownPlans known;
        for (const Candidate& plan : ui.candidates.all())
            known.traits(plan);
        QCOMPARE(known.size(), std::size_t{3});
        const int kept = ui.candidates.all().back().id;
        known.forgetOthers({kept, kept + 1});
        QCOMPARE(known.size(), std::size_t{1});
        known.forgetOthers({});
        QCOMPARE(known.size(), std::size_t{0});
    }

    // The figures decide, not who was first: the next one of the kind takes the place of one that leaves, and
    // beside a faster plan other plans differ.
    void marksFollowTheFigures() {
        using enum Difference;
        using Marks = std::map<QString, std::vector<Difference>>;
        UiFixture ui;
        const FoundPlan first = fastestOf(ui);
        const auto problem = ui.document.problem();
        QVERIFY(first.plan.pipelines.front().schedule.kind != ScheduleKind::GPipe);
        ui.candidates.add(
            problem,
            {first, scheduled(first, 1.1, ScheduleKind::GPipe), scheduled(first, 1.2, ScheduleKind::Eager)},
            QStringLiteral("searched"));
        QVERIFY(marksOf(ui.candidates) == (Marks{{QStringLiteral("2"), {OtherSchedule}}}));
        const int second = ui.candidates.all()[1].id;
        ui.candidates.remove(second);
        QVERIFY(marksOf(ui.candidates) == (Marks{{QStringLiteral("3"), {OtherSchedule}}}));
        ui.candidates.add(problem, {scheduled(first, 0.97, ScheduleKind::Eager, 2)},
                          QStringLiteral("searched"));
        QVERIFY(marksOf(ui.candidates) == (Marks{{QStringLiteral("1"), {OtherSchedule}}}));
        // A quarter slower is too slow.
        ui.candidates.add(problem, {scheduled(first, 0.75, ScheduleKind::Eager, 3)},
                          QStringLiteral("searched"));
        QVERIFY(marksOf(ui.candidates).empty());
    }

    void editedAndForeignPlansGetNoMarks() {
        UiFixture ui;
        const FoundPlan first = fastestOf(ui);
        const auto problem = ui.document.problem();
        ui.candidates.add(problem, {first}, QStringLiteral("searched"));
        ui.candidates.putEdited(problem, scheduled(first, 1.1, ScheduleKind::GPipe), nullptr,
                                {QStringLiteral("1, edited"), QStringLiteral("1"), {}, {}});
        ui.candidates.addOf(QStringLiteral("other.pwx"), problem, lighter(first, 1.1),
                            QStringLiteral("other 7"), {});
        QCOMPARE(ui.candidates.all().size(), std::size_t{3});
        QVERIFY(marksOf(ui.candidates).empty());
    }

    // Whoever stands there for a reason of its own is not folded behind another plan.
    void whatDiffersIsNobodysNearTie() {
        UiFixture ui;
        const FoundPlan first = fastestOf(ui);
        ui.candidates.add(ui.document.problem(), {first, slower(first, 1.0005, 2)},
                          QStringLiteral("searched"));
        const int second = ui.candidates.all()[1].id;
        QCOMPARE(tiesOf(ui.candidates).leader.value(second), ui.candidates.all()[0].id);
        DifferingPlan differing;
        differing.by = {Difference::EqualStages};
        QVERIFY(tiesOf(ui.candidates, {{second, differing}}).leader.isEmpty());
    }

    // Else the project's best plan would be out of sight.
    void noPlanIsFoldedBehindOneOfAnotherFile() {
        UiFixture ui;
        const FoundPlan first = fastestOf(ui);
        const auto problem = ui.document.problem();
        const int other = ui.candidates.addOf(QStringLiteral("other.pwx"), problem, first,
                                              QStringLiteral("1 of other.pwx"), {});
        ui.candidates.add(problem, {slower(first, 1.0002, 2), slower(first, 1.0004, 3)},
                          QStringLiteral("searched"));
        QCOMPARE(ui.candidates.all().front().id, other);
        const NearTies ties = tiesOf(ui.candidates);
        const int best = ui.candidates.all()[1].id;
        QVERIFY(!ties.leader.contains(best));
        QCOMPARE(ties.leader.value(ui.candidates.all()[2].id), best);
        QVERIFY(!ties.count.contains(other));
    }

    // What the search keeps beside its best plans is in the table, and marked there as it is in the outcome.
    void theSearchBringsThem() {
        UiFixture ui;
        ui.openSmallProject();
        SearchOptions options;
        options.work = 20'000;
        options.top = 1;
        ui.runner.setOptions(options);
        QSignalSpy ended(&ui.runner, &SearchRunner::finished);
        QVERIFY(ui.runner.start() && ended.wait(60'000));
        const SearchOutcome& outcome = *ui.runner.outcome();
        std::map<Difference, double> asked, shown; // s
        for (const std::vector<FoundPlan>* plans : {&outcome.plans, &outcome.differing})
            for (const FoundPlan& found : *plans) {
                const std::string key = canonicalKey(found.plan);
                QVERIFY(std::any_of(ui.candidates.all().begin(), ui.candidates.all().end(),
                                    [&](const Candidate& c) { return c.key == key; }));
                for (const Difference by : found.differs)
                    asked[by] = found.evaluation.iteration.value;
            }
        for (const DifferingPlan& plan : differingPlans(ui.candidates.all()))
            for (const Difference by : plan.by)
                shown[by] = plan.traits.iteration;
        QVERIFY(!outcome.differing.empty());
        QVERIFY(asked == shown);
    }

    void theyAreMarkedAgainWhenTheyComeBack() {
        UiFixture ui;
        ui.openSmallProject();
        QVERIFY(ui.search());
        const auto before = marksOf(ui.candidates);
        QVERIFY(!before.empty());
        UiFixture again;
        again.document.adopt(withTable(ui.context, *ui.document.project()).project, QString());
        QVERIFY(restoreKept(again.context));
        QVERIFY(marksOf(again.candidates) == before);
    }

    // The limit of a file is for near variants: one that differs is kept behind them.
    void aFileKeepsThemBehindManyOthers() {
        UiFixture ui;
        const FoundPlan first = fastestOf(ui);
        std::vector<FoundPlan> many = {first};
        for (std::size_t i = 0; i < SavedTable::kMostPlans + 3; ++i)
            many.push_back(slower(first, 1.0 + 1e-4 * static_cast<double>(i + 1), 100 + static_cast<int>(i)));
        many.push_back(scheduled(first, 1.2, ScheduleKind::GPipe));
        ui.candidates.add(ui.document.problem(), many, QStringLiteral("searched"));
        const QString last = ui.candidates.all().back().name;
        const SavedTable saved = withTable(ui.context, *ui.document.project());
        QCOMPARE(saved.project.plans.size(), SavedTable::kMostPlans + 1);
        QCOMPARE(saved.project.plans.back().name, s(last));
        QCOMPARE(saved.leftOut, 4);
    }
};

QTEST_MAIN(DifferingPlansTest)
#include "differing_plans_test.moc"

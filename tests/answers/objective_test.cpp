// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/deadline.h"
#include "core/answers/objective.h"
#include "tests/answers/small_question.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace pw;

namespace {

// The small question with prices of a GPU hour, its ends untied: else the fastest plan has both on one node
// and the smallest peak as well.
std::shared_ptr<const Problem> priced(double a100, double v100) {
    const auto plain = test::smallQuestion();
    Cluster cluster = plain->topology().cluster();
    for (const auto& [kind, price] : {std::pair{"A100-SXM4-40GB", a100}, {"V100-SXM2-32GB", v100}}) {
        DeviceKind own = *Catalogue::builtin().find(kind);
        own.pricePerHour = price;
        cluster.kinds.push_back(own);
    }
    Model model = plain->model();
    model.tied = false;
    return test::problemOf(cluster, model, plain->recipe().gbs, plain->recipe().seq);
}

ParetoFront frontOf(const std::shared_ptr<const Problem>& problem, Objective objective,
                    Seconds deadline = {}) {
    int calls = 0;
    const auto front = paretoFront(problem, objective, test::searcherOf(calls), {}, deadline);
    if (!front)
        qFatal("%s", front.error().text().c_str());
    return *front;
}

// Seven nodes of one kind, of which the sets that are searched without a deadline are 7, 3 and 1.
std::shared_ptr<const Problem> sevenNodes() {
    Cluster cluster = test::drawnCluster(std::vector<test::DrawnNode>(7, {"A100-SXM4-40GB", 2, 25.0}));
    DeviceKind own = *Catalogue::builtin().find("A100-SXM4-40GB");
    own.pricePerHour = 2.0;
    cluster.kinds.push_back(own);
    Model model = test::sampleModel("gpt3-1.3b");
    model.blocks = 8;
    return test::problemOf(cluster, model, 64, 2048);
}

} // namespace

class ObjectiveTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void frontHoldsNoBeatenPlan_data() {
        QTest::addColumn<int>("objective");
        for (const ObjectiveRow& row : objectiveTable())
            if (row.objective != Objective::Time)
                QTest::addRow("%s", row.name) << static_cast<int>(row.objective);
    }

    void frontHoldsNoBeatenPlan() {
        QFETCH(int, objective);
        const auto problem = priced(3.0, 1.0);
        const ParetoFront front = frontOf(problem, static_cast<Objective>(objective));
        const std::vector<FoundPlan>& plans = front.outcome.plans;
        QVERIFY(plans.size() >= 2);
        QCOMPARE(plans.size(), front.values.size());
        for (std::size_t p = 0; p < plans.size(); ++p) {
            QCOMPARE(objectiveValue(*problem, plans[p], front.objective), front.values[p]);
            if (p > 0) {
                QVERIFY(front.values[p] > front.values[p - 1]);
                QVERIFY(plans[p].evaluation.iteration < plans[p - 1].evaluation.iteration);
            }
        }
        // The last one is at least as fast as what a plain search finds.
        int calls = 0;
        const auto plain = test::searcherOf(calls)(problem);
        QVERIFY(plain);
        QVERIFY(plans.back().evaluation.iteration <= plain->plans.front().evaluation.iteration);
        const Json document = paretoDocument(*problem, front);
        QCOMPARE(document["pareto"]["points"].size(), plans.size());
        QVERIFY(document["gap"].is_null());
    }

    void moneyGoesToTheCheapKind() {
        const auto cheapV100 = priced(100.0, 0.01);
        const FoundPlan first = frontOf(cheapV100, Objective::Money).outcome.plans.front();
        const auto groups = nodeGroups(*cheapV100);
        for (std::size_t g = 0; g < groups.size(); ++g)
            QCOMPARE(usedNodes(*cheapV100, groups, first.plan)[g] == 0, groups[g].gpus == 4);
        const double hours = first.evaluation.iteration.value / 3600.0;
        const double byHand = usedGpus(first.plan) * 0.01 * hours / (64.0 * 2048.0);
        QVERIFY(std::abs(objectiveValue(*cheapV100, first, Objective::Money) / byHand - 1.0) < 1e-12);
    }

    // The cheapest in time is that of the front without a deadline as far as that goes, on the border between
    // too slow and dear, too.
    void aDeadlineLeavesTheFrontThatMeetsIt_data() { frontHoldsNoBeatenPlan_data(); }

    void aDeadlineLeavesTheFrontThatMeetsIt() {
        QFETCH(int, objective);
        const auto problem = priced(3.0, 1.0);
        const ParetoFront whole = frontOf(problem, static_cast<Objective>(objective));
        QCOMPARE(whole.inTime, whole.archive);
        for (const FoundPlan& point : whole.outcome.plans) {
            const Seconds deadline = point.evaluation.iteration;
            ParetoFront front = frontOf(problem, whole.objective, deadline);
            QVERIFY(!front.misses() && !refusalOf(front));
            QVERIFY(front.inTime > 0 && front.inTime <= front.archive);
            QCOMPARE(front.values.size(), front.outcome.plans.size());
            for (const FoundPlan& found : front.outcome.plans)
                QVERIFY(found.evaluation.iteration <= deadline);
            const double value = objectiveValue(*problem, point, whole.objective);
            QVERIFY2(
                front.values.front() <= value,
                qPrintable(QStringLiteral("%1, without a deadline %2").arg(front.values.front()).arg(value)));
        }
    }

    // Every number of nodes searched by itself: the steps from the sets of the front find what is between.
    void theCheapestInTimeIsFoundBetweenTheSets() {
        const auto problem = sevenNodes();
        const auto groups = nodeGroups(*problem);
        QCOMPARE(groups.size(), std::size_t{1});
        int calls = 0;
        const Searcher searcher = test::searcherOf(calls);
        std::vector<std::vector<FoundPlan>> found; // by nodes, from 1
        for (int nodes = 1; nodes <= 7; ++nodes) {
            const auto part = withCounts(*problem, groups, {nodes});
            QVERIFY(part);
            const auto outcome = searcher(*part);
            QVERIFY(outcome && !outcome->plans.empty());
            found.push_back(outcome->plans);
        }
        int between = 0; // deadlines for which the sets without one have not the cheapest plan
        for (int nodes = 1; nodes <= 7; ++nodes) {
            const Seconds deadline =
                found[static_cast<std::size_t>(nodes - 1)].front().evaluation.iteration * 1.001;
            double cheapest = std::numeric_limits<double>::infinity(), ofSets = cheapest;
            for (int n = 1; n <= 7; ++n)
                for (const FoundPlan& plan : found[static_cast<std::size_t>(n - 1)])
                    if (plan.evaluation.iteration <= deadline) {
                        const double price = objectiveValue(*problem, plan, Objective::Money);
                        cheapest = std::min(cheapest, price);
                        if (n == 1 || n == 3 || n == 7)
                            ofSets = std::min(ofSets, price);
                    }
            const ParetoFront front = frontOf(problem, Objective::Money, deadline);
            QVERIFY(!front.misses());
            QVERIFY2(front.values.front() <= cheapest * (1.0 + 1e-12),
                     qPrintable(QStringLiteral("%1 nodes: %2, by trial %3")
                                    .arg(nodes)
                                    .arg(front.values.front())
                                    .arg(cheapest)));
            QVERIFY(front.searches <= deadlineSearches(14) && front.searches <= front.variants);
            between += cheapest < ofSets ? 1 : 0;
        }
        QVERIFY(between > 0);
    }

    void aDeadlineThatNothingMeetsSaysHowFarItIs() {
        const auto problem = priced(3.0, 1.0);
        const ParetoFront front = frontOf(problem, Objective::Money, Seconds(1e-6));
        QVERIFY(front.misses());
        QCOMPARE(front.inTime, std::size_t{0});
        QCOMPARE(front.outcome.plans.size(), std::size_t{1});
        const auto refused = refusalOf(front);
        QVERIFY(refused && refused->kind == ErrorKind::Infeasible);
        QCOMPARE(refused->code, std::string("deadline.not_met"));
        QCOMPARE(refused->reasons.size(), std::size_t{2}); // the fastest found, and what is proven
        QVERIFY(refused->reasons.back().message.ends_with(": out of reach"));
        const ParetoFront whole = frontOf(problem, Objective::Money);
        QVERIFY(front.outcome.plans.front().evaluation.iteration <=
                whole.outcome.plans.back().evaluation.iteration);
        const Json document = paretoDocument(*problem, front)["pareto"];
        QCOMPARE(document["deadline_s"].get<double>(), 1e-6);
        QCOMPARE(document["in_time"].get<int>(), 0);
        QVERIFY(!paretoDocument(*problem, whole)["pareto"].contains("deadline_s"));
    }

    void stoppedBeforeAnythingNothingIsMissed() {
        std::stop_source source;
        source.request_stop();
        int calls = 0;
        const auto front = paretoFront(priced(3.0, 1.0), Objective::Money, test::searcherOf(calls),
                                       source.get_token(), Seconds(1.0));
        QVERIFY(front && !front->misses() && refusalOf(*front));
        QCOMPARE(calls, 0);
    }

    void memoryIsSpared() {
        const auto problem = priced(3.0, 1.0);
        const ParetoFront front = frontOf(problem, Objective::Memory);
        QVERIFY(front.values.front() < 0.8 * front.values.back());
        for (const FoundPlan& found : front.outcome.plans)
            QVERIFY(found.evaluation.feasible);
    }

    void missingPriceIsRefusedByName() {
        QVERIFY(checkObjective(*test::smallQuestion(), Objective::Memory));
        QVERIFY(checkObjective(*test::smallQuestion(), Objective::Energy));
        const auto half = priced(2.0, 0.0);
        const Status refused = checkObjective(*half, Objective::Money);
        QVERIFY(!refused);
        QCOMPARE(refused.error().where, std::string("V100-SXM2-32GB"));
        QVERIFY(refused.error().message.starts_with("has no price: "));
        const Status both = checkObjective(*test::smallQuestion(), Objective::Money);
        QVERIFY(!both);
        QCOMPARE(both.error().where, std::string("A100-SXM4-40GB, V100-SXM2-32GB"));
        QVERIFY(both.error().message.starts_with("these kinds have no price: "));
        const auto without = half->withForbidden({"V100-SXM2-32GB"});
        QVERIFY(without && checkObjective(**without, Objective::Money));
    }
};

QTEST_GUILESS_MAIN(ObjectiveTest)
#include "objective_test.moc"

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/objective.h"
#include "tests/answers/small_question.h"

#include <QTest>

#include <cmath>

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

ParetoFront frontOf(const std::shared_ptr<const Problem>& problem, Objective objective) {
    int calls = 0;
    const auto front = paretoFront(problem, objective, test::searcherOf(calls), {});
    if (!front)
        qFatal("%s", front.error().text().c_str());
    return *front;
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
        const auto without = half->withForbidden({"V100-SXM2-32GB"});
        QVERIFY(without && checkObjective(**without, Objective::Money));
    }
};

QTEST_GUILESS_MAIN(ObjectiveTest)
#include "objective_test.moc"

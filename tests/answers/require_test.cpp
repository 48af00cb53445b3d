// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/require.h"
#include "tests/answers/small_question.h"

#include <QTest>

#include <algorithm>
#include <string>

using namespace pw;

namespace {

// Whether the plan uses a device that is called so, stands in a node called so or is of a kind called so.
bool uses(const Problem& problem, const Plan& plan, const std::string& name) {
    const Topology& topology = problem.topology();
    const auto isMeant = [&](DeviceIndex d) {
        const Device& device = topology.devices()[static_cast<std::size_t>(d)];
        const DeviceKind& kind = topology.kinds()[static_cast<std::size_t>(device.kind)];
        const Node& node = topology.cluster().nodes[static_cast<std::size_t>(device.node)];
        return device.id == name || node.id == name || kind.name == name || kind.shortName == name;
    };
    for (const Pipeline& pipeline : plan.pipelines)
        for (const Stage& stage : pipeline.stages)
            for (const Replica& replica : stage.replicas)
                if (std::any_of(replica.devices.begin(), replica.devices.end(), isMeant))
                    return true;
    return false;
}

} // namespace

class RequireTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPlanComplies_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"n1", "n2", "n3", "n4", "n3.g2", "n4.g1", "V100-SXM2-32GB", "A100-40"})
            QTest::addRow("%s", name) << QString::fromLatin1(name);
    }

    void everyPlanComplies() {
        QFETCH(QString, name);
        const auto problem = test::smallQuestion();
        const std::vector<std::string> required = {name.toStdString()};
        QVERIFY(checkRequired(*problem, required));
        int calls = 0;
        const auto outcome = searchRequiring(problem, required, 3, test::searcherOf(calls), {});
        QVERIFY(outcome);
        QVERIFY2(!outcome->plans.empty(),
                 outcome->reasons.empty() ? "" : outcome->reasons[0].message.c_str());
        QVERIFY(outcome->plans.size() <= 3);
        for (const FoundPlan& found : outcome->plans) {
            QVERIFY(uses(*problem, found.plan, name.toStdString()));
            QVERIFY(checkPlan(*problem, found.plan, "plan"));
            const auto again = evaluate(*problem, found.plan);
            QVERIFY(again && again->feasible);
            QCOMPARE(again->iteration.value, found.evaluation.iteration.value);
            QVERIFY(found.evaluation.iteration >= outcome->bound.value);
        }
        for (const FoundPlan& found : outcome->differing)
            QVERIFY(!found.differs.empty() && uses(*problem, found.plan, name.toStdString()));
    }

    // The best plan leaves the slow node out: it is found once the others may not be used.
    void slowClassIsForcedIn() {
        Model m = test::sampleModel("gpt3-1.3b");
        m.blocks = 4;
        const auto problem =
            test::problemOf(test::drawnCluster({{"H100-SXM-80GB", 8, 400.0}, {"T4", 1, 1.0}}), m, 64, 2048);
        int calls = 0;
        const auto free = test::searcherOf(calls)(problem);
        QVERIFY(free && !free->plans.empty());
        for (const FoundPlan& found : free->plans)
            QVERIFY(!uses(*problem, found.plan, "T4"));
        const auto outcome = searchRequiring(problem, {"T4"}, 1, test::searcherOf(calls), {});
        QVERIFY(outcome);
        QVERIFY2(!outcome->plans.empty(),
                 outcome->reasons.empty() ? "" : outcome->reasons[0].message.c_str());
        QVERIFY(uses(*problem, outcome->plans.front().plan, "T4"));
        QVERIFY(outcome->plans.front().evaluation.iteration > free->plans.front().evaluation.iteration);
        QVERIFY(outcome->status != SearchStatus::Optimal);
    }

    void nothingFoundIsSaid() {
        Model m = test::sampleModel("gpt3-1.3b");
        const auto problem =
            test::problemOf(test::drawnCluster({{"A100-SXM4-40GB", 8, 400.0}, {"T4", 1, 1.0}}), m, 64, 2048);
        const Searcher nothing = [](const std::shared_ptr<const Problem>& asked) -> Result<SearchOutcome> {
            SearchOptions options;
            options.planner = "alpa"; // each class by itself, or all GPUs alike
            options.work = 1;
            SearchObserver nobody;
            return search(asked, options, nobody, {});
        };
        const auto outcome = searchRequiring(problem, {"T4"}, 1, nothing, {});
        QVERIFY(outcome);
        QVERIFY(outcome->plans.empty());
        QCOMPARE(outcome->status, SearchStatus::Infeasible);
        QVERIFY(outcome->reasons.back().message.find("T4") != std::string::npos);
    }

    void namesAreChecked() {
        const auto problem = test::smallQuestion();
        QCOMPARE(checkRequired(*problem, {"n9"}).error().where, std::string("n9"));
        const auto part = problem->withForbidden({"n2"});
        QVERIFY(part);
        QCOMPARE(checkRequired(**part, {"n2"}).error().code, std::string("require.forbidden"));
        QVERIFY(checkRequired(**part, {"V100-SXM2-32GB"})); // n4 is left
    }
};

QTEST_GUILESS_MAIN(RequireTest)
#include "require_test.moc"

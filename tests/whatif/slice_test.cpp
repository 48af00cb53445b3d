// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/evaluation.h"
#include "core/whatif/slice.h"

#include "tests/whatif/edited_plan.h"

#include <QTest>

#include <algorithm>
#include <utility>
#include <vector>

using namespace pw;
using whatif::SliceParameter;

// One thing changes and the others stay.
class SliceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Under a schedule of several chunks a boundary ends a chunk of a stage that there is.
    void boundariesAreOfStagesThatExist() {
        const auto problem = test::editProblem();
        Plan plan = test::editPlan(*problem);
        const auto named = [&] {
            std::vector<std::pair<int, int>> list;
            for (const SliceParameter& parameter : whatif::sliceParameters(*problem, plan))
                if (parameter.kind == SliceParameter::Kind::Boundary)
                    list.emplace_back(parameter.stage, parameter.chunk);
            return list;
        };
        QCOMPARE(named(), (std::vector<std::pair<int, int>>{{0, -1}, {1, -1}}));
        Pipeline& pipeline = plan.pipelines.front();
        pipeline.stages.resize(2);
        pipeline.schedule = {ScheduleKind::Interleaved, LaunchRule::Artifact, 2, {}};
        for (int stage = 0; stage < 2; ++stage)
            pipeline.stages[static_cast<std::size_t>(stage)].chunks = {
                layersOfBlocks(2 * stage, 2 * stage + 2, 8), layersOfBlocks(2 * stage + 4, 2 * stage + 6, 8)};
        QCOMPARE(named(), (std::vector<std::pair<int, int>>{{0, 0}, {1, 0}, {0, 1}}));
    }

    // Every point is what evaluating the changed plan says, one of them is the plan itself, and values
    // ascend.
    void pointsAreEvaluatedPlans() {
        const auto problem = test::editProblem();
        const Plan plan = test::editPlan(*problem);
        const auto now = evaluate(*problem, plan);
        QVERIFY(now);
        const auto parameters = whatif::sliceParameters(*problem, plan);
        for (const auto kind :
             {SliceParameter::Kind::AllLinks, SliceParameter::Kind::Link, SliceParameter::Kind::Microbatch,
              SliceParameter::Kind::Boundary, SliceParameter::Kind::Tp})
            QVERIFY(std::any_of(parameters.begin(), parameters.end(),
                                [kind](const SliceParameter& p) { return p.kind == kind; }));
        for (const SliceParameter& parameter : parameters) {
            const auto points = whatif::slice(*problem, plan, parameter, {});
            QVERIFY(points && points->size() > 1);
            QCOMPARE(std::count_if(points->begin(), points->end(), [](const auto& p) { return p.now; }), 1);
            double before = -1.0;
            for (const whatif::SlicePoint& point : *points) {
                QVERIFY(point.at > before);
                before = point.at;
                if (point.now)
                    QCOMPARE(point.iteration.value, now->iteration.value);
                if (!point.plan)
                    continue;
                const auto alone = evaluate(*problem, *point.plan);
                QVERIFY(alone);
                QCOMPARE(point.iteration.value, alone->iteration.value);
                QCOMPARE(point.fits, alone->feasible);
            }
        }
    }

    void slowerLinksNeverHelp() {
        const auto problem = test::editProblem();
        const auto points = whatif::slice(*problem, test::editPlan(*problem), {}, {});
        QVERIFY(points);
        for (std::size_t i = 1; i < points->size(); ++i)
            QVERIFY((*points)[i].iteration <= (*points)[i - 1].iteration);
        QVERIFY(points->back().iteration < points->front().iteration);
        QVERIFY(!whatif::slice(*problem, test::editPlan(*problem), {SliceParameter::Kind::Link, "no-link", 0},
                               {}));
    }

    // A link to another site has a latency worth asking about; those of a rack have none.
    void latenciesOfSitesAreParameters() {
        const auto near = test::editProblem();
        const auto isLatency = [](const SliceParameter& parameter) {
            return parameter.kind == SliceParameter::Kind::Latency ||
                   parameter.kind == SliceParameter::Kind::AllLatencies;
        };
        QVERIFY(std::ranges::none_of(whatif::sliceParameters(*near, test::editPlan(*near)), isLatency));
        Cluster cluster = near->topology().cluster();
        cluster.links.front().latency = Seconds(20e-3);
        const auto far = Problem::make(cluster, near->model(), near->recipe(), near->profiles().rows());
        QVERIFY(far);
        const Plan plan = test::editPlan(**far);
        const auto parameters = whatif::sliceParameters(**far, plan);
        QCOMPARE(std::ranges::count_if(parameters, isLatency), std::ptrdiff_t{2}); // of all, and of that one
        for (const SliceParameter& parameter : parameters) {
            if (!isLatency(parameter))
                continue;
            const auto points = whatif::slice(**far, plan, parameter, {});
            QVERIFY(points);
            for (std::size_t i = 1; i < points->size(); ++i)
                QVERIFY((*points)[i].iteration >= (*points)[i - 1].iteration);
            QVERIFY(points->back().iteration > points->front().iteration);
        }
    }

    void aStopEndsIt() {
        const auto problem = test::editProblem();
        std::stop_source source;
        source.request_stop();
        const auto points = whatif::slice(*problem, test::editPlan(*problem), {}, source.get_token());
        QVERIFY(points && points->empty());
    }
};

QTEST_APPLESS_MAIN(SliceTest)
#include "slice_test.moc"

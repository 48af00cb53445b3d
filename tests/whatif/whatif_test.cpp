// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/whatif/costing.h"
#include "core/whatif/instead.h"
#include "core/whatif/whatif.h"
#include "tests/schedule/every_kind.h"
#include "tests/whatif/edited_plan.h"

#include <QTest>

#include <algorithm>

using namespace pw;

// Edits of a plan by hand: what each changes, and what is refused with which words.
class WhatifTest : public QObject {
    Q_OBJECT

private:
    std::shared_ptr<const Problem> m_problem = test::editProblem();
    Plan m_plan = test::editPlan(*m_problem);

    const Stage& stage(const Plan& plan, int i) const {
        return plan.pipelines.front().stages[static_cast<std::size_t>(i)];
    }
    static QString refusalOf(const Result<Plan>& result) {
        return result ? QStringLiteral("accepted") : QString::fromStdString(result.error().message);
    }
    DeviceIndex device(const char* id) const { return m_problem->topology().find(id); }

private Q_SLOTS:
    void initTestCase() { QVERIFY(checkPlan(*m_problem, m_plan, "plan")); }

    void boundariesMoveByBlocksAndHalves() {
        QCOMPARE(whatif::boundaries(m_plan), 2);
        QCOMPARE(whatif::boundaryLayer(m_plan, 0), 7);
        const Result<Plan> whole = whatif::moveBoundary(*m_problem, m_plan, 0, 5);
        QVERIFY(whole);
        QCOMPARE(stage(*whole, 0).chunks.front().last, 4);
        QCOMPARE(stage(*whole, 1).chunks.front().first, 5);
        QCOMPARE(whole->pipelines.front().schedule.launch, m_plan.pipelines.front().schedule.launch);
        const Result<Plan> half = whatif::moveBoundary(*m_problem, m_plan, 0, 6);
        QVERIFY(half);
        QCOMPARE(stage(*half, 1).chunks.front().first, 6);
        const Result<Plan> back = whatif::moveBoundary(*m_problem, *half, 0, 7);
        QVERIFY(back && *back == m_plan);
        QCOMPARE(refusalOf(whatif::moveBoundary(*m_problem, m_plan, 0, 13)),
                 QStringLiteral("stage 1 would be empty"));
        QCOMPARE(refusalOf(whatif::moveBoundary(*m_problem, m_plan, 0, 0)),
                 QStringLiteral("stage 0 would be empty"));
        QCOMPARE(refusalOf(whatif::moveBoundary(*m_problem, m_plan, 2, 3)),
                 QStringLiteral("there is no boundary 2"));
    }

    void everyKindOfScheduleIsOffered() {
        for (const ScheduleKind kind : test::everyKind())
            QVERIFY2(std::ranges::count(whatif::scheduleChoices(), kind, &whatif::ScheduleChoice::kind) > 0,
                     name(kind));
    }

    void asFarAsMemoryAllows() {
        const whatif::Costing costing(m_problem);
        const Result<int> far = whatif::farthestBoundary(costing, m_plan, 0, +1);
        QVERIFY(far);
        QCOMPARE(*far, 11); // memory is plenty: all but one block, the last of stage 1's
        // With hardly any memory beyond the plan's need the boundary stays.
        Project tight = smallProject();
        tight.model->blocks = 8;
        const Result<Evaluation> now = costing.evaluate(m_plan);
        QVERIFY(now);
        for (const DeviceMemory& m : now->memory)
            if (m.stage == 0)
                tight.cluster.nodes[0].memoryTaken =
                    Bytes(m_problem->topology().kindOf(m.device).memory.value - m.peak.total().value * 1.02);
        const auto problem = problemOf(tight);
        QVERIFY(problem);
        const whatif::Costing narrow(*problem);
        const Result<int> stays = whatif::farthestBoundary(narrow, m_plan, 0, +1);
        QVERIFY(stays);
        QCOMPARE(*stays, 7);
        const Result<Plan> over = whatif::moveBoundary(**problem, m_plan, 0, 9);
        QVERIFY(over); // allowed, with numbers
        const Result<Evaluation> judged = narrow.evaluate(*over);
        QVERIFY(judged && !judged->feasible && !judged->reasons.empty());
    }

    void devicesMoveAndTpFollows() {
        const Result<Plan> moved = whatif::moveDevices(*m_problem, m_plan, {device("n1.g3")}, 1);
        QVERIFY2(moved, qPrintable(refusalOf(moved)));
        QCOMPARE(stage(*moved, 0).deviceCount(), 3);
        QCOMPARE(stage(*moved, 0).tp, 1); // three do not make pairs
        QCOMPARE(stage(*moved, 0).dp(), 3);
        QCOMPARE(stage(*moved, 0).replicas.front().share, 0.5);
        QCOMPARE(stage(*moved, 1).deviceCount(), 3);
        QCOMPARE(refusalOf(whatif::moveDevices(*m_problem, m_plan, {device("n2.g0"), device("n2.g1")}, 0)),
                 QStringLiteral("stage 1 would be left without a device; merge it with a neighbour"));
        const Result<Plan> unused =
            whatif::moveDevices(*m_problem, m_plan, {device("n2.g2"), device("n2.g3")}, 1);
        QVERIFY(unused);
        QCOMPARE(stage(*unused, 1).dp(), 4);
        const Result<Plan> back =
            whatif::releaseDevices(*m_problem, *unused, {device("n2.g2"), device("n2.g3")});
        QVERIFY(back && *back == m_plan);
    }

    // One of eight in a group of eight: neither 7 nor 9 make groups, and no more can go without leaving the
    // stage empty; what can be done is to exchange the nodes.
    void aGroupThatFillsItsNodeIsSwappedWhole() {
        Plan plan = m_plan;
        Pipeline& pipeline = plan.pipelines.front();
        const int blocks = static_cast<int>(m_problem->model().blocks);
        pipeline.microbatchSize = 1;
        pipeline.microbatches = 64;
        const auto eight = [](const std::string& node) {
            std::vector<std::string> ids;
            for (int g = 0; g < 8; ++g)
                ids.push_back(node + ".g" + std::to_string(g));
            return ids;
        };
        pipeline.stages = {test::stageOn(*m_problem, layersOfBlocks(0, 4, blocks), eight("n1"), 8),
                           test::stageOn(*m_problem, layersOfBlocks(4, 8, blocks), eight("n2"), 8)};
        pipeline.schedule.launch = {2, 1};
        QVERIFY(checkPlan(*m_problem, plan, "plan"));
        const std::vector<DeviceIndex> one{device("n1.g0")};
        QVERIFY(!whatif::moveDevices(*m_problem, plan, one, 1));
        const auto instead = whatif::nearestMove(*m_problem, plan, one, 1);
        QVERIFY(instead);
        QCOMPARE(instead->there.size(), std::size_t{8});
        QCOMPARE(instead->back.size(), std::size_t{8});
        QCOMPARE(instead->plan.pipelines.front().stages[0].replicas,
                 plan.pipelines.front().stages[1].replicas);
        QCOMPARE(instead->plan.pipelines.front().stages[1].replicas,
                 plan.pipelines.front().stages[0].replicas);
    }

    // From many plans, any one or two devices to any stage: what is offered in place of a refusal is a sound
    // plan that does what was asked for, and no smaller number of devices of the stage would have done.
    void insteadOfARefusalSomethingNearIsOffered() {
        Random random(20261125);
        Plan plan = m_plan;
        int refused = 0, offered = 0, swapped = 0, enlarged = 0;
        for (int draw = 0; draw < 3000; ++draw) {
            if (Result<Plan> next = test::randomEdit(random, *m_problem, plan);
                next && !next->pipelines.front().stages.empty())
                plan = draw % 40 == 0 ? m_plan : *std::move(next);
            const std::vector<Stage>& stages = plan.pipelines.front().stages;
            const int to = static_cast<int>(random.below(stages.size()));
            std::vector<DeviceIndex> asked{
                static_cast<DeviceIndex>(random.below(m_problem->topology().devices().size()))};
            if (whatif::moveDevices(*m_problem, plan, asked, to))
                continue;
            ++refused;
            if (const std::optional<Plan> exact =
                    whatif::moveAtLargerMicrobatch(*m_problem, plan, asked, to)) {
                ++enlarged;
                const auto has = [&](const Plan& of, DeviceIndex d) {
                    return std::ranges::any_of(
                        of.pipelines.front().stages[static_cast<std::size_t>(to)].replicas,
                        [&](const Replica& r) { return std::ranges::count(r.devices, d) == 1; });
                };
                QVERIFY(checkPlan(*m_problem, *exact, "plan"));
                QVERIFY(exact->pipelines.front().microbatchSize > plan.pipelines.front().microbatchSize);
                for (std::size_t d = 0; d < m_problem->topology().devices().size(); ++d)
                    QCOMPARE(has(*exact, static_cast<DeviceIndex>(d)),
                             static_cast<DeviceIndex>(d) == asked.front() ||
                                 has(plan, static_cast<DeviceIndex>(d)));
                // A smaller one would not do.
                for (const std::int64_t size : whatif::microbatchChoices(*m_problem, plan))
                    if (size > plan.pipelines.front().microbatchSize &&
                        size < exact->pipelines.front().microbatchSize)
                        QVERIFY(!whatif::moveDevices(
                            *m_problem, *whatif::setMicrobatch(*m_problem, plan, size), asked, to));
            }
            const auto instead = whatif::nearestMove(*m_problem, plan, asked, to);
            if (!instead)
                continue;
            ++offered;
            QVERIFY(checkPlan(*m_problem, instead->plan, "plan"));
            QCOMPARE(instead->there.front(), asked.front());
            const auto count = [&](const Plan& of, int stage) {
                return of.pipelines.front().stages[static_cast<std::size_t>(stage)].deviceCount();
            };
            const int there = static_cast<int>(instead->there.size()),
                      back = static_cast<int>(instead->back.size());
            QCOMPARE(count(instead->plan, to), count(plan, to) + there - back);
            if (instead->from >= 0)
                QCOMPARE(count(instead->plan, instead->from), count(plan, instead->from) - there + back);
            const std::vector<Replica>& now =
                instead->plan.pipelines.front().stages[static_cast<std::size_t>(to)].replicas;
            for (const DeviceIndex d : instead->there)
                QVERIFY(std::ranges::any_of(
                    now, [&](const Replica& r) { return std::ranges::count(r.devices, d) == 1; }));
            swapped += back > 0 ? 1 : 0;
            if (back == 0) {
                std::vector<DeviceIndex> fewer = instead->there;
                for (fewer.pop_back(); !fewer.empty(); fewer.pop_back())
                    QVERIFY(!whatif::moveDevices(*m_problem, plan, fewer, to));
            }
        }
        qInfo("%d refused, %d with an offer, %d of them swaps", refused, offered, swapped);
        QVERIFY(refused > 300);
        QVERIFY2(enlarged > 100, qPrintable(QString::number(enlarged)));
        QVERIFY2(offered * 10 >= refused * 9, qPrintable(QString::number(offered)));
        QVERIFY(swapped > 0 && swapped < offered);
    }

    void tpAndDp() {
        const Result<Plan> tp = whatif::setTp(*m_problem, m_plan, 0, 4);
        QVERIFY(tp);
        QCOMPARE(stage(*tp, 0).dp(), 1);
        QVERIFY(refusalOf(whatif::setTp(*m_problem, m_plan, 0, 3))
                    .contains(QStringLiteral("tp 3 does not divide")));
        QCOMPARE(whatif::tpChoices(*m_problem, m_plan, 0), (std::vector<int>{1, 2, 4}));
        QCOMPARE(whatif::tpChoices(*m_problem, m_plan, 1), (std::vector<int>{1, 2}));
        const Result<Plan> more = whatif::setDp(*m_problem, m_plan, 1, 4);
        QVERIFY(more);
        QCOMPARE(stage(*more, 1).deviceCount(), 4);
        QCOMPARE(refusalOf(whatif::setDp(*m_problem, m_plan, 2, 4)),
                 QStringLiteral("stage 2 needs 4 more V100-16; none is unused"));
        QVERIFY(refusalOf(whatif::setDp(*m_problem, m_plan, 1, 8))
                    .contains(QStringLiteral("4 sequences of a micro-batch cannot be shared by 8 replicas")));
        QVERIFY(!whatif::setDp(*m_problem, m_plan, 1, 0));
        const Result<Plan> fewer = whatif::setDp(*m_problem, *more, 1, 2);
        QVERIFY(fewer && *fewer == m_plan);
    }

    void recomputeAndMicrobatch() {
        const Result<Plan> full = whatif::setRecompute(*m_problem, m_plan, 0, Recompute::Full, 2);
        QVERIFY(full);
        QCOMPARE(stage(*full, 0).recomputeLayers, 2);
        const Result<Plan> all = whatif::setRecompute(*m_problem, m_plan, 0, Recompute::Full, 3);
        QVERIFY(all);
        QCOMPARE(stage(*all, 0).recomputeLayers, 0);
        QVERIFY(!whatif::setRecompute(*m_problem, m_plan, 0, Recompute::Selective, 2));
        const Result<Plan> larger = whatif::setMicrobatch(*m_problem, m_plan, 8);
        QVERIFY(larger);
        QCOMPARE(larger->pipelines.front().microbatches, std::int64_t(8));
        QVERIFY(refusalOf(whatif::setMicrobatch(*m_problem, m_plan, 3))
                    .contains(QStringLiteral("do not divide")));
        QVERIFY(refusalOf(whatif::setMicrobatch(*m_problem, m_plan, 1))
                    .contains(QStringLiteral("cannot be shared")));
        QCOMPARE(whatif::microbatchChoices(*m_problem, m_plan),
                 (std::vector<std::int64_t>{2, 4, 8, 16, 32, 64}));
    }

    void schedulesKeepTheBlocksOfAStage() {
        const Result<Plan> gpipe =
            whatif::setSchedule(*m_problem, m_plan, ScheduleKind::GPipe, LaunchRule::Artifact);
        QVERIFY(gpipe);
        QCOMPARE(stage(*gpipe, 1).chunks, stage(m_plan, 1).chunks);
        QVERIFY(gpipe->pipelines.front().schedule.launch.empty());
        const Result<Plan> v =
            whatif::setSchedule(*m_problem, m_plan, ScheduleKind::ZbV, LaunchRule::Artifact);
        QVERIFY2(v, qPrintable(refusalOf(v)));
        QCOMPARE(stage(*v, 1).chunks.size(), std::size_t(2));
        const Result<Plan> back =
            whatif::setSchedule(*m_problem, *v, ScheduleKind::OneFOneB, LaunchRule::Artifact);
        QVERIFY(back);
        for (int i = 0; i < 3; ++i)
            QCOMPARE(stage(*back, i).chunks, stage(m_plan, i).chunks);
        QVERIFY(refusalOf(
                    whatif::setSchedule(*m_problem, m_plan, ScheduleKind::Interleaved, LaunchRule::Artifact))
                    .contains(QStringLiteral("multiple of its 3 stages")));
    }

    void splitMergeReorder() {
        const Result<Plan> split = whatif::splitStage(*m_problem, m_plan, 0);
        QVERIFY2(split, qPrintable(refusalOf(split)));
        QCOMPARE(split->pipelines.front().stages.size(), std::size_t(4));
        QCOMPARE(stage(*split, 0).chunks.front(), layersOfBlocks(0, 2, 8));
        QCOMPARE(stage(*split, 1).chunks.front(), layersOfBlocks(2, 3, 8));
        QCOMPARE(stage(*split, 0).deviceCount(), 2);
        const Result<Plan> merged = whatif::mergeStages(*m_problem, *split, 0);
        QVERIFY2(merged, qPrintable(refusalOf(merged)));
        QCOMPARE(stage(*merged, 0), stage(m_plan, 0));
        const Result<Plan> turned = whatif::reorderStage(*m_problem, m_plan, 2, 0);
        QVERIFY(turned);
        QCOMPARE(stage(*turned, 0).replicas, stage(m_plan, 2).replicas);
        QCOMPARE(stage(*turned, 0).chunks.front(), layersOfBlocks(0, 2, 8));
        QCOMPARE(stage(*turned, 2).chunks.front(), layersOfBlocks(5, 8, 8));
        QVERIFY(!whatif::mergeStages(*m_problem, m_plan, 2));
        QVERIFY(!whatif::splitStage(*m_problem, m_plan, 3));
    }

    void aLostNodeLeavesItsBlocksToTheNeighbours() {
        const Result<Plan> lost = whatif::dropNode(*m_problem, m_plan, 1); // n2, all of stage 1
        QVERIFY2(lost, qPrintable(refusalOf(lost)));
        QCOMPARE(lost->pipelines.front().stages.size(), std::size_t(2));
        QCOMPARE(stage(*lost, 0).chunks.front(), layersOfBlocks(0, 5, 8));
        QCOMPARE(stage(*lost, 1).chunks.front(), layersOfBlocks(5, 8, 8));
        const Result<Plan> again = whatif::dropNode(*m_problem, *lost, 1);
        QCOMPARE(refusalOf(again), QStringLiteral("the plan does not use n2"));
    }

    // As one after the other, where that can be: halves of a replica are not asked to stay.
    void nodesAreLostTogether() {
        const Result<Plan> one = whatif::dropNode(*m_problem, m_plan, 1);
        QVERIFY(one);
        const Result<Plan> both = whatif::dropNode(*m_problem, *one, 2);
        QVERIFY2(both, qPrintable(refusalOf(both)));
        QVERIFY(*whatif::dropNodes(*m_problem, m_plan, {1, 2}) == *both);
        QVERIFY(*whatif::dropNodes(*m_problem, m_plan, {2, 1}) == *both);
        QCOMPARE(refusalOf(whatif::dropNodes(*m_problem, m_plan, {0, 1, 2})),
                 QStringLiteral("no device is left"));
        QCOMPARE(refusalOf(whatif::dropNodes(*m_problem, *both, {1, 2})),
                 QStringLiteral("the plan does not use n2, n3"));
        QVERIFY(!whatif::dropNodes(*m_problem, m_plan, {1, 9}));
    }

    void aSlowerLinkIsAnotherQuestion() {
        const auto slower = whatif::withLinksScaled(*m_problem, {"n3-s1"}, 0.5);
        QVERIFY(slower);
        QVERIFY((*slower)->hash() != m_problem->hash());
        const Result<Evaluation> now = evaluate(*m_problem, m_plan), then = evaluate(**slower, m_plan);
        QVERIFY(now && then);
        QVERIFY(then->pipelines[0].stages[1].send > now->pipelines[0].stages[1].send);
        QVERIFY(!whatif::withLinksScaled(*m_problem, {"n3-s1", "n9-s1"}, 2.0));
        QVERIFY(!whatif::withLinksScaled(*m_problem, {"n3-s1"}, 0.0));
    }
};

QTEST_APPLESS_MAIN(WhatifTest)
#include "whatif_test.moc"

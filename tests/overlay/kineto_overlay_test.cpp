// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/overlay/kineto_overlay.h"
#include "tests/exchange/sample_plan.h"

#include <QtTest>

#include <map>

using namespace pw;

namespace {

KinetoTrace onlyKernel(int rank, double microseconds) {
    KinetoTrace t;
    t.file = "rank" + std::to_string(rank);
    t.rank = rank;
    t.worldSize = 16;
    t.kernels = {{0.0, microseconds, KernelKind::Compute}};
    return t;
}

} // namespace

class KinetoOverlayTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTraceMadeOfThePredictionLeavesNoResidual() {
        const auto problem = sampleProblem();
        const Plan plan = samplePlan();
        const auto evaluation = evaluate(*problem, plan, {.keepOps = true});
        QVERIFY(evaluation);
        std::vector<KinetoTrace> traces;
        for (const int rank : {0, 5, 8, 15}) { // stages 0, 1, 2 and 3
            const auto first = overlay(*problem, plan, *evaluation, {onlyKernel(rank, 1.0)});
            QVERIFY2(first, first ? "" : first.error().text().c_str());
            const StageOverlay& one = first->front();
            QCOMPARE(one.stage, rank / 4);
            QCOMPARE(one.rank, rank);
            KinetoTrace same = onlyKernel(rank, one.computing.predicted.value * 1e6);
            same.kernels.push_back({same.kernels[0].duration, one.communication.predicted.value * 1e6,
                                    KernelKind::Communication});
            same.steps = {{0.0, evaluation->iteration.value * 1e6}};
            traces.push_back(same);
        }
        const auto laid = overlay(*problem, plan, *evaluation, traces);
        QVERIFY(laid);
        QCOMPARE(laid->size(), std::size_t{4});
        for (const StageOverlay& one : *laid)
            for (const auto& pair : {one.iteration, one.computing, one.communication, one.idle}) {
                QVERIFY(pair.predicted.value > 0.0 || one.stage >= 2); // alone in their data-parallel group
                QVERIFY(std::abs(pair.difference().value) < 1e-6 * one.iteration.predicted.value);
            }
        // A rank that computes a tenth shorter shows it: its prediction is too long.
        traces[2].kernels[0].duration *= 0.9;
        const auto slower = overlay(*problem, plan, *evaluation, traces);
        QVERIFY(std::abs((*slower)[2].computing.error() - (1.0 / 0.9 - 1.0)) < 1e-9);
        QVERIFY(std::abs((*slower)[1].computing.error()) < 1e-6);

        traces[1].rank = 0;
        QCOMPARE(overlay(*problem, plan, *evaluation, traces).error().code, std::string("kineto.twice"));
        traces[1].worldSize = 8;
        QCOMPARE(overlay(*problem, plan, *evaluation, {traces[1]}).error().code, std::string("kineto.world"));
    }

    // A trace of another kind of GPU is laid over, and said to be one. Ranks 0 to 7 are planned on A100s of
    // 40 GB.
    void anotherGpuIsNamed() {
        const auto problem = sampleProblem();
        const Plan plan = samplePlan();
        const auto evaluation = evaluate(*problem, plan, {.keepOps = true});
        QVERIFY(evaluation);
        const auto said = [&](int rank, const char* device, double memory) {
            KinetoTrace trace = onlyKernel(rank, 1.0);
            trace.device = device;
            trace.deviceMemory = memory;
            const auto laid = overlay(*problem, plan, *evaluation, {trace});
            if (!laid)
                qFatal("%s", laid.error().text().c_str());
            const Diagnostics& notes = laid->front().notes;
            return notes.empty() ? std::string() : notes.front().code + " " + notes.front().message;
        };
        const std::string other = said(0, "NVIDIA H100 80GB HBM3", 85e9);
        QVERIFY2(other.starts_with("kineto.device is of NVIDIA H100 80GB HBM3") &&
                     other.find("rank 0 on A100-SXM4-40GB") != std::string::npos,
                 other.c_str());
        QVERIFY(!said(0, "NVIDIA A100-SXM4-80GB", 85e9).empty());
        QVERIFY(!said(8, "NVIDIA A100-SXM4-40GB", 42.5e9).empty()); // planned on a V100
        QVERIFY(!said(0, "NVIDIA GeForce RTX 5090", 34e9).empty()); // in no catalogue
        QVERIFY(said(0, "NVIDIA A100-SXM4-40GB", 42.5e9).empty());
        QVERIFY(said(8, "Tesla V100-SXM2-16GB", 16.9e9).empty());
        QVERIFY(said(0, "", 0.0).empty());
    }

    // Where stages share nodes, exports start all stages of a replica behind each other: ranks follow.
    void ranksFollowTheOrderThatIsExported() {
        const auto problem = sampleProblem();
        Plan plan = samplePlan();
        std::vector<Stage>& stages = plan.pipelines[0].stages;
        stages[0].replicas[1].devices = {8, 9};
        stages[1].replicas[0].devices = {2, 3};
        stages[1].replicas[1].devices = {10, 11};
        stages[2].replicas[0].devices = {4, 5, 6, 7};
        const auto evaluation = evaluate(*problem, plan, {.keepOps = true});
        QVERIFY(evaluation);
        const std::map<int, int> stageOf = {{0, 0}, {2, 1}, {4, 2}, {8, 3}, {12, 0}, {14, 1}};
        for (const auto& [rank, stage] : stageOf) {
            const auto laid = overlay(*problem, plan, *evaluation, {onlyKernel(rank, 1.0)});
            QVERIFY2(laid, laid ? "" : laid.error().text().c_str());
            QCOMPARE(laid->front().stage, stage);
            const Replica& replica =
                plan.pipelines[0].stages[static_cast<std::size_t>(stage)].replicas[rank >= 12 ? 1 : 0];
            QCOMPARE(laid->front().device,
                     problem->topology().devices()[static_cast<std::size_t>(replica.devices.front())].id);
        }
    }
};

QTEST_APPLESS_MAIN(KinetoOverlayTest)
#include "kineto_overlay_test.moc"

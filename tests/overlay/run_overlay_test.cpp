// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/overlay/run_overlay.h"
#include "tests/exchange/made_run.h"
#include "tests/exchange/sample_plan.h"

#include <QTest>

#include <cmath>

using namespace pw;

namespace {

bool sameNumber(double a, double b, double share = 1e-9) {
    return std::abs(a - b) <= share * std::max(std::abs(a), std::abs(b)) + 1e-12;
}

const RunOpRow& rowOf(const RunOverlay& o, int stage, RunOpKind kind) {
    for (const RunOpRow& row : o.rows)
        if (row.stage == stage && row.kind == kind)
            return row;
    qFatal("no such row");
}

} // namespace

// Runs made of a simulation, as the runner would have written them, with one thing slower at a time: what is
// laid over the prediction, and which cause is named.
class RunOverlayTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        m_problem = sampleProblem();
        m_plan = samplePlan();
        m_evaluation = *evaluate(*m_problem, m_plan, {.keepOps = true});
    }

    // What ran just as simulated has no residual, whatever the schedule.
    void asSimulated_data() {
        QTest::addColumn<int>("kind");
        for (const ScheduleKind kind : {ScheduleKind::OneFOneB, ScheduleKind::GPipe,
                                        ScheduleKind::Interleaved, ScheduleKind::ZbH1, ScheduleKind::ZbV})
            QTest::newRow(name(kind)) << static_cast<int>(kind);
    }
    void asSimulated() {
        QFETCH(int, kind);
        const Plan plan = sampleChunkedPlan(static_cast<ScheduleKind>(kind));
        const auto evaluation = evaluate(*m_problem, plan, {.keepOps = true});
        QVERIFY2(evaluation, evaluation ? "" : evaluation.error().text().c_str());
        const RunOverlay o = laid(madeRun(*m_problem, plan, *evaluation), plan, *evaluation);
        QCOMPARE(o.scale, 1.0);
        QCOMPARE(o.steps, (std::vector<int>{1, 2})); // the first one is the warm-up
        QVERIFY(sameNumber(o.iteration.error(), 0.0));
        for (const RunOpRow& row : o.rows) {
            QVERIFY2(row.time.predicted.has_value(), name(row.kind));
            QVERIFY2(sameNumber(row.time.measured.value, row.time.predicted.value_or(Seconds()).value, 1e-6),
                     name(row.kind));
        }
        for (const RunStageRow& row : o.stages) {
            QVERIFY(sameNumber(row.busy.measured.value, row.busy.predicted.value_or(Seconds()).value, 1e-6));
            QCOMPARE(row.inFlight, row.predictedInFlight);
        }
        for (const RunFinding& f : o.slower)
            QVERIFY2(false, f.says.message.c_str());
        QCOMPARE(o.memory.size(), std::size_t{16});
    }

    // The first step, which does not count, is neither.
    void fastestAndSlowestStep() {
        Json made = run();
        const double seconds = made["steps"][1]["seconds"].get<double>();
        made["steps"][0]["seconds"] = 9.0 * seconds;
        made["steps"][2]["seconds"] = 1.25 * seconds;
        const RunOverlay o = laid(made);
        QVERIFY(sameNumber(o.fastest.value, seconds) && sameNumber(o.slowest.value, 1.25 * seconds));
        QVERIFY(sameNumber(toJson(o)["iteration"]["slowest_s"].get<double>(), 1.25 * seconds));
    }

    void slowKernels() {
        const RunOverlay o = laid(run([](int, int stage, const char* kind, double s) {
            return stage == 2 && kind[0] == 'F' ? 1.3 * s : s;
        }));
        QVERIFY(sameNumber(rowOf(o, 2, RunOpKind::Forward).time.error(), 1.0 / 1.3 - 1.0));
        QVERIFY(sameNumber(rowOf(o, 1, RunOpKind::Forward).time.error(), 0.0));
        const RunFinding& f = only(o);
        QCOMPARE(f.cause, RunCause::Kernel);
        QCOMPARE(f.stage, 2);
        QVERIFY(sameNumber(f.ratio, 1.3));
        QVERIFY(sameNumber(f.lost.value, 32 * 0.3 * m_evaluation.pipelines[0].stages[2].forward.value, 1e-3));
        QVERIFY2(f.says.message.find("V100") != std::string::npos, f.says.message.c_str());
    }

    void oneSlowRank() {
        const RunOverlay o = laid(run([](int rank, int, const char* kind, double s) {
            return rank == 5 && kind[0] == 'B' ? 1.25 * s : s;
        }));
        const RunFinding& f = only(o);
        QCOMPARE(f.cause, RunCause::Imbalance);
        QCOMPARE(f.stage, 1);
        QVERIFY(sameNumber(f.ratio, 1.25));
        QVERIFY2(f.says.message.find("n1.g5") != std::string::npos, f.says.message.c_str());
    }

    void slowLink() {
        const RunOverlay o = laid(run([](int, int stage, const char* kind, double s) {
            return stage == 1 && (std::string(kind) == "send") ? 20.0 * s : s;
        }));
        const RunFinding& f = only(o);
        QCOMPARE(f.cause, RunCause::Link);
        QCOMPARE(f.stage, 1);
        QVERIFY2(f.says.message.find(m_evaluation.pipelines[0].stages[1].link) != std::string::npos,
                 f.says.message.c_str());
    }

    // What the table shows of the update stands in the list, with what to look at.
    void slowOptimizer_data() {
        QTest::addColumn<int>("fused");
        QTest::addColumn<bool>("ranFused");
        QTest::addColumn<QString>("says");
        QTest::newRow("predicted as fused")
            << static_cast<int>(Choice::Auto) << false
            << "one fused kernel that reads and writes each state once; fuse the step";
        QTest::newRow("predicted as it is")
            << static_cast<int>(Choice::Off) << false << "the host that starts them one by one";
        QTest::newRow("fused, and predicted so")
            << static_cast<int>(Choice::On) << true << "each of one fused kernel, take";
        QTest::newRow("fused, and not predicted so")
            << static_cast<int>(Choice::Off) << true << "each of one fused kernel, take";
    }
    void slowOptimizer() {
        QFETCH(int, fused);
        QFETCH(bool, ranFused);
        QFETCH(QString, says);
        Recipe recipe = m_problem->recipe();
        recipe.software.fusedUpdate = static_cast<Choice>(fused);
        const auto problem = Problem::make(m_problem->topology().cluster(), m_problem->model(), recipe, {});
        QVERIFY2(problem, problem ? "" : problem.error().text().c_str());
        const auto evaluation = evaluate(**problem, m_plan, {.keepOps = true});
        QVERIFY(evaluation);
        const double more = 0.02 * evaluation->iteration.value;
        Json made =
            madeRun(**problem, m_plan, *evaluation, 3, [&](int, int stage, const char* kind, double s) {
                return stage == 2 && std::string(kind) == "update" ? s + more : s;
            });
        made["fused_update"] = ranFused;
        const auto record = readRunRecord(printJson(made), "run.json");
        QVERIFY2(record, record ? "" : record.error().text().c_str());
        const auto o = overlayRun(**problem, m_plan, *evaluation, *record);
        QVERIFY2(o, o ? "" : o.error().text().c_str());
        const RunFinding& f = only(*o);
        QCOMPARE(f.cause, RunCause::Kernel);
        QCOMPARE(f.stage, 2);
        QVERIFY(sameNumber(f.lost.value, more, 1e-6)); // once a step, not once a micro-batch
        const double own = evaluation->pipelines[0].stages[2].optimizer.value;
        QVERIFY(sameNumber(f.ratio, (own + more) / own, 1e-6));
        QVERIFY2(f.says.message.starts_with("optimizer steps of ") &&
                     f.says.message.find(says.toStdString()) != std::string::npos,
                 f.says.message.c_str());
    }

    void oneSlowOptimizer() {
        const double more = 0.02 * m_evaluation.iteration.value;
        const RunOverlay o = laid(run([&](int rank, int, const char* kind, double s) {
            return rank == 5 && std::string(kind) == "update" ? s + more : s;
        }));
        const RunFinding& f = only(o);
        QCOMPARE(f.cause, RunCause::Imbalance);
        QCOMPARE(f.stage, 1);
        QVERIFY(sameNumber(f.lost.value, more, 1e-6));
        QVERIFY2(f.says.message.starts_with("optimizer steps of n1.g5"), f.says.message.c_str());
    }

    // The prediction may hide all of them behind passes; the runner hides none.
    void sumsOfGradientsThatAreNotPredicted() {
        Evaluation hidden = m_evaluation;
        hidden.pipelines[0].stages[1].sync = Seconds(0.0);
        const double takes = 0.02 * m_evaluation.iteration.value;
        const auto made = [&](double seconds) {
            return madeRun(*m_problem, m_plan, hidden, 3, [=](int, int stage, const char* kind, double s) {
                return stage == 1 && std::string(kind) == "sync" ? seconds : s;
            });
        };
        const RunOverlay o = laid(made(takes), m_plan, hidden);
        const RunFinding& f = only(o);
        QCOMPARE(f.cause, RunCause::Link);
        QCOMPARE(f.stage, 1);
        QVERIFY(sameNumber(f.lost.value, takes, 1e-6));
        QVERIFY2(f.says.message.find("where none is predicted") != std::string::npos, f.says.message.c_str());
        QVERIFY(laid(made(takes / 10.0), m_plan, hidden).slower.empty()); // 0.2 % of the step
    }

    // Passes that begin late although device and input are there: those of rank 12, of a stage that never
    // waits otherwise, end as simulated and begin in the last half of their time.
    void slowHost() {
        Json made = run();
        for (Json& op : made["ops"])
            if (op["stage"] == 3 && (op["kind"] == "F" || op["kind"] == "B"))
                op["start_s"] = (op["start_s"].get<double>() + op["end_s"].get<double>()) / 2.0;
        const RunOverlay o = laid(made);
        const RunFinding& f = only(o);
        QCOMPARE(f.cause, RunCause::Host);
        QCOMPARE(f.stage, 3);
        const double busy = m_evaluation.pipelines[0].simulation.busy[3] / m_evaluation.iteration.value;
        QVERIFY2(f.ratio > 0.4 * busy && f.ratio < 0.55 * busy, std::to_string(f.ratio / busy).c_str());
    }

    // An emulated run 40 times as slow throughout says the same as one that is not, and prices nothing: no
    // time of transfers, no memory.
    void emulatedRunsAreComparedInShapeAlone() {
        const auto slow = [](int, int stage, const char* kind, double s) {
            return stage == 2 && kind[0] != 's' && kind[0] != 'r' ? 1.5 * s : s;
        };
        Json made = slowed(run(slow), 40.0);
        made["emulated"] = true;
        made["tiny"] = true;
        const RunOverlay o = laid(made);
        QCOMPARE(o.standing, std::string("emulated, with tiny widths"));
        QVERIFY2(o.scale > 40.0 && o.scale < 60.0, std::to_string(o.scale).c_str());
        const auto ratioOf = [&](int stage) {
            return 1.0 / (1.0 + rowOf(o, stage, RunOpKind::Forward).time.error());
        };
        QVERIFY(sameNumber(ratioOf(2) / ratioOf(1), 1.5, 1e-6)); // whatever the scale
        QVERIFY(ratioOf(1) < 1.0);
        QVERIFY(!rowOf(o, 1, RunOpKind::Send).time.predicted && !rowOf(o, 1, RunOpKind::Sync).time.predicted);
        QVERIFY(o.memory.empty());
        for (const RunFinding& f : o.slower)
            QVERIFY2(f.cause == RunCause::Kernel && f.stage == 2, f.says.message.c_str());
        QVERIFY(!o.slower.empty());
        made["emulated"] = made["tiny"] = false;
        made["device_type"] = "cpu";
        const RunOverlay cpus = laid(made);
        QVERIFY(!cpus.measured && cpus.scale == o.scale && cpus.standing == "measured on CPUs");
        const Json json = toJson(o);
        QVERIFY(json["emulated"] == true && json["standing"] == "emulated, with tiny widths");
    }

    void aRunThatCannotBeLaid() {
        Json none = run();
        none["ops"] = Json::array();
        const auto record = readRunRecord(printJson(none), "run.json");
        QVERIFY(record);
        const auto o = overlayRun(*m_problem, m_plan, m_evaluation, *record);
        QVERIFY(!o);
        QCOMPARE(o.error().code, std::string("run.recorded"));
    }

private:
    Json run(const RunSeconds& seconds = {}) const {
        return madeRun(*m_problem, m_plan, m_evaluation, 3, seconds);
    }
    RunOverlay laid(const Json& made) const { return laid(made, m_plan, m_evaluation); }
    RunOverlay laid(const Json& made, const Plan& plan, const Evaluation& evaluation) const {
        const auto record = readRunRecord(printJson(made), "run.json");
        if (!record)
            qFatal("%s", record.error().text().c_str());
        auto o = overlayRun(*m_problem, plan, evaluation, *record);
        if (!o)
            qFatal("%s", o.error().text().c_str());
        return *std::move(o);
    }
    static const RunFinding& only(const RunOverlay& o) {
        for (const RunFinding& f : o.slower)
            qInfo("%s: %s", name(f.cause), f.says.message.c_str());
        if (o.slower.size() != 1)
            qFatal("%zu findings", o.slower.size());
        return o.slower.front();
    }

    std::shared_ptr<const Problem> m_problem;
    Plan m_plan;
    Evaluation m_evaluation;
};

QTEST_GUILESS_MAIN(RunOverlayTest)
#include "run_overlay_test.moc"

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/exporters.h"
#include "tests/exchange/sample_plan.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace pw;

// The trace by the rules of the Trace Event Format, and against the evaluation that it shows.
class ChromeTraceTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        m_problem = sampleProblem();
        m_plan = samplePlan();
        auto evaluation = evaluate(*m_problem, m_plan, {.keepOps = true});
        QVERIFY2(evaluation, evaluation ? "" : evaluation.error().text().c_str());
        m_evaluation = *std::move(evaluation);
        const std::vector<ExportFile> files = exportChromeTrace(input());
        QCOMPARE(files.size(), std::size_t{1});
        auto document = parseJson(files[0].text, "trace.json");
        QVERIFY2(document, document ? "" : document.error().text().c_str());
        m_events = (*document)["traceEvents"];
    }

    void slicesDoNotOverlapInALane() {
        std::map<std::pair<int, int>, std::int64_t> laneEnd;
        for (const Json& e : m_events) {
            if (e["ph"] != "X")
                continue;
            QVERIFY(e["dur"].is_number() && e["dur"].get<double>() >= 0);
            std::int64_t& end = laneEnd[{e["pid"].get<int>(), e["tid"].get<int>()}];
            QVERIFY2(ns(e["ts"]) >= end, e.dump().c_str());
            end = ns(e["ts"]) + ns(e["dur"]);
            for (const char* key : {"pipeline", "stage", "replica", "chunk", "microbatch", "op"})
                QVERIFY2(e["args"].contains(key), key);
        }
        QVERIFY(laneEnd.size() >= 4);
    }

    void everyOperationIsThereOnce() {
        std::map<std::string, int> count;
        std::int64_t end = 0;
        for (const Json& e : m_events)
            if (e["ph"] == "X") {
                ++count[e["args"]["op"].get<std::string>()];
                end = std::max(end, ns(e["ts"]) + ns(e["dur"]));
            }
        QCOMPARE(count["F"], 4 * 32);
        QCOMPARE(count["B"], 4 * 32);
        QCOMPARE(count["SF"], 3 * 32);
        QCOMPARE(count["SB"], 3 * 32);
        QVERIFY(std::abs(static_cast<double>(end) * 1e-9 - m_evaluation.iteration.value) < 1e-8);
    }

    void eventsAreSortedAndNamed() {
        std::int64_t last = 0;
        std::set<std::string> processes;
        for (const Json& e : m_events) {
            if (e["ph"] == "M") {
                if (e["name"] == "process_name")
                    processes.insert(e["args"]["name"].get<std::string>());
                continue;
            }
            QVERIFY(ns(e["ts"]) >= last);
            last = ns(e["ts"]);
        }
        QVERIFY((processes == std::set<std::string>{"stage 0: A100-40 x4", "stage 1: A100-40 x4",
                                                    "stage 2: V100-16 x4", "stage 3: V100-16 x4"}));
    }

    // Each arrow leaves a transfer and arrives in the operation of the neighbour that has the same
    // micro-batch.
    void flowsArePairedAndBindToSlices() {
        std::map<int, std::vector<Json>> flows;
        for (const Json& e : m_events)
            if (e["ph"] == "s" || e["ph"] == "f")
                flows[e["id"].get<int>()].push_back(e);
        QCOMPARE(flows.size(), std::size_t{2 * 3 * 32});
        for (const auto& [id, ends] : flows) {
            QCOMPARE(ends.size(), std::size_t{2});
            const Json &from = ends[0]["ph"] == "s" ? ends[0] : ends[1],
                       &to = ends[0]["ph"] == "s" ? ends[1] : ends[0];
            QVERIFY(from["ph"] == "s" && to["ph"] == "f" && to["bp"] == "e");
            QVERIFY(from["name"] == to["name"] && from["cat"] == to["cat"]);
            QVERIFY(ns(from["ts"]) <= ns(to["ts"]));
            const Json *send = sliceAt(from), *op = sliceAt(to);
            QVERIFY(send && op);
            QCOMPARE((*send)["args"]["microbatch"].get<int>(), (*op)["args"]["microbatch"].get<int>());
            const bool forward = from["name"] == "activation";
            QCOMPARE(to["pid"].get<int>() - from["pid"].get<int>(), forward ? 1 : -1);
            QCOMPARE((*op)["args"]["op"].get<std::string>(), std::string(forward ? "F" : "B"));
        }
    }

    void countersStartAndEndEmptyAndReachThePeak() {
        std::map<int, std::vector<int>> inFlight;
        std::map<int, double> peakGib;
        for (const Json& e : m_events) {
            if (e["ph"] != "C")
                continue;
            for (const auto& [series, value] : e["args"].items())
                QVERIFY2(value.is_number(), series.c_str());
            if (e["name"] == "activations in flight")
                inFlight[e["pid"].get<int>()].push_back(e["args"]["micro-batches"].get<int>());
            else
                peakGib[e["pid"].get<int>()] =
                    std::max(peakGib[e["pid"].get<int>()], e["args"]["GiB"].get<double>());
        }
        for (int stage = 0; stage < 4; ++stage) {
            const std::vector<int>& steps = inFlight[stage];
            QVERIFY(!steps.empty());
            QCOMPARE(steps.back(), 0);
            QCOMPARE(*std::max_element(steps.begin(), steps.end()), 4 - stage);
            double highest = 0;
            for (const DeviceMemory& m : m_evaluation.memory)
                if (m.stage == stage)
                    highest = std::max(highest, toGibibytes(m.peak.total()));
            QVERIFY(std::abs(peakGib[stage] - highest) < 1e-4 * highest);
        }
    }

    // Chunks and weight gradients are told apart, and arrows follow the data through the chunks.
    void chunkedTrace_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("sends"); // an activation's way through the chunks
        QTest::newRow("interleaved") << static_cast<int>(ScheduleKind::Interleaved) << 7;
        QTest::newRow("zb-1p") << static_cast<int>(ScheduleKind::Zb1p) << 3;
        QTest::newRow("zb-v") << static_cast<int>(ScheduleKind::ZbV) << 6; // turns round inside a stage
    }
    void chunkedTrace() {
        QFETCH(int, kind);
        QFETCH(int, sends);
        const auto scheduled = static_cast<ScheduleKind>(kind);
        const int chunks = leastChunks(scheduled);
        const Plan plan = sampleChunkedPlan(scheduled);
        const ChunkLayout layout = plan.pipelines[0].layout();
        const auto evaluation = evaluate(*m_problem, plan, {.keepOps = true});
        QVERIFY(evaluation);
        const std::vector<ExportFile> files = exportChromeTrace({*m_problem, {}, plan, *evaluation});
        const auto document = parseJson(files[0].text, "trace.json");
        QVERIFY(document);
        m_events = (*document)["traceEvents"];
        std::map<std::string, int> count;
        std::map<int, std::vector<Json>> flows;
        for (const Json& e : m_events) {
            if (e["ph"] == "X")
                ++count[e["args"]["op"].get<std::string>()];
            else if (e["ph"] == "s" || e["ph"] == "f")
                flows[e["id"].get<int>()].push_back(e);
        }
        QCOMPARE(count["F"], 4 * chunks * 32);
        QCOMPARE(count["B"], 4 * chunks * 32);
        QCOMPARE(count["W"], splitsBackward(scheduled) ? 4 * chunks * 32 : 0);
        QCOMPARE(count["SF"], sends * 32);
        QCOMPARE(count["SB"], sends * 32);
        QCOMPARE(flows.size(), static_cast<std::size_t>(2 * sends * 32));
        for (const auto& [id, ends] : flows) {
            QCOMPARE(ends.size(), std::size_t{2});
            const bool first = ends[0]["ph"] == "s";
            const Json *send = sliceAt(ends[first ? 0 : 1]), *op = sliceAt(ends[first ? 1 : 0]);
            QVERIFY(send && op);
            const Json &from = (*send)["args"], &to = (*op)["args"];
            QCOMPARE(from["microbatch"].get<int>(), to["microbatch"].get<int>());
            const int step = from["op"] == "SF" ? 1 : -1;
            QCOMPARE(to["op"].get<std::string>(), std::string(step > 0 ? "F" : "B"));
            QCOMPARE(layout.virtualStage(to["stage"].get<int>(), to["chunk"].get<int>()),
                     layout.virtualStage(from["stage"].get<int>(), from["chunk"].get<int>()) + step);
        }
    }

private:
    ExportInput input() const { return {*m_problem, m_outcome, m_plan, m_evaluation}; }
    static std::int64_t ns(const Json& micro) { return std::llround(micro.get<double>() * 1000.0); }
    const Json* sliceAt(const Json& flow) const {
        for (const Json& e : m_events)
            if (e["ph"] == "X" && e["pid"] == flow["pid"] && e["tid"] == flow["tid"] &&
                ns(e["ts"]) <= ns(flow["ts"]) && ns(flow["ts"]) < ns(e["ts"]) + ns(e["dur"]))
                return &e;
        return nullptr;
    }

    std::shared_ptr<const Problem> m_problem;
    Plan m_plan;
    SearchOutcome m_outcome;
    Evaluation m_evaluation;
    Json m_events;
};

QTEST_APPLESS_MAIN(ChromeTraceTest)
#include "chrome_trace_test.moc"

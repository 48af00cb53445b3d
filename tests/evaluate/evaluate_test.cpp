// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comm/comm.h"
#include "core/cost/cost.h"
#include "core/document/plan_document.h"
#include "core/document/plan_file.h"
#include "core/search/search.h"
#include "tests/evaluate/replay.h"
#include "tests/project/small_project.h"
#include "tests/search/random_problem.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <cmath>
#include <map>

using namespace pw;

namespace {

constexpr std::uint64_t kEvaluateSeed = 33401;
constexpr int kDraws = 400;

bool near(double got, double expected, double tolerance = 1e-9) {
    return std::abs(got - expected) <= tolerance * std::max(std::abs(expected), 1e-9);
}

Json documentOf(const Problem& problem, const Plan& plan, const Evaluation& evaluation,
                DeviceNames names = DeviceNames::Each) {
    SearchOutcome outcome;
    outcome.status = SearchStatus::Feasible;
    outcome.plans.push_back({plan, evaluation});
    return planDocument(problem, outcome, names);
}

struct Drawn {
    std::shared_ptr<const Problem> problem;
    Plan plan;
    Evaluation evaluation;
    Json document, entry;
};

// Legal plans, with what the program says about them.
std::vector<Drawn> draw(std::uint64_t seed, int count) {
    Random random(seed);
    std::vector<Drawn> list;
    while (static_cast<int>(list.size()) < count) {
        Drawn d;
        d.problem = test::randomProblem(random);
        const auto plan = test::randomPlan(random, *d.problem);
        if (!plan || !checkPlan(*d.problem, *plan, ""))
            continue;
        d.plan = *plan;
        auto evaluation = evaluate(*d.problem, d.plan);
        if (!evaluation)
            qFatal("seed %llu: %s", static_cast<unsigned long long>(seed), evaluation.error().text().c_str());
        d.evaluation = *std::move(evaluation);
        d.document = documentOf(*d.problem, d.plan, d.evaluation);
        d.entry = d.document["plans"][0];
        list.push_back(std::move(d));
    }
    return list;
}

test::Replay replay(const Json& pipeline) {
    std::vector<test::Replay::Stage> stages;
    const Json& launch = pipeline["schedule"]["launch"];
    for (std::size_t i = 0; i < pipeline["stages"].size(); ++i) {
        const Json& s = pipeline["stages"][i];
        stages.push_back({s["forward_s"], s["backward_s"], s["send_s"], launch.at(i)});
    }
    return {stages, pipeline["microbatches"]};
}

// planners 1, equations (1) and (2), and 3.2 for GPipe.
double closedForm(const Json& pipeline, double sync, double optimizer) {
    const Json& stages = pipeline["stages"];
    const Json& launch = pipeline["schedule"]["launch"];
    const double rounds = pipeline["microbatches"].get<double>() - 1.0;
    double once = 0.0, period = 0.0, f = 0.0, b = 0.0;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const double c = stages[i]["send_s"];
        const double own = stages[i]["forward_s"].get<double>() + stages[i]["backward_s"].get<double>();
        once += own + 2 * c;
        f = std::max({f, stages[i]["forward_s"].get<double>(), c});
        b = std::max({b, stages[i]["backward_s"].get<double>(), c});
        period = std::max({period, own, c});
        double pair = own;
        for (std::size_t j = i + 1; j < stages.size(); ++j) {
            pair += 2 * stages[j - 1]["send_s"].get<double>() + stages[j]["forward_s"].get<double>() +
                    stages[j]["backward_s"].get<double>();
            period = std::max(period, pair / (launch[i].get<double>() - launch[j].get<double>() + 1));
        }
    }
    return once + rounds * (pipeline["schedule"]["kind"] == "gpipe" ? f + b : period) + sync + optimizer;
}

// Where two documents differ by more than rounding; empty if nowhere.
std::string difference(const Json& a, const Json& b, const std::string& at = "") {
    if (a.is_number() && b.is_number())
        return near(a.get<double>(), b.get<double>(), 1e-12) ? "" : at;
    if (a.type() != b.type() || a.size() != b.size())
        return at;
    if (a.is_object())
        for (const auto& [key, value] : a.items()) {
            if (!b.contains(key))
                return at + "/" + key;
            if (const std::string d = difference(value, b[key], at + "/" + key); !d.empty())
                return d;
        }
    if (a.is_array())
        for (std::size_t i = 0; i < a.size(); ++i)
            if (const std::string d = difference(a[i], b[i], at + "/" + std::to_string(i)); !d.empty())
                return d;
    return a.is_structured() || a == b ? "" : at;
}

#define SAME(got, expected, n)                                                                               \
    QVERIFY2(near(got, expected), qPrintable(QString("seed %1, draw %2: " #got " is %3, expected %4")        \
                                                 .arg(kEvaluateSeed)                                         \
                                                 .arg(n)                                                     \
                                                 .arg(double(got), 0, 'g', 15)                               \
                                                 .arg(double(expected), 0, 'g', 15)))

} // namespace

class EvaluateTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qInfo("seed %llu", static_cast<unsigned long long>(kEvaluateSeed));
        m_drawn = draw(kEvaluateSeed, kDraws);
    }

    // The document alone, played again by other code, gives its own time, memory and waste.
    void theDocumentCanBeReplayed() {
        int infeasible = 0, unequal = 0, inside = 0;
        for (int n = 0; n < kDraws; ++n) {
            const Drawn& d = m_drawn[static_cast<std::size_t>(n)];
            const Json& e = d.entry;
            const Json& pipeline = e["pipelines"][0];
            const Json& stages = pipeline["stages"];
            const test::Replay run = replay(pipeline);
            const double rounds = pipeline["microbatches"];
            QCOMPARE(static_cast<double>(run.opsRun), 2.0 * rounds * static_cast<double>(stages.size()));

            double reduced = 0.0, step = 0.0, bubble = 0.0, busy = 0.0, measured = 0.0;
            for (std::size_t i = 0; i < stages.size(); ++i) {
                const Json& s = stages[i];
                reduced = std::max(reduced, run.lastEnd[i] + s["sync_s"].get<double>());
                step = std::max(step, s["optimizer_s"].get<double>());
                bubble = std::max(bubble, (run.lastEnd[i] - run.firstStart[i]) / run.busy[i] - 1.0);
                QCOMPARE(s["in_flight"].get<int>(), run.peakInFlight[i]);
                const double devices = d.plan.pipelines[0].stages[i].deviceCount();
                busy += devices * run.busy[i];
                measured += devices * run.busy[i] * s["measured_share"].get<double>();
                unequal += s["replicas"].size() > 1 && s["replicas"][0]["share"] != s["replicas"][1]["share"];
                inside += s["chunks"][0][0].get<int>() % 2 == 0 && s["chunks"][0][0] > 0;
            }
            const double last = *std::max_element(run.lastEnd.begin(), run.lastEnd.end());
            SAME(e["iteration_s"].get<double>(), reduced + step, n);
            QVERIFY(std::abs(e["bubble"].get<double>() - bubble) <= 1e-9);
            SAME(e["measured_share"].get<double>(), measured / busy, n);
            SAME(e["closed_form_s"].get<double>(), closedForm(pipeline, reduced - last, step), n);
            SAME(e["tokens_per_s"].get<double>(),
                 static_cast<double>(d.problem->recipe().gbs * d.problem->recipe().seq) / (reduced + step),
                 n);

            double parts = 0.0;
            for (const auto& [name, value] : e["time"].items()) {
                parts += value.get<double>();
                QVERIFY2(
                    value.get<double>() >= -1e-9 * (reduced + step),
                    qPrintable(QString("seed %1, draw %2: %3").arg(kEvaluateSeed).arg(n).arg(name.c_str())));
            }
            SAME(parts, reduced + step, n);
            infeasible += e["feasible"] == false;
        }
        QVERIFY2(infeasible > 20 && infeasible < kDraws - 20 && unequal > 20 && inside > 20,
                 qPrintable(QString("%1 %2 %3").arg(infeasible).arg(unequal).arg(inside)));
    }

    // Bytes on every device: states and one micro-batch from the cost table, in flight from the replay.
    void memoryIsThatOfTheReplay() {
        for (int n = 0; n < kDraws; ++n) {
            const Drawn& d = m_drawn[static_cast<std::size_t>(n)];
            const Topology& topology = d.problem->topology();
            const test::Replay run = replay(d.entry["pipelines"][0]);
            const Pipeline& pipeline = d.plan.pipelines[0];
            std::map<std::string, double> expected;
            for (std::size_t i = 0; i < pipeline.stages.size(); ++i)
                for (const Replica& r : pipeline.stages[i].replicas)
                    for (const DeviceIndex device : r.devices) {
                        const Stage& s = pipeline.stages[i];
                        CostConfig c;
                        placeOn(c, topology, device);
                        c.tp = s.tp;
                        c.mbs = static_cast<int>(
                            std::lround(r.share * static_cast<double>(pipeline.microbatchSize)));
                        c.recompute = s.recompute;
                        c.sequenceParallel = s.sequenceParallel;
                        const StageCost cost =
                            ConfigCosts(*d.problem, c)
                                .stage(s.chunks[0].first, s.chunks[0].last, s.dp(), s.zero);
                        expected[topology.devices()[static_cast<std::size_t>(device)].id] =
                            d.problem->recipe().reserve.value + cost.fixedMemory() +
                            cost.kept * run.peakInFlight[i];
                    }
            bool fits = true;
            QCOMPARE(d.entry["peak_memory"].size(), expected.size());
            for (const Json& m : d.entry["peak_memory"]) {
                double parts = 0.0;
                for (const char* part : {"reserve", "weights", "gradients", "optimizer", "activations",
                                         "transient", "communication"})
                    parts += m[part].get<double>();
                SAME(m["bytes"].get<double>(), parts, n);
                SAME(m["bytes"].get<double>(), expected.at(m["device"]), n);
                const DeviceIndex at = topology.find(m["device"].get<std::string>());
                QCOMPARE(m["capacity"].get<double>(),
                         topology.devices()[static_cast<std::size_t>(at)].capacity.value);
                fits = fits && m["bytes"] <= m["capacity"];
            }
            QCOMPARE(d.entry["feasible"].get<bool>(), fits);
            QCOMPARE(d.entry["reasons"].empty(), fits);
        }
    }

    // Written, read back and judged again by the document's own problem: the same figures.
    void theDocumentReproducesItself() {
        for (int n = 0; n < kDraws; n += 4) {
            const Drawn& d = m_drawn[static_cast<std::size_t>(n)];
            const auto file = readPlanFile(d.document.dump(), "f");
            QVERIFY2(file, file ? "" : file.error().text().c_str());
            QCOMPARE(file->problem->hash(), d.problem->hash());
            QCOMPARE(file->plans.size(), std::size_t{1});
            const auto again = evaluate(*file->problem, file->plans[0]);
            QVERIFY(again);
            const std::string where =
                difference(d.entry, documentOf(*file->problem, file->plans[0], *again)["plans"][0]);
            QVERIFY2(
                where.empty(),
                qPrintable(QString("seed %1, draw %2: %3").arg(kEvaluateSeed).arg(n).arg(where.c_str())));
        }
    }

    // Ranges say the same of each device, and are judged to the same figures.
    void rangesChangeNoFigure() {
        std::size_t each = 0, ranges = 0;
        for (int n = 0; n < kDraws; n += 4) {
            const Drawn& d = m_drawn[static_cast<std::size_t>(n)];
            const Json compact = documentOf(*d.problem, d.plan, d.evaluation, DeviceNames::Ranges);
            const auto file = readPlanFile(printPlanDocument(compact, DeviceNames::Ranges), "f");
            QVERIFY2(file, file ? "" : file.error().text().c_str());
            QVERIFY(file->plans[0] == readPlanFile(d.document.dump(), "f")->plans[0]);
            QVERIFY2(file->notes.empty(), qPrintable(QString::number(n)));
            const auto again = evaluate(*file->problem, file->plans[0]);
            QVERIFY(again);
            QVERIFY(documentOf(*file->problem, file->plans[0], *again)["plans"][0] == d.entry);
            std::map<std::string, Json> rows; // by device
            for (const Json& row : compact["plans"][0]["peak_memory"]) {
                const Json& name = row["device"];
                std::vector<std::string> ids;
                if (name.is_string())
                    ids.push_back(name);
                else
                    for (const Json& node :
                         name.contains("node") ? Json::array({name["node"]}) : name["nodes"])
                        for (int g = name["first"]; g <= name["last"].get<int>(); ++g)
                            ids.push_back(node.get<std::string>() + ".g" + std::to_string(g));
                for (const std::string& id : ids) {
                    Json own = row;
                    own["device"] = id;
                    QVERIFY2(rows.emplace(id, std::move(own)).second, id.c_str());
                }
            }
            QCOMPARE(rows.size(), d.entry["peak_memory"].size());
            for (const Json& row : d.entry["peak_memory"])
                QVERIFY(rows.at(row["device"]) == row);
            each += d.entry["peak_memory"].size();
            ranges += compact["plans"][0]["peak_memory"].size();
        }
        QVERIFY2(ranges < each, qPrintable(QString("%1 of %2").arg(ranges).arg(each)));
    }

    // A shared table and a fresh one, and kept ops or none, change nothing.
    void optionsChangeNoFigure() {
        for (int n = 0; n < kDraws; n += 10) {
            const Drawn& d = m_drawn[static_cast<std::size_t>(n)];
            const CostTable table(*d.problem);
            for (const bool ops : {true, false, true}) {
                const auto again = evaluate(*d.problem, table, d.plan, {.keepOps = ops});
                QVERIFY(again);
                QVERIFY(documentOf(*d.problem, d.plan, *again)["plans"][0] == d.entry);
                QCOMPARE(again->pipelines[0].simulation.ops.empty(), !ops);
            }
        }
    }

    void figuresOfTwoIdenticalPipelines() {
        const Project project = smallProject();
        const auto problem = Problem::make(project.cluster, *project.model, project.recipe, {});
        QVERIFY(problem);
        Pipeline one;
        one.count = 1;
        one.microbatches = 8;
        one.microbatchSize = 8;
        one.schedule.launch = {2, 1};
        one.stages.resize(2);
        one.stages[0].chunks = {{0, 4}};
        one.stages[0].replicas = {{{0}, 1.0}};
        one.stages[1].chunks = {{5, 9}};
        one.stages[1].replicas = {{{8}, 1.0}};
        Pipeline two = one;
        two.count = 2;
        two.microbatches = 4;
        two.stages[0].replicas.push_back({{1}, 1.0});
        two.stages[1].replicas.push_back({{9}, 1.0});
        const auto alone = evaluate(**problem, Plan{{one}}), both = evaluate(**problem, Plan{{two}});
        QVERIFY(alone && both);
        QCOMPARE(both->memory.size(), std::size_t{4});
        QCOMPARE(both->pipelines[0].stages[0].forward, alone->pipelines[0].stages[0].forward);
        QCOMPARE(alone->pipelines[0].stages[0].sync.value, 0.0); // untied, one replica
        QVERIFY(both->pipelines[0].stages[0].sync.value > 0.0);  // the two pipelines share gradients
        const double parameters = both->memory[0].peak.weights.value / 2.0;
        const double expected =
            collectiveTimeInNode(ConstantSet::builtin().comm(), nodeFabric((*problem)->topology(), 0), 2,
                                 Collective::AllReduce, Bytes(4.0 * parameters))
                .value;
        SAME(both->pipelines[0].stages[0].sync.value, expected, 0);
    }

    // Computing that is measured to the last layer does not make an iteration measured when a transfer
    // between its stages, a sum of gradients or a step without a row is in it.
    void theIterationIsAsGoodAsItsWorstPart() {
        const auto judge = [](bool step, int stages, int replicas) {
            Project project = smallProject();
            project.profiles.clear();
            for (int layer = 0; layer <= 5; ++layer)
                project.profiles.push_back({"tiny",
                                            "A100-SXM4-40GB",
                                            layer,
                                            1,
                                            4,
                                            1024,
                                            "",
                                            Seconds(0.1),
                                            Seconds(0.2),
                                            Seconds(step ? 0.001 : 0.0),
                                            {},
                                            "bench.csv",
                                            "",
                                            "",
                                            "",
                                            "",
                                            ""});
            const auto problem =
                Problem::make(project.cluster, *project.model, project.recipe, project.profiles);
            Pipeline p;
            p.microbatchSize = 4 * replicas;
            p.microbatches = 64 / p.microbatchSize;
            p.stages.resize(static_cast<std::size_t>(stages));
            int device = 0;
            for (int i = 0; i < stages; ++i) {
                Stage& stage = p.stages[static_cast<std::size_t>(i)];
                stage.chunks = {{stages == 1 || i == 0 ? 0 : 5, i + 1 == stages ? 9 : 4}};
                for (int r = 0; r < replicas; ++r)
                    stage.replicas.push_back({{device++}, 1.0 / replicas});
            }
            const auto evaluation = evaluate(**problem, Plan{{p}});
            if (!evaluation)
                qFatal("%s", evaluation.error().text().c_str());
            return *evaluation;
        };
        const Evaluation alone = judge(true, 1, 1);
        QCOMPARE(alone.provenance, Provenance::Measured);
        QVERIFY(!alone.isEstimated());
        for (const Evaluation& other : {judge(true, 2, 1), judge(true, 1, 2), judge(false, 1, 1)}) {
            QCOMPARE(other.measuredShare, 1.0);
            QCOMPARE(other.provenance, Provenance::Estimated);
            QVERIFY(other.isEstimated());
        }
    }

    // Software that waits for its transfers holds stages up more than 1F1B itself does, which hides half of
    // them.
    void awaitedTransfersCount() {
        const auto iteration = [](Choice overlap, ScheduleKind kind) {
            Project project = smallProject();
            project.recipe.software.overlapTransfers = overlap;
            project.cluster.nodes[0].intraBandwidth = BytesPerSecond(2e9);
            const auto problem = Problem::make(project.cluster, *project.model, project.recipe, {});
            Pipeline p;
            p.microbatches = 64;
            p.microbatchSize = 1;
            p.schedule.kind = kind;
            p.stages.resize(2);
            p.stages[0].chunks = {{0, 4}};
            p.stages[1].chunks = {{5, 9}};
            p.stages[0].replicas = {{{0}, 1.0}};
            p.stages[1].replicas = {{{1}, 1.0}};
            const auto judged = evaluate(**problem, Plan{{p}});
            return std::pair(judged->iteration.value, judged->pipelines[0].stages[0].send.value);
        };
        for (const ScheduleKind kind : {ScheduleKind::OneFOneB, ScheduleKind::ZbH1}) {
            const auto [hidden, send] = iteration(Choice::Auto, kind);
            const auto [awaited, same] = iteration(Choice::Off, kind);
            SAME(send, same, 0);
            QVERIFY(send > 0.0);
            QVERIFY2(awaited > hidden + 5 * send,
                     qPrintable(QString("%1 against %2, send %3").arg(awaited).arg(hidden).arg(send)));
        }
    }

    // Tensor parallelism runs on the fabric of its node, as drawn, not on the kind's.
    void tensorParallelismFeelsItsNode() {
        const auto communication = [](double bandwidth, double latency) {
            Project project = smallProject();
            project.cluster.nodes[0].intraBandwidth = BytesPerSecond(bandwidth);
            project.cluster.nodes[0].intraLatency = Seconds(latency);
            project.recipe.software.overlapTensorBackward = Choice::Off;
            const auto problem = Problem::make(project.cluster, *project.model, project.recipe, {});
            Pipeline p;
            p.microbatches = 16;
            p.microbatchSize = 4;
            p.stages.resize(1);
            p.stages[0].chunks = {{0, 9}};
            p.stages[0].tp = 2;
            p.stages[0].replicas = {{{0, 1}, 1.0}};
            return evaluate(**problem, Plan{{p}})->pipelines[0].stages[0].communication.value;
        };
        // Four blocks of four all-reduces and one each for embedding and head.
        const auto once = [](double bandwidth, double latency) {
            const DeviceKind& kind = *Catalogue::builtin().find("A100-SXM4-40GB");
            return collectiveTimeInNode(ConstantSet::builtin().comm(),
                                        nodeFabric(kind, BytesPerSecond(bandwidth), Seconds(latency), 8), 2,
                                        Collective::AllReduce, Bytes(4.0 * 1024 * 1024 * 2))
                .value;
        };
        SAME(communication(1e9, 3e-6), 18 * once(1e9, 3e-6), 0);
        SAME(communication(0.0, 2e-6), 18 * once(300e9, 2e-6), 0);
    }

    // Two islands: what would have to cross between them is named, as a boundary and as a gradient sum.
    void devicesThatNothingJoins() {
        Project project = smallProject();
        project.cluster.switches.push_back({"s2", "", {}});
        project.cluster.nodes.push_back(project.cluster.nodes[2]);
        project.cluster.nodes[3].id = "n4";
        project.cluster.links[2].b = "s2";
        project.cluster.links.push_back(project.cluster.links[2]);
        project.cluster.links[3].id = "n4-s2";
        project.cluster.links[3].a = "n4";
        const auto problem = Problem::make(project.cluster, *project.model, project.recipe, {});
        QVERIFY2(problem, problem ? "" : problem.error().text().c_str());
        Pipeline p;
        p.microbatches = 8;
        p.microbatchSize = 8;
        p.stages.resize(2);
        p.stages[0].chunks = {{0, 4}};
        p.stages[0].replicas = {{{0}, 1.0}};
        p.stages[1].chunks = {{5, 9}};
        p.stages[1].replicas = {{{16}, 0.5}, {{17}, 0.5}};
        const auto apart = evaluate(**problem, Plan{{p}});
        QVERIFY(!apart && apart.error().code == "plan.unreachable");
        QCOMPARE(apart.error().where, std::string("plan/pipelines/0/stages/0"));
        p.stages.resize(1);
        p.stages[0].chunks = {{0, 9}};
        p.stages[0].replicas = {{{0}, 0.5}, {{16}, 0.5}};
        const auto sum = evaluate(**problem, Plan{{p}});
        QVERIFY(!sum && sum.error().code == "plan.unreachable");
    }

private:
    std::vector<Drawn> m_drawn;
};

QTEST_APPLESS_MAIN(EvaluateTest)
#include "evaluate_test.moc"

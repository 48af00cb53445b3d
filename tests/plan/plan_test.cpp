// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/dense_json.h"
#include "core/plan/device_names.h"
#include "core/plan/plan.h"
#include "tests/project/small_project.h"
#include "tests/search/random_problem.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <map>

using namespace pw;

namespace {

constexpr std::uint64_t kPlanSeed = 8117;

// 64 sequences of the small project, micro-batches of 8: two replicas of tp 2 on one A100 node, then the
// V100s and then all of the second A100 node.
std::shared_ptr<const Problem> problem(std::vector<std::string> forbidden = {}) {
    const Project p = smallProject();
    Space space;
    space.forbidden = std::move(forbidden);
    auto made = Problem::make(p.cluster, *p.model, p.recipe, {}, space);
    if (!made)
        qFatal("%s", made.error().text().c_str());
    return *made;
}

Plan sound() {
    Pipeline p;
    p.microbatches = 8;
    p.microbatchSize = 8;
    p.schedule.launch = {4, 2, 1};
    p.stages.resize(3);
    p.stages[0].chunks = {{0, 3}};
    p.stages[0].tp = 2;
    p.stages[0].replicas = {{{0, 1}, 0.5}, {{2, 3}, 0.5}};
    p.stages[1].chunks = {{4, 6}};
    p.stages[1].replicas = {{{16}, 0.25}, {{17}, 0.75}};
    p.stages[2].chunks = {{7, 9}};
    p.stages[2].tp = 8;
    p.stages[2].replicas = {{{8, 9, 10, 11, 12, 13, 14, 15}, 1.0}};
    p.stages[2].sequenceParallel = true;
    return Plan{{p}};
}

// Two identical pipelines of two stages each.
Plan twins() {
    Pipeline p;
    p.count = 2;
    p.microbatches = 4;
    p.microbatchSize = 8;
    p.stages.resize(2);
    p.stages[0].chunks = {{0, 4}};
    p.stages[0].replicas = {{{0}, 0.5}, {{1}, 0.5}, {{2}, 0.5}, {{3}, 0.5}};
    p.stages[1].chunks = {{5, 9}};
    p.stages[1].replicas = {{{8}, 1.0}, {{9}, 1.0}};
    return Plan{{p}};
}

bool names(const Error& error, const std::string& pointer) {
    if (error.where == pointer)
        return true;
    for (const Error& reason : error.reasons)
        if (reason.where == pointer)
            return true;
    return false;
}

std::string all(const Error& error) {
    std::string text = error.text();
    for (const Error& reason : error.reasons)
        text += "\n  " + reason.text();
    return text;
}

Result<Plan> read(const Json& entry, const Problem& p) {
    return planFromJson(JsonReader(entry, "f"), p);
}

} // namespace

class PlanTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tensorParallelGroupsMaySpanNodes() {
        Plan plan = sound(); // tp 8 over the last two GPUs of n1 and six of n2
        plan.pipelines[0].stages[2].replicas[0].devices = {6, 7, 8, 9, 10, 11, 12, 13};
        const Status status = checkPlan(*problem(), plan, "f#");
        QVERIFY2(status, status ? "" : all(status.error()).c_str());
    }

    void jsonRoundTrip() {
        const auto p = problem();
        for (const Plan& plan : {sound(), twins()}) {
            const auto back = read(toJson(*p, plan), *p);
            QVERIFY2(back, back ? "" : all(back.error()).c_str());
            QVERIFY(*back == plan);
        }
        Random random(kPlanSeed);
        int drawn = 0;
        for (int n = 0; n < 400; ++n) {
            const auto question = test::randomProblem(random);
            const auto plan = test::randomPlan(random, *question);
            if (!plan || !checkPlan(*question, *plan, ""))
                continue;
            ++drawn;
            for (const DeviceNames names : {DeviceNames::Each, DeviceNames::Ranges}) {
                const Json json = toJson(*question, *plan, names);
                for (const std::string& text : {json.dump(), printDense(json)}) {
                    const auto back = read(parseJson(text, "f").operator*(), *question);
                    QVERIFY2(back, back ? "" : all(back.error()).c_str());
                    QVERIFY2(*back == *plan, qPrintable(QString("seed %1, draw %2").arg(kPlanSeed).arg(n)));
                    QCOMPARE(canonicalKey(*back), canonicalKey(*plan));
                }
            }
        }
        QVERIFY2(drawn > 50, qPrintable(QString::number(drawn)));
    }

    // A field is what the plan has, however deep the place in it lies.
    void faultsHaveTheirField() {
        const auto p = problem();
        const auto fieldOf = [&](const std::function<void(Pipeline&)>& change) {
            Plan plan = sound();
            change(plan.pipelines[0]);
            const std::vector<PlanFault> faults = planFaults(*p, plan);
            return faults.empty() ? std::string("none") : faults.front().field;
        };
        QCOMPARE(fieldOf([](Pipeline&) {}), std::string("none"));
        QCOMPARE(fieldOf([](Pipeline& x) { x.stages[0].tp = 3; }), std::string("tp"));
        QCOMPARE(fieldOf([](Pipeline& x) { x.stages[0].recomputeLayers = 1; }), std::string("recompute"));
        QCOMPARE(fieldOf([](Pipeline& x) { x.schedule.launch = {2, 3, 1}; }), std::string("schedule"));
        QCOMPARE(fieldOf([](Pipeline& x) { x.schedule.chunks = 2; }), std::string("schedule"));
        QCOMPARE(fieldOf([](Pipeline& x) { x.stages[1].chunks.clear(); }), std::string("chunks"));
        QCOMPARE(fieldOf([](Pipeline& x) { x.count = 0; }), std::string()); // the whole pipeline
    }

    // One fault at a time in a sound plan; each is named by its place.
    void faults() {
        const auto p = problem();
        QVERIFY(checkPlan(*p, sound(), "f#"));
        QVERIFY(checkPlan(*p, twins(), "f#"));
        using Change = std::function<void(Pipeline&)>;
        const std::vector<std::pair<std::string, Change>> changes = {
            {"/pipelines/0/stages", [](Pipeline& x) { x.stages.clear(); }},
            {"/pipelines/0/stages", [](Pipeline& x) { x.stages.pop_back(); }},
            {"/pipelines/0/stages", [](Pipeline& x) { x.stages[2].chunks[0].last = 8; }},
            {"/pipelines/0/stages", [](Pipeline& x) { x.stages[2].chunks[0].last = 10; }},
            {"/pipelines/0/stages/1/chunks", [](Pipeline& x) { x.stages[1].chunks[0].first = 3; }},
            {"/pipelines/0/stages/1/chunks", [](Pipeline& x) { x.stages[1].chunks[0].first = 5; }},
            {"/pipelines/0/stages/1/chunks",
             [](Pipeline& x) {
                 x.stages[1].chunks = {{4, 5}, {6, 6}};
             }},
            {"/pipelines/0/stages/1/chunks", [](Pipeline& x) { x.stages[1].chunks.clear(); }},
            {"/pipelines/0/stages/0/chunks", [](Pipeline& x) { x.stages[0].chunks[0].first = 1; }},
            {"/pipelines/0/stages/0/chunks",
             [](Pipeline& x) { std::swap(x.stages[0].chunks, x.stages[1].chunks); }},
            {"/pipelines/0/stages/0/tp", [](Pipeline& x) { x.stages[0].tp = 3; }},
            {"/pipelines/0/stages/0/tp", [](Pipeline& x) { x.stages[0].tp = 0; }},
            {"/pipelines/0/stages/0/replicas/0/devices", [](Pipeline& x) { x.stages[0].tp = 1; }},
            {"/pipelines/0/stages/0/replicas/1/devices",
             [](Pipeline& x) {
                 x.stages[0].replicas[1].devices = {2, 1};
             }}, // used by the first replica
            {"/pipelines/0/stages/0/replicas/1/devices",
             [](Pipeline& x) {
                 x.stages[0].replicas[1].devices = {2, 18};
             }},
            {"/pipelines/0/stages/0/replicas/1/devices",
             [](Pipeline& x) {
                 x.stages[0].replicas[1].devices = {2, 2};
             }},
            {"/pipelines/0/stages/0/replicas/1/devices",
             [](Pipeline& x) { x.stages[0].replicas[1].devices.clear(); }},
            {"/pipelines/0/stages/0/replicas", [](Pipeline& x) { x.stages[0].replicas.clear(); }},
            {"/pipelines/0/stages/1/replicas", [](Pipeline& x) { x.stages[1].replicas[0].share = 0.5; }},
            {"/pipelines/0/stages/1/replicas/0/share",
             [](Pipeline& x) { x.stages[1].replicas[0].share = 0.3; }},
            {"/pipelines/0/stages/1/replicas/0/share",
             [](Pipeline& x) { x.stages[1].replicas[0].share = 0.0; }},
            {"/pipelines/0/stages/0/cp", [](Pipeline& x) { x.stages[0].cp = 5; }},
            {"/pipelines/0/stages/0/cp", [](Pipeline& x) { x.stages[0].cp = 0; }},
            {"/pipelines/0/stages/0/ep", [](Pipeline& x) { x.stages[0].ep = 2; }},
            {"/pipelines/0/stages/0/zero", [](Pipeline& x) { x.stages[0].zero = 4; }},
            {"/pipelines/0/stages/0/zero", [](Pipeline& x) { x.stages[0].zero = -1; }},
            {"/pipelines/0/stages/0/recompute/layers", [](Pipeline& x) { x.stages[0].recomputeLayers = 1; }},
            {"/pipelines/0/schedule/chunks", [](Pipeline& x) { x.schedule.chunks = 2; }},
            {"/pipelines/0/schedule/launch",
             [](Pipeline& x) {
                 x.schedule.launch = {2, 1};
             }},
            {"/pipelines/0/schedule/launch",
             [](Pipeline& x) {
                 x.schedule.launch = {2, 1, 0};
             }},
            {"/pipelines/0/schedule/launch/1",
             [](Pipeline& x) {
                 x.schedule.launch = {2, 3, 1};
             }},
            {"/pipelines/0/share", [](Pipeline& x) { x.share = 0.5; }},
            {"/pipelines", [](Pipeline& x) { x.microbatches = 7; }},
            {"/pipelines", [](Pipeline& x) { x.microbatchSize = 16; }},
            {"/pipelines/0", [](Pipeline& x) { x.microbatches = 0; }},
            {"/pipelines/0", [](Pipeline& x) { x.count = 0; }},
            {"/pipelines", // 2^64 + 64 sequences must not pass for 64
             [](Pipeline& x) {
                 x.microbatches = (std::int64_t{1} << 61) + 8;
                 x.microbatchSize = 8;
             }},
            {"/pipelines/0/stages/0/replicas", [](Pipeline& x) { x.count = 3; }},
        };
        for (std::size_t n = 0; n < changes.size(); ++n) {
            Plan plan = sound();
            changes[n].second(plan.pipelines[0]);
            const Status status = checkPlan(*p, plan, "f#");
            QVERIFY2(!status, qPrintable(QString("change %1 passes").arg(n)));
            QVERIFY2(status.error().kind == ErrorKind::BadInput &&
                         names(status.error(), "f#" + changes[n].first),
                     qPrintable(QString("change %1: %2").arg(n).arg(all(status.error()).c_str())));
        }
        // Launch counts that rise only beyond the number of micro-batches progress.
        Plan plan = sound();
        plan.pipelines[0].schedule.launch = {8, 9, 9};
        QVERIFY(checkPlan(*p, plan, ""));
        plan.pipelines.clear();
        QVERIFY(!checkPlan(*p, plan, ""));
        plan = sound();
        plan.pipelines.push_back(plan.pipelines[0]);
        QVERIFY(!checkPlan(*p, plan, ""));
    }

    void identicalPipelinesAreIdentical() {
        const auto p = problem();
        const auto refused = [&](const std::function<void(Stage&)>& change, const std::string& where) {
            Plan plan = twins();
            change(plan.pipelines[0].stages[0]);
            const Status status = checkPlan(*p, plan, "");
            return !status && names(status.error(), where);
        };
        // In all the shares are 2, but each pipeline must have its own whole.
        QVERIFY(refused([](Stage& s) { s.replicas[0].share = 0.625, s.replicas[2].share = 0.375; },
                        "/pipelines/0/stages/0/replicas"));
        QVERIFY(refused([](Stage& s) { s.replicas[2].share = 0.25, s.replicas[3].share = 0.75; },
                        "/pipelines/0/stages/0/replicas/2"));
        QVERIFY(refused([](Stage& s) { s.replicas[3].devices = {16}; }, "/pipelines/0/stages/0/replicas/3"));
    }

    void forbiddenDevicesStayUnused() {
        for (const char* name : {"n1.g3", "n1", "V100-SXM2-16GB", "V100-16"}) {
            const auto p = problem({name});
            QVERIFY2(!checkPlan(*p, sound(), ""), name);
        }
        QVERIFY(checkPlan(*problem({"n1.g7", "n3.g3"}), sound(), ""));
    }

    void vendorsDoNotMix() {
        Project project = smallProject();
        DeviceKind other = *Catalogue::builtin().find("V100-SXM2-16GB");
        other.name = other.shortName = "other";
        other.vendor = "another";
        project.cluster.kinds = {other};
        project.cluster.nodes[2].kind = "other";
        const auto p = Problem::make(project.cluster, *project.model, project.recipe, {});
        QVERIFY(p);
        QVERIFY(checkPlan(**p, sound(), "")); // point to point is allowed
        Plan plan = sound();
        plan.pipelines[0].stages[1].replicas[0].devices = {4};
        const Status status = checkPlan(**p, plan, "");
        QVERIFY(!status && names(status.error(), "/pipelines/0/stages/1/replicas"));
    }

    void badJsonIsRefusedWithItsPointer() {
        const auto p = problem();
        const std::vector<std::pair<const char*, Json>> changes = {
            {"/pipelines/0/stages/0/chunks/0", Json::array({0})},
            {"/pipelines/0/stages/0/chunks/0", "0-3"},
            {"/pipelines/0/stages/0/chunks/0", Json::array({0, 3.5})},
            {"/pipelines/0/stages/0/chunks/0", Json::array({-1, 3})},
            {"/pipelines/0/stages/0/chunks/0", Json::array({4294967296, 3})}, // 0 in 32 bits
            {"/pipelines/0/stages/0/chunks/0", Json::array({0, -4294967293})},
            {"/pipelines/0/stages/0/replicas/1/devices/0", "n9.g0"},
            {"/pipelines/0/stages/0/replicas/1/devices/0", 2},
            {"/pipelines/0/stages/0/replicas/1/share", 1.5},
            {"/pipelines/0/stages/0/recompute/mode", "some"},
            {"/pipelines/0/stages/0/recompute/layers", 3},
            {"/pipelines/0/stages/0/partition", "spatial"},
            {"/pipelines/0/stages/0/tp", 1.5},
            {"/pipelines/0/stages/0/zero", 4},
            {"/pipelines/0/schedule/kind", "waltz"},
            {"/pipelines/0/schedule/rule", "floor"},
            {"/pipelines/0/schedule/launch/0", 0},
            {"/pipelines/0/schedule/launch/0", 4294967297},
            {"/pipelines/0/microbatches", -8},
            {"/pipelines/0/count", 0},
        };
        for (const auto& [pointer, value] : changes) {
            Json entry = toJson(*p, sound());
            entry[Json::json_pointer(pointer)] = value;
            const auto plan = read(entry, *p);
            QVERIFY2(!plan, pointer);
            QVERIFY2(plan.error().kind == ErrorKind::BadInput &&
                         names(plan.error(), std::string("f#") + pointer),
                     qPrintable(QString("%1: %2").arg(pointer, all(plan.error()).c_str())));
        }
    }

    // Chunks follow each other through the stages in rounds, or there and back.
    void chunkedPlans() {
        const auto p = problem();
        const auto with = [](ScheduleKind kind, std::vector<std::vector<LayerRange>> chunks) {
            Pipeline x;
            x.microbatches = 16;
            x.microbatchSize = 4;
            x.schedule.kind = kind;
            x.schedule.chunks = static_cast<int>(chunks.front().size());
            for (std::size_t i = 0; i < chunks.size(); ++i) {
                Stage stage;
                stage.chunks = chunks[i];
                stage.replicas = {{{static_cast<DeviceIndex>(i)}, 1.0}};
                x.stages.push_back(stage);
            }
            return Plan{{x}};
        };
        const std::vector<std::vector<LayerRange>> rounds = {{{0, 2}, {5, 6}}, {{3, 4}, {7, 9}}};
        const std::vector<std::vector<LayerRange>> there = {{{0, 2}, {7, 9}}, {{3, 4}, {5, 6}}};
        const std::vector<std::vector<LayerRange>> single = {{{0, 4}}, {{5, 9}}};
        std::vector<Plan> sound = {with(ScheduleKind::Interleaved, rounds), with(ScheduleKind::ZbV, there)};
        for (const ScheduleKind kind : {ScheduleKind::ZbH1, ScheduleKind::Zb1p, ScheduleKind::Zb2p})
            sound.push_back(with(kind, single));
        for (const Plan& plan : sound) {
            const Status checked = checkPlan(*p, plan, "f#");
            QVERIFY2(checked, checked ? "" : all(checked.error()).c_str());
            const auto back = read(parseJson(toJson(*p, plan).dump(), "f").operator*(), *p);
            QVERIFY2(back, back ? "" : all(back.error()).c_str());
            QVERIFY(*back == plan);
        }
        const auto fault = [&](const Plan& plan, const char* where) {
            const Status checked = checkPlan(*p, plan, "f#");
            QVERIFY2(!checked && names(checked.error(), std::string("f#") + where),
                     checked ? where : all(checked.error()).c_str());
        };
        fault(with(ScheduleKind::ZbV, rounds), "/pipelines/0/stages/1/chunks");
        fault(with(ScheduleKind::Interleaved, there), "/pipelines/0/stages/1/chunks");
        fault(with(ScheduleKind::Interleaved, single), "/pipelines/0/schedule/chunks");
        fault(with(ScheduleKind::OneFOneB, rounds), "/pipelines/0/schedule/chunks");
        Plan plan = with(ScheduleKind::Interleaved, rounds);
        plan.pipelines[0].stages[1].chunks.pop_back();
        fault(plan, "/pipelines/0/stages/1/chunks");
        plan = with(ScheduleKind::Interleaved, rounds);
        plan.pipelines[0].stages[1].chunks[1].last = 8;
        fault(plan, "/pipelines/0/stages");
        plan = with(ScheduleKind::Interleaved, rounds);
        plan.pipelines[0].microbatches = 1; // of a group of 2
        plan.pipelines[0].microbatchSize = 64;
        fault(plan, "/pipelines/0/microbatches");
        plan = with(ScheduleKind::Zb1p, single);
        plan.pipelines[0].schedule.launch = {2, 1};
        fault(plan, "/pipelines/0/schedule/launch");
    }

    void keysAreEqualForEqualPlansOnly() {
        using Change = std::function<void(Pipeline&)>;
        const std::vector<Change> changes = {
            [](Pipeline&) {},
            [](Pipeline& x) { x.count = 2; },
            [](Pipeline& x) { x.share = 0.5; },
            [](Pipeline& x) { x.microbatches = 4; },
            [](Pipeline& x) { x.microbatchSize = 4; },
            [](Pipeline& x) { x.schedule.kind = ScheduleKind::Eager; },
            [](Pipeline& x) { x.schedule.rule = LaunchRule::Ceil; },
            [](Pipeline& x) { x.schedule.chunks = 2; },
            [](Pipeline& x) {
                x.schedule.launch = {3, 2, 1};
            },
            [](Pipeline& x) { x.schedule.launch.clear(); },
            [](Pipeline& x) {
                x.stages[0].chunks = {{0, 1}, {2, 3}};
            },
            [](Pipeline& x) { x.stages[0].chunks[0].last = 2; },
            [](Pipeline& x) { x.stages[0].tp = 1; },
            [](Pipeline& x) { x.stages[0].cp = 2; },
            [](Pipeline& x) { x.stages[0].ep = 2; },
            [](Pipeline& x) { x.stages[0].zero = 1; },
            [](Pipeline& x) { x.stages[0].sequenceParallel = true; },
            [](Pipeline& x) { x.stages[0].recompute = Recompute::Full; },
            [](Pipeline& x) { x.stages[0].recomputeLayers = 1; },
            [](Pipeline& x) { x.stages[1].replicas[0].share = 0.25 + 1e-15; },
            [](Pipeline& x) { std::swap(x.stages[1].replicas[0], x.stages[1].replicas[1]); },
            [](Pipeline& x) {
                std::swap(x.stages[0].replicas[0].devices[0], x.stages[0].replicas[0].devices[1]);
            },
            [](Pipeline& x) {
                x.stages[0].replicas = {{{0, 1, 2, 3}, 0.5}, {{}, 0.5}};
            },
            [](Pipeline& x) { x.stages.pop_back(); },
        };
        std::map<std::string, std::size_t> seen;
        for (std::size_t n = 0; n < changes.size(); ++n) {
            Plan plan = sound();
            changes[n](plan.pipelines[0]);
            const auto [at, fresh] = seen.emplace(canonicalKey(plan), n);
            QVERIFY2(fresh,
                     qPrintable(QString("%1 and %2: %3").arg(n).arg(at->second).arg(at->first.c_str())));
            const Plan copy = plan;
            QCOMPARE(canonicalKey(copy), at->first);
        }
    }

    // 0 embedding, 1 and 2 attention and MLP of block 0, ... 64 the MLP of block 31, 65 the head.
    void layersAreNamedOneWay() {
        Stage stage;
        const auto said = [&](std::vector<LayerRange> chunks) {
            stage.chunks = std::move(chunks);
            return layersText(stage, 66) + " | " + layersPhrase(stage, 66);
        };
        QCOMPARE(said({{0, 10}}), std::string("emb, 0 to 4 | emb, blocks 0 to 4"));
        QCOMPARE(said({{11, 38}}), std::string("5 to 18 | blocks 5 to 18"));
        QCOMPARE(said({{39, 65}}), std::string("19 to 31, head | blocks 19 to 31, head"));
        QCOMPARE(said({{0, 0}}), std::string("emb | emb"));
        QCOMPARE(said({{65, 65}}), std::string("head | head"));
        QCOMPARE(said({{63, 64}}), std::string("31 | block 31"));
        QCOMPARE(said({{12, 12}}), std::string("5 (MLP) | block 5 (MLP)"));
        QCOMPARE(said({{12, 15}}), std::string("5 (MLP) to 7 (attention) | blocks 5 (MLP) to 7 (attention)"));
        QCOMPARE(said({{1, 4}, {9, 12}}), std::string("0 to 1; 4 to 5 | blocks 0 to 1; blocks 4 to 5"));
    }
};

QTEST_APPLESS_MAIN(PlanTest)
#include "plan_test.moc"

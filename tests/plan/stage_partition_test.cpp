// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/evaluation.h"
#include "core/partition/divided_block.h"
#include "core/plan/stage_partition.h"
#include "tests/project/small_project.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <cmath>
#include <set>

using namespace pw;

namespace {

std::shared_ptr<const Problem> partitionProblem() {
    const Project p = smallProject();
    auto made = Problem::make(p.cluster, *p.model, p.recipe, {});
    if (!made)
        qFatal("%s", made.error().text().c_str());
    return *made;
}

// Two replicas of four A100 on one node, then a whole node of eight, both with every way worth trying.
Plan plain() {
    Pipeline p;
    p.microbatches = 8;
    p.microbatchSize = 8;
    p.schedule.launch = {2, 1};
    p.stages.resize(2);
    p.stages[0].chunks = {{0, 4}};
    p.stages[0].tp = 4;
    p.stages[0].sequenceParallel = true;
    p.stages[0].zero = 1;
    p.stages[0].replicas = {{{0, 1, 2, 3}, 0.5}, {{4, 5, 6, 7}, 0.5}};
    p.stages[1].chunks = {{5, 9}};
    p.stages[1].tp = 8;
    p.stages[1].sequenceParallel = true;
    p.stages[1].replicas = {{{8, 9, 10, 11, 12, 13, 14, 15}, 1.0}};
    return Plan{{p}};
}

std::vector<partition::BlockWays> waysOf(const Problem& p, const Plan& plan, std::size_t stage) {
    const Stage& s = plan.pipelines[0].stages[stage];
    const Replica& r = s.replicas.front();
    return partition::steadyWays(p, r.devices, std::llround(r.share * 8.0), 8, s.sequenceParallel);
}

Plan divided(const Problem& p, std::size_t first = 0, std::size_t second = 0) {
    Plan plan = plain();
    auto& stages = plan.pipelines[0].stages;
    stages[0].partition = waysOf(p, plan, 0)[first];
    stages[1].partition = waysOf(p, plan, 1)[second];
    return plan;
}

bool close(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::abs(b);
}

bool pointsAt(const Error& error, const std::string& pointer) {
    return error.where == pointer ||
           std::ranges::any_of(error.reasons, [&](const Error& reason) { return reason.where == pointer; });
}

} // namespace

class StagePartitionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void jsonRoundTrip() {
        const auto p = partitionProblem();
        std::set<std::string> keys = {canonicalKey(plain())};
        const std::size_t first = waysOf(*p, plain(), 0).size(), second = waysOf(*p, plain(), 1).size();
        QVERIFY(first > 1 && second > 1);
        for (std::size_t a = 0; a < first; ++a)
            for (std::size_t b = 0; b < second; ++b) {
                const Plan plan = divided(*p, a, b);
                const Json json = toJson(*p, plan);
                QVERIFY(json["pipelines"][0]["stages"][0]["partition"].is_object());
                const auto text = parseJson(json.dump(), "f");
                const auto back = planFromJson(JsonReader(*text, "f"), *p);
                QVERIFY2(back, back ? "" : back.error().text().c_str());
                QVERIFY(*back == plan);
                QVERIFY(keys.insert(canonicalKey(*back)).second);
            }
        QVERIFY(toJson(*p, plain())["pipelines"][0]["stages"][0]["partition"] == "none");
    }

    void badPartitionsAreRefusedWithTheirPlace() {
        const auto p = partitionProblem();
        const std::string at = "/pipelines/0/stages/0/partition";
        const auto refused = [&](const Json& value, const std::string& where) {
            Json entry = toJson(*p, divided(*p));
            entry[Json::json_pointer(at)] = value;
            const auto plan = planFromJson(JsonReader(entry, "f"), *p);
            return !plan && plan.error().kind == ErrorKind::BadInput && pointsAt(plan.error(), "f#" + where);
        };
        const Json good = toJson(divided(*p).pipelines[0].stages[0].partition);
        const auto with = [&](const char* name, const Json& value) {
            Json changed = good;
            changed[name] = value;
            return changed;
        };
        Json without = good;
        without.erase("qkv");
        QVERIFY(refused("spatial", at));
        QVERIFY(refused(7, at));
        QVERIFY(refused(Json::object(), at));
        QVERIFY(refused(without, at + "/qkv"));
        QVERIFY(refused(with("router", "K.K"), at + "/router"));
        QVERIFY(refused(with("qkv", "K.X"), at + "/qkv"));
        QVERIFY(refused(with("qkv", 2), at + "/qkv"));
        QVERIFY(refused(with("qkv", "K"), at + "/qkv"));
        QVERIFY(refused(with("qkv", "K.K.K"), at + "/qkv"));
        QVERIFY(refused(with("norm", "P2x2"), at + "/norm"));
        QVERIFY(!refused(with("qkv", "P2x2"), at));
    }

    void whatAPartitionDoesNotGoWith() {
        const auto p = partitionProblem();
        using Change = std::function<void(Stage&)>;
        const auto refused = [&](std::size_t stage, const Change& change) {
            Plan plan = divided(*p);
            change(plan.pipelines[0].stages[stage]);
            const Status sound = checkPlan(*p, plan, "f#");
            return !sound &&
                   pointsAt(sound.error(), "f#/pipelines/0/stages/" + std::to_string(stage) + "/partition");
        };
        QVERIFY(checkPlan(*p, divided(*p), "f#"));
        QVERIFY(refused(0, [](Stage& s) { s.recompute = Recompute::Selective; }));
        QVERIFY(!refused(0, [](Stage& s) { s.recompute = Recompute::Full; }));
        QVERIFY(refused(0, [](Stage& s) {
            s.recompute = Recompute::Full;
            s.recomputeLayers = 1;
        }));
        QVERIFY(refused(0, [](Stage& s) { s.chunks[0].last = 3; })); // behind an attention
        QVERIFY(refused(1, [](Stage& s) { s.chunks[0].first = 6; }));
        // Ways for four GPUs on two.
        Plan fewer = divided(*p);
        Stage& first = fewer.pipelines[0].stages[0];
        first.tp = 2;
        for (Replica& replica : first.replicas)
            replica.devices.resize(2);
        const Status two = checkPlan(*p, fewer, "f#");
        QVERIFY(!two && pointsAt(two.error(), "f#/pipelines/0/stages/0/partition/qkv"));
        // Three GPUs of one node and five of another.
        Plan odd = divided(*p);
        odd.pipelines[0].stages[0] = plain().pipelines[0].stages[0];
        odd.pipelines[0].stages[0].replicas = {{{0, 1, 2, 3}, 1.0}};
        QVERIFY(checkPlan(*p, odd, "f#"));
        odd.pipelines[0].stages[1].replicas[0].devices = {5, 6, 7, 8, 9, 10, 11, 12};
        const Status uneven = checkPlan(*p, odd, "f#");
        QVERIFY(!uneven && pointsAt(uneven.error(), "f#/pipelines/0/stages/1/partition"));
        odd.pipelines[0].stages[1].replicas[0].devices = {4, 5, 6, 7, 8, 9, 10, 11};
        QVERIFY(checkPlan(*p, odd, "f#")); // four of each
        QVERIFY(evaluate(*p, odd));
    }

    // What evaluation makes of a divided stage: blocks as priced, sums inside the replica behind the last
    // one.
    void evaluationTakesTheBlocks() {
        const auto p = partitionProblem();
        const auto before = evaluate(*p, plain());
        QVERIFY(before);
        const std::size_t ways = waysOf(*p, plain(), 1).size();
        for (std::size_t w = 0; w < ways; ++w) {
            Plan plan = plain();
            Stage& stage = plan.pipelines[0].stages[1];
            stage.partition = waysOf(*p, plan, 1)[w];
            const auto after = evaluate(*p, plan);
            QVERIFY2(after, after ? "" : after.error().text().c_str());
            const auto block =
                partition::dividedBlock(*p, stage.replicas[0].devices, 8, stage.partition, true);
            const auto whole = [&](bool sequenceParallel) {
                CostConfig config;
                placeOn(config, p->topology(), 8);
                config.tp = 8;
                config.mbs = 8;
                config.sequenceParallel = sequenceParallel;
                return ConfigCosts(*p, config);
            };
            // The head beside one block, less the block.
            const double head = whole(true).stage(7, 9, 1, 0).forward - whole(true).stage(7, 8, 1, 0).forward;
            const StageFigures& f = after->pipelines[0].stages[1];
            QVERIFY(close(f.forward.value, 2.0 * block->forward + block->endsForward + head));
            QVERIFY(close(f.sync.value - before->pipelines[0].stages[1].sync.value, 2.0 * block->sync) ||
                    block->sync == 0.0);
            QCOMPARE(f.forwardProvenance, Provenance::Estimated);
            QVERIFY(after->pipelines[0].stages[0].forward == before->pipelines[0].stages[0].forward);
            QVERIFY(after->iteration != before->iteration);
        }
    }

    void itIsCalledWhatItIs() {
        const auto p = partitionProblem();
        QCOMPARE(partitionText(plain().pipelines[0].stages[0]), std::string("none"));
        const std::string text = partitionText(divided(*p).pipelines[0].stages[0]);
        QVERIFY(text.starts_with("PrimePar partition, predicted: norm "));
        QVERIFY(text.find(", norm_2 ") != std::string::npos && text.find(", add_2 ") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(StagePartitionTest)
#include "stage_partition_test.moc"

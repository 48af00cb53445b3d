// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan.h"
#include "core/problem/memory_span.h"
#include "core/problem/problem.h"

#include "tests/project/small_project.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace pw;

namespace {

Result<std::shared_ptr<const Problem>> ask(const Project& p, std::vector<std::string> forbidden = {}) {
    Space space;
    space.forbidden = std::move(forbidden);
    return Problem::make(p.cluster, *p.model, p.recipe, p.profiles, space);
}

Result<Recipe> recipe(const std::string& text) {
    const Result<Json> doc = parseJson(text, "r.json");
    return recipeFromJson(JsonReader(*doc, "r.json"));
}

} // namespace

class ProblemTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hashIsOfTheQuestionNotOfTheDrawing() {
        const Project base = smallProject();
        const std::string hash = (*ask(base))->hash();
        QCOMPARE(hash.size(), std::size_t{32});

        Project moved = base;
        moved.cluster.nodes[0].at = {1000, -3};
        moved.cluster.switches[0].at = {5, 5};
        QCOMPARE((*ask(moved))->hash(), hash);
        Project otherRows = base;
        otherRows.profiles.push_back(otherRows.profiles[0]);
        otherRows.profiles.back().model = "some other model";
        QCOMPARE((*ask(otherRows))->hash(), hash);
        Project ownKind = base; // the catalogue's figures, written into the file
        ownKind.cluster.kinds = {*findKind(base.cluster, "A100-SXM4-40GB")};
        QCOMPARE((*ask(ownKind))->hash(), hash);
        ownKind.cluster.kinds[0].source = "read again";
        ownKind.cluster.kinds[0].date = "2026-11";
        ownKind.cluster.kinds[0].typicalNetwork = "8x400G";
        ownKind.cluster.kinds[0].pricePerHour = 3.5;
        QCOMPARE((*ask(ownKind))->hash(), hash);
        QVERIFY(differingParts(**ask(ownKind), **ask(base)).empty());

        std::vector<Project> different(6, base);
        different[0].recipe.gbs = 128;
        different[1].model->ffn = 3072;
        different[2].cluster.links[0].bandwidth = BytesPerSecond(25e9);
        different[3].profiles[0].forward = Seconds(0.011);
        different[4].cluster.kinds = ownKind.cluster.kinds;
        different[4].cluster.kinds[0].matmulEfficiency *= 0.9;
        different[5].cluster.nodes[2].speed = 0.9;
        for (const Project& p : different)
            QVERIFY((*ask(p))->hash() != hash);
        QVERIFY((*ask(base, {"n3"}))->hash() != hash);
        QCOMPARE((*ask(base, {"n3", "n1", "n3"}))->hash(), (*ask(base, {"n1", "n3"}))->hash());
    }

    void documentRoundTripKeepsTheHash() {
        for (const std::vector<std::string>& forbidden :
             {std::vector<std::string>{}, {"n1.g3", "V100-SXM2-16GB"}}) {
            const auto problem = *ask(smallProject(), forbidden);
            const Result<Json> doc = parseJson(printJson(problem->toJson()), "p.json");
            const auto again = Problem::fromJson(JsonReader(*doc, "p.json"));
            QVERIFY2(again, again ? "" : again.error().text().c_str());
            QCOMPARE((*again)->hash(), problem->hash());
            QVERIFY((*again)->allowed() == problem->allowed());
            QVERIFY((*again)->recipe() == problem->recipe());
        }
    }

    void documentErrorsArePlaced() {
        Json doc = (*ask(smallProject()))->toJson();
        doc["recipe"]["gbs"] = "64";
        doc["cluster"]["nodes"][1]["gpus"] = 0;
        doc.erase("model");
        const auto read = Problem::fromJson(JsonReader(doc, "p.json"));
        QVERIFY(!read);
        std::string all = read.error().text();
        for (const Error& reason : read.error().reasons)
            all += "\n" + reason.text();
        for (const char* place : {"p.json#/recipe/gbs", "p.json#/cluster/nodes/1/gpus", "p.json#/model"})
            QVERIFY2(all.find(place) != std::string::npos, all.c_str());
    }

    // bf16 if every used kind has it, else fp16, else fp32 (resources/manual/project-file.md#recipe). The
    // V100 has no bf16.
    void autoPrecisionFollowsTheAllowedDevices() {
        const Project p = smallProject();
        QCOMPARE((*ask(p))->precision(), Precision::Fp16);
        QCOMPARE((*ask(p, {"n3"}))->precision(), Precision::Bf16);
        QCOMPARE((*ask(p, {"V100-SXM2-16GB"}))->precision(), Precision::Bf16);
        QCOMPARE((*ask(p, {"n3.g0"}))->precision(), Precision::Fp16);
        QCOMPARE((*ask(p, {"n3.g0", "n3.g1", "n3.g2", "n3.g3"}))->precision(), Precision::Bf16);
    }

    void impossiblePrecisionIsRefusedWithTheKind() {
        Project p = smallProject();
        p.recipe.precision = Precision::Bf16;
        const auto asked = ask(p);
        QVERIFY(!asked);
        QCOMPARE(asked.error().kind, ErrorKind::Infeasible);
        QVERIFY2(asked.error().message.find("V100-SXM2-16GB cannot run bf16") != std::string::npos,
                 asked.error().message.c_str());
        QVERIFY(ask(p, {"n3"}));
    }

    void forbiddenMarksDevices() {
        const auto problem = *ask(smallProject(), {"n1.g3", "n2"});
        QCOMPARE(problem->allowed().size(), std::size_t{20});
        for (DeviceIndex d = 0; d < 20; ++d) {
            const Device& device = problem->topology().devices()[static_cast<std::size_t>(d)];
            QCOMPARE(bool(problem->allowed()[static_cast<std::size_t>(d)]),
                     device.id != "n1.g3" && device.node != 1);
        }
        const auto unknown = ask(smallProject(), {"n1", "n9", "n1.g8"});
        QVERIFY(!unknown);
        QCOMPARE(unknown.error().kind, ErrorKind::BadInput);
        QCOMPARE(unknown.error().where, std::string("n1.g8"));
        QCOMPARE(unknown.error().reasons.size(), std::size_t{1});
        const auto none = ask(smallProject(), {"n1", "n2", "n3"});
        QVERIFY(!none);
        QCOMPARE(none.error().kind, ErrorKind::Infeasible);
    }

    void learnedPositionsLimitTheSequence() {
        Project p = smallProject();
        p.recipe.seq = 8192;
        QVERIFY(ask(p)); // rotary: only a remark of checkProject
        p.model->learnedPositions = 4096;
        QVERIFY(!ask(p));
    }

    void recipeReadsTheCommandLinesWords() {
        const auto all = recipe(R"({"gbs":8,"seq":16,"precision":"auto","optimizer":"adam","zero":"auto",
            "recompute":"auto","sequence_parallel":"auto","mbs":"auto","reserve":"2 GiB"})");
        QVERIFY2(all, all ? "" : all.error().text().c_str());
        Recipe expected;
        expected.gbs = 8;
        expected.seq = 16;
        expected.reserve = gibibytes(2);
        QVERIFY(*all == expected);
        const auto some = recipe(R"({"gbs":8,"seq":16,"precision":"fp16","optimizer":"sgd","zero":1,
            "recompute":["none","full"],"sequence_parallel":"off","mbs":[1,2,4]})");
        QVERIFY(some);
        QVERIFY(some->recompute == (std::vector<Recompute>{Recompute::None, Recompute::Full}));
        QVERIFY(some->mbs == (std::vector<std::int64_t>{1, 2, 4}));
        QCOMPARE(some->zero, 1);
        QVERIFY(some->sequenceParallel == Choice::Off);
        for (const Recipe& r : {*all, *some}) {
            const auto back = recipe(printJson(toJson(r)));
            QVERIFY(back && *back == r);
        }
        QVERIFY(recipe(R"({"gbs":8,"seq":16,"recompute":"full","mbs":4})")->mbs ==
                std::vector<std::int64_t>{4});
    }

    void softwareReadsBackAndChangesTheHash() {
        Project base = smallProject();
        const std::string hash = (*ask(base))->hash();
        QVERIFY(!toJson(base.recipe).contains("software")); // silence and the defaults are one question
        Software stalled;
        stalled.stageStall = 0.002;
        QVERIFY(toJson(stalled).contains("stage_stall") && !toJson(Software{}).contains("stage_stall"));
        const auto read = recipe(R"({"gbs":8,"seq":16,"zero":3,"software":{"launch":"compiled",
            "fused_attention":"on","overlap_gradients":"on","bucket":"25 MiB","overlap_gather":"off",
            "gradients_fp32":"off","shard_ranks":8,"dropout":"on","fused_loss":"on","per_tensor":"on",
            "overlap_tensor":"on","overlap_tensor_backward":"off","overlap_transfers":"off","overlap_parameters":"on",
            "fused_accumulation":"off","fused_update":"off","repeat_core":"on","weights_fp8":"on","owner_broadcasts":"on","between_steps":"50 ms","stage_stall":"2 ms","scaling":"block",
            "graphs":"layer","products":"cublaslt-12","attention":"flash-3"}})");
        QVERIFY2(read, read ? "" : read.error().text().c_str());
        Software expected;
        expected.kernels = Launch::Compiled;
        expected.fusedAttention = expected.overlapGradients = expected.dropout = Choice::On;
        expected.fusedLoss = expected.perTensor = expected.overlapTensor = expected.overlapParameters =
            expected.repeatCore = expected.weightsFp8 = expected.ownerBroadcasts = Choice::On;
        expected.fusedAccumulation = expected.fusedUpdate = Choice::Off;
        expected.scaling = Scaling::Block;
        expected.graphs = Graphs::Layer;
        expected.products = "cublaslt-12";
        expected.attention = "flash-3";
        expected.overlapGather = expected.gradFp32 = expected.overlapTensorBackward =
            expected.overlapTransfers = Choice::Off;
        expected.bucketBytes = 25.0 * 1024 * 1024;
        expected.shardRanks = 8;
        expected.betweenSteps = 0.05;
        expected.stageStall = 0.002;
        QVERIFY(read->software == expected);
        QCOMPARE(read->zero, 3);
        const auto back = recipe(printJson(toJson(*read)));
        QVERIFY(back && *back == *read);
        base.recipe.software = expected;
        QVERIFY((*ask(base))->hash() != hash);
        const Result<Json> document = parseJson(printJson((*ask(base))->toJson()), "p.json");
        const auto again = Problem::fromJson(JsonReader(*document, "p.json"));
        QVERIFY(again && (*again)->recipe().software == expected);
    }

    // Files of older versions knew one way to scale beside the usual one.
    void rowwiseScalesOfOlderFilesAreRead() {
        const auto old = recipe(R"({"gbs":8,"seq":16,"software":{"rowwise_scales":"on"}})");
        QVERIFY(old && old->software.scaling == Scaling::Row);
        QVERIFY(recipe(R"({"gbs":8,"seq":16,"software":{"rowwise_scales":"off"}})")->software == Software{});
    }

    void expertLoadReadsBackAndChangesTheHash() {
        Project base = smallProject();
        const std::string hash = (*ask(base))->hash();
        QVERIFY(!toJson(base.recipe).contains("expert_load"));
        const auto read = recipe(R"({"gbs":8,"seq":16,"expert_load":1.25})");
        QVERIFY2(read, read ? "" : read.error().text().c_str());
        QCOMPARE(read->expertLoad, 1.25);
        const auto back = recipe(printJson(toJson(*read)));
        QVERIFY(back && *back == *read);
        base.recipe.expertLoad = 1.25;
        QVERIFY((*ask(base))->hash() != hash);
        base.recipe.expertLoad = 65.0;
        QVERIFY(!checkRecipe(base.recipe, "r"));
    }

    // Devices are planned as full as they may be to fit with that chance; what they have stays what it is.
    void chanceToFitLimitsWhatDevicesHold() {
        Project base = smallProject();
        const auto usual = *ask(base);
        QVERIFY(!toJson(base.recipe).contains("fit_chance"));
        const auto read = recipe(R"({"gbs":8,"seq":16,"fit_chance":0.9})");
        QVERIFY2(read, read ? "" : read.error().text().c_str());
        QCOMPARE(read->fitChance, 0.9);
        const auto back = recipe(printJson(toJson(*read)));
        QVERIFY(back && *back == *read);
        base.recipe.fitChance = 0.9;
        const auto sure = *ask(base);
        QVERIFY(sure->hash() != usual->hash());
        const MemorySpan& span = memorySpans().of(base.recipe.stack);
        for (std::size_t d = 0; d < usual->topology().devices().size(); ++d) {
            const Device &a = usual->topology().devices()[d], &b = sure->topology().devices()[d];
            QVERIFY(a.capacity.value == a.memory.value && b.memory.value == a.memory.value);
            QVERIFY(b.capacity < a.capacity);
            QVERIFY(std::abs(chanceToFit(span, b.capacity, b.memory) - 0.9) < 1e-9);
        }
        const auto other = sure->withForbidden({});
        QVERIFY(other && (*other)->topology().devices().front().capacity ==
                             sure->topology().devices().front().capacity);
    }

    void recipeMistakesArePlaced_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("where");
        const auto row = [](const char* text, const char* where) {
            QTest::newRow(text) << QByteArray(text) << QByteArray(where);
        };
        row(R"({"seq":1})", "r.json#/gbs");
        row(R"({"gbs":0,"seq":1})", "r.json#/gbs");
        row(R"({"gbs":1,"seq":1,"precision":"int4"})", "r.json#/precision");
        row(R"({"gbs":1,"seq":1,"zero":4})", "r.json#/zero");
        row(R"({"gbs":1,"seq":1,"software":{"launch":"fast"}})", "r.json#/software/launch");
        row(R"({"gbs":1,"seq":1,"software":{"dropout":true}})", "r.json#/software/dropout");
        row(R"({"gbs":1,"seq":1,"software":{"bucket":"-1 MiB"}})", "r.json#/software/bucket");
        row(R"({"gbs":1,"seq":1,"software":{"bucket":"9 TiB"}})", "r.json#/software/bucket");
        row(R"({"gbs":1,"seq":1,"software":{"shard_ranks":-1}})", "r.json#/software/shard_ranks");
        row(R"({"gbs":1,"seq":1,"software":{"between_steps":"11 min"}})", "r.json#/software/between_steps");
        row(R"({"gbs":1,"seq":1,"software":{"stage_stall":"-1 ms"}})", "r.json#/software/stage_stall");
        row(R"({"gbs":1,"seq":1,"recompute":"first-n"})", "r.json#/recompute");
        row(R"({"gbs":1,"seq":1,"mbs":[0]})", "r.json#/mbs");
        row(R"({"gbs":8,"seq":1,"mbs":[16]})", "r.json#/mbs");
        row(R"({"gbs":8,"seq":1,"mbs":[2,2]})", "r.json#/mbs");
        row(R"({"gbs":8,"seq":1,"expert_load":0.5})", "r.json#/expert_load");
        row(R"({"gbs":8,"seq":1,"expert_load":"2"})", "r.json#/expert_load");
        row(R"({"gbs":8,"seq":1,"fit_chance":0.4})", "r.json#/fit_chance");
        row(R"({"gbs":8,"seq":1,"fit_chance":1})", "r.json#/fit_chance");
        row(R"({"gbs":8,"seq":1,"reserve":-1})", "r.json#/reserve");
        row(R"({"gbs":8,"seq":1,"reserve":"lots"})", "r.json#/reserve");
    }
    void recipeMistakesArePlaced() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, where);
        const auto read = recipe(text.toStdString());
        QVERIFY(!read);
        QCOMPARE(read.error().where, where.toStdString());
    }

    void namesReadBack() {
        for (const ScheduleKind k :
             {ScheduleKind::GPipe, ScheduleKind::OneFOneB, ScheduleKind::Eager, ScheduleKind::H1F1B})
            QVERIFY(scheduleKindFromName(name(k)) == k);
        for (const LaunchRule r : {LaunchRule::Artifact, LaunchRule::Ceil})
            QVERIFY(launchRuleFromName(name(r)) == r);
        QVERIFY(!scheduleKindFromName("1F1B"));
    }
};

QTEST_APPLESS_MAIN(ProblemTest)
#include "problem_test.moc"

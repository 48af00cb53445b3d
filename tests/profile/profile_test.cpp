// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/operators.h"
#include "core/profile/profile.h"
#include "core/profile/reach.h"

#include <QtTest>
#include <nlohmann/json.hpp>

#include <algorithm>

using namespace pw;

namespace {

ProfileRow row(int mbs, double forward, const std::string& precision = {}, std::int64_t seq = 0) {
    ProfileRow r;
    r.model = "m";
    r.kind = "A100-40";
    r.layer = 1;
    r.tp = 2;
    r.mbs = mbs;
    r.seq = seq;
    r.precision = precision;
    r.forward = Seconds(forward);
    r.backward = Seconds(2 * forward);
    r.update = Seconds(0.5);
    return r;
}

} // namespace

class ProfileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMemoryBeyondPhysicsIsNamed() {
        Json json = toJson(row(1, 0.1));
        json["memory"] = 1e308;
        const Result<ProfileRow> read = profileRowFromJson(JsonReader(json, "m.json"));
        QVERIFY(!read);
        QCOMPARE(read.error().code, std::string("json.range"));
        QCOMPARE(read.error().where, std::string("m.json#/memory"));
    }

    void modelNamesAreComparedWithoutTheirSpelling() {
        QVERIFY(pw::sameModelName("GPT-Neo-2.7", "gpt-neo-2.7b"));
        QVERIFY(pw::sameModelName("GPT-Neo-2.7", "hf_gpt_neo_2.7b_config"));
        QVERIFY(!pw::sameModelName("llama3-8b", "llama-38b"));
        QVERIFY(!pw::sameModelName("gpt3-1.3b", "gpt3-13b"));
        QVERIFY(!pw::sameModelName("llama3-8b", "llama3-70b"));
    }

    void operatorsAreFoundAsLayersAre() {
        const auto op = [](const char* name, int mbs, double forward, const char* shape = "") {
            ProfileRow r = row(mbs, forward);
            r.op = name;
            r.shape = shape;
            return r;
        };
        ProfileRow memory = op("parameters", 1, 0.0);
        memory.backward = memory.update = Seconds(0.0);
        const std::vector<ProfileRow> rows = {op("mlp", 1, 0.1),
                                              op("mlp", 4, 0.4),
                                              op("qkv", 2, 0.2),
                                              op("mm", 2, 0.3, "[2,8]"),
                                              op("mm", 4, 0.6, "[4,8]"),
                                              row(2, 9.0),
                                              memory};
        const auto covers = OperatorTable(rows).at({"A100-SXM4-40GB", 2, 2, Precision::Fp16, 2048});
        QCOMPARE(covers.size(), std::size_t{4}); // by name and shape; neither layers nor memory
        QCOMPARE(covers[0].op, std::string("mlp"));
        QCOMPARE(covers[0].cost->provenance, Provenance::Interpolated);
        QVERIFY(std::abs(covers[0].cost->forward.value - 0.2) < 1e-12);
        QCOMPARE(covers[1].shape, std::string("[2,8]"));
        QVERIFY(covers[1].cost && !covers[2].cost); // another shape is another operator
        QCOMPARE(covers[3].cost->provenance, Provenance::Measured);
        for (const OperatorTable::Cover& cover :
             OperatorTable(rows).at({"A100-SXM4-40GB", 4, 2, Precision::Fp16, 2048}))
            QVERIFY(!cover.cost); // never across tensor-parallel sizes
        QVERIFY(OperatorTable({row(1, 0.1), memory}).empty());

        const auto reach = operatorReachOf(rows);
        QCOMPARE(reach.size(), std::size_t{1});
        QCOMPARE(reach[0].operators, (std::vector<std::string>{"mlp", "mm", "qkv"}));
        QCOMPARE(reach[0].microbatches, (std::vector<int>{1, 2, 4}));
    }

    void findsMeasuredPointsUnderEitherName() {
        const ProfileTable table({row(4, 0.4), row(1, 0.1)});
        QCOMPARE(table.rows().front().kind, std::string("A100-SXM4-40GB"));
        QCOMPARE(table.rows().front().mbs, 1);
        for (const char* kind : {"A100-40", "A100-SXM4-40GB"}) {
            const auto cost = table.find(kind, 1, 2, 4, Precision::Fp16, 2048);
            QVERIFY(cost);
            QCOMPARE(cost->forward.value, 0.4);
            QCOMPARE(cost->provenance, Provenance::Measured);
        }
    }

    void interpolatesBetweenButNeverBeyond() {
        const ProfileTable table({row(1, 0.1), row(2, 0.3), row(8, 0.9)});
        const auto cost = table.find("A100-40", 1, 2, 4, Precision::Fp16, 2048);
        QVERIFY(cost);
        QCOMPARE(cost->forward.value, 0.3 + 0.6 * 2.0 / 6.0);
        QCOMPARE(cost->backward.value, 2 * cost->forward.value);
        QCOMPARE(cost->update.value, 0.5);
        QCOMPARE(cost->provenance, Provenance::Interpolated);
        QVERIFY(!table.find("A100-40", 1, 2, 16, Precision::Fp16, 2048));
        QVERIFY(!ProfileTable({row(2, 0.3)}).find("A100-40", 1, 2, 1, Precision::Fp16, 2048));
    }

    void neverCrossesKindLayerOrTp() {
        const ProfileTable table({row(1, 0.1), row(2, 0.2)});
        QVERIFY(!table.find("V100-16", 1, 2, 1, Precision::Fp16, 2048));
        QVERIFY(!table.find("A100-40", 2, 2, 1, Precision::Fp16, 2048));
        QVERIFY(!table.find("A100-40", 1, 4, 1, Precision::Fp16, 2048));
        QVERIFY(!ProfileTable().find("A100-40", 1, 2, 1, Precision::Fp16, 2048));
    }

    void statedPrecisionAndLengthMustMatchUnstatedAlwaysDo() {
        const ProfileTable table({row(1, 0.1, "fp16", 2048), row(2, 0.2, "fp32", 2048), row(4, 0.4)});
        QCOMPARE(table.find("A100-40", 1, 2, 1, Precision::Fp16, 2048)->forward.value, 0.1);
        QVERIFY(!table.find("A100-40", 1, 2, 1, Precision::Bf16, 2048));
        QVERIFY(!table.find("A100-40", 1, 2, 1, Precision::Fp16, 4096));
        QCOMPARE(table.find("A100-40", 1, 2, 4, Precision::Bf16, 4096)->forward.value, 0.4);
        QCOMPARE(table.find("A100-40", 1, 2, 2, Precision::Fp16, 2048)->provenance, Provenance::Interpolated);
    }

    void theRowThatStatesMostWinsThenTheLast() {
        const ProfileTable table({row(1, 0.3), row(1, 0.1, "fp16", 2048), row(1, 0.2, "fp16"), row(1, 0.4),
                                  row(2, 0.5), row(2, 0.6)});
        QCOMPARE(table.find("A100-40", 1, 2, 1, Precision::Fp16, 2048)->forward.value, 0.1);
        QCOMPARE(table.find("A100-40", 1, 2, 1, Precision::Fp16, 4096)->forward.value, 0.2);
        QCOMPARE(table.find("A100-40", 1, 2, 1, Precision::Fp32, 4096)->forward.value, 0.4);
        QCOMPARE(table.find("A100-40", 1, 2, 2, Precision::Fp32, 4096)->forward.value, 0.6);
        QCOMPARE(table.rows().size(), std::size_t{4});
    }

    void sourcesOfOnePointAreKeptApartAndMergedByConfidenceThenDateThenName() {
        const auto of = [](const char* source, const char* date, double confidence, double forward) {
            ProfileRow r = row(1, forward);
            r.source = source;
            r.date = date;
            r.confidence = confidence;
            return r;
        };
        const ProfileRow sure = of("a", "2024-01-01", 0.9, 0.1), late = of("b", "2026-01-01", 0.5, 0.2),
                         named = of("c", "2026-01-01", 0.5, 0.3), old = of("d", "2020-01-01", 0.5, 0.4);
        std::vector<ProfileRow> rows = {sure, late, named, old};
        const auto forwardWithout = [&](std::vector<std::string> without) {
            return ProfileTable(rows).find("A100-40", 1, 2, 1, Precision::Fp16, 2048, without)->forward.value;
        };
        // Whatever the order in which they come.
        std::sort(rows.begin(), rows.end(),
                  [](const ProfileRow& x, const ProfileRow& y) { return x.source < y.source; });
        do {
            QCOMPARE(ProfileTable(rows).rows().size(), std::size_t{4});
            QCOMPARE(forwardWithout({}), 0.1);
            QCOMPARE(forwardWithout({"a"}), 0.3);
            QCOMPARE(forwardWithout({"a", "c"}), 0.2);
            QCOMPARE(forwardWithout({"a", "c", "b"}), 0.4);
        } while (
            std::next_permutation(rows.begin(), rows.end(), [](const ProfileRow& x, const ProfileRow& y) {
                return x.source < y.source;
            }));
    }

    void reachCountsAMicrobatchWhereAllLayersHaveIt() {
        std::vector<ProfileRow> rows;
        for (const int mbs : {1, 2, 8})
            for (const int layer : {0, 1, 2, 4})
                if (mbs != 2 || layer != 4) {
                    rows.push_back(row(mbs, 0.1));
                    rows.back().layer = layer;
                    rows.back().source = mbs == 1 ? "one" : "two";
                }
        ProfileRow op = row(16, 0.1);
        op.op = "gemm";
        rows.push_back(op);
        const auto reach = reachOf(rows);
        QCOMPARE(reach.size(), std::size_t{1});
        QCOMPARE(reach.front().microbatches, (std::vector<int>{1, 8}));
        QCOMPARE(reach.front().lastLayer, 4);
        QCOMPARE(reach.front().layers, 4);
        QCOMPARE(reach.front().sources, (std::vector<std::string>{"one", "two"}));
    }

    void operatorsPriceNoLayer() {
        ProfileRow op = row(1, 0.1);
        op.op = "gemm";
        QVERIFY(ProfileTable({op}).empty());
    }

    void rowsComeBackFromJson() {
        ProfileRow r = row(4, 0.4, "fp16", 2048);
        r.memory = gibibytes(1.5);
        r.source = "somewhere";
        r.licence = "MIT";
        r.date = "2025-08-14";
        r.op = "gemm";
        r.shape = "2x3";
        r.software = "torch 2.9.1";
        r.confidence = 0.75;
        const Json json = toJson(r);
        const Result<ProfileRow> again = profileRowFromJson(JsonReader(json, "row"));
        QVERIFY(again);
        QVERIFY(*again == r);
    }

    void badRowsAreRefusedField() {
        Json json = toJson(row(1, 0.1));
        json["forward_s"] = -1.0;
        json["tp"] = 0;
        json["precision"] = "half";
        const Result<ProfileRow> r = profileRowFromJson(JsonReader(json, "row"));
        QVERIFY(!r);
        QCOMPARE(r.error().reasons.size(), std::size_t{2});
        QCOMPARE(r.error().where, std::string("row#/tp"));
    }
};

QTEST_APPLESS_MAIN(ProfileTest)
#include "profile_test.moc"

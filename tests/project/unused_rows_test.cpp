// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Why measured rows price nothing, held against the table that plans look them up in.
#include "core/project/unused_rows.h"

#include "core/base/random.h"
#include "tests/project/small_project.h"

#include <QTest>

#include <iterator>

using namespace pw;

namespace {

// A row that plans of the small project use: they compute in fp16, since a V100 has no bf16.
ProfileRow fitting() {
    ProfileRow row = smallProject().profiles.front();
    row.precision = "fp16";
    return row;
}

QStringList why(const Project& project, const std::vector<ProfileRow>& rows) {
    QStringList said;
    for (const Wording& one : whyNoRowApplies(project, rows))
        said << QString::fromStdString(one.message);
    return said;
}

} // namespace

class UnusedRowsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRowThatAppliesIsEnough() {
        ProfileRow other = fitting();
        other.seq = 4096;
        QCOMPARE(why(smallProject(), {fitting()}), QStringList());
        QCOMPARE(why(smallProject(), {other, fitting()}), QStringList());
        ProfileRow unstated = fitting();
        unstated.seq = 0;
        unstated.precision.clear();
        QCOMPARE(why(smallProject(), {unstated}), QStringList());
        ProfileRow shortName = fitting();
        shortName.kind = "A100-40";
        QCOMPARE(why(smallProject(), {shortName}), QStringList());
    }

    void eachDifferenceIsSaid() {
        const Project project = smallProject();
        const auto changed = [&](auto set) {
            ProfileRow row = fitting();
            set(row);
            return why(project, {row});
        };
        const auto said = [](const char* text) { return QStringList{QLatin1String(text)}; };
        QCOMPARE(changed([](ProfileRow& r) { r.seq = 4096; }),
                 said("no row applies: rows are of sequence 4096, the recipe has 1024"));
        QCOMPARE(changed([](ProfileRow& r) { r.precision = "bf16"; }),
                 said("no row applies: rows are of precision bf16, the plans compute in fp16"));
        QCOMPARE(changed([](ProfileRow& r) { r.tp = 16; }),
                 said("no row applies: rows are of tensor-parallel size 16, at most 8 of these GPUs are in "
                      "one node or NVLink domain"));
        QCOMPARE(changed([](ProfileRow& r) { r.layer = 6; }),
                 said("no row applies: rows are of layer 6, the last one of the model, its head, is 5"));
        QCOMPARE(changed([](ProfileRow& r) { r.kind = "V100-SXM2-32GB"; }),
                 said("no row applies: rows are of the device kind V100-SXM2-32GB, the cluster has "
                      "A100-SXM4-40GB, V100-SXM2-16GB"));
        QCOMPARE(changed([](ProfileRow& r) { r.model = "other"; }),
                 said("no row applies: rows are of the model other, the project trains tiny"));
        QCOMPARE(changed([](ProfileRow& r) { r.layer = 5; }), QStringList());
    }

    void theRecipesOwnPrecisionCounts() {
        Project project = smallProject();
        project.recipe.precision = Precision::Fp32;
        QCOMPARE(why(project, {fitting()}),
                 QStringList{QStringLiteral(
                     "no row applies: rows are of precision fp16, the plans compute in fp32")});
        project.recipe.precision = Precision::Bf16; // which the V100 cannot run
        QCOMPARE(why(project, {project.profiles.front()}), QStringList());
    }

    void anNvlinkDomainHoldsWiderRows() {
        Project project = smallProject();
        project.cluster.nvlinkDomains = {{"d1", {"n1", "n2"}, {}, Seconds(2e-6)}};
        ProfileRow row = fitting();
        row.tp = 16;
        QCOMPARE(why(project, {row}), QStringList());
        row.tp = 32;
        QCOMPARE(why(project, {row}).size(), 1);
        QVERIFY(why(project, {row}).front().contains(QStringLiteral("at most 16 ")));
    }

    // Of all rows the nearest speak: those with the fewest differences, each of which is told.
    void theNearestRowsSpeak() {
        ProfileRow far = fitting(), near = fitting();
        far.model = "other";
        far.seq = near.seq = 4096;
        const QStringList both = why(smallProject(), {far});
        QCOMPARE(both.size(), 2);
        QVERIFY(both[0].contains(QStringLiteral("sequence 4096")));
        QVERIFY(both[1].contains(QStringLiteral("the model other")));
        const QStringList one = why(smallProject(), {far, near});
        QCOMPARE(one.size(), 1);
        QVERIFY(one[0].contains(QStringLiteral("sequence 4096")));
    }

    void valuesAreListedOnce() {
        std::vector<ProfileRow> rows;
        for (const std::int64_t seq : {8192, 2048, 8192}) {
            rows.push_back(fitting());
            rows.back().seq = seq;
        }
        QVERIFY(why(smallProject(), rows).front().contains(QStringLiteral("sequence 2048, 8192, the")));
        for (const std::int64_t seq : {4096, 16384, 32768}) {
            rows.push_back(fitting());
            rows.back().seq = seq;
        }
        QVERIFY(why(smallProject(), rows)
                    .front()
                    .contains(QString::fromUtf8("sequence 2048, 4096, 8192, 16384, \u2026, the")));
    }

    void nothingIsSaidWhereNothingCanBe() {
        ProfileRow row = fitting();
        row.seq = 4096;
        QCOMPARE(why(smallProject(), {}), QStringList());
        Project without = smallProject();
        without.model.reset();
        QCOMPARE(why(without, {row}), QStringList());
        without = smallProject();
        without.cluster = {};
        QCOMPARE(why(without, {row}), QStringList());
        row.op = "gemm"; // prices no plan anyhow
        QCOMPARE(why(smallProject(), {row}), QStringList());
    }

    // Nothing is said exactly where the table of the question answers with one of the rows.
    void agreesWithTheTable() {
        constexpr std::uint64_t seed = 23;
        qInfo("seed %llu", static_cast<unsigned long long>(seed));
        Random random(seed);
        const auto any = [&](const auto& list) { return list[random.below(std::size(list))]; };
        int unused = 0;
        for (int draw = 0; draw < 400; ++draw) {
            Project project = smallProject();
            project.profiles.clear();
            for (std::uint64_t i = 1 + random.below(3); i > 0; --i) {
                ProfileRow row = fitting();
                row.seq = any(std::vector<std::int64_t>{0, 1024, 4096});
                row.precision = any(std::vector<std::string>{"", "fp16", "bf16"});
                row.layer = any(std::vector<int>{0, 1, 5, 6});
                row.kind = any(std::vector<std::string>{"A100-SXM4-40GB", "V100-16", "V100-SXM2-32GB"});
                row.model = any(std::vector<std::string>{"tiny", "tiny", "other"});
                project.profiles.push_back(row);
            }
            const auto problem = problemOf(project);
            QVERIFY2(problem, problem ? "" : problem.error().text().c_str());
            const Problem& asked = **problem;
            bool found = false;
            for (const DeviceKind& kind : asked.topology().kinds())
                for (int layer = 0; layer <= 5; ++layer)
                    for (const ProfileRow& row : project.profiles)
                        found = found || asked.profiles().find(kind.name, layer, row.tp, row.mbs,
                                                               asked.precision(), asked.recipe().seq);
            QCOMPARE(why(project, project.profiles).isEmpty(), found);
            unused += !found;
        }
        QVERIFY(unused > 50 && unused < 350);
    }
};

QTEST_APPLESS_MAIN(UnusedRowsTest)
#include "unused_rows_test.moc"

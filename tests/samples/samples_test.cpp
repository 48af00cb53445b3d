// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/cluster/topology.h"
#include "core/exchange/imports/import_table.h"

#include <QtTest>

using namespace pw;

namespace {

const std::filesystem::path kSamples = std::filesystem::path(PW_SOURCE_DIR) / "samples";

Cluster cluster(const char* name) {
    const std::filesystem::path path = kSamples / "clusters" / name;
    const Result<std::string> text = readFile(path);
    if (!text)
        qFatal("%s", text.error().text().c_str());
    Result<Cluster> read = readCluster(*text, path.string());
    if (!read)
        qFatal("%s", read.error().text().c_str());
    return *std::move(read);
}

std::string classNames(const Topology& t) {
    std::string text;
    for (const NodeClass& c : t.classes())
        text += c.name + " x " + std::to_string(c.nodes.size()) + "; ";
    return text;
}

} // namespace

// The files that ship are the ones that examples and tests count on: same devices, same links, same sizes.
class SamplesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void models_data() {
        QTest::addColumn<qint64>("parameters");
        QTest::newRow("gpt-neo-2.7b") << qint64{2'651'307'520};
        QTest::newRow("opt-350m") << qint64{331'196'416};
        QTest::newRow("gpt3-1.3b") << qint64{1'317'654'528};
        QTest::newRow("llama2-7b") << qint64{6'738'415'616};
        QTest::newRow("llama3-8b") << qint64{8'030'261'248};
        QTest::newRow("llama3-70b") << qint64{70'553'706'496};
        QTest::newRow("llama3-405b") << qint64{405'853'388'800};
        QTest::newRow("gpt3-175b") << qint64{174'615'846'912};
        QTest::newRow("mixtral-8x7b") << qint64{46'702'792'704};
        QTest::newRow("deepseek-v3") << qint64{671'026'419'200};
    }
    void models() {
        const std::string name = QTest::currentDataTag();
        QFETCH(qint64, parameters);
        const Result<Model> model = readModelFile(kSamples / "models" / (name + ".json"));
        QVERIFY2(model, model ? "" : model.error().text().c_str());
        QCOMPARE(model->name, name);
        QCOMPARE(parameterCount(*model), parameters);

        const std::filesystem::path config = kSamples / "models" / "hf" / name / "config.json";
        if (!std::filesystem::exists(config))
            return;
        Result<Model> imported = readModelFile(config);
        QVERIFY2(imported, imported ? "" : imported.error().text().c_str());
        // The sample also says what only trainers ask for, whether or not the reader takes it.
        imported->source = model->source;
        imported->rotaryBase = model->rotaryBase;
        imported->normEpsilon = model->normEpsilon;
        imported->experts.groups = model->experts.groups;
        imported->experts.groupsPerToken = model->experts.groupsPerToken;
        imported->experts.scale = model->experts.scale;
        QVERIFY(*imported == *model);
    }

    void mixed16() {
        const Cluster c = cluster("mixed-16.json");
        for (const Diagnostic& d : checkCluster(c))
            QVERIFY2(d.severity != Severity::Error && d.where == "n1-s1", d.message.c_str());
        const auto t = Topology::make(c);
        QCOMPARE(classNames(*t), std::string("A100-40 x8 x 1; V100-16 x4 x 2; "));
        QCOMPARE(c.gpuCount(), 16);
        QCOMPARE(t->path(0, 2).hops, 2);
        QCOMPARE(t->path(0, 2).bandwidth.value, 12.5e9 * 0.88);
        QCOMPARE(t->path(0, 2).latency.value, 40e-6);
    }

    void mixed64() {
        const Cluster c = cluster("mixed-64.json");
        for (const Diagnostic& d : checkCluster(c))
            QFAIL(d.message.c_str());
        const auto t = Topology::make(c);
        QCOMPARE(classNames(*t), std::string("H100-80 x8 x 2; A100-80 x8 x 4; V100-32 x4 x 4; "));
        QCOMPARE(c.gpuCount(), 64);
        QCOMPARE(t->path(0, 1).bandwidth.value, 8 * 50e9 * 0.656);
        QCOMPARE(t->path(2, 5).bandwidth.value, 8 * 25e9 * 0.656);
        QCOMPARE(t->path(0, 2).bandwidth.value, 100e9 * 0.656);
        QCOMPARE(t->path(0, 9).bandwidth.value, 12.5e9 * 0.88);
    }

    void layerProfilesFitTheirModel_data() {
        QTest::addColumn<int>("combinations");
        QTest::addColumn<double>("forward");
        QTest::newRow("A100-40") << 12 << 0.005173;
        QTest::newRow("V100-16") << 11 << 0.027754;
    }
    void layerProfilesFitTheirModel() {
        QFETCH(int, combinations);
        QFETCH(double, forward);
        const Result<Model> model = readModelFile(kSamples / "models" / "gpt-neo-2.7b.json");
        QVERIFY(model);
        ImportHints hints;
        hints.model = &*model;
        const auto got = importFile(kSamples / "profiles" / "sailor" / "GPT-Neo-2.7" /
                                        QTest::currentDataTag() / "profile.json",
                                    "", hints);
        QVERIFY2(got, got ? "" : got.error().text().c_str());
        const ProfileTable table(std::get<std::vector<ProfileRow>>(got->what));
        QCOMPARE(table.rows().size(), static_cast<std::size_t>(combinations) * 34);
        QCOMPARE(table.rows()[0].model, model->name);
        QCOMPARE(table.find(QTest::currentDataTag(), 1, 1, 1, Precision::Fp32, 2048)->forward.value, forward);
        QCOMPARE(table.find(QTest::currentDataTag(), 1, 2, 3, Precision::Fp32, 2048)->provenance,
                 Provenance::Interpolated);
    }
};

QTEST_APPLESS_MAIN(SamplesTest)
#include "samples_test.moc"

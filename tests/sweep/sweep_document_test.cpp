// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/sweep/sweep_sample.h"

#include <QTest>

using namespace pw;

class SweepDocumentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyAxisIsRead() {
        Json document = test::sweepJson({
            test::axis("offer", "cluster", {"a.json", "b.json"}),
            test::countAxis("nodes", "A100-40", {0, 1, 2}),
            test::axis("batch", "recipe.gbs", {256, 512}),
            test::axis("without", "search.without", {"", "h1f1b"}),
            test::axis("event", "scenario", {"none", "lost:n1"}),
            {{"name", "draw"}, {"of", "uncertainty"}, {"count", 200}, {"seed", 7}},
        });
        document["skip"] = {{{"offer", "b.json"}, {"batch", 512}}};
        document["keep"] = {{"plans", 2}, {"documents", "best-of:offer,batch"}};
        document["limit"] = {{"work", 1000}, {"price_per_hour", 20}, {"most_gpus", 64}};
        document["training"] = {{"tokens", 1e9}, {"failures", {{"gpu_hours", 50700}}}};
        document["sample"] = {{"kind", "random"}, {"count", 9}, {"seed", 3}};
        const auto sweep = readSweep(document.dump(), "s.json");
        QVERIFY2(sweep, sweep ? "" : sweep.error().text().c_str());
        QCOMPARE(sweep->axes.size(), std::size_t{6});
        QCOMPARE(sweep->axes[1].deviceKind, std::string("A100-40"));
        QCOMPARE(sweep->axes[2].key, std::string("gbs"));
        QCOMPARE(sweep->axes[3].key, std::string("without"));
        QCOMPARE(sweep->axes[5].values.size(), std::size_t{200});
        QCOMPARE(sweep->axes[5].seed, std::uint64_t{7});
        QCOMPARE(plainValue(sweep->axes[0].values[1]), std::string("b.json"));
        QCOMPARE(plainValue(sweep->axes[2].values[1]), std::string("512"));
        QCOMPARE(sweep->keep.bestOf, (std::vector<std::string>{"offer", "batch"}));
        QCOMPARE(sweep->caps.mostGpus, std::int64_t{64});
        QCOMPARE(sweep->sample.count, std::uint64_t{9});
        QCOMPARE(sweep->training.value_or(TrainingGoal{}).failures.gpuHours, 50700.0);
    }

    void whatIsWrongIsNamedWithItsPlace_data() {
        QTest::addColumn<QByteArray>("merged"); // into a sound document
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("code");
        const auto add = [](const char* name, const char* merged, const char* where, const char* code) {
            QTest::newRow(name) << QByteArray(merged) << QString::fromLatin1(where)
                                << QString::fromLatin1(code);
        };
        add("schema", R"({"schema": "pipewright-plan-1"})", "s.json#/schema", "sweep.schema");
        add("no axes", R"({"axes": []})", "s.json#/axes", "sweep.axis");
        add("unknown axis", R"({"axes": [{"name": "a", "of": "weather", "values": [1]}]})",
            "s.json#/axes/0/of", "sweep.axis");
        add("no key", R"({"axes": [{"name": "a", "of": "recipe.", "values": [1]}]})", "s.json#/axes/0/of",
            "sweep.axis");
        add("no values", R"({"axes": [{"name": "a", "of": "recipe.gbs", "values": []}]})",
            "s.json#/axes/0/values", "sweep.values");
        add("value twice", R"({"axes": [{"name": "a", "of": "recipe.gbs", "values": [8, 16, 8]}]})",
            "s.json#/axes/0/values/2", "sweep.twice");
        add("name twice",
            R"({"axes": [{"name": "a", "of": "recipe.gbs", "values": [8]}, {"name": "a", "of": "recipe.seq", "values": [8]}]})",
            "s.json#/axes/1/name", "sweep.twice");
        add("same twice",
            R"({"axes": [{"name": "a", "of": "recipe.gbs", "values": [8]}, {"name": "b", "of": "recipe.gbs", "values": [9]}]})",
            "s.json#/axes/1/of", "sweep.twice");
        add("count is no number",
            R"({"axes": [{"name": "a", "of": "cluster.nodes", "class": "T4", "values": [1.5]}]})",
            "s.json#/axes/0/values/0", "sweep.value");
        add("no class", R"({"axes": [{"name": "a", "of": "cluster.nodes", "values": [1]}]})",
            "s.json#/axes/0/class", "json.missing");
        add("time limit", R"({"axes": [{"name": "a", "of": "search.time-limit", "values": [1]}]})",
            "s.json#/axes/0/of", "sweep.option");
        add("threads", R"({"base": {"cluster": "c", "model": "m", "search": {"threads": 4}}})",
            "s.json#/base/search/threads", "sweep.option");
        add("no cluster", R"({"base": {"model": "m"}})", "s.json#/base", "sweep.base");
        add("skip of no axis", R"({"skip": [{"colour": 1}]})", "s.json#/skip/0/colour", "sweep.skip");
        add("skip of no value", R"({"skip": [{"batch": 3}]})", "s.json#/skip/0/batch", "sweep.skip");
        add("skip of all", R"({"skip": [{}]})", "s.json#/skip/0", "sweep.skip");
        add("sample", R"({"sample": {"kind": "some"}})", "s.json#/sample/kind", "sweep.sample");
        add("documents", R"({"keep": {"documents": "best-of:colour"}})", "s.json#/keep/documents",
            "sweep.keep");
        add("tokens", R"({"training": {"tokens": 0}})", "s.json#/training/tokens", "json.range");
        add("plans beside search options",
            R"({"axes": [{"name": "p", "of": "plan", "values": ["x.json"]}, {"name": "s", "of": "search.seed", "values": [1]}]})",
            "s.json#/axes/1", "sweep.axis");
    }
    void whatIsWrongIsNamedWithItsPlace() {
        QFETCH(QByteArray, merged);
        Json document = test::sweepJson({test::axis("batch", "recipe.gbs", {256, 512})});
        document.update(Json::parse(merged.toStdString()));
        const auto sweep = readSweep(document.dump(), "s.json");
        QVERIFY(!sweep);
        QCOMPARE(sweep.error().kind, ErrorKind::BadInput);
        QTEST(QString::fromStdString(sweep.error().where), "where");
        QTEST(QString::fromStdString(sweep.error().code), "code");
    }

    void unknownKeysAreNoted() {
        Json document = test::sweepJson({test::axis("batch", "recipe.gbs", {256})});
        document["axes"][0]["vlaues"] = 3;
        document["description"] = "for people";
        Diagnostics notes;
        QVERIFY(readSweep(document.dump(), "s.json", &notes));
        QCOMPARE(notes.size(), std::size_t{1});
        QCOMPARE(notes[0].where, std::string("s.json#/axes/0/vlaues"));
    }

    // What only the files or the options' own tables know.
    void wrongValuesAreFoundBeforeAnythingRuns_data() {
        QTest::addColumn<QByteArray>("axis");
        QTest::addColumn<QString>("where");
        const auto add = [](const char* name, const char* axis, const char* where) {
            QTest::newRow(name) << QByteArray(axis) << QString::fromLatin1(where);
        };
        add("planner", R"({"name": "p", "of": "search.planner", "values": ["harp", "magic"]})",
            "sweep.json#/axes/0/values/1");
        add("target", R"({"name": "p", "of": "search.target", "values": ["papyrus"]})",
            "sweep.json#/axes/0/values/0");
        add("scenario", R"({"name": "e", "of": "scenario", "values": ["none", "lost"]})",
            "sweep.json#/axes/0/values/1");
        add("speed", R"({"name": "e", "of": "scenario", "values": ["slow:n1:2"]})",
            "sweep.json#/axes/0/values/0");
        add("node", R"({"name": "e", "of": "scenario", "values": ["none", "lost:n9"]})",
            "sweep.json#/axes/0/values/1");
    }
    void wrongValuesAreFoundBeforeAnythingRuns() {
        QFETCH(QByteArray, axis);
        const test::ReadSweep read(test::sweepJson({Json::parse(axis.toStdString())}));
        const auto composer = Composer::make(read.sweep, read.inputs, "sweep.json");
        QVERIFY(!composer);
        QTEST(QString::fromStdString(composer.error().where), "where");
    }

    // Packing and unpacking changes nothing, and a file that was changed since is found.
    void inputsTravelByTheirContent() {
        const test::ReadSweep read(test::sweepJson(
            {test::axis("offer", "cluster", {"clusters/mixed-16.json", "clusters/v100-32.json"})}));
        PackedInputs files = packed(read.inputs);
        QCOMPARE(files.files.size(), std::size_t{4}); // two clusters, a model, the base
        const Json index = Json::parse(files.index);
        const auto fetch = [&files](const std::string& hash) -> Result<std::string> {
            return files.files.at(hash);
        };
        const auto again = unpacked(JsonReader(index, "index"), fetch);
        QVERIFY2(again, again ? "" : again.error().text().c_str());
        QCOMPARE(again->clusters, read.inputs.clusters);
        QCOMPARE(again->recipe, read.inputs.recipe);
        QCOMPARE(packed(*again).index, files.index);
        std::string& first = files.files.begin()->second;
        first.insert(first.size() - 2, " ");
        const auto changed = unpacked(JsonReader(index, "index"), fetch);
        QVERIFY(!changed);
        QCOMPARE(changed.error().code, std::string("sweep.input"));
    }
};

QTEST_APPLESS_MAIN(SweepDocumentTest)
#include "sweep_document_test.moc"

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reproduce/published_paper.h"

#include <QTest>

#include <filesystem>
#include <set>

using namespace pw;

namespace {

// A sound file of one row, in which a test breaks one thing.
Json smallFile() {
    return Json::parse(R"({"schema": "pipewright-published-1", "name": "small", "title": "T", "source": "S",
        "clusters": {"two": {"schema": "pipewright-cluster-1", "name": "two", "switches": [],
            "nodes": [{"id": "n1", "kind": "A100-SXM4-40GB", "gpus": 2}], "links": []}},
        "models": {"m": {"schema": "pipewright-model-1", "name": "m", "family": "gpt2", "blocks": 4, "hidden": 256,
            "heads": 4, "ffn": 1024, "vocab": 1000, "positions": 128}},
        "cases": [{"name": "c", "cluster": "two", "model": "m", "recipe": {"gbs": 8, "seq": 128},
            "rows": [{"quantity": "q", "unit": "s", "planner": {"name": "harp"}, "published": 1.5, "where": "Table 1"}]}]})");
}

struct Broken {
    const char* name;
    const char* pointer; // of what is replaced
    const char* value;
    const char* code;
    const char* where; // the pointer that the message names
};

} // namespace

// Figures of papers: the files that ship, and what is refused (samples/published).
class PublishedPaperTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatShipsIsSound() {
        const Result<std::vector<PublishedPaper>> papers = publishedPapers();
        QVERIFY2(papers, papers ? "" : papers.error().text().c_str());
        std::set<std::string> names;
        for (const PublishedPaper& paper : *papers) {
            QVERIFY(names.insert(paper.name).second);
            QVERIFY(std::filesystem::exists(PW_SOURCE_DIR "/samples/published/" + paper.name + ".json"));
            std::set<std::string> cases;
            for (const PublishedCase& one : paper.cases) {
                QVERIFY2(cases.insert(one.name).second, one.name.c_str());
                for (const PublishedRow& row : one.rows)
                    QVERIFY2(!row.published || !row.where.empty(), row.quantity.c_str());
            }
        }
        std::size_t files = 0;
        for (const auto& entry : std::filesystem::directory_iterator(PW_SOURCE_DIR "/samples/published"))
            files += entry.path().extension() == ".json" ? 1 : 0;
        QCOMPARE(names.size(), files); // none is left out of the program
    }

    void readsWhatIsThere() {
        const Result<PublishedPaper> paper = readPublishedPaper(smallFile().dump(), "small.json");
        QVERIFY2(paper, paper ? "" : paper.error().text().c_str());
        const PublishedCase& one = paper->cases.front();
        QCOMPARE(one.cluster->gpuCount(), 2);
        QCOMPARE(one.model->blocks, 4);
        QCOMPARE(one.recipe->gbs, 8);
        const PublishedRow& row = one.rows.front();
        QCOMPARE(std::get<PlannerFigure>(row.prediction).run.planner, std::string("harp"));
        QCOMPARE(row.published, (std::optional{PublishedFigure{1.5, 1.5}}));
        QVERIFY(!row.measured);
    }

    // Rows name cases, and predictions are kept by case.
    void aNameIsOfOneCase() {
        Json file = smallFile();
        file["cases"].push_back(file["cases"][0]);
        const Result<PublishedPaper> twice = readPublishedPaper(file.dump(), "small.json");
        QVERIFY(!twice);
        QCOMPARE(twice.error().code, std::string("published.case"));
        QVERIFY2(twice.error().where.ends_with("/cases/1/name"), twice.error().where.c_str());
        file["cases"][1]["name"] = "d";
        QVERIFY(readPublishedPaper(file.dump(), "small.json"));
    }

    void tellsWhatIsBroken_data() {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("where");
        const std::string row = "/cases/0/rows/0";
        const Broken list[] = {
            {"schema", "/schema", "\"x\"", "published.schema", "/schema"},
            {"no title", "/title", "null", "json.missing", "/title"},
            {"unknown cluster", "/cases/0/cluster", "\"three\"", "published.name", "/cases/0/cluster"},
            {"bad model", "/models/m/blocks", "-1", "", "/models/m/blocks"},
            {"unknown planner", "/cases/0/rows/0/planner/name", "\"x\"", "published.name",
             "/cases/0/rows/0/planner/name"},
            {"unknown part", "/cases/0/rows/0/planner/without", "\"x\"", "published.name",
             "/cases/0/rows/0/planner/without"},
            {"unknown case", "/cases/0/rows/0/planner/case", "\"x\"", "published.case",
             "/cases/0/rows/0/planner/case"},
            {"no prediction", "/cases/0/rows/0/planner", "null", "published.prediction", "/cases/0/rows/0"},
            {"figure", "/cases/0/rows/0/figure", "\"bubble\"", "published.figure", "/cases/0/rows/0/figure"},
            {"range", "/cases/0/rows/0/published", "[2, 1]", "published.figure", "/cases/0/rows/0/published"},
            {"no place", "/cases/0/rows/0/where", "null", "published.where", "/cases/0/rows/0/published"},
            {"unknown key", "/cases/0/rows/0/wher", "\"x\"", "published.key", "/cases/0/rows/0/wher"},
            {"link", "/cases/0/links", "{\"l\": \"1 GB/s\"}", "published.name", "/cases/0/links/l"},
            {"table", "/cases/0/runs", "{\"table\": \"x\"}", "published.name", "/cases/0/runs/table"},
            {"run", "/cases/0/runs", "{\"table\": \"alpa\", \"rows\": [\"x\"]}", "published.name",
             "/cases/0/runs/rows"},
            {"no rows", "/cases/0/rows", "[]", "published.rows", "/cases/0"},
            {"no model", "/cases/0/model", "null", "published.problem", "/cases/0/rows/0"},
        };
        for (const Broken& b : list)
            QTest::newRow(b.name) << b.pointer << b.value << b.code << b.where;
    }
    void tellsWhatIsBroken() {
        QFETCH(QString, pointer);
        QFETCH(QString, value);
        QFETCH(QString, code);
        QFETCH(QString, where);
        Json file = smallFile();
        file[Json::json_pointer(pointer.toStdString())] = Json::parse(value.toStdString());
        const Result<PublishedPaper> paper = readPublishedPaper(file.dump(), "small.json");
        QVERIFY(!paper);
        const std::string& found = paper.error().where;
        QVERIFY2(found.ends_with(where.toStdString()), paper.error().text().c_str());
        QVERIFY2(found.starts_with("small.json"), found.c_str());
        if (!code.isEmpty())
            QCOMPARE(paper.error().code, code.toStdString());
    }
};

QTEST_APPLESS_MAIN(PublishedPaperTest)
#include "published_paper_test.moc"

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/planners.h"
#include "tests/schemas/schema_validator.h"

#include "core/answers/answers.h"
#include "core/answers/deadline.h"
#include "core/answers/objective.h"
#include "core/base/file.h"
#include "core/document/plan_document.h"
#include "core/problem/software_stack.h"
#include "core/search/tournament.h"
#include "tests/project/small_project.h"
#include "tests/schedule/every_kind.h"

#include <QTest>

#include <filesystem>
#include <map>

using namespace pw;
namespace fs = std::filesystem;

namespace {

Json readJson(const fs::path& path) {
    const Result<std::string> text = readFile(path);
    const Result<Json> parsed =
        text ? parseJson(*text, path.filename().string()) : Result<Json>(text.error());
    if (!parsed)
        qFatal("%s", parsed.error().text().c_str());
    return *parsed;
}

const Json& schemaFile(const std::string& name) {
    static std::map<std::string, Json> read;
    const auto at = read.find(name);
    return at != read.end()
               ? at->second
               : read.emplace(name, readJson(fs::path(PW_SOURCE_DIR "/resources/schemas") / name))
                     .first->second;
}

std::vector<std::string> violations(const Json& document, const std::string& schema) {
    return SchemaValidator(schemaFile).validate(document, schema);
}

QByteArray joined(const std::vector<std::string>& list) {
    QByteArray text;
    for (const std::string& line : list)
        text += QByteArray::fromStdString(line) + '\n';
    return text;
}

// Which schema describes a document, by its `schema` key.
std::string schemaOf(const Json& document) {
    static const std::map<std::string, std::string> files = {
        {"pipewright-cluster-1", "cluster.schema.json"}, {"pipewright-model-1", "model.schema.json"},
        {"pipewright-plan-1", "plan.schema.json"},       {"pipewright-published-1", "published.schema.json"},
        {"pipewright-stack-1", "stack.schema.json"},     {"pipewright-project", "project.schema.json"},
        {"pipewright-sweep-1", "sweep.schema.json"}};
    const std::string key =
        document.is_object() && document.contains("schema") && document["schema"].is_string()
            ? document["schema"].get<std::string>()
            : std::string();
    const auto at = files.find(key);
    return at == files.end() ? std::string() : at->second;
}

} // namespace

class SchemasTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void samplesFollowTheSchemas() {
        int checked = 0;
        for (const auto& entry : fs::recursive_directory_iterator(PW_SOURCE_DIR "/samples")) {
            const fs::path& path = entry.path();
            if (path.extension() != ".json" && path.extension() != ".pwx")
                continue;
            const Json document = readJson(path);
            const std::string schema = schemaOf(document);
            if (schema.empty()) { // somebody else's format
                QVERIFY2(path.extension() != ".pwx", path.c_str());
                continue;
            }
            const auto found = violations(document, schema);
            QVERIFY2(found.empty(),
                     (QByteArray::fromStdString(path.string()) + ":\n" + joined(found)).constData());
            ++checked;
        }
        QVERIFY(checked >= 7);
    }

    void softwareStacksFollowTheSchema() {
        for (const auto& entry : fs::directory_iterator(PW_SOURCE_DIR "/resources/stacks")) {
            const Json document = readJson(entry.path());
            QCOMPARE(schemaOf(document), std::string("stack.schema.json"));
            const auto found = violations(document, "stack.schema.json");
            QVERIFY2(found.empty(), joined(found).constData());
            Json wrong = document;
            wrong["capabilities"]["launch"] = "fused"; // without a source
            QVERIFY(!violations(wrong, "stack.schema.json").empty());
        }
    }

    void whatWeWriteFollowsTheSchemas() {
        Project project = smallProject();
        project.cluster.kinds = {*findKind(project.cluster, "T4")};
        project.recipe.mbs = {1, 2};
        project.recipe.recompute = {Recompute::None};
        project.recipe.stack = "nemo";
        project.recipe.software = *softwareOfStack("nemo", "stack");
        project.plans = {{"kept", "note", true, "00", "other", "{\"iteration_s\":1}"}};
        project.forbidden = {"n3"};
        project.annotations = {
            {{"t1", "text", {0.0, 0.0}, 224.0, 80.0}}, {{"n1", "n2"}}, {"n1"}, {{Seconds(1.0), "m"}}};
        for (const Project& p : {Project(), smallProject(), project}) {
            const auto found = violations(*parseJson(printProject(p), "p.pwx"), "project.schema.json");
            QVERIFY2(found.empty(), joined(found).constData());
        }

        const auto problem = problemOf(project);
        QVERIFY2(problem, problem ? "" : problem.error().text().c_str());
        SearchObserver silent;
        const Result<SearchOutcome> outcome = search(*problem, {}, silent, {});
        QVERIFY2(outcome, outcome ? "" : outcome.error().text().c_str());
        QVERIFY(!outcome->plans.empty());
        const auto found = violations(planDocument(**problem, *outcome), "plan.schema.json");
        QVERIFY2(found.empty(), joined(found).constData());
        Json compact = planDocument(**problem, *outcome, DeviceNames::Ranges);
        const auto ofRanges = violations(compact, "plan.schema.json");
        QVERIFY2(ofRanges.empty(), joined(ofRanges).constData());
        compact["plans"][0]["peak_memory"][0]["device"] = {{"node", "n1"}, {"first", 0}};
        QVERIFY(!violations(compact, "plan.schema.json").empty());

        SearchOptions little;
        little.work = 2000;
        const Searcher searcher = [&](const std::shared_ptr<const Problem>& asked) {
            return search(asked, little, silent, {});
        };
        Json document = planDocument(**problem, *outcome);
        const auto around = answersAround(**problem, *outcome, searcher, {});
        const auto deadline = meetDeadline(*problem, Seconds(1.0), searcher, {});
        QVERIFY(around && deadline);
        document["answers"] = toJson(*around, *outcome);
        document["deadline"] = toJson(*deadline);
        const auto front = paretoFront(*problem, Objective::Energy, searcher, {});
        QVERIFY(front);
        document["pareto"] = paretoDocument(**problem, *front)["pareto"];
        const auto ofAnswers = violations(document, "plan.schema.json");
        QVERIFY2(ofAnswers.empty(), joined(ofAnswers).constData());

        TournamentObserver nobody;
        const Result<Tournament> all = searchEach(*problem, little, allPlanners(), nobody, {});
        QVERIFY2(all, all ? "" : all.error().text().c_str());
        const auto ofAll = violations(tournamentDocument(**problem, *all), "plan.schema.json");
        QVERIFY2(ofAll.empty(), joined(ofAll).constData());
    }

    // A plan of a kind that the schema does not know would be no valid document.
    void everyScheduleIsInTheSchema() {
        for (const ScheduleKind kind : test::everyKind()) {
            Json document = readJson(PW_SOURCE_DIR "/samples/plans/measured-16-uniform.json");
            document["plans"][0]["pipelines"][0]["schedule"]["kind"] = name(kind);
            const auto found = violations(document, "plan.schema.json");
            QVERIFY2(found.empty(), joined(found).constData());
        }
    }

    // The validator is ours: it must find what is planted, or the tests above prove nothing.
    void plantedMistakesAreFound_data() {
        QTest::addColumn<QByteArray>("pointer");
        QTest::addColumn<QByteArray>("value"); // JSON text; "" = remove the key
        const auto row = [](const char* pointer, const char* value) {
            QTest::addRow("%s = %s", pointer, value) << QByteArray(pointer) << QByteArray(value);
        };
        row("/schema", "\"pipewright-cluster-1\"");
        row("/version", "2");
        row("/cluster", "");
        row("/surprise", "1");
        row("/cluster/nodes/0/gpus", "\"8\"");
        row("/cluster/nodes/0/gpus", "0");
        row("/cluster/nodes/0/gpu", "8");
        row("/cluster/links/0/efficiency", "1.5");
        row("/model/tied", "0");
        row("/model", "3");
        row("/recipe/precision", "\"int4\"");
        row("/recipe/mbs", "[0]");
        row("/recipe/zero", "4");
        row("/recipe/software", "{\"launch\":\"fast\"}");
        row("/recipe/software", "{\"shard_ranks\":-1}");
        row("/profiles/0/tp", "1.5");
    }
    void plantedMistakesAreFound() {
        QFETCH(QByteArray, pointer);
        QFETCH(QByteArray, value);
        Json document = *parseJson(printProject(smallProject()), "p.pwx");
        QVERIFY(violations(document, "project.schema.json").empty());
        if (value.isEmpty())
            document.erase(pointer.mid(1).toStdString());
        else
            document[Json::json_pointer(pointer.toStdString())] = *parseJson(value.toStdString(), "value");
        QVERIFY(!violations(document, "project.schema.json").empty());
    }
};

QTEST_APPLESS_MAIN(SchemasTest)
#include "schemas_test.moc"

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/project.h"

#include "core/base/random.h"
#include "tests/project/small_project.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <algorithm>

using namespace pw;

namespace {

bool has(const Diagnostics& list, const char* code) {
    return std::any_of(list.begin(), list.end(), [code](const Diagnostic& d) { return d.code == code; });
}

Project withPlan() {
    Project p = smallProject();
    p.plans = {{"first", "a note", true, "00ff", "second", R"({"iteration_s":1.5,"pipelines":[]})"}};
    p.demand = R"({"max_tp":4,"target":"megatron"})";
    p.answers = R"([{"asked":"fastest","question":"Fastest plan"}])";
    p.forbidden = {"n3"};
    p.annotations.notes = {{"t1", "measure next", {16.0, -32.0}, 224.0, 80.0}};
    p.annotations.groups = {{"n1", "n2"}};
    p.annotations.locked = {"n3"};
    p.annotations.marks = {{Seconds(0.25), "first backward"}};
    return p;
}

} // namespace

class ProjectTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void roundTripIsExact() {
        for (const Project& p : {Project(), smallProject(), withPlan()}) {
            const std::string text = printProject(p);
            const Result<Project> back = readProject(text, "a.pwx");
            QVERIFY2(back, back ? "" : back.error().text().c_str());
            QVERIFY(*back == p);
            QCOMPARE(printProject(*back), text);
        }
    }

    // A newer program's keys survive an edit here, at any depth, and go with the item they belong to.
    void unknownKeysAreWrittenBack() {
        Json doc = *parseJson(printProject(withPlan()), "a.pwx");
        doc["theme"] = {{"dark", true}};
        doc["cluster"]["rack_plan"] = Json::array({1, 2});
        doc["cluster"]["nodes"][0]["rack"] = "r7";
        doc["cluster"]["nodes"][1]["rack"] = "r8";
        doc["model"]["rope"] = {{"theta", 1e6}};
        doc["plans"][0]["colour"] = "red";
        Result<Project> read = readProject(printJson(doc), "a.pwx");
        QVERIFY(read);
        QCOMPARE(printProject(*read), printJson(doc));

        Project edited = *read;
        edited.name = "renamed";
        edited.cluster.nodes.erase(edited.cluster.nodes.begin());
        edited.cluster.links.erase(edited.cluster.links.begin());
        const Json after = *parseJson(printProject(edited), "a.pwx");
        QCOMPARE(after["theme"]["dark"].get<bool>(), true);
        QCOMPARE(after["cluster"]["nodes"][0]["rack"].get<std::string>(), std::string("r8"));
        QVERIFY(after.dump().find("r7") == std::string::npos);
    }

    void newerVersionIsRefusedClearly() {
        Json doc = *parseJson(printProject(smallProject()), "a.pwx");
        doc["version"] = kProjectVersion + 1;
        doc["cluster"] = "may be anything by then";
        const Result<Project> read = readProject(printJson(doc), "a.pwx");
        QVERIFY(!read);
        QCOMPARE(read.error().code, std::string("project.newer"));
        QCOMPARE(read.error().kind, ErrorKind::BadInput);
        QCOMPARE(read.error().where, std::string("a.pwx#/version"));
    }

    void damagedFilesAreRefused_data() {
        QTest::addColumn<QByteArray>("pointer");
        QTest::addColumn<QByteArray>("value"); // JSON text; "" = remove the key
        QTest::addColumn<QByteArray>("where");
        const auto row = [](const char* pointer, const char* value, const char* where) {
            QTest::addRow("%s = %s", pointer, value)
                << QByteArray(pointer) << QByteArray(value) << QByteArray(where);
        };
        row("/schema", "\"other\"", "a.pwx#/schema");
        row("/schema", "", "a.pwx#/schema");
        row("/version", "", "a.pwx#/version");
        row("/version", "0", "a.pwx#/version");
        row("/version", "\"1\"", "a.pwx#/version");
        row("/cluster", "", "a.pwx#/cluster");
        row("/cluster/nodes", "{}", "a.pwx#/cluster/nodes");
        row("/cluster/nodes/0/gpus", "-1", "a.pwx#/cluster/nodes/0/gpus");
        row("/cluster/links/0/bandwidth", "\"fast\"", "a.pwx#/cluster/links/0/bandwidth");
        row("/model/hidden", "1.5", "a.pwx#/model/hidden");
        row("/model/hidden", "18446744073709551616", "a.pwx#/model/hidden");
        row("/recipe/gbs", "\"64\"", "a.pwx#/recipe/gbs");
        row("/recipe/mbs", "[128]", "a.pwx#/recipe/mbs");
        row("/profiles/0/forward_s", "\"x\"", "a.pwx#/profiles/0/forward_s");
        row("/plans/0/entry", "3", "a.pwx#/plans/0/entry");
        row("/forbidden", "[1]", "a.pwx#/forbidden/0");
    }
    void damagedFilesAreRefused() {
        QFETCH(QByteArray, pointer);
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, where);
        Json doc = *parseJson(printProject(withPlan()), "a.pwx");
        if (value.isEmpty())
            doc.erase(pointer.mid(1).toStdString());
        else
            doc[Json::json_pointer(pointer.toStdString())] = *parseJson(value.toStdString(), "value");
        const Result<Project> read = readProject(printJson(doc), "a.pwx");
        QVERIFY(!read);
        QCOMPARE(read.error().kind, ErrorKind::BadInput);
        QCOMPARE(read.error().where, where.toStdString());
    }

    // What is no JSON document is told for what it is not; the parser's words stand behind.
    void otherTextsAreNoProject_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("project"); // begins as one
        QTest::newRow("prose") << QByteArray("hello, this is text\n") << false;
        QTest::newRow("empty") << QByteArray() << false;
        QTest::newRow("blank") << QByteArray(" \n\t\r\n") << false;
        QTest::newRow("marked prose") << QByteArray("\xEF\xBB\xBFhello") << false;
        QTest::newRow("list that is cut") << QByteArray("[1, 2") << false;
        QTest::newRow("not UTF-8") << QByteArray("\xFF\xFEh\0i\0", 6) << false;
        QTest::newRow("cut") << QByteArray("{\"schema\": \"pipewright-project\", ") << true;
        QTest::newRow("marked, indented and cut") << QByteArray("\xEF\xBB\xBF\n  {\"name\"") << true;
    }
    void otherTextsAreNoProject() {
        QFETCH(QByteArray, text);
        QFETCH(bool, project);
        const Result<Json> parsed = parseJson(text.toStdString(), "a.pwx");
        QVERIFY(!parsed);
        const Result<Project> read = readProject(text.toStdString(), "a.pwx");
        QVERIFY(!read);
        const Error& error = read.error();
        QCOMPARE(error.kind, ErrorKind::BadInput);
        QCOMPARE(error.code, parsed.error().code);
        QCOMPARE(error.where, parsed.error().where);
        if (project) {
            QCOMPARE(error.message, parsed.error().message);
            return;
        }
        QVERIFY2(error.message.starts_with("is not a Pipewright project"), error.message.c_str());
        QCOMPARE(error.reasons.size(), std::size_t{1});
        QCOMPARE(error.reasons.front().text(), parsed.error().text());
    }

    // Cut anywhere, or with any byte changed, a file is refused or read, never a crash.
    void cutAndFlippedFilesDoNoHarm() {
        constexpr std::uint64_t seed = 11;
        qInfo("seed %llu", static_cast<unsigned long long>(seed));
        Random random(seed);
        const std::string text = printProject(withPlan());
        for (int i = 0; i < 400; ++i) {
            const std::size_t at = random.below(text.size());
            QVERIFY(!readProject(text.substr(0, std::min(at, text.size() - 3)), "a.pwx"));
            std::string flipped = text;
            flipped[at] = static_cast<char>(random.below(256));
            if (const Result<Project> read = readProject(flipped, "a.pwx"); !read)
                QVERIFY(!read.error().where.empty());
        }
    }

    void checkTellsWhatIsMissing() {
        Project p = smallProject();
        QVERIFY(!hasErrors(checkProject(p)));
        QVERIFY(problemOf(p));
        QVERIFY(!has(checkProject(p), "project.estimates_only"));
        p.profiles[0].precision.clear();
        QVERIFY(has(checkProject(p), "project.unstated_precision"));
        p.profiles.clear();
        QVERIFY(has(checkProject(p), "project.estimates_only"));
        QVERIFY(!hasErrors(checkProject(p)));
        p.recipe.seq = 100000;
        QVERIFY(has(checkProject(p), "project.long_sequence"));

        const Diagnostics empty = checkProject(Project());
        QVERIFY(has(empty, "cluster.empty") && has(empty, "project.no_model"));
        QVERIFY(!problemOf(Project()));
    }

    // The check and the question agree: whatever has no error can be asked, whatever has one cannot.
    void checkAgreesWithTheQuestion() {
        std::vector<Project> list(7, smallProject());
        list[0].recipe.gbs = 0;
        list[1].recipe.precision = Precision::Bf16;
        list[2].forbidden = {"nobody"};
        list[3].forbidden = {"n1", "n2", "n3"};
        list[4].model->kvHeads = 5;
        list[5].cluster.nodes[0].kind = "abacus";
        list[6].forbidden = {"n3"};
        for (const Project& p : list)
            QCOMPARE(hasErrors(checkProject(p)), !problemOf(p));
        QVERIFY(problemOf(list[6]));
    }
};

QTEST_APPLESS_MAIN(ProjectTest)
#include "project_test.moc"

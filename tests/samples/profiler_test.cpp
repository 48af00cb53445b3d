// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/exchange/imports/import_table.h"
#include "core/profile/reach.h"
#include "tests/schemas/schema_validator.h"
#include "tests/skip.h"

#include <QProcess>
#include <QtTest>
#include <fmt/format.h>

#include <map>

using namespace pw;

// The profiler that users run: what it wrote imports as it is, follows the schema, and answers a plan.
class ProfilerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recordedOutputImportsAsItIs_data() {
        QTest::addColumn<int>("tp");
        QTest::newRow("one process") << 1;
        QTest::newRow("two processes") << 2;
    }
    void recordedOutputImportsAsItIs() {
        QFETCH(int, tp);
        const std::filesystem::path path =
            fmt::format("{}/samples/profiler/recorded-cpu-tp{}.json", PW_SOURCE_DIR, tp);
        const auto imported = importFile(path, {}, {});
        QVERIFY2(imported, imported ? "" : imported.error().text().c_str());
        const auto& rows = std::get<std::vector<ProfileRow>>(imported->what);
        QCOMPARE(rows.size(), std::size_t{18}); // 4 blocks, embedding and head at three micro-batches
        for (const ProfileRow& row : rows) {
            QVERIFY(row.forward.value > 0.0 && row.backward.value > 0.0 && row.update.value > 0.0);
            QVERIFY(row.confidence > 0.0 && !row.software.empty() && !row.date.empty());
            QCOMPARE(row.kind, std::string("CPU")); // and no GPU is claimed
        }
        const auto reach = reachOf(rows);
        QCOMPARE(reach.size(), std::size_t{1});
        QCOMPARE(reach.front().layers, 6);
        QCOMPARE(reach.front().tp, tp);
        QCOMPARE(reach.front().microbatches, (std::vector<int>{1, 2, 4}));
        const ProfileTable table(rows);
        QCOMPARE(table.find("CPU", 3, tp, 3, Precision::Fp32, 64)->provenance, Provenance::Interpolated);

        const Result<Json> document = parseJson(*readFile(path), "recorded");
        const auto schema = [](const std::string& name) -> const Json& {
            static std::map<std::string, Json> read;
            return read
                .try_emplace(
                    name,
                    *parseJson(*readFile(std::filesystem::path(PW_SOURCE_DIR "/resources/schemas") / name),
                               name))
                .first->second;
        };
        for (const Json& row : (*document)["rows"])
            QVERIFY(SchemaValidator(schema).validate(row, "profile.schema.json").empty());
    }

    void theScriptIsPython() {
        QProcess python;
        python.start(QStringLiteral("python3"),
                     {QStringLiteral("-c"),
                      QStringLiteral("import ast, sys; ast.parse(open(sys.argv[1]).read())"),
                      QStringLiteral(PW_SOURCE_DIR "/samples/profiler/profile_layers.py")});
        if (!python.waitForStarted())
            PW_SKIP("python3", "python3 is not installed");
        QVERIFY(python.waitForFinished(60000));
        QCOMPARE(python.exitCode(), 0);
    }
};

QTEST_APPLESS_MAIN(ProfilerTest)
#include "profiler_test.moc"

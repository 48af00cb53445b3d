// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/own_runs.h"

#include "core/base/file.h"
#include "core/calibrate/training_log.h"
#include "tests/training_logs.h"

#include <QDirIterator>
#include <QTemporaryDir>
#include <QTest>

using namespace pw;

// What command line and window take as the user's own runs.
class OwnRunsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string file(const char* name, const std::string& text) const {
        const std::string path = m_folder.filePath(QString::fromLatin1(name)).toStdString();
        const Status written = writeFileAtomically(path, text);
        if (!written)
            qFatal("%s", written.error().text().c_str());
        return path;
    }
    // Of the sample table: its header, with a further column for logs, and its second row, which states no
    // time.
    static std::string tableWithLog(const std::string& log) {
        const std::string all = *readFile(std::string(PW_SOURCE_DIR) + "/tests/data/runs-small.csv");
        const std::size_t header = all.find('\n'), first = all.find('\n', header + 1),
                          second = all.find('\n', first + 1);
        return all.substr(0, header) + ",log" + all.substr(first, second - first) + "," + log + "\n";
    }
    static Result<std::vector<RunRow>> read(const std::vector<std::string>& files,
                                            const LoggedMachine& machine = {}) {
        Diagnostics notes;
        return readOwnRuns(files, machine, notes);
    }

private Q_SLOTS:
    void logsOfOneMachine() {
        const std::string one = file("one.log", kMegatronLog), two = file("two.log", kMegatronLog);
        const auto rows = read({one, two}, {"H100-SXM-80GB", "8x400Gb/s InfiniBand per node", 4});
        QVERIFY2(rows, rows ? "" : rows.error().text().c_str());
        QCOMPARE(rows->size(), std::size_t{2});
        QCOMPARE(rows->back().rowId, two);
        QCOMPARE(rows->back().gpu, std::string("H100-SXM-80GB"));
        QCOMPARE(rows->back().gpusPerNode.value_or(0), 4);
        QCOMPARE(rows->back().iterTimeS.value_or(0.0), 2.0);
    }

    // The question about the machine comes once nothing else is wrong.
    void whereLogsRanIsAsked() {
        const std::string log = file("one.log", kMegatronLog);
        const auto asked = read({log});
        QVERIFY(!asked);
        QCOMPARE(asked.error().code, std::string("runs.gpu"));
        const std::string none = file("none.log", "no step\n");
        const auto wrong = read({log, none});
        QVERIFY(!wrong);
        QCOMPARE(wrong.error().code, std::string("log.steps"));
        QCOMPARE(wrong.error().where, none);
    }

    // As Megatron-LM prints into a file a rank: rank 0 the arguments, the last one the steps.
    void twoRanksAreOneRun() {
        const std::string all = kMegatronLog;
        const std::size_t cut = all.find(" [2026");
        std::string last = all.substr(cut);
        const std::string zero = file("rank0.log", all.substr(0, cut));
        const std::string steps = file("rank15.log", last);
        const LoggedMachine machine{"H100-SXM-80GB", "", 8};
        for (const auto& files : {std::vector{zero, steps}, std::vector{steps, zero}}) {
            const auto rows = read(files, machine);
            QVERIFY2(rows, rows ? "" : rows.error().text().c_str());
            QCOMPARE(rows->size(), std::size_t{1});
            QCOMPARE(rows->front().rowId, steps);
            QCOMPARE(rows->front().tp.value_or(0), 4);
            QCOMPARE(rows->front().iterTimeS.value_or(0.0), 2.0);
        }
        // Each alone is told of the other.
        QVERIFY(read({steps}, machine).error().message.find("rank 0") != std::string::npos);
        QVERIFY(read({zero}, machine).error().message.find("last rank") != std::string::npos);
        // Of another run, and of several.
        last += " iteration 5/ 100 | elapsed time per iteration (ms): 2000.0 | global batch size:   128 |\n";
        const auto other = read({zero, file("other.log", last)}, machine);
        QVERIFY(!other);
        QCOMPARE(other.error().code, std::string("log.pair"));
        QVERIFY2(other.error().message.find("128") != std::string::npos, other.error().message.c_str());
        const auto several = read({zero, steps, file("more.log", all.substr(cut))}, machine);
        QVERIFY(!several);
        QCOMPARE(several.error().code, std::string("log.pair"));
    }

    // Memory may run out on one of the two ranks before the first step, and is told by both then.
    void twoRanksOfWhichOneRanOutOfMemory() {
        const std::string all = kMegatronLog, oom = "torch.OutOfMemoryError: CUDA out of memory. Tried\n";
        const std::size_t cut = all.find(" [2026");
        const std::string arguments = file("rank0.log", all.substr(0, cut)),
                          failed = file("failed0.log", all.substr(0, cut) + oom),
                          steps = file("rank15.log", all.substr(cut)), ended = file("rank15-oom.log", oom);
        const LoggedMachine machine{"H100-SXM-80GB", "", 8};
        for (const std::string& first : {arguments, failed})
            for (const std::string& last : {steps, ended}) {
                if (first == failed && last == steps)
                    continue;
                const auto rows = read({first, last}, machine);
                QVERIFY2(rows, rows ? "" : rows.error().text().c_str());
                QCOMPARE(rows->size(), std::size_t{1});
                QCOMPARE(rows->front().rowId, last);
                QCOMPARE(rows->front().tp.value_or(0), 4);
                QCOMPARE(rows->front().iterTimeS.value_or(0.0), last == steps ? 2.0 : 0.0);
                QCOMPARE(rows->front().failed(), last == ended);
            }
        // Steps of one run are not laid to the arguments of another that failed before.
        const auto next = read({failed, steps}, machine);
        QVERIFY(!next);
        QCOMPARE(next.error().code, std::string("log.pair"));
        QCOMPARE(next.error().where, steps);
        // One that has both stays a run beside the two of another.
        const auto two = read({failed, arguments, steps}, machine);
        QVERIFY2(two, two ? "" : two.error().text().c_str());
        QCOMPARE(two->size(), std::size_t{2});
        QVERIFY(two->front().failed() && two->front().rowId == failed);
        QCOMPARE(two->back().rowId, steps);
        // The arguments of no other trainer's log are rank 0's.
        const auto titan = read({failed, file("titan.log", kTitanLog)}, machine);
        QVERIFY(!titan);
        QCOMPARE(titan.error().code, std::string("log.arguments"));
    }

    void logsWithoutArgumentsNeedARow() {
        const auto alone = read({file("titan.log", kTitanLog)}, {"A100-SXM4-80GB", "", 0});
        QVERIFY(!alone);
        QCOMPARE(alone.error().code, std::string("log.arguments"));
        const auto rows = read({file("table.csv", tableWithLog("titan.log"))}); // beside the table
        QVERIFY2(rows, rows ? "" : rows.error().text().c_str());
        QCOMPARE(rows->size(), std::size_t{1});
        QCOMPARE(rows->front().iterTimeS.value_or(0.0), 32.0 * 1024.0 / (8192.0 * 16.0));
    }

    void refusals() {
        const std::string log = file("one.log", kMegatronLog);
        const std::string table = file("table.csv", tableWithLog(""));
        for (const auto& files : {std::vector{log, table}, std::vector{table, log}}) {
            const auto mixed = read(files, {"A100-SXM4-80GB", "", 0});
            QVERIFY(!mixed);
            QCOMPARE(mixed.error().code, std::string("runs.mixed"));
            QCOMPARE(mixed.error().where, table);
        }
        // A table of other columns is told which it lacks, and not that it is no log.
        const auto columns = read({file("other.csv", "id,a,b,c,d,e,f,g,h,i,j,k\n1,2,3,4,5,6,7,8,9,0,1,2\n")});
        QVERIFY(!columns);
        QCOMPARE(columns.error().code, std::string("runs.table"));
        // A document on one line, with more commas than a table's header, is no table.
        for (const char* text : {R"({"schema":"pipewright-run-1","ops":[1,2,3,4,5,6,7,8,9,10,11,12]})",
                                 "[1,2,3,4,5,6,7,8,9,10,11,12]"})
            for (const auto& files :
                 {std::vector{file("run.json", text)}, std::vector{log, file("run.json", text)}}) {
                const auto document = read(files, {"A100-SXM4-80GB", "", 0});
                QVERIFY(!document);
                QCOMPARE(document.error().code, std::string("log.steps"));
                QCOMPARE(document.error().where, files.back());
            }
        // A table takes one log a run: which it is to be, where the one that it names has no step.
        const std::string all = kMegatronLog;
        file("zero.log", all.substr(0, all.find(" [2026")));
        const auto zero = read({file("zero.csv", tableWithLog("zero.log"))});
        QVERIFY(!zero);
        QCOMPARE(zero.error().code, std::string("log.steps"));
        QVERIFY2(zero.error().message.find("in the column log") != std::string::npos,
                 zero.error().message.c_str());
        const auto missing = read({file("lost.csv", tableWithLog("lost.log"))});
        QVERIFY(!missing);
        QVERIFY2(missing.error().where.find("lost.log") != std::string::npos, missing.error().text().c_str());
    }

    void noSampleIsTakenForRuns() {
        int files = 0;
        for (QDirIterator all(QStringLiteral(PW_SOURCE_DIR "/samples"),
                              {QStringLiteral("*.json"), QStringLiteral("*.pwx")}, QDir::Files,
                              QDirIterator::Subdirectories);
             all.hasNext();) {
            const std::string file = all.next().toStdString();
            const Result<std::string> text = readFile(file);
            QVERIFY(text);
            QVERIFY2(!isRunTable(*text) && trainerOfLog(*text).empty(), file.c_str());
            ++files;
        }
        QVERIFY(files > 50);
    }

    void tablesAreKnownByTheirFirstLine() {
        QVERIFY(isRunTable(tableWithLog("")));
        QVERIFY(!isRunTable(kMegatronLog));
        QVERIFY(!isRunTable("first line\nrow_id,set\n"));
        QVERIFY(isRunTable("\"set\", \"row_id\"\r\n") && isRunTable("\xEF\xBB\xBFrow_id,set\n"));
        QVERIFY(!isRunTable("set,row_ids\n"));
        // A plan document on one line names the measured row that is nearest.
        QVERIFY(!isRunTable(R"({"nearest":{"row_id":"nano-1"},"schema":"pipewright-plan-1"})"));
        QVERIFY(!isRunTable(R"(["a","row_id","b"])"));
    }
};

QTEST_APPLESS_MAIN(OwnRunsTest)
#include "own_runs_test.moc"

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/result_file.h"

#include "core/base/file.h"
#include "core/document/plan_file.h"
#include "core/formats/source.h"
#include "core/sweep/chunk_work.h"
#include "core/sweep/collect.h"
#include "tests/base/failing_disk.h"
#include "tests/base/false_clock.h"
#include "tests/sweep/made_sweep.h"
#include "tests/sweep/sweep_sample.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <memory>
#include <set>

#include <sys/stat.h>

using namespace pw;
using test::MadeSweep;
namespace fs = std::filesystem;

namespace {

Status write(const fs::path& file, const std::string& text) {
    return writeFileAtomically(file, text);
}

} // namespace

class ResultFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTornLineCountsForNothing() {
        const QTemporaryDir dir;
        const fs::path file = fs::path(dir.path().toStdString()) / "00000-local.0.h.1-1.jsonl";
        QVERIFY(write(file, "{\"begin\":\"a\"}\n{\"id\":\"a\",\"exit\":0}\n{\"id\":\"b\",\"ex"));
        TaskStates states;
        QVERIFY(addStates({file}, states));
        QCOMPARE(states.size(), std::size_t{1});
        QVERIFY(states["a"].done);
        const auto read = readResultLines(file);
        QVERIFY(read->torn);
        QCOMPARE(read->lines.size(), std::size_t{2});
        // What was appended is read from where the whole lines end.
        QVERIFY(write(file, "{\"begin\":\"a\"}\n{\"id\":\"a\",\"exit\":0}\n{\"id\":\"b\",\"exit\":3}\n"));
        const auto more = readSoundLines(file, read->offset, read->line);
        QCOMPARE(more->lines.size(), std::size_t{1});
        QCOMPARE(more->lines[0].id, std::string("b"));
        QCOMPARE(more->lines[0].line, std::size_t{3});
    }

    void aBrokenLineIsNamed() {
        const QTemporaryDir dir;
        const fs::path file = fs::path(dir.path().toStdString()) / "00000-local.0.h.1-1.jsonl";
        QVERIFY(write(file, "{\"begin\":\"a\"}\n{\"id\":\n"));
        TaskStates states;
        const Status read = addStates({file}, states);
        QVERIFY(!read);
        QVERIFY(QString::fromStdString(read.error().where).contains(QStringLiteral(".jsonl:2")));
    }

    void resultsAgreeInAllButTimeAndHost() {
        const QTemporaryDir dir;
        const fs::path one = fs::path(dir.path().toStdString()) / "00000-local.0.h.1-1.jsonl";
        const fs::path two = fs::path(dir.path().toStdString()) / "00000-local.0.h.1-2.jsonl";
        const auto record = [](double iteration, double wall, const char* host, const char* version) {
            return Json{{"id", "a"},      {"exit", 0},    {"iteration_s", iteration},
                        {"wall_s", wall}, {"host", host}, {"tool_version", version}}
                       .dump() +
                   '\n';
        };
        QVERIFY(write(one, record(1.5, 0.1, "h1", "1")));
        QVERIFY(write(two, record(1.5, 0.2, "h2", "1")));
        TaskStates states;
        QVERIFY(addStates({one, two}, states));
        QVERIFY(write(two, record(1.5000001, 0.1, "h1", "1")));
        states.clear();
        const Status apart = addStates({one, two}, states);
        QVERIFY(!apart);
        QCOMPARE(apart.error().kind, ErrorKind::Failure);
        QCOMPARE(apart.error().code, std::string("sweep.disagreement"));
        QVERIFY(apart.error().text().find(one.string()) != std::string::npos);
        QVERIFY(apart.error().text().find(two.string()) != std::string::npos);
        QVERIFY(write(two, record(2.0, 0.1, "h1", "2"))); // another version is told elsewhere
        states.clear();
        QVERIFY(addStates({one, two}, states));
    }

    void threeBeginningsAreAFailureAndStopsAreNone() {
        const QTemporaryDir dir;
        const fs::path file = fs::path(dir.path().toStdString()) / "00000-local.0.h.1-1.jsonl";
        QVERIFY(
            write(file, "{\"begin\":\"a\"}\n{\"begin\":\"a\"}\n{\"begin\":\"a\"}\n{\"stopped\":\"a\"}\n"));
        TaskStates states;
        QVERIFY(addStates({file}, states));
        QVERIFY(states["a"].open() && !states["a"].failed());
        states.clear();
        QVERIFY(write(file, "{\"begin\":\"a\"}\n{\"begin\":\"a\"}\n{\"begin\":\"a\"}\n"));
        QVERIFY(addStates({file}, states));
        QVERIFY(states["a"].failed());
    }

    // Neither a pipe nor a line without an end is waited for, or taken into memory.
    void whatIsNoResultFileIsRefusedAtOnce() {
        const QTemporaryDir dir;
        const fs::path file = fs::path(dir.path().toStdString()) / "00000-local.0.h.1-1.jsonl";
        QCOMPARE(mkfifo(file.c_str(), 0600), 0);
        TaskStates states;
        QCOMPARE(addStates({file}, states).error().code, std::string("sweep.result"));
        fs::remove(file);
        QVERIFY(write(file, "{\"begin\":\"a\"}\n"));
        fs::resize_file(file, std::uintmax_t{1} << 33); // of zeros, which take no room
        const Status refused = addStates({file}, states);
        QCOMPARE(refused.error().code, std::string("sweep.result"));
        QVERIFY(QString::fromStdString(refused.error().where).endsWith(QStringLiteral(".jsonl:2")));
    }

    // Two attempts with the same chunk, job and restart, as Slurm makes them, have a file each.
    void attemptsNeverShareAFile() {
        const QTemporaryDir dir;
        const fs::path folder = dir.path().toStdString();
        std::set<fs::path> files;
        for (int i = 0; i < 20; ++i) {
            auto writer = ResultWriter::create(folder, {7, "82_0", "0"});
            QVERIFY(writer);
            QVERIFY(writer->begin("a", 0.0));
            QVERIFY(writer->finish());
            files.insert(writer->path());
            QCOMPARE(*chunkOf(writer->path()), std::size_t{7});
        }
        QCOMPARE(files.size(), std::size_t{20});
        QCOMPARE(resultFiles(folder, 7).size(), std::size_t{20});
        QVERIFY(resultFiles(folder, 8).empty());
    }

    // Nothing syncs while a task is worked out: what is open goes to the disk before one that takes long.
    void resultsAreOnTheDiskBeforeALongTask() {
        const QTemporaryDir dir;
        const test::FailingDisk disk({}, std::errc::io_error); // which fails at nothing
        test::FalseClock clock;
        auto writer = ResultWriter::create(dir.path().toStdString(), {0, "local", "0"}, disk, clock);
        QVERIFY(writer);
        const auto syncs = [&] {
            return static_cast<int>(std::ranges::count(disk.steps(), std::string("sync")));
        };
        QVERIFY(writer->begin("a", 0.0));
        clock.advance(0.2);
        QVERIFY(writer->result(R"({"id":"a"})"));
        QVERIFY(writer->begin("b", 0.5)); // over before a second is
        clock.advance(0.1);
        QVERIFY(writer->result(R"({"id":"b"})"));
        QCOMPARE(syncs(), 0);
        QVERIFY(writer->begin("c", 0.8)); // 0.3 s after the file was made: 0.1 s too long
        QCOMPARE(syncs(), 1);
        clock.advance(0.8);
        QVERIFY(writer->result(R"({"id":"c"})"));
        QCOMPARE(syncs(), 1);
        QVERIFY(writer->begin("d", 3600.0));
        QCOMPARE(syncs(), 2);
        clock.advance(3600.0);
        QVERIFY(writer->result(R"({"id":"d"})")); // at once: nothing was for an hour
        QCOMPARE(syncs(), 3);
        QVERIFY(writer->begin("e", 3600.0)); // with nothing open
        QCOMPARE(syncs(), 3);
        QVERIFY(writer->stopped("e"));
        QVERIFY(writer->finish());
        QCOMPARE(syncs(), 4);
    }

    // All that is said of time is the clock's that was handed in.
    void timesAreThoseOfTheClock() {
        const MadeSweep made;
        const test::FalseClock still;
        WorkOptions options;
        options.clock = &still;
        QCOMPARE(made.work(0, options).searching, 0.0);
        const test::FalseClock quick(1000.0); // s a look
        options.clock = &quick;
        QVERIFY(made.work(1, options).searching >= 3000.0);
        TaskStates states;
        QVERIFY(addStates(resultFiles(made.folder->resultsFolder()), states));
        QCOMPARE(states.size(), std::size_t{6});
        int none = 0;
        for (const auto& [id, state] : states) {
            none += state.wall == 0.0 ? 1 : 0;
            QVERIFY(state.wall == 0.0 || state.wall >= 1000.0);
        }
        QCOMPARE(none, 3);
    }

    void aChunkIsWorkedOffOnce() {
        const MadeSweep made;
        QCOMPARE(made.folder->chunks.size(), std::size_t{2});
        const WorkReport first = made.work(0);
        QCOMPARE(first.done, std::size_t{3});
        QCOMPARE(sweepStatus(*made.folder)->openChunks(false), std::vector<std::size_t>{1});
        const WorkReport again = made.work(0);
        QCOMPARE(again.done, std::size_t{0});
        QCOMPARE(again.known, std::size_t{3});
        QCOMPARE(resultFiles(made.folder->resultsFolder()).size(), std::size_t{1}); // nothing to do, no file
        QVERIFY(!workOff(*made.folder, 2, {}));
    }

    // A document that is there is not written again, and with it would go what a killed writer has left.
    void whatAKilledWorkerLeftGoes() {
        const MadeSweep made;
        const fs::path left = made.path() / "plans" / ".0123.json.gz.2147483646.0.tmp";
        const fs::path written = made.path() / "plans" / ".4567.json.gz.2147483646.0.tmp";
        for (const fs::path& file : {left, written})
            QVERIFY(write(file, "half a do"));
        fs::last_write_time(left, fs::file_time_type::clock::now() - 2 * kAbandonedAfter);
        made.work(0);
        QVERIFY(!fs::exists(left));
        QVERIFY(fs::exists(written)); // perhaps on another machine
    }

    // What was worked out twice agrees, whatever the number of threads: the first attempt's file is hidden.
    void aTaskRepeatsExactly() {
        const MadeSweep made;
        made.work(0);
        const fs::path file = resultFiles(made.folder->resultsFolder()).front();
        const fs::path aside = made.out("aside");
        fs::rename(file, aside);
        WorkOptions options;
        options.threads = 3;
        QCOMPARE(made.work(0, options).done, std::size_t{3});
        fs::rename(aside, file);
        TaskStates states;
        const Status agree = addStates(resultFiles(made.folder->resultsFolder()), states);
        QVERIFY2(agree, agree ? "" : agree.error().text().c_str());
        QCOMPARE(states.size(), std::size_t{3});
        QCOMPARE(states.begin()->second.begins, 2);
    }

    void aStopKeepsWhatIsDone() {
        const MadeSweep made;
        std::stop_source source;
        WorkOptions options;
        options.stop = source.get_token();
        options.progress = [&source](std::size_t done, std::size_t) {
            if (done == 2)
                source.request_stop();
        };
        const WorkReport report = made.work(0, options);
        QVERIFY(report.stopped);
        QCOMPARE(report.done, std::size_t{2});
        const auto status = sweepStatus(*made.folder);
        QCOMPARE(status->done, std::size_t{2});
        QCOMPARE(status->begun, std::size_t{0});
        QCOMPARE(made.work(0).done, std::size_t{1});
    }

    // Wherever a disk gets full or a step of it fails, what is there is whole, and the next attempt ends it.
    void aFailingDiskLeavesNothingHalf_data() { test::addWaysToFail(); }
    void aFailingDiskLeavesNothingHalf() {
        QFETCH(bool, full);
        const MadeSweep made(Json{{"keep", {{"documents", "all"}}}});
        const auto plans = [&] {
            std::vector<fs::path> found;
            return made.folder->disk->list(made.path() / "plans", found) ? std::vector<fs::path>() : found;
        };
        int failures = 0;
        for (int at = 0;; ++at) {
            for (const char* name : {"results", "plans"})
                for (const auto& entry : fs::directory_iterator(made.path() / name))
                    fs::remove(entry);
            const test::FailsAt disk(at, full);
            made.folder->disk = &disk;
            const auto report = workOff(*made.folder, 0, {});
            made.folder->disk = &systemDisk();
            QCOMPARE(!report, !disk.failed().empty());
            if (report)
                break;
            ++failures;
            QCOMPARE(report.error().kind, ErrorKind::Failure);
            const auto status = sweepStatus(*made.folder); // half a line is none
            QVERIFY2(status, status ? "" : status.error().text().c_str());
            QVERIFY(status->done <= plans().size()); // the document is there before its result
            for (const fs::path& plan : plans())
                QVERIFY2(readPlanFile(*readText(plan), plan.string()), plan.c_str());
            QCOMPARE(made.work(0).done, 3 - status->done);
            QCOMPARE(collect(*made.folder, false)->status.done, std::size_t{3});
            QCOMPARE(plans().size(), std::size_t{3});
        }
        // A file of results, a beginning, a document and a result a task, and the end.
        QVERIFY2(failures >= (full ? 12 : 25), qPrintable(QString::number(failures)));
    }

    // What cannot be written whole is no sweep, and leaves no more than was there.
    void aSweepIsMadeWholeOrNotAtAll_data() { aFailingDiskLeavesNothingHalf_data(); }
    void aSweepIsMadeWholeOrNotAtAll() {
        QFETCH(bool, full);
        const test::ReadSweep read(test::sweepJson({test::axis("batch", "recipe.gbs", {64, 128})}));
        const Composer composer = read.composer();
        const auto tasks = expand(read.sweep, composer, "sweep.json", {1, 1, {}});
        QVERIFY(tasks);
        int failures = 0;
        for (bool over = false; !over;) {
            for (const bool existed : {false, true}) {
                const QTemporaryDir dir;
                const fs::path path = fs::path(dir.path().toStdString()) / "above" / "sweep";
                if (existed)
                    fs::create_directories(path);
                const test::FailsAt disk(failures, full);
                const Status written = writeSweepFolder(path, read.sweep, read.inputs, *tasks, disk);
                QCOMPARE(!written, !disk.failed().empty());
                QCOMPARE(fs::exists(path), written || existed);
                if (!written && existed)
                    QVERIFY(fs::is_empty(path));
                const Status again =
                    written ? written : writeSweepFolder(path, read.sweep, read.inputs, *tasks);
                QVERIFY2(again, again ? "" : again.error().text().c_str());
                QVERIFY(openSweepFolder(path));
                over = static_cast<bool>(written);
            }
            ++failures;
        }
        QVERIFY2(failures > (full ? 15 : 25), qPrintable(QString::number(failures)));
    }

    // Results that cannot be read are told, and not taken for the end of a file.
    void aDiskThatCannotBeReadIsTold() {
        const MadeSweep made;
        made.work(0);
        const test::FailingDisk broken("read", std::errc::io_error);
        const auto lines =
            readSoundLines(resultFiles(made.folder->resultsFolder()).front(), 0, 0, 10, broken);
        QVERIFY(!lines);
        QCOMPARE(lines.error().kind, ErrorKind::Failure);
        QVERIFY2(lines.error().message.find("Input/output error") != std::string::npos,
                 lines.error().message.c_str());
        made.folder->disk = &broken;
        QVERIFY(!readTasks(*made.folder, 0));
        QVERIFY(!sweepStatus(*made.folder));
        QVERIFY(!openSweepFolder(made.path(), broken));
    }

    void whatFailedThreeTimesIsLeftAlone() {
        const MadeSweep made;
        const std::string id = made.tasks().front().id;
        for (int i = 0; i < kMostBegins; ++i) {
            auto writer = ResultWriter::create(made.folder->resultsFolder(), {0, "local", "0"});
            QVERIFY(writer->begin(id, 0.0) && writer->finish());
        }
        QVERIFY(write(localLog(*made.folder, 0), "first\nout of memory\n"));
        QCOMPARE(made.work(0).failed, std::size_t{1});
        made.work(1);
        const auto status = sweepStatus(*made.folder);
        QCOMPARE(status->failed.size(), std::size_t{1});
        QCOMPARE(status->failed[0].task, std::size_t{0});
        QVERIFY(status->failed[0].log.find("out of memory") != std::string::npos);
        QVERIFY(status->openChunks(false).empty());
        QCOMPARE(status->openChunks(true), std::vector<std::size_t>{0});
        WorkOptions again;
        again.retryFailed = true;
        QCOMPARE(made.work(0, again).done, std::size_t{1});
        QVERIFY(sweepStatus(*made.folder)->complete());
    }

    void foldersOfOthersAreRefused() {
        MadeSweep made;
        QCOMPARE(openSweepFolder(made.path() / "results").error().code, std::string("sweep.folder"));
        std::string text = *readFile(made.path() / "sweep.json");
        const std::string schema = kSweepFolderSchema;
        text.replace(text.find(schema), schema.size(), "pipewright-sweep-folder-9");
        QVERIFY(write(made.path() / "sweep.json", text));
        QCOMPARE(openSweepFolder(made.path()).error().code, std::string("sweep.newer"));
        const test::ReadSweep read(test::sweepJson({test::axis("batch", "recipe.gbs", {64})}));
        const Status onto = writeSweepFolder(made.path(), read.sweep, read.inputs, Expansion());
        QVERIFY(!onto);
        QCOMPARE(onto.error().code, std::string("sweep.out"));
    }

    // What a killed `make` leaves is made anew; a file of somebody else's stays, and so does a finished
    // sweep.
    void whatAKilledWriterLeftIsNoObstacle() {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath(QStringLiteral("sweep")).toStdString();
        for (const char* left : {"inputs", "results", "plans", "log"})
            std::filesystem::create_directories(path / left);
        const std::filesystem::path input = path / "inputs" / "0123456789abcdef0123456789abcdef.json";
        QVERIFY(write(input, "{}"));
        QVERIFY(write(path / ".tasks.jsonl.123.4.tmp", "half a li"));
        const test::ReadSweep read(test::sweepJson({test::axis("batch", "recipe.gbs", {64})}));
        const auto refusal = [&] {
            const Status made = writeSweepFolder(path, read.sweep, read.inputs, Expansion());
            return made ? std::string() : made.error().code;
        };
        for (const char* theirs : {"mine.txt", "results/mine.csv", "log/mine.log", "plans/mine.json",
                                   "inputs/mine.json", ".mine.tmp"}) {
            QVERIFY(write(path / theirs, "text"));
            QCOMPARE(refusal(), std::string("sweep.out"));
            QVERIFY2(std::filesystem::exists(path / theirs) && std::filesystem::exists(input), theirs);
            std::filesystem::remove(path / theirs);
        }
        {
            std::error_code code;
            const std::unique_ptr<HeldFolder> other = systemDisk().hold(path, code);
            QVERIFY(other);
            QCOMPARE(refusal(), std::string("sweep.busy"));
        }
        QCOMPARE(refusal(), std::string());
        QVERIFY(std::filesystem::exists(path / "sweep.json") &&
                !std::filesystem::exists(path / ".tasks.jsonl.123.4.tmp"));
        QCOMPARE(refusal(), std::string("sweep.out"));
        std::filesystem::remove(path / "sweep.json");
        std::filesystem::remove_all(path / "inputs"); // what is left could be anybody's
        QCOMPARE(refusal(), std::string("sweep.out"));
    }

    // A figure of another type is refused where it is read, by the line that has it.
    void recordsOfOtherTypesAreRefused_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::newRow("text for a time") << "iteration_s"
                                         << "\"x\"";
        QTest::newRow("negative time") << "iteration_s"
                                       << "-1";
        QTest::newRow("list for a rate") << "tokens_per_s"
                                         << "[1]";
        QTest::newRow("text for an exit") << "exit"
                                          << "\"0\"";
        QTest::newRow("exit that is none") << "exit"
                                           << "1e3";
        QTest::newRow("part of a GPU") << "gpus_used"
                                       << "1.5";
        QTest::newRow("number for a version") << "tool_version"
                                              << "2";
        QTest::newRow("time that is no number") << "wall_s"
                                                << "true";
        QTest::newRow("flag for a status") << "status"
                                           << "true";
        QTest::newRow("number for stages") << "stages"
                                           << "2";
        QTest::newRow("text for reasons") << "reasons"
                                          << "\"x\"";
        QTest::newRow("number among reasons") << "reasons"
                                              << "[\"x\",1]";
        for (const char* key :
             {"iteration_s", "wall_s", "exit", "gpus_used", "tool_version", "status", "stages", "reasons"})
            QTest::addRow("no %s", key) << QString::fromLatin1(key) << "null";
    }
    void recordsOfOtherTypesAreRefused() {
        QFETCH(QString, key);
        QFETCH(QString, value);
        const QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath(QStringLiteral("00000-a.jsonl")).toStdString();
        QVERIFY(write(file, "{\"id\":\"a\",\"exit\":0}\n{\"id\":\"b\",\"" + key.toStdString() +
                                "\":" + value.toStdString() + "}\n"));
        const Result<ResultLines> lines = readResultLines(file);
        QVERIFY(!lines);
        QVERIFY2(lines.error().where.starts_with(file.string() + ":2"), lines.error().text().c_str());
    }
};

QTEST_GUILESS_MAIN(ResultFileTest)
#include "result_file_test.moc"

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/log.h"

#include "core/base/file.h"
#include "core/base/log_file.h"
#include "core/base/random.h"
#include "core/base/text.h"
#include "tests/base/false_clock.h"

#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace pw;
namespace fs = std::filesystem;

// Lines of a log are data that anybody can read back, on disk in files of a limited size.
class LogTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_dir;
    fs::path path(const char* name) const { return fs::path(m_dir.path().toStdString()) / name; }
    static std::string textOf(const std::vector<fs::path>& files) {
        std::string text;
        for (const fs::path& file : files)
            text += *readFile(file);
        return text;
    }

private Q_SLOTS:
    void init() {
        for (const auto& entry : fs::directory_iterator(path("")))
            fs::remove_all(entry);
    }

    void controlCharactersAreEscaped_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("plain") << QByteArray("n1 – 40 GiB ∴") << QByteArray("n1 – 40 GiB ∴");
        QTest::newRow("line ends") << QByteArray("a\nb\r\n") << QByteArray("a\\nb\\r\\n");
        QTest::newRow("tab") << QByteArray("a\tb") << QByteArray("a\\tb");
        QTest::newRow("terminal") << QByteArray("\x1b[2J\x07\x7f") << QByteArray("\\x1b[2J\\x07\\x7f");
        QTest::newRow("nul") << QByteArray("a\0b", 3) << QByteArray("a\\x00b");
        QTest::newRow("backslash") << QByteArray("a\\nb") << QByteArray("a\\\\nb");
        QTest::newRow("no UTF-8") << QByteArray("\xff\xc3") << QByteArray("\\xff\\xc3");
        QTest::newRow("C1") << QByteArray("\xc2\x9b") << QByteArray("\\u009b");
        QTest::newRow("direction") << QByteArray("\xe2\x80\xae") << QByteArray("\\u202e");
        QTest::newRow("line separator") << QByteArray("\xe2\x80\xa8") << QByteArray("\\u2028");
    }
    void controlCharactersAreEscaped() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, line);
        QCOMPARE(QByteArray::fromStdString(oneLine(text.toStdString())), line);
    }

    void timesAreThoseOfTheCalendar() {
        QCOMPARE(timeText(0), std::string("1970-01-01T00:00:00.000Z"));
        QCOMPARE(timeText(951'782'400'000), std::string("2000-02-29T00:00:00.000Z"));
        QCOMPARE(timeText(1'795'367'103'123), std::string("2026-11-22T17:05:03.123Z"));
    }

    void linesAreReadBack() {
        Random random(7);
        for (int i = 0; i < 2000; ++i) {
            LogEvent event{static_cast<std::int64_t>(random.below(4'000'000'000)) * 1000 + i,
                           static_cast<LogLevel>(random.below(4)),
                           {},
                           {}};
            for (std::string* field : {&event.place, &event.text})
                for (std::uint64_t n = random.below(12); n > 0; --n)
                    *field += static_cast<char>(random.below(256));
            const std::string line = logLine(event);
            QCOMPARE(line.find('\n'), line.size() - 1);
            const auto back = readLogLine(std::string_view(line).substr(0, line.size() - 1));
            QVERIFY(back);
            QCOMPARE(back->time, event.time);
            QCOMPARE(back->level, event.level);
            QCOMPARE(back->place, oneLine(event.place));
            QCOMPARE(back->text, oneLine(event.text));
        }
        for (const char* other :
             {"", "a line", "2026-11-22T17:05:03.123Z\tinfo\tplace", "x\tinfo\tplace\ttext",
              "2026-11-22T17:05:03.123Z\tloud\tplace\ttext", "2026-13-22T17:05:03.123Z\tinfo\tplace\ttext"})
            QVERIFY2(!readLogLine(other), other);
    }

    void onlyWhatIsAskedForIsWritten() {
        for (const LogLevel most : {LogLevel::Error, LogLevel::Warning, LogLevel::Info, LogLevel::Debug}) {
            std::vector<std::string> lines;
            test::FalseClock clock;
            clock.advance(1.0);
            Log log(
                most, [&](std::string_view line) { lines.emplace_back(line); }, clock);
            for (const LogLevel level :
                 {LogLevel::Error, LogLevel::Warning, LogLevel::Info, LogLevel::Debug}) {
                QCOMPARE(log.takes(level), level <= most);
                log.write(level, "place", "text");
            }
            QCOMPARE(lines.size(), static_cast<std::size_t>(most) + 1);
            QCOMPARE(lines.front(), std::string("1970-01-01T00:00:01.000Z\terror\tplace\ttext\n"));
        }
        QCOMPARE(logLevelFromName("debug"), std::optional(LogLevel::Debug));
        QVERIFY(!logLevelFromName("loud"));
    }

    void errorsStandAtTheirPlaceWithTheirReasons() {
        std::vector<std::string> told;
        Log log(LogLevel::Error, [&](std::string_view line) {
            const auto event = readLogLine(line.substr(0, line.size() - 1));
            told.push_back(event->place + ": " + event->text);
        });
        Error error = badInput("json.syntax", "a.json:3:1", "is no number");
        logError(log, error);
        error.because("one");
        error.reasons.push_back(badInput("json.value", "a.json:4:2", "two"));
        logError(log, error, "a.json was not opened.");
        error.where.clear();
        error.reasons.clear();
        logError(log, error);
        QCOMPARE(told, (std::vector<std::string>{
                           "a.json:3:1: is no number", "a.json:3:1: a.json was not opened. is no number",
                           "a.json:3:1: one", "a.json:4:2: two", "json.syntax: is no number"}));
    }

    void severalThreadsWriteWholeLines() {
        auto file = LogFile::open(path("threads.log"), {});
        QVERIFY(file);
        Log log(LogLevel::Info, [&](std::string_view line) { (*file)->write(line); });
        {
            std::vector<std::jthread> threads;
            for (int t = 0; t < 4; ++t)
                threads.emplace_back([&log, t] {
                    for (int i = 0; i < 200; ++i)
                        log.write(LogLevel::Info, std::to_string(t), std::to_string(i));
                });
        }
        const std::string text = *readFile(path("threads.log"));
        const std::vector<TextLine> lines = linesOf(text);
        QCOMPARE(lines.size(), std::size_t{800});
        for (const TextLine& line : lines)
            QVERIFY(readLogLine(line.text));
    }

    void aFullFileGivesWayAndTheOldestGoes() {
        constexpr LogFile::Limits limits{100, 2};
        {
            auto log = LogFile::open(path("a.log"), limits);
            QVERIFY(log);
            for (int i = 0; i < 100; ++i)
                (*log)->write("line " + std::to_string(1000 + i) + "\n"); // ten letters
            QVERIFY((*log)->status());
        }
        const std::vector<fs::path> files = logFiles(path("a.log"), limits.kept);
        QCOMPARE(files.size(), std::size_t{3});
        std::string expected;
        for (int i = 70; i < 100; ++i)
            expected += "line " + std::to_string(1000 + i) + "\n";
        QCOMPARE(textOf(files), expected);
        for (const fs::path& file : files)
            QVERIFY(fs::file_size(file) <= limits.bytes);
        auto again = LogFile::open(path("a.log"), limits); // goes on where it was
        (*again)->write("more\n");
        QVERIFY(fs::exists(path("a.log.2")) && !fs::exists(path("a.log.3")));
        QVERIFY(textOf(logFiles(path("a.log"), 2)).ends_with("line 1099\nmore\n"));
    }

    void withoutALimitItGrows() {
        auto log = LogFile::open(path("b.log"), {});
        for (int i = 0; i < 1000; ++i)
            (*log)->write("a line of some length\n");
        QCOMPARE(logFiles(path("b.log"), 3).size(), std::size_t{1});
        QCOMPARE(fs::file_size(path("b.log")), std::uintmax_t{22'000});
    }

    // As two programs do.
    void twoWritersLoseNothing() {
        constexpr LogFile::Limits limits{400, 9};
        auto one = LogFile::open(path("c.log"), limits), two = LogFile::open(path("c.log"), limits);
        QVERIFY(one && two);
        std::string expected;
        for (int i = 0; i < 300; ++i) {
            const std::string line = "line " + std::to_string(1000 + i) + "\n";
            expected += line;
            (i % 3 == 0 ? **one : **two).write(line);
        }
        QCOMPARE(textOf(logFiles(path("c.log"), limits.kept)), expected);
    }

    void aRemovedFileIsMadeAgain() {
        auto log = LogFile::open(path("d.log"), {});
        (*log)->write("one\n");
        fs::remove(path("d.log"));
        (*log)->write("two\n");
        QCOMPARE(*readFile(path("d.log")), std::string("two\n"));
    }

    void itIsTheOwnersAlone() {
        auto log = LogFile::open(path("e.log"), {});
        struct stat info {};
        QCOMPARE(::stat(path("e.log").c_str(), &info), 0);
        QCOMPARE(info.st_mode & 0777U, 0600U);
    }

    void whatCannotBeWrittenIsSaid() {
        QVERIFY(!LogFile::open(path("no/such/folder.log"), {}));
        const auto full = LogFile::open("/dev/full", {});
        QVERIFY(full);
        QVERIFY((*full)->status());
        (*full)->write("lost\n");
        QVERIFY(!(*full)->status());
        QVERIFY((*full)->status().error().where == "/dev/full");
    }
};

QTEST_APPLESS_MAIN(LogTest)
#include "log_test.moc"

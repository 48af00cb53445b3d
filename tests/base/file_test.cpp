// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"

#include "tests/base/failing_disk.h"

#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

using namespace pw;
namespace fs = std::filesystem;

class FileTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_dir;
    fs::path path(const char* name) const { return fs::path(m_dir.path().toStdString()) / name; }
    std::ptrdiff_t entries() const {
        return std::distance(fs::directory_iterator(path("")), fs::directory_iterator());
    }

private Q_SLOTS:
    void init() {
        for (const auto& entry : fs::directory_iterator(path("")))
            fs::remove_all(entry);
    }

    void writesAndReadsBack() {
        const std::string text("line\r\n\0\xFF end", 13);
        QVERIFY(writeFileAtomically(path("a.txt"), text));
        QCOMPARE(*readFile(path("a.txt")), text);
        QVERIFY(writeFileAtomically(path("a.txt"), ""));
        QCOMPARE(*readFile(path("a.txt")), std::string());
        QCOMPARE(entries(), std::ptrdiff_t{1}); // no temporary file is left
    }

    void writesPieceByPiece() {
        QVERIFY(streamFileAtomically(path("pieces"), [](const TextSink& sink) {
            for (const char* piece : {"one ", "", "two"})
                sink(piece);
        }));
        QCOMPARE(*readFile(path("pieces")), std::string("one two"));
        QVERIFY(!streamFileAtomically(path("no/such"), [](const TextSink& sink) { sink("lost"); }));
    }

    void keepsPermissionsAndLinks() {
        QVERIFY(writeFileAtomically(path("real"), "1"));
        QVERIFY(::chmod(path("real").c_str(), 0640) == 0);
        fs::create_symlink(path("real"), path("link"));
        QVERIFY(writeFileAtomically(path("link"), "2"));
        QVERIFY(fs::is_symlink(path("link")));
        QCOMPARE(*readFile(path("real")), std::string("2"));
        QCOMPARE(static_cast<unsigned>(fs::status(path("real")).permissions()), 0640U);
    }

    void writeProtectedFilesStay() {
        QVERIFY(writeFileAtomically(path("kept"), "1"));
        QVERIFY(::chmod(path("kept").c_str(), 0444) == 0);
        const Status refused = writeFileAtomically(path("kept"), "2");
        QVERIFY(!refused && refused.error().where == path("kept").string());
        QCOMPARE(*readFile(path("kept")), std::string("1"));
        QVERIFY(::chmod(path("kept").c_str(), 0644) == 0);
        QVERIFY(writeFileAtomically(path("kept"), "2"));
        QCOMPARE(*readFile(path("kept")), std::string("2"));
    }

    void badPathsAreNamed() {
        const Result<std::string> missing = readFile(path("none"));
        QVERIFY(!missing);
        QCOMPARE(static_cast<int>(missing.error().kind), 2);
        QCOMPARE(missing.error().where, path("none").string());
        QVERIFY(!readFile(path("")));    // a folder
        QVERIFY(!readFile("/dev/zero")); // not a regular file
        QVERIFY(::mkfifo(path("pipe").c_str(), 0600) == 0);
        QVERIFY(!readFile(path("pipe"))); // must not wait for a writer

        const Status nowhere = writeFileAtomically(path("no/such/file"), "x");
        QVERIFY(!nowhere);
        QCOMPARE(static_cast<int>(nowhere.error().kind), 1);
        QCOMPARE(nowhere.error().where, path("no/such/file").string());
    }

    void failedWriteLeavesNothing() {
        fs::create_directory(path("folder"));
        QVERIFY(!writeFileAtomically(path("folder"), "x")); // cannot replace a folder
        QCOMPARE(entries(), std::ptrdiff_t{1});
        QVERIFY(fs::is_directory(path("folder")));
    }

    void whateverFailsLeavesTheOldText_data() {
        QTest::addColumn<QString>("step");
        QTest::addColumn<int>("why");
        QTest::addColumn<QString>("said");
        const auto add = [](const char* step, std::errc why, const char* said) {
            QTest::newRow(step) << QString::fromLatin1(step) << static_cast<int>(why)
                                << QString::fromLatin1(said);
        };
        add("create", std::errc::no_space_on_device, "cannot be written: No space left on device");
        add("permit", std::errc::operation_not_permitted,
            "cannot keep its permissions: Operation not permitted");
        add("write", std::errc::no_space_on_device, "cannot be written: No space left on device");
        add("sync", std::errc::io_error, "cannot be written: Input/output error");
        add("close", std::errc::io_error, "cannot be written: Input/output error");
        add("rename", std::errc::read_only_file_system, "cannot be replaced: Read-only file system");
    }
    void whateverFailsLeavesTheOldText() {
        QFETCH(QString, step);
        QFETCH(int, why);
        QFETCH(QString, said);
        QVERIFY(writeFileAtomically(path("kept"), "old"));
        const test::FailingDisk disk(step.toStdString(), static_cast<std::errc>(why));
        const Status written = writeFileAtomically(path("kept"), "new and longer", disk);
        QVERIFY(!written);
        QCOMPARE(static_cast<int>(written.error().kind), 1);
        QCOMPARE(written.error().where, path("kept").string());
        QCOMPARE(written.error().message, said.toStdString());
        QVERIFY(written.error().reasons.empty());
        QCOMPARE(*readFile(path("kept")), std::string("old"));
        QCOMPARE(entries(), std::ptrdiff_t{1}); // no temporary file is left

        if (step == QLatin1String("permit"))
            return; // a new file has none to keep
        QVERIFY(!writeFileAtomically(path("fresh"), "new", disk));
        QCOMPARE(entries(), std::ptrdiff_t{1}); // nor half a file where there was none
    }

    void aFolderThatCannotBeSyncedIsTold() {
        QVERIFY(writeFileAtomically(path("kept"), "old"));
        const test::FailingDisk disk("syncFolder", std::errc::io_error);
        const Status written = writeFileAtomically(path("kept"), "new", disk);
        QVERIFY(!written);
        QCOMPARE(written.error().message,
                 std::string("its folder cannot be synchronised: Input/output error"));
        QCOMPARE(*readFile(path("kept")), std::string("new")); // whole: one text or the other
        QCOMPARE(entries(), std::ptrdiff_t{1});
    }

    // What makes it outlive a crash: the text is on the disk before it takes the old one's place, and the
    // name behind it.
    void stepsAreInThisOrder() {
        QVERIFY(writeFileAtomically(path("kept"), "old"));
        const test::FailingDisk disk("", {});
        QVERIFY(streamFileAtomically(
            path("kept"),
            [](const TextSink& sink) {
                sink("one ");
                sink("two");
            },
            disk));
        QVERIFY((disk.steps() == std::vector<std::string>{"create", "permit", "write", "write", "sync",
                                                          "close", "rename", "syncFolder"}));
        QCOMPARE(*readFile(path("kept")), std::string("one two"));
    }

    // What a killed writer of the same file has left goes with the next write; what somebody may still be
    // writing, here or on another machine, stays.
    void abandonedFilesGo() {
        const auto make = [&](const std::string& name, std::chrono::minutes age) {
            QVERIFY(writeFileAtomically(path(name.c_str()), "half"));
            std::filesystem::last_write_time(path(name.c_str()),
                                             std::filesystem::file_time_type::clock::now() - age);
        };
        const std::string nobody = "2147483646", self = std::to_string(::getpid());
        const std::chrono::minutes old = 2 * kAbandonedAfter;
        make(".kept." + nobody + ".0.tmp", old);
        make(".kept." + nobody + ".1.tmp", std::chrono::minutes(0));
        make(".kept." + self + ".999.tmp", old);
        make(".other." + nobody + ".0.tmp", old);
        make(".kept.mine.0.tmp", old);
        QVERIFY(writeFileAtomically(path("kept"), "new"));
        QVERIFY(!std::filesystem::exists(path((".kept." + nobody + ".0.tmp").c_str())));
        QCOMPARE(entries(), std::ptrdiff_t{5});
        const std::vector<std::filesystem::path> ofAnybody = systemDisk().abandoned(path(""), {});
        QCOMPARE(ofAnybody.size(), std::size_t{1});
        QCOMPARE(ofAnybody.front().filename().string(), ".other." + nobody + ".0.tmp");
    }

    void aFailingDiskIsNoBadInput() {
        QVERIFY(writeFileAtomically(path("a"), "text"));
        for (const char* step : {"facts", "read"}) {
            const test::FailingDisk disk(step, std::errc::io_error);
            const Result<std::string> text = readFile(path("a"), kWholeFileLimit, disk);
            QVERIFY2(!text, step);
            QCOMPARE(static_cast<int>(text.error().kind), 1);
            QCOMPARE(text.error().where, path("a").string());
        }
        const test::FailingDisk disk("open", std::errc::permission_denied);
        QCOMPARE(static_cast<int>(readFile(path("a"), kWholeFileLimit, disk).error().kind), 2);
    }

    void linesOneByOne() {
        const auto linesFrom = [&](std::uint64_t offset, bool& torn) {
            std::error_code code;
            std::optional<LineReader> reader = LineReader::open(path("lines"), offset, code);
            QStringList lines;
            torn = false;
            for (std::string line; reader && reader->next(line);) {
                torn = reader->torn();
                lines << QString::number(line.size()) + QLatin1Char(' ') +
                             QString::fromStdString(line.substr(0, 3));
            }
            return lines;
        };
        bool torn = false;
        // Longer than what is read at a time, and at its border.
        const std::string longest(200'000, 'x'), border(65'535, 'y');
        QVERIFY(writeFileAtomically(path("lines"), border + "\n\na\r\n" + longest + "\nend"));
        QCOMPARE(linesFrom(0, torn),
                 QStringList({QStringLiteral("65535 yyy"), QStringLiteral("0 "), QStringLiteral("2 a\r"),
                              QStringLiteral("200000 xxx"), QStringLiteral("3 end")}));
        QVERIFY(torn);
        QCOMPARE(linesFrom(65'536, torn).size(), 4);
        QCOMPARE(linesFrom(1'000'000, torn), QStringList()); // behind the end
        QVERIFY(writeFileAtomically(path("lines"), "a\nb\n"));
        QCOMPARE(linesFrom(2, torn), QStringList(QStringLiteral("1 b")));
        QVERIFY(!torn);
        QVERIFY(writeFileAtomically(path("lines"), ""));
        QCOMPARE(linesFrom(0, torn), QStringList());

        std::error_code code;
        QVERIFY(!LineReader::open(path("none"), 0, code));
        QVERIFY(code == std::errc::no_such_file_or_directory);
        const test::FailingDisk disk("read", std::errc::io_error);
        std::optional<LineReader> broken = LineReader::open(path("lines"), 0, code, disk);
        std::string line;
        QVERIFY(broken && !broken->next(line) && !broken->next(line));
        QVERIFY(broken->code() == std::errc::io_error && !broken->torn());
    }

    void theEndOfAFile() {
        std::string text = "old";
        QVERIFY(readEnd(path("none"), 4, text) == std::errc::no_such_file_or_directory);
        QCOMPARE(text, std::string());
        QVERIFY(writeFileAtomically(path("a"), "0123456789"));
        QVERIFY(!readEnd(path("a"), 4, text));
        QCOMPARE(text, std::string("6789"));
        QVERIFY(!readEnd(path("a"), 100, text));
        QCOMPARE(text, std::string("0123456789"));
    }

    void foldersAreMadeAndRemoved() {
        QVERIFY(!makeFolders(path("a/b/c/")));
        QVERIFY(!makeFolders(path("a/b/c")) && !makeFolders(""));
        QVERIFY(fs::is_directory(path("a/b/c")));
        QVERIFY(!systemDisk().makeFolder(path("a")));
        QVERIFY(systemDisk().makeFolder(path("x/y")) == std::errc::no_such_file_or_directory);
        QVERIFY(writeFileAtomically(path("a/file"), "x"));
        QVERIFY(makeFolders(path("a/file/under")));
        QVERIFY(systemDisk().makeFolder(path("a/file")));
        std::vector<fs::path> found = {path("old")};
        QVERIFY(!systemDisk().list(path("a"), found));
        QVERIFY((found == std::vector<fs::path>{path("a/b"), path("a/file")}));
        QVERIFY(systemDisk().list(path("none"), found) && found.empty());
        fs::create_directory_symlink(path("a"), path("link"));
        QVERIFY(!systemDisk().removeAll(path("link")) && isThere(path("a/file")) && !isThere(path("link")));
        QVERIFY(!systemDisk().removeAll(path("a")) && !isThere(path("a")) &&
                !systemDisk().removeAll(path("a")));
    }

    // Two of the same stem do not meet, and one that is held is nobody else's.
    void foldersOfOnesOwn() {
        std::error_code code;
        const fs::path one = systemDisk().makeOwnFolder(path("own."), code);
        const fs::path two = systemDisk().makeOwnFolder(path("own."), code);
        QVERIFY(!code && one != two && fs::is_directory(one) && fs::is_directory(two));
        QVERIFY(systemDisk().makeOwnFolder(path("no/such"), code).empty() && code);
        std::unique_ptr<HeldFolder> held = systemDisk().hold(one, code);
        QVERIFY(held && !code);
        QVERIFY(!systemDisk().hold(one, code) && code == std::errc::operation_would_block);
        QVERIFY(systemDisk().hold(two, code));
        held.reset();
        QVERIFY(systemDisk().hold(one, code) && !code);
        QVERIFY(!systemDisk().hold(path("none"), code) && code == std::errc::no_such_file_or_directory);
    }

    void linesOfTwoWritersFollowEachOther() {
        std::error_code code;
        const auto one = systemDisk().append(path("log"), code), two = systemDisk().append(path("log"), code);
        QVERIFY(one && two && !one->write("a\n") && !two->write("b\n") && !one->write("c\n"));
        QVERIFY(!one->close() && !two->close());
        QCOMPARE(*readFile(path("log")), std::string("a\nb\nc\n"));
    }

    void limitHolds() {
        QVERIFY(writeFileAtomically(path("b"), "0123456789"));
        QVERIFY(readFile(path("b"), 10));
        const Result<std::string> large = readFile(path("b"), 9);
        QVERIFY(!large);
        QCOMPARE(static_cast<int>(large.error().kind), 2);
        QVERIFY(readFile("/proc/self/status")); // says 0 bytes and has more
    }
};

QTEST_APPLESS_MAIN(FileTest)
#include "file_test.moc"

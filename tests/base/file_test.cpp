// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"

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

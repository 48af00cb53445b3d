// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/pipes.h"

#include "core/base/file.h"

#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <thread>

using namespace pw;

// Named and other pipes as files. The order of the tests counts: pipes are refused until they are taken.
class PipesTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;

    std::filesystem::path fifo(const char* name) const {
        const std::filesystem::path path = m_dir.filePath(QLatin1String(name)).toStdString();
        ::mkfifo(path.c_str(), 0600);
        return path;
    }
    static void fill(const std::filesystem::path& path, const std::string& text) {
        const int fd = ::open(path.c_str(), O_WRONLY);
        for (std::size_t at = 0; at < text.size();) {
            const ssize_t n = ::write(fd, text.data() + at, text.size() - at);
            if (n <= 0)
                break;
            at += static_cast<std::size_t>(n);
        }
        ::close(fd);
    }

private Q_SLOTS:
    void aWindowWaitsForNobody() {
        const Result<std::string> text = readFile(fifo("untaken"));
        QVERIFY(!text);
        QCOMPARE(text.error().code, std::string("file.kind"));
        QVERIFY(!isWrittenThrough("/dev/null"));
        takePipes();
    }

    // However late the writer comes; what came through is there again for who opens it once more.
    void aPipeIsReadToItsEndAndAgain() {
        const auto path = fifo("read");
        const std::string text(3'000'000, 'x'); // more than a pipe holds
        std::jthread writer([&] { fill(path, text); });
        const Result<std::string> first = readFile(path);
        QVERIFY2(first, first ? "" : first.error().text().c_str());
        QVERIFY(*first == text);
        const Result<std::string> again = readFile(path);
        QVERIFY(again && *again == text);
        const Result<std::string> large = readFile(path, 1000);
        QVERIFY(!large);
        QCOMPARE(large.error().code, std::string("file.size"));
    }

    void aPipeOfNothingIsEmpty() {
        const auto path = fifo("empty");
        std::jthread writer([&] { fill(path, {}); });
        const Result<std::string> text = readFile(path);
        QVERIFY(text && text->empty());
    }

    void aPipeIsWrittenAndNotReplaced() {
        const auto path = fifo("write");
        std::string got;
        std::jthread reader([&] {
            std::array<char, 4096> piece{};
            const int fd = ::open(path.c_str(), O_RDONLY);
            for (ssize_t n = 0; (n = ::read(fd, piece.data(), piece.size())) > 0;)
                got.append(piece.data(), static_cast<std::size_t>(n));
            ::close(fd);
        });
        const Status written = writeFileAtomically(path, "whole text\n");
        QVERIFY2(written, written ? "" : written.error().text().c_str());
        reader.join();
        QCOMPARE(got, std::string("whole text\n"));
        struct stat info {};
        QCOMPARE(::stat(path.c_str(), &info), 0);
        QVERIFY(S_ISFIFO(info.st_mode));
        QVERIFY(writeFileAtomically("/dev/null", "text"));
        const Status full = writeFileAtomically("/dev/full", "text");
        QVERIFY(!full);
        QCOMPARE(full.error().code, std::string("file.io"));
        QVERIFY(!readFile("/dev/zero")); // has no end
    }
};

QTEST_APPLESS_MAIN(PipesTest)
#include "pipes_test.moc"

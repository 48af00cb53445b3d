// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/source.h"
#include "tests/base/failing_disk.h"

#include <QtTest>
#include <zlib.h>

#include <fstream>

using namespace pw;

namespace {

std::string packed(const std::string& text) {
    z_stream deflater{};
    deflateInit2(&deflater, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    std::string out(text.size() + 1024, '\0');
    deflater.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    deflater.avail_in = static_cast<uInt>(text.size());
    deflater.next_out = reinterpret_cast<Bytef*>(out.data());
    deflater.avail_out = static_cast<uInt>(out.size());
    deflate(&deflater, Z_FINISH);
    out.resize(deflater.total_out);
    deflateEnd(&deflater);
    return out;
}

} // namespace

class SourceTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    std::filesystem::path file(const std::string& bytes) const {
        const std::filesystem::path path = std::filesystem::path(m_folder.path().toStdString()) / "in";
        std::ofstream(path, std::ios::binary) << bytes;
        return path;
    }

private Q_SLOTS:
    void inflatesOneMemberAndTwo() {
        std::string text;
        for (int i = 0; i < 100'000; ++i)
            text += "line " + std::to_string(i * 7919 % 100'003) + "\n";
        QCOMPARE(*readText(file(text)), text);
        QCOMPARE(*readText(file(packed(text))), text);
        QCOMPARE(*readText(file(packed("first\n") + packed("second\n"))), std::string("first\nsecond\n"));
        QCOMPARE(readHead(file(packed(text)))->size(), std::size_t{64 * 1024});
    }

    void countsOffsetsAndLines() {
        Result<ByteStream> stream = ByteStream::open(file(packed("one\ntwo\n")));
        QVERIFY(stream);
        std::array<char, 5> piece{};
        QCOMPARE(*stream->read(piece), std::size_t{5});
        QCOMPARE(stream->offset(), std::uint64_t{5});
        QCOMPARE(stream->line(), std::uint64_t{2});
        QCOMPARE(*stream->read(piece), std::size_t{3});
        QCOMPARE(*stream->read(piece), std::size_t{0});
        QCOMPARE(stream->line(), std::uint64_t{3});
        QCOMPARE(stream->fileRead(), stream->fileSize());
    }

    void refusesWhatEndsEarlyOrIsDamaged() {
        std::string text;
        for (int i = 0; i < 1000; ++i)
            text += std::to_string(i * 7919) + "\n";
        const std::string whole = packed(text);
        for (std::size_t cut : {std::size_t{2}, std::size_t{12}, whole.size() / 2, whole.size() - 1}) {
            const Result<std::string> got = readText(file(whole.substr(0, cut)));
            QVERIFY(!got);
            QCOMPARE(got.error().code, std::string("gzip.syntax"));
            QVERIFY(got.error().message.find("unexpected end of compressed data at uncompressed offset") ==
                    0);
        }
        std::string damaged = whole;
        damaged[damaged.size() - 3] = static_cast<char>(damaged[damaged.size() - 3] ^ 0x55); // the checksum
        QVERIFY(readText(file(damaged)).error().message.find("damaged") == 0);
        QVERIFY(readText(file(whole + "rubbish")).error().message.find("damaged") == 0);
    }

    void refusesBombs() {
        const Result<std::string> got = readText(file(packed(std::string(std::size_t{40} << 20, 'a'))));
        QVERIFY(!got);
        QCOMPARE(got.error().code, std::string("gzip.ratio"));
    }

    void saysWhatTheDiskFails() {
        const std::filesystem::path path = file("text");
        const test::FailingDisk shut("open", std::errc::permission_denied);
        QCOMPARE(readText(path, shut).error().code, std::string("file.open"));
        QCOMPARE(readHead(path, shut).error().code, std::string("file.open"));
        const test::FailingDisk broken("read", std::errc::io_error);
        const Result<std::string> got = readText(path, broken);
        QVERIFY(!got);
        QCOMPARE(got.error().code, std::string("file.io"));
        QCOMPARE(got.error().kind, ErrorKind::Failure);
        QCOMPARE(got.error().where, path.string());
    }

    void refusesFoldersAndWhatIsNotThere() {
        QCOMPARE(readText(m_folder.path().toStdString()).error().code, std::string("file.kind"));
        QCOMPARE(readText("/nowhere/at/all").error().code, std::string("file.open"));
    }
};

QTEST_APPLESS_MAIN(SourceTest)
#include "source_test.moc"

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"

#include "core/base/hash.h"

#include <QTest>

using namespace pw;

class UnitsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void reads() {
        QCOMPARE(*parseBytes("40 GiB"), 40.0 * 1073741824.0);
        QCOMPARE(*parseBytes("40GB"), 40e9);
        QCOMPARE(*parseBytes(" 1.5 MiB "), 1.5 * 1048576.0);
        QCOMPARE(*parseBytes("1024"), 1024.0);
        QCOMPARE(*parseBytes("0"), 0.0);
        QCOMPARE(*parseBandwidth("100 Gbit/s"), 12.5e9);
        QCOMPARE(*parseBandwidth("1.6 Tbit/s"), 200e9);
        QCOMPARE(*parseBandwidth("12.5 GB/s"), 12.5e9);
        QCOMPARE(*parseBandwidth("400Gbps"), 50e9);
        QCOMPARE(*parseBandwidth("1e9"), 1e9);
        QCOMPARE(*parseDuration("20 us"), 20e-6);
        QCOMPARE(*parseDuration("20 \u00b5s"), 20e-6);
        QCOMPARE(*parseDuration("2 ms"), 2e-3);
        QCOMPARE(*parseDuration("0"), 0.0);
        QCOMPARE(*parseDuration("1.5 min"), 90.0);
    }

    void refuses() {
        for (const char* text : {"", " ", "GiB", "nan", "inf GiB", "-1 GiB", "+1", "1,5 GiB", "1 GiB x",
                                 "1 gib", "0x10", "1e400", "1e300 PiB", "1 GB/s", "12 apples"})
            QVERIFY2(!parseBytes(text), text);
        for (const char* text : {"0", "0 GB/s", "100 Gbit", "100 GB", "100 us", "nan", "-3 GB/s"})
            QVERIFY2(!parseBandwidth(text), text);
        for (const char* text : {"-1 us", "1 GB", "1 m", "infinity"})
            QVERIFY2(!parseDuration(text), text);
        const Error error = parseBandwidth("fast").error();
        QCOMPARE(static_cast<int>(error.kind), 2);
        QVERIFY(error.message.find("\"fast\"") != std::string::npos);
        QVERIFY(error.message.find("expected") != std::string::npos);
    }

    void prints() {
        QCOMPARE(formatGibibytes(gibibytes(39.58)), std::string("39.6 GiB"));
        QCOMPARE(formatBitRate(BytesPerSecond(12.5e9)), std::string("100 Gbit/s"));
        QCOMPARE(formatBitRate(BytesPerSecond(200e9)), std::string("1.6 Tbit/s"));
        QCOMPARE(formatByteRate(BytesPerSecond(12.5e9)), std::string("12.5 GB/s"));
        QCOMPARE(formatByteRate(BytesPerSecond(0)), std::string("0 B/s"));
        QCOMPARE(formatDuration(Seconds(15.818)), std::string("15.82 s"));
        QCOMPARE(formatDuration(Seconds(0.0076)), std::string("7.6 ms"));
        QCOMPARE(formatDuration(Seconds(20e-6)), std::string("20 us"));
        QCOMPARE(formatDuration(Seconds(0)), std::string("0 s"));
        QCOMPARE(formatDuration(Seconds(0.99996)), std::string("1.00 s"));
        QCOMPARE(formatDuration(Seconds(-0.002)), std::string("-2.0 ms"));
    }

    // The unit is said once where both ends have it.
    void printsSpans() {
        QCOMPARE(formatSpan(Seconds(14.9), Seconds(17.8)), std::string("14.90 to 17.80 s"));
        QCOMPARE(formatSpan(Seconds(0.98), Seconds(1.2)), std::string("980.0 ms to 1.20 s"));
        QCOMPARE(formatSpan(Seconds(0.99996), Seconds(1.2)), std::string("1.00 to 1.20 s"));
        QCOMPARE(formatSpan(Seconds(0.0076), Seconds(0.02)), std::string("7.6 to 20.0 ms"));
        QCOMPARE(formatSpan(Seconds(20e-6), Seconds(0.002)), std::string("20 us to 2.0 ms"));
        QCOMPARE(formatSpan(Seconds(0), Seconds(2)), std::string("0 to 2.00 s"));
    }

    // Problem hashes are stored in files: the function may never change. Published XXH3 value of the empty
    // text.
    void hashIsFixed() {
        QCOMPARE(hashText(""), std::string("99aa06d3014798d86001c324468d497f"));
        QCOMPARE(hashText("a").size(), std::size_t{32});
        QVERIFY(hashText("a") != hashText("b"));
    }
};

QTEST_APPLESS_MAIN(UnitsTest)
#include "units_test.moc"

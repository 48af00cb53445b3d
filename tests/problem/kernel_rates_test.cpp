// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Published rates of kernels: what a table may hold, where a question lands in it, and that the one that
// ships is sound.

#include "core/cluster/cluster.h"
#include "core/problem/kernel_rates.h"

#include <QtTest>

using namespace pw;

namespace {

constexpr const char* kTable = R"({"schema":"pipewright-kernels-1",
  "products":[{"name":"lib","rates":[
    {"kinds":["X-80GB"],"format":"bf16","tflops":800,"source":"s"},
    {"kinds":["X-80GB"],"format":"fp8","tflops":1400,"source":"s"}]}],
  "attention":[{"name":"fast","rates":[
    {"kinds":["X-80GB"],"head":128,"pass":"forward","sequence":[1024,4096],"tflops":[400,600],"source":"s"},
    {"kinds":["X-80GB"],"head":64,"pass":"forward","sequence":[1024],"tflops":[300],"source":"s"}]}]})";

std::string whereOfRate(QByteArray text) {
    const auto rates = KernelRates::read(text.toStdString(), "k.json");
    return rates ? std::string("read") : rates.error().where;
}

} // namespace

class KernelRatesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void productsAreFoundByLibraryKindAndFormat() {
        const auto rates = KernelRates::read(kTable, "k.json");
        QVERIFY2(rates, rates ? "" : rates.error().text().c_str());
        QCOMPARE(rates->products("lib", "X-80GB", "bf16"), std::optional(800e12));
        QCOMPARE(rates->products("lib", "X-80GB", "fp8"), std::optional(1400e12));
        QVERIFY(!rates->products("lib", "X-80GB", "nvfp4"));
        QVERIFY(!rates->products("other", "X-80GB", "bf16"));
        QVERIFY(!rates->products("", "X-80GB", "bf16"));
        QCOMPARE(rates->products("lib", "X-80GB-96GB", "bf16"), std::optional(800e12)); // other memory
        QVERIFY(!rates->products("lib", "X-80GB-500W", "bf16"));                        // other power
        QVERIFY(!rates->products("lib", "X-80", "bf16"));
    }

    // Between two lengths by the logarithm, beyond them the nearest.
    void attentionLiesBetweenLengths() {
        const auto rates = KernelRates::read(kTable, "k.json");
        QVERIFY(rates);
        const auto at = [&](double head, double sequence) {
            return rates->attention("fast", "X-80GB", head, KernelRates::Pass::Forward, sequence)
                .value_or(0.0);
        };
        QCOMPARE(at(128, 1024), 400e12);
        QCOMPARE(at(128, 2048), 500e12);
        QCOMPARE(at(128, 16), 400e12);
        QCOMPARE(at(128, 1e6), 600e12);
        QCOMPARE(at(80, 4096), 300e12); // nearer to 64
        QCOMPARE(at(192, 4096), 600e12);
        QVERIFY(!rates->attention("fast", "X-80GB", 128, KernelRates::Pass::Backward, 1024));
        QVERIFY(!rates->attention("slow", "X-80GB", 128, KernelRates::Pass::Forward, 1024));
    }

    void mistakesHaveTheirPlace() {
        const QByteArray table = kTable;
        QCOMPARE(whereOfRate(table), std::string("read"));
        const auto with = [&](const char* from, const char* to) {
            QByteArray other = table;
            const auto at = other.indexOf(from);
            return at < 0 ? QByteArray("lost") : other.replace(at, qstrlen(from), to);
        };
        QCOMPARE(whereOfRate(with("kernels-1", "kernels-2")), std::string("k.json#/schema"));
        QCOMPARE(whereOfRate(with("\"bf16\"", "\"int4\"")), std::string("k.json#/products/0/rates/0/format"));
        QCOMPARE(whereOfRate(with("\"fp8\"", "\"bf16\"")), std::string("k.json#/products/0/rates/1"));
        QCOMPARE(whereOfRate(with("800", "-1")), std::string("k.json#/products/0/rates/0/tflops"));
        QCOMPARE(whereOfRate(with("forward", "both")), std::string("k.json#/attention/0/rates/0/pass"));
        QCOMPARE(whereOfRate(with("[1024,4096]", "[4096,1024]")),
                 std::string("k.json#/attention/0/rates/0/sequence"));
        QCOMPARE(whereOfRate(with("[400,600]", "[400]")),
                 std::string("k.json#/attention/0/rates/0/sequence"));
        QCOMPARE(whereOfRate(with(",\"source\":\"s\"", "")),
                 std::string("k.json#/products/0/rates/0/source"));
    }

    // No kernel is faster than the silicon, longer sequences are no slower than 512 tokens, and a backward
    // pass is no faster than the forward one.
    void theTableThatShipsIsSound() {
        const KernelRates& rates = KernelRates::builtin();
        int products = 0, attentions = 0;
        for (const DeviceKind& kind : Catalogue::builtin().kinds()) {
            for (const std::string& library : rates.productLibraries())
                for (const auto& [format, peak] :
                     {std::pair("bf16", kind.bf16.value), std::pair("fp8", kind.fp8.value),
                      std::pair("mxfp8", kind.fp8.value)})
                    if (const auto rate = rates.products(library, kind.name, format)) {
                        QVERIFY2(*rate<peak&& * rate> 0.5 * peak, kind.name.c_str());
                        ++products;
                    }
            for (const std::string& library : rates.attentionLibraries())
                for (const double head : {64.0, 128.0}) {
                    const auto at = [&](KernelRates::Pass pass, double sequence) {
                        return rates.attention(library, kind.name, head, pass, sequence);
                    };
                    const auto forward = at(KernelRates::Pass::Forward, 8192.0);
                    if (!forward)
                        continue;
                    QVERIFY2(*forward < kind.bf16.value, kind.name.c_str());
                    QVERIFY2(*at(KernelRates::Pass::Forward, 512.0) < *forward, kind.name.c_str());
                    QVERIFY2(*at(KernelRates::Pass::Backward, 8192.0) < *forward, kind.name.c_str());
                    ++attentions;
                }
        }
        QVERIFY(products >= 10 && attentions >= 10);
    }
};

QTEST_APPLESS_MAIN(KernelRatesTest)
#include "kernel_rates_test.moc"

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/links/link_fit.h"

#include <QtTest>

#include <cmath>

using namespace pw;

class LinkFitTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fitsLinks() {
        std::vector<LinkSample> samples;
        for (int power = 0; power < 14; ++power) {
            const double bytes = 8.0 * std::pow(4.0, power);
            samples.push_back({Bytes(bytes), Seconds(20e-6 + bytes / 100e9)});
        }
        const auto fit = fitLink(samples, 1.5);
        QVERIFY(fit && std::abs(fit->latency.value - 20e-6) < 1e-12);
        QVERIFY(std::abs(fit->algorithm.value / 100e9 - 1) < 1e-9 &&
                std::abs(fit->bus.value / 150e9 - 1) < 1e-9);
        QVERIFY(!fitLink(std::vector<LinkSample>(3, {Bytes(8), Seconds(1)}), 1.0));
        QVERIFY(!fitLink(std::vector<LinkSample>{{Bytes(8), Seconds(2)}, {Bytes(800), Seconds(1)}}, 1.0));
        QCOMPARE(*busFactor("all_reduce", 4), 1.5);
        QCOMPARE(*busFactor("all_gather", 4), 0.75);
        QCOMPARE(*busFactor("broadcast", 4), 1.0);
        QVERIFY(!busFactor("gossip", 4));
    }
};

QTEST_APPLESS_MAIN(LinkFitTest)
#include "link_fit_test.moc"

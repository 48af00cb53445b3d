// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/topology.h"
#include "core/comm/comm.h"
#include "core/links/link_apply.h"

#include <QtTest>

#include <cmath>

using namespace pw;

namespace {

Cluster twoNodes() {
    Cluster cluster;
    cluster.name = "two";
    for (const char* id : {"a", "b"}) {
        Node node;
        node.id = id;
        node.kind = "A100-SXM4-80GB";
        node.gpus = 8;
        cluster.nodes.push_back(node);
    }
    cluster.switches = {{"s", "InfiniBand", {}}};
    for (const char* node : {"a", "b"}) {
        Link link;
        link.id = std::string(node) + "-s";
        link.a = node;
        link.b = "s";
        link.bandwidth = BytesPerSecond(25e9);
        link.lanes = 8;
        cluster.links.push_back(link);
    }
    return cluster;
}

LinkMeasurement measured(const char* collective, int ranks, int hosts, double alpha, double algorithm) {
    LinkMeasurement m;
    m.collective = collective;
    m.ranks = ranks;
    m.source = "lab";
    for (int r = 0; r < ranks; ++r)
        m.devices.push_back({r, r * hosts / ranks == 0 ? "x" : "y", "NVIDIA A100-SXM4-80GB", "", r});
    for (int power = 3; power <= 30; power += 3) {
        const double bytes = std::ldexp(1.0, power);
        m.outOfPlace.push_back({Bytes(bytes), Seconds(alpha + bytes / algorithm)});
    }
    m.outOfPlaceFit = LinkFit{Seconds(alpha), BytesPerSecond(algorithm), BytesPerSecond(algorithm), 0.0};
    return m;
}

double predicted(const Cluster& cluster, const std::vector<DeviceIndex>& group, Collective c, double bytes) {
    return collectiveTime(*Topology::make(cluster), ConstantSet::builtin().comm(), {group}, c, Bytes(bytes))
        .value;
}

} // namespace

class LinkApplyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Inside a node: the model then predicts what was measured, at both ends of the sizes.
    void nodesPredictTheMeasurement() {
        const LinkMeasurement m = measured("all_reduce", 4, 1, 24e-6, 133e9);
        Diagnostics notes;
        const Result<Cluster> changed = applyMeasurement(twoNodes(), m, {"a"}, notes);
        QVERIFY2(changed, changed ? "" : changed.error().text().c_str());
        const double large = m.outOfPlace.back().size.value;
        const double wanted = 24e-6 + large / 133e9;
        const double got = predicted(*changed, {0, 1, 2, 3}, Collective::AllReduce, large);
        QVERIFY2(std::abs(got / wanted - 1) < 0.02, qPrintable(QString::number(got / wanted)));
        QVERIFY(changed->nodes[0].intraBandwidth.value > 100e9);
        QCOMPARE(changed->nodes[1], twoNodes().nodes[1]); // only what was chosen
        QCOMPARE(changed->links, twoNodes().links);
    }

    void linksPredictTheMeasurement() {
        const LinkMeasurement m = measured("all_reduce", 16, 2, 60e-6, 60e9);
        QCOMPARE(hostCount(m), 2);
        const std::vector<std::string> links = linkTargets(twoNodes(), m);
        QCOMPARE(links, (std::vector<std::string>{"a-s", "b-s"}));
        Diagnostics notes;
        const Result<Cluster> changed = applyMeasurement(twoNodes(), m, links, notes);
        QVERIFY2(changed, changed ? "" : changed.error().text().c_str());
        std::vector<DeviceIndex> all;
        for (int d = 0; d < 16; ++d)
            all.push_back(d);
        const double large = m.outOfPlace.back().size.value, wanted = 60e-6 + large / 60e9;
        QVERIFY(std::abs(predicted(*changed, all, Collective::AllReduce, large) / wanted - 1) < 0.02);
        QCOMPARE(changed->links[0].bandwidth, changed->links[1].bandwidth);
        QVERIFY(changed->links[0].bandwidth != BytesPerSecond(25e9));
        QCOMPARE(changed->nodes, twoNodes().nodes);
    }

    // A slower measurement gives a slower link.
    void sendrecvIsMonotonous() {
        Diagnostics notes;
        const auto lane = [&](double rate) {
            const Result<Cluster> changed =
                applyMeasurement(twoNodes(), measured("sendrecv", 2, 2, 20e-6, rate), {"a-s", "b-s"}, notes);
            return changed ? changed->links[0].bandwidth.value : 0.0;
        };
        const double slow = lane(5e9), fast = lane(15e9);
        QVERIFY2(slow > 4e9 && slow < 8e9, qPrintable(QString::number(slow)));
        QVERIFY(fast > 2.5 * slow && fast < 3.5 * slow);
    }

    void refusesWhatItCannotMeet_data() {
        QTest::addColumn<QString>("collective");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<QStringList>("items");
        QTest::addColumn<QString>("code");
        QTest::newRow("unknown item") << "all_reduce" << 4 << QStringList{"zz"} << "links.item";
        QTest::newRow("no item") << "all_reduce" << 4 << QStringList{} << "links.items";
        QTest::newRow("both sorts") << "all_reduce" << 4 << QStringList{"a", "a-s"} << "links.items";
        QTest::newRow("more ranks than GPUs") << "all_reduce" << 9 << QStringList{"a"} << "links.ranks";
        QTest::newRow("one node alone") << "all_reduce" << 8 << QStringList{"a-s"} << "links.ranks";
        QTest::newRow("a collective of no model")
            << "hypercube" << 4 << QStringList{"a"} << "links.collective";
    }
    void refusesWhatItCannotMeet() {
        QFETCH(QString, collective);
        QFETCH(int, ranks);
        QFETCH(QStringList, items);
        QFETCH(QString, code);
        std::vector<std::string> ids;
        for (const QString& id : items)
            ids.push_back(id.toStdString());
        Diagnostics notes;
        const Result<Cluster> changed = applyMeasurement(
            twoNodes(), measured(collective.toUtf8().constData(), ranks, 1, 1e-5, 1e10), ids, notes);
        QVERIFY(!changed);
        QCOMPARE(QString::fromStdString(changed.error().code), code);
        QCOMPARE(changed.error().kind, ErrorKind::BadInput);
    }

    // Faster than anything drawn there can be: told, not bent.
    void aRateOutOfReachIsRefused() {
        Diagnostics notes;
        const Result<Cluster> changed =
            applyMeasurement(twoNodes(), measured("sendrecv", 2, 2, 1e-6, 1e14), {"a-s", "b-s"}, notes);
        QVERIFY(!changed);
        QCOMPARE(QString::fromStdString(changed.error().code), QStringLiteral("links.rate"));
    }

    void theLatestSourceCountsAndNothingIsAveraged() {
        const auto timed = [](const char* source, const char* date, const char* collective = "all_reduce",
                              int ranks = 2) {
            LinkMeasurement m = measured(collective, ranks, 1, 1e-5, 1e10);
            m.source = source;
            m.date = date;
            return m;
        };
        const std::vector<LinkMeasurement> counting =
            preferredLinks({timed("new", "2026-02-01"), timed("old", "2025-01-01"), timed("undated", ""),
                            timed("other", "2020-01-01", "all_gather"),
                            timed("old", "2025-01-01", "all_reduce", 4), timed("newer name", "2026-02-01")});
        QCOMPARE(counting.size(), std::size_t{3});
        QCOMPARE(counting[0].collective, std::string("all_gather"));
        QCOMPARE(counting[1].source, std::string("newer name")); // of one date the last name
        QCOMPARE(counting[2].ranks, 4);
    }
};

QTEST_APPLESS_MAIN(LinkApplyTest)
#include "link_apply_test.moc"

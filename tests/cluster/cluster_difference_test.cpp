// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/cluster_difference.h"

#include <QtTest>

#include <functional>

using namespace pw;

using Change = std::function<void(Cluster&)>;

namespace {

Cluster drawing() {
    Cluster cluster;
    for (const char* id : {"n1", "n2", "n3"}) {
        Node node;
        node.id = id;
        node.kind = "A100-80";
        node.gpus = 8;
        cluster.nodes.push_back(node);
        Link link;
        link.id = std::string(id) + "-s1";
        link.a = id;
        link.b = "s1";
        link.bandwidth = BytesPerSecond(12.5e9);
        cluster.links.push_back(link);
    }
    cluster.switches.push_back({"s1", "InfiniBand", {}});
    return cluster;
}

std::string words(const Cluster& a, const Cluster& b) {
    std::string all;
    for (const Wording& difference : clusterDifferences(a, b))
        all += (all.empty() ? "" : "; ") + difference.message;
    return all;
}

} // namespace

class ClusterDifferenceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatDiffersIsSaid_data() {
        QTest::addColumn<Change>("change");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* says, Change change) {
            QTest::newRow(says) << change << QString::fromLatin1(says);
        };
        row("", [](Cluster& c) { c.nodes[0].at.x += 32; });
        row("", [](Cluster& c) { c.name = "other"; });
        row("link n1-s1: 100 Gbit/s and 200 Gbit/s",
            [](Cluster& c) { c.links[0].bandwidth = BytesPerSecond(25e9); });
        row("link n1-s1: 100 Gbit/s and 4 x 100 Gbit/s", [](Cluster& c) { c.links[0].lanes = 4; });
        row("3 links: 100 Gbit/s and 400 Gbit/s", [](Cluster& c) {
            for (Link& link : c.links)
                link.bandwidth = BytesPerSecond(50e9);
        });
        row("latency or usable share of link n2-s1", [](Cluster& c) { c.links[1].efficiency = 0.5; });
        row("3 and 2 nodes; 24 and 16 GPUs; 3 and 2 links", [](Cluster& c) {
            c.nodes.pop_back();
            c.links.pop_back();
        });
        row("other nodes; other links", [](Cluster& c) {
            c.nodes[0].id = "m1";
            c.links[0].id = "m1-s1";
        });
        row("figures of 2 nodes", [](Cluster& c) {
            c.nodes[0].gpus = 4;
            c.nodes[1].gpus = 12;
        });
        row("the ends of link n1-s1", [](Cluster& c) { c.links[0].b = "n2"; });
        row("24 and 20 GPUs", [](Cluster& c) { c.nodes[0].gpus = 4; });
        row("the kind of 2 nodes", [](Cluster& c) { c.nodes[0].kind = c.nodes[1].kind = "V100-32"; });
        row("figures of node n1", [](Cluster& c) { c.nodes[0].speed = 0.9; });
        row("1 and 2 switches", [](Cluster& c) { c.switches.push_back({"s2", "Ethernet", {}}); });
        row("the medium of switches", [](Cluster& c) { c.switches[0].medium = "Ethernet"; });
        row("the NVLink domains", [](Cluster& c) { c.nvlinkDomains.push_back({"d1", {"n1", "n2"}}); });
    }
    void whatDiffersIsSaid() {
        QFETCH(const Change, change);
        QFETCH(const QString, says);
        const Cluster before = drawing();
        Cluster after = before;
        change(after);
        QCOMPARE(QString::fromStdString(words(before, after)), says);
    }

    void aKindOfItsOwnIsNamed() {
        Cluster before = drawing();
        before.kinds.push_back(*Catalogue::builtin().find("A100-80"));
        Cluster after = before;
        after.kinds[0].pricePerHour += 2.0;
        after.kinds[0].typicalNetwork.clear();
        QCOMPARE(words(before, after), std::string());
        after.kinds[0].memoryBandwidth = BytesPerSecond(1e12);
        QCOMPARE(words(before, after), "figures of " + before.kinds[0].name);
    }
};

QTEST_APPLESS_MAIN(ClusterDifferenceTest)
#include "cluster_difference_test.moc"

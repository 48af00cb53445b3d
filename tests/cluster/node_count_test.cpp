// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/node_count.h"

#include <QtTest>

#include <set>

using namespace pw;

namespace {

// A node on two networks, and what already has the first names of copies.
Cluster drawn() {
    Cluster cluster;
    for (const char* id : {"n1", "n1-extra2"}) {
        Node node;
        node.id = id;
        node.kind = id == std::string("n1") ? "A100-SXM4-80GB" : "V100-SXM2-32GB";
        node.gpus = 8;
        cluster.nodes.push_back(node);
    }
    cluster.switches = {{"ib", "InfiniBand", {}}, {"eth", "Ethernet", {}}};
    for (const char* to : {"ib", "eth"})
        cluster.links.push_back(
            {std::string("n1-") + to, "n1", to, BytesPerSecond(25e9), 1, Seconds(2e-6), 0.9});
    cluster.links.push_back({"n1-ib-extra", "eth", "n1-extra2", BytesPerSecond(1e9), 1, Seconds(5e-6), 0.9});
    cluster.nvlinkDomains = {{"n1-eth-extra", {"n1-extra2"}, BytesPerSecond(0), Seconds(2e-6)}};
    return cluster;
}

} // namespace

class NodeCountTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void copiesHaveNamesAndLinksOfTheirOwn() {
        Cluster cluster = drawn();
        QVERIFY(setNodeCount(cluster, "A100-80", 3));
        QCOMPARE(cluster.nodes.size(), std::size_t{4});
        QCOMPARE(cluster.nodes[2].id, std::string("n1-extra"));
        QCOMPARE(cluster.nodes[3].id, std::string("n1-extra3")); // the second name is taken
        QCOMPARE(cluster.links.size(), std::size_t{7});
        QCOMPARE(cluster.links[3].id, std::string("n1-ib-extra2")); // the first name is taken
        QCOMPARE(cluster.links[3].a, std::string("n1-extra"));
        QCOMPARE(cluster.links[4].id, std::string("n1-eth-extra2")); // of a domain
        QCOMPARE(cluster.links[5].id, std::string("n1-ib-extra3"));
        QCOMPARE(cluster.links[6].a, std::string("n1-extra3"));
    }

    // What plans leave out of a node they leave out of its copies.
    void copiesLeaveOutWhatTheirNodeDoes() {
        Cluster cluster = drawn();
        std::vector<std::string> forbidden{"n1-eth", "n1.g3", "n1-extra2"};
        QVERIFY(setNodeCount(cluster, "A100-80", 3, &forbidden));
        QCOMPARE(forbidden, (std::vector<std::string>{"n1-eth", "n1.g3", "n1-extra2", "n1-extra.g3",
                                                      "n1-eth-extra2", "n1-extra3.g3", "n1-eth-extra3"}));
    }

    void oneByOneIsAsAllAtOnce() {
        Cluster once = drawn(), oneByOne = drawn();
        QVERIFY(setNodeCount(once, "A100-80", 6));
        for (int i = 0; i < 5; ++i)
            addNodeCopy(oneByOne, "n1");
        QVERIFY(once == oneByOne);
    }

    // Ends only where a copy is not looked for among all others.
    void aHundredThousandAreMade() {
        Cluster cluster = drawn();
        QVERIFY(setNodeCount(cluster, "A100-80", 100'000));
        std::set<std::string> ids;
        for (const Node& node : cluster.nodes)
            ids.insert(node.id);
        for (const Link& link : cluster.links)
            ids.insert(link.id);
        QCOMPARE(ids.size(), cluster.nodes.size() + cluster.links.size());
        QCOMPARE(cluster.nodes.size(), std::size_t{100'001});
    }
};

QTEST_APPLESS_MAIN(NodeCountTest)
#include "node_count_test.moc"

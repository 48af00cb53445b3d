// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/switch_sides.h"

#include <QtTest>

using namespace pw;

class SwitchSidesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Four nodes of two cables at 8 x 50 Gbit/s under a leaf, which has two links of 8 x 100 to each of two
    // spines.
    void aLeafSaysWhatItsNodesShare() {
        Cluster cluster;
        for (const char* id : {"n1", "n2", "n3", "n4"}) {
            Node node;
            node.id = id;
            node.kind = "H100-SXM-80GB";
            node.gpus = 8;
            cluster.nodes.push_back(node);
            cluster.links.push_back(
                {std::string(id) + "-leaf", id, "leaf", BytesPerSecond(50e9 / 8.0), 8, Seconds(2e-6), 0.9});
        }
        cluster.switches = {{"leaf", "InfiniBand", {}},
                            {"spine1", "InfiniBand", {}},
                            {"spine2", "InfiniBand", {}},
                            {"alone", "Ethernet", {}}};
        for (const char* spine : {"spine1", "spine2"})
            cluster.links.push_back({std::string("up-") + spine, spine, "leaf", BytesPerSecond(100e9 / 8.0),
                                     4, Seconds(2e-6), 0.9});
        const SwitchSides leaf = sidesOf(cluster, "leaf");
        QCOMPARE(leaf.nodeLinks, 4);
        QCOMPARE(leaf.switchLinks, 2);
        QCOMPARE(leaf.toNodes.value, 4 * 8 * 50e9 / 8.0);
        QCOMPARE(leaf.toSwitches.value, 2 * 4 * 100e9 / 8.0);
        QCOMPARE(leaf.oversubscription(), 2.0);
        const SwitchSides spine = sidesOf(cluster, "spine1");
        QCOMPARE(spine.nodeLinks, 0);
        QCOMPARE(spine.switchLinks, 1);
        QCOMPARE(spine.oversubscription(), 0.0);
        QCOMPARE(sidesOf(cluster, "alone").nodeLinks + sidesOf(cluster, "alone").switchLinks, 0);
    }
};

QTEST_GUILESS_MAIN(SwitchSidesTest)
#include "switch_sides_test.moc"

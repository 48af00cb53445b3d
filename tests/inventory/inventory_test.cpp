// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// What lies between files about machines and a drawing: host names, device kinds, places.
#include "core/inventory/cluster_layout.h"
#include "core/inventory/device_match.h"
#include "core/inventory/host_list.h"
#include "core/inventory/inventory.h"

#include <QtTest>

#include <cmath>

using namespace pw;

namespace {

std::string kindOf(const char* reported, double gib = 0) {
    const DeviceMatch match =
        matchDevice(Catalogue::builtin(), reported, gib > 0 ? std::optional(gibibytes(gib)) : std::nullopt);
    return match.kind != nullptr ? match.kind->name : std::to_string(match.candidates.size()) + " candidates";
}

} // namespace

class InventoryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // What comes from files is drawn so that it can be seen: no box on another one, a switch over its nodes.
    void importedItemsHaveRoom() {
        Cluster cluster;
        const auto join = [&](const std::string& a, const std::string& b) {
            Link link;
            link.a = a;
            link.b = b;
            cluster.links.push_back(link);
        };
        for (int i = 0; i < 40; ++i) {
            Node node;
            node.id = "n" + std::to_string(i);
            node.gpus = i % 3 == 0 ? 16 : 8;
            cluster.nodes.push_back(node);
            join(node.id, "leaf" + std::to_string(i / 8));
        }
        for (int i = 0; i < 5; ++i) {
            cluster.switches.push_back({"leaf" + std::to_string(i), "Ethernet", {}});
            join(cluster.switches.back().id, "spine");
        }
        cluster.switches.push_back({"spine", "Ethernet", {}});
        placeItems(cluster);
        struct Box {
            double x, y, width, height;
        };
        std::vector<Box> boxes;
        boxes.reserve(cluster.nodes.size() + cluster.switches.size());
        for (const Node& n : cluster.nodes)
            boxes.push_back({n.at.x, n.at.y, 256.0, 61.0 + 52.0 * std::ceil(n.gpus / 4.0)});
        for (const Switch& s : cluster.switches)
            boxes.push_back({s.at.x, s.at.y, 160.0, 64.0});
        for (std::size_t i = 0; i < boxes.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY2(boxes[i].x + boxes[i].width <= boxes[j].x ||
                             boxes[j].x + boxes[j].width <= boxes[i].x ||
                             boxes[i].y + boxes[i].height <= boxes[j].y ||
                             boxes[j].y + boxes[j].height <= boxes[i].y,
                         qPrintable(QStringLiteral("%1 on %2").arg(i).arg(j)));
        QVERIFY(cluster.switches[0].at.y < cluster.nodes[0].at.y);
        QVERIFY(cluster.switches[5].at.y < cluster.switches[0].at.y);
        double middle = 0.0;
        for (int i = 0; i < 5; ++i)
            middle += cluster.switches[static_cast<std::size_t>(i)].at.x / 5.0;
        QVERIFY(std::abs(cluster.switches[5].at.x - middle) <= 16.0);
    }

    // The window words the counts itself; the command line has a sentence of them.
    void countsWhatThereIs() {
        Inventory inventory;
        inventory.hosts.resize(2);
        for (int i = 0; i < 4; ++i) {
            InventoryGpu gpu;
            gpu.index = i;
            gpu.model = i == 0 ? "" : "H100";
            inventory.hosts[1].gpus.push_back(gpu);
            gpu.model = "A100";
            gpu.numa = i / 2;
            inventory.hosts[0].gpus.push_back(gpu);
        }
        for (const char* path : {"NV12", "NV12", "SYS", ""}) {
            GpuPair pair;
            pair.path = path;
            inventory.hosts[0].pairs.push_back(pair);
        }
        inventory.switches.push_back({"leaf"});
        inventory.excluded.push_back({"n7", "down"});
        const InventoryCounts counts = countsOf(inventory);
        QCOMPARE(counts.gpus, 8);
        QVERIFY(counts.models == (std::map<std::string, int>{{"A100", 4}, {"H100", 3}, {"", 1}}));
        QVERIFY(counts.paths == (std::map<std::string, int>{{"NV12", 2}, {"SYS", 1}}));
        QCOMPARE(counts.numaNodes, std::size_t{2});
        QCOMPARE(describe(inventory),
                 std::string("2 hosts, 8 GPUs (4 x A100, 3 x H100, 1 x unknown model), pairs 2 x NV12 and "
                             "1 x SYS, 2 NUMA nodes with GPUs, 1 switch, 1 excluded"));
    }

    void expandsHostLists() {
        QCOMPARE(*expandHostList("a[0-2,5]-b,c"),
                 (std::vector<std::string>{"a0-b", "a1-b", "a2-b", "a5-b", "c"}));
        QCOMPARE(*expandHostList("n[08-11]"), (std::vector<std::string>{"n08", "n09", "n10", "n11"}));
        QCOMPARE(expandHostList("a[0-1]b[0-1]")->back(), std::string("a1b1"));
        QCOMPARE(expandHostList("n[0-65535]")->size(), std::size_t{65536});
        for (const char* bad :
             {"n[0-65536]", "n[0-", "n]", "n[2-1]", "n[a]", "", "a,,b", "n[[0]]", "n[0-99999999999999]"})
            QVERIFY2(!expandHostList(bad), bad);
    }

    void tellsDevicesByTheirNames() {
        QCOMPARE(kindOf("NVIDIA A100-SXM4-80GB"), std::string("A100-SXM4-80GB"));
        QCOMPARE(kindOf("NVIDIA-A100-SXM4-80GB"), std::string("A100-SXM4-80GB"));
        QCOMPARE(kindOf("Tesla V100-SXM2-16GB"), std::string("V100-SXM2-16GB"));
        QCOMPARE(kindOf("NVIDIA H100 80GB HBM3"), std::string("H100-SXM-80GB"));
        QCOMPARE(kindOf("NVIDIA H100 PCIe"), std::string("H100-PCIe-80GB"));
        QCOMPARE(kindOf("NVIDIA A100 80GB PCIe"), std::string("A100-PCIe-80GB"));
        QCOMPARE(kindOf("NVIDIA GeForce RTX 3090"), std::string("RTX 3090"));
        QCOMPARE(kindOf("Tesla T4"), std::string("T4"));
        QCOMPARE(kindOf("a100"), std::string("4 candidates"));
        QCOMPARE(kindOf("a100", 80), std::string("2 candidates"));
        QCOMPARE(kindOf("Tesla V100-SXM3-32GB-H"), std::string("4 candidates")); // never guessed
        QCOMPARE(kindOf("Quadro 4000"), std::string("0 candidates"));
    }
};

QTEST_APPLESS_MAIN(InventoryTest)
#include "inventory_test.moc"

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comm/comm.h"

#include <QTest>

#include <cmath>

using namespace pw;

namespace {

constexpr double kVolume = 2e9; // bytes
constexpr double kIntra = 100e9, kPort = 10e9, kWire = 1e9;
constexpr double kIntraLatency = 1e-6, kPathLatency = 10e-6; // two links of 5 us

// Two nodes of four GPUs at one switch, a third at a switch that nothing leads to. Round numbers: 100 GB/s
// inside a node, 10 GB/s from a GPU to the network, 1 GB/s on the wire.
std::shared_ptr<const Topology> topology(double port = kPort, double wire = kWire) {
    DeviceKind kind = *Catalogue::builtin().find("A100-SXM4-40GB");
    kind.name = kind.shortName = "X";
    kind.intraBandwidth = BytesPerSecond(kIntra);
    kind.intraLink = "Fabric";
    kind.pcie = BytesPerSecond(port);
    Cluster c;
    c.kinds = {kind};
    for (const char* id : {"a", "b", "c"})
        c.nodes.push_back({id, "X", 4, {}, Seconds(kIntraLatency), {}, 1.0, {}});
    c.switches = {{"s", "", {}}, {"t", "", {}}};
    c.links = {{"a-s", "a", "s", BytesPerSecond(wire), 1, Seconds(5e-6), 1.0},
               {"b-s", "b", "s", BytesPerSecond(wire), 1, Seconds(5e-6), 1.0},
               {"c-t", "c", "t", BytesPerSecond(wire), 1, Seconds(5e-6), 1.0}};
    return Topology::make(c);
}

using Devices = std::vector<DeviceIndex>;
// Device k of node a, b or c.
constexpr DeviceIndex a(int k) {
    return k;
}
constexpr DeviceIndex b(int k) {
    return 4 + k;
}
constexpr DeviceIndex c(int k) {
    return 8 + k;
}

struct Side {
    std::vector<std::pair<Devices, double>> replicas;
    std::vector<RankGroup> groups() const {
        std::vector<RankGroup> list;
        for (const auto& [devices, share] : replicas)
            list.push_back({devices, share});
        return list;
    }
};

TransferCost transfer(const Topology& t, const Side& from, const Side& to, bool gather = false) {
    return boundaryTransfer(t, from.groups(), to.groups(), Bytes(kVolume), gather);
}

bool near(double got, double expected) {
    return std::abs(got - expected) <= 1e-12 * std::abs(expected);
}

} // namespace

#define NEAR(got, expected)                                                                                  \
    QVERIFY2(near(got, expected), qPrintable(QString("%1, expected %2").arg(got, 0, 'g', 15).arg(expected)))

// Every figure is worked out by hand from bytes, wires and hops.
class CommTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ringsInsideANode() {
        const auto ring = [](int ranks, Collective what) {
            return ringTimeInNode(BytesPerSecond(kIntra), Seconds(kIntraLatency), ranks, what, Bytes(kVolume))
                .value;
        };
        NEAR(ring(4, Collective::AllReduce), 1.5 * kVolume / kIntra + 6 * kIntraLatency);
        NEAR(ring(4, Collective::AllGather), 0.75 * kVolume / kIntra + 3 * kIntraLatency);
        NEAR(ring(4, Collective::ReduceScatter), ring(4, Collective::AllGather));
        NEAR(ring(2, Collective::AllReduce), kVolume / kIntra + 2 * kIntraLatency);
        QCOMPARE(ring(1, Collective::AllReduce), 0.0);
        // Through the graph it is the same ring.
        const auto t = topology();
        NEAR(ringTime(*t, {{a(0), a(1), a(2), a(3)}}, Collective::AllReduce, Bytes(kVolume)).value,
             ring(4, Collective::AllReduce));
        // Rings of different GPUs share nothing inside a node.
        NEAR(ringTime(*t, {{a(0), a(1)}, {a(2), a(3)}}, Collective::AllReduce, Bytes(kVolume)).value,
             ring(2, Collective::AllReduce));
    }

    void ringsShareTheUplink() {
        const auto t = topology();
        const auto ring = [&](const std::vector<Devices>& rings, Collective what = Collective::AllReduce) {
            return ringTime(*t, rings, what, Bytes(kVolume)).value;
        };
        NEAR(ring({{a(0), b(0)}}), kVolume / kWire + 2 * kPathLatency);
        NEAR(ring({{a(0), b(0)}}, Collective::ReduceScatter), 0.5 * kVolume / kWire + kPathLatency);
        NEAR(ring({{a(0), b(0)}, {a(1), b(1)}}), 2 * kVolume / kWire + 2 * kPathLatency);
        NEAR(ring({{a(0), b(0)}, {a(1), b(1)}, {a(2), b(2)}, {a(3), b(3)}}),
             4 * kVolume / kWire + 2 * kPathLatency);
        // A ring in node order crosses the wire once each way: 2 (d - 1) / d of the bytes.
        NEAR(ring({{a(0), a(1), b(0), b(1)}}), 1.5 * kVolume / kWire + 6 * kPathLatency);
        // One that jumps between the nodes at every step crosses it twice each way.
        NEAR(ring({{a(0), b(0), a(1), b(1)}}), 2 * 1.5 * kVolume / kWire + 6 * kPathLatency);
        QCOMPARE(ring({{a(0)}, {b(0)}}), 0.0);
    }

    void aGpusOwnPortMayBeTheLimit() {
        const auto t = topology(0.5e9, kWire);
        NEAR(ringTime(*t, {{a(0), b(0)}}, Collective::AllReduce, Bytes(kVolume)).value,
             kVolume / 0.5e9 + 2 * kPathLatency);
        const TransferCost cost =
            transfer(*t, {{{{a(0)}, 0.75}, {{a(1)}, 0.25}}}, {{{{b(0)}, 0.5}, {{b(1)}, 0.5}}});
        NEAR(cost.time.value, 0.75 * kVolume / 0.5e9 + kPathLatency); // 1.5 V against V on the wire
        QCOMPARE(cost.link, std::string("PCIe"));
    }

    void boundaries() {
        const auto t = topology();
        const TransferCost inside = transfer(*t, {{{{a(0)}, 1.0}}}, {{{{a(1)}, 1.0}}});
        NEAR(inside.time.value, kVolume / kIntra + kIntraLatency);
        QVERIFY(!inside.crossesNodes);
        QCOMPARE(inside.link, std::string("Fabric"));

        const TransferCost across = transfer(*t, {{{{a(0)}, 1.0}}}, {{{{b(0)}, 1.0}}});
        NEAR(across.time.value, kVolume / kWire + kPathLatency);
        QVERIFY(across.crossesNodes);
        QVERIFY(across.link == "a-s" || across.link == "b-s");
    }

    // Whatever the shares and sizes on either side, the wire carries the activation once.
    void unequalSharesAndSizes_data() {
        QTest::addColumn<int>("which");
        QTest::newRow("shares") << 0;
        QTest::newRow("1 to 3 replicas") << 1;
        QTest::newRow("tp 4 to 2 replicas of tp 2") << 2;
        QTest::newRow("tp 2 to tp 4") << 3;
        QTest::newRow("3 to 2 replicas that do not line up") << 4;
    }
    void unequalSharesAndSizes() {
        QFETCH(int, which);
        const std::vector<std::pair<Side, Side>> cases = {
            {{{{{a(0)}, 0.75}, {{a(1)}, 0.25}}}, {{{{b(0)}, 0.5}, {{b(1)}, 0.5}}}},
            {{{{{a(0)}, 1.0}}}, {{{{b(0)}, 0.5}, {{b(1)}, 0.25}, {{b(2)}, 0.25}}}},
            {{{{{a(0), a(1), a(2), a(3)}, 1.0}}}, {{{{b(0), b(1)}, 0.5}, {{b(2), b(3)}, 0.5}}}},
            {{{{{a(0), a(1)}, 1.0}}}, {{{{b(0), b(1), b(2), b(3)}, 1.0}}}},
            {{{{{a(0)}, 0.5}, {{a(1)}, 0.25}, {{a(2)}, 0.25}}}, {{{{b(0)}, 0.375}, {{b(1)}, 0.625}}}}};
        const auto& [from, to] = cases[static_cast<std::size_t>(which)];
        const auto t = topology();
        NEAR(transfer(*t, from, to).time.value, kVolume / kWire + kPathLatency);
        NEAR(transfer(*t, to, from).time.value, kVolume / kWire + kPathLatency);
    }

    void onlyTheShareThatCrossesCrosses() {
        // Half of the sequences stay on their node.
        const auto t = topology();
        const TransferCost cost =
            transfer(*t, {{{{a(0)}, 0.5}, {{b(0)}, 0.5}}}, {{{{a(1)}, 0.5}, {{b(1)}, 0.5}}});
        QVERIFY(!cost.crossesNodes);
        NEAR(cost.time.value, 0.5 * kVolume / kIntra + kIntraLatency);
        const TransferCost mixed = transfer(*t, {{{{a(0)}, 1.0}}}, {{{{a(1)}, 0.5}, {{b(1)}, 0.5}}});
        QVERIFY(mixed.crossesNodes);
        NEAR(mixed.time.value, 0.5 * kVolume / kWire + kPathLatency);
    }

    void receiversWithoutSequenceParallelismGather() {
        const auto t = topology();
        const Side from{{{{a(0), a(1)}, 1.0}}}, to{{{{b(0), b(1)}, 1.0}}};
        const double plain = transfer(*t, from, to).time.value;
        NEAR(transfer(*t, from, to, true).time.value - plain, 0.5 * kVolume / kIntra + kIntraLatency);
        const Side one{{{{b(0)}, 1.0}}};
        NEAR(transfer(*t, from, one, true).time.value, transfer(*t, from, one).time.value);
    }

    void noWayIsForever() {
        const auto t = topology();
        QVERIFY(std::isinf(transfer(*t, {{{{a(0)}, 1.0}}}, {{{{c(0)}, 1.0}}}).time.value));
        QVERIFY(transfer(*t, {{{{a(0)}, 1.0}}}, {{{{c(0)}, 1.0}}}).crossesNodes);
        QVERIFY(std::isinf(ringTime(*t, {{a(0), c(0)}}, Collective::AllReduce, Bytes(kVolume)).value));
    }
};

QTEST_APPLESS_MAIN(CommTest)
#include "comm_test.moc"

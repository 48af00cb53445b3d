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
constexpr double kCopy = 1e12;

const CommConstants& k = ConstantSet::builtin().comm();
const double kLaunch = k.launch.value;
const double kStep = kIntraLatency + k.step.value, kHop = kPathLatency + k.step.value;
// Steps of the bulk protocol over nodes (published: NCCL's tuning model), where they are the longer ones.
const double kBulkStep = std::max(kStep, 3.4e-6), kBulkHop = std::max(kHop, 14e-6);

// Two nodes of four GPUs at one switch, a third at a switch that nothing leads to. Round numbers: 100 GB/s
// inside a node, 10 GB/s from a GPU to the network, 1 GB/s on the wire.
std::shared_ptr<const Topology> topology(double port = kPort, double wire = kWire, int lanes = 1,
                                         Fabric fabric = Fabric::Switched) {
    DeviceKind kind = *Catalogue::builtin().find("A100-SXM4-40GB");
    kind.name = kind.shortName = "X";
    kind.intraBandwidth = BytesPerSecond(kIntra);
    kind.intraLink = "Fabric";
    kind.fabric = fabric;
    kind.pcie = BytesPerSecond(port);
    kind.memoryBandwidth = BytesPerSecond(kCopy);
    kind.memoryEfficiency = 1.0;
    Cluster c;
    c.kinds = {kind};
    for (const char* id : {"a", "b", "c"})
        c.nodes.push_back({id, "X", 4, {}, Seconds(kIntraLatency), {}, 1.0, {}});
    c.switches = {{"s", "", {}}, {"t", "", {}}};
    c.links = {{"a-s", "a", "s", BytesPerSecond(wire), lanes, Seconds(5e-6), 1.0},
               {"b-s", "b", "s", BytesPerSecond(wire), lanes, Seconds(5e-6), 1.0},
               {"c-t", "c", "t", BytesPerSecond(wire), lanes, Seconds(5e-6), 1.0}};
    return Topology::make(c);
}

using Devices = std::vector<DeviceIndex>;
// Device k of node a, b or c.
constexpr DeviceIndex a(int slot) {
    return slot;
}
constexpr DeviceIndex b(int slot) {
    return 4 + slot;
}
constexpr DeviceIndex c(int slot) {
    return 8 + slot;
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
    return boundaryTransfer(t, k, from.groups(), to.groups(), Bytes(kVolume), gather);
}

double together(const Topology& t, const std::vector<Devices>& groups,
                Collective what = Collective::AllReduce, double bytes = kVolume) {
    return collectiveTime(t, k, groups, what, Bytes(bytes)).value;
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
    // Whole nodes behind one switch: two of them stand for all.
    void patternsAreWhatAllNodesTake() {
        Cluster c;
        c.name = "alike";
        c.switches = {{"s", "InfiniBand", {}}};
        for (int n = 0; n < 5; ++n) {
            Node node;
            node.id = "n" + std::to_string(n);
            node.kind = "A100-SXM4-80GB";
            node.gpus = 4;
            c.nodes.push_back(node);
            c.links.push_back({node.id + "-s", node.id, "s", BytesPerSecond(25e9), 2, Seconds(3e-6), 0.9});
        }
        const auto t = Topology::make(c);
        for (const int tp : {1, 2, 4})
            for (const Collective what :
                 {Collective::AllReduce, Collective::ReduceScatter, Collective::AllGather})
                for (const double bytes : {1e3, 1e6, 3e9}) {
                    std::vector<std::vector<DeviceIndex>> all(static_cast<std::size_t>(tp)), two = all;
                    for (DeviceIndex d = 0; d < 20; ++d) {
                        all[static_cast<std::size_t>(d % tp)].push_back(d);
                        if (d < 8)
                            two[static_cast<std::size_t>(d % tp)].push_back(d);
                    }
                    const CollectivePattern pattern(*t, k, two, what, 20 / tp, 5);
                    const double whole = collectiveTime(*t, k, all, what, Bytes(bytes)).value;
                    QVERIFY(std::abs(pattern(Bytes(bytes)).alone().value / whole - 1.0) < 1e-12);
                }
        QCOMPARE(CollectivePattern()(Bytes(1e9)).alone().value, 0.0);
    }

    void ringsInsideANode() {
        const auto t = topology();
        const auto ring = [&](int ranks, Collective what) {
            return collectiveTimeInNode(k, nodeFabric(*t, 0), ranks, what, Bytes(kVolume)).value;
        };
        const double rate = kIntra * k.switchedShare;
        NEAR(ring(4, Collective::AllReduce),
             kLaunch + 1.5 * kVolume / rate + 6 * kStep + kVolume / 2 / kCopy);
        NEAR(ring(4, Collective::AllGather),
             kLaunch + 0.75 * kVolume / rate + 3 * kStep + kVolume / 2 / kCopy);
        NEAR(ring(4, Collective::ReduceScatter), ring(4, Collective::AllGather));
        NEAR(ring(2, Collective::AllReduce), kLaunch + kVolume / rate + 2 * kStep + kVolume / kCopy);
        NEAR(ring(4, Collective::Broadcast), kLaunch + kVolume / rate + 3 * kStep);
        NEAR(ring(4, Collective::AllToAll), kLaunch + 0.75 * kVolume / rate + kStep + 3 * k.step.value);
        QCOMPARE(ring(1, Collective::AllReduce), 0.0);
    }

    // The shortcut of the stage tables and the general one, on every form of node.
    void shortcutIsTheSame_data() {
        QTest::addColumn<int>("fabric");
        for (Fabric f : {Fabric::Pcie, Fabric::Bridge, Fabric::Mesh, Fabric::CubeMesh, Fabric::Switched,
                         Fabric::Reducing})
            QTest::newRow(name(f)) << static_cast<int>(f);
    }
    void shortcutIsTheSame() {
        QFETCH(int, fabric);
        const auto t = topology(kPort, kWire, 1, static_cast<Fabric>(fabric));
        for (const Collective what : {Collective::AllReduce, Collective::ReduceScatter, Collective::AllGather,
                                      Collective::AllToAll, Collective::Broadcast})
            for (const double bytes : {1e3, 1e6, 1e7, 1e9})
                for (int ranks = 1; ranks <= 4; ++ranks) {
                    Devices group;
                    for (int i = 0; i < ranks; ++i)
                        group.push_back(a(i));
                    const double short_ =
                        collectiveTimeInNode(k, nodeFabric(*t, 0), ranks, what, Bytes(bytes)).value;
                    QCOMPARE(together(*t, {group}, what, bytes), short_);
                    if (ranks == 2) // groups of different GPUs share nothing inside a node
                        QCOMPARE(together(*t, {group, {a(2), a(3)}}, what, bytes), short_);
                }
    }

    void smallMessagesTakeTheShortProtocol() {
        const auto t = topology();
        const double rate = kIntra * k.switchedShare * k.lowLatencyShare;
        NEAR(together(*t, {{a(0), a(1), a(2), a(3)}}, Collective::AllReduce, 1e3), kLaunch + 1.5e3 / rate);
        double last = 0.0;
        for (double bytes = 1.0; bytes < 1e10; bytes *= 1.3) { // never shorter for more
            const double now = together(*t, {{a(0), a(1), a(2), a(3)}}, Collective::AllReduce, bytes);
            QVERIFY(now > last);
            last = now;
        }
    }

    // Chords lie below: what the lower bound of a search rests on.
    void timesAreConcaveInBytes() {
        const auto t = topology(kPort, kWire, 4, Fabric::Reducing);
        for (const Devices& group : {Devices{a(0), a(1), a(2)}, Devices{a(0), a(1), b(0), b(1)}})
            for (double bytes = 1e3; bytes < 1e10; bytes *= 1.7) {
                const double step = bytes / 2;
                const double middle = together(*t, {group}, Collective::AllReduce, bytes);
                const double around = together(*t, {group}, Collective::AllReduce, bytes - step) +
                                      together(*t, {group}, Collective::AllReduce, bytes + step);
                QVERIFY(around <= 2 * middle * (1 + 1e-12));
            }
    }

    void switchThatAddsUp() {
        const auto plain = topology(), adding = topology(kPort, kWire, 1, Fabric::Reducing);
        const Devices group = {a(0), a(1), a(2), a(3)};
        NEAR(together(*adding, {group}), kLaunch + 2 * kStep + 1.25 * kVolume / (kIntra * k.reducingShare));
        QVERIFY(together(*adding, {group}) < together(*plain, {group}));
        // Two ranks gain nothing by it, and neither do gathers.
        QCOMPARE(together(*adding, {{a(0), a(1)}}), together(*plain, {{a(0), a(1)}}));
        QCOMPARE(together(*adding, {group}, Collective::AllGather),
                 together(*plain, {group}, Collective::AllGather));
    }

    void formsOfNodes() {
        DeviceKind kind = *Catalogue::builtin().find("V100-SXM2-16GB");
        const auto rate = [&](int gpus, int ranks) {
            return nodeFabric(kind, {}, Seconds(0.0), gpus).ringRate(k, ranks).value / k.directShare;
        };
        QCOMPARE(kind.fabric, Fabric::CubeMesh); // six cables of 25 GB/s
        NEAR(rate(8, 2), 25e9);
        NEAR(rate(8, 4), 100e9);
        NEAR(rate(8, 6), 50e9);
        NEAR(rate(8, 8), 150e9);
        NEAR(rate(4, 2), 50e9);
        NEAR(rate(4, 4), 150e9);
        kind = *Catalogue::builtin().find("MI300X");
        NEAR(nodeFabric(kind, {}, Seconds(0.0), 8).ringRate(k, 2).value, k.meshShare * 64e9);
        kind = *Catalogue::builtin().find("RTX-3090"); // bridges between neighbours
        const NodeFabric bridged = nodeFabric(kind, {}, Seconds(0.0), 8);
        NEAR(bridged.ringRate(k, 2).value, k.directShare * 56.25e9);
        NEAR(bridged.ringRate(k, 4).value, k.pcieShare * 31.5e9);
        NEAR(bridged.pairRate(k, 2, 3).value, k.directShare * 56.25e9);
        NEAR(bridged.pairRate(k, 3, 4).value, k.pcieShare * 31.5e9);
        kind = *Catalogue::builtin().find("T4");
        NEAR(nodeFabric(kind, {}, Seconds(0.0), 4).ringRate(k, 2).value, k.pcieShare * 15.75e9);
        NEAR(nodeFabric(kind, BytesPerSecond(6e9), Seconds(0.0), 4).ringRate(k, 4).value, k.pcieShare * 6e9);
    }

    void ringsShareTheUplink() {
        const auto t = topology();
        const double copy = kVolume / kCopy; // 2/n of the bytes for two ranks
        NEAR(together(*t, {{a(0), b(0)}}), kLaunch + kVolume / kWire + 2 * kBulkHop + copy);
        NEAR(together(*t, {{a(0), b(0)}}, Collective::ReduceScatter),
             kLaunch + 0.5 * kVolume / kWire + kBulkHop + copy);
        NEAR(together(*t, {{a(0), b(0)}, {a(1), b(1)}}), kLaunch + 2 * kVolume / kWire + 2 * kBulkHop + copy);
        NEAR(together(*t, {{a(0), b(0)}, {a(1), b(1)}, {a(2), b(2)}, {a(3), b(3)}}),
             kLaunch + 4 * kVolume / kWire + 2 * kBulkHop + copy);
        // Four ranks pass through each node once, in whatever order they are named: half of the six steps
        // cross.
        const double four = kLaunch + 1.5 * kVolume / kWire + 3 * kBulkStep + 3 * kBulkHop + copy / 2;
        NEAR(together(*t, {{a(0), a(1), b(0), b(1)}}), four);
        NEAR(together(*t, {{a(0), b(0), a(1), b(1)}}), four);
        QCOMPARE(together(*t, {{a(0)}, {b(0)}}), 0.0);
    }

    // Few hops beat many for small messages.
    void treesOverNodes() {
        const auto t = topology();
        const Devices all = {a(0), a(1), a(2), a(3), b(0), b(1), b(2), b(3)};
        NEAR(together(*t, {all}, Collective::AllReduce, 1.0),
             kLaunch + 2 * kHop + 2.0 / (kWire * k.lowLatencyShare));
        NEAR(together(*t, {all}, Collective::AllReduce, 1e4),
             kLaunch + 2 * kBulkHop + 6 * kBulkStep + 2e4 / (0.92 * 0.8 * kWire));
    }

    // Four NICs for four GPUs: a group with one GPU of a node has one rail, a whole node has all.
    void railsOfANode() {
        const auto t = topology(kPort, kWire, 4);
        const auto moving = [&](const std::vector<Devices>& groups) {
            return collectiveTraffic(*t, k, groups, Collective::AllReduce, Bytes(kVolume)).largest();
        };
        NEAR(moving({{a(0), b(0)}}), kVolume / kWire);
        NEAR(moving({{a(0), b(0)}, {a(1), b(1)}, {a(2), b(2)}, {a(3), b(3)}}), kVolume / kWire);
        NEAR(moving({{a(0), a(1), b(0), b(1)}}), 1.5 * kVolume / (2 * kWire));
        NEAR(moving({{a(0), a(1), a(2), a(3), b(0), b(1), b(2), b(3)}}), 1.75 * kVolume / (4 * kWire));
        // Two NICs for four GPUs: two neighbours share one.
        const auto half = topology(kPort, kWire, 2);
        NEAR(collectiveTraffic(*half, k, {{a(0), a(1), b(0), b(1)}}, Collective::AllReduce, Bytes(kVolume))
                 .largest(),
             1.5 * kVolume / kWire);
    }

    void aGpusOwnPortMayBeTheLimit() {
        const auto t = topology(0.5e9, kWire);
        NEAR(together(*t, {{a(0), b(0)}}), kLaunch + kVolume / 0.5e9 + 2 * kBulkHop + kVolume / kCopy);
        const TransferCost cost =
            transfer(*t, {{{{a(0)}, 0.75}, {{a(1)}, 0.25}}}, {{{{b(0)}, 0.5}, {{b(1)}, 0.5}}});
        NEAR(cost.time.value, kLaunch + 0.75 * kVolume / 0.5e9 + kHop); // 1.5 V against V on the wire
        QCOMPARE(cost.link, std::string("PCIe"));
    }

    void everyoneToEveryone() {
        const auto t = topology();
        const Devices all = {a(0), a(1), a(2), a(3), b(0), b(1), b(2), b(3)};
        NEAR(together(*t, {all}, Collective::AllToAll),
             kLaunch + 16.0 / 8 * kVolume / kWire + kHop + 7 * k.step.value);
        NEAR(together(*t, {all}, Collective::Broadcast), // a tree loses its rate, a ring takes 7 steps
             kLaunch + kVolume / kWire + 7 * 0.25 * kBulkHop + 7 * 0.75 * kBulkStep);
    }

    void boundaries() {
        const auto t = topology();
        const TransferCost inside = transfer(*t, {{{{a(0)}, 1.0}}}, {{{{a(1)}, 1.0}}});
        NEAR(inside.time.value, kLaunch + kVolume / (kIntra * k.switchedShare) + kStep);
        QVERIFY(!inside.crossesNodes);
        QCOMPARE(inside.link, std::string("Fabric"));

        const TransferCost across = transfer(*t, {{{{a(0)}, 1.0}}}, {{{{b(0)}, 1.0}}});
        NEAR(across.time.value, kLaunch + kVolume / kWire + kHop);
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
        NEAR(transfer(*t, from, to).time.value, kLaunch + kVolume / kWire + kHop);
        NEAR(transfer(*t, to, from).time.value, kLaunch + kVolume / kWire + kHop);
    }

    void onlyTheShareThatCrossesCrosses() {
        // Half of the sequences stay on their node.
        const auto t = topology();
        const TransferCost cost =
            transfer(*t, {{{{a(0)}, 0.5}, {{b(0)}, 0.5}}}, {{{{a(1)}, 0.5}, {{b(1)}, 0.5}}});
        QVERIFY(!cost.crossesNodes);
        NEAR(cost.time.value, kLaunch + 0.5 * kVolume / (kIntra * k.switchedShare) + kStep);
        const TransferCost mixed = transfer(*t, {{{{a(0)}, 1.0}}}, {{{{a(1)}, 0.5}, {{b(1)}, 0.5}}});
        QVERIFY(mixed.crossesNodes);
        NEAR(mixed.time.value, kLaunch + 0.5 * kVolume / kWire + kHop);
        QCOMPARE(transfer(*t, {{{{a(0)}, 1.0}}}, {{{{a(0)}, 1.0}}}).time.value, 0.0);
    }

    void receiversWithoutSequenceParallelismGather() {
        const auto t = topology();
        const Side from{{{{a(0), a(1)}, 1.0}}}, to{{{{b(0), b(1)}, 1.0}}};
        const double plain = transfer(*t, from, to).time.value;
        NEAR(transfer(*t, from, to, true).time.value - plain,
             together(*t, {{b(0), b(1)}}, Collective::AllGather));
        const Side one{{{{b(0)}, 1.0}}};
        NEAR(transfer(*t, from, one, true).time.value, transfer(*t, from, one).time.value);
    }

    void noWayIsForever() {
        const auto t = topology();
        QVERIFY(std::isinf(transfer(*t, {{{{a(0)}, 1.0}}}, {{{{c(0)}, 1.0}}}).time.value));
        QVERIFY(transfer(*t, {{{{a(0)}, 1.0}}}, {{{{c(0)}, 1.0}}}).crossesNodes);
        QVERIFY(std::isinf(together(*t, {{a(0), c(0)}})));
    }

    void operationsThatMeetShare() {
        const auto t = topology();
        const auto op = [&](const std::vector<Devices>& groups, double bytes = kVolume) {
            return collectiveTraffic(*t, k, groups, Collective::AllReduce, Bytes(bytes));
        };
        const Traffic first = op({{a(0), b(0)}}), second = op({{a(1), b(1)}}), inside = op({{a(2), a(3)}});
        const double alone = first.alone().value, local = inside.alone().value;
        const auto ends = [](const std::vector<double>& starts, const std::vector<const Traffic*>& traffic) {
            return finishTogether(starts, traffic);
        };
        // Both on the wire for all of their time; the third is elsewhere.
        const auto both = ends({0, 0, 0}, {&first, &second, &inside});
        NEAR(both[0], first.fixed() + 2 * first.largest());
        NEAR(both[1], both[0]);
        NEAR(both[2], local);
        // As one operation: the same.
        NEAR(both[0], op({{a(0), b(0)}, {a(1), b(1)}}).alone().value);
        // One starts when half of the other is through: two halves at half speed, then the rest alone.
        const double half = first.fixed() + first.largest() / 2;
        const auto later = ends({0, half - second.fixed()}, {&first, &second});
        NEAR(later[0], half + first.largest());
        NEAR(later[1], half + 1.5 * first.largest());
        // One after the other: nothing is shared.
        const auto apart = ends({0, alone}, {&first, &second});
        NEAR(apart[0], alone);
        NEAR(apart[1], 2 * alone);
        // A small one gets its half and goes.
        const Traffic small = op({{a(1), b(1)}}, kVolume / 4);
        const auto unequal = ends({0, first.fixed() - small.fixed()}, {&first, &small});
        QVERIFY(unequal[1] < unequal[0]);
        NEAR(unequal[0] - first.fixed(), 1.25 * first.largest());
        // Nothing to do ends where it starts, and no way stays no way.
        const Traffic nothing, blocked = op({{a(0), c(0)}});
        QCOMPARE(ends({3.0, 1.0}, {&nothing, &first})[0], 3.0);
        QVERIFY(std::isinf(ends({0, 0}, {&first, &blocked})[1]));
    }

    // Nodes of an NVLink domain count as one: what stays inside costs what a node of as many GPUs costs, what
    // leaves goes by the cables of every node that has a part in it.
    void nvlinkJoinsNodes() {
        const auto racks = [](bool joined) {
            Cluster drawn = topology()->cluster();
            drawn.nodes.push_back(drawn.nodes[0]);
            drawn.nodes.back().id = "d";
            for (Link& l : drawn.links)
                l.b = "s";
            drawn.links.push_back({"d-s", "d", "s", BytesPerSecond(kWire), 1, Seconds(5e-6), 1.0});
            if (joined)
                drawn.nvlinkDomains = {{"r1", {"a", "b"}, {}, Seconds(kIntraLatency)},
                                       {"r2", {"c", "d"}, {}, Seconds(kIntraLatency)}};
            return Topology::make(drawn);
        };
        const auto t = racks(true), apart = racks(false);
        const Devices rack = {a(0), a(1), a(2), a(3), b(0), b(1), b(2), b(3)};
        for (const Collective what : {Collective::AllReduce, Collective::AllGather, Collective::AllToAll}) {
            NodeFabric one = nodeFabric(*apart, 0);
            one.gpus = 8;
            NEAR(together(*t, {rack}, what), collectiveTimeInNode(k, one, 8, what, Bytes(kVolume)).value);
            QVERIFY(together(*t, {rack}, what) < 0.1 * together(*apart, {rack}, what));
        }
        QCOMPARE(nodeFabric(*t, 1).gpus, 8);
        NEAR(transfer(*t, {{{{a(0)}, 1.0}}}, {{{{b(0)}, 1.0}}}).time.value,
             transfer(*t, {{{{a(0)}, 1.0}}}, {{{{a(1)}, 1.0}}}).time.value);
        QVERIFY(!transfer(*t, {{{{a(0)}, 1.0}}}, {{{{b(0)}, 1.0}}}).crossesNodes);
        // Both racks: the ring crosses twice, over two cables each way where four nodes in a row have one.
        Devices all = rack;
        for (int i = 0; i < 8; ++i)
            all.push_back(8 + i);
        const auto moving = [&](const Topology& on) {
            return collectiveTraffic(on, k, {all}, Collective::AllGather, Bytes(kVolume)).largest();
        };
        NEAR(moving(*t), moving(*apart) / 2.0);
        // Unequal parts meet where their shares overlap: three GPUs send to one through its one cable.
        const double three =
            collectiveTraffic(*t, k, {{a(0), a(1), b(0), c(0)}}, Collective::AllGather, Bytes(kVolume))
                .largest();
        NEAR(three, 0.75 * kVolume / kWire);
    }

    void aFlowLimitsLoneGpus() {
        Cluster drawn = topology(kPort, kWire, 4)->cluster();
        const auto free = Topology::make(drawn);
        for (Link& l : drawn.links)
            l.flowBandwidth = BytesPerSecond(0.25 * kWire);
        const auto t = Topology::make(drawn);
        const auto moving = [](const Topology& on, const Devices& group) {
            return collectiveTraffic(on, k, {group}, Collective::AllGather, Bytes(kVolume)).largest();
        };
        NEAR(moving(*t, {a(0), b(0)}), 4.0 * moving(*free, {a(0), b(0)}));
        // Two of each node have two flows, on two of the four lanes.
        NEAR(moving(*t, {a(0), a(1), b(0), b(1)}), 4.0 * moving(*free, {a(0), a(1), b(0), b(1)}));
        NEAR(moving(*t, {a(0), a(1), b(0), b(1)}), 0.75 * kVolume / (0.5 * kWire));
        const double sent = transfer(*t, {{{{a(0)}, 1.0}}}, {{{{b(0)}, 1.0}}}).time.value;
        NEAR(sent - kLaunch - kHop, kVolume / (0.25 * kWire));
        // More than a lane carries is no limit.
        for (Link& l : drawn.links)
            l.flowBandwidth = BytesPerSecond(10.0 * kWire);
        NEAR(moving(*Topology::make(drawn), {a(0), b(0)}), moving(*free, {a(0), b(0)}));
    }
};

QTEST_APPLESS_MAIN(CommTest)
#include "comm_test.moc"

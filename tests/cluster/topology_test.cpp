// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/cluster/topology.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

using namespace pw;

namespace {

Link link(const std::string& a, const std::string& b, double gigabytes, double microseconds = 5.0) {
    return {a + "-" + b, a, b, BytesPerSecond(gigabytes * 1e9), 1, Seconds(microseconds * 1e-6), 1.0};
}

Node node(const std::string& id, const std::string& kind, int gpus) {
    Node n;
    n.id = id;
    n.kind = kind;
    n.gpus = gpus;
    return n;
}

// What a path crosses, in order: +1 from its a to its b, -2 back.
QString crossed(const Path& path) {
    QStringList list;
    for (const PathLink& l : path.links)
        list.append((l.forward ? QStringLiteral("+%1") : QStringLiteral("-%1")).arg(l.link));
    return list.join(u' ');
}

// Oracle: every simple way between two nodes through switches only, by exhaustion: those of fewest hops.
struct Way {
    std::vector<int> links;
    double width = 0.0, latency = 0.0;
};

struct Walk {
    const Cluster& cluster;
    std::string target;
    std::vector<Way> ways = {};
    std::vector<std::string> seen = {};
    std::vector<int> links = {};

    void arrive(double width, double latency) {
        if (!ways.empty() && links.size() < ways.front().links.size())
            ways.clear();
        if (ways.empty() || links.size() == ways.front().links.size())
            ways.push_back({links, width, latency});
    }

    void from(const std::string& at, double width, double latency) {
        if (at == target)
            return arrive(width, latency);
        if (!links.empty() && cluster.node(at))
            return;
        seen.push_back(at);
        for (std::size_t i = 0; i < cluster.links.size(); ++i) {
            const Link& l = cluster.links[i];
            for (const auto& [out, to] : {std::pair(l.a, l.b), std::pair(l.b, l.a)})
                if (out == at && std::find(seen.begin(), seen.end(), to) == seen.end()) {
                    links.push_back(static_cast<int>(i));
                    from(to, std::min(width, l.usable().value), latency + l.latency.value);
                    links.pop_back();
                }
        }
        seen.pop_back();
    }
};

// All that are at least so wide, evenly shared.
struct Together {
    double ways = 0.0, latency = 0.0, bandwidth = std::numeric_limits<double>::infinity();
    std::map<int, double> shares; // by link
};

Together together(const Cluster& cluster, const std::vector<Way>& ways, double least) {
    Together all;
    for (const Way& way : ways)
        if (way.width >= least) {
            ++all.ways;
            all.latency = std::max(all.latency, way.latency);
            for (const int link : way.links)
                ++all.shares[link];
        }
    for (auto& [link, share] : all.shares) {
        share /= all.ways;
        all.bandwidth =
            std::min(all.bandwidth, cluster.links[static_cast<std::size_t>(link)].usable().value / share);
    }
    return all;
}

// Of them those that carry most, of equals the widest.
Together mostTogether(const Cluster& cluster, const std::vector<Way>& ways) {
    std::set<double, std::greater<>> widths;
    for (const Way& way : ways)
        widths.insert(way.width);
    Together best;
    best.bandwidth = 0.0;
    for (const double least : widths)
        if (Together all = together(cluster, ways, least); all.bandwidth > best.bandwidth * (1.0 + 1e-9))
            best = std::move(all);
    return best;
}

Cluster randomCluster(Random& random) {
    Cluster c;
    const std::uint64_t nodes = 2 + random.below(4), switches = 1 + random.below(4);
    std::vector<std::string> items;
    for (std::uint64_t i = 0; i < nodes; ++i) {
        c.nodes.push_back(node("n" + std::to_string(i), "A100-40", 2));
        items.push_back(c.nodes.back().id);
    }
    for (std::uint64_t i = 0; i < switches; ++i) {
        c.switches.push_back({"s" + std::to_string(i), "Ethernet", {}});
        items.push_back(c.switches.back().id);
    }
    for (std::size_t a = 0; a < items.size(); ++a)
        for (std::size_t b = a + 1; b < items.size(); ++b)
            for (std::uint64_t cables = random.below(2) * (1 + random.below(2)); cables > 0; --cables)
                c.links.push_back(link(items[a], items[b], 1.0 + static_cast<double>(random.below(3)),
                                       5.0 + static_cast<double>(random.below(3))));
    return c;
}

} // namespace

class TopologyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void numbersDevicesInFileOrder() {
        Cluster c;
        c.nodes = {node("a", "A100-40", 8), node("b.g1", "V100-16", 4)};
        c.nodes[1].memoryTaken = gibibytes(2);
        c.nodes[1].speed = 0.5;
        const auto t = Topology::make(c);
        QCOMPARE(t->devices().size(), std::size_t{12});
        QCOMPARE(t->devices()[9].id, std::string("b.g1.g1"));
        QCOMPARE(t->devices()[9].capacity.value, gibibytes(15.8).value - gibibytes(2).value);
        QCOMPARE(t->devices()[9].speed, 0.5);
        for (DeviceIndex d = 0; d < 12; ++d)
            QCOMPARE(t->find(t->devices()[static_cast<std::size_t>(d)].id), d);
        for (const char* no : {"", "a", "a.g8", "a.g-1", "a.g01", "a.g1x", "c.g0", "b.g1"})
            QCOMPARE(t->find(no), -1);
        QCOMPARE(t->kindOf(9).name, std::string("V100-SXM2-16GB"));
        QCOMPARE(t->intraBandwidth(0).value, 300e9);
        QVERIFY(!t->path(0, 1).reachable);
        QCOMPARE(t->uplink(0).value, 0.0);
    }

    void swappableNodesMakeOneClass() {
        Cluster c;
        c.nodes = {node("a", "A100-40", 8), node("b", "V100-16", 4), node("c", "A100-SXM4-40GB", 8),
                   node("d", "A100-40", 8), node("e", "A100-40", 4)};
        c.switches = {{"s", "Ethernet", {}}};
        for (const Node& n : c.nodes)
            c.links.push_back(link(n.id, "s", 10));
        c.links[2] = link("s", "c", 10);                   // drawn from the other end
        c.nodes[2].intraBandwidth = BytesPerSecond(300e9); // the kind's own, stated
        const auto t = Topology::make(c);
        QCOMPARE(t->classes().size(), std::size_t{3});
        QCOMPARE(t->classes()[0].name, std::string("A100-40 x8"));
        QVERIFY((t->classes()[0].nodes == std::vector<int>{0, 2, 3}));
        QCOMPARE(t->classes()[0].gpus(), 24);
        QCOMPARE(t->classOfNode(4), 2);

        c.links[3] = link("d", "s", 20);
        c.nodes[2].speed = 0.9;
        const auto split = Topology::make(c);
        QCOMPARE(split->classes().size(), std::size_t{5});
        QCOMPARE(split->classes()[2].name, std::string("A100-40 x8 #2"));
    }

    void domainsJoinTheirNodes() {
        Cluster c;
        c.nodes = {node("a", "GB200", 4), node("b", "GB200", 4), node("c", "GB200", 4), node("d", "GB200", 4),
                   node("e", "GB200", 4)};
        c.nodes[4].speed = 0.9;
        c.switches = {{"s", "InfiniBand", {}}};
        for (const Node& n : c.nodes)
            c.links.push_back(link(n.id, "s", 50));
        const auto alone = Topology::make(c);
        QCOMPARE(alone->domains().size(), std::size_t{5});
        QCOMPARE(alone->domainClasses().size(), alone->classes().size());
        QCOMPARE(alone->domainClasses()[0].name, alone->classes()[0].name);
        QVERIFY(!alone->joined(0, 4));

        c.nvlinkDomains = {{"d1", {"a", "c"}, BytesPerSecond(0.0), Seconds(3e-6)},
                           {"d2", {"d", "b", "e"}, BytesPerSecond(800e9), Seconds(3e-6)}};
        const auto t = Topology::make(c);
        QCOMPARE(t->domains().size(), std::size_t{2});
        QVERIFY((t->domains()[0].nodes == std::vector<int>{0, 2}));
        QCOMPARE(t->domains()[0].gpus, 8);
        QCOMPARE(t->domains()[0].bandwidth.value, 0.0); // the kind's own
        QVERIFY((t->domainOfNode(3).nodes == std::vector<int>{1, 3, 4}));
        QCOMPARE(t->domainOfNode(3).bandwidth.value, 800e9);
        QVERIFY(t->joined(0, 11) && !t->joined(0, 4) && t->joined(5, 19));
        QCOMPARE(t->devices()[5].id, std::string("b.g1")); // numbered as ever
        // Eight GPUs of the first, eight alike of the second, and its slow tray.
        QCOMPARE(t->classes().size(), std::size_t{2});
        QCOMPARE(t->domainClasses().size(), std::size_t{3});
        QCOMPARE(t->domainClasses()[0].name, std::string("GB200 x8"));
        QVERIFY((t->domainClasses()[1].members == std::vector<std::vector<int>>{{1, 3}}));
        QVERIFY(!t->domainClasses()[0].shared && t->domainClasses()[1].shared &&
                t->domainClasses()[2].shared);

        c.nodes[4].speed = 1.0;
        c.nvlinkDomains = {{"d1", {"a", "b"}, {}, Seconds(3e-6)}, {"d2", {"c", "d"}, {}, Seconds(3e-6)}};
        const auto racks = Topology::make(c);
        QCOMPARE(racks->domainClasses().size(), std::size_t{2}); // two racks alike, and a lone tray
        QVERIFY((racks->domainClasses()[0].members == std::vector<std::vector<int>>{{0, 1}, {2, 3}}));
    }

    void pathsTakeFewestHopsThenTheWidest() { // an even share would hold up the wider one
        Cluster c;
        c.nodes = {node("a", "A100-40", 8), node("b", "A100-40", 8), node("c", "A100-40", 8)};
        c.switches = {{"s", "", {}}, {"u", "", {}}, {"v", "", {}}, {"w", "", {}}};
        c.links = {link("a", "s", 10), link("u", "a", 10, 7), link("s", "b", 2), link("u", "b", 6, 9),
                   link("b", "c", 1),  link("b", "v", 50),    link("v", "c", 50)};
        const auto t = Topology::make(c);
        const Path ab = t->path(0, 1);
        QCOMPARE(crossed(ab), QStringLiteral("-1 +3"));
        QCOMPARE(ab.bandwidth.value, 6e9);
        QCOMPARE(ab.latency.value, 16e-6);
        const Path ba = t->path(1, 0);
        QCOMPARE(crossed(ba), QStringLiteral("-3 +1"));
        QCOMPARE(crossed(t->path(1, 2)), QStringLiteral("+4")); // direct, though narrower
        QVERIFY(!t->path(0, 2).reachable);                      // b does not forward
        QCOMPARE(t->uplink(1).value, 1e9);
    }

    // Links out of use are as links that are not there, whichever they are.
    void closedLinksAreNotThere() {
        for (std::uint64_t seed = 1; seed <= 100; ++seed) {
            Random random(seed);
            const Cluster c = randomCluster(random);
            Cluster less = c;
            less.links.clear();
            std::vector<bool> closed;
            for (const Link& l : c.links) {
                closed.push_back(random.below(4) == 0);
                if (!closed.back())
                    less.links.push_back(l);
            }
            const auto t = Topology::make(c, closed), expected = Topology::make(less);
            QCOMPARE(t->classes().size(), expected->classes().size());
            for (std::size_t i = 0; i < c.nodes.size(); ++i) {
                const auto node = static_cast<int>(i);
                QCOMPARE(t->uplink(node).value, expected->uplink(node).value);
                QCOMPARE(t->cables(node).size(), expected->cables(node).size());
                for (const int link : t->cables(node))
                    QVERIFY(!closed[static_cast<std::size_t>(link)]);
                for (std::size_t j = 0; j < c.nodes.size(); ++j) {
                    if (i == j)
                        continue;
                    const Path p = t->path(node, static_cast<int>(j));
                    const Path q = expected->path(node, static_cast<int>(j));
                    QCOMPARE(p.reachable, q.reachable);
                    QCOMPARE(p.bandwidth.value, q.bandwidth.value);
                    QCOMPARE(p.latency.value, q.latency.value);
                    QCOMPARE(p.ways, q.ways);
                }
            }
        }
    }

    void agreesWithExhaustion() {
        int shared = 0, unequal = 0;
        for (std::uint64_t seed = 1; seed <= 300; ++seed) {
            Random random(seed);
            const Cluster c = randomCluster(random);
            const auto t = Topology::make(c);
            for (std::size_t i = 0; i < c.nodes.size(); ++i)
                for (std::size_t j = 0; j < c.nodes.size(); ++j) {
                    if (i == j)
                        continue;
                    Walk walk{c, c.nodes[j].id};
                    walk.from(c.nodes[i].id, std::numeric_limits<double>::infinity(), 0.0);
                    const Path p = t->path(static_cast<int>(i), static_cast<int>(j));
                    const std::string what = "seed " + std::to_string(seed);
                    QCOMPARE(p.reachable, !walk.ways.empty());
                    if (!p.reachable)
                        continue;
                    const Together best = mostTogether(c, walk.ways);
                    shared += best.ways > 1.0;
                    unequal +=
                        best.ways > 1.0 && together(c, walk.ways, walk.ways.front().width).ways != best.ways;
                    QVERIFY2(static_cast<std::size_t>(p.hops) == walk.ways.front().links.size(),
                             what.c_str());
                    QCOMPARE(p.ways, best.ways);
                    QCOMPARE(p.oneWay(c, c.nodes[i].id).size(), walk.ways.front().links.size());
                    QCOMPARE(p.latency.value, best.latency);
                    QVERIFY2(std::abs(p.bandwidth.value - best.bandwidth) <= 1e-9 * best.bandwidth,
                             what.c_str());
                    QCOMPARE(p.links.size(), best.shares.size());
                    for (const PathLink& l : p.links)
                        QCOMPARE(l.share, best.shares.at(l.link));
                }
        }
        QVERIFY2(shared > 500 && unequal > 20, qPrintable(QString("%1, %2").arg(shared).arg(unequal)));
    }

    void equalWaysShare() {
        // Two racks of two nodes under three spines: a leaf's way up is three links wide.
        Cluster c;
        c.switches = {{"l1", "", {}}, {"l2", "", {}}, {"s1", "", {}}, {"s2", "", {}}, {"s3", "", {}}};
        for (int i = 0; i < 4; ++i) {
            c.nodes.push_back(node("n" + std::to_string(i), "A100-40", 8));
            c.links.push_back(link(c.nodes.back().id, i < 2 ? "l1" : "l2", 25));
        }
        for (const char* spine : {"s1", "s2", "s3"})
            for (const char* leaf : {"l1", "l2"})
                c.links.push_back(link(spine, leaf, 10));
        const auto t = Topology::make(c);
        const Path across = t->path(1, 2);
        QCOMPARE(crossed(across), QStringLiteral("+1 -4 -6 -8 +5 +7 +9 -2"));
        QCOMPARE(across.bandwidth.value, 25e9); // the node's own cable; the spines carry 30
        QCOMPARE(across.ways, 3.0);
        QCOMPARE(across.hops, 4);
        QCOMPARE(across.between().size(), std::size_t{6});
        QCOMPARE(across.between().front().share, 1.0 / 3.0);
        QVERIFY((across.oneWay(c, "n1") == std::vector<int>{1, 4, 5, 2}));
        // A little narrower s1 still helps; one so narrow that an even share would hold up the others does
        // not.
        c.links[4].bandwidth = BytesPerSecond(9e9);
        QCOMPARE(Topology::make(c)->path(1, 2).ways, 3.0);
        QCOMPARE(Topology::make(c)->path(1, 2).bandwidth.value, 25e9);
        c.links[4].bandwidth = BytesPerSecond(6e9);
        QCOMPARE(Topology::make(c)->path(1, 2).ways, 2.0);
        QCOMPARE(Topology::make(c)->path(1, 2).bandwidth.value, 20e9);
        // Nor does a wider one take what the others carried.
        c.links[4].bandwidth = c.links[5].bandwidth = BytesPerSecond(12e9);
        QCOMPARE(Topology::make(c)->path(1, 2).ways, 3.0);
        QCOMPARE(Topology::make(c)->path(1, 2).bandwidth.value, 25e9);
    }

    void railsOfANodeShare() {
        Cluster c;
        for (int r = 0; r < 4; ++r)
            c.switches.push_back({"r" + std::to_string(r), "", {}});
        for (int i = 0; i < 3; ++i) {
            c.nodes.push_back(node("n" + std::to_string(i), "A100-40", 4));
            for (int r = 0; r < 4; ++r)
                c.links.push_back(link(c.nodes.back().id, c.switches[static_cast<std::size_t>(r)].id, 25));
        }
        const auto t = Topology::make(c);
        QCOMPARE(t->classes().size(), std::size_t{1});
        const Path last = t->path(2, 0);
        QCOMPARE(last.hops, 2);
        QCOMPARE(last.bandwidth.value, 100e9);
        QVERIFY(last.between().empty());
        QStringList links = crossed(last).split(u' ');
        links.sort();
        QCOMPARE(links.join(u' '), QStringLiteral("+10 +11 +8 +9 -0 -1 -2 -3"));
        QCOMPARE(t->uplink(1).value, 100e9);
    }

    void parallelCablesShare() {
        Cluster c;
        c.nodes = {node("a", "A100-40", 8), node("b", "A100-40", 8)};
        c.links = {link("a", "b", 10), link("b", "a", 10), link("a", "b", 4)};
        const auto t = Topology::make(c);
        QCOMPARE(crossed(t->path(0, 1)), QStringLiteral("+0 -1"));
        QCOMPARE(t->path(0, 1).bandwidth.value, 20e9);
        QCOMPARE(t->path(1, 0).links.front().share, 0.5);
    }

    void manyNodesFallIntoTwoClasses() {
        Cluster c;
        c.switches = {{"x", "", {}}, {"y", "", {}}};
        c.links = {link("x", "y", 100)};
        for (int i = 0; i < 512; ++i) {
            c.nodes.push_back(node("n" + std::to_string(i), i % 2 == 0 ? "A100-40" : "V100-16", 8));
            c.links.push_back(link(c.nodes.back().id, i % 2 == 0 ? "x" : "y", 25));
        }
        const auto t = Topology::make(c);
        QCOMPARE(t->classes().size(), std::size_t{2});
        QCOMPARE(t->path(0, 511).hops, 3);
    }
};

QTEST_APPLESS_MAIN(TopologyTest)
#include "topology_test.moc"

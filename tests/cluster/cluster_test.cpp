// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/cluster.h"
#include "core/cluster/network_kind.h"

#include <nlohmann/json.hpp>

#include <QtTest>

#include <functional>
#include <limits>

using namespace pw;

namespace {

constexpr const char* kTwoNodes = R"({
  "schema": "pipewright-cluster-1", "name": "two",
  "kinds": [{"name": "Mine", "memory": "10 GiB", "memory_bandwidth": "500 GB/s", "fp32": 1e13, "pcie": "16 GB/s"}],
  "nodes": [{"id": "n1", "kind": "A100-40", "gpus": 8, "at": {"x": 10, "y": 20}},
            {"id": "n2", "kind": "Mine", "gpus": 2, "speed": 0.9, "memory_taken": "1 GiB"}],
  "switches": [{"id": "s1"}],
  "links": [{"a": "n1", "b": "s1", "bandwidth": "200 Gbit/s", "lanes": 8, "latency": "5 us"},
            {"a": "n2", "b": "s1", "bandwidth": "100 Gbit/s", "latency": "20 us", "efficiency": 0.9}]})";

Cluster twoNodes() {
    Result<Cluster> cluster = readCluster(kTwoNodes, "two.json");
    if (!cluster)
        qFatal("%s", cluster.error().text().c_str());
    return *cluster;
}

std::string codes(const Diagnostics& found) {
    std::string text;
    for (const Diagnostic& d : found)
        text += d.code + "@" + d.where + " ";
    return text;
}

} // namespace

class ClusterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void domainsAndFlowsComeBack() {
        const std::string text = R"({
          "schema": "pipewright-cluster-1", "nodes": [{"id": "n1", "kind": "GB200", "gpus": 4}, {"id": "n2", "kind": "GB200", "gpus": 4}],
          "links": [{"a": "n1", "b": "n2", "bandwidth": "50 Gbit/s", "flow_bandwidth": "10 Gbit/s"}],
          "nvlink_domains": [{"id": "rack", "nodes": ["n1", "n2"], "bandwidth": "900 GB/s", "latency": "3 us"}]})";
        const auto c = readCluster(text, "c.json");
        QVERIFY2(c, c ? "" : c.error().text().c_str());
        QCOMPARE(c->nvlinkDomains.size(), std::size_t{1});
        QCOMPARE(c->nvlinkDomains[0].bandwidth.value, 900e9);
        QCOMPARE(c->nvlinkDomains[0].latency.value, 3e-6);
        QCOMPARE(c->links[0].flowBandwidth.value, 1.25e9);
        const auto again = readCluster(toJson(*c).dump(), "again.json");
        QVERIFY(again && *again == *c);
        QVERIFY(!hasErrors(checkCluster(*c)));
        // What states neither is written as before.
        const Json plain = toJson(twoNodes());
        QVERIFY(!plain.contains("nvlink_domains") && !plain["links"][0].contains("flow_bandwidth"));
        const auto odd = readCluster(
            R"({"schema": "pipewright-cluster-1", "nodes": [], "nvlink_domains": [{"id": "d", "nodes": [7]}]})",
            "odd.json");
        QVERIFY(!odd);
        QVERIFY2(odd.error().text().find("odd.json#/nvlink_domains/0/nodes/0") != std::string::npos,
                 odd.error().text().c_str());
    }

    // One number for drawn links and for those of measured runs, by the medium of the switch.
    void usableShareFollowsTheMedium() {
        const auto share = [](const std::string& medium, const std::string& more = "") {
            const auto c = readCluster(
                R"({"schema": "pipewright-cluster-1", "nodes": [{"id": "n1", "kind": "A100-40", "gpus": 8}],
              "switches": [{"id": "s1", "medium": ")" +
                    medium + R"("}],
              "links": [{"a": "n1", "b": "s1", "bandwidth": "200 Gbit/s")" +
                    more + "}]}",
                "c.json");
            return c ? c->links[0].efficiency : -1.0;
        };
        const CommConstants& k = ConstantSet::builtin().comm();
        QCOMPARE(share("InfiniBand"), k.rdmaShare);
        QCOMPARE(share("RoCE"), k.rdmaShare);
        QCOMPARE(share("EFA"), k.efaShare);
        QCOMPARE(share("Slingshot"), k.rdmaShare);
        QCOMPARE(share("Ethernet"), k.ethernetShare);
        QCOMPARE(share("semaphore"), k.ethernetShare);
        QCOMPARE(share("InfiniBand", R"(, "efficiency": 0.5)"), 0.5);
        QCOMPARE(Link{}.efficiency, k.ethernetShare);
    }

    void domainsThatCannotBe() {
        const auto found = [](const std::function<void(Cluster&)>& change) {
            Cluster c;
            for (const char* id : {"n1", "n2", "n3"}) {
                c.nodes.push_back({id, "GB200", 4, {}, Seconds(2e-6), {}, 1.0, {}});
                c.links.push_back(
                    {std::string(id) + "-s1", id, "s1", BytesPerSecond(50e9), 4, Seconds(5e-6), 0.9});
            }
            c.switches = {{"s1", "InfiniBand", {}}};
            c.nvlinkDomains = {{"d1", {"n1", "n2"}, {}, Seconds(2e-6)}};
            change(c);
            return codes(checkCluster(c));
        };
        QCOMPARE(found([](Cluster&) {}), std::string());
        QCOMPARE(found([](Cluster& c) { c.nvlinkDomains[0].nodes.push_back("n9"); }),
                 std::string("cluster.domain_node@d1 "));
        QCOMPARE(found([](Cluster& c) { c.nvlinkDomains[0].nodes.clear(); }),
                 std::string("cluster.domain_empty@d1 "));
        QCOMPARE(found([](Cluster& c) {
                     c.nvlinkDomains.push_back({"d2", {"n2", "n3"}, {}, Seconds(0.0)});
                 }),
                 std::string("cluster.domain_twice@n2 "));
        QCOMPARE(found([](Cluster& c) { c.nodes[1].kind = "B200"; }),
                 std::string("cluster.domain_kinds@d1 "));
        QCOMPARE(found([](Cluster& c) { c.nodes[0].kind = c.nodes[1].kind = "L40S"; }),
                 std::string("cluster.domain_fabric@d1 "));
        QCOMPARE(found([](Cluster& c) { c.nvlinkDomains[0].bandwidth = BytesPerSecond(-1.0); }),
                 std::string("cluster.domain_rate@d1 "));
        QCOMPARE(found([](Cluster& c) { c.nvlinkDomains[0].id = "n3"; }),
                 std::string("cluster.id_duplicate@n3 "));
        QCOMPARE(found([](Cluster& c) { c.links[0].flowBandwidth = BytesPerSecond(-1.0); }),
                 std::string("cluster.flow@n1-s1 "));
        // NVLink alone is a way between the nodes of a domain, and no further.
        QCOMPARE(found([](Cluster& c) {
                     c.links.clear();
                     c.nvlinkDomains[0].nodes = {"n1", "n2", "n3"};
                 }),
                 std::string());
        QVERIFY(found([](Cluster& c) { c.links.clear(); }).find("cluster.unlinked@n3") != std::string::npos);
    }

    void readsUnitsAndDefaults() {
        const Cluster c = twoNodes();
        QCOMPARE(c.gpuCount(), 10);
        QCOMPARE(c.node("n2")->memoryTaken.value, gibibytes(1).value);
        QCOMPARE(c.node("n1")->at.y, 20.0);
        const Link* link = c.link("n1-s1");
        QVERIFY(link);
        QCOMPARE(link->bandwidth.value, 25e9);
        QCOMPARE(link->usable().value, 25e9 * 8 * 0.88);
        QCOMPARE(link->latency.value, 5e-6);
        QCOMPARE(c.findSwitch("s1")->medium, std::string("Ethernet"));
        QCOMPARE(findKind(c, "Mine")->shortName, std::string("Mine"));
        QCOMPARE(findKind(c, "A100-40")->name, std::string("A100-SXM4-40GB"));
        QVERIFY(checkCluster(c).empty());
    }

    void comesBackFromItsOwnFileUnchanged() {
        const Cluster c = twoNodes();
        const Result<Cluster> again = readCluster(printJson(toJson(c)), "again.json");
        QVERIFY(again);
        QVERIFY(*again == c);
    }

    void ownKindsWinOverTheCatalogue() {
        Cluster c = twoNodes();
        c.kinds[0].name = "A100-SXM4-40GB";
        QCOMPARE(findKind(c, "A100-SXM4-40GB")->memory.value, gibibytes(10).value);
    }

    void collectsEveryFieldError() {
        const Result<Cluster> c = readCluster(R"({"schema": "pipewright-cluster-9",
            "nodes": [{"id": "", "kind": "A100-40", "gpus": 0}],
            "links": [{"a": "n1", "b": "n2", "bandwidth": "fast"}]})",
                                              "bad.json");
        QVERIFY(!c);
        QCOMPARE(c.error().kind, ErrorKind::BadInput);
        QCOMPARE(c.error().where, std::string("bad.json#/schema"));
        QCOMPARE(c.error().reasons.size(), std::size_t{3});
        QCOMPARE(c.error().reasons[1].where, std::string("bad.json#/nodes/0/gpus"));
        QCOMPARE(c.error().reasons[2].where, std::string("bad.json#/links/0/bandwidth"));
    }

    void refusesWhatCannotBePlanned_data() {
        using Edit = std::function<void(Cluster&)>;
        QTest::addColumn<Edit>("edit");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* name, const char* expected, const Edit& edit) {
            QTest::newRow(name) << edit << QByteArray(expected);
        };
        row("no nodes", "cluster.empty@ ", [](Cluster& c) { c = {}; });
        row("same name", "cluster.id_duplicate@n1 ", [](Cluster& c) {
            c.switches.push_back({"n1", "", {}});
        });
        row("no name", "cluster.id_empty@ ", [](Cluster& c) { c.switches.push_back({}); });
        row("blank in a name", "cluster.id_character@a b ", [](Cluster& c) {
            c.switches.push_back({"a b", "", {}});
        });
        row("unknown kind", "cluster.kind_unknown@n1 ", [](Cluster& c) { c.nodes[0].kind = "A1000"; });
        row("no GPUs", "cluster.gpus@n1 ", [](Cluster& c) { c.nodes[0].gpus = 0; });
        row("no speed", "cluster.speed@n1 ", [](Cluster& c) { c.nodes[0].speed = 0.0; });
        row("no memory left", "cluster.memory_taken@n2 ",
            [](Cluster& c) { c.nodes[1].memoryTaken = gibibytes(10); });
        row("link to nothing", "cluster.link_end@n1-s1 ", [](Cluster& c) { c.links[0].b = "s2"; });
        row("link to itself", "cluster.link_self@n1-s1 ", [](Cluster& c) { c.links[0].b = "n1"; });
        row("same link", "cluster.link_duplicate@n1-s1 ", [](Cluster& c) { c.links[1].id = "n1-s1"; });
        row("zero bandwidth", "cluster.bandwidth@n1-s1 ", [](Cluster& c) { c.links[0].bandwidth.value = 0; });
        row("nan bandwidth", "cluster.bandwidth@n1-s1 ",
            [](Cluster& c) { c.links[0].bandwidth.value = std::numeric_limits<double>::quiet_NaN(); });
        row("no lanes", "cluster.lanes@n1-s1 ", [](Cluster& c) { c.links[0].lanes = 0; });
        row("negative latency", "cluster.latency@n1-s1 ", [](Cluster& c) { c.links[0].latency.value = -1; });
        row("efficiency above 1", "cluster.efficiency@n1-s1 ",
            [](Cluster& c) { c.links[0].efficiency = 1.1; });
        row("kind without rate", "cluster.kind_peak@Mine ", [](Cluster& c) { c.kinds[0].fp32.value = 0; });
        row("kind without host", "cluster.kind_bandwidth@Mine ",
            [](Cluster& c) { c.kinds[0].pcie.value = 0; });
        row("kind twice", "cluster.kind_duplicate@Mine ", [](Cluster& c) { c.kinds.push_back(c.kinds[0]); });
    }
    void refusesWhatCannotBePlanned() {
        QFETCH(std::function<void(Cluster&)>, edit);
        QFETCH(QByteArray, expected);
        Cluster c = twoNodes();
        edit(c);
        const Diagnostics found = checkCluster(c);
        QVERIFY(hasErrors(found));
        QCOMPARE(QByteArray::fromStdString(codes(found)), expected);
    }

    void warnsOfWhatWeakens() {
        Cluster c = twoNodes();
        c.links[0].lanes = 1; // 8 A100 behind 200 Gbit/s: 2.75 GB/s each of 300
        QCOMPARE(codes(checkCluster(c)), std::string("cluster.narrow@n1-s1 "));
        QVERIFY(!hasErrors(checkCluster(c)));
        c.links.clear();
        QCOMPARE(codes(checkCluster(c)), std::string("cluster.unlinked@n1 cluster.unlinked@n2 "));
        QVERIFY(hasErrors(checkCluster(c)));
        c.nodes.pop_back();
        QVERIFY(checkCluster(c).empty()); // a single node needs no network
    }

    // A project's drawing is asked for wherever a cluster is.
    void aProjectIsReadForItsDrawing() {
        const Cluster c = twoNodes();
        const Json project = {{"schema", "pipewright-project"},
                              {"version", 1},
                              {"cluster", toJson(c)},
                              {"recipe", Json::object()}};
        const auto read = readCluster(project.dump(), "a.pwx");
        QVERIFY2(read, read ? "" : read.error().text().c_str());
        QVERIFY(*read == *readCluster(toJson(c).dump(), "c.json"));
        const auto spoilt =
            readCluster(R"({"schema": "pipewright-project", "cluster": {"nodes": 3}})", "b.pwx");
        QVERIFY(!spoilt);
        QVERIFY2(spoilt.error().text().find("b.pwx#/cluster") == 0, spoilt.error().text().c_str());
    }

    void aNodeDoesNotForwardSoAChainIsTwoIslands() {
        Cluster c = twoNodes();
        c.nodes.push_back(c.nodes[1]);
        c.nodes[2].id = "n3";
        c.links = {{"a", "n1", "n2", BytesPerSecond(1e11), 1, Seconds(0), 1.0},
                   {"b", "n2", "n3", BytesPerSecond(1e11), 1, Seconds(0), 1.0}};
        QCOMPARE(codes(checkCluster(c)), std::string("cluster.island@n3 "));
        c.links.push_back({"c", "n1", "n3", BytesPerSecond(1e11), 1, Seconds(0), 1.0});
        QVERIFY(checkCluster(c).empty());
    }
};

QTEST_APPLESS_MAIN(ClusterTest)
#include "cluster_test.moc"

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/plan/device_names.h"
#include "core/plan/plan.h"
#include "tests/project/small_project.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <algorithm>
#include <numeric>
#include <set>

using namespace pw;

namespace {

constexpr std::uint64_t kDeviceNamesSeed = 16384;

// Nodes of 8, 4, 1, 8, 2 and 8 GPUs; one has a name that looks like a device's.
std::shared_ptr<const Topology> mixedNodes() {
    Cluster cluster = smallProject().cluster;
    cluster.nodes.clear();
    cluster.links.clear();
    const std::vector<std::pair<const char*, int>> nodes = {{"n1", 8}, {"b.g0", 4}, {"n3", 1},
                                                            {"n4", 8}, {"n5", 2},   {"n6", 8}};
    for (const auto& [id, gpus] : nodes) {
        cluster.nodes.push_back({id, "A100-SXM4-40GB", gpus, {}, Seconds(2e-6), {}, 1.0, {}});
        cluster.links.push_back(
            {std::string(id) + "-s1", id, "s1", BytesPerSecond(12.5e9), 1, Seconds(20e-6), 0.88});
    }
    return Topology::make(cluster);
}

std::vector<DeviceIndex> readNames(const Topology& topology, const Json& names,
                                   std::string* error = nullptr) {
    const Json holder{{"devices", names}};
    const JsonReader reader(holder, "f");
    DeviceReader devices(topology);
    std::vector<DeviceIndex> found = devices.read(reader);
    const Status status = reader.status();
    if (error)
        *error = status ? std::string() : status.error().code + " " + status.error().where;
    else if (!status)
        qFatal("%s", status.error().text().c_str());
    return found;
}

// Spans of slots and single devices of the cluster without one device twice, in an order of their own.
std::vector<DeviceIndex> drawn(Random& random, const Topology& topology) {
    std::vector<DeviceIndex> list;
    std::set<DeviceIndex> taken;
    const auto all = static_cast<std::uint64_t>(topology.devices().size());
    for (std::uint64_t spans = 1 + random.below(6); spans > 0; --spans) {
        const auto begin = static_cast<DeviceIndex>(random.below(all));
        const auto end =
            std::min(begin + 1 + static_cast<DeviceIndex>(random.below(12)), static_cast<DeviceIndex>(all));
        std::vector<DeviceIndex> span;
        for (DeviceIndex d = begin; d < end; ++d)
            if (taken.insert(d).second)
                span.push_back(d);
        if (random.below(4) == 0)
            std::reverse(span.begin(), span.end());
        list.insert(list.end(), span.begin(), span.end());
    }
    return list;
}

// One after the other, by hand: what a name stands for.
std::vector<std::string> opened(const Json& name) {
    if (name.is_string())
        return {name.get<std::string>()};
    std::vector<std::string> ids;
    for (const Json& node : name.contains("node") ? Json::array({name["node"]}) : name["nodes"])
        for (int slot = name["first"].get<int>(); slot <= name["last"].get<int>(); ++slot)
            ids.push_back(node.get<std::string>() + ".g" + std::to_string(slot));
    return ids;
}

std::vector<std::string> idsOf(const Topology& topology, const std::vector<DeviceIndex>& devices) {
    std::vector<std::string> ids;
    ids.reserve(devices.size());
    for (const DeviceIndex d : devices)
        ids.push_back(topology.devices()[static_cast<std::size_t>(d)].id);
    return ids;
}

} // namespace

class DeviceNamesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rangesFollowTheOrderOfRanks() {
        const auto topology = mixedNodes();
        const auto text = [&](const std::vector<DeviceIndex>& devices) {
            return QByteArray::fromStdString(namesOf(*topology, devices, DeviceNames::Ranges).dump());
        };
        QCOMPARE(text({0, 1, 2, 3, 4, 5, 6, 7}), QByteArray(R"([{"first":0,"last":7,"node":"n1"}])"));
        QCOMPARE(text({1, 2, 3}), QByteArray(R"([{"first":1,"last":3,"node":"n1"}])"));
        QCOMPARE(text({13, 14, 15, 16, 0, 1, 2, 3}),
                 QByteArray(R"([{"first":0,"last":3,"nodes":["n4","n1"]}])"));
        QCOMPARE(text({0, 8, 12}), QByteArray(R"([{"first":0,"last":0,"nodes":["n1","b.g0","n3"]}])"));
        QCOMPARE(text({0, 1}), QByteArray(R"(["n1.g0","n1.g1"])"));
        QCOMPARE(text({2, 1, 0}), QByteArray(R"(["n1.g2","n1.g1","n1.g0"])"));
        // The whole of a node of four and half of one of eight are no one range, nor is a hole.
        QCOMPARE(
            text({8, 9, 10, 11, 13, 14, 15, 17}),
            QByteArray(R"([{"first":0,"last":3,"node":"b.g0"},{"first":0,"last":2,"node":"n4"},"n4.g4"])"));
        QCOMPARE(text({}), QByteArray("[]"));
        QCOMPARE(QByteArray::fromStdString(namesOf(*topology, {0, 1, 2}, DeviceNames::Each).dump()),
                 QByteArray(R"(["n1.g0","n1.g1","n1.g2"])"));
    }

    // What nobody asked for: ranges above 1,024 devices.
    void largeClustersHaveRanges() {
        for (const auto& [nodes, names] : {std::pair(128, DeviceNames::Each), {129, DeviceNames::Ranges}}) {
            Cluster cluster = smallProject().cluster;
            cluster.nodes.clear();
            cluster.links.clear();
            for (int n = 0; n < nodes; ++n)
                cluster.nodes.push_back(
                    {"n" + std::to_string(n), "A100-SXM4-40GB", 8, {}, Seconds(2e-6), {}, 1.0, {}});
            QVERIFY(usualNames(*Topology::make(cluster)) == names);
        }
    }

    void whatIsWrittenIsRead() {
        const auto topology = mixedNodes();
        Random random(kDeviceNamesSeed);
        int shorter = 0;
        for (int n = 0; n < 2000; ++n) {
            const std::vector<DeviceIndex> devices = drawn(random, *topology);
            const QString draw = QString("seed %1, draw %2").arg(kDeviceNamesSeed).arg(n);
            const Json each = namesOf(*topology, devices, DeviceNames::Each);
            const Json ranges = namesOf(*topology, devices, DeviceNames::Ranges);
            QVERIFY2(readNames(*topology, each) == devices, qPrintable(draw));
            QVERIFY2(readNames(*topology, ranges) == devices, qPrintable(draw));
            std::vector<std::string> ids;
            for (const Json& name : ranges)
                for (std::string& id : opened(name))
                    ids.push_back(std::move(id));
            QVERIFY2(ids == idsOf(*topology, devices), qPrintable(draw));
            QVERIFY2(ranges.size() <= each.size(), qPrintable(draw));
            shorter += ranges.size() < each.size();
        }
        QVERIFY2(shorter > 1000, qPrintable(QString::number(shorter)));
    }

    void setsAreNamedOnce() {
        const auto topology = mixedNodes();
        std::vector<DeviceIndex> all(topology->devices().size());
        std::iota(all.begin(), all.end(), 0);
        const std::vector<Json> whole = namesOfSet(*topology, all);
        QCOMPARE(whole.size(), std::size_t(4)); // spans of 8, 4, 1 and 2
        QCOMPARE(QByteArray::fromStdString(whole[0].dump()),
                 QByteArray(R"({"first":0,"last":7,"nodes":["n1","n4","n6"]})"));
        QCOMPARE(QByteArray::fromStdString(whole[2].dump()), QByteArray(R"("n3.g0")"));
        Random random(kDeviceNamesSeed + 1);
        for (int n = 0; n < 1000; ++n) {
            std::vector<DeviceIndex> devices = drawn(random, *topology);
            std::sort(devices.begin(), devices.end());
            std::vector<std::string> ids, expected = idsOf(*topology, devices);
            for (const Json& name : namesOfSet(*topology, devices))
                for (std::string& id : opened(name))
                    ids.push_back(std::move(id));
            std::sort(ids.begin(), ids.end());
            std::sort(expected.begin(), expected.end());
            QVERIFY2(ids == expected,
                     qPrintable(QString("seed %1, draw %2").arg(kDeviceNamesSeed + 1).arg(n)));
        }
    }

    void badRangesAreToldOnceWithTheirPlace_data() {
        QTest::addColumn<QByteArray>("names");
        QTest::addColumn<QByteArray>("told");
        const auto row = [](const char* name, const char* names, const char* told) {
            QTest::newRow(name) << QByteArray(names) << QByteArray(told);
        };
        row("unknown node", R"([{"node":"n9","first":0,"last":1}])", "plan.range f#/devices/0/node");
        row("unknown node of several", R"([{"nodes":["n1","n9","n8"],"first":0,"last":1}])",
            "plan.range f#/devices/0/nodes/1");
        row("a device for a node", R"([{"node":"n1.g0","first":0,"last":0}])",
            "plan.range f#/devices/0/node");
        row("no text", R"([{"node":1,"first":0,"last":1}])", "plan.range f#/devices/0/node");
        row("backwards", R"(["n4.g0",{"node":"n1","first":3,"last":2}])", "plan.range f#/devices/1");
        row("beyond the node", R"([{"node":"n1","first":0,"last":8}])", "plan.range f#/devices/0/node");
        row("beyond one of the nodes", R"([{"nodes":["n1","b.g0"],"first":2,"last":7}])",
            "plan.range f#/devices/0/nodes/1");
        row("far beyond", R"([{"node":"n1","first":0,"last":18446744073709551615}])",
            "plan.range f#/devices/0/last");
        row("below zero", R"([{"node":"n1","first":-1,"last":1}])", "plan.range f#/devices/0/first");
        row("a fraction", R"([{"node":"n1","first":0,"last":1.5}])", "plan.range f#/devices/0/last");
        row("no last", R"([{"node":"n1","first":0}])", "plan.range f#/devices/0/last");
        row("node and nodes", R"([{"node":"n1","nodes":["n4"],"first":0,"last":1}])",
            "plan.range f#/devices/0");
        row("neither", R"([{"first":0,"last":1}])", "plan.range f#/devices/0");
        row("no nodes", R"([{"nodes":[],"first":0,"last":1}])", "plan.range f#/devices/0/nodes");
        row("nodes are no list", R"([{"nodes":"n1","first":0,"last":1}])", "json.type f#/devices/0/nodes");
        row("twice in a range", R"([{"nodes":["n1","n1"],"first":0,"last":1}])",
            "plan.range f#/devices/0/nodes/1");
        row("over an id", R"(["n1.g1",{"node":"n1","first":0,"last":3}])", "plan.range f#/devices/1/node");
        row("over a range", R"([{"node":"n1","first":0,"last":3},{"node":"n1","first":3,"last":5}])",
            "plan.range f#/devices/1/node");
    }

    void badRangesAreToldOnceWithTheirPlace() {
        QFETCH(QByteArray, names);
        QFETCH(QByteArray, told);
        const auto topology = mixedNodes();
        const Json holder{{"devices", Json::parse(names.toStdString())}};
        const JsonReader reader(holder, "f");
        DeviceReader(*topology).read(reader);
        const Status status = reader.status();
        QVERIFY(!status);
        QCOMPARE(QByteArray::fromStdString(status.error().code + " " + status.error().where), told);
        QCOMPARE(status.error().reasons.size(), std::size_t(0));
    }

    // A device stands in one place of a plan: a range over another stage's is refused, and a text of a few
    // bytes never makes more entries than the cluster has devices.
    void rangesOfAPlanDoNotOverlap() {
        const auto topology = mixedNodes();
        const Json first{{"devices", Json::parse(R"([{"node":"n1","first":0,"last":3}])")}};
        const Json second{{"devices", Json::parse(R"([{"nodes":["n4","n1"],"first":0,"last":7}])")}};
        DeviceReader devices(*topology);
        const JsonReader a(first, "f"), b(second, "f");
        QCOMPARE(devices.read(a).size(), std::size_t(4));
        QVERIFY(a.status());
        devices.read(b);
        QVERIFY(!b.status());
        QCOMPARE(QByteArray::fromStdString(b.status().error().where), QByteArray("f#/devices/0/nodes/1"));
        QVERIFY(b.status().error().text().find("n1.g0") != std::string::npos);
        Json many = Json::array();
        for (int n = 0; n < 5000; ++n)
            many.push_back({{"node", "n1"}, {"first", 0}, {"last", 7}});
        std::string error;
        QCOMPARE(readNames(*topology, many, &error).size(), std::size_t(8));
        QCOMPARE(QByteArray::fromStdString(error), QByteArray("plan.range f#/devices/1/node"));
    }

    void keysThatNobodyKnowsAreNamed() {
        const auto topology = mixedNodes();
        const Json holder{{"devices", Json::parse(R"([{"node":"n1","first":0,"last":3,"step":2}])")}};
        const JsonReader reader(holder, "f");
        DeviceReader(*topology).read(reader);
        QVERIFY(reader.status());
        QCOMPARE(reader.unread().size(), std::size_t(1));
    }
};

QTEST_APPLESS_MAIN(DeviceNamesTest)
#include "device_names_test.moc"

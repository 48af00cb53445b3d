// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/machines/ibnetdiscover.h"

#include "core/base/file.h"
#include "core/cluster/topology.h"
#include "core/inventory/inventory_cluster.h"

#include <fmt/format.h>

#include <QtTest>

#include <algorithm>
#include <random>

using namespace pw;

namespace {

constexpr double kGigabit = 1e9 / 8.0;

std::string seed(const char* name) {
    return *readFile(std::string(PW_SOURCE_DIR "/tests/fuzz/corpus/ibnetdiscover/") + name);
}

Result<Imported> imported(const std::string& text) {
    return importIbnetdiscover(text, "f", {});
}

Inventory read(const std::string& text) {
    const Result<Imported> found = imported(text);
    if (!found)
        qFatal("%s", found.error().text().c_str());
    return std::get<Inventory>(found->what);
}

const InventoryCable* cableOf(const Inventory& all, const std::string& a, const std::string& b) {
    const auto found = std::ranges::find_if(all.cables, [&](const InventoryCable& c) {
        return (c.a == a && c.b == b) || (c.a == b && c.b == a);
    });
    return found == all.cables.end() ? nullptr : &*found;
}

std::vector<std::string> codesOf(const Diagnostics& notes) {
    std::vector<std::string> codes;
    for (const Diagnostic& note : notes)
        codes.push_back(note.code);
    return codes;
}

} // namespace

// A subnet as InfiniBand's own tool lists it.
class IbnetdiscoverTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsHostsSwitchesAndCables() {
        const Inventory all = read(seed("leaf-spine"));
        QCOMPARE(all.hosts.size(), std::size_t{2}); // and not the aggregation node
        QCOMPARE(all.hosts[0].name, std::string("node2"));
        QCOMPARE(all.hosts[1].name, std::string("node10"));
        QCOMPARE(all.switches.size(), std::size_t{3});
        QCOMPARE(all.switches[0].name, std::string("leaf-1"));
        QCOMPARE(all.medium, std::string("InfiniBand"));
        QCOMPARE(all.cables.size(), std::size_t{6}); // each once, though both ends have it
        for (const char* leaf : {"leaf-1", "leaf-2"}) {
            const InventoryCable* up = cableOf(all, leaf, "spine-1");
            QVERIFY(up);
            QCOMPARE(up->lanes, 2);
            QCOMPARE(up->bandwidth->value, 400 * kGigabit);
        }
        QCOMPARE(cableOf(all, "node2", "leaf-2")->bandwidth->value, 400 * kGigabit);
        QCOMPARE(cableOf(all, "node10", "leaf-2")->bandwidth->value, 200 * kGigabit);
        QCOMPARE(cableOf(all, "node10", "leaf-2")->a, std::string("node10")); // upwards
        QCOMPARE(countsOf(all).cables, std::size_t{8});
        QCOMPARE(all.hosts[0].nics.size(), std::size_t{2});
        QCOMPARE(all.hosts[0].nics[1].name, std::string("mlx5_1"));
        QCOMPARE(codesOf(imported(seed("leaf-spine"))->notes),
                 std::vector<std::string>{"ibnetdiscover.aggregators"});
    }

    // The maker's default names nobody: two adapters of it are two hosts.
    void adaptersWithoutANameAreHostsOfTheirOwn() {
        const Result<Imported> found = imported(seed("groups"));
        QVERIFY(found);
        const Inventory& all = std::get<Inventory>(found->what);
        QCOMPARE(all.hosts.size(), std::size_t{2});
        QCOMPARE(codesOf(found->notes), std::vector<std::string>{"ibnetdiscover.nameless"});
        QCOMPARE(all.switches.size(), std::size_t{2});
        QCOMPARE(all.cables.size(), std::size_t{3});
        for (const InventoryCable& cable : all.cables)
            QCOMPARE(cable.bandwidth->value, 8 * kGigabit);
    }

    void widthsAndSpeedsAreRates_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<double>("gigabits"); // 0: none
        for (const auto& [words, gigabits] : {std::pair("4xSDR", 8.0),
                                              {"4xQDR", 32.0},
                                              {"4xFDR10", 40.0},
                                              {"4xFDR", 56.25 * 64 / 66},
                                              {"4xEDR", 100.0},
                                              {"2xHDR", 100.0},
                                              {"4xHDR", 200.0},
                                              {"4xNDR", 400.0},
                                              {"4xXDR", 800.0},
                                              {"12xQDR", 96.0},
                                              {"1xHDR s=25 v=4", 50.0},
                                              {"4xWDR", 0.0},
                                              {"0xHDR", 0.0},
                                              {"", 0.0}})
            QTest::newRow(words) << QString::fromLatin1(words) << gigabits;
    }
    void widthsAndSpeedsAreRates() {
        QFETCH(const QString, words);
        QFETCH(const double, gigabits);
        const Inventory all = read("Switch 1 \"S-a\" # \"s\" lid 1\n[1] \"H-b\"[1](b) # \"h x\" lid 2 " +
                                   words.toStdString() + "\nCa 1 \"H-b\" # \"h x\"\n");
        QCOMPARE(all.cables.size(), std::size_t{1});
        QCOMPARE(all.cables[0].bandwidth.has_value(), gigabits > 0.0);
        if (gigabits > 0.0)
            QVERIFY(std::abs(all.cables[0].bandwidth->value / (gigabits * kGigabit) - 1.0) < 1e-12);
    }

    void switchesAreCalledAsPeopleCallThem() {
        const Inventory all = read("Switch 1 \"S-a\" # \"MF0;core:SX6536/S08/U1\" base port 0\n"
                                   "Switch 1 \"S-b\" # \"MF0;core:SX6536/S09/U1\" base port 0\n"
                                   "Switch 1 \"S-c\" # \"Quantum Mellanox Technologies\" base port 0\n"
                                   "Switch 1 \"S-d\" # \"Quantum Mellanox Technologies\" base port 0\n"
                                   "Switch 1 \"S-e\"\n"
                                   "Ca 1 \"H-f\" # \"h mlx5_0\"\n");
        std::vector<std::string> names;
        for (const InventorySwitch& item : all.switches)
            names.push_back(item.name);
        QCOMPARE(names, (std::vector<std::string>{"Quantum-Mellanox-Technologies",
                                                  "Quantum-Mellanox-Technologies-S-d", "S-e", "core-S08-U1",
                                                  "core-S09-U1"}));
    }

    void routersAreLeftOutAndSaid() {
        const Result<Imported> found =
            imported("Rt 1 \"R-a\" # \"gate\"\n[1](a) \"S-b\"[2] # lid 1 lmc 0 \"s\" lid 2 4xEDR\n"
                     "Switch 2 \"S-b\" # \"s\" base port 0\n[1] \"H-c\"[1](c) # \"h\" lid 3 4xEDR\n"
                     "Ca 1 \"H-c\" # \"h\"\n");
        QVERIFY(found);
        QCOMPARE(codesOf(found->notes), std::vector<std::string>{"ibnetdiscover.routers"});
        QCOMPARE(std::get<Inventory>(found->what).cables.size(), std::size_t{1});
    }

    void tellsWhatIsBroken_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("code");
        const auto add = [](const char* name, const char* text, const char* where, const char* code) {
            QTest::newRow(name) << QString::fromLatin1(text) << QString::fromLatin1(where)
                                << QString::fromLatin1(code);
        };
        const char* line = "ibnetdiscover.line";
        add("no device before a port", "[1] \"S-a\"[2]\n", "f:1", line);
        add("no GUID", "Ca 1 \"h\" # \"h\"\n", "f:1", line);
        add("a port that leads nowhere", "Ca 1 \"H-a\" # \"h\"\n[1](a)\n", "f:2", line);
        add("a port number", "Ca 1 \"H-a\" # \"h\"\n[x](a) \"S-b\"[1]\n", "f:2", line);
        add("other text", "Ca 1 \"H-a\" # \"h\"\nhello\n", "f:2", line);
        add("twice", "Ca 1 \"H-a\" # \"h\"\nCa 1 \"H-a\" # \"h\"\n", "f:2", "ibnetdiscover.duplicate");
        add("an unknown end", "Ca 1 \"H-a\" # \"h\"\n[1](a) \"S-b\"[1] # lid 1 lmc 0 \"s\" lid 2 4xEDR\n",
            "f:2", "ibnetdiscover.unknown");
        add("host and switch", "Ca 1 \"H-a\" # \"n\"\nSwitch 1 \"S-b\" # \"n\"\n", "n", "ibnetdiscover.name");
        add("ends that contradict each other",
            "Ca 1 \"H-a\" # \"h\"\n[1](a) \"S-b\"[1] # lid 1 lmc 0 \"s\" lid 2 4xEDR\n"
            "Switch 2 \"S-b\" # \"s\"\n[2] \"H-a\"[1](a) # \"h\" lid 1 4xEDR\n",
            "f:4", "ibnetdiscover.port");
        add("no host", "Switch 1 \"S-b\" # \"n\"\n", "f", "ibnetdiscover.empty");
    }
    void tellsWhatIsBroken() {
        QFETCH(const QString, text);
        const Result<Imported> found = imported(text.toStdString());
        QVERIFY(!found);
        QTEST(QString::fromStdString(found.error().where), "where");
        QTEST(QString::fromStdString(found.error().code), "code");
    }

    // Drawn fabrics of random sizes, as a drawing: every cable is there once with its rate, whatever order
    // the tool found the devices in.
    void aFabricIsDrawnAsItIs() {
        std::mt19937 random(20261130);
        for (int k = 0; k < 20; ++k) {
            const int leaves = 2 + static_cast<int>(random() % 5),
                      spines = 1 + static_cast<int>(random() % 4), hosts = 1 + static_cast<int>(random() % 4),
                      up = 1 + static_cast<int>(random() % 4);
            std::vector<std::string> blocks;
            const auto host = [](int leaf, int at) { return fmt::format("h{}-{}", leaf, at); };
            for (int leaf = 0; leaf < leaves; ++leaf) {
                std::string block =
                    fmt::format("Switch 64 \"S-1{:x}\" # \"MF0;leaf{}:Q/U1\" lid 1\n", leaf, leaf);
                for (int at = 0; at < hosts; ++at) {
                    block += fmt::format("[{}] \"H-{:x}0{:x}\"[1](1) # \"{} m\" lid 1 4xHDR\n", at + 1,
                                         leaf + 1, at, host(leaf, at));
                    blocks.push_back(fmt::format("Ca 1 \"H-{:x}0{:x}\" # \"{} m\"\n[1](1) \"S-1{:x}\"[{}] # "
                                                 "lid 1 lmc 0 \"l\" lid 1 4xHDR\n",
                                                 leaf + 1, at, host(leaf, at), leaf, at + 1));
                }
                for (int spine = 0; spine < spines; ++spine)
                    for (int cable = 0; cable < up; ++cable)
                        block += fmt::format("[{}] \"S-2{:x}\"[{}] # \"s\" lid 1 4xNDR\n",
                                             40 + spine * up + cable, spine, leaf * up + cable + 1);
                blocks.push_back(std::move(block));
            }
            for (int spine = 0; spine < spines; ++spine) {
                std::string block =
                    fmt::format("Switch 64 \"S-2{:x}\" # \"MF0;spine{}:Q/U1\" lid 1\n", spine, spine);
                for (int leaf = 0; leaf < leaves; ++leaf)
                    for (int cable = 0; cable < up; ++cable)
                        block += fmt::format("[{}] \"S-1{:x}\"[{}] # \"l\" lid 1 4xNDR\n",
                                             leaf * up + cable + 1, leaf, 40 + spine * up + cable);
                blocks.push_back(std::move(block));
            }
            std::ranges::shuffle(blocks, random);
            std::string text = "# Topology file\n\n";
            for (const std::string& block : blocks)
                text += block + "\n";
            Diagnostics notes;
            ClusterAnswers answers;
            answers.devices = {{"", "A100-80"}};
            answers.gpus = 8;
            const Result<Cluster> cluster = clusterOf(read(text), answers, "c", notes);
            QVERIFY2(cluster, cluster ? "" : cluster.error().text().c_str());
            QCOMPARE(static_cast<int>(cluster->nodes.size()), leaves * hosts);
            QCOMPARE(static_cast<int>(cluster->switches.size()), leaves + spines);
            QCOMPARE(static_cast<int>(cluster->links.size()), leaves * hosts + leaves * spines);
            for (const Link& link : cluster->links) {
                const bool below = cluster->node(link.a) != nullptr;
                QCOMPARE(link.bandwidth.value, (below ? 200 : 400) * kGigabit);
                QCOMPARE(link.lanes, below ? 1 : up);
            }
            for (const Switch& item : cluster->switches)
                QCOMPARE(item.medium, std::string("InfiniBand"));
            for (const std::string& code : codesOf(notes))
                QVERIFY(code != "import.medium" && code != "import.trunk");
        }
    }

    // A trunk port that came up at half its width: two links between the same ends.
    void cablesOfOtherRatesAreLinksOfTheirOwn() {
        Diagnostics notes;
        ClusterAnswers answers;
        answers.devices = {{"", "A100-80"}};
        answers.gpus = 8;
        const Result<Cluster> cluster = clusterOf(
            read("Switch 9 \"S-a\" # \"leaf\" lid 1\n[1] \"H-c\"[1](1) # \"h1 m\" lid 1 4xNDR\n"
                 "[2] \"H-d\"[1](1) # \"h2 m\" lid 1 4xNDR\n[3] \"S-b\"[1] # \"spine\" lid 1 4xNDR\n"
                 "[4] \"S-b\"[2] # \"spine\" lid 1 2xNDR\nSwitch 9 \"S-b\" # \"spine\" lid 2\n"
                 "Ca 1 \"H-c\" # \"h1 m\"\nCa 1 \"H-d\" # \"h2 m\"\n"),
            answers, "c", notes);
        QVERIFY2(cluster, cluster ? "" : cluster.error().text().c_str());
        QCOMPARE(cluster->links.size(), std::size_t{4});
        double up = 0.0;
        for (const Link& link : cluster->links)
            if (!cluster->node(link.a) && !cluster->node(link.b))
                up += link.bandwidth.value * link.lanes;
        QCOMPARE(up, 600 * kGigabit);
    }

    // What a scheduler's list has no GPUs of is no node: the subnet manager, storage, login nodes.
    void hostsThatNobodyCountsGpusOfAreLeftOutBesideASchedulersList() {
        Inventory fabric = read(seed("leaf-spine"));
        Inventory counted;
        counted.hosts.push_back({});
        counted.hosts.back().name = "node2";
        counted.hosts.back().gpuCount = 8;
        const Result<Inventory> both = joinInventories({fabric, counted}, {"a", "b"});
        QVERIFY(both);
        Diagnostics notes;
        ClusterAnswers answers;
        answers.devices = {{"", "A100-80"}};
        const Result<Cluster> cluster = clusterOf(*both, answers, "c", notes);
        QVERIFY2(cluster, cluster ? "" : cluster.error().text().c_str());
        QCOMPARE(cluster->nodes.size(), std::size_t{1});
        Inventory other;
        other.medium = "Ethernet";
        QVERIFY(!joinInventories({fabric, other}, {"a", "b"}));
    }
};

QTEST_APPLESS_MAIN(IbnetdiscoverTest)
#include "ibnetdiscover_test.moc"

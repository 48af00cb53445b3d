// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Importers of machines and timed links on small inputs of their own: each is known by its content, and each
// rule that an input can break is told with its place.
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/exchange/imports/import_table.h"
#include "core/exchange/imports/machines/pci_kinds.h"
#include "core/inventory/inventory_cluster.h"
#include "core/links/link_fit.h"
#include "tests/test_data.h"

#include <QtTest>

#include <algorithm>

using namespace pw;

namespace {

const ImporterRow& rowOf(const std::string& kind) {
    return *std::find_if(importerTable().begin(), importerTable().end(),
                         [&](const ImporterRow& row) { return kind == row.kind; });
}

Result<Imported> readMachine(const std::string& kind, const std::string& text) {
    return rowOf(kind).import(text, "f", {});
}

std::string whole(const Error& error) {
    std::string all = error.text();
    for (const Error& reason : error.reasons)
        all += "\n" + reason.text();
    return all;
}

// Of a text whose kind nobody states.
Inventory recognised(const std::string& kind, const std::string& text) {
    if (!rowOf(kind).recognise(text, "f"))
        qFatal("not recognised as %s", kind.c_str());
    const Result<Imported> found = readMachine(kind, text);
    if (!found)
        qFatal("%s", whole(found.error()).c_str());
    return std::get<Inventory>(found->what);
}

} // namespace

class MachinesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // An importer that is added must be fuzzed too.
    void everyImporterHasASeedForTheFuzzer() {
        for (const ImporterRow& row : importerTable()) {
            const auto seeds = std::filesystem::path(PW_SOURCE_DIR) / "tests/fuzz/corpus" / row.kind;
            QVERIFY2(std::filesystem::exists(seeds) && !std::filesystem::is_empty(seeds),
                     (seeds.string() + " holds no seed: put a small valid file there").c_str());
        }
    }

    // The seeds of the fuzzers are one small valid input of every form. Those of measured layers are read
    // with the names that they lie under, and by the tests of their importers.
    void knowsEverySeedByItsContent_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("path");
        const QDir corpus(QStringLiteral(PW_SOURCE_DIR "/tests/fuzz/corpus"));
        const QStringList layers = {QStringLiteral("metis"), QStringLiteral("aceso"),
                                    QStringLiteral("galvatron"), QStringLiteral("kineto")};
        for (const ImporterRow& importer : importerTable()) {
            const QString kind = QString::fromUtf8(importer.kind);
            if (layers.contains(kind.section(QLatin1Char('-'), 0, 0)) &&
                kind != QStringLiteral("metis-cluster"))
                continue;
            const QDir folder(corpus.filePath(kind));
            for (const QString& name : folder.entryList(QDir::Files))
                QTest::newRow(qPrintable(kind + QLatin1Char('/') + name)) << kind << folder.filePath(name);
        }
    }
    void knowsEverySeedByItsContent() {
        QFETCH(QString, kind);
        QFETCH(QString, path);
        const Result<const ImporterRow*> row = recogniseFile(path.toStdString());
        QVERIFY(row && *row != nullptr);
        QCOMPARE(QString::fromUtf8((*row)->kind), kind);
        ImportHints hints;
        hints.deviceKind = "A100-80";
        hints.modelName = "m";
        const Result<Imported> found = importFile(path.toStdString(), "", hints);
        QVERIFY2(found, found ? "" : whole(found.error()).c_str());
    }

    void tellsWhatIsBroken_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("message");
        const auto add = [](const char* name, const char* kind, const char* text, const char* where,
                            const char* message) {
            QTest::newRow(name) << QString::fromUtf8(kind) << QString::fromUtf8(text)
                                << QString::fromUtf8(where) << QString::fromUtf8(message);
        };
        add("matrix: diagonal", "nvidia-topo", "\tGPU0\tGPU1\nGPU0\t X \tSYS\nGPU1\tSYS\tSYS\n", "f:3",
            "expected X");
        add("matrix: X elsewhere", "nvidia-topo", "\tGPU0\tGPU1\nGPU0\t X \t X \nGPU1\t X \t X \n", "f:2",
            "device itself");
        add("matrix: short row", "nvidia-topo", "\tGPU0\tGPU1\nGPU0\t X \n", "f:2", "1 cells; expected 2");
        add("matrix: column twice", "nvidia-topo", "\tGPU0\tGPU0\nGPU0\t X \tSYS\nGPU0\tSYS\t X \n", "f:1",
            "twice");
        add("gpus: index twice", "nvidia-gpus", "index, name\n0, A\n0, B\n", "f:3", "index 0 of line 2");
        add("gpus: bus twice", "nvidia-gpus", "name, pci.bus_id\nA, 00000000:0A:00.0\nA, 0000:0a:00.0\n",
            "f:3", "line 2");
        add("gpus: no header", "nvidia-gpus", "0, NVIDIA A100, 81920 MiB\n", "f:1", "with its first line");
        add("gpus: fields", "nvidia-gpus", "index, name\n0\n", "f:2", "1 fields; expected 2");
        add("gpus: memory", "nvidia-gpus", "name, memory.total [MiB]\nA, lots\n", "f:2", "81920 MiB");
        add("xml: root", "nccl-topo", "<a/>", "f:1:1 <a>", "<system>");
        add("xml: version", "nccl-topo", "<system version=\"2\"/>", "f:1:1 <system>", "expected 1");
        add("xml: no GPU", "nccl-topo", "<system version=\"1\"><cpu/></system>", "f:1:1 <system>", "no GPU");
        add("xml: attribute twice", "nccl-topo", "<system version=\"1\" version=\"1\"/>", "f:1:1", "twice");
        add("xml: negative width", "nccl-topo",
            "<system version=\"1\"><cpu>\n<pci busid=\"1\" class=\"0x030000\" "
            "link_width=\"-4\"/></cpu></system>",
            "f:2:1", "link_width");
        add("xml: link to nothing", "nccl-topo",
            "<system version=\"1\"><cpu><pci busid=\"1\" class=\"0x030000\"><gpu sm=\"80\">\n"
            "<nvlink target=\"9\" count=\"1\" tclass=\"0x030200\"/></gpu></pci></cpu></system>",
            "f:2:1", "leads to 9");
        add("xml: rank twice", "nccl-topo",
            "<system version=\"1\"><cpu><pci busid=\"1\" class=\"0x030000\"><gpu dev=\"0\" "
            "rank=\"0\"/></pci>\n"
            "<pci busid=\"2\" class=\"0x030000\"><gpu dev=\"1\" rank=\"0\"/></pci></cpu></system>",
            "f:2", "rank 0 of line 1");
        add("slurm: both", "slurm", "SwitchName=a Nodes=b Switches=c\n", "f:1", "both Nodes and Switches");
        add("slurm: two leaves", "slurm", "SwitchName=a Nodes=n[0-2]\nSwitchName=b Nodes=n2\n", "f:2",
            "n2 is already");
        add("slurm: two parents", "slurm",
            "SwitchName=a Nodes=n\nSwitchName=b Switches=a\nSwitchName=c Switches=a\n", "f:3", "only trees");
        add("slurm: unknown child", "slurm", "SwitchName=b Switches=a\n", "f:1", "a is no switch");
        add("slurm: backwards", "slurm", "SwitchName=b Nodes=n[5-2]\n", "f:1", "backwards");
        add("slurm: links row", "slurm",
            "NodeName=v Name=gpu File=/dev/nvidia0 Links=-1,2,2\nNodeName=v Name=gpu File=/dev/nvidia1 "
            "Links=2,-1\n",
            "f:1", "3 entries");
        add("slurm: links differ", "slurm",
            "NodeName=v Name=gpu File=/dev/nvidia0 Links=-1,2\nNodeName=v Name=gpu File=/dev/nvidia1 "
            "Links=1,-1\n",
            "f:2", "2 links one way and 1");
        add("slurm: counts differ", "slurm", "NodeName=a Gres=gpu:4 State=IDLE CfgTRES=cpu=1,gres/gpu=8\n",
            "f:1", "Gres counts 4 GPUs, CfgTRES 8");
        add("slurm: no name", "slurm", "NodeName=a State=IDLE RealMemory=1\n\n   Gres=gpu:4\n", "f:3",
            "without NodeName");
        add("k8s: count", "kubernetes",
            R"({"kind": "List", "items": [{"metadata": {"name": "a", "labels": {"nvidia.com/gpu.count": "-8"}}}]})",
            "f#/items/0/metadata/labels/nvidia.com~1gpu.count", "digits");
        add("k8s: no name", "kubernetes", R"({"kind": "List", "items": [{"metadata": {}}]})",
            "f#/items/0/metadata/name", "missing");
        add("k8s: kind", "kubernetes", R"({"kind": "PodList", "items": []})", "f#/kind", "NodeList");
        add("hwloc: no GPU", "hwloc", "<topology version=\"2.1\"/>", "f:1:1 <topology>", "no GPU");
        add("hwloc: version", "hwloc", "<topology version=\"1.11\"/>", "f:1:1 <topology>", "2.x or 3.x");
        add("hwloc: index twice", "hwloc",
            "<topology version=\"2.0\"><object type=\"Machine\" gp_index=\"1\"/>\n<object type=\"Machine\" "
            "gp_index=\"1\"/>"
            "</topology>",
            "f:2:1 <object>", "gp_index 1 of line 1");
        add("metis: rate", "metis-cluster",
            R"({"a": {"instance_type": "A100", "inter_bandwidth": 12.5, "intra_bandwidth": 3e11, "memory": 80}})",
            "f#/a/inter_bandwidth", "bytes per second");
        add("hosts: twice", "hostfile", "a slots=1\na slots=2\n", "f:2", "host a of line 1");
        add("hosts: some types", "hostfile", "a slots=1 type=A\nb slots=2\n", "f:2", "either every host");
        add("hosts: slots twice", "hostfile", "a slots=8 slots=4\n", "f:1", "slots=4 stands behind");
        add("hosts: type twice", "hostfile", "a slots=8 type=A type=B\n", "f:1", "type=B stands behind");
        add("hosts: no slots", "hostfile", "a slots=x\n", "f:1", "slots=N");
        add("astra: lengths", "astra-sim",
            "topology: [Ring]\nnpus_count: [2, 2]\nbandwidth: [1]\nlatency: [0]\n", "f#/npus_count",
            "2 entries");
        add("astra: word", "astra-sim", "topology: [Rung]\nnpus_count: [2]\nbandwidth: [1]\nlatency: [0]\n",
            "f#/topology/0", "Ring, Switch or FullyConnected");
        add("astra: one", "astra-sim", "topology: [Ring]\nnpus_count: [1]\nbandwidth: [1]\nlatency: [0]\n",
            "f#/npus_count/0", "at least 2");
        add("astra: too many", "astra-sim", R"({"logical-dims": ["100000", "100000"]})", "f#/logical-dims",
            "131072");
        add("slurm.conf: node twice", "slurm", "ClusterName=c\nNodeName=a[1-2] CPUs=8\nNodeName=a2 CPUs=8\n",
            "f:3", "repeats the node a2");
        add("slurm.conf: host list", "slurm", "ClusterName=c\nNodeName=a[2-1] CPUs=8\n", "f:2", "");
        add("slurm.conf: gres", "slurm", "ClusterName=c\nNodeName=a CPUs=8 Gres=gpu:x:y:z\n", "f:2", "");
        add("sinfo: no GRES", "slurm", "PARTITION AVAIL NODES STATE NODELIST\nall up 2 idle a[1-2]\n", "f:1",
            "no column GRES");
        add("sinfo: words", "slurm", "NODELIST GRES\na[1-2] gpu:8 more\n", "f:2", "3 words under 2 columns");
        add("sinfo: host list", "slurm", "NODELIST GRES\na[2-1] gpu:8\n", "f:2", "");
        add("simai: id", "simai", "3 2 0 1 1 A100\n2\n0 7 1Gbps 1us 0\n", "f:3", "0 to 2");
        add("simai: bare number", "simai", "3 2 0 1 1 A100\n2\n0 2 200 1us 0\n", "f:3", "Gbps");
        add("simai: self", "simai", "3 2 0 1 1 A100\n2\n0 0 1Gbps 1us 0\n", "f:3", "itself");
        add("simai: servers", "simai", "4 2 0 1 0 A100\n3\n", "f:1", "no whole servers of 2");
        add("simai: switch id", "simai", "3 2 0 1 1 A100\n0\n0 2 1Gbps 1us 0\n", "f:2", "ids are 2 to 2");
        const char* head = "# nThread 1\n# Rank 0 on a device 0 [1] T4\n# Rank 1 on a device 1 [2] T4\n"
                           "# size count type redop time algbw busbw #wrong time algbw busbw #wrong\n";
        const auto timed = [&](const char* row) {
            return std::string(head) + row + "\n# Avg bus bandwidth : 1\n";
        };
        add("links: wrong results", "nccl-tests", timed("8 2 float sum 1 2 2 3 1 2 2 0").c_str(), "f:5",
            "#wrong is 3");
        add("links: no time", "nccl-tests", timed("8 2 float sum 0 2 2 0 1 2 2 0").c_str(), "f:5", "above 0");
        add("links: factor", "nccl-tests",
            ("# Collective test starting: all_reduce_perf\n" + timed("8 2 float sum 1 2 3 0 1 2 2 0"))
                .c_str(),
            "f:6", "1.500 times algbw");
        add("links: unknown", "nccl-tests",
            ("# Collective test starting: gossip_perf\n" + timed("8 2 float sum 1 2 2 0 1 2 2 0")).c_str(),
            "f:1", "gossip");
        add("links: no rows", "nccl-tests", head, "f:1", "without rows");
        add("links: no ranks", "nccl-tests", "# size time algbw busbw time algbw busbw\n8 1 2 2 1 2 2\n",
            "f:1", "--ranks");
    }
    void tellsWhatIsBroken() {
        QFETCH(QString, kind);
        QFETCH(QString, text);
        QFETCH(QString, where);
        QFETCH(QString, message);
        const Result<Imported> found = readMachine(kind.toStdString(), text.toStdString());
        QVERIFY(!found);
        QCOMPARE(found.error().kind, ErrorKind::BadInput);
        const std::string all = whole(found.error());
        QVERIFY2(found.error().where.starts_with(where.toStdString()), all.c_str());
        QVERIFY2(all.find(message.toStdString()) != std::string::npos, all.c_str());
    }

    // What users have at hand: a row of every partition and state, in short words.
    void readsSinfo() {
        const char* table = "NODELIST       NODES PARTITION STATE MEMORY  GRES\n"
                            "gpu[001-002]       2 train*    idle~ 515000+ gpu:h100:8(S:0-1)\n"
                            "old[01-03]         3 train*    mix   257000  gpu:l40s:4\n"
                            "gpu[001-002]       2 all       idle~ 515000+ gpu:h100:8(S:0-1)\n"
                            "old04              1 all       drng  257000  gpu:l40s:4\n"
                            "old05              1 all       alloc* 257000 gpu:l40s:4\n"
                            "login1             1 all       idle  64000   (null)\n";
        const Inventory inventory = recognised("slurm", table);
        QCOMPARE(inventory.hosts.size(), std::size_t{6}); // each once
        QCOMPARE(inventory.hosts[0].name, std::string("gpu001"));
        QCOMPARE(inventory.hosts[0].gpus.size(), std::size_t{8});
        QCOMPARE(inventory.hosts[0].gpus[7].model, std::string("h100"));
        QCOMPARE(inventory.hosts[0].memory->value, 515000.0 * 1024 * 1024);
        QCOMPARE(inventory.hosts[4].gpus.size(), std::size_t{4});
        QCOMPARE(inventory.hosts[5].gpus.size(), std::size_t{0});
        QCOMPARE(inventory.excluded.size(), std::size_t{2});
        QCOMPARE(inventory.excluded[0].name, std::string("old04"));
        QVERIFY(inventory.excluded[0].reason.find("DRAINING") != std::string::npos);
    }

    // The file that every Slurm cluster has: nodes among all else, with defaults, quotes and long lines.
    void readsSlurmConf() {
        const char* conf =
            "# slurm.conf\nClusterName=c\nSlurmctldHost=head(10.0.0.1)\ninclude /etc/more.conf\n"
            "SlurmdParameters=config_overrides,l3cache_as_socket\n"
            "NodeName=DEFAULT RealMemory=1031000 State=UNKNOWN Feature=ib\n"
            "DownNodes=gpu[03-04] Reason=\"no power\"\n"
            "NodeName=gpu[01-04] CPUs=128 \\\n   Gres=gpu:a100:8(S:0-1) \n"
            "NodeName=old CPUs=64 Gres=gpu:v100:4 State=DOWN Reason=\"broken fan in 3\"\n"
            "nodename=cpu01 CPUs=64\nPartitionName=all Nodes=ALL Default=YES\n";
        const Inventory inventory = recognised("slurm", conf);
        QCOMPARE(inventory.hosts.size(), std::size_t{3});
        QCOMPARE(inventory.hosts[1].name, std::string("gpu02"));
        QCOMPARE(inventory.hosts[1].gpus.size(), std::size_t{8});
        QCOMPARE(inventory.hosts[1].gpus[7].model, std::string("a100"));
        QCOMPARE(inventory.hosts[1].memory->value, 1031000.0 * 1024 * 1024);
        QVERIFY(inventory.hosts[1].note.find("ib") != std::string::npos);
        QCOMPARE(inventory.hosts[2].gpus.size(), std::size_t{0});
        QCOMPARE(inventory.excluded.size(), std::size_t{3});
        QCOMPARE(inventory.excluded[0].name, std::string("gpu03"));
        QCOMPARE(inventory.excluded[0].reason, std::string("DOWN: no_power"));
        QCOMPARE(inventory.excluded[2].reason, std::string("DOWN: broken_fan_in_3"));
    }

    // A comment goes to the end of its line, and its backslash with it: what follows is a line of its own.
    void joinsNoLinesByCommentsOfSlurmConf() {
        const Result<Imported> found =
            readMachine("slurm", "ClusterName=c\n"
                                 "NodeName=a[1-2] Gres=gpu:a100:8 # of two racks \\\n"
                                 "PartitionName=all Nodes=ALL State=UP\n");
        QVERIFY2(found, found ? "" : whole(found.error()).c_str());
        QCOMPARE(std::get<Inventory>(found->what).hosts.size(), std::size_t{2});
    }

    // The forms of Open MPI 4 and 5, with and without the time.
    void takesOffMpirunsTags_data() {
        QTest::addColumn<QByteArray>("tag");
        QTest::addColumn<bool>("taken");
        const auto row = [](const char* name, const char* tag, bool taken) {
            QTest::newRow(name) << QByteArray(tag) << taken;
        };
        row("rank", "[1,0]<stdout>:", true);
        row("rank and a blank", "[1,0]<stdout>: ", true);
        row("host", "[gpu-3:1,0]<stdout>:", true);
        row("name of the job", "[prterun-gpu-3-4242@1,0]<stdout>:", true);
        row("name, host and process", "[prterun-gpu-3-4242@1,0][gpu-3:4250]<stdout>:", true);
        row("time", "Fri Nov 27 15:46:20 2026<stdout>:", true);
        row("time in brackets", "[Fri Nov 27 15:46:20 2026]<stdout>:", true);
        row("time and rank", "Fri Nov 27 15:46:20 2026[1,0]<stdout>:", true);
        row("day and rank", "2026-11-27T15:46:20.123+01:00 [1,0]<stdout>:", true);
        row("no tag", "<1> stdout ", false);
    }
    void takesOffMpirunsTags() {
        QFETCH(QByteArray, tag);
        QFETCH(bool, taken);
        const auto plain = readFile(test::testData("topology/nccl_tests_all_reduce_4gpu.txt"));
        QVERIFY(plain);
        std::string tagged;
        for (const TextLine& line : linesOf(*plain))
            tagged += tag.toStdString() + std::string(line.text) + "\n";
        const Result<Imported> as = readMachine("nccl-tests", *plain),
                               behind = readMachine("nccl-tests", tagged);
        QVERIFY(as);
        if (!taken) {
            QVERIFY(!behind);
            return;
        }
        QVERIFY2(behind, behind ? "" : whole(behind.error()).c_str());
        QVERIFY(rowOf("nccl-tests").recognise(tagged, "log"));
        QVERIFY(std::get<std::vector<LinkMeasurement>>(as->what) ==
                std::get<std::vector<LinkMeasurement>>(behind->what));
    }

    // Clouds' topologies name adapters without a speed; a dump of a running job has it.
    void saysWhichAdaptersHaveNoSpeed() {
        for (const auto& [name, adapters] :
             {std::pair{"nccl_azure_ndv4-topo.xml", 8}, {"nccl_topo_dump_own.xml", 0}}) {
            const auto found = importFile(test::testData(std::string("topology/") + name), {}, {});
            QVERIFY2(found, name);
            const auto note = std::find_if(found->notes.begin(), found->notes.end(),
                                           [](const Diagnostic& d) { return d.code == "nccl.nic_speed"; });
            QCOMPARE(note != found->notes.end(), adapters > 0);
            if (adapters > 0)
                QVERIFY2(note->message.starts_with(std::to_string(adapters) + " network adapters"),
                         note->message.c_str());
        }
    }

    // The file calls its GPUs by their PCI ids alone.
    void knowsGpusByTheirPciIds() {
        for (const auto& [name, kind] : {std::pair{"nccl_azure_ncv4-topo.xml", "A100-PCIe-80GB"},
                                         {"nccl_topo_dump_own.xml", "H100-SXM-80GB"}}) {
            const auto found = importFile(test::testData(std::string("topology/") + name), {}, {});
            QVERIFY2(found, name);
            const auto& gpus = std::get<Inventory>(found->what).hosts.front().gpus;
            QVERIFY(std::ranges::count(gpus, kind, &InventoryGpu::model) > 0);
            for (const InventoryGpu& gpu : gpus)
                QVERIFY2(gpu.model.empty() || gpu.model == kind, gpu.model.c_str());
        }
        int known = 0;
        for (int id = 0; id <= 0xffff; ++id) {
            const std::string text = QStringLiteral("0x%1").arg(id, 4, 16, QLatin1Char('0')).toStdString();
            const std::string_view kind = kindOfPciIds("0x10DE", text);
            QVERIFY2(kind.empty() || Catalogue::builtin().find(kind) != nullptr, text.c_str());
            known += kind.empty() ? 0 : 1;
        }
        QVERIFY(known > 30);
        QVERIFY(kindOfPciIds("0x1002", "0x20b5").empty() && kindOfPciIds("0x10de", "").empty());
    }

    // The environment of a user's run is nobody's business.
    void forgetsTheEnvironment() {
        const std::string path = PW_SOURCE_DIR "/tests/fuzz/corpus/nccl-tests/json";
        const Result<Imported> found = importFile(path, "", {});
        QVERIFY(found);
        QVERIFY(printLinks(std::get<std::vector<LinkMeasurement>>(found->what)).find("SECRET") ==
                std::string::npos);
    }

    // Found by the fuzzer: the same 40,000 nodes twice took a minute.
    void joinsLargeTopologiesInLinearTime() {
        const char* text = "SwitchName=a Nodes=n[0-199]x[0-199]\nSwitchName=s Switches=a\n";
        const Result<Imported> joined =
            joinImported({*readMachine("slurm", text), *readMachine("slurm", text)}, {"one", "two"});
        QVERIFY(joined);
        const Inventory& all = std::get<Inventory>(joined->what);
        QCOMPARE(all.hosts.size(), std::size_t{40'000});
        QCOMPARE(all.switches.size(), std::size_t{2});
        QCOMPARE(all.cables.size(), std::size_t{40'001});
    }

    // Open MPI's bound of processes says nothing of GPUs.
    void passesOverMaxSlots() {
        const Result<Imported> read =
            readMachine("hostfile", "a slots=4 max_slots=8\nb slots=8 max_slots=8\n");
        QVERIFY(read);
        const Inventory& all = std::get<Inventory>(read->what);
        QCOMPARE(all.hosts.size(), std::size_t{2});
        QCOMPARE(all.hosts[0].gpus.size(), std::size_t{4});
        QVERIFY(!readMachine("hostfile", "a slots=4 most_slots=8\n"));
    }

    void refusesFilesThatContradictEachOther() {
        const auto part = [](const char* text) { return *readMachine("hostfile", text); };
        const Result<Imported> joined =
            joinImported({part("a slots=4\n"), part("a slots=8\n")}, {"one", "two"});
        QVERIFY(!joined);
        QCOMPARE(joined.error().text(), std::string("two: counts 8 GPUs of a, another file 4"));
        QVERIFY(!joinImported(
            {part("a slots=4\n"), *readMachine("nvidia-gpus", "name, memory.total [MiB]\nT4, 1 MiB\n"),
             part("b slots=4\n"), *readMachine("nvidia-gpus", "name, memory.total [MiB]\nT4, 1 MiB\n")},
            {"1", "2", "3", "4"}));
    }

    void takesPcieWhereTheMatrixHasNoNvlink() {
        Diagnostics notes;
        ClusterAnswers answers;
        answers.devices = {{"", "A100-80"}};
        const auto cluster = [&](const char* text) {
            return *clusterOf(std::get<Inventory>(readMachine("nvidia-topo", text)->what), answers, "c",
                              notes);
        };
        QCOMPARE(cluster("\tGPU0\tGPU1\nGPU0\t X \tNV12\nGPU1\tNV12\t X \n").nodes[0].intraBandwidth,
                 BytesPerSecond(0));
        QVERIFY(notes.empty());
        const Cluster pcie = cluster("\tGPU0\tGPU1\nGPU0\t X \tSYS\nGPU1\tSYS\t X \n");
        QCOMPARE(pcie.nodes[0].intraBandwidth, Catalogue::builtin().find("A100-80")->pcie);
        QCOMPARE(notes.size(), std::size_t{1});
    }
};

QTEST_APPLESS_MAIN(MachinesTest)
#include "machines_test.moc"

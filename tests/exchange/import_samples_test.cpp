// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Every file of machines, models and links in tests/data with the values that its README states, and every
// broken one with the place of its mistake.
#include "core/exchange/imports/import_table.h"
#include "core/inventory/inventory_cluster.h"
#include "tests/test_data.h"

#include <QtTest>

#include <cmath>
#include <functional>
#include <map>
#include <set>

using namespace pw;

namespace {

#define EXPECT(condition)                                                                                    \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            return std::string(#condition);                                                                  \
    } while (false)

// What is not as it should be, or "".
using Check = std::function<std::string(const Imported&)>;

bool near(double a, double b, double within = 1e-6) {
    return std::abs(a - b) <= within * std::abs(b);
}

struct Size {
    const char* family;
    std::int64_t blocks, hidden, heads, kvHeads, headDim, ffn, vocab;
    bool tied;
    std::int64_t parameters;
};

Check model(Size size, std::function<std::string(const Model&)> more = {}) {
    return [=](const Imported& found) -> std::string {
        const Model& m = std::get<Model>(found.what);
        EXPECT(m.family == size.family);
        EXPECT(m.blocks == size.blocks && m.hidden == size.hidden);
        EXPECT(m.heads == size.heads && m.kvHeads == size.kvHeads && m.headDim == size.headDim);
        EXPECT(m.ffn == size.ffn && m.vocab == size.vocab && m.tied == size.tied);
        EXPECT(parameterCount(m) == size.parameters);
        return more ? more(m) : "";
    };
}

Check machines(std::size_t hosts, int gpus, std::function<std::string(const Inventory&)> more = {}) {
    return [=](const Imported& found) -> std::string {
        const Inventory& inventory = std::get<Inventory>(found.what);
        EXPECT(inventory.hosts.size() == hosts);
        EXPECT(gpuCount(inventory) == gpus);
        return more ? more(inventory) : "";
    };
}

Check links(const char* collective, int ranks, std::size_t out, std::size_t in, double us, double usIn,
            double bus) {
    return [=](const Imported& found) -> std::string {
        const auto& all = std::get<std::vector<LinkMeasurement>>(found.what);
        EXPECT(all.size() == 1);
        const LinkMeasurement& m = all.front();
        EXPECT(m.collective == collective && m.ranks == ranks);
        EXPECT(m.outOfPlace.size() == out && m.inPlace.size() == in);
        EXPECT(m.outOfPlaceFit && m.inPlaceFit);
        EXPECT(near(m.outOfPlaceFit->latency.value, us * 1e-6, 1e-3));
        EXPECT(near(m.inPlaceFit->latency.value, usIn * 1e-6, 1e-3));
        EXPECT(near(m.outOfPlaceFit->bus.value, bus * 1e9, 1e-3));
        EXPECT(near(m.inPlaceFit->bus.value, bus * 1e9, 1e-3));
        return "";
    };
}

const GpuPair* pair(const InventoryHost& host, int a, int b) {
    for (const GpuPair& p : host.pairs)
        if (p.a == a && p.b == b)
            return &p;
    return nullptr;
}

std::string cloud(const Inventory& i, double pcie, std::size_t nics, int cpus) {
    const InventoryHost& h = i.hosts.front();
    EXPECT(h.processors == cpus && h.nics.size() == nics);
    for (const InventoryGpu& gpu : h.gpus) {
        EXPECT(near(gpu.pcie->value, pcie));
        EXPECT(!gpu.memory && gpu.model.empty() && !gpu.toSwitch);
    }
    return "";
}

std::string crlfMatrix(const Inventory& i) {
    const InventoryHost& h = i.hosts.front();
    for (const auto& [a, b] : {std::pair{0, 1}, {0, 2}, {1, 3}, {2, 3}})
        EXPECT(pair(h, a, b)->nvlinks == 12);
    EXPECT(pair(h, 0, 3)->path == "SYS" && pair(h, 1, 2)->path == "SYS");
    EXPECT(h.gpus[0].numa == 0 && h.gpus[1].numa == 0 && h.gpus[2].numa == 1 && h.gpus[3].numa == 1);
    return "";
}

struct Sample {
    std::string kind;
    Check check;
};

const std::map<std::string, Sample>& samples() {
    constexpr std::int64_t kNeo = 2'651'307'520;
    static const std::map<std::string, Sample> table = {
        {"models/hf_llama2_7b_config.json",
         {"hf-config", model({"llama", 32, 4096, 32, 32, 128, 11008, 32000, false, 6'738'415'616})}},
        {"models/hf_llama3_8b_config.json",
         {"hf-config", model({"llama", 32, 4096, 32, 8, 128, 14336, 128256, false, 8'030'261'248})}},
        {"models/hf_llama3_70b_config.json",
         {"hf-config", model({"llama", 80, 8192, 64, 8, 128, 28672, 128256, false, 70'553'706'496})}},
        {"models/hf_mistral_7b_config.json",
         {"hf-config", model({"mistral", 32, 4096, 32, 8, 128, 14336, 32000, false, 7'241'732'096},
                             [](const Model& m) -> std::string {
                                 EXPECT(m.dtype == "bfloat16");
                                 return "";
                             })}},
        {"models/hf_qwen2_0.5b_config.json",
         {"hf-config", model({"qwen2", 24, 896, 14, 2, 64, 4864, 151936, true, 494'032'768},
                             [](const Model& m) -> std::string {
                                 EXPECT(m.qkvBias && !m.attentionOutBias);
                                 return "";
                             })}},
        {"models/hf_qwen2_7b_config.json",
         {"hf-config", model({"qwen2", 28, 3584, 28, 4, 128, 18944, 152064, false, 7'615'616'512})}},
        {"models/hf_mixtral_8x7b_config.json",
         {"hf-config", model({"mixtral", 32, 4096, 32, 8, 128, 14336, 32000, false, 46'702'792'704},
                             [](const Model& m) -> std::string {
                                 EXPECT(m.experts.count == 8 && m.experts.perToken == 2);
                                 return "";
                             })}},
        {"models/hf_gpt2_config.json",
         {"hf-config", model({"gpt2", 12, 768, 12, 12, 64, 3072, 50257, true, 124'439'808},
                             [](const Model& m) -> std::string {
                                 EXPECT(m.positions == 1024);
                                 return "";
                             })}},
        {"models/hf_gpt_neox_20b_config.json",
         {"hf-config", model({"gpt_neox", 44, 6144, 64, 64, 96, 24576, 50432, false, 20'554'567'680})}},
        {"models/hf_gpt_neo_2.7b_config.json",
         {"hf-config", model({"gpt_neo", 32, 2560, 20, 20, 128, 10240, 50257, true, kNeo},
                             [](const Model& m) -> std::string {
                                 EXPECT(m.window.size() == 32 && m.window[0] == 0 && m.window[1] == 256);
                                 EXPECT(m.positions == 2048);
                                 return "";
                             })}},
        {"models/hf_deepseek_v3_config.json",
         {"hf-config", model({"deepseek_v3", 61, 7168, 128, 128, 192, 18432, 129280, false, 671'026'419'200},
                             [](const Model& m) -> std::string {
                                 EXPECT(m.experts.count == 256 && m.experts.shared == 1 &&
                                        m.experts.perToken == 8);
                                 EXPECT(m.experts.denseBlocks.size() == 3 && m.predictionDepth == 1);
                                 EXPECT(m.latent.queryRank == 1536 && m.latent.kvRank == 512);
                                 return "";
                             })}},
        {"topology/nccl_tests_all_reduce_4gpu.txt",
         {"nccl-tests", links("all_reduce", 4, 28, 28, 24.0, 23.0, 200.0)}},
        {"topology/nccl_tests_all_gather_4gpu_old_format.txt",
         {"nccl-tests", links("all_gather", 4, 10, 10, 30.0, 30.0, 120.0)}},
        {"topology/nccl_tests_sendrecv_2gpu.json",
         {"nccl-tests", links("sendrecv", 2, 10, 11, 12.0, 12.0, 24.0)}},
        {"topology/nvidia_smi_topo_m_4gpu.txt",
         {"nvidia-topo", machines(1, 4,
                                  [](const Inventory& i) -> std::string {
                                      const InventoryHost& h = i.hosts.front();
                                      EXPECT(h.pairs.size() == 6);
                                      for (const GpuPair& p : h.pairs)
                                          EXPECT(p.nvlinks == 12 && p.path == "NV12");
                                      EXPECT(h.nics.size() == 2 && h.nics[0].name == "mlx5_0" &&
                                             h.nics[1].name == "mlx5_1");
                                      EXPECT(h.gpus[1].numa == 0 && h.gpus[2].numa == 1);
                                      return "";
                                  })}},
        {"topology/nvidia_smi_topo_m_2gpu_old_driver.txt",
         {"nvidia-topo", machines(1, 2,
                                  [](const Inventory& i) -> std::string {
                                      EXPECT(pair(i.hosts.front(), 0, 1)->path == "PHB");
                                      EXPECT(!i.hosts.front().gpus[0].numa);
                                      return "";
                                  })}},
        {"topology/nvidia_smi_topo_m_ansi_header.txt",
         {"nvidia-topo", machines(1, 2,
                                  [](const Inventory& i) -> std::string {
                                      EXPECT(pair(i.hosts.front(), 0, 1)->path == "NODE");
                                      return "";
                                  })}},
        {"topology/nvidia_smi_query_gpu_4gpu.csv",
         {"nvidia-gpus", machines(1, 4,
                                  [](const Inventory& i) -> std::string {
                                      const InventoryGpu& g = i.hosts.front().gpus[3];
                                      EXPECT(g.model == "NVIDIA A100-SXM4-80GB" && g.busId == "0000:8f:00.0");
                                      EXPECT(g.memory == gibibytes(80));
                                      return "";
                                  })}},
        {"topology/nccl_topo_dump_own.xml",
         {"nccl-topo",
          machines(1, 2,
                   [](const Inventory& i) -> std::string {
                       const InventoryHost& h = i.hosts.front();
                       EXPECT(h.processors == 1 && h.nvswitches == 1);
                       EXPECT(h.gpus[0].compute == 90 && near(h.gpus[0].toSwitch->value, 370.8e9));
                       EXPECT(near(h.gpus[1].toSwitch->value, 370.8e9));
                       EXPECT(near(h.gpus[0].pcie->value, 48e9) && near(h.gpus[1].pcie->value, 12e9));
                       EXPECT(h.nics.size() == 1 && h.nics[0].name == "mlx5_0");
                       EXPECT(near(h.nics[0].bandwidth->value, 50e9));
                       return "";
                   })}},
        {"topology/nccl_azure_ncv4-topo.xml",
         {"nccl-topo",
          [](const Imported& found) -> std::
                                        string {
                                            const Inventory& i = std::get<Inventory>(found.what);
                                            EXPECT(gpuCount(i) == 4 && i.hosts.front().processors == 4);
                                            EXPECT(i.hosts.front().nics.size() == 1 &&
                                                   near(i.hosts.front().nics[0].bandwidth->value, 12.5e9));
                                            EXPECT(i.hosts.front().gpus[2].compute == 80 &&
                                                   near(i.hosts.front().gpus[2].pcie->value, 12e9));
                                            EXPECT(i.hosts.front().pairs.empty());
                                            std::size_t ignored = 0;
                                            for (const Diagnostic& d : found.notes)
                                                ignored += d.code == "nccl.self_link" ? 1 : 0;
                                            EXPECT(ignored == 4);
                                            return "";
                                        }}},
        {"topology/nccl_azure_ndv4-topo.xml",
         {"nccl-topo", machines(1, 8, [](const Inventory& i) { return cloud(i, 24e9, 8, 4); })}},
        {"topology/nccl_azure_ndv5-topo.xml",
         {"nccl-topo", machines(1, 8, [](const Inventory& i) { return cloud(i, 48e9, 8, 2); })}},
        {"topology/slurm_topology.conf",
         {"slurm", machines(5, 0,
                            [](const Inventory& i) -> std::string {
                                EXPECT(i.switches.size() == 3 && i.cables.size() == 7);
                                EXPECT(i.cables[0].a == "a100-0" && i.cables[0].b == "leaf0");
                                EXPECT(i.hosts[2].name == "v100-0" && i.hosts[4].name == "v100-3");
                                return "";
                            })}},
        {"topology/slurm_gres.conf",
         {"slurm", machines(5, 28,
                            [](const Inventory& i) -> std::string {
                                EXPECT(i.hosts[0].gpus.size() == 8 && i.hosts[1].gpus[7].model == "a100");
                                EXPECT(i.hosts[2].name == "v100-0" && i.hosts[2].pairs.size() == 6);
                                EXPECT(pair(i.hosts[2], 0, 1)->nvlinks == 2 &&
                                       pair(i.hosts[2], 0, 3)->nvlinks == 1);
                                return "";
                            })}},
        {"topology/slurm_scontrol_show_node.txt",
         {"slurm", machines(1, 8,
                            [](const Inventory& i) -> std::string {
                                EXPECT(i.hosts[0].name == "a100-0" && i.hosts[0].gpus[0].model == "a100");
                                EXPECT(near(i.hosts[0].memory->value, 1'031'000.0 * 1024 * 1024));
                                EXPECT(i.hosts[0].note == "partition a100, features a100,nvlink,ib200");
                                EXPECT(i.excluded.size() == 1 && i.excluded[0].name == "v100-0");
                                EXPECT(i.excluded[0].reason.starts_with("DOWN*+DRAIN: Not responding"));
                                return "";
                            })}},
        {"topology/k8s_nodes.json",
         {"kubernetes", machines(2, 12,
                                 [](const Inventory& i) -> std::string {
                                     EXPECT(i.hosts[0].name == "gpu-a" && i.hosts[0].gpus.size() == 8);
                                     EXPECT(i.hosts[0].gpus[0].model == "NVIDIA-A100-SXM4-80GB");
                                     EXPECT(i.hosts[0].gpus[0].memory == gibibytes(80));
                                     EXPECT(i.hosts[1].gpus[0].memory == gibibytes(16) &&
                                            i.hosts[1].gpus[0].compute == 70);
                                     EXPECT(i.excluded.size() == 2 && i.excluded[0].name == "gpu-c");
                                     EXPECT(i.excluded[0].reason == "MIG: 56 slices of 1g.5gb");
                                     EXPECT(i.excluded[1].reason == "shared: 1 GPU of 4 replicas each");
                                     return "";
                                 })}},
        {"topology/hwloc_nvidiaDGX2.xml",
         {"hwloc", machines(1, 16,
                            [](const Inventory& i) -> std::string {
                                const InventoryHost& h = i.hosts.front();
                                EXPECT(h.numaNodes == 2 && h.nvswitches == 12 && h.pairs.empty());
                                EXPECT(h.gpus.front().busId == "0000:34:00.0" &&
                                       h.gpus.back().busId == "0000:e7:00.0");
                                for (const InventoryGpu& g : h.gpus) {
                                    EXPECT(g.model == "Tesla V100-SXM3-32GB-H" && !g.memory);
                                    EXPECT(near(g.toSwitch->value, 150e9) &&
                                           near(g.pcie->value, 15.75e9, 1e-3));
                                }
                                return "";
                            })}},
        {"topology/astrasim_network.yml",
         {"astra-sim", machines(2, 16,
                                [](const Inventory& i) -> std::string {
                                    EXPECT(i.hosts[0].betweenGpus == BytesPerSecond(300e9));
                                    EXPECT(near(i.hosts[0].gpuLatency->value, 500e-9));
                                    EXPECT(i.switches.size() == 1 && i.cables.size() == 2);
                                    EXPECT(i.cables[0].lanes == 8 &&
                                           i.cables[0].bandwidth == BytesPerSecond(25e9));
                                    EXPECT(near(i.cables[0].latency->value, 2e-6));
                                    return "";
                                })}},
        {"topology/astrasim_ns3_dims.json",
         {"astra-sim", machines(2, 16,
                                [](const Inventory& i) -> std::string {
                                    EXPECT(!i.hosts[0].betweenGpus && !i.cables[0].bandwidth);
                                    return "";
                                })}},
        {"topology/simai_topo_4gpu.txt",
         {"simai", machines(2, 4,
                            [](const Inventory& i) -> std::string {
                                EXPECT(i.hosts[1].gpus.size() == 2 && i.hosts[1].gpus[0].model == "A100");
                                EXPECT(near(i.hosts[0].gpus[1].toSwitch->value, 300e9) &&
                                       i.hosts[0].nvswitches == 1);
                                EXPECT(i.switches.size() == 1 && i.cables.size() == 2);
                                EXPECT(i.cables[0].lanes == 2 && near(i.cables[0].bandwidth->value, 25e9));
                                EXPECT(near(i.cables[0].latency->value, 0.5e-6));
                                return "";
                            })}},
        {"topology/metis_clusterfile.json",
         {"metis-cluster", machines(2, 0,
                                    [](const Inventory& i) -> std::string {
                                        EXPECT(i.hosts[0].name == "10.0.0.1" &&
                                               i.hosts[0].gpus[0].model == "A100");
                                        EXPECT(i.hosts[0].betweenGpus == BytesPerSecond(3e11));
                                        EXPECT(i.hosts[1].gpus[0].memory == gibibytes(16));
                                        EXPECT(i.hosts[1].nics[0].bandwidth == BytesPerSecond(1.25e10));
                                        return "";
                                    })}},
        {"topology/metis_hostfile", {"hostfile", machines(2, 12)}},
        {"bad/hf_config_bom.json",
         {"hf-config", model({"llama", 32, 4096, 32, 8, 128, 14336, 128256, false, 8'030'261'248})}},
        {"bad/topo_m_crlf.txt", {"nvidia-topo", machines(1, 4, crlfMatrix)}},
    };
    return table;
}

struct Bad {
    std::string where;             // of the first error, behind the file name
    std::vector<std::string> also; // in the message or the further reasons
};

const std::map<std::string, Bad>& badOnes() {
    static const std::map<std::string, Bad> table = {
        {"hf_config_truncated.json", {":11:18", {"ends too early"}}},
        {"hf_config_wrong_types.json",
         {"#/num_hidden_layers", {"#/hidden_size", "#/tie_word_embeddings", "\"32\""}}},
        {"hf_config_negative.json", {"#/num_hidden_layers", {"#/vocab_size"}}},
        {"hf_config_huge.json", {":7:23", {"out of range"}}},
        {"hf_config_nan.json", {":7:23", {"NaN"}}},
        {"hf_config_duplicate_key.json", {":10:2", {"#/num_hidden_layers", "8:2"}}},
        {"hf_config_unknown_model_type.json",
         {"#/model_type", {"quasar_x", "llama", "entered size by size"}}},
        {"json_deep_nesting.json", {":1:168", {"128"}}},
        {"nccl_topo_truncated.xml", {":18:", {}}},
        {"nccl_topo_billion_laughs.xml", {":3:", {"entity"}}},
        {"nccl_topo_external_entity.xml", {":3:", {"entity"}}},
        {"nccl_topo_duplicate_busid.xml", {":16:", {"0000:18:00.0", "line 4"}}},
        {"topo_m_not_square.txt", {":4", {"4 columns, 3 rows", "GPU3"}}},
        {"topo_m_asymmetric.txt", {":2", {"GPU0/GPU2", "GPU2/GPU0", "line 4"}}},
        {"topo_m_unknown_link.txt", {":2", {"GPU0/GPU1", "NVX", "PIX"}}},
        {"k8s_nodes_duplicate_name.json", {"#/items/1/metadata/name", {"#/items/0/metadata/name"}}},
        {"simai_wrong_link_count.txt", {":9", {"8 links expected, 7 found"}}},
        {"slurm_topology_cycle.conf", {":3", {"spine0 > spine1 > spine0", "lines 3 and 4"}}},
        {"slurm_topology_hostlist_bomb.conf", {":2", {"65536"}}},
        {"nccl_tests_short_row.txt", {":18", {"13 columns expected, 7 found"}}},
        {"kineto_trace_truncated.json.gz", {"", {"1229", "line 74"}}},
    };
    return table;
}

// The files of tests/data, or whole folders with a slash behind them, that its README lists.
std::set<std::string> listed() {
    QFile file(QString::fromStdString(test::testData("README.md").string()));
    std::set<std::string> names;
    if (!file.open(QIODevice::ReadOnly))
        return names;
    std::string folder;
    for (const QByteArray& line : file.readAll().split('\n')) {
        if (line.startsWith("## "))
            folder = line.mid(3).trimmed().toStdString();
        if (folder.empty() || !line.startsWith("| ") || line.startsWith("| file"))
            continue;
        for (const QByteArray& name : line.split('|')[1].split(','))
            names.insert(folder + name.trimmed().toStdString());
    }
    return names;
}

} // namespace

class ImportSamplesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsWhatTheListSays_data() {
        QTest::addColumn<QString>("file");
        for (const auto& [file, sample] : samples())
            QTest::newRow(file.c_str()) << QString::fromStdString(file);
    }
    void readsWhatTheListSays() {
        QFETCH(QString, file);
        const Sample& sample = samples().at(file.toStdString());
        const std::filesystem::path path = test::testData(file.toStdString());
        for (const std::string& kind : {std::string(), sample.kind}) { // by content, and by name
            const Result<Imported> found = importFile(path, kind, {});
            QVERIFY2(found, found ? "" : found.error().text().c_str());
            QCOMPARE(found->kind, sample.kind);
            QVERIFY(!found->summary.empty());
            const std::string wrong = sample.check(*found);
            QVERIFY2(wrong.empty(), wrong.c_str());
        }
    }

    void refusesWhatTheListSays_data() {
        QTest::addColumn<QString>("file");
        for (const auto& [file, bad] : badOnes())
            QTest::newRow(file.c_str()) << QString::fromStdString(file);
    }
    void refusesWhatTheListSays() {
        QFETCH(QString, file);
        const Bad& bad = badOnes().at(file.toStdString());
        const std::filesystem::path path = test::testData("bad/" + file.toStdString());
        const Result<Imported> found = importFile(path, "", {});
        QVERIFY(!found);
        QCOMPARE(found.error().kind, ErrorKind::BadInput);
        std::string all = found.error().text();
        for (const Error& reason : found.error().reasons)
            all += "\n" + reason.text();
        QVERIFY2(found.error().where.starts_with(path.string() + bad.where), all.c_str());
        for (const std::string& part : bad.also)
            QVERIFY2(all.find(part) != std::string::npos, (part + " is not in: " + all).c_str());
    }

    // The list, the folders and what is tested here are the same; the other folders have tests of their own.
    void everyFileIsListedAndTested() {
        const std::set<std::string> list = listed();
        std::set<std::string> found;
        for (const char* folder : {"models", "configurations", "topology", "profiles", "exports", "trainers",
                                   "bad", "collectives", "runs", "runner"})
            for (const auto& entry : std::filesystem::recursive_directory_iterator(test::testData(folder))) {
                const std::string file = std::filesystem::relative(entry, test::testData("")).string();
                if (entry.is_directory() || list.contains(file.substr(0, file.rfind('/') + 1)))
                    continue; // listed as a whole
                QVERIFY2(list.contains(file), file.c_str());
                found.insert(file);
                const bool model = file.starts_with("models/") && !file.ends_with(".sh");
                if (model || file.starts_with("topology/"))
                    QVERIFY2(samples().contains(file), file.c_str());
                if (file.starts_with("bad/") && !file.starts_with("bad/aceso_") &&
                    !file.starts_with("bad/DeviceType"))
                    QVERIFY2(samples().contains(file) || badOnes().contains(file.substr(4)), file.c_str());
            }
        for (const std::string& file : list)
            QVERIFY2(found.contains(file) || file.ends_with('/'), file.c_str());
    }

    void joinsTheFilesOfOneHost() {
        const std::vector<std::string> files = {"nvidia_smi_topo_m_4gpu.txt",
                                                "nvidia_smi_query_gpu_4gpu.csv"};
        std::vector<Imported> parts;
        for (const std::string& file : files)
            parts.push_back(*importFile(test::testData("topology") / file, "", {}));
        const Result<Imported> joined = joinImported(std::move(parts), files);
        QVERIFY(joined);
        const Inventory& inventory = std::get<Inventory>(joined->what);
        QCOMPARE(inventory.hosts.size(), std::size_t{1});
        QCOMPARE(inventory.hosts[0].gpus[2].model, std::string("NVIDIA A100-SXM4-80GB"));
        QCOMPARE(inventory.hosts[0].gpus[2].numa, std::optional(1));
        Diagnostics notes;
        const Result<Cluster> cluster = clusterOf(inventory, {}, "one", notes);
        QVERIFY2(cluster, cluster ? "" : cluster.error().text().c_str());
        QCOMPARE(cluster->nodes[0].kind, std::string("A100-SXM4-80GB"));
        QCOMPARE(cluster->nodes[0].gpus, 4);
    }

    void joinsTheThreeFilesOfSlurm() {
        const std::vector<std::string> files = {"slurm_topology.conf", "slurm_gres.conf",
                                                "slurm_scontrol_show_node.txt"};
        std::vector<Imported> parts;
        for (const std::string& file : files)
            parts.push_back(*importFile(test::testData("topology") / file, "", {}));
        const Result<Imported> joined = joinImported(std::move(parts), files);
        QVERIFY(joined);
        QCOMPARE(std::ranges::count(joined->notes, "slurm.linkspeed", &Diagnostic::code), 1);
        const Inventory& inventory = std::get<Inventory>(joined->what);
        QCOMPARE(inventory.hosts.size(), std::size_t{4}); // v100-0 is down
        QCOMPARE(gpuCount(inventory), 24);
        Diagnostics notes;
        const Error asked = clusterOf(inventory, {}, "slurm", notes).error();
        QCOMPARE(asked.where, std::string("--device"));
        QCOMPARE(asked.reasons.size(), std::size_t{2}); // the other type, and the network
        ClusterAnswers answers;
        answers.devices = {{"a100", "A100-80"}, {"v100", "V100-16"}};
        answers.bandwidth = BytesPerSecond(25e9);
        answers.lanes = 8;
        const Result<Cluster> cluster = clusterOf(inventory, answers, "slurm", notes);
        QVERIFY2(cluster, cluster ? "" : cluster.error().text().c_str());
        QCOMPARE(cluster->switches.size(), std::size_t{3});
        QCOMPARE(cluster->links.size(), std::size_t{6});
        QCOMPARE(cluster->link("leaf0-spine")->bandwidth,
                 BytesPerSecond(2 * 8 * 25e9)); // as much as lies below
        QVERIFY(!hasErrors(checkCluster(*cluster)));
    }
};

QTEST_APPLESS_MAIN(ImportSamplesTest)
#include "import_samples_test.moc"

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/framework_text.h"
#include "core/calibrate/gpu_text.h"
#include "core/calibrate/network_text.h"
#include "core/calibrate/stage_notes.h"
#include "core/calibrate/training_text.h"
#include "core/calibrate/validate.h"

#include <QTest>

#include <cmath>

using namespace pw;

namespace {

constexpr double kGbit = 125e6; // bytes/s

} // namespace

// Free texts in the manner of published tables: those that are known, and others that nobody has written yet.
class RunTextsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void gpus_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<double>("memoryGb"); // column gpu_mem_gb, 0 = empty
        QTest::addColumn<QByteArray>("kind");
        const auto row = [](const char* text, double memory, const char* kind) {
            QTest::addRow("%s, %g", text, memory) << QByteArray(text) << memory << QByteArray(kind);
        };
        row("A100-SXM4-80GB", 80, "A100-SXM4-80GB");
        row("A100 (memory size not read)", 0, "A100-SXM4-80GB");
        row("A100", 40, "A100-SXM4-40GB");
        row("NVIDIA A100 40GB PCIe", 0, "A100-PCIe-40GB");
        row("A100-PCIe", 80, "A100-PCIe-80GB");
        row("A100-80G-NVLink", 0, "A100-SXM4-80GB");
        row("A800-80GB", 80, "A800-SXM4-80GB");
        row("H100-SXM-80GB", 80, "H100-SXM-80GB");
        row("H100 SXM5 80GB HBM3", 0, "H100-SXM-80GB");
        row("H100-80GB (A3 Mega)", 80, "H100-SXM-80GB");
        row("H100-SXM-96GB-HBM2e(500W)", 96, "H100-SXM-96GB-HBM2e");
        row("H100-SXM-95GB-HBM2e(low TDP)", 95, "H100-SXM-96GB-HBM2e");
        row("DGX H100", 0, "H100-SXM-80GB");   // of full power, which is the usual one
        row("A100-SXM4", 0, "A100-SXM4-80GB"); // of equal power the larger
        row("H100 PCIe", 0, "H100-PCIe-80GB");
        row("H200-SXM-141GB", 141, "H200-141GB");
        row("H200(sic, text says B200)", 0, "H200-141GB");
        row("H20", 96, "H20-96GB");
        row("B200", 0, "B200-SXM");
        row("GB200 NVL72", 0, "GB200");
        row("GH-96", 96, "GH200-96GB");
        row("H100 NVL", 0, "H100-NVL-94GB");
        row("H100-NVL 94GB", 94, "H100-NVL-94GB");
        row("GB300 NVL72", 0, "GB300");
        row("MI350X", 288, "MI350X");
        row("RTX-4080", 16, "RTX 4080");
        row("GH-96", 0, "GH200-96GB");
        row("GH200 96GB", 0, "GH200-96GB");
        row("V100-SXM2-16GB (p3.16xlarge)", 16, "V100-SXM2-16GB");
        row("V100-32GB (DGX-2H)", 32, "V100-SXM2-32GB");
        row("Tesla V100 PCIe 16 GB", 0, "V100-PCIe-16GB");
        row("unstated in source (V100-class by throughput)", 0, "V100-SXM2-32GB");
        row("see Reproduction details in source (A100-class)", 0, "A100-SXM4-80GB");
        row("T4-16GB(g4dn.12xlarge)", 0, "T4");
        row("RTX-2080", 0, "RTX 2080 Ti");
        row("GeForce RTX 2080 Ti", 11, "RTX 2080 Ti");
        row("RTX3090", 24, "RTX 3090");
        row("3090-24G", 0, "RTX 3090");
        row("4090", 0, "RTX 4090");
        row("Titan-RTX", 0, "Titan RTX");
        row("RTX A6000 48GB", 48, "RTX A6000");
        row("L40S", 48, "L40S-48GB");
        row("L4", 24, "L4");
        row("A10G (g5.12xlarge)", 0, "A10G");
        row("MI300X", 192, "MI300X-192GB");
        row("AMD Instinct MI250X", 128, "MI250X");
        row("Gaudi 2", 96, "Gaudi2");
        row("Ascend-910B", 64, "Ascend 910B");
    }
    void gpus() {
        QFETCH(QByteArray, text);
        QFETCH(double, memoryGb);
        QFETCH(QByteArray, kind);
        const auto gpus =
            parseGpus(text.toStdString(), {memoryGb > 0 ? std::optional(memoryGb) : std::nullopt, false},
                      Catalogue::builtin());
        QVERIFY2(gpus, gpus ? "" : gpus.error().text().c_str());
        QCOMPARE(gpus->parts.size(), std::size_t{1});
        QCOMPARE(QByteArray::fromStdString(gpus->parts[0].kind.name), kind);
    }

    void variantsOfAKindAreTheirOwn() {
        const auto large = parseGpus("A100-SXM4-96GB", {}, Catalogue::builtin());
        QVERIFY(large);
        QCOMPARE(large->parts[0].kind.name, std::string("A100-SXM4-80GB-96GB"));
        QVERIFY(std::abs(toGibibytes(large->parts[0].kind.memory) - 0.985 * 96) < 1e-9);
        QCOMPARE(large->assumptions.size(), std::size_t{1});
        const auto capped = parseGpus("H100-SXM-80GB (350W)", {}, Catalogue::builtin());
        QVERIFY(capped);
        QCOMPARE(capped->parts[0].kind.watts, 350.0);
        QVERIFY(capped->parts[0].kind.name != "H100-SXM-80GB");
        const auto bus = parseGpus("A100", {40.0, true}, Catalogue::builtin());
        QCOMPARE(bus->parts[0].kind.name, std::string("A100-PCIe-40GB"));
    }

    void mixturesAndCounts() {
        const auto mix = parseGpus("8xRTX-3090+16xRTX-2080 + 8 x Titan-RTX", {}, Catalogue::builtin());
        QVERIFY2(mix, mix ? "" : mix.error().text().c_str());
        QCOMPARE(mix->parts.size(), std::size_t{3});
        QCOMPARE(mix->parts[0].count, 8);
        QCOMPARE(mix->parts[1].count, 16);
        QCOMPARE(mix->parts[1].kind.name, std::string("RTX 2080 Ti"));
        QCOMPARE(mix->parts[2].count, 8);
        const auto listed = parseGpus("2x8xA100-40GB, 4x V100-SXM2-16GB & 4xT4", {}, Catalogue::builtin());
        QVERIFY2(listed, listed ? "" : listed.error().text().c_str());
        QCOMPARE(listed->parts.size(), std::size_t{3});
        QCOMPARE(listed->parts[0].count, 16);
        QCOMPARE(listed->parts[0].perNode, 8);
        QCOMPARE(listed->parts[1].kind.name, std::string("V100-SXM2-16GB"));
        QCOMPARE(parseGpus("A100x8", {80.0, false}, Catalogue::builtin())->parts[0].kind.name,
                 std::string("A100-SXM4-80GB"));
        const auto nodes = parseGpus("8x4090-24G(2x4)+16xA100-PCIe (2x8), TCP", {}, Catalogue::builtin());
        QVERIFY(nodes);
        QCOMPARE(nodes->parts[0].perNode, 4);
        QCOMPARE(nodes->parts[1].perNode, 8);
        QCOMPARE(nodes->parts[1].kind.name, std::string("A100-PCIe-80GB"));
    }

    void strangersAreRefused() {
        for (const char* text : {"8x3080Ti-12G", "TPU v4", "unstated", "", "A1000", "GPU"}) {
            const auto gpus = parseGpus(text, {}, Catalogue::builtin());
            QVERIFY2(!gpus, text);
            QCOMPARE(gpus.error().where, std::string("gpu"));
            QCOMPARE(gpus.error().kind, ErrorKind::Infeasible);
        }
    }

    void networks_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("medium");
        QTest::addColumn<double>("gigabits"); // of one port
        QTest::addColumn<int>("ports");       // of a node of eight A100-SXM4-80GB
        const auto row = [](const char* text, const char* medium, double gigabits, int ports) {
            QTest::newRow(text) << QByteArray(text) << QByteArray(medium) << gigabits << ports;
        };
        row("8x200Gb/s HDR IB per node (Selene)", "InfiniBand", 200, 8);
        row("4x100Gb/s RoCE per node", "RoCE", 100, 4);
        row("1600Gb/s RoCE per node", "RoCE", 200, 8);
        row("400Gb/s RDMA per GPU", "RDMA", 400, 8);
        row("100Gb/s EDR IB per node", "InfiniBand", 100, 1);
        row("25Gb/s per node (p3.16xlarge, recall)", "InfiniBand", 25, 1); // medium as usual for the kind
        row("400Gb/s per node", "InfiniBand", 200, 2);
        row("RoCE RDMA (rate unstated)", "RoCE", 200, 8);
        row("unstated", "InfiniBand", 200, 8);
        row("", "InfiniBand", 200, 8);
        row("8x HDR InfiniBand", "InfiniBand", 200, 8);
        row("HDR100", "InfiniBand", 100, 1);
        row("8 x 400 Gbps ConnectX-7, NVLink 900 GB/s", "InfiniBand", 400, 8);
        row("NDR InfiniBand, 400 Gbit/s x 8", "InfiniBand", 400, 8);
        row("EFA 400 Gbps", "EFA", 200, 2);
        row("3.2 Tbps EFAv2 per node", "EFA", 200, 16);
        row("4x100Gb/s Omni-Path", "Omni-Path", 100, 4);
        row("10GbE", "Ethernet", 10, 1);
        row("10 Gigabit Ethernet", "Ethernet", 10, 1);
        row("4 NICs of 100Gb/s InfiniBand", "InfiniBand", 100, 4);
        row("InfiniBand HDR, 8 rails", "InfiniBand", 200, 8);
        row("eight 200 Gb/s InfiniBand HCAs", "InfiniBand", 200, 8);
        row("2x25GbE per node", "Ethernet", 25, 2);
        row("12.5 GB/s Ethernet", "Ethernet", 100, 1);
        row("TCP, 1 Gbit/s", "Ethernet", 1, 1);
        row("Slingshot 4x200Gb/s", "Slingshot", 200, 4);
        row("4 nodes, 50Gb/s inter, 50Gb/s PCIe intra", "InfiniBand", 50, 1);
        row("8x NVIDIA ConnectX-7 IB NDR 400Gb/s", "InfiniBand", 400, 8);
        row("8 x BlueField-3 RoCE 400Gb/s", "RoCE", 400, 8);
        row("4x Mellanox HDR 200Gb/s", "InfiniBand", 200, 4);
        row("8x ConnectX-8", "InfiniBand", 800, 8);
        row("4x400Gb/s per node (4x ConnectX-7 IB NDR)", "InfiniBand", 400, 4);
        row("8x400Gb/s per node (8x ConnectX-7 IB NDR  + Ethernet)", "InfiniBand", 400, 8);
        row("8x NVIDIA ConnectX-7 IB NDR 400Gb/s Management: 100Gb/s Ethernet", "InfiniBand", 400, 8);
        row("Management: 100Gb/s Ethernet, 8x NVIDIA ConnectX-7 IB NDR 400Gb/s", "InfiniBand", 400, 8);
        row("Management: 100Gb/s Ethernet; HDR InfiniBand", "InfiniBand", 200, 1);
        row("storage network: 2x100GbE, compute: 8x200Gb/s RoCE", "RoCE", 200, 8);
        row("Management: 100Gb/s Ethernet", "InfiniBand", 200, 8); // says nothing of the other
        row("RoCE with congestion control, 8x400Gb/s", "RoCE", 400, 8);
    }
    void networks() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, medium);
        QFETCH(double, gigabits);
        QFETCH(int, ports);
        const DeviceKind& kind = *Catalogue::builtin().find("A100-SXM4-80GB");
        const NodePorts found =
            nodePorts(parseNetwork(text.toStdString()), kind, 8, ConstantSet::builtin().comm());
        QCOMPARE(QByteArray::fromStdString(found.medium), medium);
        QCOMPARE(found.rate.value / kGbit, gigabits);
        QCOMPARE(found.count, ports);
        QVERIFY(found.latency.value > 0.0);
    }

    void insideOfNodes() {
        QCOMPARE(parseNetwork("NVL72, 4x400Gb/s IB").nvlinkDomain, 72);
        QCOMPARE(parseNetwork("8x400Gb/s IB").nvlinkDomain, 0);
        const NetworkText bus = parseNetwork("4 nodes, 50Gb/s inter, 50Gb/s PCIe intra");
        QVERIFY(bus.pcie && !bus.nvlink);
        QCOMPARE(bus.intraRate.value, 50 * kGbit);
        const NetworkText nvlink = parseNetwork("NVLink 600 GB/s, 8x200Gb/s IB");
        QVERIFY(nvlink.nvlink && !nvlink.pcie);
        QCOMPARE(nvlink.intraRate.value, 600e9);
        QCOMPARE(nvlink.rate.value, 200 * kGbit);
        QCOMPARE(parseNetwork("single node NVLink").intraRate.value, 0.0);
        QVERIFY(parseNetwork("PCIe 4.0 x16").pcie);
        QCOMPARE(parseNetwork("PCIe 4.0 x16").intraRate.value, 0.0);
        QVERIFY(!parseNetwork("unstated").rate.value);
        QVERIFY(nodePorts(parseNetwork("unstated"), DeviceKind{}, 8, ConstantSet::builtin().comm())
                    .assumptions.size() == 1);
    }

    void precisions() {
        const std::pair<const char*, Precision> texts[] = {
            {"fp16-mixed", Precision::Fp16},
            {"fp16-mixed (unstated)", Precision::Fp16},
            {"bf16", Precision::Bf16},
            {"amp_bf16", Precision::Bf16},
            {"amp_fp8", Precision::Fp8},
            {"fp8-rowwise", Precision::Fp8},
            {"nvfp4", Precision::Fp8},
            {"Float8", Precision::Fp8},
            {"mixed (unstated)", Precision::Auto},
            {"", Precision::Auto},
            {"unstated (profiles exist for fp16 and fp32)", Precision::Auto},
            {"fp32", Precision::Fp32},
            {"TF32", Precision::Tf32},
            {"bfloat16", Precision::Bf16},
            {"half", Precision::Fp16}};
        for (const auto& [text, precision] : texts) {
            const auto found = parsePrecision(text);
            QVERIFY2(found && *found == precision, text);
        }
        QCOMPARE(parsePrecision("int4").error().where, std::string("precision"));
    }

    void recomputes() {
        struct Case {
            const char* text;
            bool stated;
            Recompute mode;
            int layers;
        };
        for (const Case& c :
             {Case{"none", true, Recompute::None, 0}, Case{"full", true, Recompute::Full, 0},
              Case{"selective", true, Recompute::Selective, 0},
              Case{"selective(per op)", true, Recompute::Selective, 0},
              Case{"none stated", false, Recompute::None, 0}, Case{"", false, Recompute::None, 0},
              Case{"unstated", false, Recompute::None, 0}, Case{"full (use_remat)", true, Recompute::Full, 0},
              Case{"full, block, 12 layers", true, Recompute::Full, 12},
              Case{"activation checkpointing", true, Recompute::Full, 0},
              Case{"off", true, Recompute::None, 0}}) {
            const RecomputeText found = parseRecompute(c.text);
            QVERIFY2(!found.unknown, c.text);
            QVERIFY2(found.stated == c.stated && found.mode == c.mode && found.layers == c.layers, c.text);
        }
        QVERIFY(parseRecompute("selective layer").everyOther);
        const RecomputeText odd = parseRecompute("sometimes");
        QVERIFY(odd.unknown && !odd.stated && odd.mode == Recompute::None);
    }

    void shardings() {
        struct Case {
            const char* text;
            int zero; // -1 = not stated
            int ranks;
            bool withinNode;
        };
        for (const Case& c : {Case{"none", 0, 0, false},
                              Case{"none/unstated", -1, 0, false},
                              Case{"unstated", -1, 0, false},
                              Case{"", -1, 0, false},
                              Case{"zero1 within 8", 1, 8, false},
                              Case{"zero1 over all DP", 1, 0, false},
                              Case{"zero1 size -1", 1, 0, false},
                              Case{"zero1 size -1+fsdp", 3, 0, false},
                              Case{"zero3", 3, 0, false},
                              Case{"ZeRO-2", 2, 0, false},
                              Case{"DeepSpeed ZeRO Stage 3", 3, 0, false},
                              Case{"FULL_SHARD", 3, 0, false},
                              Case{"SHARD_GRAD_OP", 2, 0, false},
                              Case{"NO_SHARD", 0, 0, false},
                              Case{"fsdp2(zero3)", 3, 0, false},
                              Case{"FSDP", 3, 0, false},
                              Case{"HSDP", 3, 0, true},
                              Case{"HYBRID_SHARD", 3, 0, true},
                              Case{"ddp", 0, 0, false},
                              Case{"zero1 DistributedOptimizer", 1, 0, false},
                              Case{"distributed-optimizer (unstated)", 1, 0, false},
                              Case{"prefer_reduce_scatter", 2, 0, false}}) {
            const ShardingText found = parseSharding(c.text);
            QVERIFY2(!found.unknown, c.text);
            QVERIFY2(found.zero.value_or(-1) == c.zero, c.text);
            QVERIFY2(found.ranks == c.ranks && found.withinNode == c.withinNode, c.text);
        }
        QVERIFY(parseSharding("zero1 OverlappedDistributedOptimizer").overlapped);
        for (const char* odd : {"zero7", "clever"})
            QVERIFY2(parseSharding(odd).unknown && !parseSharding(odd).zero, odd);
    }

    void stageLayers() {
        using Counts = std::vector<int>;
        QVERIFY(parseStageLayers("embedding+126+loss split evenly", 126, 64) == [] {
            Counts counts(64, 2);
            counts.front() = counts.back() = 1;
            return counts;
        }());
        QVERIFY(parseStageLayers("[6, 7, 7, 6]", 26, 4) == (Counts{6, 7, 7, 6}));
        QVERIFY(parseStageLayers("7,7,7,7", 26, 4) == (Counts{6, 7, 7, 6})); // with both ends
        QVERIFY(parseStageLayers("Et*3|(tt|)*2m|L", 7, 5) == (Counts{3, 2, 2, 0, 0}));
        QVERIFY(parseStageLayers("Et|tt|tL", 4, 3) == (Counts{1, 2, 1}));
        for (const char* odd :
             {"", "uneven", "[6, 7]", "Et|t", "((((((t", "t*999999999", "E(t*99999)*99999|L"})
            QVERIFY2(parseStageLayers(odd, 26, 4).empty(), odd);
    }

    void schedules() {
        const std::pair<const char*, const char*> texts[] = {{"none", ""},
                                                             {"", ""},
                                                             {"1F1B", "1f1b"},
                                                             {"1F1B (DeepSpeed pipe)", "1f1b"},
                                                             {"1F1B-interleaved", "interleaved"},
                                                             {"1F1B-I", "interleaved"},
                                                             {"Interleaved1F1B", "interleaved"},
                                                             {"unstated (interleaved likely)", "interleaved"},
                                                             {"ZB-1p", "zb-1p"},
                                                             {"ZB-2p", "zb-2p"},
                                                             {"ZB-2p*", "zb-2p"},
                                                             {"ZB-V", "zb-v"},
                                                             {"zero-bubble zbv", "zb-v"},
                                                             {"zero-bubble zbb", "zb-h1"},
                                                             {"GPipe", "gpipe"},
                                                             {"PipeDream-Flush", "1f1b"},
                                                             {"unstated", ""},
                                                             {"ZBVZeroBubble", "zb-v"},
                                                             {"InterleavedZeroBubble", "zb-1p"}};
        for (const auto& [text, kind] : texts) {
            const auto found = parseSchedule(text);
            QVERIFY2(found, text);
            QCOMPARE(found->kind, std::string(kind));
        }
        for (const char* text : {"V-half", "V-min", "DualPipe", "Chimera"})
            QCOMPARE(parseSchedule(text).error().where, std::string("schedule"));
        const auto odd = parseSchedule("astrology");
        QVERIFY(odd && odd->unknown && !odd->stated && odd->kind.empty());
        QVERIFY(!parseSchedule("1F1B")->unknown && !parseSchedule("unstated")->unknown);
    }

    void frameworks() {
        const FrameworkText megatron = parseFramework("Megatron-LM", "");
        QVERIFY(megatron.software.kernels == Launch::Fused && megatron.padsVocabulary);
        QVERIFY(megatron.software.overlapGradients == Choice::Off && megatron.zero == 0);
        QVERIFY(megatron.software.overlapTensorBackward == Choice::On);
        QVERIFY(megatron.software.overlapTransfers == Choice::Off);
        QVERIFY(parseFramework("Megatron-LM", "", 202104).software.overlapTensorBackward == Choice::Off);
        QVERIFY(parseFramework("Megatron-LM", "", 202205).software.overlapTensorBackward == Choice::On);
        QCOMPARE(monthOfPublication("https://arxiv.org/abs/2104.04473 (SC'21) Table 1"), 202104);
        QCOMPARE(monthOfPublication("arXiv 2401.10241v2, table 4"), 202401);
        QCOMPARE(monthOfPublication("arXiv:2399.00001"), 0); // there is no such month
        QCOMPARE(monthOfPublication("github.com/x/y/1234.5"), 0);
        const FrameworkText deepspeed = parseFramework("Megatron-DeepSpeed", "");
        QVERIFY(deepspeed.software.gradFp32 == Choice::Off && deepspeed.software.bucketBytes == 1e9);
        const FrameworkText titan = parseFramework("torchtitan", "vanilla TP; compile");
        QVERIFY(titan.software.kernels == Launch::Compiled && titan.sequenceParallel && titan.zero == 3);
        QVERIFY(parseFramework("torchtitan", "no compile").software.kernels == Launch::Eager);
        QVERIFY(parseFramework("PyTorch FSDP+compile", "").software.kernels == Launch::Compiled);
        QVERIFY(parseFramework("Alpa/JAX", "").software.kernels == Launch::Compiled);
        QVERIFY(parseFramework("Composer/PyTorch FSDP", "").software.overlapGather == Choice::On);
        QVERIFY(parseFramework("Megatron-LM", "no overlap of gradient all-reduce with backward")
                    .software.overlapGradients == Choice::Off);
        QCOMPARE(megatron.stack, std::string("megatron"));
        QCOMPARE(parseFramework("Megatron-LM", "", 202104).stack, std::string("megatron+megatron-2019"));
        QCOMPARE(deepspeed.stack, std::string("megatron+deepspeed"));
        QCOMPARE(titan.stack, std::string("torchtitan"));
        // Generations are told apart by a year, too.
        QCOMPARE(parseFramework("Megatron-LM (main, summer 2026)", "").stack,
                 std::string("megatron+megatron-core"));
        const FrameworkText nemo = parseFramework("NeMo (MLPerf Training v5.1; somebody)", "");
        QCOMPARE(nemo.stack, std::string("nemo+mlperf"));
        QCOMPARE(nemo.software.attention, std::string("cudnn-9"));
        QVERIFY(nemo.software.graphs == Graphs::Iteration && nemo.padsVocabulary);
        QVERIFY(parseFramework("nanotron", "").stagesByCost);
        const FrameworkText stranger = parseFramework("Our trainer", "");
        QVERIFY(stranger.software == Software{} && stranger.assumptions.size() == 1);
        QVERIFY(stranger.stack.empty());
    }

    // What a row says of its software counts for more than its framework's name.
    void statedSoftware() {
        Software software = parseFramework("NeMo", "").software;
        takeStated({1, 0, 0, "per layer (MCORE_CUDA_GRAPH)", "fp8 (TE tensorwise)"}, software);
        QVERIFY(software.overlapGradients == Choice::On && software.overlapParameters == Choice::Off);
        QVERIFY(software.overlapTensor == Choice::Off && software.graphs == Graphs::Layer);
        QVERIFY(software.scaling == Scaling::Tensor);
        const std::pair<const char*, Scaling> texts[] = {
            {"fp8 (TE hybrid, delayed scaling)", Scaling::Delayed},
            {"fp8-rowwise", Scaling::Row},
            {"fp8 blockwise", Scaling::Block},
            {"mxfp8", Scaling::Mxfp8},
            {"nvfp4", Scaling::Nvfp4}};
        for (const auto& [text, scaling] : texts) {
            takeStated({{}, {}, {}, {}, text}, software);
            QVERIFY2(software.scaling == scaling, text);
        }
        takeStated({{}, {}, {}, "full iteration", "bf16"}, software);
        QVERIFY(software.graphs == Graphs::Iteration && software.scaling == Scaling::Nvfp4);
        takeStated({{}, {}, {}, "none", {}}, software);
        QVERIFY(software.graphs == Graphs::None);
    }

    void stageNotes() {
        // 24 blocks in 30 modules: two in front of the blocks, four behind.
        const StageNotes bounds =
            parseStageNotes("pipeline layer boundaries [0, 9, 15, 21, 30] of 30 pipe modules; cost 1.2", 24);
        QVERIFY(bounds.blocks == (std::vector<int>{7, 6, 6, 5}));
        QVERIFY(bounds.stages.empty());
        const StageNotes stages = parseStageNotes(
            "layers_per_stage=[12, 14] (of num_all_layers incl. embed/head); stages: 8xRTX-3090/tp8 , "
            "8xRTX-2080/tp8 | 8xTitan-RTX/tp8 , 8xRTX-2080/tp8",
            24);
        QVERIFY(stages.blocks == (std::vector<int>{11, 13}));
        QCOMPARE(stages.stages.size(), std::size_t{2});
        QCOMPARE(stages.stages[1].size(), std::size_t{2});
        QCOMPARE(stages.stages[1][0].count, 8);
        QCOMPARE(stages.stages[1][0].tp, 8);
        QVERIFY(parseStageNotes("layers_per_stage=[6, 6]", 12).blocks == (std::vector<int>{6, 6}));
        QVERIFY(parseStageNotes("layers_per_stage=[6, 7]", 24).blocks.empty());
        QVERIFY(parseStageNotes("first and last stage hold one layer fewer", 22).blocks.empty());
    }

    void memoryDefinitions() {
        QVERIFY(memoryBasis("max reserved over GPUs as logged (GiB)") == MemoryBasis::Reserved);
        QVERIFY(memoryBasis("nvidia-smi memory.used, MiB/1024") == MemoryBasis::DeviceInUse);
        QVERIFY(memoryBasis("max over ranks of TOTAL device memory in use") == MemoryBasis::DeviceInUse);
        QVERIFY(memoryBasis("torch.cuda.max_memory_allocated") == MemoryBasis::Allocated);
        QVERIFY(memoryBasis("\"GPU Memory (GB)\", basis unstated") == MemoryBasis::GpuMemory);
        QVERIFY(memoryBasis("basis unstated") == MemoryBasis::Unstated);
        QVERIFY(memoryRanks("max reserved over GPUs as logged (GiB)") == MemoryRanks::Most);
        QVERIFY(memoryRanks("torch.cuda peak on world rank 0 only") == MemoryRanks::FirstStage);
        QVERIFY(memoryRanks("peak on the last rank only (last pipeline stage)") == MemoryRanks::LastStage);
        MemoryConstants constants;
        constants.workspaces = 0.5;
        constants.reservedFactor = 2.0;
        constants.inUseOffset = 3.0;
        constants.gpuMemoryOffset = 4.0;
        QCOMPARE(printedGib(10.0, 1.0, MemoryBasis::Unstated, constants), 10.0);
        QCOMPARE(printedGib(10.0, 1.0, MemoryBasis::Allocated, constants), 9.5);
        QCOMPARE(printedGib(10.0, 1.0, MemoryBasis::Reserved, constants), 19.0);
        QCOMPARE(printedGib(10.0, 1.0, MemoryBasis::DeviceInUse, constants), 13.0);
        QCOMPARE(printedGib(10.0, 1.0, MemoryBasis::GpuMemory, constants), 14.0);
    }
};

QTEST_APPLESS_MAIN(RunTextsTest)
#include "run_texts_test.moc"

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "tests/exchange/flagscale_reader.h"
#include "tests/exchange/sample_plan.h"
#include "tests/exchange/script_run.h"
#include "tests/exchange/target_plans.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

using namespace pw;

namespace {

ExportResult exported(const Problem& problem, const Plan& plan) {
    return makeExport(*exporterRow("flagscale"), {problem, {}, plan, {}});
}

std::string codes(const ExportResult& result) {
    std::set<std::string> unique;
    for (const Refusal& r : result.refusals)
        unique.insert(r.code);
    std::string text;
    for (const std::string& code : unique)
        text += (text.empty() ? "" : " ") + code;
    return text;
}

struct StudyVariant {
    const char* name;
    std::function<void(std::vector<Stage>&)> edit;
};

const std::vector<StudyVariant>& studyVariants() {
    static const std::vector<StudyVariant> list = {
        {"as it is", [](std::vector<Stage>&) {}},
        {"hosts in another order",
         [](std::vector<Stage>& stages) { std::swap(stages[2].replicas, stages[3].replicas); }},
        {"GPUs of a node in another order",
         [](std::vector<Stage>& stages) { std::swap(stages[0].replicas, stages[1].replicas); }},
        {"part of a node",
         [](std::vector<Stage>& stages) {
             stages[0].replicas = replicas(2, 1, 2);
             stages[1].replicas = replicas(6, 1, 2);
         }},
        {"full recompute everywhere",
         [](std::vector<Stage>& stages) {
             for (Stage& s : stages)
                 s.recompute = Recompute::Full;
         }},
        {"recompute by stage",
         [](std::vector<Stage>& stages) { stages[0].recompute = stages[2].recompute = Recompute::Full; }},
        {"tp 1 and 4",
         [](std::vector<Stage>& stages) {
             for (const int i : {0, 1})
                 stages[static_cast<std::size_t>(i)] = blockStage(10 * i, 10 * i + 9, 32, 4 * i, 2, 1);
         }},
    };
    return list;
}

// The devices of a plan in rank order, "n1.g3".
std::vector<std::string> devicesOf(const Problem& problem, const Stage& stage) {
    std::vector<std::string> devices;
    for (const Replica& r : stage.replicas)
        for (const DeviceIndex d : r.devices)
            devices.push_back(problem.topology().devices()[static_cast<std::size_t>(d)].id);
    return devices;
}

// Says in a file of its node's rank where it was started, on which GPUs, and what it was asked.
constexpr const char* kTorchrun = R"sh(#!/bin/bash
set -euo pipefail
rank=$(printf '%s\n' "$@" | sed -n '/^--node_rank$/{n;p}')
mkdir -p "$PW_STARTED"
printf '%s\n' "$PWD" "$CUDA_VISIBLE_DEVICES" "$PYTHONPATH" "$@" >"$PW_STARTED/$rank"
)sh";
// Every host is this machine.
constexpr const char* kSsh = "#!/bin/bash\nexec bash -c \"${@: -1}\"\n";

// An exported plan beside a checkout in which flagscale_stub.py stands for the trainer's run.py.
class Launcher {
public:
    explicit Launcher(ExportResult made) : m_run(withCheckout(std::move(made))) {
        m_run.place(QStringLiteral("torchrun"), kTorchrun);
        m_run.place(QStringLiteral("ssh"), kSsh);
        m_run.place(QStringLiteral("sync"), "#!/bin/sh\n");
        m_run.place(QStringLiteral("python3"), "#!/bin/sh\nexec /usr/bin/python3 -B \"$@\"\n");
    }
    ScriptRun::Output run(const QString& action) {
        return m_run.run({QStringLiteral("bash"), m_run.path(QStringLiteral("launch.sh")), action},
                         {{QStringLiteral("FLAGSCALE_HOME"), home()},
                          {QStringLiteral("PYTHONPATH"), QString()},
                          {QStringLiteral("PW_STARTED"), m_run.path(QStringLiteral("started"))}});
    }
    QString home() const { return m_run.path(QStringLiteral("home")); }
    qsizetype started() const {
        return QDir(m_run.path(QStringLiteral("started"))).entryList(QDir::Files).size();
    }
    QStringList startedAs(std::size_t rank) const {
        const auto text = readFile(m_run.path(QStringLiteral("started/%1").arg(rank)).toStdString());
        return text ? QString::fromStdString(*text).split(QLatin1Char('\n'), Qt::SkipEmptyParts)
                    : QStringList();
    }

private:
    static ExportResult withCheckout(ExportResult made) {
        auto runner = readFile(PW_SOURCE_DIR "/tests/exchange/flagscale_stub.py");
        if (!runner)
            qFatal("%s", runner.error().text().c_str());
        made.files.push_back({"home/run.py", *std::move(runner)});
        return made;
    }
    ScriptRun m_run;
};

// What stands behind a flag up to the next one.
QStringList valuesOf(const QStringList& arguments, const QString& flag) {
    QStringList values;
    const qsizetype at = arguments.indexOf(flag);
    for (qsizetype i = at + 1; at >= 0 && i < arguments.size() && !arguments[i].startsWith(u"--"); ++i)
        values << arguments[i];
    return values;
}

} // namespace

class FlagscaleTest : public QObject {
    Q_OBJECT

private slots:
    // The files, read back by the trainer's rules, must run exactly the plan.
    void filesRunThePlan_data() { addVariants(); }
    void filesRunThePlan() {
        QFETCH(int, variant);
        const auto problem = sampleProblem();
        Plan plan = samplePlan();
        std::vector<Stage>& stages = plan.pipelines[0].stages;
        studyVariants()[static_cast<std::size_t>(variant)].edit(stages);
        QVERIFY2(checkPlan(*problem, plan, "plan"),
                 checkPlan(*problem, plan, "plan") ? "" : "the plan itself is wrong");
        const ExportResult result = exported(*problem, plan);
        QVERIFY2(result.refusals.empty(), codes(result).c_str());
        const FlagscaleRun run = readFlagscale(result.files);
        QVERIFY2(run.faults.empty(), run.faults.empty() ? "" : run.faults.front().c_str());
        QCOMPARE(run.stages.size(), stages.size());
        QCOMPARE(run.microbatches, 32);
        for (std::size_t i = 0; i < stages.size(); ++i) {
            const FlagscaleRun::Stage& read = run.stages[i];
            QVERIFY(read.devices == devicesOf(*problem, stages[i]));
            QCOMPARE(read.tp, stages[i].tp);
            QCOMPARE(read.dp, stages[i].dp());
            QCOMPARE(read.layers, i < 2 ? 10 : 6);
            QCOMPARE(read.sequencesAReplica, 2 / stages[i].dp());
            const bool full = stages[i].recompute == Recompute::Full;
            QCOMPARE(read.recomputedLayers, full ? read.layers : 0);
        }
    }

    // By what of the trainer's own runner flagscale_stub.py has: every host in the order of the placement, as
    // many ranks as it has planned GPUs, in their order, and the arguments of all, but for the kind of its
    // devices.
    void launchStartsThePlan_data() { addVariants(); }
    void launchStartsThePlan() {
        QFETCH(int, variant);
        const auto problem = sampleProblem();
        Plan plan = samplePlan();
        std::vector<Stage>& stages = plan.pipelines[0].stages;
        studyVariants()[static_cast<std::size_t>(variant)].edit(stages);
        std::vector<std::pair<std::string, QStringList>> hosts; // each with its GPUs
        QStringList split;
        for (const Stage& stage : stages) {
            split << QString::number((stage.chunks.front().last - stage.chunks.front().first + 1) / 2);
            for (const std::string& device : devicesOf(*problem, stage)) {
                const std::string host = device.substr(0, device.find('.'));
                if (hosts.empty() || hosts.back().first != host)
                    hosts.push_back({host, {}});
                hosts.back().second << QString::fromStdString(device.substr(device.find(".g") + 2));
            }
        }
        Launcher launcher(exported(*problem, plan));
        const ScriptRun::Output dry = launcher.run(QStringLiteral("dryrun"));
        QVERIFY2(dry.code == 0, dry.errors.c_str());
        QCOMPARE(launcher.started(), 0);
        const ScriptRun::Output out = launcher.run(QStringLiteral("test"));
        QVERIFY2(out.code == 0, out.errors.c_str());
        QVERIFY(out.lines == dry.lines);
        QCOMPARE(launcher.started(), static_cast<qsizetype>(hosts.size()));
        QStringList others;
        for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
            QStringList said = launcher.startedAs(rank);
            QCOMPARE(said.takeFirst(), QDir(launcher.home()).canonicalPath());
            QCOMPARE(said.takeFirst(), hosts[rank].second.join(QLatin1Char(',')));
            QVERIFY(said.takeFirst().contains(QStringLiteral("home/third_party/Megatron-LM:")));
            const qsizetype entry = said.indexOf(QStringLiteral("./flagscale/train/train_gpt.py"));
            QVERIFY(entry > 0);
            const QStringList torchrun = said.first(entry);
            QCOMPARE(valuesOf(torchrun, QStringLiteral("--nnodes")), {QString::number(hosts.size())});
            QCOMPARE(valuesOf(torchrun, QStringLiteral("--node_rank")), {QString::number(rank)});
            QCOMPARE(valuesOf(torchrun, QStringLiteral("--nproc_per_node")),
                     {QString::number(hosts[rank].second.size())});
            QCOMPARE(valuesOf(torchrun, QStringLiteral("--rdzv_backend")), {QStringLiteral("static")});
            QVERIFY(valuesOf(torchrun, QStringLiteral("--rdzv_endpoint"))
                        .value(0)
                        .startsWith(QString::fromStdString(hosts[0].first) + QLatin1Char(':')));
            QStringList arguments = said.mid(entry + 1);
            QCOMPARE(valuesOf(arguments, QStringLiteral("--hetero-pipeline-layer-split")), split);
            const QStringList types = valuesOf(arguments, QStringLiteral("--hetero-device-types"));
            QCOMPARE(valuesOf(arguments, QStringLiteral("--hetero-process-meshes")).size(), 5 * types.size());
            const qsizetype own = arguments.indexOf(QStringLiteral("--hetero-current-device-type")) + 1;
            QCOMPARE(arguments.value(own), hosts[rank].first == "n1" ? types.first() : types.last());
            // Rows of a list stay whole on their way through three shells.
            const QStringList rows =
                valuesOf(arguments, QStringLiteral("--recompute-granularity-per-stage-micro-batch"));
            QCOMPARE(rows.isEmpty(), qstrcmp(QTest::currentDataTag(), "recompute by stage") != 0);
            for (const QString& row : rows)
                QVERIFY2(row.startsWith(QLatin1Char('[')) && row.endsWith(QLatin1Char(']')), qPrintable(row));
            arguments.removeAt(own);
            if (rank > 0)
                QCOMPARE(arguments, others);
            others = arguments;
        }
    }

    void launchNeedsACheckoutAndAnAction() {
        Launcher launcher(exported(*sampleProblem(), samplePlan()));
        QVERIFY(launcher.run(QStringLiteral("start")).code != 0);
        QCOMPARE(launcher.started(), 0);
        ScriptRun alone(exported(*sampleProblem(), samplePlan()));
        const ScriptRun::Output out =
            alone.run({QStringLiteral("bash"), alone.path(QStringLiteral("launch.sh"))},
                      {{QStringLiteral("FLAGSCALE_HOME"), QString()}});
        QVERIFY(out.code != 0);
        QVERIFY2(out.errors.find("set it to the FlagScale checkout") != std::string::npos,
                 out.errors.c_str());
    }

    // One plan a code; whatever else is wrong with it, this code is among the refusals and no file is made.
    // Experts dealt out over the replicas of a mesh, in its own number, and DeepSeek's attention.
    void takesExperts() {
        TargetPlan target = planFor("flagscale");
        for (Node& n : target.cluster.nodes)
            n.kind = "A100-SXM4-40GB";
        Model& m = target.model;
        m.kvHeads = m.heads;
        m.latent = {1536, 512, 128, 64, 128};
        m.headDim = 192;
        m.experts.count = 8;
        m.experts.perToken = 2;
        m.experts.ffn = 1408;
        m.experts.denseBlocks = {0, 1};
        std::vector<Stage>& stages = target.plan.pipelines[0].stages;
        stages[0].ep = stages[1].ep = 2;
        const auto problem = target.problem();
        const ExportResult made = exported(*problem, target.plan);
        QVERIFY2(made.refusals.empty(),
                 made.refusals.empty() ? "" : reasonOf(made.refusals[0]).text().c_str());
        const FlagscaleRun run = readFlagscale(made.files);
        QVERIFY2(run.faults.empty(), run.faults.empty() ? "" : run.faults.front().c_str());
        std::string train;
        for (const ExportFile& file : made.files)
            if (file.name == "train/pipewright.yaml")
                train = file.text;
        for (const char* line :
             {"hetero_process_meshes: [2, 1, 2, 2, 2, 2, 1, 1, 2, 2]\n", "expert_model_parallel_size: 2\n",
              "num_experts: 8\n", "moe_grouped_gemm: true\n", "multi_latent_attention: true\n",
              "qk_layernorm: true\n", "kv_lora_rank: 512\n", "moe_layer_freq: \"([0]*2+[1]*30)\"\n",
              "rotary_base: 500000\n", "mock_data: true\n", "vocab_size: 128255}"})
            QVERIFY2(train.find(line) != std::string::npos, (line + train).c_str());
    }

    void refusals_data() {
        QTest::addColumn<QString>("code");
        for (const char* code : {"E_SCHEDULE",
                                 "E_SCHEDULE launch",
                                 "E_SUBLAYER",
                                 "E_EMPTY_STAGE",
                                 "E_LAYER_ORDER",
                                 "E_VPP",
                                 "E_CP",
                                 "E_EP",
                                 "E_DEVICE_TYPE_ORDER",
                                 "E_NONCONTIGUOUS_DEVICES",
                                 "E_LOCAL_MIX",
                                 "E_DIVIDE_HEADS",
                                 "E_DIVIDE_GBS",
                                 "E_MB_SPLIT_UNEVEN",
                                 "E_MB_SPLIT_UNEVEN shares",
                                 "E_RECOMPUTE_PER_STAGE",
                                 "E_SHARDING",
                                 "E_REPLICA_SHAPE",
                                 "E_SEQUENCE_PARALLEL",
                                 "E_TIED_EMBED",
                                 "E_TIED_EMBED further tokens",
                                 "E_UNSUPPORTED_MODEL",
                                 "E_EP fp16",
                                 "E_SEQUENCE_PARALLEL experts"})
            QTest::newRow(code) << QString::fromLatin1(code);
    }
    void refusals() {
        QFETCH(QString, code);
        const auto problem = sampleProblem([&](Model& m) {
            if (code == QLatin1String("E_TIED_EMBED"))
                m.tied = true;
            if (code == QLatin1String("E_TIED_EMBED further tokens"))
                m.predictionDepth = 1;
            if (code == QLatin1String("E_UNSUPPORTED_MODEL"))
                m.window.assign(32, 256), m.window[0] = 512; // two sizes
            if (code == QLatin1String("E_EP fp16") || code == QLatin1String("E_SEQUENCE_PARALLEL experts")) {
                m.experts.count = 8;
                m.experts.perToken = 2;
                m.experts.ffn = m.ffn;
            }
        });
        Plan plan = samplePlan();
        Pipeline& p = plan.pipelines[0];
        std::vector<Stage>& stages = p.stages;
        const std::map<QString, std::function<void()>> change = {
            {QStringLiteral("E_SCHEDULE"),
             [&] {
                 p.schedule.kind = ScheduleKind::H1F1B;
                 p.schedule.launch = {7, 5, 3, 1};
             }},
            {QStringLiteral("E_SCHEDULE launch"),
             [&] {
                 p.schedule.launch = {5, 3, 2, 1};
             }},
            {QStringLiteral("E_SUBLAYER"), [&] { --stages[0].chunks[0].last, --stages[1].chunks[0].first; }},
            {QStringLiteral("E_EMPTY_STAGE"),
             [&] {
                 stages[0].chunks = {{0, 0}}, stages[1].chunks[0].first = 1;
             }},
            {QStringLiteral("E_LAYER_ORDER"), [&] { std::swap(stages[1].chunks, stages[2].chunks); }},
            {QStringLiteral("E_VPP"), [&] { p.schedule.chunks = 2; }},
            {QStringLiteral("E_CP"), [&] { stages[2].cp = 2, stages[2].tp = 2; }},
            {QStringLiteral("E_EP"), [&] { stages[2].ep = 2; }},
            {QStringLiteral("E_DEVICE_TYPE_ORDER"),
             [&] { std::swap(stages[1].replicas, stages[2].replicas); }},
            {QStringLiteral("E_NONCONTIGUOUS_DEVICES"),
             [&] {
                 stages[2].replicas[0].devices = {8, 9, 12, 13};
                 stages[3].replicas[0].devices = {10, 11, 14, 15};
             }},
            {QStringLiteral("E_LOCAL_MIX"),
             [&] { std::swap(stages[1].replicas[1].devices[0], stages[2].replicas[0].devices[0]); }},
            {QStringLiteral("E_DIVIDE_HEADS"),
             [&] { stages[2].tp = 3, stages[2].replicas = replicas(8, 1, 3); }},
            {QStringLiteral("E_DIVIDE_GBS"), [&] { p.microbatches = 31; }},
            {QStringLiteral("E_MB_SPLIT_UNEVEN"), [&] { p.microbatchSize = 1, p.microbatches = 64; }},
            {QStringLiteral("E_MB_SPLIT_UNEVEN shares"),
             [&] { stages[0].replicas[0].share = 0.75, stages[0].replicas[1].share = 0.25; }},
            {QStringLiteral("E_RECOMPUTE_PER_STAGE"), [&] { stages[0].recompute = Recompute::Selective; }},
            {QStringLiteral("E_SHARDING"), [&] { stages[0].zero = 1; }},
            {QStringLiteral("E_REPLICA_SHAPE"), [&] { plan.pipelines.push_back(p); }},
            {QStringLiteral("E_SEQUENCE_PARALLEL"),
             [&] {
                 for (Stage& s : stages)
                     s.sequenceParallel = false;
             }},
            {QStringLiteral("E_TIED_EMBED"), [] {}},
            {QStringLiteral("E_TIED_EMBED further tokens"), [] {}},
            {QStringLiteral("E_UNSUPPORTED_MODEL"), [] {}},
            {QStringLiteral("E_EP fp16"), [&] { stages[0].ep = stages[1].ep = 2; }}, // V100s plan in fp16
            {QStringLiteral("E_SEQUENCE_PARALLEL experts"),
             [&] {
                 for (Stage& s : stages)
                     s.sequenceParallel = false;
                 stages[0].ep = 2;
             }},
        };
        change.at(code)();
        const ExportResult result = exported(*problem, plan);
        QVERIFY(result.files.empty());
        const std::string wanted = code.section(QLatin1Char(' '), 0, 0).toStdString();
        const bool found = std::any_of(result.refusals.begin(), result.refusals.end(), [&](const Refusal& r) {
            return r.code == wanted && !r.where.empty();
        });
        QVERIFY2(found, codes(result).c_str());
    }

    void allRefusalsComeAtOnce() {
        Plan plan = samplePlan();
        plan.pipelines[0].schedule = {ScheduleKind::GPipe, LaunchRule::Artifact, 1, {}};
        plan.pipelines[0].stages[1].recompute = Recompute::Selective;
        --plan.pipelines[0].stages[0].chunks[0].last;
        --plan.pipelines[0].stages[1].chunks[0].first;
        QCOMPARE(codes(exported(*sampleProblem(), plan)),
                 std::string("E_RECOMPUTE_PER_STAGE E_SCHEDULE E_SUBLAYER"));
    }

private:
    static void addVariants() {
        QTest::addColumn<int>("variant");
        for (std::size_t v = 0; v < studyVariants().size(); ++v)
            QTest::newRow(studyVariants()[v].name) << static_cast<int>(v);
    }
};

QTEST_GUILESS_MAIN(FlagscaleTest)
#include "flagscale_test.moc"

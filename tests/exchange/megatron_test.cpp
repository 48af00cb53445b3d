// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/exchange/exports/export.h"
#include "core/exchange/imports/import_table.h"
#include "tests/exchange/made_files.h"
#include "tests/exchange/megatron_reader.h"
#include "tests/exchange/random_plan.h"
#include "tests/exchange/script_run.h"
#include "tests/exchange/target_plans.h"
#include "tests/test_data.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <tuple>

using namespace pw;

namespace {

std::string joined(const std::vector<std::string>& list) {
    std::string text;
    for (const std::string& item : list)
        text += item + "; ";
    return text;
}

// The ids of the GPUs by rank, from the list of nodes in launch.sh.
std::vector<std::string> devicesByRank(const std::string& launch) {
    std::vector<std::string> ids;
    const QString text = QString::fromStdString(launch)
                             .section(QStringLiteral("nodes=(\n"), 1)
                             .section(QStringLiteral("\n)"), 0, 0);
    for (const QString& line : text.split(QLatin1Char('\n'))) {
        const QString entry = line.trimmed().remove(QLatin1Char('"'));
        for (const QString& slot : entry.section(QLatin1Char(' '), 1).split(QLatin1Char(',')))
            ids.push_back(
                (entry.section(QLatin1Char(' '), 0, 0) + QStringLiteral(".g") + slot).toStdString());
    }
    return ids;
}

const ExportFile& fileOf(const ExportResult& result, const char* name) {
    return *std::find_if(result.files.begin(), result.files.end(),
                         [&](const ExportFile& f) { return f.name == name; });
}

// What the words of a torchrun call hand to the trainer.
std::vector<std::string> behindScript(const std::vector<std::string>& lines) {
    const auto script = std::find_if(lines.begin(), lines.end(),
                                     [](const std::string& l) { return l.ends_with("pretrain_gpt.py"); });
    return {script, lines.end()};
}

} // namespace

class MegatronTest : public QObject {
    Q_OBJECT

private slots:
    // Vectors of the description, with what the trainer's own checks say to them.
    void theReaderKnowsTheTrainer_data() {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<bool>("accepted");
        QTest::newRow("layout") << "--pipeline-model-parallel-layout Et*5|t*9|t*9|t*9L" << true;
        QTest::newRow("first and last")
            << "--decoder-first-pipeline-num-layers 5 --decoder-last-pipeline-num-layers 9" << true;
        QTest::newRow("first alone") << "--decoder-first-pipeline-num-layers 5" << true;
        QTest::newRow("31 layers") << "--pipeline-model-parallel-layout Et*5|t*8|t*9|t*9L" << false;
        QTest::newRow("3 segments") << "--pipeline-model-parallel-layout Et*14|t*9|t*9L" << false;
        QTest::newRow("layout and first")
            << "--pipeline-model-parallel-layout Et*5|t*9|t*9|t*9L --decoder-first-pipeline-num-layers 5"
            << false;
        QTest::newRow("groups") << "--pipeline-model-parallel-layout E(t|)*2(t,t)*14|t*2L" << true;
        QTest::newRow("a letter") << "--pipeline-model-parallel-layout Et*5|x|t*18|t*9L" << false;
        QTest::newRow("gbs 63") << "--pipeline-model-parallel-layout Et*5|t*9|t*9|t*9L --global-batch-size 63"
                                << false;
        QTest::newRow("full without method")
            << "--pipeline-model-parallel-layout Et*5|t*9|t*9|t*9L --recompute-granularity full" << false;
        QTest::newRow("selective with method")
            << "--pipeline-model-parallel-layout Et*5|t*9|t*9|t*9L --recompute-granularity selective "
               "--recompute-method block"
            << false;
        QTest::newRow("interleaved, 3 micro-batches")
            << "--pipeline-model-parallel-layout Et*4|t*4|t*4|t*4|t*4|t*4|t*4|t*4L --global-batch-size 6"
            << false;
    }
    void theReaderKnowsTheTrainer() {
        QFETCH(QString, arguments);
        QFETCH(bool, accepted);
        std::vector<std::string> words;
        const QString base = QStringLiteral("--num-layers 32 --tensor-model-parallel-size 2 "
                                            "--pipeline-model-parallel-size 4 --num-attention-heads 32 "
                                            "--ffn-hidden-size 11008 --micro-batch-size 1 "
                                            "--global-batch-size 64 --seq-length 4096 ");
        for (const QString& word : (base + arguments).split(QLatin1Char(' ')))
            words.push_back(word.toStdString());
        const MegatronJob job = checkMegatronJob(megatronArguments(words), 16);
        QVERIFY2(job.faults.empty() == accepted, joined(job.faults).c_str());
    }

    void theSummaryCountsInWords() {
        for (const int size : {1, 2}) {
            TargetPlan target = planFor("megatron");
            Pipeline& pipeline = target.plan.pipelines.front();
            pipeline.microbatchSize = size * pipeline.stages.front().dp();
            target.recipe.gbs = pipeline.microbatches * pipeline.microbatchSize;
            const auto problem = target.problem();
            const ExportResult made =
                makeExport(*exporterRow("megatron"), {*problem, {}, target.plan, {}, "0.19"});
            QVERIFY2(made.refusals.empty(), made.refusals.empty() ? "" : made.refusals[0].text().c_str());
            QString texts;
            for (const ExportFile& file : made.files)
                texts += QString::fromStdString(file.text);
            QVERIFY2(texts.contains(size == 1 ? QStringLiteral(" of 1 sequence a replica.")
                                              : QStringLiteral(" of 2 sequences a replica.")),
                     qPrintable(texts.left(400)));
        }
    }

    // The exported model is the model: what the trainer would take otherwise unasked.
    void theModelIsTheModel() {
        const auto wordsOf = [](TargetPlan& target, const char* release, QStringList* notes = nullptr) {
            const auto problem = target.problem();
            const ExportResult made =
                makeExport(*exporterRow("megatron"), {*problem, {}, target.plan, {}, release});
            if (!made.refusals.empty())
                return MegatronArguments{{"refused " + made.refusals[0].code, ""}};
            for (const Diagnostic& note : made.notes)
                if (notes != nullptr)
                    notes->append(QString::fromStdString(note.code));
            ScriptRun scripts(made);
            scripts.fake(QStringLiteral("torchrun"));
            const auto out = scripts.run({QStringLiteral("bash"), QStringLiteral("./pretrain.sh")},
                                         {{QStringLiteral("NODE_RANK"), QStringLiteral("0")},
                                          {QStringLiteral("MEGATRON_HOME"), QStringLiteral("/m")}});
            return megatronArguments(behindScript(out.lines));
        };
        TargetPlan llama = planFor("megatron");
        QStringList notes;
        MegatronArguments words = wordsOf(llama, "0.19", &notes);
        QCOMPARE(words.at("--rotary-base"), std::string("500000"));
        QCOMPARE(words.at("--vocab-size"), std::string("128256"));
        QVERIFY(!notes.contains(QStringLiteral("export.rotary_base")));
        QVERIFY(notes.contains(QStringLiteral("export.transformer_engine"))); // V100s
        // NullTokenizer adds one before 0.18.
        QCOMPARE(wordsOf(llama, "0.18").at("--vocab-size"), std::string("128256"));
        QCOMPARE(wordsOf(llama, "0.17").at("--vocab-size"), std::string("128255"));
        QVERIFY(!words.contains("--norm-epsilon"));
        llama.model.normEpsilon = 1e-6;
        QCOMPARE(wordsOf(llama, "0.19").at("--norm-epsilon"), std::string("1e-06"));
        llama.model.rotaryBase = 0;
        words = wordsOf(llama, "0.19", &notes);
        QVERIFY(!words.contains("--rotary-base"));
        QVERIFY(notes.contains(QStringLiteral("export.rotary_base")));

        // Experts spread over ranks: in fp16, which V100s ask for, from 0.16 on; grouped on newer GPUs.
        TargetPlan experts = planFor("megatron");
        experts.model.experts.count = 8;
        experts.model.experts.perToken = 2;
        experts.model.experts.ffn = experts.model.ffn;
        for (Stage& s : experts.plan.pipelines[0].stages)
            s.ep = 2;
        QVERIFY(wordsOf(experts, "0.15").contains("refused E_EP"));
        notes.clear();
        words = wordsOf(experts, "0.16", &notes);
        QVERIFY(words.contains("--num-experts") && !words.contains("--moe-grouped-gemm"));
        QVERIFY(notes.contains(QStringLiteral("export.grouped_experts")));
        for (Node& n : experts.cluster.nodes)
            n.kind = "A100-SXM4-40GB";
        notes.clear();
        QVERIFY(wordsOf(experts, "0.15", &notes).contains("--moe-grouped-gemm")); // bf16 now
        QVERIFY(notes.isEmpty());

        // DeepSeek's latent norms, groups and scaling.
        TargetPlan latent = experts;
        latent.model.kvHeads = latent.model.heads;
        latent.model.latent = {1536, 512, 128, 64, 128};
        latent.model.headDim = 192;
        latent.model.experts.routerBias = true;
        notes.clear();
        words = wordsOf(latent, "0.19", &notes);
        QVERIFY(words.contains("--qk-layernorm") && !words.contains("--moe-router-num-groups"));
        QVERIFY(notes.contains(QStringLiteral("export.router")));
        latent.model.experts.groups = 8;
        latent.model.experts.groupsPerToken = 4;
        latent.model.experts.scale = 2.5;
        notes.clear();
        words = wordsOf(latent, "0.19", &notes);
        QCOMPARE(words.at("--moe-router-num-groups"), std::string("8"));
        QCOMPARE(words.at("--moe-router-group-topk"), std::string("4"));
        QCOMPARE(words.at("--moe-router-topk-scaling-factor"), std::string("2.5"));
        QVERIFY(notes.isEmpty());

        // Layers that predict further tokens stand in a layout from 0.14 on; 0.13 asks for three parts.
        latent.model.predictionDepth = 2;
        for (const char* release : {"0.19", "0.16", "0.14"}) {
            words = wordsOf(latent, release);
            QCOMPARE(words.at("--mtp-num-layers"), std::string("2"));
            QVERIFY(QString::fromStdString(words.at("--pipeline-model-parallel-layout"))
                        .endsWith(QStringLiteral("mmL")));
            const MegatronJob job = checkMegatronJob(words, 16);
            QVERIFY2(job.faults.empty(), joined(job.faults).c_str());
        }
        for (const char* release : {"0.13", "0.12"}) {
            words = wordsOf(latent, release);
            QVERIFY(!words.contains("--pipeline-model-parallel-layout"));
            QVERIFY(words.contains("refused E_UNEVEN_LAYERS") || words.at("--mtp-num-layers") == "2");
        }
        // Windows: from 0.15 on, of one size, sliding.
        TargetPlan windowed = planFor("megatron");
        windowed.model.window.assign(32, 4096);
        words = wordsOf(windowed, "0.15");
        QCOMPARE(words.at("--window-size"), std::string("4095,0"));
        QVERIFY(!words.contains("--window-attn-skip-freq"));
        for (std::size_t b = 1; b < 32; b += 2)
            windowed.model.window[b] = 0;
        words = wordsOf(windowed, "0.19");
        QVERIFY(QString::fromStdString(words.at("--window-attn-skip-freq"))
                    .startsWith(QStringLiteral("([1]*1+[0]*1+")));
        QVERIFY(wordsOf(windowed, "0.14").contains("refused E_UNSUPPORTED_MODEL"));
        windowed.model.chunks = true;
        QVERIFY(wordsOf(windowed, "0.19").contains("refused E_UNSUPPORTED_MODEL"));
        windowed.model.chunks = false;
        windowed.model.window[0] = 1024;
        QVERIFY(wordsOf(windowed, "0.19").contains("refused E_UNSUPPORTED_MODEL"));

        latent.model.learnedPositions = latent.model.positions;
        QVERIFY(wordsOf(latent, "0.16").contains("refused E_UNSUPPORTED_MODEL"));
        QCOMPARE(wordsOf(latent, "0.17").at("--mtp-num-layers"), std::string("2"));
    }

    // Every rule holds and the job is the plan, for 200 random plans, on whose scripts bash itself is run.
    void randomPlansObeyEveryRule() {
        constexpr std::uint64_t kSeed = 20261121;
        Random random(kSeed);
        int chunked = 0, mapped = 0;
        for (int k = 0; k < 200; ++k) {
            const RandomPlan drawn = randomUniformPlan(random);
            const std::string what = "seed " + std::to_string(kSeed) + ", plan " + std::to_string(k) + ": ";
            const Status sound = checkPlan(*drawn.problem, drawn.plan, "plan");
            QVERIFY2(sound, (what + (sound ? "" : sound.error().text())).c_str());
            const ExportResult result =
                makeExport(*exporterRow("megatron"), {*drawn.problem, {}, drawn.plan, {}});
            QVERIFY2(result.refusals.empty(),
                     (what + (result.refusals.empty() ? "" : reasonOf(result.refusals[0]).text())).c_str());
            ScriptRun scripts(result);
            scripts.fake(QStringLiteral("torchrun"), QStringLiteral("CUDA_DEVICE_MAX_CONNECTIONS"));
            const auto out = scripts.run({QStringLiteral("bash"), QStringLiteral("./pretrain.sh")},
                                         {{QStringLiteral("NODE_RANK"), QStringLiteral("0")},
                                          {QStringLiteral("MEGATRON_HOME"), QStringLiteral("/m")}});
            QVERIFY2(out.code == 0, (what + out.errors).c_str());
            const std::vector<std::string> devices = devicesByRank(fileOf(result, "launch.sh").text);
            const MegatronJob job = checkMegatronJob(megatronArguments(behindScript(out.lines)),
                                                     static_cast<int>(devices.size()));
            QVERIFY2(job.faults.empty(), (what + joined(job.faults)).c_str());
            compare(drawn, job, devices, what);
            if (QTest::currentTestFailed())
                return;
            const Pipeline& p = drawn.plan.pipelines[0];
            QCOMPARE(out.lines[1],
                     std::string("CUDA_DEVICE_MAX_CONNECTIONS=") + (p.stages[0].tp > 1 ? "1" : ""));
            chunked += p.schedule.chunks > 1 ? 1 : 0;
            mapped += result.files[0].text.find("--use-tp-pp-dp-mapping") != std::string::npos ? 1 : 0;
        }
        QVERIFY2(chunked > 10 && mapped > 10, "the plans are too much alike");
    }

    // torchrun gets every node's GPUs, in the order of the nodes, and finds the node by its name.
    void everyNodeStartsItsRanks() {
        Random random(7);
        const RandomPlan drawn = randomUniformPlan(random);
        const ExportResult result =
            makeExport(*exporterRow("megatron"), {*drawn.problem, {}, drawn.plan, {}});
        QVERIFY(result.refusals.empty());
        ScriptRun scripts(result);
        scripts.fake(QStringLiteral("torchrun"), QStringLiteral("CUDA_VISIBLE_DEVICES"));
        const std::vector<std::string> devices = devicesByRank(fileOf(result, "launch.sh").text);
        std::size_t rank = 0;
        for (int node = 0; rank < devices.size(); ++node) {
            const auto out = scripts.run(
                {QStringLiteral("bash"), QStringLiteral("./launch.sh"), QStringLiteral("train.py")},
                {{QStringLiteral("NODE_RANK"), QString::number(node)}});
            QVERIFY2(out.code == 0, out.errors.c_str());
            const std::string& visible = out.lines[1];
            const auto gpus = static_cast<std::size_t>(1 + std::count(visible.begin(), visible.end(), ','));
            QVERIFY(std::count(out.lines.begin(), out.lines.end(),
                               "--nproc_per_node=" + std::to_string(gpus)) == 1);
            QVERIFY(std::count(out.lines.begin(), out.lines.end(), "--node_rank=" + std::to_string(node)) ==
                    1);
            QCOMPARE(out.lines.back(), std::string("train.py"));
            for (const std::string& line : out.lines)
                QVERIFY2(line.find("rdzv") == std::string::npos, "c10d would place by order of arrival");
            // By name, as a node finds itself.
            const std::string host = devices[rank].substr(0, devices[rank].find('.'));
            scripts.fake(QStringLiteral("unused"));
            const auto named = scripts.run(
                {QStringLiteral("bash"), QStringLiteral("./launch.sh"), QStringLiteral("train.py")},
                {{QStringLiteral("SLURMD_NODENAME"), QString::fromStdString(host)}});
            QVERIFY(named.lines == out.lines);
            rank += gpus;
        }
        QCOMPARE(rank, devices.size());
        const auto lost =
            scripts.run({QStringLiteral("bash"), QStringLiteral("./launch.sh"), QStringLiteral("train.py")});
        QVERIFY(lost.code != 0);
        for (const ExportFile& file : result.files)
            QVERIFY2(scripts.syntax(file.name).empty(), scripts.syntax(file.name).c_str());
    }

    // Under Slurm a component's nodes are numbered by their names, behind those of the components before.
    void slurmKeepsTheOrder() {
        Random random(13);
        int several = 0;
        for (int k = 0; k < 30; ++k) {
            const RandomPlan drawn = randomUniformPlan(random);
            const ExportResult result =
                makeExport(*exporterRow("megatron"), {*drawn.problem, {}, drawn.plan, {}});
            const std::string& script = fileOf(result, "slurm.sbatch").text;
            QStringList hosts; // as launch.sh has them
            for (const std::string& id : devicesByRank(fileOf(result, "launch.sh").text))
                if (const QString host = QString::fromStdString(id).section(QLatin1Char('.'), 0, 0);
                    hosts.isEmpty() || hosts.back() != host)
                    hosts << host;
            QStringList slurm;
            std::vector<qsizetype> offsets;
            static const QRegularExpression component(
                QStringLiteral("^#SBATCH --nodes=(\\d+) --nodelist=(\\S+) .*--gres=gpu:(\\d+) --exclusive$"),
                QRegularExpression::MultilineOption);
            auto matches = component.globalMatch(QString::fromStdString(script));
            while (matches.hasNext()) {
                const auto match = matches.next();
                const QStringList own = match.captured(2).split(QLatin1Char(','));
                QCOMPARE(own.size(), match.captured(1).toInt());
                offsets.push_back(slurm.size());
                for (qsizetype i = 1; i < own.size(); ++i) // "n7", "n10"
                    QVERIFY2(own[i - 1].mid(1).toInt() < own[i].mid(1).toInt(),
                             qPrintable(match.captured(2)));
                for (const QString& host : own)
                    QCOMPARE(drawn.problem->topology().cluster().node(host.toStdString())->gpus,
                             match.captured(3).toInt());
                slurm << own;
            }
            QCOMPARE(slurm, hosts);
            const bool het = offsets.size() > 1;
            QCOMPARE(script.find("#SBATCH hetjob\n") != std::string::npos, het);
            several += het ? 1 : 0;

            ScriptRun scripts(result);
            scripts.fake(QStringLiteral("srun"));
            scripts.fake(QStringLiteral("scontrol"));
            const auto out =
                scripts.run({QStringLiteral("bash"), QStringLiteral("./slurm.sbatch")},
                            {{QStringLiteral("SLURM_SUBMIT_DIR"), scripts.path(QString())},
                             {QStringLiteral("SLURM_JOB_NODELIST"), QStringLiteral("x")},
                             {QStringLiteral("SLURM_JOB_NODELIST_HET_GROUP_0"), QStringLiteral("x")}});
            QVERIFY2(out.code == 0, out.errors.c_str());
            QCOMPARE(std::count(out.lines.begin(), out.lines.end(), "srun"),
                     static_cast<int>(offsets.size()));
            QCOMPARE(std::count(out.lines.begin(), out.lines.end(), "./pretrain.sh"),
                     static_cast<int>(offsets.size()));
            for (std::size_t c = 0; c < offsets.size(); ++c) {
                const std::string start =
                    "NODE_RANK=$((" + std::to_string(offsets[c]) + " + SLURM_NODEID)) exec \"$@\"";
                QVERIFY2(std::count(out.lines.begin(), out.lines.end(), start) == 1, start.c_str());
                QVERIFY(!het || std::count(out.lines.begin(), out.lines.end(),
                                           "--het-group=" + std::to_string(c)) == 1);
            }
        }
        QVERIFY(several > 5);
    }

    // A component that fails ends the others, whichever it is, however soon; none waits for those before it.
    void slurmEndsAllComponents_data() {
        QTest::addColumn<int>("failing");
        QTest::newRow("the first") << 0;
        QTest::newRow("the last") << 1;
        QTest::newRow("none") << 2;
    }
    void slurmEndsAllComponents() {
        QFETCH(int, failing);
        const MadeFiles one = filesMade("megatron", {}, {"", [](TargetPlan&) {}});
        ScriptRun scripts(one.result);
        scripts.fake(QStringLiteral("scontrol"));
        scripts.place(QStringLiteral("srun"), QStringLiteral(R"sh(#!/bin/bash
[[ " $* " == *" --kill-on-bad-exit=1 "* ]] || exit 9
[[ " $* " != *" --het-group=%1 "* ]] || exit 3
for i in {1..%2}; do sleep 0.1; done
echo ended
)sh")
                                                  .arg(failing)
                                                  .arg(failing < 2 ? 300 : 2)
                                                  .toUtf8());
        const auto out =
            scripts.run({QStringLiteral("bash"), QStringLiteral("./slurm.sbatch")},
                        {{QStringLiteral("SLURM_SUBMIT_DIR"), scripts.path(QString())},
                         {QStringLiteral("SLURM_JOB_NODELIST_HET_GROUP_0"), QStringLiteral("x")}});
        QCOMPARE(out.code, failing < 2 ? 3 : 0);
        QCOMPARE(std::count(out.lines.begin(), out.lines.end(), "ended"), failing < 2 ? 0 : 2);
    }

    // Who is started as another node than Slurm has it on would hold another's stages.
    void slurmsNamesCount() {
        const MadeFiles one = filesMade("megatron", {}, {"", [](TargetPlan&) {}});
        ScriptRun scripts(one.result);
        scripts.fake(QStringLiteral("torchrun"));
        for (const auto& [rank, name, code] :
             {std::tuple("0", "n1", 0), std::tuple("1", "n1", 2), std::tuple("02", "n3", 0),
              std::tuple("1", "elsewhere", 0), std::tuple("1", "", 0)}) {
            const auto out = scripts.run(
                {QStringLiteral("bash"), QStringLiteral("./launch.sh"), QStringLiteral("train.py")},
                {{QStringLiteral("NODE_RANK"), QString::fromLatin1(rank)},
                 {QStringLiteral("SLURMD_NODENAME"), QString::fromLatin1(name)}});
            QVERIFY2(out.code == code, (std::string(rank) + " " + name + ": " + out.errors).c_str());
            QCOMPARE(out.errors.find("n1 is node 0 of the plan") != std::string::npos, code == 2);
        }
    }

    // NeMo 2 and Megatron-Bridge say what Megatron-LM's arguments say.
    void pythonSaysTheSame() {
        Random random(11);
        int written = 0;
        for (int k = 0; k < 40; ++k) {
            const RandomPlan drawn = randomUniformPlan(random);
            const ExportResult shell =
                makeExport(*exporterRow("megatron"), {*drawn.problem, {}, drawn.plan, {}});
            QVERIFY(shell.refusals.empty());
            const std::string& arguments = shell.files[0].text;
            for (const char* format : {"nemo2", "megatron-bridge"}) {
                const ExportResult python =
                    makeExport(*exporterRow(format), {*drawn.problem, {}, drawn.plan, {}});
                if (std::string(format) == "nemo2" && !python.refusals.empty()) {
                    QCOMPARE(python.refusals[0].code, std::string("E_STAGE_SIZE")); // nodes of 4 and of 8
                    continue;
                }
                ++written;
                QVERIFY2(python.refusals.empty(), format);
                const QString code = QString::fromStdString(fileOf(python, "plan.py").text);
                const auto assigned = [&](const char* field) {
                    return code.section(QLatin1String(field) + QStringLiteral(" = "), 1)
                        .section(QLatin1Char('\n'), 0, 0)
                        .toStdString();
                };
                const auto argument = [&](const char* flag, const char* otherwise) {
                    const QString text = QString::fromStdString(arguments);
                    const QString mark = QLatin1Char(' ') + QLatin1String(flag) + QLatin1Char(' ');
                    return text.contains(mark)
                               ? text.section(mark, 1).section(QLatin1Char('\n'), 0, 0).toStdString()
                               : std::string(otherwise);
                };
                const auto flag = [&](const char* name) {
                    return arguments.find(std::string(name) + "\n") != std::string::npos ? "True" : "False";
                };
                QCOMPARE(assigned("tensor_model_parallel_size"),
                         argument("--tensor-model-parallel-size", ""));
                QCOMPARE(assigned(".pipeline_model_parallel_size"),
                         argument("--pipeline-model-parallel-size", ""));
                QCOMPARE(assigned("pipeline_model_parallel_layout"),
                         argument("--pipeline-model-parallel-layout", ""));
                QCOMPARE(assigned("micro_batch_size"), argument("--micro-batch-size", ""));
                QCOMPARE(assigned("global_batch_size"), argument("--global-batch-size", ""));
                QCOMPARE(assigned("recompute_num_layers"), argument("--recompute-num-layers", "None"));
                QCOMPARE(assigned("sequence_parallel"), std::string(flag("--sequence-parallel")));
                QCOMPARE(assigned("use_distributed_optimizer"),
                         std::string(flag("--use-distributed-optimizer")));
                QCOMPARE(assigned("use_tp_pp_dp_mapping"), std::string(flag("--use-tp-pp-dp-mapping")));
            }
        }
        QVERIFY(written > 40);
    }

    // Core 0.12 has no layouts: first and last stage may differ, and nothing else.
    void releasesBeforeLayouts() {
        Random random(3);
        int written = 0, refused = 0;
        for (int k = 0; k < 200; ++k) {
            const RandomPlan drawn = randomUniformPlan(random);
            const ExportResult result =
                makeExport(*exporterRow("megatron"), {*drawn.problem, {}, drawn.plan, {}, "0.12"});
            if (!result.refusals.empty()) {
                QCOMPARE(result.refusals[0].code, std::string("E_UNEVEN_LAYERS"));
                ++refused;
                continue;
            }
            ++written;
            QVERIFY(result.files[0].text.find("layout\n") == std::string::npos);
            QVERIFY(result.files[0].text.find("core 0.12") != std::string::npos);
            std::vector<std::string> words;
            for (const QString& word : QString::fromStdString(result.files[0].text)
                                           .split(QRegularExpression(QStringLiteral("\\s+"))))
                words.push_back(word.toStdString());
            const std::vector<std::string> devices = devicesByRank(fileOf(result, "launch.sh").text);
            const MegatronJob job =
                checkMegatronJob(megatronArguments(words), static_cast<int>(devices.size()));
            QVERIFY2(job.faults.empty(), joined(job.faults).c_str());
            compare(drawn, job, devices, "0.12: ");
        }
        QVERIFY(written > 10 && refused > 10);
    }

    void theSameBytesForTheSamePlan() {
        Random random(5);
        const RandomPlan drawn = randomUniformPlan(random);
        for (const char* format : {"megatron", "megatron-bridge"}) {
            const ExportInput input{*drawn.problem, {}, drawn.plan, {}};
            const ExportResult once = makeExport(*exporterRow(format), input);
            const ExportResult again = makeExport(*exporterRow(format), input);
            QCOMPARE(once.files.size(), again.files.size());
            for (std::size_t i = 0; i < once.files.size(); ++i) {
                QVERIFY(once.files[i].text == again.files[i].text);
                QVERIFY(once.files[i].text.find('\r') == std::string::npos);
            }
        }
    }

    // The published shape of such a script.
    void theSampleObeysTheRules() {
        QFile sample(QString::fromStdString(test::testData("exports/megatron_llama7b_uneven.sh").string()));
        QVERIFY(sample.open(QIODevice::ReadOnly));
        std::vector<std::string> words;
        for (const QString& word : QString::fromUtf8(sample.readAll())
                                       .remove(QLatin1Char('"'))
                                       .split(QRegularExpression(QStringLiteral("[\\s\\\\]+"))))
            words.push_back(word.toStdString());
        const MegatronJob job = checkMegatronJob(megatronArguments(words), 16);
        QVERIFY2(job.faults.empty(), joined(job.faults).c_str());
        QVERIFY((job.layers == std::vector<int>{5, 9, 9, 9}));
        QVERIFY((job.recomputed == std::vector<int>{2, 2, 2, 2}));
        QCOMPARE(job.microbatches, 32L);
        QCOMPARE(job.dp, 2);
    }

private:
    static void compare(const RandomPlan& drawn, const MegatronJob& job,
                        const std::vector<std::string>& devices, const std::string& what) {
        const Pipeline& p = drawn.plan.pipelines[0];
        const auto stages = p.stages.size();
        QCOMPARE(static_cast<std::size_t>(job.pp), stages);
        QCOMPARE(job.vpp, p.schedule.chunks);
        QCOMPARE(job.tp, p.stages[0].tp);
        QCOMPARE(job.dp, p.stages[0].dp());
        QCOMPARE(job.microbatches, static_cast<long>(p.microbatches));
        for (std::size_t v = 0; v < job.layers.size(); ++v) {
            const Stage& stage = p.stages[v % stages];
            const LayerRange range = stage.chunks[v / stages];
            int blocks = 0;
            for (int b = 0; b < drawn.problem->model().blocks; ++b)
                blocks += range.first <= 1 + 2 * b && 2 + 2 * b <= range.last ? 1 : 0;
            QVERIFY2(job.layers[v] == blocks, what.c_str());
            const int recomputed = stage.recompute != Recompute::Full ? 0
                                   : stage.recomputeLayers == 0       ? blocks
                                                                : std::min(blocks, stage.recomputeLayers);
            QVERIFY2(job.recomputed[v] == recomputed, what.c_str());
        }
        std::vector<std::size_t> seen(stages * static_cast<std::size_t>(job.dp), 0);
        for (std::size_t r = 0; r < devices.size(); ++r) {
            const auto s = static_cast<std::size_t>(job.stageOfRank[r]);
            const auto d = static_cast<std::size_t>(job.replicaOfRank[r]);
            const std::size_t t = seen[s * static_cast<std::size_t>(job.dp) + d]++;
            const DeviceIndex planned = p.stages[s].replicas[d].devices[t];
            QVERIFY2(drawn.problem->topology().devices()[static_cast<std::size_t>(planned)].id == devices[r],
                     what.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(MegatronTest)
#include "megatron_test.moc"

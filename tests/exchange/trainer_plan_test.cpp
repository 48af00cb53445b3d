// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/import_table.h"
#include "core/exchange/imports/trainers/megatron_arguments.h"
#include "tests/exchange/random_plan.h"
#include "tests/test_data.h"

#include "core/exchange/exports/export.h"

#include <QtTest>

#include <fstream>

using namespace pw;

namespace {

// What no trainer can tell apart: sharding over one replica.
Plan normal(Plan plan) {
    for (Pipeline& p : plan.pipelines)
        for (Stage& s : p.stages)
            if (s.dp() == 1 && plan.pipelines.size() == 1)
                s.zero = 0;
    return plan;
}

int below(Random& random, int n) {
    return static_cast<int>(random.below(static_cast<std::uint64_t>(n)));
}

std::vector<int> randomSplit(Random& random, int blocks, int stages) {
    std::vector<int> held(static_cast<std::size_t>(stages), 1);
    for (int rest = blocks - stages; rest > 0; --rest)
        ++held[random.below(held.size())];
    return held;
}

Cluster mixed64() {
    const std::string path = std::string(PW_SOURCE_DIR) + "/samples/clusters/mixed-64.json";
    return *readCluster(*readFile(path), path);
}

// llama3-8b over one to three device kinds of mixed-64 in any order, stages of different tensor and data
// parallelism and recompute: what FlagScale runs.
RandomPlan randomMeshPlan(Random& random) {
    static const Cluster cluster = mixed64();
    static const Model model = *readModelFile(std::string(PW_SOURCE_DIR) + "/samples/models/llama3-8b.json");
    const auto topology = Topology::make(cluster);
    std::vector<std::string> kinds = {"H100-SXM-80GB", "A100-SXM4-80GB", "V100-SXM2-32GB"};
    for (std::size_t i = kinds.size(); i > 1; --i)
        std::swap(kinds[i - 1], kinds[random.below(i)]);
    kinds.resize(1 + random.below(3));
    constexpr int kSize = 4; // sequences of a replica of the first stage: what any dp below divides
    Plan plan;
    Pipeline& p = plan.pipelines.emplace_back();
    const int zero = below(random, 2), sequence = below(random, 2), mode = below(random, 3);
    for (const std::string& kind : kinds) {
        std::vector<int> nodes;
        for (std::size_t n = 0; n < cluster.nodes.size(); ++n)
            if (cluster.nodes[n].kind == kind)
                nodes.insert(nodes.begin() + static_cast<std::ptrdiff_t>(random.below(nodes.size() + 1)),
                             static_cast<int>(n));
        std::size_t node = 0;
        int slot = below(random, 2); // now and then the first GPU stays unused
        for (int stages = 1 + below(random, 3); stages > 0; --stages) {
            Stage stage;
            stage.tp = 1 << below(random, 3);
            const int dp = 1 << below(random, 3);
            for (int d = 0; d < dp && node < nodes.size(); ++d) {
                const int gpus = cluster.nodes[static_cast<std::size_t>(nodes[node])].gpus;
                slot = (slot + stage.tp - 1) / stage.tp * stage.tp;
                if (slot + stage.tp > gpus) {
                    ++node;
                    slot = 0;
                }
                if (node == nodes.size())
                    break;
                Replica& replica = stage.replicas.emplace_back();
                for (int t = 0; t < stage.tp; ++t)
                    replica.devices.push_back(topology->firstOfNode(nodes[node]) + slot++);
            }
            if (stage.replicas.empty() || (stage.dp() & (stage.dp() - 1)) != 0)
                break;
            for (Replica& r : stage.replicas)
                r.share = 1.0 / stage.dp();
            stage.zero = zero;
            p.stages.push_back(std::move(stage));
        }
    }
    if (p.stages.empty())
        return randomMeshPlan(random);
    bool mixed = false;
    for (const Stage& s : p.stages)
        mixed = mixed || s.tp != p.stages.front().tp;
    const int blocks = static_cast<int>(model.blocks);
    const std::vector<int> held = randomSplit(random, blocks, static_cast<int>(p.stages.size()));
    int first = 0;
    for (std::size_t i = 0; i < p.stages.size(); ++i) {
        Stage& s = p.stages[i];
        s.chunks = {layersOfBlocks(first, first + held[i], blocks)};
        first += held[i];
        s.sequenceParallel = s.tp > 1 && (mixed || sequence == 1);
        s.recompute = mode == 1                            ? Recompute::Selective
                      : mode == 2 && below(random, 2) == 0 ? Recompute::Full
                                                           : Recompute::None;
        if (s.recompute == Recompute::Full && held[i] > 1)
            s.recomputeLayers = below(random, held[i]);
    }
    p.microbatches = 1 + below(random, 20);
    p.microbatchSize = kSize * p.stages.front().dp();
    Recipe recipe;
    recipe.gbs = p.microbatches * p.microbatchSize;
    recipe.precision = Precision::Fp16;
    return {*Problem::make(cluster, model, recipe, {}), std::move(plan)};
}

// A Llama of 7 billion parameters on mixed-64 as GPipe pipelines of different shape and batch, or as 1F1B of
// one stage and equal numbers of micro-batches each, all of one tensor-parallel size, which one pipeline and
// sharded ones do not have: what HexiScale runs.
RandomPlan randomPipelinesPlan(Random& random) {
    static const Cluster cluster = mixed64();
    static const Model model = [] {
        Model m = *readModelFile(std::string(PW_SOURCE_DIR) + "/samples/models/llama3-8b.json");
        m.ffn = 11008;
        m.kvHeads = m.heads;
        m.vocab = 32000;
        m.rotaryBase = 10000.0;
        return m;
    }();
    const auto topology = Topology::make(cluster);
    std::vector<std::pair<int, int>> groups; // node and first slot: four GPUs each
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n)
        for (int g = 0; g < cluster.nodes[n].gpus; g += 4)
            groups.insert(groups.begin() + static_cast<std::ptrdiff_t>(random.below(groups.size() + 1)),
                          {static_cast<int>(n), g});
    const int count = 1 + below(random, 3), zero = 2 * below(random, 2);
    const int tp = count == 1 || zero > 0 ? 1 : 1 << below(random, 3);
    const Recompute recompute = below(random, 2) == 0 ? Recompute::Full : Recompute::None;
    const int blocks = static_cast<int>(model.blocks);
    const int turns = zero == 0 && below(random, 3) == 0 ? 2 + below(random, 12) : 0;
    Plan plan;
    Recipe recipe;
    recipe.seq = 4096;
    recipe.gbs = 0;
    recipe.precision = Precision::Fp16;
    for (int k = 0; k < count; ++k) {
        Pipeline& p = plan.pipelines.emplace_back();
        p.schedule.kind = turns > 0 ? ScheduleKind::OneFOneB : ScheduleKind::GPipe;
        p.microbatches = turns > 0 ? turns : 1 + below(random, 12);
        p.microbatchSize = 1 + below(random, 4);
        recipe.gbs += p.microbatches * p.microbatchSize;
        const int stages = turns > 0 ? 1 : 1 + below(random, 4);
        const std::vector<int> held = randomSplit(random, blocks, stages);
        for (int s = 0, first = 0; s < stages; first += held[static_cast<std::size_t>(s++)]) {
            Stage& stage = p.stages.emplace_back();
            stage.tp = tp;
            stage.zero = zero;
            stage.recompute = recompute;
            stage.chunks = {layersOfBlocks(first, first + held[static_cast<std::size_t>(s)], blocks)};
            Replica& replica = stage.replicas.emplace_back();
            for (int t = 0; t < stage.tp; ++t)
                replica.devices.push_back(topology->firstOfNode(groups.back().first) + groups.back().second +
                                          t);
            groups.pop_back();
        }
    }
    for (Pipeline& p : plan.pipelines)
        p.share = static_cast<double>(p.microbatches * p.microbatchSize) / static_cast<double>(recipe.gbs);
    return {*Problem::make(cluster, model, recipe, {}), std::move(plan)};
}

std::vector<LayerRange> segments(const char* layout, std::int64_t blocks, std::string* fault = nullptr) {
    TextFaults faults("f");
    std::vector<LayerRange> found = layoutSegments(layout, blocks, "f:1", faults);
    if (const Status sound = faults.status(); !sound && fault != nullptr)
        *fault = sound.error().message;
    return found;
}

} // namespace

class TrainerPlanTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string file(const std::string& name, const std::string& text) const {
        const std::filesystem::path path = std::filesystem::path(m_folder.path().toStdString()) / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
        return path.string();
    }
    Result<Imported> script(const std::string& text) const {
        return importFile(file("train.sh", text), "", {});
    }

    // Exported, read again and put on the same machines.
    Result<Plan> returned(const RandomPlan& drawn, const char* format,
                          const std::vector<std::string>& parts) const {
        const ExportResult made = makeExport(*exporterRow(format), {*drawn.problem, {}, drawn.plan, {}});
        if (!made.refusals.empty())
            return badInput(
                "test", "",
                {"{code} {said}", {{"code", made.refusals.front().code}, {"said", made.refusals.front()}}});
        std::vector<Imported> read;
        for (const ExportFile& one : made.files)
            if (std::find(parts.begin(), parts.end(), one.name) != parts.end()) {
                Result<Imported> part = importFile(file(one.name, one.text), "", {});
                if (!part)
                    return part.error();
                read.push_back(*std::move(part));
            }
        if (read.size() != parts.size())
            return badInput("test", "", "a file is missing");
        Result<Imported> all = joinImported(std::move(read), parts);
        if (!all)
            return all.error();
        const TrainerPlan& trainer = std::get<TrainerPlan>(all->what);
        if (trainer.model) {
            Model own = drawn.problem->model(), back = *trainer.model;
            back.name = own.name;
            back.family = own.family;
            back.dtype = own.dtype;
            back.source = own.source;
            if (!(own == back))
                return badInput("test", "", "the model is another");
        }
        const Result<Recipe> recipe = recipeOf(trainer, "f");
        if (!recipe)
            return recipe.error();
        if (recipe->gbs != drawn.problem->recipe().gbs || recipe->seq != drawn.problem->recipe().seq ||
            recipe->precision != drawn.problem->precision())
            return badInput("test", "", "the recipe is another");
        Diagnostics notes;
        return bindPlan(trainer, *drawn.problem, "f", notes);
    }

    void comeBack(const char* format, const std::vector<std::string>& parts, std::uint64_t seed,
                  RandomPlan (*draw)(Random&)) const {
        Random random(seed);
        for (int k = 0; k < 200; ++k) {
            const RandomPlan drawn = draw(random);
            const std::string what =
                std::string(format) + ", seed " + std::to_string(seed) + ", plan " + std::to_string(k) + ": ";
            const Result<Plan> back = returned(drawn, format, parts);
            QVERIFY2(back, (what + (back ? "" : back.error().text())).c_str());
            if (canonicalKey(normal(*back)) != canonicalKey(normal(drawn.plan)))
                QFAIL((what + canonicalKey(normal(*back)) + "\nis not\n" + canonicalKey(normal(drawn.plan)))
                          .c_str());
        }
    }

private Q_SLOTS:
    void megatronPlansComeBack() { comeBack("megatron", {"pretrain.sh"}, 20261121, randomUniformPlan); }

    void flagscalePlansComeBack() {
        comeBack("flagscale", {"train/pipewright.yaml", "hostfile", "experiment.yaml"}, 20261122,
                 randomMeshPlan);
    }

    void hexiscalePlansComeBack() {
        comeBack("hexiscale", {"all_hetero_configs.json", "train.sh"}, 20261123, randomPipelinesPlan);
    }

    void readsTheLayoutGrammar() {
        QCOMPARE(segments("Et*5|t*9|t*9|t*9L", 32).size(), std::size_t{4});
        QCOMPARE(segments("Et*5|t*9|t*9|t*9L", 32)[1], (LayerRange{11, 28}));
        QCOMPARE(segments("Ett|t,t|(tt|)*2L", 8).size(), std::size_t{5});
        QCOMPARE(segments("E|t*12|t*0t*20|L", 32).back(), (LayerRange{65, 65}));
        QCOMPARE(segments("E|(t|)*3,m|L", 3).size(), std::size_t{0}); // the m stand before the last stage
        std::string fault;
        segments("Et*31|L", 32, &fault);
        QVERIFY2(fault.find("31") != std::string::npos, fault.c_str());
        segments("Et*32 L", 32, &fault);
        QVERIFY2(fault.find("is no layer") != std::string::npos, fault.c_str());
        segments("Et*16||t*16L", 32, &fault);
        QCOMPARE(fault, std::string("has an empty stage"));
        segments("E(t*999999999)*99999L", 32, &fault);
        QVERIFY(fault.find("more than is read") != std::string::npos);
    }

    void readsScriptsAsBashWould() {
        const Result<Imported> found = script(R"sh(#!/bin/bash
LAYERS=24
SIZE=( --hidden-size 2048   # a comment
       --num-attention-heads 16 )
ARGS=("${SIZE[@]}" --num-layers "$LAYERS" '--seq-length' 4096)
torchrun --nnodes $NNODES pretrain.py "${ARGS[@]}" --vocab-size=1000 \
  --micro-batch-size 2 --global-batch-size 64 "$@"
)sh");
        QVERIFY2(found, found ? "" : found.error().text().c_str());
        const TrainerPlan& plan = std::get<TrainerPlan>(found->what);
        QCOMPARE(plan.model->blocks, 24);
        QCOMPARE(plan.model->ffn, 4 * 2048);
        QCOMPARE(*plan.gbs, 64);
        QCOMPARE(plan.pipelines[0].microbatchSize, 2);
    }

    // Of Megatron's own examples (core 0.19, examples/): arrays of "--flag value", and options in one text.
    void readsOptionsThatAreOneWord() {
        const Result<Imported> array = script(R"sh(#!/bin/bash
TOKENIZER_MODEL=$2
MODEL_ARGS=( "--num-layers 2" "--hidden-size 64" '--num-attention-heads 4' "--seq-length 32" )
if [[ -z "$3" ]]; then
    DATA_ARGS+=( "--tokenizer-type NullTokenizer" "--vocab-size 128256" )
else
    DATA_ARGS+=( "--tokenizer-type HuggingFaceTokenizer" "--tokenizer-model $TOKENIZER_MODEL" "--vocab-size 128256" )
fi
torchrun pretrain_gpt.py ${MODEL_ARGS[@]} ${DATA_ARGS[@]}
)sh");
        QVERIFY2(array, array ? "" : array.error().text().c_str());
        QCOMPARE(std::get<TrainerPlan>(array->what).model->vocab, 128256);
        const char* options = R"sh(
HIDDEN=64
MODEL_OPTIONS=" \
  --num-layers 2 \
  --hidden-size $HIDDEN --num-attention-heads 4 --seq-length 32 \
  --vocab-size 500 --swiglu"
)sh";
        for (const char* use : {"", "torchrun pretrain_gpt.py $MODEL_OPTIONS\n"}) {
            const Result<Imported> one = script(std::string(options) + use);
            QVERIFY2(one, one ? "" : one.error().text().c_str());
            QCOMPARE(std::get<TrainerPlan>(one->what).model->vocab, 500);
            QCOMPARE(std::get<TrainerPlan>(one->what).model->hidden, 64);
            QVERIFY(std::get<TrainerPlan>(one->what).model->gatedMlp);
        }
        // Open options in options do not grow beyond what is read.
        std::string doubling = "A=\"--num-layers 2 $X\"\n";
        for (char c = 'B'; c <= 'Z'; ++c)
            doubling += std::string(1, c) + "=\"$" + static_cast<char>(c - 1) + "$" +
                        static_cast<char>(c - 1) + "\"\n";
        QVERIFY(!script(doubling + doubling));
        const Result<Imported> open = script("OPTIONS=\"--num-layers 2 --hidden-size $X\"\nrun $OPTIONS\n");
        QVERIFY(!open);
        QVERIFY2(open.error().text().find("--hidden-size takes $X") != std::string::npos,
                 open.error().text().c_str());
    }

    // A vocabulary that the arguments leave to their tokenizer.
    void takesTheVocabularyOfTheTokenizer_data() {
        QTest::addColumn<QString>("flags");
        QTest::addColumn<int>("vocabulary");
        QTest::addColumn<int>("hint");
        const auto row = [](const char* flags, int vocabulary, int hint = 0) {
            QTest::newRow(qPrintable(QStringLiteral("%1 %2").arg(QLatin1String(flags)).arg(hint)))
                << QString::fromLatin1(flags) << vocabulary << hint;
        };
        row("--vocab-size 1000", 1000);
        row("--vocab-size 1000", 1000, 77);
        row("--tokenizer-type GPT2BPETokenizer", 50257);
        row("--vocab-file $VOCAB_FILE --merge-file $MERGE_FILE", 50257);
        row("--tokenizer-type Llama2Tokenizer --tokenizer-model ${TOKENIZER_MODEL}", 32000);
        row("--tokenizer-type HuggingFaceTokenizer --tokenizer-model meta-llama/Llama-3.1-8B", 128256);
        row("--tokenizer-type HuggingFaceTokenizer --tokenizer-model Qwen/Qwen3-8B", 151669);
        row("--tokenizer-type HuggingFaceTokenizer --tokenizer-model $X", 4321, 4321);
        row("--tokenizer-type HuggingFaceTokenizer --tokenizer-model $X", 0);
        row("", 0);
        row("--tokenizer-type NullTokenizer --vocab-size 128255", 128256); // as exported for core 0.17
        row("--tokenizer-type NullTokenizer --vocab-size 128256", 128256);
        row("--tokenizer-type NullTokenizer --vocab-size 50000", 50000);
    }
    void takesTheVocabularyOfTheTokenizer() {
        QFETCH(QString, flags);
        QFETCH(int, vocabulary);
        QFETCH(int, hint);
        ImportHints hints;
        hints.vocabulary = hint;
        const std::string path = m_folder.filePath(QStringLiteral("train.sh")).toStdString();
        QVERIFY(writeFileAtomically(
            path, "x --num-layers 2 --hidden-size 64 --num-attention-heads 4 --seq-length 32 " +
                      flags.toStdString() + "\n"));
        const Result<Imported> found = importFile(path, "megatron-args", hints);
        QCOMPARE(bool(found), vocabulary > 0);
        if (found)
            QCOMPARE(std::get<TrainerPlan>(found->what).model->vocab, vocabulary);
        else
            QVERIFY(found.error().text().find("--vocabulary") != std::string::npos);
        Model model;
        model.vocab = 999;
        hints.vocabulary = 0;
        hints.model = &model;
        const Result<Imported> beside = importFile(path, "megatron-args", hints);
        if (!flags.contains(QStringLiteral("--vocab-size")))
            QCOMPARE(std::get<TrainerPlan>(beside->what).model->vocab, 999);
    }

    // What FlagScale's own configurations say of a model (da4935ec, examples/*/conf/train).
    void readsModelsAsFlagscaleMeansThem() {
        const auto model = [&](const std::string& more) {
            const std::string path = m_folder.filePath(QStringLiteral("train.yaml")).toStdString();
            const Status written = writeFileAtomically(
                path,
                "system:\n  bf16: true\nmodel:\n  num_layers: 60\n  hidden_size: 6144\n"
                "  num_attention_heads: 48\n  seq_length: 4096\n  swiglu: true\n  normalization: RMSNorm\n"
                "  disable_bias_linear: true\n  micro_batch_size: 1\n  global_batch_size: 8\n" +
                    more + "data:\n  tokenizer: {tokenizer_type: AquilaTokenizerFS, vocab_size: 100008}\n");
            if (!written)
                qFatal("%s", written.error().text().c_str());
            const Result<Imported> found = importFile(path, "", {});
            if (!found)
                qFatal("%s", found.error().text().c_str());
            return *std::get<TrainerPlan>(found->what).model;
        };
        const Model plain = model("");
        QCOMPARE(plain.ffn, 8 * 6144 / 3 / 64 * 64);
        QCOMPARE(plain.learnedPositions, plain.positions);
        QCOMPARE(model("  use_rotary_position_embeddings: true\n").learnedPositions, 0);
        // aquila's 34 billion: 24,576 by its patched arguments.py:812, not 16,384.
        const Model wide = model("  multiple_of: 4096\n  hidden_dim_multiplier: 1.3\n");
        QCOMPARE(wide.ffn, 24576);
        QCOMPARE(model("  multiple_of: 256\n").ffn, 16384);
        QCOMPARE(model("  rotary_base: 1000000\n").rotaryBase, 1000000);
        QCOMPARE(model("  rotary_base: 1000000.0\n").rotaryBase, 1000000);
        // DeepSeek: the norms of latent attention hang on qk_layernorm.
        const Model latent =
            model("  multi_latent_attention: true\n  qk_layernorm: true\n  q_lora_rank: 1536\n"
                  "  kv_lora_rank: 512\n  num_experts: 64\n  moe_router_topk: 6\n"
                  "  moe_ffn_hidden_size: 1408\n  moe_router_num_groups: 8\n"
                  "  moe_router_group_topk: 4\n  moe_router_topk_scaling_factor: 2.5\n");
        QVERIFY(hasLatentAttention(latent) && !latent.queryKeyNorm);
        QVERIFY(latent.experts.groups == 8 && latent.experts.groupsPerToken == 4 &&
                latent.experts.scale == 2.5);
    }

    void refusesScriptsThatLeaveThingsOpen() {
        const std::string base =
            "x --hidden-size 64 --num-attention-heads 4 --seq-length 32 --vocab-size 100 ";
        const auto where = [&](const std::string& rest) {
            const Result<Imported> found = script(base + rest);
            return found ? std::string("read") : found.error().text().substr(m_folder.path().size() + 1);
        };
        QCOMPARE(where("--num-layers 4"), std::string("read"));
        QCOMPARE(where("\\\n --num-layers $N"),
                 std::string(
                     "train.sh:2: --num-layers takes $N, which the script does not define; write the value"));
        QCOMPARE(where("--num-layers\n"), std::string("train.sh:1: --num-layers has no value"));
        QCOMPARE(where("--num-layers --swiglu"), std::string("train.sh:1: --num-layers has no value"));
        QVERIFY(where("--num-layers 4 --num-layers 5").find("it was 4") != std::string::npos);
        QVERIFY(where("--num-layers 4.5").find("4.5") != std::string::npos);
        QCOMPARE(where("--num-layers 4\n\n\"open"), std::string("train.sh:3: this quote is not closed"));
        QVERIFY(where("--num-layers 4 --num-query-groups 3 --group-query-attention")
                    .find("does not divide 4 heads") != std::string::npos);
        QVERIFY(where("--num-layers 4 --pipeline-model-parallel-size 3").find("do not divide by 3") !=
                std::string::npos);
        QVERIFY(where("--num-layers 4 --num-experts 2 --moe-router-topk 3").find("above --num-experts") !=
                std::string::npos);
        QVERIFY(where("--num-layers 4 --recompute-granularity full").find("--recompute-method") !=
                std::string::npos);
        QVERIFY(where("\nA=(--num-layers 4 \n\n").find("not closed") != std::string::npos);
    }

    void readsTheTrainersOwnLog() {
        const Result<Imported> found = script("  hidden_size ..................................... 1024\n"
                                              "  num_layers ...................................... 8\n"
                                              "  num_attention_heads ............................. 16\n"
                                              "  seq_length ...................................... 2048\n"
                                              "  vocab_size ...................................... 5000\n"
                                              "  ffn_hidden_size ................................. None\n"
                                              "  tensor_model_parallel_size ...................... 2\n"
                                              "  swiglu .......................................... False\n"
                                              "  bf16 ............................................ True\n");
        QVERIFY2(found, found ? "" : found.error().text().c_str());
        const TrainerPlan& plan = std::get<TrainerPlan>(found->what);
        QCOMPARE(plan.model->hidden, 1024);
        QCOMPARE(plan.model->gatedMlp, false);
        QCOMPARE(plan.pipelines[0].stages[0].tp, 2);
        QCOMPARE(*plan.precision, Precision::Bf16);
    }

    void splitsLayersAsTheTrainerDoes() {
        const auto blocks = [&](const std::string& flags) {
            const Result<Imported> found =
                script("x --hidden-size 64 --num-attention-heads 4 --seq-length 32 "
                       "--vocab-size 100 --num-layers 32 --pipeline-model-parallel-size 4 " +
                       flags);
            std::vector<int> held;
            if (found)
                for (const TrainerStage& s : std::get<TrainerPlan>(found->what).pipelines[0].stages)
                    held.push_back((s.chunks[0].last - s.chunks[0].first + 1) / 2);
            return held;
        };
        QCOMPARE(blocks(""), (std::vector{8, 8, 8, 8}));
        QCOMPARE(blocks("--decoder-first-pipeline-num-layers 5 --decoder-last-pipeline-num-layers 9"),
                 (std::vector{5, 9, 9, 9}));
        QCOMPARE(blocks("--decoder-first-pipeline-num-layers 5"), (std::vector{5, 9, 9, 9}));
        QCOMPARE(blocks("--account-for-embedding-in-pipeline-split"), std::vector<int>{});
        QCOMPARE(blocks("--num-layers-per-virtual-pipeline-stage 4"), (std::vector{4, 4, 4, 4}));
        QCOMPARE(blocks("--num-layers-per-virtual-pipeline-stage 3"), std::vector<int>{});
    }

    void readsTheSampleScripts() {
        Result<Imported> found = importFile(test::testData("models/megatron_gqa_args.sh"), "", {});
        QVERIFY2(found, found ? "" : found.error().text().c_str());
        TrainerPlan plan = std::get<TrainerPlan>(found->what);
        QCOMPARE(parameterCount(*plan.model), 1'259'771'904);
        Model padded = *plan.model;
        padded.vocab = plan.paddedVocab;
        QCOMPARE(plan.paddedVocab, 50'432);
        QCOMPARE(parameterCount(padded), 1'260'488'704);
        QCOMPARE(plan.model->ffn, 5440);
        QCOMPARE(plan.model->kvHeads, 4);
        QCOMPARE(plan.pipelines[0].stages.size(), std::size_t{4});
        QCOMPARE(plan.pipelines[0].stages[0].tp, 2);
        QCOMPARE(*plan.gbs, 32);
        found = importFile(test::testData("exports/megatron_llama7b_uneven.sh"), "", {});
        QVERIFY2(found, found ? "" : found.error().text().c_str());
        plan = std::get<TrainerPlan>(found->what);
        QCOMPARE(plan.trainer, std::string("megatron"));
        QCOMPARE(parameterCount(*plan.model), 6'738'415'616);
        QCOMPARE(plan.pipelines[0].stages[0].chunks[0], (LayerRange{0, 10}));
        QCOMPARE(plan.pipelines[0].stages[3].chunks[0].last, 65);
        QCOMPARE(plan.pipelines[0].stages[2].recompute, Recompute::Full);
        QCOMPARE(plan.pipelines[0].stages[2].recomputeLayers, 2);
        for (const bool recompute : {false, true}) {
            const std::string name =
                recompute ? "flagscale_train_hetero_recompute.yaml" : "flagscale_train_hetero.yaml";
            std::vector<Imported> parts;
            for (const std::string& one : {name, std::string("flagscale_hostfile")}) {
                found = importFile(test::testData("exports") / one, "", {});
                QVERIFY2(found, found ? "" : found.error().text().c_str());
                parts.push_back(*found);
            }
            found = joinImported(std::move(parts), {name, "flagscale_hostfile"});
            QVERIFY2(found, found ? "" : found.error().text().c_str());
            plan = std::get<TrainerPlan>(found->what);
            const std::vector<TrainerStage>& stages = plan.pipelines[0].stages;
            QCOMPARE(stages.size(), std::size_t{3});
            QVERIFY(stages[0].tp == 2 && stages[0].dp == 2 && stages[2].tp == 4 && stages[2].dp == 1);
            QCOMPARE(stages[2].chunks[0], layersOfBlocks(20, 32, 32));
            QCOMPARE(stages[0].recompute, recompute ? Recompute::Full : Recompute::None);
            QCOMPARE(stages[0].recomputeLayers, recompute ? 6 : 0);
            QCOMPARE(stages[1].recompute, Recompute::None);
            QCOMPARE(plan.hosts.size(), std::size_t{2});
            QCOMPARE(plan.types, (std::vector<std::string>{"A800", "BI150"}));
        }
        found = importFile(test::testData("exports/hexiscale_all_hetero_configs.json"), "", {});
        QVERIFY2(found, found ? "" : found.error().text().c_str());
        plan = std::get<TrainerPlan>(found->what);
        QCOMPARE(plan.pipelines.size(), std::size_t{2});
        QCOMPARE(plan.pipelines[0].stages[1].ranks, (std::vector{4, 5}));
        QCOMPARE(plan.pipelines[0].stages[0].chunks[0], layersOfBlocks(0, 20, 32));
        QCOMPARE(plan.pipelines[1].stages[0].tp, 2);
    }
};

QTEST_APPLESS_MAIN(TrainerPlanTest)
#include "trainer_plan_test.moc"

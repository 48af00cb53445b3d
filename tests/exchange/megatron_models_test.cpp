// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/exchange/imports/import_table.h"
#include "tests/exchange/target_plans.h"

#include "core/exchange/exports/export.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace pw;

namespace {

// Nothing that has an effect on the model beside its sizes.
const char* const kPlain = "--num-layers 4 --hidden-size 64 --num-attention-heads 4 --seq-length 32 "
                           "--vocab-size 100 --disable-bias-linear --normalization RMSNorm ";

// examples/post_training/modelopt/conf/openai/gpt-oss-20b.sh of Megatron-LM, 2026-08-22, without what only
// times or loads. Its tokenizer pads the vocabulary to what the published model has.
const char* const kGptOss = "--untie-embeddings-and-output-weights --normalization RMSNorm --num-layers 24 "
                            "--hidden-size 2880 --ffn-hidden-size 2880 --num-attention-heads 64 "
                            "--group-query-attention --num-query-groups 8 --kv-channels 64 --num-experts 32 "
                            "--moe-ffn-hidden-size 2880 --moe-router-topk 4 --seq-length 4096 "
                            "--max-position-embeddings 40960 --rotary-percent 1.0 --rotary-base 150000 "
                            "--quick-geglu --glu-linear-offset 1.0 --softmax-type learnable "
                            "--window-attn-skip-freq 2 --enable-gpt-oss --activation-func-clamp-value 7.0 "
                            "--window-size 127,0 --vocab-size 201088 ";

} // namespace

// What Megatron's arguments say of a model beside its sizes: it is another one, which is refused; it is a
// part of one, which is said; or it has formulas and parts, which are kept. Never the plain model without a
// word.
class MegatronModelsTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    Result<Imported> read(const std::string& name, const std::string& text) const {
        const std::string path = m_folder.filePath(QString::fromStdString(name)).toStdString();
        const Status written = writeFileAtomically(path, text);
        if (!written)
            qFatal("%s", written.error().text().c_str());
        return importFile(path, "", {});
    }
    Result<Imported> script(const std::string& flags) const {
        return read("train.sh", "torchrun pretrain_gpt.py " + flags + "\n");
    }
    static Model modelOf(const Result<Imported>& found) {
        if (!found)
            qFatal("%s", found.error().text().c_str());
        const std::optional<Model>& model = std::get<TrainerPlan>(found->what).model;
        if (!model)
            qFatal("no model");
        return *model;
    }
    static std::string codesOf(const Result<Imported>& found) {
        std::string codes;
        if (!found)
            return found.error().code + " ";
        for (const Diagnostic& note : found->notes)
            codes += note.code + " ";
        return codes;
    }

private Q_SLOTS:
    void otherModelsAreRefused_data() {
        QTest::addColumn<QString>("flags");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* flags, const char* said) {
            QTest::newRow(flags) << QString::fromLatin1(flags) << QString::fromLatin1(said);
        };
        row("--hybrid-override-pattern M-M*", "--hybrid-override-pattern");
        row("--hybrid-layer-pattern M-M*", "--hybrid-layer-pattern");
        row("--is-hybrid-model", "--is-hybrid-model");
        row("--hybrid-attention-ratio 0.08", "--hybrid-attention-ratio");
        row("--spec megatron.core.models.mamba.mamba_layer_specs mamba_stack_spec", "mamba_layer_specs");
        row("--num-experts 4 --moe-latent-size 32", "--moe-latent-size");
        row("--heterogeneous-layers-config-path x.json", "--heterogeneous-layers-config-path");
        row("--experimental-attention-variant dsa", "--experimental-attention-variant");
        row("--position-embedding-type relative", "relative");
        row("pretrain_mamba.py", "pretrain_mamba.py");
        row("--num-experts 4 --moe-layer-freq \"([0]*1+[1]*2)\"", "comes to 4 layers");
        row("--window-size 127", "--window-size");
    }
    void otherModelsAreRefused() {
        QFETCH(QString, flags);
        QFETCH(QString, said);
        const Result<Imported> found = script(kPlain + flags.toStdString());
        QVERIFY(!found);
        QVERIFY2(found.error().text().find(said.toStdString()) != std::string::npos,
                 found.error().text().c_str());
    }

    // What the trainer's log says of a plain model: none of it is another one.
    void thePlainModelIsTaken() {
        QCOMPARE(codesOf(script(kPlain)), std::string());
        QCOMPARE(
            codesOf(script(std::string(kPlain) + "--spec local --softmax-type vanilla --rotary-percent 1.0")),
            std::string());
        const Result<Imported> log = read("log.txt", "  num_layers ........................ 4\n"
                                                     "  hidden_size ....................... 64\n"
                                                     "  num_attention_heads ............... 4\n"
                                                     "  seq_length ........................ 32\n"
                                                     "  vocab_size ........................ 100\n"
                                                     "  tensor_model_parallel_size ........ 1\n"
                                                     "  num_experts ....................... 2\n"
                                                     "  moe_layer_freq .................... [0, 1, 1, 1]\n"
                                                     "  add_bias_linear ................... False\n"
                                                     "  disable_bias_linear ............... True\n"
                                                     "  hybrid_attention_ratio ............ 0.0\n"
                                                     "  hybrid_override_pattern ........... None\n"
                                                     "  is_hybrid_model ................... False\n"
                                                     "  glu_linear_offset ................. 0.0\n"
                                                     "  rotary_scaling_factor ............. 1.0\n"
                                                     "  rope_scaling_factor ............... 8.0\n"
                                                     "  window_size ....................... (16, 0)\n"
                                                     "  window_attn_skip_freq ............. [1, 0, 1, 1]\n");
        QCOMPARE(codesOf(log), std::string());
        const Model m = modelOf(log);
        QCOMPARE(m.experts.denseBlocks, std::vector<std::int64_t>{0});
        QCOMPARE(m.window, (std::vector<std::int64_t>{17, 0, 17, 17}));
        QVERIFY(!scalesPositions(m) && !m.ownFormulas);
    }

    // A log that names no size of the vocabulary lists the padded one.
    void thePaddedVocabularyOfALog_data() {
        QTest::addColumn<QString>("lines");
        QTest::addColumn<qint64>("tokens");
        const auto row = [](const char* name, const char* lines, qint64 tokens) {
            QTest::newRow(name) << QString::fromLatin1(lines) << tokens;
        };
        row("no tokenizer is named", "  padded_vocab_size .... 50304\n", 50304);
        row("one that nobody knows", "  tokenizer_type .... OwnTokenizer\n  padded_vocab_size .... 50304\n",
            50304);
        row("one that was padded so",
            "  tokenizer_type .... GPT2BPETokenizer\n  padded_vocab_size .... 50304\n", 50257);
        row("one that is another's",
            "  tokenizer_type .... GPT2BPETokenizer\n  padded_vocab_size .... 129024\n", 129024);
        row("a stated size", "  vocab_size .... 50000\n  padded_vocab_size .... 50048\n", 50000);
        row("none of both", "  padded_vocab_size .... None\n", 0); // refused
    }
    void thePaddedVocabularyOfALog() {
        QFETCH(QString, lines);
        QFETCH(qint64, tokens);
        const Result<Imported> log = read("log.txt", "  num_layers .... 4\n  hidden_size .... 64\n"
                                                     "  num_attention_heads .... 4\n  seq_length .... 32\n"
                                                     "  tensor_model_parallel_size .... 1\n" +
                                                         lines.toStdString());
        QCOMPARE(bool(log), tokens > 0);
        if (log)
            QCOMPARE(qint64(modelOf(log).vocab), tokens);
        else
            QCOMPARE(log.error().code, std::string("megatron.missing"));
    }

    void theLanguagePartIsCalledOne() {
        for (const char* flags : {"--vision-model-type clip", "--language-model-type=llama3.1_8b",
                                  "--freeze-ViT", "--disable-vision-class-token"})
            QCOMPARE(codesOf(script(std::string(kPlain) + flags)), std::string("megatron.language_part "));
        QCOMPARE(codesOf(script(std::string(kPlain) + "--spec our.layers get_spec")),
                 std::string("megatron.unmodelled "));
    }

    // Sizes are those of the flags, and no export passes the model off for another.
    void formulasAreKept() {
        const Result<Imported> squared = script(std::string(kPlain) + "--squared-relu");
        QCOMPARE(codesOf(squared), std::string("megatron.formulas "));
        QVERIFY(modelOf(squared).ownFormulas && !modelOf(squared).gatedMlp);
        QCOMPARE(modelOf(squared).ffn, 256);
        for (const char* flags :
             {"--position-embedding-type none", "--position-embedding-type rope --rotary-percent 0.5",
              "--position-embedding-type rope --no-rope-freq 4"}) {
            const Result<Imported> found = script(std::string(kPlain) + flags);
            QCOMPARE(codesOf(found), std::string("megatron.formulas "));
            QVERIFY(modelOf(found).ownFormulas && modelOf(found).learnedPositions == 0);
        }
        TargetPlan target = planFor("megatron");
        target.model.ownFormulas = true;
        QVERIFY(
            !makeExport(*exporterRow("megatron"), {*target.problem(), {}, target.plan, {}}).refusals.empty());
    }

    void gptOssIsThePublishedModel() {
        const Result<Imported> found = script(kGptOss);
        const Model m = modelOf(found);
        QCOMPARE(parameterCount(m), 20'914'757'184);
        QVERIFY(m.experts.bias && m.experts.routerBias && !m.mlpBias && m.qkvBias && m.attentionOutBias);
        QVERIFY(m.gatedMlp && m.parts.sinks && m.ownFormulas && m.learnedPositions == 0);
        QCOMPARE(m.window[0], 128);
        QCOMPARE(m.window[1], 0);
        QCOMPARE(m.rotaryScaling, (RotaryScaling{"yarn", 32.0, 0, 0.0, 0.0}));
        QVERIFY(script(std::string(kGptOss) + "--moe-shared-expert-intermediate-size 64").error().code ==
                "megatron.experts");
    }

    // FlagScale's (da4935ec, examples/rwkv and examples/llava1_5): neither says its kind by a size.
    void flagscaleNamesItsModels() {
        const std::string sizes = "system:\n  bf16: true\nmodel:\n  num_layers: 12\n  hidden_size: 768\n"
                                  "  num_attention_heads: 8\n  seq_length: 512\n  micro_batch_size: 2\n"
                                  "  global_batch_size: 8\n";
        const std::string data = "data:\n  tokenizer: {tokenizer_type: GPT2BPETokenizer, vocab_size: 1000}\n";
        QVERIFY(read("train.yaml", sizes + data));
        const Result<Imported> rwkv =
            read("train.yaml", sizes + data + "# https://github.com/RWKV-Vibe/RWKV-LM-V7\n");
        QCOMPARE(codesOf(rwkv), std::string("megatron.unsupported "));
        QVERIFY(codesOf(read("train.yaml", sizes + "  freeze_LM: true\n" + data)).find("language_part") !=
                std::string::npos);
        const auto experiment = [&](const std::string& program) {
            return codesOf(read("experiment.yaml",
                                "experiment:\n  task:\n    type: train\n    entrypoint: " + program + "\n"));
        };
        QCOMPARE(experiment("./flagscale/train/train_rwkv.py"), std::string("megatron.unsupported "));
        QCOMPARE(experiment("./flagscale/train/train_llava.py"), std::string("megatron.language_part "));
        QCOMPARE(experiment("./flagscale/train/train_gpt.py"), std::string());
    }

    // Scaled positions go out as the flags that the trainer has for them, come back, and are named where it
    // has none.
    void scaledPositionsGoThere_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<double>("factor");
        QTest::addColumn<double>("low");
        QTest::addColumn<QString>("written");
        QTest::newRow("llama3") << "llama3" << 8.0 << 1.0
                                << "--use-rope-scaling\n    --rope-scaling-factor 8\n";
        QTest::newRow("of other frequencies") << "llama3" << 8.0 << 2.0 << "";
        QTest::newRow("linear") << "linear" << 4.0 << 0.0 << "--rotary-seq-len-interpolation-factor 4\n";
        QTest::newRow("linear by half") << "linear" << 2.5 << 0.0 << "";
        QTest::newRow("yarn") << "yarn" << 40.0 << 0.0 << "";
    }
    void scaledPositionsGoThere() {
        QFETCH(QString, kind);
        QFETCH(double, factor);
        QFETCH(double, low);
        QFETCH(QString, written);
        TargetPlan target = planFor("megatron");
        target.model.rotaryScaling = {kind.toStdString(), factor, 8192, low, 4.0};
        for (const ExportRelease& release : exporterRow("megatron")->releases) {
            TargetPlan plan = target;
            if (std::string_view(release.name) == "0.12") // three parts alone
                continue;
            const ExportResult made =
                makeExport(*exporterRow("megatron"), {*plan.problem(), {}, plan.plan, {}, release.name});
            QVERIFY2(made.refusals.empty(), made.refusals.empty() ? "" : made.refusals[0].message.c_str());
            const std::string& text = made.files.front().text;
            const auto warned = std::ranges::count(made.notes, "export.rope_scaling", &Diagnostic::code);
            QCOMPARE(warned, written.isEmpty() ? 1 : 0);
            if (written.isEmpty()) {
                QVERIFY(text.find("rope-scaling") == std::string::npos &&
                        text.find("interpolation") == std::string::npos);
                continue;
            }
            QVERIFY2(text.find(written.toStdString()) != std::string::npos, text.c_str());
            const Model back = modelOf(read("pretrain.sh", text));
            QCOMPARE(back.rotaryScaling.kind, kind.toStdString());
            QCOMPARE(back.rotaryScaling.factor, factor);
        }
    }

    // Positions of latent attention that are not scaled are YaRN's with a factor of 1; YaRN of the lengths
    // that the trainer knows is its factor, and what the model does not state of it is named.
    void latentPositionsGoThere_data() {
        QTest::addColumn<QString>("release");
        QTest::addColumn<bool>("says");
        for (const ExportRelease& release : exporterRow("megatron")->releases)
            QTest::newRow(release.name)
                << QString::fromLatin1(release.name) << (std::string_view(release.name) >= "0.14");
    }
    void latentPositionsGoThere() {
        QFETCH(QString, release);
        QFETCH(bool, says);
        TargetPlan target = planFor("megatron");
        makeLatent(target.model);
        Pipeline& p = target.plan.pipelines[0]; // alike, which 0.12 wants
        for (int i = 0; i < 4; ++i)
            p.stages[static_cast<std::size_t>(i)].chunks = blockStage(8 * i, 8 * i + 7, 32, 0, 2, 2).chunks;
        const auto made = [&] {
            return makeExport(*exporterRow("megatron"),
                              {*target.problem(), {}, target.plan, {}, release.toStdString()});
        };
        const auto has = [](const ExportResult& result, const char* text) {
            return result.files.front().text.find(text) != std::string::npos;
        };
        const auto warned = [](const ExportResult& result) {
            return std::ranges::count(result.notes, "export.rope_scaling", &Diagnostic::code);
        };
        const ExportResult plain = made();
        QVERIFY2(plain.refusals.empty(), plain.refusals.empty() ? "" : plain.refusals[0].message.c_str());
        QVERIFY(has(plain, "--rotary-scaling-factor 1\n") && warned(plain) == 0);
        QCOMPARE(has(plain, "--no-rope-fusion\n"), release == QLatin1String("0.12"));
        QVERIFY(!scalesPositions(modelOf(read("pretrain.sh", plain.files.front().text))));
        target.model.rotaryScaling = {"yarn", 40.0, 4096, 0.0, 0.0};
        const ExportResult scaled = made();
        QCOMPARE(has(scaled, "--rotary-scaling-factor 40\n"), says);
        QVERIFY(!has(scaled, "--rotary-scaling-factor 1\n"));
        QCOMPARE(warned(scaled), 1);
        if (says)
            QCOMPARE(modelOf(read("pretrain.sh", scaled.files.front().text)).rotaryScaling.factor, 40.0);
        for (const RotaryScaling& other :
             {RotaryScaling{"yarn", 40.0, 8192, 0.0, 0.0}, RotaryScaling{"linear", 4.0, 4096, 0.0, 0.0}}) {
            target.model.rotaryScaling = other;
            const ExportResult unsaid = made();
            QVERIFY(!has(unsaid, "--rotary-s") && warned(unsaid) == 1);
        }
    }

    // FlagScale's core takes the longest sequence of all for the one before the scaling.
    void flagscaleSaysNoYarn() {
        TargetPlan target = planFor("flagscale");
        makeLatent(target.model);
        const auto text = [&] {
            const ExportResult made =
                makeExport(*exporterRow("flagscale"), {*target.problem(), {}, target.plan, {}});
            const auto train = std::ranges::find(made.files, "train/pipewright.yaml", &ExportFile::name);
            return train == made.files.end() ? std::string() : train->text;
        };
        QVERIFY(text().find("  rotary_scaling_factor: 1\n") != std::string::npos);
        target.model.rotaryScaling = {"yarn", 40.0, 4096, 0.0, 0.0};
        QVERIFY(!text().empty() && text().find("rotary_scaling_factor") == std::string::npos);
    }

    // A gate on shared experts, and weights that are shares among all experts, as Qwen2's router has them.
    void sharedExpertsHaveTheirGate() {
        TargetPlan target = planFor("megatron");
        Experts& e = target.model.experts;
        target.model.family = "qwen2_moe";
        e.count = 16;
        e.perToken = 4;
        e.ffn = 704;
        e.shared = 1;
        e.sharedFfn = 2816;
        e.sharedGate = true;
        const auto made = [&](const char* format, const char* release) {
            return makeExport(*exporterRow(format), {*target.problem(), {}, target.plan, {}, release});
        };
        for (const ExportRelease& release : exporterRow("megatron")->releases) {
            const ExportResult one = made("megatron", release.name);
            const auto gate = std::ranges::count_if(one.refusals, [](const Refusal& refusal) {
                return refusal.message.find("gate on its shared experts") != std::string::npos;
            });
            QVERIFY2(gate == (std::string_view(release.name) < "0.16" ? 1 : 0), release.name);
        }
        const ExportResult newest = made("megatron", "0.19");
        QVERIFY2(newest.refusals.empty(), newest.refusals.empty() ? "" : newest.refusals[0].message.c_str());
        const std::string& script = newest.files.front().text;
        QVERIFY(script.find("--moe-shared-expert-gate\n") != std::string::npos);
        QVERIFY(script.find("--moe-router-pre-softmax\n") != std::string::npos);
        QVERIFY(modelOf(read("pretrain.sh", script)).experts.sharedGate);
        const ExportResult bridge = made("megatron-bridge", "");
        QVERIFY(bridge.files.front().text.find("cfg.model.moe_shared_expert_gate = True\n") !=
                std::string::npos);
        QVERIFY(!made("nemo2", "").refusals.empty() && !made("flagscale", "").refusals.empty());
        e.sharedGate = false;
        target.model.family = "mixtral";
        const std::string plain = made("megatron", "0.19").files.front().text;
        QVERIFY(plain.find("gate") == std::string::npos && plain.find("softmax") == std::string::npos);
    }

    // What the recipes of NeMo and Bridge are told.
    void recipesAreTold() {
        TargetPlan target = planFor("megatron-bridge");
        target.model.rotaryScaling = {"llama3", 8.0, 8192, 1.0, 4.0};
        std::ptrdiff_t warned = 0;
        const auto text = [&](const char* format) {
            const ExportResult made =
                makeExport(*exporterRow(format), {*target.problem(), {}, target.plan, {}});
            warned = std::ranges::count(made.notes, "export.rope_scaling", &Diagnostic::code);
            return made.files.empty() ? std::string() : made.files.front().text;
        };
        QVERIFY(text("megatron-bridge").find("cfg.model.rope_scaling_factor = 8\n") != std::string::npos);
        QVERIFY(warned == 0);
        target.model.rotaryScaling.lowFrequency = 2.0; // fixed in Bridge's core, a field of NeMo's
        QVERIFY(text("megatron-bridge").find("rotary positions: llama3, factor 8.") != std::string::npos);
        QVERIFY(warned == 1);
        target.model.rotaryScaling.kind = "yarn";
        QVERIFY(text("megatron-bridge").find("rotary positions: yarn, factor 8.") != std::string::npos);
        QVERIFY(warned == 1);
        target.model.rotaryScaling = {};
        QVERIFY(text("megatron-bridge").find("rotary positions") == std::string::npos);
        QVERIFY(text("megatron-bridge").find("rotary_scaling_factor") == std::string::npos);
        for (Node& n : target.cluster.nodes) // as many on every node, which NeMo wants
            n.gpus = 8;
        target.model.rotaryScaling = {"llama3", 4.0, 0, 2.0, 0.0}; // what is not stated is Llama 3.1's
        const std::string llama = text("nemo2");
        QVERIFY(warned == 0);
        for (const char* said : {".scale_factor = 4\n", ".low_freq_factor = 2\n", ".high_freq_factor = 4\n",
                                 ".old_context_len = 8192\n"})
            QVERIFY2(llama.find(said) != std::string::npos, said);
        target.model.rotaryScaling = {"dynamic", 4.0, 0, 0.0, 0.0};
        QVERIFY(text("nemo2").find("rotary positions: dynamic, factor 4.") != std::string::npos);
        QVERIFY(warned == 1);
        makeLatent(target.model); // DeepSeek's recipes scale by 40
        for (const char* format : {"megatron-bridge", "nemo2"}) {
            target.model.rotaryScaling = {};
            QVERIFY(text(format).find(".rotary_scaling_factor = 1\n") != std::string::npos);
            target.model.rotaryScaling = {"yarn", 32.0, 8192, 0.0, 0.0};
            QVERIFY(text(format).find(".rotary_scaling_factor = 32\n") != std::string::npos);
            QVERIFY(text(format).find(".original_max_position_embeddings = 8192\n") != std::string::npos);
        }
    }
};

QTEST_APPLESS_MAIN(MegatronModelsTest)
#include "megatron_models_test.moc"

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/exporters.h"
#include "core/exchange/exports/launch_files.h"
#include "core/exchange/exports/megatron_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

// NeMo 2 and Megatron-Bridge: the same settings as Megatron-LM's arguments under other names, as a Python
// function that is applied to a recipe, and a start with that of the model where one is known.

namespace pw {

namespace {

const char* boolean(bool value) {
    return value ? "True" : "False";
}

// Where the two keep what they share.
struct Dialect {
    const char* format;    // row of exporterTable()
    const char* argument;  // of configure()
    const char* model;     // what holds num_layers and recompute
    const char* parallel;  // what holds the parallel sizes
    const char* mapping;   // what holds use_tp_pp_dp_mapping
    const char* batch;     // what holds the batch sizes
    const char* sequence;  // what holds the data's seq_length; the model's own must equal it
    const char* ddp;       // what holds use_distributed_optimizer;
    const char* optimizer; // and this one too: where they differ the trainer takes True
    const char* precision; // assignment, with a kind of precision, the type of weights and whether sums of
                           // gradients are in fp32: the trainers' own names of 16-bit kinds differ in that
    const char* fp16;      // kinds of precision
    const char* bf16;
    const char* fp32;
    const char* preface; // imports
};

constexpr Dialect kNemo = {"nemo2",
                           "recipe",
                           "recipe.model.config",
                           "recipe.trainer.strategy",
                           "recipe.trainer.strategy",
                           "recipe.data",
                           "recipe.data",
                           "recipe.trainer.strategy.ddp",
                           "recipe.optim.config",
                           "recipe.trainer.plugins = run.Config(MegatronMixedPrecision, precision=\"{0}\", "
                           "params_dtype={1}, pipeline_dtype={1}, grad_reduce_in_fp32={2})",
                           "16-mixed",
                           "bf16-mixed",
                           "32",
                           "import nemo_run as run\n"
                           "from nemo.lightning.pytorch.plugins import MegatronMixedPrecision\n"};

constexpr Dialect kBridge = {"megatron-bridge",
                             "cfg",
                             "cfg.model",
                             "cfg.model",
                             "cfg.dist",
                             "cfg.train",
                             "cfg.dataset",
                             "cfg.ddp",
                             "cfg.optimizer",
                             "cfg.mixed_precision = MixedPrecisionConfig({0}=True, params_dtype={1}, "
                             "pipeline_dtype={1}, grad_reduce_in_fp32={2})",
                             "fp16",
                             "bf16",
                             "fp32",
                             "from megatron.bridge.training.mixed_precision import MixedPrecisionConfig\n"};

// Recipes of the two for the models of the samples, told by their shape; others are the user's to find.
struct RecipeRow {
    std::int64_t blocks, hidden, ffn;
    bool experts;
    const char *nemo, *bridge; // null: there is none
    const char* family;        // of Bridge's: megatron.bridge.recipes.FAMILY.h100 has it
    // Of NeMo's, where a class of its own scales rotary positions as Llama 3.1 does.
    const char* nemoScaled = nullptr;
    bool published = true; // Bridge's asks Hugging Face for the model's configuration
};
constexpr RecipeRow kRecipes[] = {
    {32, 4096, 14336, false, "llama3_8b", "llama3_8b_pretrain_2gpu_h100_bf16_config", "llama", "llama31_8b"},
    {80, 8192, 28672, false, "llama3_70b", "llama3_70b_pretrain_32gpu_h100_bf16_config", "llama",
     "llama31_70b"},
    {126, 16384, 53248, false, "llama31_405b", "llama31_405b_pretrain_256gpu_h100_bf16_config", "llama"},
    {32, 4096, 14336, true, "mixtral_8x7b", nullptr, nullptr},
    {61, 7168, 18432, true, "deepseek_v3", "deepseek_v3_pretrain_1024gpu_h100_bf16_config", "deepseek"},
    {96, 12288, 49152, false, "gpt3_175b", "gpt3_175b_pretrain_32gpu_h100_bf16_config", "gpt", nullptr,
     false},
};

// Whether the files say how the model's rotary positions are scaled, or that they are not. Of latent
// attention that is YaRN; of others linear scaling and Llama 3's, of which Bridge's core has all numbers but
// the factor for good (rotary_pos_embedding.py:92 of 0.19) and NeMo's Llama31Config none.
bool saysRotary(const Model& m, bool nemo) {
    const RotaryScaling& s = m.rotaryScaling;
    if (!scalesPositions(m) || m.learnedPositions > 0)
        return true;
    if (s.factor <= 0.0)
        return false;
    if (hasLatentAttention(m))
        return s.kind == "yarn";
    return s.kind == "linear" || (s.kind == "llama3" && (nemo || !megatronScaling(m, {}).empty()));
}

class MegatronPythonWriter {
public:
    MegatronPythonWriter(const ExportInput& input, const MegatronRun& run, const Dialect& dialect)
        : m_input(input), m_run(run), m_dialect(dialect) {}

    std::string write() {
        const std::string label = findRelease(*exporterRow(m_dialect.format), m_input.release)->label;
        m_text = megatronSummary(m_input, m_run, label);
        m_text += fmt::format(
            "# Start {} by launch.sh or slurm.sbatch, never by c10d rendezvous.\n\n",
            recipe() ? "this file"
                     : fmt::format("a script that trains configure({0}), {0} of the planned model,",
                                   m_dialect.argument));
        const Precision precision = m_input.problem.precision();
        const bool half = precision == Precision::Fp16 || precision == Precision::Bf16;
        m_text += half ? "" : "import os\n\n";
        m_text += "import torch\n";
        m_text += m_dialect.preface;
        m_text += fmt::format("\n\ndef configure({}):\n", m_dialect.argument);
        checks();
        parallel();
        numbers(precision);
        if (!half)
            line(fmt::format("os.environ[\"NVIDIA_TF32_OVERRIDE\"] = \"{}\"",
                             precision == Precision::Tf32 ? 1 : 0));
        recompute();
        const std::int64_t further = m_input.problem.model().predictionDepth;
        if (further > 0 || hasLatentAttention(m_input.problem.model())) // DeepSeek's recipes have one
            set(m_dialect.model, "mtp_num_layers",
                further > 0 ? std::to_string(further) : std::string("None"));
        if (const std::int64_t window = megatronWindow(m_input.problem.model()); window > 0) {
            set(m_dialect.model, "window_size", fmt::format("({}, 0)", window - 1));
            if (const std::string pattern = megatronWindowPattern(m_input.problem.model()); !pattern.empty())
                set(m_dialect.model, "window_attn_skip_freq", pattern);
        }
        if (m_input.problem.model().experts.sharedGate)
            set(m_dialect.model, "moe_shared_expert_gate", "True");
        vocabulary();
        positions();
        if (m_input.problem.model().normEpsilon > 0.0)
            set(m_dialect.model, "layernorm_epsilon", m_input.problem.model().normEpsilon);
        optimizer();
        overlaps();
        set(m_dialect.batch, "micro_batch_size", m_run.microbatchSize);
        set(m_dialect.batch, "global_batch_size", m_input.problem.recipe().gbs);
        for (const char* object : {m_dialect.sequence, m_dialect.model})
            set(object, "seq_length", m_input.problem.recipe().seq);
        if (isNemo()) {
            set("recipe.trainer", "num_nodes", m_run.order.nodes.size());
            set("recipe.trainer", "devices", m_run.order.nodes.front().gpus.size());
        }
        line(fmt::format("return {}", m_dialect.argument));
        if (const RecipeRow* row = recipe())
            start(*row);
        return std::move(m_text);
    }

private:
    bool isNemo() const { return &m_dialect == &kNemo; }

    // That of the model; null where none is known.
    const RecipeRow* recipe() const {
        const Model& m = m_input.problem.model();
        const auto* row = std::find_if(std::begin(kRecipes), std::end(kRecipes), [&](const RecipeRow& r) {
            return r.blocks == m.blocks && r.hidden == m.hidden && r.ffn == m.ffn &&
                   r.experts == hasExperts(m);
        });
        return row == std::end(kRecipes) || (isNemo() ? row->nemo : row->bridge) == nullptr ? nullptr : row;
    }

    // As llama3_pretraining.py:163 among NeMo's tests and Bridge's training/pretrain.py:40 with
    // training/gpt_step.py:630 have it. Both recipes come with made-up data.
    void start(const RecipeRow& row) {
        m_text += "\n\nif __name__ == \"__main__\":\n";
        if (isNemo()) {
            line("import nemo_run");
            line("from nemo.collections import llm");
            line("from nemo.collections.nlp.modules.common.tokenizer_utils import get_nmt_tokenizer\n");
            const Model& m = m_input.problem.model();
            line(fmt::format("recipe = llm.{}.pretrain_recipe()  # its data are made up: set recipe.data",
                             m.rotaryScaling.kind == "llama3" && row.nemoScaled != nullptr ? row.nemoScaled
                                                                                           : row.nemo));
            // Else the data are words of GPT-2's tokenizer (data/mock.py:87), which may be more than the
            // model has. This one has a word more than it is told (null_tokenizer.py:47).
            line(fmt::format("recipe.data.tokenizer = nemo_run.Config(get_nmt_tokenizer, library=\"null\", "
                             "model_name=\"NullTokenizer\", vocab_size={})",
                             m.vocab - 1));
            line("nemo_run.run(configure(recipe), direct=True)");
            return;
        }
        line(fmt::format("from megatron.bridge.recipes.{}.h100 import {}", row.family, row.bridge));
        line("from megatron.bridge.training.gpt_step import forward_step");
        line("from megatron.bridge.training.pretrain import pretrain\n");
        if (row.published)
            line("# The recipe reads the model's configuration from Hugging Face, with HF_TOKEN where that "
                 "asks.");
        line(fmt::format("cfg = {}()  # its data are made up: set cfg.dataset", row.bridge));
        line("pretrain(configure(cfg), forward_step)");
    }

    void line(const std::string& text) { m_text += "    " + text + "\n"; }
    template <class Value>
    void set(const char* object, const char* name, const Value& value) {
        line(fmt::format("{}.{} = {}", object, name, value));
    }

    // The recipe must be of the planned model.
    void checks() {
        const Model& m = m_input.problem.model();
        const auto check = [&](const char* field, std::int64_t value) {
            line(fmt::format("assert {}.{} == {}", m_dialect.model, field, value));
        };
        check("num_layers", m.blocks);
        check("hidden_size", m.hidden);
        check("ffn_hidden_size", m.ffn);
        check("num_attention_heads", m.heads);
        if (m.kvHeads != m.heads)
            check("num_query_groups", m.kvHeads);
    }

    // Rows of embedding and head that every rank has as many of. What is stated wins over the tokenizer's and
    // is not padded: nemo/collections/llm/gpt/model/base.py:372; Bridge's training/setup.py:762, but for
    // recipes that ask for the tokenizer's (recipes/common.py:114), which is one of 32,000 words.
    void vocabulary() {
        const std::int64_t vocab = m_input.problem.model().vocab, tp = m_run.tp;
        set(m_dialect.model, "vocab_size", (vocab + tp - 1) / tp * tp);
        if (!isNemo())
            set("cfg.tokenizer", "use_tokenizer_vocab_size", "False");
    }

    // Recipes of the same sizes have other ones, or scale them.
    void positions() {
        const Model& m = m_input.problem.model();
        const RotaryScaling& s = m.rotaryScaling;
        if (m.learnedPositions > 0)
            return;
        if (m.rotaryBase > 0.0)
            set(m_dialect.model, "rotary_base", m.rotaryBase);
        if (!saysRotary(m, isNemo()))
            return line(fmt::format("# {} must be of a model that scales its rotary positions: {}{}.",
                                    m_dialect.argument, s.kind,
                                    s.factor > 0.0 ? fmt::format(", factor {}", s.factor) : std::string()));
        if (hasLatentAttention(m)) {
            // The core's own default for latent attention, and that of DeepSeek's recipes, is a factor of 40
            // (transformer_config.py:2936 of core 0.19); 1 scales nothing.
            set(m_dialect.model, "rotary_scaling_factor", scalesPositions(m) ? s.factor : 1.0);
            if (s.positions > 0)
                set(m_dialect.model, "original_max_position_embeddings", s.positions);
            return;
        }
        set(m_dialect.model, "position_embedding_type", "\"rope\"");
        set(m_dialect.model, "seq_len_interpolation_factor",
            s.kind == "linear" ? fmt::format("{}", s.factor) : std::string("None"));
        const bool asLlama = s.kind == "llama3";
        if (isNemo())
            return nemoScaling(asLlama);
        set(m_dialect.model, "rope_scaling", boolean(asLlama));
        if (asLlama)
            set(m_dialect.model, "rope_scaling_factor", s.factor);
    }

    // nemo/collections/llm/gpt/model/llama.py:160: fields of Llama 3.1's class alone, which scales whatever
    // they are; by 1 nothing.
    void nemoScaling(bool asLlama) {
        const RotaryScaling& s = m_input.problem.model().rotaryScaling;
        if (!asLlama) {
            line(fmt::format("if hasattr({}, \"scale_factor\"):", m_dialect.model));
            return line(fmt::format("    {}.scale_factor = 1.0", m_dialect.model));
        }
        set(m_dialect.model, "scale_factor", s.factor);
        set(m_dialect.model, "low_freq_factor", s.lowFrequency > 0.0 ? s.lowFrequency : 1.0);
        set(m_dialect.model, "high_freq_factor", s.highFrequency > 0.0 ? s.highFrequency : 4.0);
        set(m_dialect.model, "old_context_len", s.positions > 0 ? s.positions : std::int64_t{8192});
    }

    void parallel() {
        const char* object = m_dialect.parallel;
        set(object, "tensor_model_parallel_size", m_run.tp);
        set(object, "pipeline_model_parallel_size", m_run.pp);
        set(object, "virtual_pipeline_model_parallel_size",
            m_run.vpp > 1 ? std::to_string(m_run.vpp) : std::string("None"));
        set(object, "context_parallel_size", m_run.cp);
        set(object, "expert_model_parallel_size", m_run.ep);
        // DeepSeek's recipes cut none.
        if (const Stage& stage = m_input.plan.pipelines.front().stages.front();
            hasExperts(m_input.problem.model()))
            set(object, "expert_tensor_parallel_size", stage.expertTp() > 0 ? stage.expertTp() : m_run.tp);
        set(object, "sequence_parallel", boolean(m_run.sequenceParallel));
        set(object, "pipeline_model_parallel_layout",
            m_run.pp > 1 ? "\"" + m_run.layout() + "\"" : std::string("None"));
        // Recipes divide blocks in other words, which the core refuses beside a layout
        // (transformer_config.py:992 of NeMo's core 0.14, 2004 of Bridge's).
        for (const char* split :
             {"account_for_embedding_in_pipeline_split", "account_for_loss_in_pipeline_split"})
            set(object, split, "False");
        for (const char* layers : {"num_layers_in_first_pipeline_stage", "num_layers_in_last_pipeline_stage"})
            set(object, layers, "None");
        set(m_dialect.mapping, "use_tp_pp_dp_mapping",
            boolean(m_run.order.nesting == RankNesting::ReplicasOutside));
    }

    void numbers(Precision precision) {
        const bool fp16 = precision == Precision::Fp16, bf16 = precision == Precision::Bf16;
        const char* type = fp16 ? "torch.float16" : bf16 ? "torch.bfloat16" : "torch.float32";
        set(m_dialect.parallel, "pipeline_dtype", type);
        const bool sums = isOn(m_input.problem.recipe().software.gradFp32, true) || !(fp16 || bf16);
        line(fmt::format(fmt::runtime(m_dialect.precision),
                         fp16   ? m_dialect.fp16
                         : bf16 ? m_dialect.bf16
                                : m_dialect.fp32,
                         type, boolean(sums)));
    }

    // DeepSeek's recipe of Bridge has moments in bf16.
    void optimizer() {
        for (const char* object : {m_dialect.ddp, m_dialect.optimizer})
            set(object, "use_distributed_optimizer", boolean(m_run.distributedOptimizer));
        set(m_dialect.optimizer, "use_precision_aware_optimizer", "False");
        for (const char* state :
             {"main_params_dtype", "main_grads_dtype", "exp_avg_dtype", "exp_avg_sq_dtype"})
            set(m_dialect.optimizer, state, "torch.float32");
    }

    // Recipes have their own: gathers of parameters without the distributed optimizer, which end Bridge's
    // first forward pass (param_and_grad_buffer.py:435 of its core 2a75ac12), and tables of user buffers for
    // one size alone.
    void overlaps() {
        set(m_dialect.ddp, "overlap_grad_reduce", boolean(m_run.overlapsGradients));
        for (const char* object : {m_dialect.ddp, m_dialect.optimizer})
            set(object, "overlap_param_gather", boolean(m_run.overlapsParameters));
        set(m_dialect.model, "tp_comm_overlap", boolean(m_run.overlapsTensor));
        set(m_dialect.model, "overlap_p2p_comm", boolean(m_run.overlapsSends));
        set(m_dialect.model, "batch_p2p_comm", boolean(!m_run.overlapsSends));
        if (!isNemo())
            line("cfg.comm_overlap = None  # which would overrule these");
        if (!hasExperts(m_input.problem.model()))
            return;
        set(m_dialect.model, "moe_token_dispatcher_type", "\"alltoall\"");
        if (!isNemo())
            set(m_dialect.model, "moe_flex_dispatcher_backend", "None");
    }

    void recompute() {
        const bool full = m_run.recompute == Recompute::Full;
        const char* object = m_dialect.model;
        set(object, "recompute_granularity",
            m_run.recompute == Recompute::None ? std::string("None")
                                               : fmt::format("\"{}\"", name(m_run.recompute)));
        set(object, "recompute_method",
            full ? (m_run.recomputedBlocks > 0 ? "\"block\"" : "\"uniform\"") : "None");
        set(object, "recompute_num_layers",
            full ? std::to_string(std::max(1, m_run.recomputedBlocks)) : std::string("None"));
    }

    const ExportInput& m_input;
    const MegatronRun& m_run;
    const Dialect& m_dialect;
    std::string m_text;
};

std::vector<ExportFile> files(const ExportInput& input, const Dialect& dialect) {
    const MegatronRun run = megatronRun(input);
    std::vector<ExportFile> list = {{"plan.py", MegatronPythonWriter(input, run, dialect).write()}};
    for (ExportFile& file : launchFiles(input.problem, run.order, {}))
        list.push_back(std::move(file));
    return list;
}

// Both build their layers of it, whatever transformer_impl says (gpt/model/base.py:205 of NeMo,
// models/gpt_provider.py:130 of Bridge).
Wording withoutTransformerEngine() {
    return Wording("set the model's transformer_layer_spec to the trainer's local_layer_spec and its "
                   "cross_entropy_fusion_impl to \"native\", with a PyTorch for CUDA 12");
}

void unsaidScaling(const Model& m, bool nemo, Diagnostics& notes) {
    if (!saysRotary(m, nemo))
        notes.push_back({Severity::Warning,
                         "export.rope_scaling",
                         "model " + m.name,
                         {"scales its rotary positions ({kind}), which the files do not say: start from a "
                          "recipe of a model that does, or the trainer builds another model",
                          {{"kind", m.rotaryScaling.kind}}}});
}

} // namespace

void nemoNotes(const Problem& problem, const Plan& plan, const std::string&, Diagnostics& notes) {
    unsaidScaling(problem.model(), true, notes);
    warnOfOldKinds(problem, plan, withoutTransformerEngine(), notes);
}

void megatronBridgeNotes(const Problem& problem, const Plan& plan, const std::string&, Diagnostics& notes) {
    unsaidScaling(problem.model(), false, notes);
    warnOfOldKinds(problem, plan, withoutTransformerEngine(), notes);
}

// Its trainer starts a number of processes that is the same on every node.
void checkNemo(const Problem& problem, const Plan& plan, const std::string& release,
               std::vector<Refusal>& refusals) {
    checkMegatron(problem, plan, release, refusals);
    if (plan.pipelines.size() != 1)
        return;
    const LaunchOrder order = bestLaunchOrder(problem, plan.pipelines.front());
    const auto id = [&](const RankNode& n) {
        return problem.topology().cluster().nodes[static_cast<std::size_t>(n.node)].id;
    };
    for (const RankNode& node : order.nodes)
        if (node.gpus.size() != order.nodes.front().gpus.size()) {
            refusals.push_back(
                {"E_STAGE_SIZE",
                 "node " + id(node),
                 {"{gpus} GPUs, node {first} has {expected}; the trainer starts as many on every node",
                  {{"gpus", node.gpus.size()},
                   {"first", id(order.nodes.front())},
                   {"expected", order.nodes.front().gpus.size()}}}});
            return;
        }
}

std::vector<ExportFile> exportNemo(const ExportInput& input) {
    return files(input, kNemo);
}

std::vector<ExportFile> exportMegatronBridge(const ExportInput& input) {
    return files(input, kBridge);
}

} // namespace pw

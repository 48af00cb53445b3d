// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/torchtitan_models.h"

#include "core/exchange/exports/torchtitan_transformers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace pw {

namespace {

constexpr std::string_view kLlama3 = "llama3", kDeepseek = "deepseek_v3", kQwen3 = "qwen3",
                           kGptOss = "gpt_oss";

// Where main has no configuration of a flavor, that of the nearest one of the same vocabulary.
constexpr std::array kModels = {
    TitanModel{"llama3", "8B", "llama3_8b", 32, 4096, 14336, 32, 8, 128, 128256},
    TitanModel{"llama3", "70B", "llama3_70b", 80, 8192, 28672, 64, 8, 128, 128256},
    TitanModel{"llama3", "405B", "llama3_405b", 126, 16384, 53248, 128, 8, 128, 128256},
    TitanModel{"deepseek_v3", "16B", "deepseek_v3_16b", 27, 2048, 10944, 16, 16, 192, 102400, false, 64, 6,
               1408, 2, 1, 0},
    TitanModel{"deepseek_v3", "236B", "deepseek_v3_16b", 60, 5120, 12288, 128, 128, 192, 102400, false, 160,
               6, 1536, 2, 1, 1536},
    TitanModel{"deepseek_v3", "671B", "deepseek_v3_671b", 61, 7168, 18432, 128, 128, 192, 129280, false, 256,
               8, 2048, 1, 3, 1536},
    TitanModel{"qwen3", "0.6B", "qwen3_0_6b", 28, 1024, 3072, 16, 8, 128, 151936, true},
    TitanModel{"qwen3", "1.7B", "qwen3_1_7b", 28, 2048, 6144, 16, 8, 128, 151936, true},
    TitanModel{"qwen3", "4B", "qwen3_1_7b", 36, 2560, 9728, 32, 8, 128, 151936, true},
    TitanModel{"qwen3", "8B", "qwen3_14b", 36, 4096, 12288, 32, 8, 128, 151936},
    TitanModel{"qwen3", "14B", "qwen3_14b", 40, 5120, 17408, 40, 8, 128, 151936},
    TitanModel{"qwen3", "32B", "qwen3_32b", 64, 5120, 25600, 64, 8, 128, 151936},
    TitanModel{"qwen3", "30B-A3B", "qwen3_30b_a3b", 48, 2048, 0, 32, 4, 128, 151936, false, 128, 8, 768},
    TitanModel{"qwen3", "235B-A22B", "qwen3_30b_a3b", 94, 4096, 0, 64, 4, 128, 151936, false, 128, 8, 1536, 0,
               0, 0, 5'000'000.0},
    TitanModel{"gpt_oss", "20b", "gpt_oss_20b", 24, 2880, 0, 64, 8, 64, 201088, false, 32, 4, 2880},
    TitanModel{"gpt_oss", "120b", "gpt_oss_120b", 36, 2880, 0, 64, 8, 64, 201088, false, 128, 4, 2880},
};

// What a family fixes beside the sizes.
struct Family {
    std::string_view name;
    double rotaryBase;
    std::int64_t positions; // that its rotary table spans; main refuses longer sequences
    const char* scaling;    // the only one that its rotary positions can have, "": none
    double factor;          // as its flavors have it
    std::int64_t original;  // longest sequence before that
    double epsilon;         // of the norms
};
// main: models/FAMILY/__init__.py; a plain YaRN of Llama's or Qwen3's attention would miss what scales the
// attention with it (models/common/rope.py:58).
constexpr std::array kFamilies = {Family{kLlama3, 500'000.0, 131'072, "llama3", 8.0, 8192, 1e-5},
                                  Family{kDeepseek, 10'000.0, 16'384, "yarn", 40.0, 4096, 1e-5},
                                  Family{kQwen3, 1'000'000.0, 40'960, "", 0.0, 0, 1e-6},
                                  Family{kGptOss, 150'000.0, 131'072, "yarn", 32.0, 4096, 1e-5}};

const Family& familyOf(const TitanModel& t) {
    return *std::find_if(kFamilies.begin(), kFamilies.end(),
                         [&](const Family& f) { return f.name == t.family; });
}

// The model's scaling with what it leaves open as the family's flavors have it.
RotaryScaling scalingOf(const Model& m, const Family& family) {
    RotaryScaling s = m.rotaryScaling;
    if (s.positions == 0)
        s.positions = family.original;
    if (s.lowFrequency == 0.0)
        s.lowFrequency = 1.0;
    if (s.highFrequency == 0.0)
        s.highFrequency = 4.0;
    return s;
}

// Whether the family's flavors scale as the model does, unasked.
bool scalesAlike(const Model& m, const Family& family) {
    const RotaryScaling s = scalingOf(m, family);
    const bool llama = s.kind != "llama3" || (s.lowFrequency == 1.0 && s.highFrequency == 4.0);
    return s.kind == family.scaling &&
           (s.kind.empty() || (s.factor == family.factor && s.positions == family.original && llama));
}

bool normsAlike(const Model& m, const Family& family) {
    return m.normEpsilon == 0.0 || m.normEpsilon == family.epsilon;
}

bool canScale(const Model& m, const Family& family) {
    return !scalesPositions(m) || (m.rotaryScaling.kind == family.scaling && m.rotaryScaling.factor > 0.0);
}

// The trainer's model as one of ours. What no figure depends on is taken over from `like`: it is compared
// apart, or not at all.
Model built(const TitanModel& t, const Model& like) {
    Model m;
    m.name = like.name;
    m.family = like.family;
    m.dtype = like.dtype;
    m.source = like.source;
    m.positions = like.positions;
    m.rotaryBase = like.rotaryBase;
    m.rotaryScaling = like.rotaryScaling;
    m.normEpsilon = like.normEpsilon;
    m.predictionDepth = like.predictionDepth;
    m.blocks = t.blocks;
    m.hidden = t.hidden;
    m.ffn = t.ffn > 0 ? t.ffn : like.ffn; // no block has it
    m.heads = t.heads;
    m.kvHeads = t.kvHeads;
    m.headDim = t.headDim;
    m.vocab = t.vocab;
    m.tied = t.tied;
    m.gatedMlp = m.rmsNorm = true;
    m.queryKeyNorm = t.family == kQwen3;
    if (t.experts > 0) {
        Experts& e = m.experts = like.experts;
        e.count = t.experts;
        e.perToken = t.perToken;
        e.ffn = t.expertFfn;
        e.shared = t.shared;
        e.sharedFfn = t.shared > 0 ? t.expertFfn : 0;
        e.sharedGate = e.routerInputScale = false;
        e.bias = t.family == kGptOss;
        e.denseBlocks.clear();
        for (std::int64_t b = 0; b < t.dense; ++b)
            e.denseBlocks.push_back(b);
    }
    if (t.family == kDeepseek)
        m.latent = {t.queryRank, 512, 128, 64, 128};
    if (t.family == kGptOss) {
        m.qkvBias = m.attentionOutBias = true;
        m.mlpBias = like.mlpBias; // no block has such an MLP
        m.ownFormulas = like.ownFormulas;
        m.parts.sinks = true;
        for (std::int64_t b = 0; b < t.blocks; ++b)
            m.window.push_back(b % 2 == 0 ? 128 : 0);
    }
    return m;
}

bool isMain(const std::string& release) {
    return release == "main";
}

// 0.1 has Llama 3 only. Nobody has held gpt-oss of 0.2 against these sizes, so that it is not written.
bool hasFamily(std::string_view family, const std::string& release) {
    return family == kLlama3 || isMain(release) || (release == "0.2" && family != kGptOss);
}

const TitanModel* sizesOf(const Model& model) {
    for (const TitanModel& t : kModels)
        if (built(t, model) == model)
            return &t;
    return nullptr;
}

// 0.1 scales nothing; 0.2 DeepSeek's in sequences alone that are longer than those before the scaling (0.2.2:
// models/deepseek_v3/model/model.py:111).
void checkOldScaling(const Problem& problem, const Family& family, const std::string& release,
                     std::vector<Refusal>& refusals) {
    const Model& m = problem.model();
    if (isMain(release) || !scalesPositions(m))
        return;
    const std::int64_t positions = scalingOf(m, family).positions;
    if (release == "0.1")
        refusals.push_back({"E_UNSUPPORTED_MODEL",
                            "model " + m.name,
                            {"its rotary positions are scaled ({kind}); before 0.2 the trainer scales none",
                             {{"kind", m.rotaryScaling.kind}}}});
    else if (family.name == kDeepseek && problem.recipe().seq <= positions)
        refusals.push_back({"E_UNSUPPORTED_MODEL",
                            "model " + m.name,
                            {"its rotary positions are scaled ({kind}); before main the trainer does so in "
                             "sequences of more than {positions} tokens alone",
                             {{"kind", m.rotaryScaling.kind}, {"positions", positions}}}});
}

} // namespace

const TitanModel* titanModelOf(const Model& model) {
    const TitanModel* t = sizesOf(model);
    return t != nullptr && canScale(model, familyOf(*t)) ? t : nullptr;
}

std::string titanNumbers(const TitanModel& titan, const Model& model) {
    const Family& family = familyOf(titan);
    std::string text;
    const auto set = [&text](const char* what, const auto& value) {
        text += fmt::format("        {} = {}\n", what, value);
    };
    if (!scalesAlike(model, family)) {
        const RotaryScaling s = scalingOf(model, family);
        text += "    for _, rope, _, _ in config.model_spec.traverse(RoPE.Config):\n";
        set("rope.scaling", s.kind.empty() ? "\"none\"" : s.kind == "yarn" ? "\"yarn\"" : "\"llama\"");
        if (s.kind == "yarn") {
            set("rope.rope_factor", s.factor);
            set("rope.original_seq_len", s.positions);
        } else if (!s.kind.empty()) {
            set("rope.scaling_factor", s.factor);
            set("rope.low_freq_factor", s.lowFrequency);
            set("rope.high_freq_factor", s.highFrequency);
            set("rope.original_max_position_embeddings", s.positions);
        }
    }
    if (!normsAlike(model, family)) {
        text += "    for _, norm, _, _ in config.model_spec.traverse(RMSNorm.Config):\n";
        set("norm.eps", model.normEpsilon);
    }
    return text;
}

// 0.2: models/llama3/model/args.py:21 and models/deepseek_v3/model/args.py:83; both scale by 1 nothing.
std::string titanNumbersModule(const TitanModel& titan, const Model& model, const std::string& release) {
    const Family& family = familyOf(titan);
    const bool old = release == "0.1";
    std::string text;
    const auto set = [&text](const char* what, const auto& value) {
        text += fmt::format("flavor.{} = {}\n", what, value);
    };
    if (!old && !scalesAlike(model, family)) {
        const RotaryScaling s = scalingOf(model, family);
        const double factor = s.kind.empty() ? 1.0 : s.factor;
        if (family.name == kLlama3) {
            set("rope_scaling_args.scaling_factor", factor);
            set("rope_scaling_args.low_freq_factor", s.lowFrequency);
            set("rope_scaling_args.high_freq_factor", s.highFrequency);
            set("rope_scaling_args.original_max_position_embeddings", s.positions);
        } else {
            set("rope_factor", factor);
            set("original_seq_len", s.positions);
        }
    }
    if (!normsAlike(model, family))
        set("norm_eps", model.normEpsilon);
    if (text.empty())
        return text;
    const char* flavors = old                        ? "llama3_configs"
                          : family.name == kLlama3   ? "llama3_args"
                          : family.name == kDeepseek ? "deepseekv3_args"
                                                     : "qwen3_args";
    return fmt::format("# Imported by the trainer: its own {0} with the planned model's rotary positions and "
                       "norms.\nfrom torchtitan.models.{1} import {2}\n\nflavor = {2}[\"{0}\"]\n{3}",
                       titan.flavor, family.name, flavors, text);
}

void checkTitanModel(const Problem& problem, const std::string& release, std::vector<Refusal>& refusals) {
    const Model& m = problem.model();
    const std::string where = "model " + m.name;
    const auto refuse = [&](Wording why) {
        refusals.push_back({"E_UNSUPPORTED_MODEL", where, std::move(why)});
    };
    const TitanModel* t = titanModelOf(m);
    const bool sized = sizesOf(m) != nullptr;
    if (t == nullptr && isMain(release) && (!sized || transformersFamily(m) != nullptr))
        return checkTransformersModel(problem, refusals);
    if (t == nullptr && sized)
        return refuse({"its rotary positions are scaled ({kind}); the trainer's model of these sizes cannot "
                       "be told so",
                       {{"kind", m.rotaryScaling.kind}}});
    if (t == nullptr)
        return refuse(
            {"before main the export names one of the trainer's own sizes, and this is none of them: Llama 3 "
             "8B, 70B, 405B; DeepSeek 16B, 236B, 671B; Qwen3 0.6B to 32B, 30B-A3B, 235B-A22B",
             {}});
    const Family& family = familyOf(*t);
    if (!hasFamily(t->family, release))
        return refuse({"{family} is written for torchtitan main{more} only",
                       {{"family", std::string(t->family)},
                        {"more", t->family == kGptOss ? std::string() : " and 0.2"}}});
    const double base = t->rotaryBase > 0.0 ? t->rotaryBase : family.rotaryBase;
    if (m.rotaryBase != 0.0 && m.rotaryBase != base)
        refuse({"its rotary base is {own}; that of the trainer's model of these sizes is {trainers}",
                {{"own", m.rotaryBase}, {"trainers", base}}});
    if (isMain(release) && problem.recipe().seq > family.positions)
        refuse({"sequences of {tokens} tokens; the trainer's positions end at {positions}",
                {{"tokens", problem.recipe().seq}, {"positions", family.positions}}});
    checkOldScaling(problem, family, release, refusals);
    if (m.predictionDepth > 0 && !(isMain(release) && t->family == kDeepseek))
        refuse(
            {"it has {trait}; the trainer's models have not", {{"trait", words(ModelTrait::FurtherTokens)}}});
    // Experts are multiplied in bf16 whatever is asked for (main: models/common/moe.py:96; 0.2.2:
    // models/moe/moe.py:123).
    if (t->experts > 0 && problem.precision() != Precision::Bf16)
        refusals.push_back({"E_PRECISION",
                            "recipe",
                            {"{precision}; the trainer multiplies experts in bf16",
                             {{"precision", name(problem.precision())}}}});
}

void checkTitanPlan(const Problem& problem, const Plan& plan, const std::string& release,
                    std::vector<Refusal>& refusals) {
    const TitanModel* t = titanModelOf(problem.model());
    const Pipeline& pipeline = plan.pipelines.front();
    const Stage& stage = pipeline.stages.front();
    const std::string where = "model " + problem.model().name;
    // main: models/common/moe_sharding.py:31 to 49, distributed/parallel_dims.py:185: whole experts over all
    // GPUs of a stage. 0.2 is told whether to slice them (0.2.0: distributed/parallel_dims.py:60 to 65).
    const bool dealt = hasExperts(problem.model()) && stage.ep > 1, whole = stage.expertTp() == 1;
    if (isMain(release) && dealt && stage.tp > 1 && !whole)
        refusals.push_back({"E_EP", "plan",
                            "expert and tensor parallelism; the trainer then deals experts out over both and "
                            "slices none"});
    const int borrowed = stage.cp * (whole ? stage.tp : 1);
    if (!isMain(release) && dealt && stage.ep % borrowed != 0)
        refusals.push_back(
            {"E_EP",
             "plan",
             {"expert parallel {ep}; the trainer deals experts out over all {ranks} ranks that share "
              "a sequence first",
              {{"ep", stage.ep}, {"ranks", borrowed}}}});
    if (t == nullptr) {
        if (isMain(release))
            checkTransformersPlan(problem, plan, refusals);
        return;
    }
    // main: models/common/decoder.py:168.
    if (t->tied && pipeline.stages.size() > 1)
        refusals.push_back({"E_UNSUPPORTED_MODEL", where,
                            "a pipeline; the trainer has none where the head shares the embedding's matrix"});
    // models/deepseek_v3/mtp.py:198 to 207.
    if (problem.model().predictionDepth > 0 && (pipeline.stages.size() > 1 || stage.cp > 1))
        refusals.push_back({"E_UNSUPPORTED_MODEL", where,
                            "pipeline or context parallelism; the trainer has neither where layers predict "
                            "further tokens (without prediction_depth it has)"});
    // 0.2.2: models/deepseek_v3/infra/parallelize.py:69: attention of these flavors is flexible.
    if (!isMain(release) && t->family == kDeepseek && stage.cp > 1)
        refusals.push_back({"E_CP", "plan", "context parallelism of DeepSeek; only main has it"});
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/run_model.h"

#include "core/calibrate/published_shapes.h"
#include "core/calibrate/run_experts.h"
#include "core/calibrate/unsupported.h"
#include "core/calibrate/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace pw {

namespace {

// Families of models by a word that their names begin with. `type` is the Hugging Face model type whose
// structure it is. The vocabulary is that of the published tokeniser, for rows that do not state one.
struct Family {
    std::string_view word;
    const char* type;
    bool gated, rms, learned, tied, qkvBias, otherBias;
    std::int64_t vocab;
};

constexpr Family kFamilies[] = {
    // word        type       gated  rms    learn  tied   qkv    other  vocab
    {"llama3", "llama", true, true, false, false, false, false, 128256},
    {"llama", "llama", true, true, false, false, false, false, 32000},
    {"tinyllama", "llama", true, true, false, false, false, false, 32000},
    {"codellama", "llama", true, true, false, false, false, false, 32016},
    {"vicuna", "llama", true, true, false, false, false, false, 32000},
    {"mixtral", "mixtral", true, true, false, false, false, false, 32000},
    {"grok", "grok", true, true, false, true, false, false, 131072},
    {"dbrx", "dbrx", true, false, false, false, false, false, 100352},
    {"nemotron", "nemotron", false, false, false, false, false, false, 256000},
    {"mistral", "mistral", true, true, false, false, false, false, 32000},
    {"qwen", "qwen2", true, true, false, false, true, false, 152064},
    {"internlm", "internlm", true, true, false, false, false, false, 103168},
    {"baichuan", "llama", true, true, false, false, false, false, 64000},
    {"yi", "llama", true, true, false, false, false, false, 64000},
    {"aquila", "llama", true, true, false, false, false, false, 100008},
    {"olmo", "llama", true, true, false, false, false, false, 50304},
    {"gemma", "llama", true, true, false, true, false, false, 256000},
    {"deepseek", "llama", true, true, false, false, false, false, 102400},
    {"chatglm", "llama", true, true, false, false, true, false, 65024},
    {"glm", "llama", true, true, false, false, true, false, 65024},
    {"mpt", "mpt", false, false, true, true, false, false, 50368},
    {"falcon", "falcon", false, false, false, true, false, false, 65024},
    {"bloom", "bloom", false, false, false, true, true, true, 250880},
    {"pythia", "gpt_neox", false, false, false, false, true, true, 50304},
    {"neox", "gpt_neox", false, false, false, false, true, true, 50432},
    {"opt", "opt", false, false, true, true, true, true, 50272},
    {"bert", "bert", false, false, true, true, true, true, 30522},
    {"roberta", "bert", false, false, true, true, true, true, 50265},
    {"gpt", "gpt2", false, false, true, true, true, true, 50257},
    {"megatron", "gpt2", false, false, true, true, true, true, 50257},
};
const Family& kGptFamily = kFamilies[std::size(kFamilies) - 2];
const Family& kLlamaFamily = kFamilies[1];

const Family* familyOf(const std::vector<std::string>& words) {
    const bool third = numberBehind(words, "llama").value_or(0) == 3;
    for (const Family& family : kFamilies)
        for (const std::string& word : words)
            if (family.word == "llama3" ? third : word.starts_with(family.word))
                return &family;
    return nullptr;
}

void shape(Model& m, const Family& family) {
    m.family = family.type;
    m.gatedMlp = family.gated;
    m.rmsNorm = family.rms;
    m.learnedPositions = family.learned ? m.positions : 0;
    m.tied = family.tied;
    m.qkvBias = family.qkvBias;
    m.attentionOutBias = m.mlpBias = family.otherBias;
}

// Names that stand for what the cost model does not have.
Status checkKind(const std::vector<std::string>& words) {
    for (const std::string& word : words) {
        for (const std::string_view part : {"t5", "bart", "whisper", "vit", "dit", "resnet", "unet", "mamba"})
            if (word == part)
                return unsupported("model", {"\"{word}\" is no decoder-only transformer", {{"word", word}}});
    }
    return Ok{};
}

std::int64_t roundUp(std::int64_t value, std::int64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

// Heads of 64 up to the size of GPT-2 XL and of 128 above, as the published families have them; of another
// width where tp ranks or the stated key-value heads would not divide those.
std::int64_t usualHeads(std::int64_t hidden, std::int64_t kvHeads, std::int64_t tp) {
    constexpr std::int64_t kSmall = 1600;
    const auto fits = [&](std::int64_t width) {
        return hidden % width == 0 && hidden / width % tp == 0 && hidden / width % kvHeads == 0;
    };
    for (const std::int64_t width : {hidden <= kSmall ? 64 : 128, 128, 96, 80, 64, 256, 160, 192, 48, 32})
        if (fits(width))
            return hidden / width;
    return std::lcm(tp, kvHeads);
}

// What model_ref says of the structure beside a reference: "squared ReLU, no gate, untied", "own head".
struct StatedStructure {
    std::optional<bool> gated, tied;
};
StatedStructure structureOf(const RunRow& row) {
    const std::vector<std::string> words = wordsOf(row.modelRef + " " + row.notes);
    StatedStructure stated;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view next = i + 1 < words.size() ? std::string_view(words[i + 1]) : "";
        if (words[i] == "untied" || (words[i] == "own" && next == "head"))
            stated.tied = false;
        else if (words[i] == "tied" && (next == "head" || next.starts_with("embedding")))
            stated.tied = true;
        else if (words[i] == "no" && next == "gate")
            stated.gated = false;
        else if (words[i] == "swiglu" || words[i] == "geglu")
            stated.gated = true;
    }
    return stated;
}

// Heads as wide as the published models have them where that is not hidden / heads.
struct HeadWidth {
    std::string_view word, other;
    std::int64_t heads, width;
};
constexpr HeadWidth kHeadWidths[] = {
    {"qwen3", "", 0, 128},
    {"gpt", "oss", 64, 64},
    {"gemma", "", 0, 256},
    {"mistral", "nemo", 32, 128},
};

// Latents of DeepSeek's attention (arXiv:2405.04434, 2412.19437), which no column has.
void addLatents(const std::vector<std::string>& words, Model& m) {
    const auto is = [&](std::string_view word) { return hasBeginning(words, word); };
    if (!is("deepseek") || !(is("v2") || is("v3") || is("r1")))
        return;
    const bool lite = is("lite");
    m.latent = {lite ? 0 : 1536, 512, 128, 64, 128};
    m.kvHeads = m.heads;
    m.headDim = m.latent.plainDim + m.latent.rotaryDim;
}

} // namespace

RunRow completed(RunRow row, std::vector<std::string>& assumptions) {
    if (row.nLayers && row.hidden)
        return row;
    auto known = publishedShape(row.model, row.paramsB);
    const bool published = known.has_value();
    if (!known && row.paramsB)
        known = likelyShape(*row.paramsB);
    if (!known)
        return row;
    const auto fill = [](std::optional<std::int64_t>& field, std::int64_t value) {
        if (!field)
            field = value;
    };
    fill(row.nLayers, known->layers);
    fill(row.hidden, known->hidden);
    fill(row.ffnHidden, known->ffn);
    fill(row.nHeads, known->heads);
    fill(row.nKvHeads, known->kvHeads);
    fill(row.vocab, known->vocab);
    assumptions.push_back(
        published ? fmt::format("sizes not stated, those of {} {}B taken", known->family, known->billions)
                  : fmt::format("sizes not stated, {} layers of width {} taken for {} billion parameters",
                                *row.nLayers, *row.hidden, known->billions));
    return row;
}

Result<Model> runModel(const RunRow& row, int tp, std::int64_t vocabularyMultiple,
                       std::vector<std::string>& assumptions) {
    const std::vector<std::string> words = wordsOf(row.model);
    const std::vector<std::string> names = wordsOf(row.model + " " + row.modelRef);
    const StatedStructure stated = structureOf(row);
    if (Status known = checkKind(words); !known)
        return known.error();
    Model m;
    m.name = row.model.empty() ? "unnamed" : row.model;
    // Before anything goes through the blocks one by one.
    for (const auto& [field, value, most] : {std::tuple("n_layers", row.nLayers, ModelLimits::blocks),
                                             std::tuple("hidden", row.hidden, ModelLimits::hidden),
                                             std::tuple("seq_len", row.seqLen, ModelLimits::positions)}) {
        if (value.value_or(0) < 1)
            return unsupported(field, "is not stated");
        if (*value > most)
            return unsupported(
                field, {"is {value}; at most {limit} are possible", {{"value", *value}, {"limit", most}}});
    }
    m.blocks = *row.nLayers;
    m.hidden = *row.hidden;
    m.positions = *row.seqLen;

    const Family* family = familyOf(words);
    if (!family)
        family = familyOf(names);
    const bool named = family != nullptr;
    const auto gatedWidth = [&] { return roundUp(m.hidden * 8 / 3, 256); };
    m.ffn = row.ffnHidden.value_or(0);
    if (!family) {
        constexpr double kPlainRatio = 3.6; // plain MLPs are 4 times as wide as the model
        const bool gated =
            m.ffn > 0 && static_cast<double>(m.ffn) < kPlainRatio * static_cast<double>(m.hidden);
        family = gated ? &kLlamaFamily : &kGptFamily;
        assumptions.push_back(
            fmt::format("\"{}\" taken for a model like {}", m.name, gated ? "Llama" : "GPT"));
    }
    shape(m, *family);
    m.gatedMlp = stated.gated.value_or(m.gatedMlp);
    m.tied = stated.tied.value_or(m.tied);
    if (m.ffn < 1) {
        m.ffn = m.gatedMlp ? gatedWidth() : 4 * m.hidden;
        assumptions.push_back(fmt::format("ffn_hidden not stated, {} taken", m.ffn));
    }
    m.heads = row.nHeads.value_or(0);
    if (m.heads < 1) {
        m.heads = usualHeads(m.hidden, std::max<std::int64_t>(1, row.nKvHeads.value_or(1)), tp);
        assumptions.push_back(fmt::format("n_heads not stated, {} taken", m.heads));
    }
    m.kvHeads = std::max<std::int64_t>(1, row.nKvHeads.value_or(m.heads));
    m.headDim = std::max<std::int64_t>(1, m.hidden / m.heads);
    for (const HeadWidth& known : kHeadWidths)
        if (hasBeginning(names, known.word) && (known.other.empty() || hasBeginning(names, known.other)) &&
            (known.heads == 0 || known.heads == m.heads))
            m.headDim = known.width;
    addLatents(names, m);
    if (m.hidden % m.heads != 0 && m.headDim == m.hidden / m.heads)
        assumptions.push_back(fmt::format("{} heads do not divide hidden {}", m.heads, m.hidden));
    m.vocab = row.vocab.value_or(0);
    if (m.vocab < 1) {
        m.vocab = family->vocab;
        assumptions.push_back(fmt::format("vocab not stated, {} taken", m.vocab));
    }
    m.vocab = roundUp(m.vocab, std::max<std::int64_t>(1, vocabularyMultiple));
    readExperts(row, m, assumptions);
    if (hasExperts(m))
        m.mlpBias = false; // none of those that are published has any
    m.predictionDepth = std::clamp<std::int64_t>(row.mtpLayers.value_or(0), 0, ModelLimits::predictionDepth);
    if (m.family == "bert")
        assumptions.push_back("an encoder, judged as a decoder with the full square of attention");

    if (row.paramsB.value_or(0.0) > 0.0) {
        // The name may mislead about the head, and a strange one about the gate: what fits the count clearly
        // better wins.
        constexpr double kClear = 0.05;
        Model best = m;
        for (const bool gated : {m.gatedMlp, named || stated.gated ? m.gatedMlp : !m.gatedMlp})
            for (const bool tied : {m.tied, stated.tied ? m.tied : !m.tied}) {
                Model other = m;
                other.gatedMlp = gated;
                other.tied = tied;
                if (misfit(other, *row.paramsB) < misfit(best, *row.paramsB) - kClear)
                    best = other;
            }
        if (!(best == m)) {
            m = best;
            assumptions.push_back(fmt::format("{} MLP and {} head, to fit {} billion parameters",
                                              m.gatedMlp ? "gated" : "plain", m.tied ? "tied" : "own",
                                              *row.paramsB));
        }
    }
    if (Status sound = checkModel(m, "model"); !sound)
        return sound.error();
    return m;
}

} // namespace pw

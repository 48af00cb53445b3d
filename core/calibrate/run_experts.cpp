// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/run_experts.h"

#include "core/calibrate/published_shapes.h"
#include "core/calibrate/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pw {

namespace {

// Routers of published families, by words of their names. A width of 0 is that of the row's MLP.
struct ExpertFamily {
    std::string_view word;  // that a word of the name begins with
    std::string_view other; // another that is there too; "" = none
    std::int64_t count, perToken, ffn, shared, denseFirst;
};

// From the models' papers and configuration files: Mixtral (arXiv:2401.04088), Grok-1 (xai-org/grok-1), DBRX
// (databricks/dbrx-base), DeepSeekMoE (2401.06066), DeepSeek-V2 (2405.04434) and V3 (2412.19437), OLMoE
// (2409.02060), Qwen1.5-MoE and Qwen3 (2505.09388), Phi-3.5-MoE (2404.14219), gpt-oss (2508.10925), Llama 4.
// Special ones stand before those whose words theirs contain.
constexpr ExpertFamily kExpertFamilies[] = {
    {"mixtral", "", 8, 2, 0, 0, 0},
    {"grok", "", 8, 2, 0, 0, 0},
    {"dbrx", "", 16, 4, 0, 0, 0},
    {"olmoe", "", 64, 8, 1024, 0, 0},
    {"deepseek", "v3", 256, 8, 2048, 1, 3},
    {"deepseek", "r1", 256, 8, 2048, 1, 3},
    {"deepseek", "lite", 64, 6, 1408, 2, 1},
    {"deepseek", "v2", 160, 6, 1536, 2, 1},
    {"deepseek", "moe", 64, 6, 1408, 2, 1},
    {"deepseekmoe", "", 64, 6, 1408, 2, 1},
    {"qwen3", "235b", 128, 8, 1536, 0, 0},
    {"qwen3", "a22b", 128, 8, 1536, 0, 0},
    {"qwen3", "a3b", 128, 8, 768, 0, 0},
    {"qwen", "moe", 60, 4, 1408, 4, 0},
    {"phi", "moe", 16, 2, 6400, 0, 0},
    {"gpt", "oss", 32, 4, 2880, 0, 0},
    {"llama", "scout", 16, 1, 8192, 1, 0},
    {"llama", "maverick", 128, 1, 8192, 1, 0},
};

// "8x7B": experts in front of the x.
std::int64_t expertsInName(const std::vector<std::string>& words) {
    for (const std::string& word : words) {
        const std::size_t x = word.find('x');
        if (x != std::string::npos && word.ends_with('b'))
            if (const auto experts = wholeNumber(std::string_view(word).substr(0, x)))
                return *experts;
    }
    return 0;
}

bool saysExperts(const std::vector<std::string>& words) {
    return std::any_of(words.begin(), words.end(), [](const std::string& word) {
        return word.starts_with("moe") || word.ends_with("moe") || word == "experts" || word == "expert" ||
               word == "switch" || word == "glam";
    });
}

// Remarks in parentheses ("Mixtral's tokenizer") are not the model's name.
std::vector<std::string> nameWords(const RunRow& row) {
    return wordsOf(row.model.substr(0, row.model.find('(')) + " " +
                   row.modelRef.substr(0, row.modelRef.find('(')));
}

// Parameters as counted, or as the name puts them, in billions; of "8x7B" neither number is theirs.
std::optional<double> statedBillions(const RunRow& row) {
    if (row.paramsB.value_or(0.0) > 0.0)
        return row.paramsB;
    return expertsInName(wordsOf(row.model)) > 0 ? std::nullopt : billionsOf(row.model);
}

void leaveDense(Experts& experts, std::int64_t blocks) {
    experts.denseBlocks.resize(static_cast<std::size_t>(std::clamp<std::int64_t>(blocks, 0, 1024)));
    std::iota(experts.denseBlocks.begin(), experts.denseBlocks.end(), std::int64_t{0});
}

// What the row states, and the usual where it says no more than how many there are.
Experts statedExperts(const RunRow& row, const Model& model, std::vector<std::string>& assumptions) {
    constexpr std::int64_t kUsual = 2;
    Experts experts;
    experts.count = *row.nExperts;
    experts.perToken = row.expertsTopK.value_or(0);
    if (experts.perToken < 1) {
        experts.perToken = std::min(kUsual, experts.count);
        assumptions.push_back(fmt::format("experts_top_k not stated, {} taken", experts.perToken));
    }
    experts.perToken = std::min(experts.perToken, experts.count);
    experts.ffn = row.moeFfn.value_or(0) > 0 ? *row.moeFfn : model.ffn;
    experts.shared = row.sharedExperts.value_or(0);
    experts.sharedFfn = experts.shared > 0 ? experts.ffn : 0;
    leaveDense(experts, std::min(row.denseFirstLayers.value_or(0), model.blocks));
    return experts;
}

// By the name; a count of 0 where it says nothing.
Experts namedExperts(const RunRow& row, const Model& model) {
    const std::vector<std::string> words = nameWords(row);
    Experts experts;
    const auto known =
        std::find_if(std::begin(kExpertFamilies), std::end(kExpertFamilies), [&](const ExpertFamily& f) {
            return hasBeginning(words, f.word) && (f.other.empty() || hasBeginning(words, f.other));
        });
    const std::int64_t named = expertsInName(words);
    if (known != std::end(kExpertFamilies)) {
        experts.count = named > 0 ? named : known->count;
        experts.perToken = std::min(known->perToken, experts.count);
        experts.ffn = known->ffn > 0 ? known->ffn : model.ffn;
        experts.shared = known->shared;
        experts.sharedFfn = experts.shared > 0 ? experts.ffn : 0;
        leaveDense(experts, std::min(known->denseFirst, model.blocks));
        return experts;
    }
    if (named == 0 && !saysExperts(words))
        return experts;
    constexpr std::int64_t kUsual = 8, kChosen = 2;
    experts.count = named > 0 ? named : kUsual;
    experts.ffn = model.ffn;
    experts.perToken = std::min(kChosen, experts.count);
    if (const auto size = statedBillions(row); named == 0 && size) {
        Model other = model;
        for (std::int64_t count = 2; count <= 512; count *= 2) {
            other.experts = experts;
            const double now = misfit(other, *size);
            other.experts.count = count;
            if (misfit(other, *size) < now)
                experts.count = count;
        }
        experts.perToken = std::min(kChosen, experts.count);
    }
    return experts;
}

} // namespace

double misfit(const Model& model, double billions) {
    return std::abs(std::log(static_cast<double>(parameterCount(model)) / (billions * 1e9)));
}

void readExperts(const RunRow& row, Model& model, std::vector<std::string>& assumptions) {
    if (row.nExperts) {
        if (*row.nExperts > 0)
            model.experts = statedExperts(row, model, assumptions);
        return;
    }
    Model named = model;
    named.experts = namedExperts(row, model);
    if (named.experts.count < 1)
        return;
    constexpr double kClear = 0.05;
    if (const auto size = statedBillions(row); size && misfit(model, *size) < misfit(named, *size) - kClear) {
        assumptions.push_back(
            fmt::format("dense, as {} billion parameters say against the name \"{}\"", *size, row.model));
        return;
    }
    model.experts = named.experts;
    assumptions.push_back(
        fmt::format("{} of {} experts a token", model.experts.perToken, model.experts.count));
}

} // namespace pw

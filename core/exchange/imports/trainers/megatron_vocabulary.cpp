// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/exchange/imports/trainers/megatron_arguments.h"

#include <array>

namespace pw {

namespace {

// Tokens of tokenizers that scripts name; a part of the type or of the tokenizer's model, in lower case, with
// the type's rows behind those that say more. Counts are of the published tokenizers.
struct VocabularyRow {
    const char* part;
    std::int64_t tokens;
};
constexpr std::array kModels = {
    VocabularyRow{"llama-3", 128256},      VocabularyRow{"llama3", 128256},
    VocabularyRow{"llama-2", 32000},       VocabularyRow{"llama2", 32000},
    VocabularyRow{"mixtral-8x22b", 32768}, VocabularyRow{"mixtral-8x7b", 32000},
    VocabularyRow{"instruct-v0.3", 32768}, VocabularyRow{"mistral-7b-v0.3", 32768},
    VocabularyRow{"mistral-7b", 32000},    VocabularyRow{"qwen3", 151669},
    VocabularyRow{"/qwen2.5", 151665},     VocabularyRow{"deepseek-v3", 128815},
    VocabularyRow{"gpt2", 50257},          VocabularyRow{"gpt-neox", 50277}};
constexpr std::array kTypes = {
    VocabularyRow{"gpt2bpetokenizer", 50257}, VocabularyRow{"bertwordpiecelowercase", 30522},
    VocabularyRow{"bertwordpiececase", 28996}, VocabularyRow{"llama2tokenizer", 32000}};

template <class Rows>
std::int64_t tokensOf(const Rows& rows, const std::vector<std::string>& stated) {
    for (const VocabularyRow& row : rows)
        for (const std::string& name : stated)
            if (lowered(name).find(row.part) != std::string::npos)
                return row.tokens;
    return 0;
}

// As the trainer's log lists them; 0 = not stated.
std::int64_t paddedRows(MegatronArguments& a) {
    for (const std::string& stated : a.mentioned("padded-vocab-size"))
        if (const std::optional<std::int64_t> rows = integerNumber(stated);
            rows && *rows > 0 && *rows <= ModelLimits::vocab)
            return *rows;
    return 0;
}

} // namespace

std::int64_t megatronVocabularyMultiple(MegatronArguments& a) {
    return a.count("make-vocab-size-divisible-by", 1, 1 << 20, 128) *
           a.count("tensor-model-parallel-size", 1, 1024, 1);
}

std::int64_t megatronVocabulary(MegatronArguments& a, const ImportHints& hints, Diagnostics& notes) {
    const std::vector<std::string>& types = a.mentioned("tokenizer-type");
    if (a.has("vocab-size")) {
        const std::int64_t stated = a.need("vocab-size", 1, ModelLimits::vocab);
        // Before core 0.18 this tokenizer has an end of text beside the tokens that it is given.
        const bool null = types == std::vector<std::string>{"NullTokenizer"};
        if (!null || (stated + 1) % 8 != 0 || stated == ModelLimits::vocab)
            return stated;
        notes.push_back(
            {Severity::Note,
             "megatron.vocabulary",
             a.where("vocab-size"),
             {"--vocab-size {stated} is taken for {tokens} tokens: NullTokenizer adds an end of text "
              "before core 0.18",
              {{"stated", stated}, {"tokens", stated + 1}}}});
        return stated + 1;
    }
    if (hints.vocabulary > 0)
        return hints.vocabulary;
    if (hints.model != nullptr)
        return hints.model->vocab;
    std::int64_t tokens = tokensOf(kModels, a.mentioned("tokenizer-model"));
    if (tokens == 0)
        tokens = tokensOf(kTypes, types);
    if (tokens == 0 && types.empty() && !a.mentioned("merge-file").empty())
        tokens = kTypes.front().tokens; // byte pairs are GPT-2's
    const std::int64_t padded = paddedRows(a);
    if (padded > 0 && (tokens == 0 || tokens > padded || padded - tokens >= megatronVocabularyMultiple(a))) {
        notes.push_back({Severity::Note,
                         "megatron.vocabulary",
                         a.faults().file(),
                         {"--vocab-size is missing: the {rows} rows of padded_vocab_size are taken",
                          {{"rows", padded}}}});
        return padded;
    }
    if (tokens == 0) {
        a.faults().add(
            "megatron.missing", a.faults().file(),
            "--vocab-size is missing, and no tokenizer is named whose vocabulary is known{?; state "
            "it with --vocabulary}");
        return 1;
    }
    notes.push_back(
        {Severity::Warning,
         "megatron.vocabulary",
         a.faults().file(),
         {"--vocab-size is missing: the {tokens} tokens of the named tokenizer are assumed{?; state "
          "others with --vocabulary}",
          {{"tokens", tokens}}}});
    return tokens;
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/framework_text.h"

#include "core/base/text.h"
#include "core/calibrate/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace pw {

namespace {

constexpr double kMiB = 1024.0 * 1024.0;

// What a word in a framework's name stands for, by the framework's documented defaults. Rows that come later
// are more special and win; an empty entry leaves what is there.
struct Trait {
    std::string_view word; // or its beginning
    int before = 0;        // counts for what was published before this month only; 0 = always
    std::optional<Launch> kernels = {};
    std::optional<Choice> overlapGradients = {}, overlapGather = {}, gradFp32 = {}, perTensor = {},
                          overlapTensorBackward = {}, overlapTransfers = {}, fusedAttention = {},
                          fusedLoss = {};
    std::optional<double> bucketBytes = {};
    std::optional<int> zero = {};
    std::optional<bool> sequenceParallel = {}, padsVocabulary = {};
};

constexpr Trait kTraits[] = {
    // PyTorch and what is written on it without kernels of its own; DDP reduces in buckets of 25 MiB.
    {.word = "pytorch", .kernels = Launch::Eager, .overlapGradients = Choice::On, .bucketBytes = 25 * kMiB},
    {.word = "ddp", .kernels = Launch::Eager, .overlapGradients = Choice::On, .bucketBytes = 25 * kMiB},
    {.word = "huggingface", .kernels = Launch::Eager, .overlapGradients = Choice::On},
    {.word = "transformers", .kernels = Launch::Eager, .overlapGradients = Choice::On},
    {.word = "accelerate", .kernels = Launch::Eager, .overlapGradients = Choice::On},
    {.word = "lightning", .kernels = Launch::Eager, .overlapGradients = Choice::On},
    {.word = "litgpt", .kernels = Launch::Eager, .overlapGradients = Choice::On},
    {.word = "colossal", .kernels = Launch::Fused, .overlapGradients = Choice::On, .gradFp32 = Choice::Off},
    // Megatron-LM: hand-fused kernels, gradients reduced after the last backward.
    {.word = "megatron",
     .kernels = Launch::Fused,
     .overlapGradients = Choice::Off,
     .gradFp32 = Choice::Auto,
     .overlapTensorBackward = Choice::On,
     .overlapTransfers = Choice::Off, // sends and receives are waited for in pairs
     .fusedAttention = Choice::Off,   // an option, off unless asked for
     .bucketBytes = 0.0,
     .padsVocabulary = true},
    // All-reduces behind weight gradients came with its asynchronous linear layers of autumn 2021.
    {.word = "megatron", .before = 202111, .overlapTensorBackward = Choice::Off},
    {.word = "flashflex", .kernels = Launch::Fused, .overlapGradients = Choice::Off},
    {.word = "hexiscale", .kernels = Launch::Fused, .overlapGradients = Choice::Off},
    // Recipes of NeMo and Primus switch the overlap of Megatron-Core on.
    {.word = "nemo",
     .kernels = Launch::Fused,
     .overlapGradients = Choice::On,
     .gradFp32 = Choice::On,
     .fusedAttention = Choice::Auto,
     .padsVocabulary = true},
    {.word = "primus", .overlapGradients = Choice::On, .fusedAttention = Choice::Auto},
    // DeepSpeed accumulates and reduces in the training precision, in buckets of 5e8 elements.
    {.word = "deepspeed",
     .kernels = Launch::Fused,
     .overlapGradients = Choice::Auto,
     .gradFp32 = Choice::Off,
     .perTensor = Choice::On,
     .overlapTensorBackward = Choice::Off,
     .bucketBytes = 1e9},
    {.word = "neox", .kernels = Launch::Fused, .gradFp32 = Choice::Off, .bucketBytes = 1e9},
    // FSDP and its users gather and reduce layer by layer; Composer reduces in bf16, torchtitan in fp32.
    {.word = "fsdp",
     .overlapGradients = Choice::On,
     .overlapGather = Choice::On,
     .gradFp32 = Choice::Off,
     .bucketBytes = 0.0,
     .zero = 3},
    {.word = "fairscale",
     .kernels = Launch::Eager,
     .overlapGradients = Choice::On,
     .overlapGather = Choice::On,
     .zero = 3},
    {.word = "composer",
     .kernels = Launch::Eager,
     .overlapGradients = Choice::On,
     .overlapGather = Choice::On,
     .fusedLoss = Choice::On},
    {.word = "torchtitan",
     .kernels = Launch::Eager,
     .overlapGradients = Choice::On,
     .overlapGather = Choice::On,
     .gradFp32 = Choice::On,
     .zero = 3,
     .sequenceParallel = true},
    {.word = "internevo",
     .kernels = Launch::Fused,
     .overlapGradients = Choice::On,
     .overlapGather = Choice::On,
     .gradFp32 = Choice::Off,
     .perTensor = Choice::On,
     .overlapTensorBackward = Choice::Off,
     .bucketBytes = 512 * kMiB,
     .zero = 1},
    {.word = "oneflow", .kernels = Launch::Compiled, .overlapGradients = Choice::On, .gradFp32 = Choice::Off},
    {.word = "libai", .kernels = Launch::Compiled, .overlapGradients = Choice::On, .gradFp32 = Choice::Off},
    // Compilers.
    {.word = "alpa", .kernels = Launch::Compiled, .overlapGradients = Choice::Off, .gradFp32 = Choice::Off},
    {.word = "parax", .kernels = Launch::Compiled, .overlapGradients = Choice::Off, .gradFp32 = Choice::Off},
    {.word = "jax", .kernels = Launch::Compiled},
    {.word = "maxtext", .kernels = Launch::Compiled, .overlapGradients = Choice::On, .zero = 3},
    {.word = "xla", .kernels = Launch::Compiled},
    {.word = "eager", .kernels = Launch::Eager},
    {.word = "thunder", .kernels = Launch::Compiled},
    {.word = "compile", .kernels = Launch::Compiled},
    {.word = "torchcompile", .kernels = Launch::Compiled},
    {.word = "inductor", .kernels = Launch::Compiled},
};

bool anyStartsWith(const std::vector<std::string>& words, std::string_view beginning) {
    return std::any_of(words.begin(), words.end(),
                       [&](const std::string& word) { return word.starts_with(beginning); });
}

template <class T>
void take(T& field, const std::optional<T>& value) {
    if (value)
        field = *value;
}

void apply(const Trait& trait, FrameworkText& found) {
    take(found.software.kernels, trait.kernels);
    take(found.software.overlapGradients, trait.overlapGradients);
    take(found.software.overlapGather, trait.overlapGather);
    take(found.software.gradFp32, trait.gradFp32);
    take(found.software.fusedAttention, trait.fusedAttention);
    take(found.software.fusedLoss, trait.fusedLoss);
    take(found.software.perTensor, trait.perTensor);
    take(found.software.overlapTensorBackward, trait.overlapTensorBackward);
    take(found.software.overlapTransfers, trait.overlapTransfers);
    take(found.software.bucketBytes, trait.bucketBytes);
    take(found.zero, trait.zero);
    take(found.sequenceParallel, trait.sequenceParallel);
    take(found.padsVocabulary, trait.padsVocabulary);
}

} // namespace

int monthOfPublication(std::string_view reference) {
    const std::string text = lowered(reference);
    const std::size_t at = text.find("arxiv");
    if (at == std::string::npos)
        return 0;
    // Four digits, a point, and four or five digits: year and month of the first version.
    for (std::size_t i = at; i + 5 < text.size(); ++i) {
        const auto number = wholeNumber(std::string_view(text).substr(i, 4));
        if (number && text[i + 4] == '.' && wholeNumber(std::string_view(text).substr(i + 5, 1)))
            return *number % 100 >= 1 && *number % 100 <= 12 ? 200'000 + *number : 0;
    }
    return 0;
}

FrameworkText parseFramework(std::string_view name, std::string_view notes, int month) {
    FrameworkText found;
    const std::vector<std::string> words = wordsOf(name);
    bool known = false;
    for (const Trait& trait : kTraits)
        if (anyStartsWith(words, trait.word) && (trait.before == 0 || (month > 0 && month < trait.before))) {
            apply(trait, found);
            known = true;
        }
    if (!known)
        found.assumptions.push_back(
            words.empty() ? "framework not stated, usual capabilities taken"
                          : fmt::format("framework \"{}\" unknown, usual capabilities taken", name));
    const std::string remarks = lowered(notes);
    const bool compiled = anyStartsWith(wordsOf(notes), "compile");
    if (compiled && !contains(remarks, "no compile") && !contains(remarks, "without compile"))
        found.software.kernels = Launch::Compiled;
    if (contains(remarks, "async tp") || contains(remarks, "asynctp"))
        found.software.overlapTensor = Choice::On;
    if (contains(remarks, "no overlap of gradient") || contains(remarks, "no gradient overlap"))
        found.software.overlapGradients = Choice::Off;
    return found;
}

} // namespace pw

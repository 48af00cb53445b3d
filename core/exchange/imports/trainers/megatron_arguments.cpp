// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/trainers/megatron_arguments.h"

#include "core/formats/shell_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace pw {

namespace {

const std::set<std::string>& valueFlags() {
    static const std::set<std::string> flags = {"num-layers",
                                                "hidden-size",
                                                "ffn-hidden-size",
                                                "num-attention-heads",
                                                "kv-channels",
                                                "num-query-groups",
                                                "seq-length",
                                                "max-position-embeddings",
                                                "vocab-size",
                                                "make-vocab-size-divisible-by",
                                                "num-experts",
                                                "moe-router-topk",
                                                "moe-ffn-hidden-size",
                                                "moe-shared-expert-intermediate-size",
                                                "moe-layer-freq",
                                                "q-lora-rank",
                                                "kv-lora-rank",
                                                "qk-head-dim",
                                                "qk-pos-emb-head-dim",
                                                "v-head-dim",
                                                "mtp-num-layers",
                                                "rotary-base",
                                                "rotary-percent",
                                                "rotary-scaling-factor",
                                                "rotary-seq-len-interpolation-factor",
                                                "rope-scaling-factor",
                                                "no-rope-freq",
                                                "window-size",
                                                "window-attn-skip-freq",
                                                "softmax-type",
                                                "norm-epsilon",
                                                "moe-router-num-groups",
                                                "moe-router-group-topk",
                                                "moe-router-topk-scaling-factor",
                                                "multiple-of",
                                                "hidden-dim-multiplier",
                                                "glu-linear-offset",
                                                "activation-func-clamp-value",
                                                "normalization",
                                                "position-embedding-type",
                                                "spec",
                                                "hybrid-layer-pattern",
                                                "hybrid-override-pattern",
                                                "hybrid-attention-ratio",
                                                "hybrid-mlp-ratio",
                                                "mtp-hybrid-override-pattern",
                                                "heterogeneous-layers-config-path",
                                                "heterogeneous-layers-config-encoded-json",
                                                "experimental-attention-variant",
                                                "linear-attention-freq",
                                                "moe-latent-size",
                                                "language-model-type",
                                                "vision-model-type",
                                                "sound-model-type",
                                                "tensor-model-parallel-size",
                                                "pipeline-model-parallel-size",
                                                "context-parallel-size",
                                                "expert-model-parallel-size",
                                                "pipeline-model-parallel-layout",
                                                "num-layers-per-virtual-pipeline-stage",
                                                "num-virtual-stages-per-pipeline-rank",
                                                "decoder-first-pipeline-num-layers",
                                                "decoder-last-pipeline-num-layers",
                                                "micro-batch-size",
                                                "global-batch-size",
                                                "recompute-granularity",
                                                "recompute-method",
                                                "recompute-num-layers",
                                                "optimizer",
                                                "fp8-format"};
    return flags;
}

const std::set<std::string>& bareFlags() {
    static const std::set<std::string> flags = {"group-query-attention",
                                                "swiglu",
                                                "quick-geglu",
                                                "squared-relu",
                                                "use-rope-scaling",
                                                "enable-gpt-oss",
                                                "attention-output-gate",
                                                "is-hybrid-model",
                                                "freeze-LM",
                                                "freeze-ViT",
                                                "disable-vision-class-token",
                                                "allow-missing-vision-projection-checkpoint",
                                                "untie-embeddings-and-output-weights",
                                                "disable-bias-linear",
                                                "add-qkv-bias",
                                                "qk-layernorm",
                                                "use-rotary-position-embeddings",
                                                "multi-latent-attention",
                                                "moe-router-enable-expert-bias",
                                                "moe-shared-expert-gate",
                                                "sequence-parallel",
                                                "use-distributed-optimizer",
                                                "use-tp-pp-dp-mapping",
                                                "account-for-embedding-in-pipeline-split",
                                                "account-for-loss-in-pipeline-split",
                                                "bf16",
                                                "fp16"};
    return flags;
}

std::string hyphened(std::string_view name) {
    std::string flag(name);
    std::replace(flag.begin(), flag.end(), '_', '-');
    return flag;
}

// "  hidden_size ..................................... 4096" of the trainer's log.
bool takeDumpLine(const TextLine& line, MegatronArguments& found) {
    const std::vector<std::string_view> f = fieldsOf(line.text);
    const auto dots = std::find_if(f.begin(), f.end(), [](std::string_view word) {
        return word.size() >= 3 && word.find_first_not_of('.') == std::string_view::npos;
    });
    if (dots == f.end() || dots == f.begin() || dots + 1 == f.end())
        return false;
    const std::string flag = hyphened(*(dots - 1));
    std::string value(*(dots + 1));
    if (value.starts_with('[') || value.starts_with('(')) // lists have blanks
        for (auto word = dots + 2; word != f.end(); ++word)
            value += *word;
    if (MegatronArguments::isHint(flag)) {
        found.mention(flag, value);
    } else if (MegatronArguments::takesValue(flag)) {
        if (value != "None")
            found.put(flag, value, found.faults().where(line.number));
    } else if (MegatronArguments::isKnown(flag) && value == "True") {
        found.put(flag, "", found.faults().where(line.number));
    }
    return true;
}

// Bash divides what comes out of a variable or an array at spaces: "--seq-length 8192" is two words. What the
// script does not define in it may be any of its values.
std::vector<ShellWord> divided(const std::vector<ShellWord>& words) {
    std::vector<ShellWord> list;
    for (const ShellWord& word : words) {
        const std::vector<std::string_view> parts = fieldsOf(word.text);
        if (parts.size() < 2 || !parts.front().starts_with("--")) {
            list.push_back(word);
            continue;
        }
        for (std::size_t i = 0; i < parts.size(); ++i) {
            list.push_back({std::string(parts[i]), word.line, {}, false});
            const bool valueGone = i + 1 == parts.size() || parts[i + 1].starts_with("--");
            if (!word.open.empty() && parts[i].starts_with("--") && valueGone)
                list.push_back({{}, word.line, word.open, false});
        }
    }
    return list;
}

void takeWords(const ShellScript& script, MegatronArguments& found) {
    const std::vector<ShellWord> words = divided(script.words);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const ShellWord& word = words[i];
        if (word.text.ends_with(".py"))
            found.mention("program", word.text);
        if (word.ends || !word.text.starts_with("--"))
            continue;
        const std::size_t equals = word.text.find('=');
        const std::string flag = hyphened(
            std::string_view(word.text).substr(2, equals == std::string::npos ? equals : equals - 2));
        const std::string where = found.faults().where(word.line);
        if (MegatronArguments::isHint(flag)) {
            if (equals != std::string::npos)
                found.mention(flag, word.text.substr(equals + 1));
            else if (i + 1 < words.size() && !words[i + 1].ends)
                found.mention(flag, words[i + 1].text);
            continue;
        }
        if (!MegatronArguments::takesValue(flag)) {
            if (MegatronArguments::isKnown(flag))
                found.put(flag, "", where);
            continue;
        }
        const bool joined = equals != std::string::npos;
        const ShellWord* value = joined ? &word : i + 1 < words.size() ? &words[i + 1] : nullptr;
        if (value == nullptr || value->ends || (!joined && value->text.starts_with("--"))) {
            found.faults().add("megatron.value", where, {"--{flag} has no value", {{"flag", flag}}});
        } else if (!value->open.empty()) {
            found.faults().add("megatron.variable", where,
                               {"--{flag} takes {open}, which the script does not define; write the value",
                                {{"flag", flag}, {"open", value->open}}});
            ++i;
        } else {
            found.put(flag, joined ? word.text.substr(equals + 1) : value->text, where);
            i += joined ? 0 : 1;
        }
    }
}

} // namespace

void takeLaunchHosts(const ShellScript& script, TrainerPlan& plan) {
    for (const TextLine& comment : script.comments) {
        const std::vector<std::string_view> f = fieldsOf(comment.text);
        if (f.size() != 4 || f[0] != "node" || f[1] != fmt::format("{}:", plan.hosts.size()))
            continue;
        TrainerHost host{std::string(f[2]), {}, {}};
        for (const std::string_view slot : partsOf(f[3], ','))
            if (const std::optional<std::int64_t> n = integerNumber(slot); n && *n >= 0 && *n < 1024)
                host.gpus.push_back(static_cast<int>(*n));
            else
                return;
        plan.hosts.push_back(std::move(host));
    }
}

bool MegatronArguments::isKnown(const std::string& flag) {
    return valueFlags().contains(flag) || bareFlags().contains(flag) || unmodelled().contains(flag);
}

bool MegatronArguments::isHint(const std::string& flag) {
    return flag == "tokenizer-type" || flag == "tokenizer-model" || flag == "merge-file" ||
           flag == "padded-vocab-size";
}

const std::set<std::string>& MegatronArguments::unmodelled() {
    static const std::set<std::string> flags = {"rampup-batch-size",
                                                "use-torch-fsdp2",
                                                "use-megatron-fsdp",
                                                "use-custom-fsdp",
                                                "cpu-offloading",
                                                "optimizer-cpu-offload",
                                                "fine-grained-activation-offloading"};
    return flags;
}

bool MegatronArguments::takesValue(const std::string& flag) {
    return valueFlags().contains(flag);
}

void MegatronArguments::put(const std::string& flag, std::string value, const std::string& where) {
    const auto [first, isNew] = m_values.emplace(flag, Value{value, where});
    if (!isNew && first->second.text != value)
        m_faults.add("megatron.twice", where,
                     {"--{flag} is {value}, in {line} it was {other}",
                      {{"flag", flag},
                       {"value", value},
                       {"line", first->second.where},
                       {"other", first->second.text}}});
}

std::int64_t MegatronArguments::count(const std::string& flag, std::int64_t low, std::int64_t high,
                                      std::int64_t fallback) {
    const auto found = m_values.find(flag);
    if (found == m_values.end())
        return fallback;
    const std::optional<std::int64_t> value = integerNumber(found->second.text);
    if (value && *value >= low && *value <= high)
        return *value;
    m_faults.add("megatron.count", found->second.where,
                 {"--{flag} is \"{text}\"; expected a whole number from {low} to {high}",
                  {{"flag", flag}, {"text", found->second.text}, {"low", low}, {"high", high}}});
    return fallback;
}

double MegatronArguments::number(const std::string& flag, double low, double high, double fallback) {
    const auto found = m_values.find(flag);
    if (found == m_values.end())
        return fallback;
    const std::optional<double> value = finiteNumber(found->second.text);
    if (value && *value >= low && *value <= high)
        return *value;
    m_faults.add("megatron.count", found->second.where,
                 {"--{flag} is \"{text}\"; expected a number from {low} to {high}",
                  {{"flag", flag}, {"text", found->second.text}, {"low", low}, {"high", high}}});
    return fallback;
}

std::int64_t MegatronArguments::need(const std::string& flag, std::int64_t low, std::int64_t high) {
    if (!has(flag))
        m_faults.add("megatron.missing", m_faults.file(), {"--{flag} is missing", {{"flag", flag}}});
    return count(flag, low, high, low);
}

std::string MegatronArguments::word(const std::string& flag, const std::string& fallback) const {
    const auto found = m_values.find(flag);
    return found == m_values.end() ? fallback : found->second.text;
}

std::string MegatronArguments::where(const std::string& flag) const {
    const auto found = m_values.find(flag);
    return found == m_values.end() ? m_faults.file() : found->second.where;
}

Result<MegatronArguments> readMegatronArguments(std::string_view text, const std::string& file,
                                                TrainerPlan& plan) {
    MegatronArguments found(file);
    const std::vector<TextLine> lines = linesOf(text);
    bool dump = false;
    for (const TextLine& line : lines)
        if (line.text.find("....") != std::string_view::npos)
            dump = takeDumpLine(line, found) || dump;
    if (dump)
        return found;
    const Result<ShellScript> script = readShell(text, file);
    if (!script)
        return script.error();
    takeWords(*script, found);
    takeLaunchHosts(*script, plan);
    return found;
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/trainers/megatron_arguments.h"

#include <algorithm>
#include <array>

// What arguments say of a model beside its sizes (core 0.12 to 0.19, megatron/training/arguments.py).

namespace pw {

namespace {

constexpr const char* kUnsupported = "megatron.unsupported";

constexpr std::array kOtherLayers = {"hybrid-layer-pattern",        "hybrid-override-pattern",
                                     "hybrid-attention-ratio",      "hybrid-mlp-ratio",
                                     "mtp-hybrid-override-pattern", "is-hybrid-model"};
constexpr std::array kOtherSizes = {"heterogeneous-layers-config-path",
                                    "heterogeneous-layers-config-encoded-json"};
constexpr std::array kOtherAttention = {"experimental-attention-variant", "linear-attention-freq"};
constexpr std::array kOtherPrograms = {"pretrain_mamba.py", "pretrain_hybrid.py", "pretrain_bert.py",
                                       "pretrain_t5.py",    "pretrain_retro.py",  "pretrain_ict.py"};
// Of the vision and sound models beside the language model (examples/multimodal/multimodal_args.py).
constexpr std::array kBeside = {"vision-model-type",
                                "sound-model-type",
                                "language-model-type",
                                "freeze-LM",
                                "freeze-ViT",
                                "disable-vision-class-token",
                                "allow-missing-vision-projection-checkpoint"};

// Given, and not as the number that stands for nothing in the trainer's own log.
bool given(const MegatronArguments& a, const char* flag) {
    return a.has(flag) && finiteNumber(a.word(flag, "")) != std::optional<double>(0.0);
}

void refuseSpecs(MegatronArguments& a, Diagnostics& notes) {
    const std::string spec = a.word("spec", "");
    const auto names = [&](const char* part) { return lowered(spec).find(part) != std::string::npos; };
    if (names("mamba") || names("hybrid"))
        a.faults().add(
            kUnsupported, a.where("spec"),
            {"--spec is {spec}: layers other than attention and an MLP cannot be planned", {{"spec", spec}}});
    else if (!spec.empty() && spec != "local" && !names("gpt_layer_specs"))
        notes.push_back({Severity::Warning,
                         "megatron.unmodelled",
                         a.where("spec"),
                         {"--spec is {spec}, which is not read; the figures are those of the stated sizes",
                          {{"spec", spec}}}});
}

// Numbers of "127,0", which the log shows as (127, 0).
std::vector<std::optional<std::int64_t>> pairOf(std::string text) {
    std::erase_if(text, [](char c) { return c == '(' || c == ')' || c == '[' || c == ']'; });
    std::vector<std::optional<std::int64_t>> numbers;
    for (const std::string_view part : partsOf(text, ','))
        numbers.push_back(integerNumber(trimmed(part)));
    return numbers;
}

} // namespace

void refuseOtherModels(MegatronArguments& a, Diagnostics& notes) {
    for (const char* flag : kOtherLayers)
        if (given(a, flag))
            a.faults().add(
                kUnsupported, a.where(flag),
                {"--{flag} puts layers other than attention and an MLP into the model, which cannot "
                 "be planned",
                 {{"flag", flag}}});
    for (const char* flag : kOtherSizes)
        if (a.has(flag))
            a.faults().add(
                kUnsupported, a.where(flag),
                {"--{flag} gives every layer sizes of its own, which are not read", {{"flag", flag}}});
    for (const char* flag : kOtherAttention)
        if (a.has(flag))
            a.faults().add(kUnsupported, a.where(flag),
                           {"--{flag} changes attention, and its sizes are not read; take the model's "
                            "config.json",
                            {{"flag", flag}}});
    if (a.has("moe-latent-size"))
        a.faults().add(
            kUnsupported, a.where("moe-latent-size"),
            "--moe-latent-size has experts of a width that is not the model's, which have no price");
    for (const std::string& program : a.mentioned("program"))
        for (const char* other : kOtherPrograms)
            if (program.ends_with(other))
                a.faults().add(kUnsupported, a.faults().file(),
                               {"{program} trains a model that is no decoder of attention and MLPs",
                                {{"program", other}}});
    refuseSpecs(a, notes);
    const auto* beside = std::find_if(kBeside.begin(), kBeside.end(), [&](auto flag) { return a.has(flag); });
    if (beside != kBeside.end())
        notes.push_back({Severity::Warning,
                         "megatron.language_part",
                         a.where(*beside),
                         {"--{flag} is of a model that also reads images or sound; the figures are those of "
                          "its language model alone",
                          {{"flag", *beside}}}});
}

std::vector<bool> megatronPattern(MegatronArguments& a, const std::string& flag, std::int64_t blocks) {
    const std::string text = a.word(flag, "");
    std::vector<bool> list;
    const auto fault = [&] {
        a.faults().add(
            "megatron.pattern", a.where(flag),
            {"--{flag} is \"{text}\"; expected a number, or a list as in ([0]*3+[1]*{blocks}) that "
             "comes to {other} layers",
             {{"flag", flag}, {"text", text}, {"blocks", blocks - 3}, {"other", blocks}}});
        return std::vector<bool>{};
    };
    const auto timesOf = [&](std::string_view factor) -> std::int64_t {
        factor = trimmed(factor);
        if (factor.empty())
            return 1;
        const std::optional<std::int64_t> n =
            factor.front() == '*' ? integerNumber(trimmed(factor.substr(1))) : std::nullopt;
        return n && *n >= 0 && *n <= blocks ? *n : -1;
    };
    std::string_view rest = trimmed(text);
    std::int64_t all = 1;
    if (rest.starts_with('(') && rest.find(')') != std::string_view::npos) {
        const std::size_t close = rest.rfind(')');
        all = timesOf(rest.substr(close + 1));
        rest = rest.substr(1, close - 1);
    }
    if (all < 0)
        return fault();
    for (const std::string_view part : partsOf(rest, '+')) {
        const std::string_view term = trimmed(part);
        const std::size_t close = term.find(']');
        const std::int64_t times = close == std::string_view::npos ? -1 : timesOf(term.substr(close + 1));
        if (!term.starts_with('[') || times < 0)
            return fault();
        const std::vector<std::string_view> entries = partsOf(term.substr(1, close - 1), ',');
        for (std::int64_t k = 0; k < times; ++k)
            for (const std::string_view entry : entries) {
                const std::string_view value = trimmed(entry);
                if ((value != "0" && value != "1") || std::ssize(list) >= blocks)
                    return fault();
                list.push_back(value == "1");
            }
    }
    if (all == 0 || std::ssize(list) * all != blocks)
        return fault();
    const std::vector<bool> once = list;
    for (std::int64_t k = 1; k < all; ++k)
        list.insert(list.end(), once.begin(), once.end());
    return list;
}

void readMegatronWindows(MegatronArguments& a, Model& m) {
    if (!a.has("window-size"))
        return;
    const auto sizes = pairOf(a.word("window-size", ""));
    const auto left = sizes.size() == 2 && sizes[1] ? sizes[0] : std::nullopt; // tokens
    if (!left || *left < -1 || *left >= ModelLimits::positions) {
        a.faults().add(
            "megatron.value", a.where("window-size"),
            {"--window-size is \"{text}\"; expected the tokens to the left and to the right, as in "
             "127,0",
             {{"text", a.word("window-size", "")}}});
        return;
    }
    if (*left < 0) // all of them
        return;
    std::vector<bool> local(static_cast<std::size_t>(m.blocks), true);
    if (const auto step = integerNumber(a.word("window-attn-skip-freq", ""))) {
        for (std::size_t b = 0; *step > 0 && b < local.size(); ++b)
            local[b] = static_cast<std::int64_t>(b + 1) % *step != 0;
    } else if (a.has("window-attn-skip-freq")) {
        local = megatronPattern(a, "window-attn-skip-freq", m.blocks);
    }
    for (const bool is : local)
        m.window.push_back(is ? *left + 1 : 0);
}

void readMegatronPositions(MegatronArguments& a, Model& m) {
    const std::string type =
        a.has("use-rotary-position-embeddings") ? std::string("rope") : a.word("position-embedding-type", "");
    if (type == "relative")
        a.faults().add(
            kUnsupported, a.where("position-embedding-type"),
            "--position-embedding-type relative is of encoders and decoders, which cannot be planned");
    if (m.learnedPositions > 0)
        return;
    RotaryScaling& s = m.rotaryScaling;
    const double factor = a.number("rotary-scaling-factor", 0.0, ModelLimits::rotaryFactor, 0.0);
    if (a.has("enable-gpt-oss")) // megatron/post_training/model_builder.py:298
        s = {"yarn", 32.0, 0, 0.0, 0.0};
    else if (a.has("use-rope-scaling"))
        s = {"llama3", a.number("rope-scaling-factor", 0.0, ModelLimits::rotaryFactor, 8.0), 0, 0.0, 0.0};
    else if (a.number("rotary-seq-len-interpolation-factor", 0.0, ModelLimits::rotaryFactor, 1.0) > 1.0)
        s = {"linear", a.number("rotary-seq-len-interpolation-factor", 0.0, ModelLimits::rotaryFactor, 1.0),
             0, 0.0, 0.0};
    else if (type == "yarn" || (hasLatentAttention(m) && factor > 1.0))
        s = {"yarn", factor, 0, 0.0, 0.0};
}

void readMegatronFormulas(MegatronArguments& a, Model& m, Diagnostics& notes) {
    const std::string softmax = a.word("softmax-type", "vanilla");
    m.parts.sinks = softmax == "learnable";
    if (a.has("attention-output-gate"))
        m.parts.outputGate = OutputGate::Width;
    const auto own = [&](bool is, const char* flag) {
        if (!is)
            return;
        m.ownFormulas = true;
        notes.push_back(
            {Severity::Warning,
             "megatron.formulas",
             a.where(flag),
             {"--{flag} is a formula that the model's sizes do not say: prices hardly feel it, and "
              "exports, which could not say it either, refuse the model",
              {{"flag", flag}}}});
    };
    own(a.has("squared-relu"), "squared-relu");
    own(a.has("quick-geglu"), "quick-geglu");
    own(given(a, "glu-linear-offset"), "glu-linear-offset");
    own(a.has("activation-func-clamp-value"), "activation-func-clamp-value");
    own(a.word("position-embedding-type", "") == "none", "position-embedding-type");
    own(a.number("rotary-percent", 0.0, 1.0, 1.0) < 1.0 && m.learnedPositions == 0, "rotary-percent");
    own(given(a, "no-rope-freq"), "no-rope-freq");
    own(softmax == "off-by-one", "softmax-type");
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/training_text.h"

#include "core/calibrate/unsupported.h"
#include "core/calibrate/words.h"

#include <array>

namespace pw {

namespace {

std::string joined(const std::vector<std::string>& words) {
    std::string all;
    for (const std::string& word : words)
        all += word;
    return all;
}

// The text before its first parenthesis, unless that says nothing: remarks qualify, they do not decide.
std::string_view decisive(std::string_view text) {
    const std::size_t remark = text.find('(');
    return remark != std::string_view::npos && remark > 0 ? text.substr(0, remark) : text;
}

bool saysNothing(const std::vector<std::string>& words) {
    return words.empty() || hasAnyWord(words, {"unstated", "unknown", "stated"});
}

} // namespace

Result<Precision> parsePrecision(std::string_view text) {
    const std::string word = joined(wordsOf(decisive(text)));
    // Four-bit products are a way to scale operands (takeStated); everything else of such a run is as in fp8.
    struct Row {
        const char* part;
        Precision precision;
    };
    constexpr std::array rows = {
        Row{"fp8", Precision::Fp8},       Row{"float8", Precision::Fp8},   Row{"bf16", Precision::Bf16},
        Row{"bfloat16", Precision::Bf16}, Row{"fp16", Precision::Fp16},    Row{"float16", Precision::Fp16},
        Row{"half", Precision::Fp16},     Row{"tf32", Precision::Tf32},    Row{"fp32", Precision::Fp32},
        Row{"float32", Precision::Fp32},  Row{"16mixed", Precision::Fp16}, Row{"fp4", Precision::Fp8},
    };
    for (const Row& row : rows)
        if (contains(word, row.part))
            return row.precision;
    if (word.empty() || word == "o1" || word == "o2" || contains(word, "apex") || contains(word, "mixed") ||
        contains(word, "amp") || contains(word, "unstated") || contains(word, "unknown"))
        return Precision::Auto;
    return unsupported("precision", {"\"{text}\" is not understood", {{"text", text}}});
}

RecomputeText parseRecompute(std::string_view text) {
    RecomputeText found;
    std::vector<std::string> words = wordsOf(decisive(text));
    // "none stated", "unstated": nothing is said about it, though a remark may.
    if (saysNothing(words))
        words = wordsOf(text);
    const std::string all = joined(words);
    const bool remarkOnly = saysNothing(words);
    found.stated = !remarkOnly;
    if (contains(all, "selective") || contains(all, "partial") || contains(all, "attention") ||
        contains(all, "attn")) {
        found.mode = Recompute::Selective;
        found.everyOther = hasAnyWord(words, {"layer", "layers", "block", "blocks"});
    } else if (contains(all, "full") || contains(all, "remat") || contains(all, "uniform") ||
               contains(all, "block") || contains(all, "checkpoint") || contains(all, "firstn") ||
               hasAnyWord(words, {"on", "yes", "true", "all", "1", "ac"})) {
        found.mode = Recompute::Full;
        // "full, block, 12 layers": the first so many blocks of a stage.
        if (hasAnyWord(words, {"block", "first"}))
            for (std::size_t i = 1; i < words.size(); ++i)
                if (words[i].starts_with("layer"))
                    found.layers = wholeNumber(words[i - 1]).value_or(0);
    } else if (!remarkOnly && !hasAnyWord(words, {"none", "no", "off", "false", "0", "without"})) {
        found = {};
        found.unknown = true;
    }
    return found;
}

ShardingText parseSharding(std::string_view text) {
    ShardingText found;
    const std::vector<std::string> words = wordsOf(text);
    const std::string all = joined(words);
    found.overlapped = contains(all, "overlap");
    if (const auto ranks = numberBehind(words, "within"))
        found.ranks = *ranks;
    const bool hybrid = contains(all, "hsdp") || contains(all, "hybrid") || contains(all, "mics");
    found.withinNode = found.ranks == 0 && (hybrid || contains(all, "withinnode"));
    std::optional<int> level = numberBehind(words, "zero");
    if (!level)
        level = numberBehind(words, "stage");
    if (level && *level > 3) {
        found.unknown = true;
        return found;
    }
    if (contains(all, "noshard") || contains(all, "ddp"))
        found.zero = contains(all, "fsddp") ? 3 : 0;
    else if (contains(all, "shardgradop") || contains(all, "reducescatter"))
        found.zero = 2;
    else if (hybrid || contains(all, "fsdp") || contains(all, "fullshard") || contains(all, "fullysharded"))
        found.zero = 3;
    else if (level)
        found.zero = level;
    else if (contains(all, "distributedoptim") || contains(all, "optimizersharding") ||
             contains(all, "distopt"))
        found.zero = 1;
    else if (contains(all, "zeroinfinity") || contains(all, "zeropp"))
        found.zero = 3;
    else if (hasAnyWord(words, {"none", "no", "off", "replicated", "dp"}) && !saysNothing(words))
        found.zero = 0;
    else if (!saysNothing(words))
        found.unknown = true;
    return found;
}

Result<ScheduleText> parseSchedule(std::string_view text) {
    const std::vector<std::string> words = wordsOf(text);
    const std::string all = joined(words);
    if (words.empty() || hasWord(words, "none"))
        return ScheduleText{};
    if (contains(all, "vhalf") || contains(all, "vmin") || contains(all, "dualpipe") ||
        contains(all, "chimera") || contains(all, "zbh2") || contains(all, "bidirectional"))
        return unsupported("schedule", {"\"{text}\" is no schedule that is simulated", {{"text", text}}});
    struct Row {
        const char* part;
        const char* kind;
    };
    constexpr std::array rows = {
        Row{"zbv", "zb-v"},
        Row{"zerobubblev", "zb-v"},
        Row{"zb2p", "zb-2p"},
        Row{"zb1p", "zb-1p"},
        Row{"zbh1", "zb-h1"},
        Row{"zbb", "zb-h1"},
        Row{"zerobubble", "zb-1p"},
        Row{"interleav", "interleaved"},
        Row{"virtual", "interleaved"},
        Row{"looped", "interleaved"},
        Row{"eager", "eager"},
        Row{"h1f1b", "h1f1b"},
        Row{"gpipe", "gpipe"},
        Row{"afab", "gpipe"},
        Row{"allforward", "gpipe"},
        Row{"1f1b", "1f1b"},
        Row{"pipedream", "1f1b"},
        Row{"dapple", "1f1b"},
    };
    if (all.starts_with("1f1bi")) // the zero-bubble paper's "1F1B-I"
        return ScheduleText{true, "interleaved", false};
    for (const Row& row : rows)
        if (contains(all, row.part))
            return ScheduleText{!hasAnyWord(words, {"unstated", "likely"}), row.kind, false};
    return ScheduleText{false, {}, !saysNothing(words)};
}

} // namespace pw

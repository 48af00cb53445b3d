// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/training_log.h"

#include "core/base/text.h"
#include "core/calibrate/score.h"
#include "core/calibrate/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace pw {

namespace {

using LogKind = TrainingLog::Kind;

// A number behind words. The first row of which a log has lines is believed: DeepSpeed's throughput stands
// beside the time that a trainer around it prints.
struct StepWords {
    const char* trainer;
    const char* words;
    double unit;
    LogKind kind;
};
constexpr StepWords kSteps[] = {
    {kListsArguments, "elapsed time per iteration (ms):", 1e-3, LogKind::StepSeconds},
    {"NeMo", "train_step_timing in s=", 1.0, LogKind::StepSeconds},
    {"NeMo", "train_step_timing in s:", 1.0, LogKind::StepSeconds},
    {"NeMo", "train_step_timing in s\":", 1.0, LogKind::StepSeconds},
    {"nanotron", "time_per_iteration_ms:", 1e-3, LogKind::StepSeconds},
    {"DeepSpeed", "iter time (s):", 1.0, LogKind::StepSeconds},
    {"DeepSpeed", "CurrSamplesPerSec=", 1.0, LogKind::SamplesPerSecond},
    {"torchtitan", " tps:", 1.0, LogKind::TokensPerSecondPerGpu},
    {"torchtitan", " wps:", 1.0, LogKind::TokensPerSecondPerGpu},
};

struct PeakWords {
    const char* words;
    const char* unit; // behind the number; "" = what `gib` says
    double gib;
    const char* definition;
};
constexpr double kMebi = 1.0 / 1024.0;
constexpr double kMostCount = 1e15; // of sequences or ranks; what is more is no count
// What was allocated counts before what was reserved: a caching allocator reserves what is free.
constexpr PeakWords kPeaks[] = {
    {"max allocated:", "", kMebi, "max allocated"},    {"Peak allocated ", "MiB", kMebi, "max allocated"},
    {"MaxMemAllocated=", "GB", 1.0, "max allocated"},  {"max reserved:", "", kMebi, "max reserved"},
    {"Peak reserved: ", "MiB", kMebi, "max reserved"}, {" memory:", "GiB(", 1.0, "max reserved"},
};

struct PrintedNumber {
    double value = 0.0;
    std::string_view rest;
};

// "1,234.5", "1.23K": grouped digits, and the K, M and G that nanotron shortens by. Above 0.
std::optional<PrintedNumber> numberAt(std::string_view text) {
    text = text.substr(std::min(text.find_first_not_of(' '), text.size()));
    std::string digits;
    std::size_t end = 0;
    for (; end < text.size(); ++end) {
        const char c = text[end];
        const bool exponent = (c == 'e' || c == 'E') && end > 0;
        const bool sign = (c == '-' || c == '+') && end > 0 && (text[end - 1] == 'e' || text[end - 1] == 'E');
        if (isDigit(c) || c == '.' || exponent || sign)
            digits += c;
        else if (c != ',' || end + 1 >= text.size() || !isDigit(text[end + 1]))
            break;
    }
    PrintedNumber number;
    const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number.value);
    if (error != std::errc() || rest != digits.data() + digits.size())
        return std::nullopt;
    number.rest = text.substr(end);
    const char suffix = number.rest.empty() ? ' ' : number.rest.front();
    const bool whole = number.rest.size() < 2 || !isLetter(number.rest[1]);
    if (whole && suffix == 'K')
        number.value *= 1e3;
    else if (whole && suffix == 'M')
        number.value *= 1e6;
    else if (whole && suffix == 'G')
        number.value *= 1e9;
    if (!std::isfinite(number.value) || number.value <= 0.0)
        return std::nullopt;
    return number;
}

// Without the escape sequences of colours.
std::string plain(std::string_view line) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\x1b' && i + 1 < line.size() && line[i + 1] == '[') {
            i += 2;
            while (i < line.size() && !isLetter(line[i]))
                ++i;
        } else {
            text += line[i];
        }
    }
    return text;
}

// Lines end in either way; progress bars write over theirs. Until `each` returns false.
template <class Each>
void eachLine(std::string_view text, const Each& each) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
        if (end > 0 && !each(plain(text.substr(0, end))))
            return;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

// Behind the words; empty if the line does not have them, or no number there.
std::optional<PrintedNumber> numberAfter(std::string_view line, std::string_view words) {
    const std::size_t at = line.find(words);
    return at == std::string_view::npos ? std::nullopt : numberAt(line.substr(at + words.size()));
}

bool beginsArguments(std::string_view line) {
    return contains(line, "-- arguments --");
}

// "  tensor_model_parallel_size ......... 8", with a launcher's mark in front.
std::optional<std::pair<std::string, std::string>> argumentOf(std::string_view line) {
    const std::size_t dots = line.find(" ...");
    if (dots == std::string_view::npos)
        return std::nullopt;
    const std::string_view front = line.substr(0, dots);
    const std::size_t begin =
        front.find_last_of(" :") == std::string_view::npos ? 0 : front.find_last_of(" :") + 1;
    const std::string_view name = front.substr(begin);
    std::string_view value = line.substr(dots + 1);
    const std::size_t behind = value.find_first_not_of('.');
    if (name.empty() || behind == std::string_view::npos || value[behind] != ' ')
        return std::nullopt;
    value = trimmed(value.substr(behind));
    return std::pair(std::string(name), std::string(value));
}

// "[10, 12, 12, 8]": stages whose first or last one has a number of layers of its own, the others the rest
// evenly. Empty where neither has, or the rest is not even.
std::string unevenEnds(const RunRow& row, std::optional<std::int64_t> first,
                       std::optional<std::int64_t> last) {
    const std::int64_t stages = row.pp.value_or(0);
    const std::int64_t between = stages - (first ? 1 : 0) - (last ? 1 : 0);
    const std::int64_t rest = row.nLayers.value_or(0) - first.value_or(0) - last.value_or(0);
    constexpr std::int64_t kMostStages = 4096; // a list that somebody reads
    const bool even = between > 0 ? rest >= between && rest % between == 0 : between == 0 && rest == 0;
    if ((!first && !last) || stages < 2 || stages > kMostStages || !even)
        return {};
    std::vector<std::int64_t> counts(static_cast<std::size_t>(stages), between > 0 ? rest / between : 0);
    counts.front() = first.value_or(counts.front());
    counts.back() = last.value_or(counts.back());
    return fmt::format("[{}]", fmt::join(counts, ", "));
}

} // namespace

std::string trainerOfLog(std::string_view text) {
    std::string trainer;
    bool listed = false;
    eachLine(text, [&](const std::string& line) {
        listed = listed || beginsArguments(line);
        for (const StepWords& step : kSteps)
            if (trainer.empty() && numberAfter(line, step.words))
                trainer = step.trainer;
        if (trainer.empty() && listed && saysOutOfMemory(line))
            trainer = kListsArguments;
        return trainer.empty();
    });
    return trainer;
}

bool listsArguments(std::string_view text) {
    bool listed = false;
    eachLine(text, [&](const std::string& line) {
        listed = beginsArguments(line);
        return !listed;
    });
    return listed;
}

bool saysOutOfMemory(std::string_view text) {
    return contains(text, "CUDA out of memory") || contains(text, "OutOfMemoryError");
}

TrainingLog scanTrainingLog(std::string_view text) {
    TrainingLog log;
    std::vector<double> steps[std::size(kSteps)];
    std::optional<double> peaks[std::size(kPeaks)];
    bool listing = false;
    eachLine(text, [&](const std::string& line) {
        if (contains(line, "end of arguments --"))
            listing = false;
        else if (beginsArguments(line))
            listing = true;
        if (listing)
            if (auto argument = argumentOf(line))
                log.arguments.push_back(*std::move(argument));
        log.outOfMemory = log.outOfMemory || saysOutOfMemory(line);
        if (const auto batch = numberAfter(line, "global batch size:"))
            log.globalBatch = static_cast<std::int64_t>(std::min(batch->value, kMostCount));
        if (const auto world = numberAfter(line, "using world size:"))
            log.worldSize = static_cast<std::int64_t>(std::min(world->value, kMostCount));
        for (std::size_t i = 0; i < std::size(kSteps); ++i)
            if (const auto number = numberAfter(line, kSteps[i].words))
                steps[i].push_back(number->value * kSteps[i].unit);
        for (std::size_t i = 0; i < std::size(kPeaks); ++i)
            if (const auto number = numberAfter(line, kPeaks[i].words);
                number && number->rest.starts_with(kPeaks[i].unit))
                peaks[i] = std::max(peaks[i].value_or(0.0), number->value * kPeaks[i].gib);
        return true;
    });
    for (std::size_t i = 0; i < std::size(kSteps) && log.steps.empty(); ++i)
        if (!steps[i].empty()) {
            log.trainer = kSteps[i].trainer;
            log.kind = kSteps[i].kind;
            log.steps = std::move(steps[i]);
        }
    for (std::size_t i = 0; i < std::size(kPeaks) && !log.peakGib; ++i)
        if (peaks[i]) {
            log.peakGib = peaks[i];
            log.peakDefinition = kPeaks[i].definition;
        }
    return log;
}

Status checkSteps(const TrainingLog& log, const std::string& file) {
    if (!log.steps.empty() || log.outOfMemory)
        return Ok{};
    if (!log.arguments.empty())
        return badInput("log.steps", file,
                        "the log lists the arguments and no step: the last rank prints those; load its log "
                        "together with this one, or name that one in the column log of a table of runs");
    return badInput("log.steps", file,
                    "no line tells how long a step took, as Megatron-LM, NeMo, torchtitan, DeepSpeed, "
                    "FlagScale or nanotron print it");
}

Result<TrainingLog> readTrainingLog(std::string_view text, const std::string& file) {
    TrainingLog log = scanTrainingLog(text);
    if (Status told = checkSteps(log, file); !told)
        return told.error();
    return log;
}

std::optional<double> steadyStep(const TrainingLog& log) {
    if (log.steps.empty())
        return std::nullopt;
    constexpr std::size_t kWarmUp = 5; // one of so many
    const std::size_t first =
        log.steps.size() == 1 ? 0 : std::max<std::size_t>(1, log.steps.size() / kWarmUp);
    return quantile({log.steps.begin() + static_cast<std::ptrdiff_t>(first), log.steps.end()}, 0.5);
}

Result<RunRow> runOfArguments(const TrainingLog& log, const std::string& file) {
    if (log.arguments.empty() && log.trainer == kListsArguments)
        return badInput("log.arguments", file,
                        "the log lists no arguments: rank 0 prints them; load its log together with this "
                        "one, or name this one in the column log of a table of runs");
    if (log.arguments.empty())
        return badInput("log.arguments", file,
                        "the log lists no arguments; name it in the column log of a table of runs");
    const auto text = [&](std::string_view name) -> std::string {
        for (const auto& [key, value] : log.arguments)
            if (key == name)
                return value == "None" ? "" : value;
        return "";
    };
    const auto count = [&](std::string_view name) -> std::optional<std::int64_t> {
        const auto number = wholeNumber(text(name));
        return number ? std::optional<std::int64_t>(*number) : std::nullopt;
    };
    const auto flag = [&](std::string_view name) -> std::optional<std::int64_t> {
        const std::string value = text(name);
        return value == "True"    ? std::optional<std::int64_t>(1)
               : value == "False" ? std::optional<std::int64_t>(0)
                                  : std::nullopt;
    };
    RunRow row;
    row.rowId = file;
    row.framework = text("transformer_impl") == "transformer_engine" ? kListsCoreArguments : kListsArguments;
    row.quality = "A";
    row.nGpus = count("world_size");
    row.tp = count("tensor_model_parallel_size");
    row.pp = count("pipeline_model_parallel_size");
    row.dp = count("data_parallel_size");
    row.cp = count("context_parallel_size");
    row.ep = count("expert_model_parallel_size");
    row.nLayers = count("num_layers");
    row.hidden = count("hidden_size");
    row.ffnHidden = count("ffn_hidden_size");
    row.nHeads = count("num_attention_heads");
    row.nKvHeads = flag("group_query_attention").value_or(0) > 0 ? count("num_query_groups") : row.nHeads;
    row.vocab = count("padded_vocab_size") ? count("padded_vocab_size") : count("vocab_size");
    row.seqLen = count("seq_length");
    row.gbs = count("global_batch_size");
    row.mbs = count("micro_batch_size");
    row.vpp = text("virtual_pipeline_model_parallel_size");
    row.sp = flag("sequence_parallel");
    row.recompute = text("recompute_granularity").empty() ? "none" : text("recompute_granularity");
    row.distributedOptimizer = flag("use_distributed_optimizer");
    if (flag("use_torch_fsdp2").value_or(0) > 0 ||
        text("data_parallel_sharding_strategy") == "optim_grads_params")
        row.fsdp = 1;
    else if (row.distributedOptimizer)
        row.sharding = *row.distributedOptimizer > 0 ? "distributed optimizer" : "none";
    row.stageLayers = text("pipeline_model_parallel_layout");
    if (row.stageLayers.empty() && row.vpp.empty())
        row.stageLayers = unevenEnds(row, count("decoder_first_pipeline_num_layers"),
                                     count("decoder_last_pipeline_num_layers"));
    row.overlapGradReduce = flag("overlap_grad_reduce");
    row.overlapParamGather = flag("overlap_param_gather");
    row.tpCommOverlap = flag("tp_comm_overlap");
    // Transformer Engine's own attention is fused unless it is told otherwise; the flag is of what stood
    // before.
    if (text("transformer_impl") != "transformer_engine")
        row.flashAttn = flag("use_flash_attn");
    else if (const std::string backend = text("attention_backend");
             contains(backend, "unfused") || contains(backend, "local"))
        row.flashAttn = 0;
    row.nExperts = count("num_experts");
    row.expertsTopK = count("moe_router_topk");
    row.moeFfn = count("moe_ffn_hidden_size");
    const std::string fp8 = text("fp8");
    row.precision = !fp8.empty() && fp8 != "False" ? "fp8 " + text("fp8_recipe")
                    : flag("bf16").value_or(0) > 0 ? "bf16"
                    : flag("fp16").value_or(0) > 0 ? "fp16"
                    : flag("bf16") || flag("fp16") ? "fp32"
                                                   : "";
    row.modelRef = flag("untie_embeddings_and_output_weights").value_or(0) > 0 ? "own head" : "tied head";
    if (const auto gated = flag("swiglu"))
        row.modelRef += *gated > 0 ? ", swiglu" : ", no gate";
    return row;
}

Status takeLog(const TrainingLog& log, const std::string& file, RunRow& row) {
    if (const std::optional<double> step = steadyStep(log); step && !row.iterTimeS) {
        const auto gbs = static_cast<double>(row.gbs.value_or(0));
        const double tokens = gbs * static_cast<double>(row.seqLen.value_or(0));
        const auto gpus = static_cast<double>(row.nGpus.value_or(0));
        const auto lacks = [&](const char* what) {
            return badInput("log.unit", file,
                            {"{trainer} prints a rate; the run has to state {what}",
                             {{"trainer", log.trainer}, {"what", what}}});
        };
        switch (log.kind) {
        case LogKind::StepSeconds:
            row.iterTimeS = *step;
            break;
        case LogKind::SamplesPerSecond:
            if (gbs <= 0.0)
                return lacks("gbs");
            row.iterTimeS = gbs / *step;
            break;
        case LogKind::TokensPerSecondPerGpu:
            if (tokens <= 0.0 || gpus <= 0.0)
                return lacks("gbs, seq_len and n_gpus");
            row.iterTimeS = tokens / (*step * gpus);
            break;
        }
        row.iterTimeBasis = "median of the steps of a log";
    } else if (!step && log.outOfMemory && !row.iterTimeS) {
        row.iterTimeBasis = "OOM";
    }
    if (log.peakGib && !row.peakMemGib) {
        row.peakMemGib = log.peakGib;
        row.memDef = log.peakDefinition;
    }
    if (row.framework.empty())
        row.framework = log.trainer;
    return Ok{};
}

} // namespace pw

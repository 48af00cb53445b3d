// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/trainers/hexiscale_script.h"

#include "core/exchange/imports/trainers/megatron_arguments.h"
#include "core/formats/shell_words.h"

#include <fmt/format.h>

namespace pw {

namespace {

// The numbers behind a flag, up to the next one.
std::vector<std::int64_t> numbersBehind(const ShellScript& script, std::size_t flag, TextFaults& faults) {
    std::vector<std::int64_t> list;
    for (std::size_t i = flag + 1; i < script.words.size(); ++i) {
        const ShellWord& word = script.words[i];
        if (word.ends || word.text.starts_with("--"))
            break;
        const std::optional<std::int64_t> n = word.open.empty() ? integerNumber(word.text) : std::nullopt;
        if (!n || *n < 1 || *n > RecipeLimits::batch) {
            faults.add(
                "hexiscale.value", faults.where(word.line),
                {"{text} takes numbers from 1, not {open}",
                 {{"text", script.words[flag].text}, {"open", word.open.empty() ? word.text : word.open}}});
            break;
        }
        list.push_back(*n);
    }
    if (list.empty() && faults.empty())
        faults.add("hexiscale.value", faults.where(script.words[flag].line),
                   {"{text} has no value", {{"text", script.words[flag].text}}});
    return list;
}

} // namespace

bool recogniseHexiscaleScript(std::string_view text, const std::filesystem::path&) {
    return text.find("--all_hetero_configs_path") != std::string_view::npos ||
           (text.find("--global_bsz_size") != std::string_view::npos &&
            text.find("--chunks") != std::string_view::npos);
}

Result<Imported> importHexiscaleScript(std::string_view text, const std::filesystem::path& path,
                                       const ImportHints&) {
    const Result<ShellScript> script = readShell(text, path.string());
    if (!script)
        return script.error();
    TextFaults faults(path.string());
    TrainerPlan plan;
    plan.recomputed = false;
    takeLaunchHosts(*script, plan);
    for (std::size_t i = 0; i < script->words.size(); ++i) {
        const std::string& flag = script->words[i].text;
        const std::string next =
            i + 1 < script->words.size() && !script->words[i + 1].ends ? script->words[i + 1].text : "";
        if (flag == "--global_bsz_size")
            plan.batches = numbersBehind(*script, i, faults);
        else if (flag == "--chunks")
            plan.chunksOfPipeline = numbersBehind(*script, i, faults);
        else if (flag == "--accum-iter") {
            const std::vector<std::int64_t> rounds = numbersBehind(*script, i, faults);
            plan.rounds = rounds.empty() ? 1 : rounds.front();
        } else if (flag == "--default_dp_type")
            plan.zero = next == "zero3" ? 3 : next == "zero2" ? 2 : 0;
        else if (flag == "--mixed_precision")
            plan.precision = precisionFromName(next);
        else if (flag == "--checkpoint-layers" || flag == "--checkpoint-all")
            plan.recomputed = true;
        else if (flag == "--seq-parallel")
            plan.sequenceParallel = true;
        else if (flag == "--pipeline-type" && (next == "Gpipe" || next == "1F1B"))
            plan.scheduleOfPipelines = next == "1F1B" ? ScheduleKind::OneFOneB : ScheduleKind::GPipe;
        else if (flag == "--pipeline-type")
            faults.add("hexiscale.schedule", faults.where(script->words[i].line),
                       {"--pipeline-type is {next}; Gpipe and 1F1B are known", {{"next", next}}});
    }
    if (faults.empty() && (plan.batches.empty() || plan.chunksOfPipeline.empty()))
        faults.add("hexiscale.missing", path.string(), "states no --global_bsz_size or no --chunks");
    if (Status sound = faults.status(); !sound)
        return sound.error();
    Imported imported;
    imported.kind = "hexiscale-script";
    imported.summary = fmt::format("batches of {} pipelines", plan.batches.size());
    imported.what = std::move(plan);
    return imported;
}

} // namespace pw

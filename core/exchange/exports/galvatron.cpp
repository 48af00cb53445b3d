// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/exporters.h"
#include "core/exchange/exports/launch_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

// Galvatron's strategy file: one entry a transformer block, stages of equal size whose data parallelism
// follows from the tensor parallelism of each block.

namespace pw {

namespace {

// A default for all blocks and ZeRO-3 beside it: what two levels at most can be.
const char* defaultSharding(const Pipeline& pipeline) {
    for (const Stage& stage : pipeline.stages)
        if (stage.dp() > 1 && stage.zero == 2)
            return "zero2";
    return "ddp";
}

bool shardsAll(const Stage& stage) {
    return stage.dp() > 1 && stage.zero == 3;
}

Json galvatronConfiguration(const ExportInput& input) {
    const Pipeline& pipeline = input.plan.pipelines.front();
    std::vector<int> tp, sharded, checkpoint, cp, ep, division, ones, none;
    for (const Stage& stage : pipeline.stages) {
        const int blocks = wholeBlocks(input.problem.model(), stage.chunks.front());
        division.push_back(blocks);
        for (int b = 0; b < blocks; ++b) {
            tp.push_back(stage.tp);
            sharded.push_back(shardsAll(stage) ? 1 : 0);
            checkpoint.push_back(stage.recompute == Recompute::Full &&
                                         (stage.recomputeLayers == 0 || b < stage.recomputeLayers)
                                     ? 1
                                     : 0);
            cp.push_back(stage.cp);
            ep.push_back(stage.ep);
            ones.push_back(1);
            none.push_back(0);
        }
    }
    const auto joined = [](const std::vector<int>& list) { return fmt::format("{}", fmt::join(list, ",")); };
    const int embedding = shardsAll(pipeline.stages.front()) ? 1 : 0;
    Json file = {
        {"pp_deg", pipeline.stages.size()},
        {"tp_sizes_enc", joined(tp)},
        {"tp_consecutive_flags", joined(ones)},
        {"dp_types_enc", joined(sharded)},
        {"use_sp", joined(none)},
        {"checkpoint", joined(checkpoint)},
        {"global_bsz", input.problem.recipe().gbs},
        {"chunks", pipeline.microbatches},
        {"pp_division", joined(division)},
        {"pipeline_type", pipeline.schedule.kind == ScheduleKind::GPipe ? "gpipe" : "pipedream_flush"},
        {"default_dp_type", defaultSharding(pipeline)},
        {"vtp", pipeline.stages.front().tp},
        {"vsp", 0},
        // The search engine writes the one, the runtime reads the other.
        {"embed_sdp", embedding},
        {"vocab_sdp", embedding}};
    if (std::any_of(cp.begin(), cp.end(), [](int size) { return size != 1; })) {
        file["cp_sizes_enc"] = joined(cp);
        file["vcp"] = pipeline.stages.front().cp;
    }
    if (hasExperts(input.problem.model())) { // without the keys no rank slices an expert
        file["ep_sizes_enc"] = joined(ep);
        file["tp_of_ep_sizes_enc"] = joined(tp);
    }
    return file;
}

} // namespace

// What its model configuration knows, or nothing refuses, and the models built of it have not
// (galvatron/core/runtime).
void checkGalvatronQuestion(const Problem& problem, const std::string&, std::vector<Refusal>& refusals) {
    const Model& m = problem.model();
    const auto refuse = [&](Wording why) {
        refusals.push_back({"E_UNSUPPORTED_MODEL", "model " + m.name, std::move(why)});
    };
    if (m.learnedPositions > 0) // models/modules.py:93, tensor_parallel/layers.py:142
        refuse("its positions are learned; the trainer adds them by sequence and token to a hidden state by "
               "token and sequence");
    if (m.queryKeyNorm) // models/modules.py:123, transformer/attention.py:786
        refuse("it normalises queries and keys; the trainer builds such norms with arguments that they do "
               "not take");
    if (!m.experts.denseBlocks.empty()) // models/builder.py:119
        refuse("it has blocks without experts among others; the trainer builds all blocks alike");
    if (m.experts.shared > 0) // models/moe_modules.py:55
        refuse("it has shared experts; the trainer builds none");
    const RotaryScaling& s = m.rotaryScaling;
    if (scalesPositions(m) &&
        (s.kind != "linear" || s.factor != std::floor(s.factor))) // models/modules.py:157
        refuse({"its rotary positions are scaled ({kind}); the trainer interpolates by whole factors alone",
                {{"kind", s.kind}}});
}

void galvatronNotes(const Problem& problem, const Plan&, const std::string&, Diagnostics& notes) {
    notes.push_back({Severity::Warning,
                     "export.strategy_alone",
                     "model " + problem.model().name,
                     {"the files say how it is divided, and neither its sizes nor its precision: give the "
                      "trainer both (runtime.model, and runtime.parallel.mixed_precision {precision})",
                      {{"precision", name(problem.precision())}}}});
}

void checkGalvatron(const Problem& problem, const Plan& plan, const std::string&,
                    std::vector<Refusal>& refusals) {
    if (plan.pipelines.size() != 1)
        return;
    const Pipeline& pipeline = plan.pipelines.front();
    const Stage &first = pipeline.stages.front(), &last = pipeline.stages.back();
    const std::string end = stageName(plan, 0, pipeline.stages.size() - 1);
    if (first.tp != last.tp || first.cp != last.cp)
        refusals.push_back(
            {"E_TP_PER_STAGE",
             end,
             {"tensor parallel {tp} and context parallel {cp}, the first stage's are {first_tp} and "
              "{first_cp}; embedding and head have one of each",
              {{"tp", last.tp}, {"cp", last.cp}, {"first_tp", first.tp}, {"first_cp", first.cp}}}});
    if (shardsAll(first) != shardsAll(last))
        refusals.push_back(
            {"E_SHARDING", end, "embedding and head are sharded alike; one stage of the two has ZeRO-3"});
    OneForAll<int> levels;
    for (std::size_t i = 0; i < pipeline.stages.size(); ++i)
        if (const Stage& stage = pipeline.stages[i]; stage.dp() > 1 && stage.zero != 3)
            levels.add(stage.zero, stageName(plan, 0, i));
    if (levels.differ())
        refusals.push_back(
            {"E_SHARDING",
             levels.where(),
             {"sharding (ZeRO) {levels} in different stages; one level beside ZeRO-3 is possible",
              {{"levels", fmt::format("{}", fmt::join(levels.values(), " and "))}}}});
    // flash_attn from 2.0.8 on is asked for (requirements.txt), and attention.py:141 asserts its use.
    for (const DeviceKind* kind : usedKinds(problem, plan))
        if (kind->bf16.value <= 0.0)
            refusals.push_back({"E_PRECISION",
                                "plan",
                                {"uses {kind}; flash attention, which the trainer always takes, has no "
                                 "kernels for GPUs without bf16",
                                 {{"kind", kind->shortName}}}});
    checkHostNames(problem, bestLaunchOrder(problem, pipeline), refusals);
}

std::vector<ExportFile> exportGalvatron(const ExportInput& input) {
    const LaunchOrder order =
        launchOrder(input.problem, input.plan.pipelines.front(), RankNesting::StagesOutside);
    std::vector<ExportFile> files = {{"galvatron_config.json", printJson(galvatronConfiguration(input))}};
    for (ExportFile& file : launchFiles(input.problem, order, {}))
        files.push_back(std::move(file));
    return files;
}

} // namespace pw

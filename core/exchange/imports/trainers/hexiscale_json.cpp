// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/trainers/hexiscale_json.h"

#include "core/formats/source.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pw {

namespace {

constexpr std::int64_t kMostLayers = 10'000;

int wholeOf(const JsonReader& reader, std::int64_t low, std::int64_t high) {
    const Json& value = reader.value();
    if (value.is_number_integer() && value >= low && value <= high)
        return value.get<int>();
    reader.fail("hexiscale.value", reader.where(),
                {"must be a whole number from {low} to {high}", {{"low", low}, {"high", high}}});
    return static_cast<int>(low);
}

std::vector<int> ranksOf(const JsonReader& root, const std::vector<JsonReader>& pipelines,
                         std::size_t pipeline, std::size_t stage, int tp) {
    std::vector<int> ranks;
    const std::vector<JsonReader> stages =
        pipeline < pipelines.size() ? pipelines[pipeline].items() : std::vector<JsonReader>{};
    if (stage >= stages.size()) {
        root.fail(
            "hexiscale.lengths", root.where("pp_layouts"),
            {"has no stage {stage} of pipeline {pipeline}", {{"stage", stage}, {"pipeline", pipeline}}});
        return ranks;
    }
    for (const JsonReader& rank : stages[stage].items())
        ranks.push_back(wholeOf(rank, 0, ImportLimits::gpus));
    if (static_cast<int>(ranks.size()) != tp)
        stages[stage].fail(
            "hexiscale.ranks", stages[stage].where(),
            {"has {ranks} ranks; its tensor-parallel size is {tp}", {{"ranks", ranks.size()}, {"tp", tp}}});
    return ranks;
}

} // namespace

bool recogniseHexiscaleJson(std::string_view text, const std::filesystem::path&) {
    return text.find("\"hetero_configs\"") != std::string_view::npos &&
           text.find("\"layer_partitions\"") != std::string_view::npos;
}

Result<Imported> importHexiscaleJson(std::string_view text, const std::filesystem::path& path,
                                     const ImportHints&) {
    const Result<Json> document = parseJson(text, path.string());
    if (!document)
        return document.error();
    const JsonReader root(*document, path.string());
    const std::vector<JsonReader> sizes = root.array("hetero_configs"),
                                  layers = root.array("layer_partitions");
    const std::vector<JsonReader> layouts =
        root.has("pp_layouts") ? root.array("pp_layouts") : std::vector<JsonReader>{};
    if (sizes.size() != layers.size() || sizes.empty() ||
        sizes.size() > static_cast<std::size_t>(ImportLimits::gpus))
        root.fail("hexiscale.lengths", root.where("layer_partitions"),
                  {"has {layers} pipelines, hetero_configs {sizes}",
                   {{"layers", layers.size()}, {"sizes", sizes.size()}}});
    TrainerPlan plan;
    plan.trainer = "hexiscale";
    plan.seq = 4096; // fixed in the trainer
    std::int64_t total = -1, gpus = 0;
    for (std::size_t p = 0; root.status() && p < sizes.size(); ++p) {
        const std::vector<JsonReader> tps = sizes[p].items(), held = layers[p].items();
        if (tps.size() != held.size() || tps.empty()) {
            layers[p].fail(
                "hexiscale.lengths", layers[p].where(),
                {"has {held} stages, hetero_configs {tps}", {{"held", held.size()}, {"tps", tps.size()}}});
            break;
        }
        std::int64_t blocks = 0;
        std::vector<int> counts;
        for (const JsonReader& entry : held) {
            counts.push_back(wholeOf(entry, 1, kMostLayers));
            blocks += counts.back();
        }
        if (blocks > kMostLayers || (total >= 0 && blocks != total))
            layers[p].fail(
                "hexiscale.layers", layers[p].where(),
                {"comes to {blocks} layers, pipeline 0 to {total}", {{"blocks", blocks}, {"total", total}}});
        total = blocks;
        TrainerPipeline pipeline;
        pipeline.schedule = ScheduleKind::GPipe;
        int first = 0;
        for (std::size_t s = 0; s < tps.size(); ++s) {
            TrainerStage stage;
            stage.tp = wholeOf(tps[s], 1, 1024);
            stage.dp = 1;
            gpus += stage.tp;
            stage.chunks = {
                layersOfBlocks(first, first + counts[s], static_cast<int>(std::min(blocks, kMostLayers)))};
            first += counts[s];
            if (root.has("pp_layouts"))
                stage.ranks = ranksOf(root, layouts, p, s, stage.tp);
            pipeline.stages.push_back(std::move(stage));
        }
        plan.pipelines.push_back(std::move(pipeline));
    }
    if (gpus > ImportLimits::gpus)
        root.fail("hexiscale.size", root.where("hetero_configs"),
                  {"comes to more than {gpus} GPUs", {{"gpus", ImportLimits::gpus}}});
    if (Status sound = root.status(); !sound)
        return sound.error();
    Imported imported;
    imported.kind = "hexiscale";
    imported.summary =
        fmt::format("{} pipelines over {} GPUs, {} blocks", plan.pipelines.size(), gpus, total);
    imported.what = std::move(plan);
    return imported;
}

} // namespace pw

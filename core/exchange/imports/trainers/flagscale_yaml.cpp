// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/trainers/flagscale_yaml.h"

#include "core/exchange/imports/trainers/megatron_arguments.h"
#include "core/formats/yaml_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pw {

namespace {

constexpr int kMostStages = 10'000;

// Sections and their parts are for the reader only: the trainer takes all leaves as arguments.
void flatten(const JsonReader& section, MegatronArguments& found, int depth = 0) {
    for (const auto& [key, value] : section.members()) {
        std::string flag = key;
        std::replace(flag.begin(), flag.end(), '_', '-');
        const Json& leaf = value.value();
        if (leaf.is_object() && depth < 8)
            flatten(value, found, depth + 1);
        else if (MegatronArguments::isHint(flag))
            found.mention(flag, leaf.is_string() ? leaf.get<std::string>() : leaf.dump());
        else if (!MegatronArguments::isKnown(flag))
            continue;
        else if (leaf.is_boolean() && leaf.get<bool>())
            found.put(flag, "", value.where());
        else if (leaf.is_string())
            found.put(flag, leaf.get<std::string>(), value.where());
        else if (leaf.is_number() || (leaf.is_array() && MegatronArguments::takesValue(flag)))
            found.put(flag, leaf.dump(), value.where());
    }
}

const Json* leafOf(const Json& json, const std::string& key, int depth = 0) {
    if (!json.is_object() || depth > 8)
        return nullptr;
    for (const auto& [name, value] : json.items()) {
        if (name == key)
            return &value;
        if (const Json* deeper = leafOf(value, key, depth + 1))
            return deeper;
    }
    return nullptr;
}

class FlagscaleYamlReader {
public:
    FlagscaleYamlReader(const Json& document, MegatronArguments& arguments)
        : m_document(document), m_arguments(arguments) {}

    void stages(const Model& model, TrainerPlan& plan) {
        const std::vector<std::int64_t> meshes = numbers("hetero_process_meshes"),
                                        layers = numbers("hetero_pipeline_layer_split");
        std::vector<std::string> types;
        if (const Json* list = leafOf(m_document, "hetero_device_types"); list != nullptr && list->is_array())
            for (const Json& type : *list)
                types.push_back(type.is_string() ? type.get<std::string>() : "");
        if (meshes.size() % 5 != 0 || meshes.size() / 5 != types.size() || meshes.empty())
            return fault("hetero_process_meshes",
                         {"has {meshes} numbers; {types} device types need five each: tp, cp, ep, dp, pp",
                          {{"meshes", meshes.size()}, {"types", types.size()}}});
        TrainerPipeline pipeline;
        pipeline.microbatchSize = m_arguments.count("micro-batch-size", 1, RecipeLimits::batch, 1);
        for (std::size_t mesh = 0; mesh < types.size(); ++mesh) {
            const std::int64_t* five = &meshes[5 * mesh];
            if (std::any_of(five, five + 5, [](std::int64_t n) { return n < 1 || n > 1024; }))
                return fault("hetero_process_meshes",
                             {"mesh {mesh} has a size outside 1 to 1024", {{"mesh", mesh}}});
            for (std::int64_t s = 0; s < five[4] && pipeline.stages.size() < kMostStages; ++s) {
                TrainerStage stage;
                stage.tp = static_cast<int>(five[0]);
                stage.cp = static_cast<int>(five[1]);
                stage.ep = static_cast<int>(five[2]);
                stage.dp = static_cast<int>(five[3]);
                stage.type = types[mesh];
                pipeline.stages.push_back(std::move(stage));
            }
            if (std::find(plan.types.begin(), plan.types.end(), types[mesh]) == plan.types.end())
                plan.types.push_back(types[mesh]);
        }
        if (layers.size() != pipeline.stages.size())
            return fault("hetero_pipeline_layer_split",
                         {"has {layers} entries for {stages} stages",
                          {{"layers", layers.size()}, {"stages", pipeline.stages.size()}}});
        std::int64_t first = 0;
        for (std::size_t s = 0; s < layers.size(); ++s) {
            const std::int64_t end = first + layers[s];
            if (layers[s] < 1 || end > model.blocks)
                return fault("hetero_pipeline_layer_split",
                             {"comes to more or less than the {blocks} layers of num_layers",
                              {{"blocks", model.blocks}}});
            pipeline.stages[s].chunks = {layersOfBlocks(static_cast<int>(first), static_cast<int>(end),
                                                        static_cast<int>(model.blocks))};
            first = end;
        }
        if (first != model.blocks)
            return fault("hetero_pipeline_layer_split", {"comes to {first} layers, num_layers is {blocks}",
                                                         {{"first", first}, {"blocks", model.blocks}}});
        recompute(layers, pipeline);
        plan.pipelines = {std::move(pipeline)};
    }

private:
    void fault(const char* key, Wording wording) {
        m_arguments.faults().add("flagscale.value", m_arguments.faults().file() + "#" + key,
                                 std::move(wording));
    }

    std::vector<std::int64_t> numbers(const char* key) {
        std::vector<std::int64_t> list;
        const Json* found = leafOf(m_document, key);
        if (found == nullptr || !found->is_array()) {
            fault(key, "is missing; expected a list of numbers");
            return list;
        }
        for (const Json& value : *found)
            list.push_back(value.is_number_unsigned() && value.get<std::uint64_t>() < 1'000'000
                               ? value.get<std::int64_t>()
                               : -1);
        return list;
    }

    // Rows [stages, n, value, ...], as lists or as text; one constant value for every stage.
    std::vector<std::int64_t> byStage(const char* key, std::size_t stages) {
        std::vector<std::int64_t> values;
        const Json* rows = leafOf(m_document, key);
        if (rows == nullptr || !rows->is_array())
            return values;
        for (const Json& row : *rows) {
            std::vector<std::int64_t> numbers;
            if (row.is_string()) {
                std::string text = row.get<std::string>();
                std::erase_if(text, [](char c) { return c == '[' || c == ']'; });
                for (const std::string_view part : partsOf(text, ','))
                    numbers.push_back(integerNumber(trimmed(part)).value_or(-1));
            } else if (row.is_array()) {
                for (const Json& n : row)
                    numbers.push_back(n.is_number_unsigned() && n.get<std::uint64_t>() < 1'000'000
                                          ? n.get<std::int64_t>()
                                          : -1);
            }
            bool sound = numbers.size() >= 3 && numbers.size() % 2 == 1 && numbers[0] >= 1 &&
                         numbers[0] <= kMostStages;
            for (std::size_t i = 0; sound && i < numbers.size(); ++i)
                sound = numbers[i] >= 0 && (i < 4 || i % 2 == 1 || numbers[i] == numbers[2]);
            if (!sound) {
                fault(key, "has a row that is not [stages, micro-batches, value] with one value for all "
                           "micro-batches");
                return {};
            }
            for (std::int64_t s = 0; s < numbers[0] && values.size() <= stages; ++s)
                values.push_back(numbers[2]);
        }
        if (values.size() != stages) {
            fault(key, {"its rows come to other than the {stages} stages", {{"stages", stages}}});
            return {};
        }
        return values;
    }

    void recompute(const std::vector<std::int64_t>& layers, TrainerPipeline& pipeline) {
        const std::optional<Recompute> mode =
            recomputeFromName(m_arguments.word("recompute-granularity", "none"));
        if (!mode)
            return fault("recompute_granularity", "is neither full nor selective");
        const std::size_t n = pipeline.stages.size();
        const std::vector<std::int64_t> on = byStage("recompute_granularity_per_stage_micro_batch", n),
                                        blockwise = byStage("recompute_method_per_stage_micro_batch", n),
                                        counts = byStage("recompute_num_layers_per_stage_micro_batch", n);
        const std::int64_t common = m_arguments.count("recompute-num-layers", 1, ModelLimits::blocks, 1);
        const bool block = m_arguments.word("recompute-method", "") == "block";
        for (std::size_t s = 0; s < n; ++s) {
            TrainerStage& stage = pipeline.stages[s];
            stage.recompute = !on.empty() && on[s] == 0 ? Recompute::None : *mode;
            if (stage.recompute != Recompute::Full || !(blockwise.empty() ? block : blockwise[s] == 1))
                continue;
            const std::int64_t held = counts.empty() ? common : counts[s];
            if (held < 1)
                stage.recompute = Recompute::None;
            else if (held < layers[s])
                stage.recomputeLayers = static_cast<int>(held);
        }
    }

    const Json& m_document;
    MegatronArguments& m_arguments;
};

// GPUs of a CUDA_VISIBLE_DEVICES among the variables, if they have one.
void takeVisible(const JsonReader& variables, std::vector<int>& slots) {
    const Json& all = variables.value();
    if (!all.is_object() || !all.contains("CUDA_VISIBLE_DEVICES"))
        return;
    const Json& list = all["CUDA_VISIBLE_DEVICES"];
    const std::string text = list.is_string() ? list.get<std::string>() : list.dump();
    for (const std::string_view part : partsOf(text, ',')) {
        const std::optional<std::int64_t> slot = integerNumber(trimmed(part));
        if (!slot || *slot < 0 || *slot > 1023)
            return variables.fail("flagscale.devices", variables.where("CUDA_VISIBLE_DEVICES"),
                                  "must be numbers of GPUs, as in 0,1,2,3");
        slots.push_back(static_cast<int>(*slot));
    }
}

// The experiment: only what a launch shows of its hosts' GPUs is part of a plan. The variables of single
// hosts stand among those of all (flagscale/runner/utils.py, update_nodes_envs).
TrainerPlan experimentOf(const JsonReader& root) {
    TrainerPlan plan;
    plan.trainer = "flagscale";
    const JsonReader experiment = root.object("experiment");
    if (!experiment.has("envs"))
        return plan;
    const JsonReader envs = experiment.object("envs");
    takeVisible(envs, plan.visibleElsewhere);
    if (envs.has("node_specific"))
        for (const auto& [host, variables] : envs.object("node_specific").members())
            takeVisible(variables, plan.visible[host]);
    std::erase_if(plan.visible, [](const auto& entry) { return entry.second.empty(); });
    return plan;
}

bool isExperiment(std::string_view text) {
    return text.find("experiment:") != std::string_view::npos && text.find("task:") != std::string_view::npos;
}

} // namespace

bool recogniseFlagscaleYaml(std::string_view text, const std::filesystem::path&) {
    const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
    return has("hetero_process_meshes") || isExperiment(text) ||
           (has("system:") && has("model:") && has("num_layers:"));
}

Result<Imported> importFlagscaleYaml(std::string_view text, const std::filesystem::path& path,
                                     const ImportHints& hints) {
    const Result<Json> document = parseYaml(text, path.string());
    if (!document)
        return document.error();
    const JsonReader root(*document, path.string());
    Imported imported;
    imported.kind = "flagscale";
    if (!document->is_object())
        return badInput("flagscale.sections", path.string(), "holds no sections system, model and data");
    if (lowered(text).find("rwkv") != std::string::npos)
        return badInput("megatron.unsupported", path.string(),
                        "names RWKV, whose layers are neither attention nor an MLP and cannot be planned");
    if (isExperiment(text) && leafOf(*document, "num_layers") == nullptr) {
        TrainerPlan plan = experimentOf(root);
        if (Status sound = root.status(); !sound)
            return sound.error();
        if (text.find("train_llava") != std::string_view::npos ||
            text.find("_vl.py") != std::string_view::npos)
            imported.notes.push_back(
                {Severity::Warning, "megatron.language_part", path.string(),
                 "The entry point trains a model that also reads images; the figures are "
                 "those of its language model alone"});
        imported.summary =
            fmt::format("FlagScale experiment, GPUs of {} hosts chosen by name", plan.visible.size());
        imported.what = std::move(plan);
        return imported;
    }
    MegatronArguments arguments(path.string());
    for (const char* section : {"system", "model", "data"})
        if (document->contains(section))
            flatten(root.object(section), arguments);
    Model model = megatronModel(arguments, path.stem().string(), hints, imported.notes);
    TrainerPlan plan;
    const bool hetero = leafOf(*document, "hetero_process_meshes") != nullptr;
    if (arguments.faults().empty() && !hetero)
        megatronPlan(arguments, model, plan);
    else if (arguments.faults().empty()) {
        megatronRecipe(arguments, plan);
        FlagscaleYamlReader(*document, arguments).stages(model, plan);
    }
    plan.trainer = "flagscale";
    for (const Status& sound :
         {root.status(), arguments.faults().status(), checkModel(model, path.string() + "#")})
        if (!sound)
            return sound.error();
    model.source = path.filename().string();
    imported.summary = fmt::format("{} blocks, hidden {}, {} parameters; {} stages", model.blocks,
                                   model.hidden, parameterCount(model), plan.pipelines.front().stages.size());
    plan.model = std::move(model);
    imported.what = std::move(plan);
    return imported;
}

} // namespace pw

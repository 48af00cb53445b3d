// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/trainers/megatron_args.h"

#include "core/exchange/imports/trainers/megatron_arguments.h"

#include <fmt/format.h>

namespace pw {

bool recogniseMegatronArgs(std::string_view text, const std::filesystem::path&) {
    const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
    return has("--num-layers") || has("--tensor-model-parallel-size") ||
           has("--pipeline-model-parallel-size") || has("tensor_model_parallel_size ....");
}

Result<Imported> importMegatronArgs(std::string_view text, const std::filesystem::path& path,
                                    const ImportHints& hints) {
    TrainerPlan plan;
    Result<MegatronArguments> arguments = readMegatronArguments(text, path.string(), plan);
    if (!arguments)
        return arguments.error();
    Imported imported;
    imported.kind = "megatron-args";
    Model model = megatronModel(*arguments, path.stem().string(), hints, imported.notes);
    if (Status sound = arguments->faults().status(); !sound)
        return sound.error();
    if (Status sound = checkModel(model, path.string() + "#"); !sound)
        return sound.error();
    model.source = path.filename().string();
    megatronPlan(*arguments, model, plan);
    if (Status sound = arguments->faults().status(); !sound)
        return sound.error();
    Model padded = model;
    padded.vocab = plan.paddedVocab;
    const TrainerPipeline& pipeline = plan.pipelines.front();
    imported.summary = fmt::format(
        "{} blocks, hidden {}, {} parameters ({} with the vocabulary padded to {}); TP {}, PP {}{}, CP {}",
        model.blocks, model.hidden, parameterCount(model), parameterCount(padded), plan.paddedVocab,
        pipeline.stages.front().tp, pipeline.stages.size(),
        pipeline.chunks > 1 ? fmt::format(" with {} virtual stages each", pipeline.chunks) : "",
        pipeline.stages.front().cp);
    plan.model = std::move(model);
    imported.what = std::move(plan);
    return imported;
}

} // namespace pw

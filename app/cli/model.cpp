// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/inputs.h"
#include "app/cli/session.h"
#include "app/cli/table.h"
#include "core/plan/plan.h"

#include "core/base/text.h"
#include "core/model/model.h"

#include <fmt/format.h>

namespace pw::cli {

namespace {

Flops forward(const std::vector<FineLayer>& layers) {
    Flops total;
    for (const FineLayer& layer : layers)
        total += layer.forwardFlops;
    return total;
}

Json document(const Model& model, const std::vector<FineLayer>& layers, std::int64_t seq) {
    Json list = Json::array();
    for (const FineLayer& layer : layers)
        list.push_back({{"index", layer.index},
                        {"kind", name(layer.kind)},
                        {"block", layer.block},
                        {"parameters", layer.parameters},
                        {"active_parameters", layer.active},
                        {"forward_flops", layer.forwardFlops.value},
                        {"forward_bytes", layer.forwardBytes.value},
                        {"output_bytes", layer.outputBytes.value}});
    Json notes = Json::array();
    for (const Diagnostic& note : modelNotes(model))
        notes.push_back({{"code", note.code}, {"message", note.message}});
    Json json{{"name", model.name},
              {"family", model.family},
              {"parameters", parameterCount(model)},
              {"active_parameters", activeParameterCount(model)},
              {"layer_count", layers.size()},
              {"blocks", model.blocks},
              {"seq", seq},
              {"forward_flops", forward(layers).value},
              {"layers", std::move(list)},
              {"notes", std::move(notes)}};
    for (const char* part :
         {"experts", "latent_attention", "attention", "other_attention"}) // as in the model's own form
        if (const Json own = toJson(model); own.contains(part))
            json[part] = own[part];
    return json;
}

std::string expertsText(const Model& model) {
    const Experts& e = model.experts;
    std::string text = fmt::format("experts: {} of width {}, {} per token", e.count, e.ffn, e.perToken);
    if (e.shared > 0)
        text += fmt::format(", {} shared of width {}", e.shared, e.sharedFfn);
    if (!e.denseBlocks.empty())
        text += fmt::format(", in {} of {} blocks",
                            model.blocks - static_cast<std::int64_t>(e.denseBlocks.size()), model.blocks);
    return text + fmt::format("; {} parameters active\n", activeParameterCount(model));
}

std::string latentText(const LatentAttention& l) {
    return fmt::format("latent attention: {}keys and values {}; heads of {} + {} rotary, values of {}\n",
                       l.queryRank > 0 ? fmt::format("queries {}, ", l.queryRank) : "", l.kvRank, l.plainDim,
                       l.rotaryDim, l.valueDim);
}

// Blocks repeat: equal neighbours of one kind are printed as one row.
std::string table(const Model& model, const std::vector<FineLayer>& layers, std::int64_t seq) {
    Table rows({">fine layers", "kind", ">each: parameters", ">forward GFLOP", ">forward MB", ">output MB"});
    const auto same = [&](const FineLayer& a, const FineLayer& b) {
        return a.kind == b.kind && a.parameters == b.parameters && a.forwardFlops == b.forwardFlops;
    };
    std::vector<std::pair<const FineLayer*, int>> kinds;
    for (const FineLayer& layer : layers) {
        const auto known = std::find_if(kinds.begin(), kinds.end(),
                                        [&](const auto& entry) { return same(*entry.first, layer); });
        if (known == kinds.end())
            kinds.emplace_back(&layer, 1);
        else
            ++known->second;
    }
    for (const auto& [layer, count] : kinds)
        rows.add({fmt::format("{} x", count), name(layer->kind), fmt::format("{}", layer->parameters),
                  fmt::format("{:.2f}", layer->forwardFlops.value / 1e9),
                  fmt::format("{:.1f}", layer->forwardBytes.value / 1e6),
                  fmt::format("{:.1f}", layer->outputBytes.value / 1e6)});
    std::string text =
        fmt::format("{} ({}): {} parameters, {} blocks, {} fine layers\n", printable(model.name, kInLine),
                    printable(model.family, kInLine), parameterCount(model), model.blocks, layers.size());
    if (hasExperts(model))
        text += expertsText(model);
    if (hasLatentAttention(model))
        text += latentText(model.latent);
    for (const Diagnostic& note : modelNotes(model))
        text += fmt::format("note: {}\n", note.message);
    return text + fmt::format("one sequence of {} tokens: predicted {:.2f} TFLOP forward\n\n{}", seq,
                              forward(layers).value / 1e12, rows.text());
}

} // namespace

Command addModel(CLI::App& app) {
    struct ModelFlags {
        std::string file;
        std::int64_t seq = 2048;
    };
    auto flags = std::make_shared<ModelFlags>();
    CLI::App* sub =
        app.add_subcommand("model", "print what was understood of a model: fine layers and totals");
    sub->add_option("M", flags->file, "a Pipewright model or a Hugging Face config.json");
    sub->add_option("--seq", flags->seq, "tokens a sequence, for the figures of a layer (default 2048)")
        ->type_name("N")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 24).description(""));
    return {sub, [flags](const Session& session) -> Result<Answer> {
                const Result<Model> model = readModel(session, flags->file);
                if (!model)
                    return model.error();
                const std::vector<FineLayer> layers = fineLayers(*model, flags->seq);
                return Answer{document(*model, layers, flags->seq), table(*model, layers, flags->seq), {}};
            }};
}

} // namespace pw::cli

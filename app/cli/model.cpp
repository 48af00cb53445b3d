// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/inputs.h"
#include "app/cli/session.h"
#include "app/cli/table.h"

#include "core/model/model.h"

#include <fmt/format.h>

namespace pw::cli {

namespace {

Json document(const Model& model, const std::vector<FineLayer>& layers, std::int64_t seq) {
    Json list = Json::array();
    for (const FineLayer& layer : layers)
        list.push_back({{"index", layer.index},
                        {"kind", name(layer.kind)},
                        {"block", layer.block},
                        {"parameters", layer.parameters},
                        {"forward_flops", layer.forwardFlops.value},
                        {"forward_bytes", layer.forwardBytes.value},
                        {"output_bytes", layer.outputBytes.value}});
    return Json{
        {"name", model.name},           {"family", model.family}, {"parameters", parameterCount(model)},
        {"layer_count", layers.size()}, {"blocks", model.blocks}, {"seq", seq},
        {"layers", std::move(list)}};
}

// Blocks repeat: equal neighbours of one kind are printed as one row.
std::string table(const Model& model, const std::vector<FineLayer>& layers, std::int64_t seq) {
    Table rows({">fine layers", "kind", ">each: parameters", ">forward GFLOP", ">forward MB", ">output MB"});
    Flops total;
    const auto same = [&](const FineLayer& a, const FineLayer& b) {
        return a.kind == b.kind && a.parameters == b.parameters && a.forwardFlops == b.forwardFlops;
    };
    std::vector<std::pair<const FineLayer*, int>> kinds;
    for (const FineLayer& layer : layers) {
        total += layer.forwardFlops;
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
    return fmt::format("{} ({}): {} parameters, {} blocks, {} fine layers\n"
                       "one sequence of {} tokens: predicted {:.2f} TFLOP forward\n\n{}",
                       model.name, model.family, parameterCount(model), model.blocks, layers.size(), seq,
                       total.value / 1e12, rows.text());
}

} // namespace

Command addModel(CLI::App& app) {
    struct Flags {
        std::string file;
        std::int64_t seq = 2048;
    };
    auto flags = std::make_shared<Flags>();
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

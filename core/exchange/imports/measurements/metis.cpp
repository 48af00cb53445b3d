// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/measurements/metis.h"

#include "core/exchange/imports/measurements/layer_profile.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <numeric>

namespace pw {

namespace {

constexpr double kLongestMs = 1e9;
constexpr double kMostBytes = 1e18;
constexpr double kForwardShare = 1.0 / 3.0; // the backward pass does two products for each forward one
constexpr std::string_view kPrefix = "DeviceType.";

std::vector<double> numbers(const JsonReader& owner, const char* key, std::size_t expected, double most) {
    const std::vector<JsonReader> items = owner.array(key);
    if (owner.has(key) && owner.value()[key].is_array() && items.size() != expected)
        owner.fail("metis.length", owner.where(key),
                   {"has {items} entries; num_layers is {expected}",
                    {{"items", items.size()}, {"expected", expected}}});
    std::vector<double> list;
    for (const JsonReader& item : items) {
        const Json& value = item.value();
        list.push_back(value.is_number() ? value.get<double>() : -1.0);
        if (!(list.back() >= 0.0 && list.back() <= most))
            item.fail("metis.number", item.where(),
                      {"must be a number from 0 to {most}", {{"most", fmt::format("{:g}", most)}}});
    }
    list.resize(expected);
    return list;
}

double sum(const std::vector<double>& list) {
    return std::accumulate(list.begin(), list.end(), 0.0);
}

} // namespace

bool recogniseMetis(std::string_view text, const std::filesystem::path&) {
    return text.find("\"layer_compute_total_ms\"") != std::string_view::npos &&
           text.find("\"execution_time\"") != std::string_view::npos;
}

Result<Imported> importMetis(std::string_view text, const std::filesystem::path& path,
                             const ImportHints& hints) {
    const std::string file = path.string(), name = path.filename().string();
    const std::size_t typeEnd = name.find('_');
    const int tp = numberBehind(name, "tp"), mbs = numberBehind(name, "bs");
    if (!name.starts_with(kPrefix) || typeEnd == std::string::npos || typeEnd == kPrefix.size() || tp == 0 ||
        mbs == 0)
        return badInput(
            "metis.name", file,
            "says what was measured by its name alone; expected DeviceType.<TYPE>_tp<N>_bs<M>.json");

    const Result<Json> document = parseJson(text, file);
    if (!document)
        return document.error();
    const JsonReader root(*document, file);
    const JsonReader model = root.object("model"), parameters = model.object("parameters");
    const JsonReader times = root.object("execution_time"), memory = root.object("execution_memory");
    const auto layers = static_cast<std::size_t>(model.count("num_layers", 1, 100'000));
    const std::vector<double> bytes = numbers(parameters, "parameters_per_layer_bytes", layers, kMostBytes);
    const double total = parameters.number("total_parameters_bytes", 0.0, kMostBytes);
    const std::vector<double> computed = numbers(times, "layer_compute_total_ms", layers, kLongestMs);
    const double together = times.number("forward_backward_time_ms", 0.0, kLongestMs);
    const double step = times.number("optimizer_time_ms", 0.0, kLongestMs);
    const std::vector<double> peaks = numbers(memory, "layer_memory_total_mb", layers, kMostBytes);
    struct Extra {
        const char* key;
        const char* op;
    };
    std::vector<std::pair<std::string, double>> extras;
    for (const Extra extra : {Extra{"batch_generator_time_ms", "batch generator"},
                              Extra{"layernorm_grads_all_reduce_time_ms", "layernorm gradients all-reduce"},
                              Extra{"embedding_grads_all_reduce_time_ms", "embedding gradients all-reduce"}})
        if (times.has(extra.key))
            extras.emplace_back(extra.op, times.number(extra.key, 0.0, kLongestMs));
    if (const Status read = root.status(); !read)
        return read.error();
    if (!agree(sum(bytes), total, 0.5))
        parameters.fail(
            "metis.sum", parameters.where("total_parameters_bytes"),
            {"is {total}; the layers sum to {sum}",
             {{"total", fmt::format("{:.0f}", total)}, {"sum", fmt::format("{:.0f}", sum(bytes))}}});
    if (together < sum(computed) && !agree(together, sum(computed)))
        times.fail("metis.sum", times.where("forward_backward_time_ms"),
                   {"is {together} ms; the layers alone sum to {sum} ms",
                    {{"together", together}, {"sum", sum(computed)}}});
    if (const auto problem = blockProblem(hints, layers))
        model.fail("metis.layers", model.where("num_layers"), *problem);
    if (const Status read = root.status(); !read)
        return read.error();

    Imported imported;
    imported.kind = "metis";
    const std::string type = name.substr(kPrefix.size(), typeEnd - kPrefix.size());
    ProfileRow row;
    row.kind = measuredKind(hints, type, file, imported.notes);
    row.model = measuredModel(hints, model.text("model_name", ""));
    if (row.model.empty())
        return badInput("metis.model", root.where() + "/model/model_name", "names no model; state the model");
    row.tp = tp;
    row.mbs = mbs;
    row.seq = hints.model ? hints.model->positions : 0;
    row.source = fmt::format("Metis profile {}", name.substr(0, name.find("_tp")));
    std::vector<ProfileRow> rows;
    for (std::size_t layer = 0; layer < layers; ++layer) {
        row.layer = static_cast<int>(layer);
        row.forward = Seconds(computed[layer] * 1e-3 * kForwardShare);
        row.backward = Seconds(computed[layer] * 1e-3 - row.forward.value);
        row.update = Seconds(total > 0.0 ? step * 1e-3 * bytes[layer] / total : 0.0);
        row.memory = Bytes(peaks[layer] * kMebibyte);
        rows.push_back(row);
        rows.push_back(figureRow(row, "parameters", row.layer));
        rows.back().memory = Bytes(bytes[layer]);
    }
    // What forward and backward take beyond their layers.
    const double sync = std::max(0.0, together - sum(computed));
    extras.emplace_back("forward-backward synchronisation", sync);
    for (const auto& [op, milliseconds] : extras) {
        rows.push_back(figureRow(row, op, 0));
        rows.back().forward = Seconds(milliseconds * 1e-3);
    }
    imported.summary =
        fmt::format("{} on {}, tp {}, batch {}: {} layers, {} ms of forward and backward, {} ms beside them, "
                    "{:.0f} bytes of parameters, layers of {} MB",
                    row.model, row.kind, tp, mbs, layers, sum(computed), sync, total, sum(peaks));
    imported.notes.push_back(
        {Severity::Note, "profile.split", file,
         "Forward and backward are measured together; a third is taken for the forward pass"});
    if (!hints.model)
        imported.notes.push_back({Severity::Note,
                                  "profile.unstated",
                                  file,
                                  {"The file states neither precision nor sequence length: its rows match "
                                   "any. Read as {layers} blocks between embedding and head",
                                   {{"layers", layers - 2}}}});
    imported.what = std::move(rows);
    return imported;
}

} // namespace pw

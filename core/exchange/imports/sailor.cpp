// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/sailor.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cctype>
#include <charconv>
#include <map>
#include <optional>

namespace pw {

namespace {

constexpr int kMaxLayers = 20'000;
constexpr int kMaxSize = 1'000'000; // of a micro-batch or a tensor-parallel group
constexpr double kLongest = 1e6;    // seconds that one layer may take

std::optional<int> wholeNumber(std::string_view key, int low, int high) {
    int value = 0;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), value);
    const bool whole = error == std::errc() && end == key.data() + key.size() && fmt::to_string(value) == key;
    return whole && value >= low && value <= high ? std::optional(value) : std::nullopt;
}

// The members of one level, by number.
std::map<int, JsonReader> numbered(const JsonReader& level, const char* what, int low, int high) {
    std::map<int, JsonReader> found;
    for (const auto& [key, reader] : level.members())
        if (const auto n = wholeNumber(key, low, high))
            found.emplace(*n, reader);
        else
            reader.fail("sailor.key", reader.where(), fmt::format("is no {} ({} to {})", what, low, high));
    if (level.value().is_object() && level.value().empty())
        level.fail("sailor.empty", level.where(), fmt::format("holds no {}", what));
    return found;
}

struct Times {
    double forward = 0.0, backward = 0.0, update = 0.0;
};

Times readTimes(const JsonReader& reader) {
    const std::vector<JsonReader> items = reader.items();
    if (items.size() != 3) {
        if (reader.value().is_array())
            reader.fail("sailor.times", reader.where(),
                        fmt::format("has {} entries; expected forward, backward and update", items.size()));
        return {};
    }
    double seconds[3] = {};
    for (std::size_t i = 0; i < 3; ++i) {
        const Json& value = items[i].value();
        seconds[i] = value.is_number() ? value.get<double>() : -1.0;
        if (!(seconds[i] >= 0.0 && seconds[i] <= kLongest))
            items[i].fail("sailor.time", items[i].where(),
                          fmt::format("must be a time in seconds from 0 to {:g}", kLongest));
    }
    return {seconds[0], seconds[1], seconds[2]};
}

// The layers of one (micro-batch, tp), embedding first and head last. `blocks` 0 means that no model is at
// hand.
std::vector<Times> readLayers(const JsonReader& table, std::int64_t blocks) {
    std::vector<Times> layers;
    for (const auto& [layer, reader] : numbered(table, "layer", 0, kMaxLayers)) {
        if (layer != static_cast<int>(layers.size())) {
            table.fail("sailor.layers", table.where(),
                       fmt::format("has no layer {} before layer {}", layers.size(), layer));
            return {};
        }
        layers.push_back(readTimes(reader));
    }
    const auto expected = static_cast<std::size_t>(blocks + 2);
    if (blocks > 0 && layers.size() == expected + 1) {
        const Times head = layers.back();
        layers.pop_back();
        layers.back().forward += head.forward;
        layers.back().backward += head.backward;
        layers.back().update += head.update;
    } else if ((blocks > 0 && layers.size() != expected) || layers.size() < 3) {
        table.fail("sailor.layers", table.where(),
                   blocks > 0 ? fmt::format("has {} layers; {} blocks, embedding and head make {}",
                                            layers.size(), blocks, expected)
                              : fmt::format("has {} layers; embedding, a block and head are the least",
                                            layers.size()));
        return {};
    }
    return layers;
}

std::string_view skipBlanks(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
        text.remove_prefix(1);
    return text;
}

} // namespace

bool recogniseSailor(std::string_view text, const std::filesystem::path&) {
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    for (int level = 0; level < 3; ++level) { // {"1": {"1": {"0":
        for (char mark : {'{', '"'}) {
            text = skipBlanks(text);
            if (text.empty() || text.front() != mark)
                return false;
            text.remove_prefix(1);
        }
        const std::size_t digits = text.find_first_not_of("0123456789");
        if (digits == 0 || digits == std::string_view::npos || text[digits] != '"')
            return false;
        text = skipBlanks(text.substr(digits + 1));
        if (text.empty() || text.front() != ':')
            return false;
        text.remove_prefix(1);
    }
    return true;
}

Result<Imported> importSailor(std::string_view text, const std::filesystem::path& path,
                              const ImportHints& hints) {
    const std::string folder = path.parent_path().filename().string();
    std::string kind = hints.deviceKind.empty() ? folder : hints.deviceKind;
    if (const DeviceKind* known = Catalogue::builtin().find(kind))
        kind = known->name;
    else if (hints.deviceKind.empty())
        return badInput(
            "sailor.kind", path.string(),
            fmt::format(
                "lies in the folder \"{}\", which names no device kind of the catalogue; state the kind",
                folder));
    std::string model = hints.model ? hints.model->name : hints.modelName;
    if (model.empty())
        model = path.parent_path().parent_path().filename().string();
    if (model.empty())
        return badInput("sailor.model", path.string(),
                        "lies in no folder that names the model; state the model");

    const Result<Json> document = parseJson(text, path.string());
    if (!document)
        return document.error();
    const JsonReader root(*document, path.string());
    std::vector<ProfileRow> rows;
    std::size_t layerCount = 0;
    for (const auto& [mbs, sizes] : numbered(root, "micro-batch", 1, kMaxSize))
        for (const auto& [tp, table] : numbered(sizes, "tensor-parallel size", 1, kMaxSize)) {
            const std::vector<Times> layers = readLayers(table, hints.model ? hints.model->blocks : 0);
            if (layerCount == 0)
                layerCount = layers.size();
            else if (!layers.empty() && layers.size() != layerCount)
                table.fail("sailor.layers", table.where(),
                           fmt::format("has {} layers where others have {}", layers.size(), layerCount));
            for (std::size_t layer = 0; layer < layers.size(); ++layer) {
                ProfileRow row;
                row.model = model;
                row.kind = kind;
                row.layer = static_cast<int>(layer);
                row.tp = tp;
                row.mbs = mbs;
                row.seq = hints.model ? hints.model->positions : 0;
                row.forward = Seconds(layers[layer].forward);
                row.backward = Seconds(layers[layer].backward);
                row.update = Seconds(layers[layer].update);
                row.source = fmt::format("Sailor profile {}/{}/{}",
                                         path.parent_path().parent_path().filename().string(), folder,
                                         path.filename().string());
                rows.push_back(std::move(row));
            }
        }
    if (Status s = root.status(); !s)
        return s.error();

    Imported imported;
    imported.kind = "sailor";
    imported.summary = fmt::format("{} on {}: {} rows, {} layers", model, kind, rows.size(), layerCount);
    imported.notes.push_back(
        {Severity::Note, "sailor.unstated", path.string(),
         hints.model ? fmt::format("The file states neither precision nor sequence length: its rows "
                                   "match any precision, and the model's longest sequence of {}",
                                   hints.model->positions)
                     : "The file states neither precision nor sequence length: its rows match any",
         "", ""});
    if (!hints.model)
        imported.notes.push_back(
            {Severity::Note, "sailor.blocks", path.string(),
             fmt::format("Read as {} blocks between embedding and head; name the model to check it",
                         layerCount - 2),
             "", ""});
    imported.what = std::move(rows);
    return imported;
}

} // namespace pw

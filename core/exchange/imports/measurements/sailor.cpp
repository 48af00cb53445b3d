// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/measurements/sailor.h"

#include "core/base/text.h"
#include "core/exchange/imports/measurements/layer_profile.h"

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
            reader.fail("sailor.key", reader.where(),
                        {"is no {what} ({low} to {high})", {{"what", what}, {"low", low}, {"high", high}}});
    if (level.value().is_object() && level.value().empty())
        level.fail("sailor.empty", level.where(), {"holds no {what}", {{"what", what}}});
    return found;
}

struct PassTimes {
    double forward = 0.0, backward = 0.0, update = 0.0;
};

PassTimes readPassTimes(const JsonReader& reader) {
    const std::vector<JsonReader> items = reader.items();
    if (items.size() != 3) {
        if (reader.value().is_array())
            reader.fail(
                "sailor.times", reader.where(),
                {"has {items} entries; expected forward, backward and update", {{"items", items.size()}}});
        return {};
    }
    double seconds[3] = {};
    for (std::size_t i = 0; i < 3; ++i) {
        const Json& value = items[i].value();
        seconds[i] = value.is_number() ? value.get<double>() : -1.0;
        if (!(seconds[i] >= 0.0 && seconds[i] <= kLongest))
            items[i].fail("sailor.time", items[i].where(),
                          {"must be a time in seconds from 0 to {longest}",
                           {{"longest", fmt::format("{:g}", kLongest)}}});
    }
    return {seconds[0], seconds[1], seconds[2]};
}

// The layers of one (micro-batch, tp), embedding first and head last. `blocks` 0 means that no model is at
// hand.
std::vector<PassTimes> readLayers(const JsonReader& table, std::int64_t blocks) {
    std::vector<PassTimes> layers;
    for (const auto& [layer, reader] : numbered(table, "layer", 0, kMaxLayers)) {
        if (layer != static_cast<int>(layers.size())) {
            table.fail("sailor.layers", table.where(),
                       {"has no layer {layers} before layer {layer}",
                        {{"layers", layers.size()}, {"layer", layer}}});
            return {};
        }
        layers.push_back(readPassTimes(reader));
    }
    const auto expected = static_cast<std::size_t>(blocks + 2);
    if (blocks > 0 && layers.size() == expected + 1) {
        const PassTimes head = layers.back();
        layers.pop_back();
        layers.back().forward += head.forward;
        layers.back().backward += head.backward;
        layers.back().update += head.update;
    } else if ((blocks > 0 && layers.size() != expected) || layers.size() < 3) {
        table.fail("sailor.layers", table.where(),
                   {blocks > 0 ? "has {layers} layers; {blocks} blocks, embedding and head make {expected}"
                               : "has {layers} layers; embedding, a block and head are the least",
                    {{"layers", layers.size()}, {"blocks", blocks}, {"expected", expected}}});
        return {};
    }
    return layers;
}

// Everything that is measured of one model on one kind.
struct Subject {
    std::string model, kind, source;
    const ImportHints& hints;
};

// Rows of one (micro-batch, tp). `layerCount` is that of the first one, which the others must have too.
void addRows(const JsonReader& table, const Subject& subject, int mbs, int tp, std::size_t& layerCount,
             std::vector<ProfileRow>& rows) {
    const std::vector<PassTimes> layers =
        readLayers(table, subject.hints.model ? subject.hints.model->blocks : 0);
    if (layerCount == 0)
        layerCount = layers.size();
    else if (!layers.empty() && layers.size() != layerCount)
        table.fail("sailor.layers", table.where(),
                   {"has {layers} layers where others have {expected}",
                    {{"layers", layers.size()}, {"expected", layerCount}}});
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        ProfileRow row;
        row.model = subject.model;
        row.kind = subject.kind;
        row.layer = static_cast<int>(layer);
        row.tp = tp;
        row.mbs = mbs;
        row.seq = subject.hints.model ? subject.hints.model->positions : 0;
        row.forward = Seconds(layers[layer].forward);
        row.backward = Seconds(layers[layer].backward);
        row.update = Seconds(layers[layer].update);
        row.source = subject.source;
        rows.push_back(std::move(row));
    }
}

std::size_t addProfile(const JsonReader& profile, const Subject& subject, std::vector<ProfileRow>& rows) {
    std::size_t layerCount = 0;
    for (const auto& [mbs, sizes] : numbered(profile, "micro-batch", 1, kMaxSize))
        for (const auto& [tp, table] : numbered(sizes, "tensor-parallel size", 1, kMaxSize))
            addRows(table, subject, mbs, tp, layerCount, rows);
    return layerCount;
}

void noteUnstated(Imported& imported, const ImportHints& hints, const std::string& file, std::size_t layers) {
    imported.notes.push_back(
        {Severity::Note, "sailor.unstated", file,
         hints.model ? Wording("The file states neither precision nor sequence length: its rows match any "
                               "precision, and the model's longest sequence of {positions}",
                               {{"positions", hints.model->positions}})
                     : "The file states neither precision nor sequence length: its rows match any"});
    if (!hints.model)
        imported.notes.push_back(
            {Severity::Note,
             "sailor.blocks",
             file,
             {"Read as {layers} blocks between embedding and head; name the model to check it",
              {{"layers", layers - 2}}}});
}

std::string_view skipBlanks(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
        text.remove_prefix(1);
    return text;
}

// How many levels of a document's first members have a number for a key, and how many others stand above
// them.
struct Depth {
    int named = 0, numbered = 0;
};
Depth depthOf(std::string_view text) {
    Depth depth;
    while (true) {
        for (const char mark : {'{', '"'}) {
            text = skipBlanks(text);
            if (text.empty() || text.front() != mark)
                return depth;
            text.remove_prefix(1);
        }
        const std::size_t end = text.find('"');
        if (end == 0 || end == std::string_view::npos)
            return depth;
        const bool number = text.substr(0, end).find_first_not_of("0123456789") == std::string_view::npos;
        if (!number && depth.numbered > 0)
            return depth;
        (number ? depth.numbered : depth.named) += 1;
        text = skipBlanks(text.substr(end + 1));
        if (text.empty() || text.front() != ':')
            return depth;
        text.remove_prefix(1);
    }
}

// {model: {gpu: profile}}, as Sailor collects them.
Result<Imported> importAll(const Json& document, const std::string& file, const ImportHints& hints) {
    const JsonReader root(document, file);
    Imported imported;
    imported.kind = "sailor";
    std::vector<ProfileRow> rows;
    std::size_t layers = 0;
    for (const auto& [model, kinds] : root.members())
        for (const auto& [kind, profile] : kinds.members())
            layers = addProfile(profile,
                                {measuredModel(hints, model), measuredKind(hints, kind, file, imported.notes),
                                 fmt::format("Sailor profile {}/{}/profile.json", model, kind), hints},
                                rows);
    if (Status s = root.status(); !s)
        return s.error();
    imported.summary = fmt::format("{} models: {} rows", root.value().size(), rows.size());
    noteUnstated(imported, hints, file, layers);
    imported.what = std::move(rows);
    return imported;
}

// One run of the profiler, whose name says what it measured: profile_<model>_<gpu>_<tp>_<mbs>.json.
Result<Imported> importRun(const JsonReader& root, const std::filesystem::path& path,
                           const ImportHints& hints) {
    const std::string file = path.string(), stem = path.stem().string();
    const std::vector<std::string_view> words = partsOf(stem, '_');
    const auto tp = words.size() >= 5 ? wholeNumber(words[words.size() - 2], 1, kMaxSize) : std::nullopt;
    const auto mbs = words.size() >= 5 ? wholeNumber(words.back(), 1, kMaxSize) : std::nullopt;
    if (!tp || !mbs || words.front() != "profile")
        return badInput(
            "sailor.name", file,
            "says what was measured by its name alone; expected profile_<model>_<gpu>_<tp>_<mbs>.json");
    Imported imported;
    imported.kind = "sailor";
    const std::string_view gpu = words[words.size() - 3];
    const std::string_view model(words[1].data(), static_cast<std::size_t>(gpu.data() - words[1].data() - 1));
    const Subject subject{measuredModel(hints, model), measuredKind(hints, gpu, file, imported.notes),
                          fmt::format("Sailor run of {} on {}", model, gpu), hints};
    std::vector<ProfileRow> rows;
    std::size_t layers = 0;
    addRows(root.object("timing"), subject, *mbs, *tp, layers, rows);
    if (Status s = root.status(); !s)
        return s.error();
    imported.summary = fmt::format("{} on {}, tp {}, micro-batch {}: {} layers", subject.model, subject.kind,
                                   *tp, *mbs, layers);
    noteUnstated(imported, hints, file, layers);
    imported.what = std::move(rows);
    return imported;
}

} // namespace

bool recogniseSailor(std::string_view text, const std::filesystem::path&) {
    const Depth depth = depthOf(text); // {"1": {"1": {"0": or {"model": {"gpu": {"1": {"1": {"0":
    if (depth.numbered == 3)
        return depth.named == 0 || depth.named == 2;
    return text.substr(0, 4096).find("\"timing\"") != std::string_view::npos && depth.named > 0;
}

Result<Imported> importSailor(std::string_view text, const std::filesystem::path& path,
                              const ImportHints& hints) {
    const Result<Json> document = parseJson(text, path.string());
    if (!document)
        return document.error();
    const JsonReader root(*document, path.string());
    if (document->is_object() && document->contains("timing"))
        return importRun(root, path, hints);
    if (depthOf(text).named == 2)
        return importAll(*document, path.string(), hints);

    const std::string folder = path.parent_path().filename().string();
    const std::string_view hinted = hintedKind(hints, folder);
    std::string kind(hinted.empty() ? folder : hinted);
    if (const DeviceKind* known = Catalogue::builtin().find(kind))
        kind = known->name;
    else if (hinted.empty())
        return badInput(
            "sailor.kind", path.string(),
            {"lies in the folder \"{folder}\", which names no device kind of the catalogue; state the kind",
             {{"folder", folder}}});
    const std::string owner = path.parent_path().parent_path().filename().string();
    const std::string model = measuredModel(hints, owner);
    if (model.empty())
        return badInput("sailor.model", path.string(),
                        "lies in no folder that names the model; state the model");
    std::vector<ProfileRow> rows;
    const std::size_t layers = addProfile(
        root,
        {model, kind, fmt::format("Sailor profile {}/{}/{}", owner, folder, path.filename().string()), hints},
        rows);
    if (Status s = root.status(); !s)
        return s.error();

    Imported imported;
    imported.kind = "sailor";
    imported.summary = fmt::format("{} on {}: {} rows, {} layers", model, kind, rows.size(), layers);
    noteUnstated(imported, hints, path.string(), layers);
    imported.what = std::move(rows);
    return imported;
}

} // namespace pw

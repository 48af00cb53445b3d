// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/published_runs.h"

#include "core/base/json.h"

#include "published_texts.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace pw {

namespace {

// A mistake of ours in what is compiled in.
[[noreturn]] void fatal(const std::string& text) {
    std::fprintf(stderr, "published measurements: %s\n", text.c_str());
    std::abort();
}

std::string_view textOf(const std::string& name) {
    for (const embedded::NamedText& entry : embedded::kMeasurements)
        if (name == entry.name)
            return entry.text;
    fatal("no table " + name);
}

std::vector<PublishedTable> readIndex() {
    const Result<Json> document = parseJson(embedded::measurementsIndexJson, "index.json");
    if (!document)
        fatal(document.error().text());
    const JsonReader reader(*document, "index.json");
    std::vector<PublishedTable> tables;
    for (const JsonReader& item : reader.array("tables")) {
        const std::string name = item.text("name");
        const std::string layers = item.text("layers", "");
        tables.push_back({name, item.text("label"), item.text("what"), item.text("title"), item.text("url"),
                          item.text("licence"), textOf(name), layers.empty() ? "" : textOf(layers)});
    }
    if (const Status sound = reader.status(); !sound)
        fatal(sound.error().text());
    return tables;
}

} // namespace

std::span<const PublishedTable> publishedTables() {
    static const std::vector<PublishedTable> tables = readIndex();
    return tables;
}

const PublishedTable& publishedTable(std::string_view name) {
    return *std::ranges::find(publishedTables(), name, &PublishedTable::name);
}

Result<PublishedRuns> readPublished(const PublishedTable& table) {
    PublishedRuns runs;
    Result<std::vector<RunRow>> rows = readRuns(table.csv, table.name + ".csv");
    if (!rows)
        return rows.error();
    runs.rows = *std::move(rows);
    if (table.layers.empty())
        return runs;
    Result<std::vector<LayerTime>> layers = readLayerTimes(table.layers, table.name + " layer times");
    if (!layers)
        return layers.error();
    runs.layers = *std::move(layers);
    return runs;
}

} // namespace pw

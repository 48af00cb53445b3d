// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_sources.h"

#include "core/accuracy/published_runs.h"
#include "core/base/file.h"

#include <filesystem>
#include <set>

namespace pw::cli {

namespace {

Result<std::vector<RunSource>> publishedSources() {
    std::vector<RunSource> sources;
    for (const PublishedTable& table : publishedTables()) {
        Result<PublishedRuns> runs = readPublished(table);
        if (!runs)
            return runs.error();
        sources.push_back({table.name, std::move(runs->rows), std::move(runs->layers)});
    }
    return sources;
}

} // namespace

Result<std::vector<RunSource>> readRunSources(const std::vector<std::string>& files, Diagnostics* notes) {
    if (files.empty())
        return publishedSources();
    std::vector<RunSource> sources;
    std::set<std::string> ids;
    for (const std::string& file : files) {
        const Result<std::string> text = readFile(file);
        if (!text)
            return text.error();
        Result<std::vector<RunRow>> rows = readRuns(*text, file, notes);
        if (!rows)
            return rows.error();
        sources.push_back({std::filesystem::path(file).stem().string(), *std::move(rows), {}});
        for (const RunRow& row : sources.back().rows)
            if (!ids.insert(row.rowId).second)
                return badInput("runs.table", sources.back().name,
                                {"row_id {id} is in an earlier file too", {{"id", row.rowId}}});
    }
    return sources;
}

} // namespace pw::cli

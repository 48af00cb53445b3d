// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accuracy/study_source.h"

#include "core/accuracy/published_runs.h"
#include "ui/base/convert.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace pw {

namespace {

constexpr std::size_t kChunk = 64; // rows between two reports of progress

} // namespace

std::vector<RunTable> publishedRunTables() {
    std::vector<RunTable> tables;
    for (const PublishedTable& table : publishedTables())
        tables.push_back({q(table.label),
                          {},
                          std::string(table.csv),
                          false,
                          QStringLiteral("%1: %2\n%3").arg(q(table.title), q(table.what), q(table.url)),
                          std::string(table.layers)});
    return tables;
}

Result<StudySource> readTable(const RunTable& table) {
    const std::string name = s(table.title);
    Result<std::vector<RunRow>> rows = table.own ? table.rows : readRuns(table.text, name);
    if (!rows)
        return rows.error();
    StudySource source;
    source.title = table.title;
    source.path = table.path;
    source.note = table.note;
    source.own = table.own;
    source.rows = *std::move(rows);
    source.leftOut.assign(source.rows.size(), false);
    if (table.layers.empty())
        return source;
    Result<std::vector<LayerTime>> layers = readLayerTimes(table.layers, name);
    if (!layers)
        return layers.error();
    source.layers = *std::move(layers);
    return source;
}

std::vector<RunPrediction> predictInChunks(const StudySource& source, const std::stop_token& stop,
                                           const std::function<void(std::size_t)>& done) {
    const std::vector<RunRow>& rows = source.rows;
    std::vector<RunPrediction> all;
    all.reserve(rows.size());
    for (std::size_t first = 0; first < rows.size() && !stop.stop_requested(); first += kChunk) {
        const std::size_t last = std::min(first + kChunk, rows.size());
        const std::vector<RunRow> some(rows.begin() + static_cast<std::ptrdiff_t>(first),
                                       rows.begin() + static_cast<std::ptrdiff_t>(last));
        std::vector<RunPrediction> predictions = predictRuns(some, 0, stop, {}, source.layers);
        std::move(predictions.begin(), predictions.end(), std::back_inserter(all));
        done(last - first);
    }
    return all;
}

void scoreSource(StudySource& source) {
    std::vector<RunRow> rows;
    std::vector<RunPrediction> predictions;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < source.rows.size(); ++i)
        if (!source.leftOut[i]) {
            rows.push_back(source.rows[i]);
            predictions.push_back(source.predictions[i]);
            places.push_back(i);
        }
    const std::vector<bool> counted = scoredRows(rows, predictions);
    source.counted.assign(source.rows.size(), false);
    for (std::size_t i = 0; i < places.size(); ++i)
        source.counted[places[i]] = counted[i];
    source.score = scoreRuns(s(source.title), rows, predictions);
}

} // namespace pw

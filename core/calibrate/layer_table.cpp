// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/layer_table.h"

#include "core/base/text.h"
#include "core/calibrate/gpu_text.h"
#include "core/calibrate/words.h"
#include "core/formats/csv.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>
#include <optional>

namespace pw {
namespace {

constexpr const char* kNeeded[] = {"model", "gpu",       "mbs",        "tp",
                                   "layer", "forward_s", "backward_s", "update_s"};

// One record with its columns by name.
class Record {
public:
    Record(const std::map<std::string, std::size_t>& columns, const CsvRecord& cells, const std::string& file)
        : m_columns(columns), m_cells(cells), m_file(file) {}

    std::string text(const char* column) const {
        const auto at = m_columns.find(column);
        return at == m_columns.end() ? std::string() : m_cells[at->second].text;
    }
    Result<double> number(const char* column, double low, double high) const {
        const CsvCell& cell = m_cells[m_columns.at(column)];
        double value = 0.0;
        const char* end = cell.text.data() + cell.text.size();
        const auto [rest, error] = std::from_chars(cell.text.data(), end, value);
        if (error != std::errc{} || rest != end || !std::isfinite(value) || value < low || value > high)
            return badInput("layers.value", fmt::format("{}:{}:{}", m_file, cell.line, cell.column),
                            {"{column} is \"{text}\"; expected a number from {low} to {high}",
                             {{"column", column}, {"text", cell.text}, {"low", low}, {"high", high}}});
        return value;
    }
    Error wrong(const char* column, Wording wording) const {
        const CsvCell& cell = m_cells[m_columns.at(column)];
        return badInput("layers.value", fmt::format("{}:{}:{}", m_file, cell.line, cell.column),
                        std::move(wording));
    }

private:
    const std::map<std::string, std::size_t>& m_columns;
    const CsvRecord& m_cells;
    const std::string& m_file;
};

std::optional<LayerTime::Part> partOf(std::string_view text) {
    const std::string word = lowered(text);
    if (contains(word, "embed") || contains(word, "first"))
        return LayerTime::Part::Embedding;
    if (contains(word, "head") || contains(word, "last"))
        return LayerTime::Part::Head;
    if (contains(word, "block") || contains(word, "layer"))
        return LayerTime::Part::Block;
    return std::nullopt;
}

Result<LayerTime> layerTime(const Record& record) {
    LayerTime time;
    time.model = record.text("model");
    time.gpu = record.text("gpu");
    time.source = record.text("source");
    const std::optional<LayerTime::Part> part = partOf(record.text("layer"));
    if (!part)
        return record.wrong("layer",
                            {"\"{text}\" is no embedding, block or head", {{"text", record.text("layer")}}});
    time.part = *part;
    const auto mbs = record.number("mbs", 1, 1e6), tp = record.number("tp", 1, 1e6),
               forward = record.number("forward_s", 0, 1e6), backward = record.number("backward_s", 0, 1e6),
               update = record.number("update_s", 0, 1e6);
    for (const Result<double>* value : {&mbs, &tp, &forward, &backward, &update})
        if (!*value)
            return value->error();
    time.mbs = static_cast<int>(*mbs);
    time.tp = static_cast<int>(*tp);
    time.forward = Seconds(*forward);
    time.backward = Seconds(*backward);
    time.update = Seconds(*update);
    time.seq = wholeNumber(record.text("seq_len")).value_or(0);
    return time;
}

} // namespace

Result<std::vector<LayerTime>> readLayerTimes(std::string_view text, const std::string& file) {
    const Result<std::vector<CsvRecord>> records = parseCsv(text, file);
    if (!records)
        return records.error();
    if (records->empty())
        return badInput("layers.table", file, "is empty; expected a header and rows");
    std::map<std::string, std::size_t> columns;
    for (std::size_t c = 0; c < records->front().size(); ++c)
        columns.emplace(records->front()[c].text, c);
    for (const char* name : kNeeded)
        if (!columns.contains(name))
            return badInput("layers.table", fmt::format("{}:1", file),
                            {"has no column {name}", {{"name", name}}});
    std::vector<LayerTime> times;
    for (std::size_t r = 1; r < records->size(); ++r) {
        const CsvRecord& cells = (*records)[r];
        if (cells.size() != records->front().size())
            return badInput("layers.table", fmt::format("{}:{}", file, cells.front().line),
                            {"has {cells} fields, the header {records}",
                             {{"cells", cells.size()}, {"records", records->front().size()}}});
        Result<LayerTime> time = layerTime(Record(columns, cells, file));
        if (!time)
            return time.error();
        times.push_back(*std::move(time));
    }
    return times;
}

std::vector<ProfileRow> profileRows(const std::vector<LayerTime>& times, const Model& model,
                                    const Cluster& cluster) {
    std::vector<ProfileRow> rows;
    for (const LayerTime& time : times) {
        if (!sameModelName(time.model, model.name))
            continue;
        const Result<GpuText> gpu = parseGpus(time.gpu, {}, Catalogue::builtin());
        if (!gpu || gpu->parts.empty())
            continue; // of a kind that no cluster of ours has
        const std::string& kind = gpu->parts.front().kind.name;
        bool used = false;
        for (const Node& node : cluster.nodes)
            used = used || node.kind == kind;
        if (!used)
            continue;
        ProfileRow row;
        row.model = model.name;
        row.kind = kind;
        row.tp = time.tp;
        row.mbs = time.mbs;
        row.seq = time.seq;
        row.forward = time.forward;
        row.backward = time.backward;
        row.update = time.update;
        row.source = time.source;
        const auto blocks = static_cast<int>(model.blocks);
        const int first = time.part == LayerTime::Part::Embedding ? 0
                          : time.part == LayerTime::Part::Block   ? 1
                                                                  : blocks + 1;
        const int last = time.part == LayerTime::Part::Block ? blocks : first;
        for (row.layer = first; row.layer <= last; ++row.layer)
            rows.push_back(row);
    }
    return rows;
}

Precision precisionOf(const std::vector<ProfileRow>& rows, const Model& model, const Cluster& cluster,
                      std::int64_t seq) {
    std::map<std::string, double> best; // FLOP/s of a GPU by kind
    for (const ProfileRow& row : rows) {
        if (row.layer < 1 || row.layer > static_cast<int>(model.blocks) || row.forward.value <= 0.0)
            continue;
        const auto fine = fineLayers(model, row.seq > 0 ? row.seq : seq);
        const auto at = static_cast<std::size_t>(2 * row.layer);
        const double flops = fine[at - 1].forwardFlops.value + fine[at].forwardFlops.value;
        double& rate = best[row.kind];
        rate = std::max(rate, flops * row.mbs / (row.tp * row.forward.value));
    }
    constexpr double kSlowProducts = 0.3;
    const bool wide = !best.empty() && std::all_of(best.begin(), best.end(), [&](const auto& entry) {
        const DeviceKind& kind = *findKind(cluster, entry.first);
        return entry.second <= kind.fp32.value &&
               entry.second < kSlowProducts * std::max(kind.fp16.value, kind.bf16.value);
    });
    return wide ? Precision::Fp32 : Precision::Auto;
}

} // namespace pw

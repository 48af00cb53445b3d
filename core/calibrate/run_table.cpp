// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/run_table.h"

#include "core/formats/csv.h"

#include "core/base/text.h"
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <span>

namespace pw {

namespace {

using Count = std::optional<std::int64_t> RunRow::*;
using Number = std::optional<double> RunRow::*;
using Text = std::string RunRow::*;

// A column holds a text, a whole number or a number, which is 0 or lies in a range that is wide of every
// machine.
struct Column {
    const char* name;
    Text text = nullptr;
    Count count = nullptr;
    Number number = nullptr;
    double least = 0.0, most = 0.0; // of a number
};

constexpr Column text(const char* name, Text field) {
    return {name, field, nullptr, nullptr, 0.0, 0.0};
}
constexpr Column count(const char* name, Count field) {
    return {name, nullptr, field, nullptr, 0.0, 0.0};
}
constexpr Column number(const char* name, Number field, double least, double most) {
    return {name, nullptr, nullptr, field, least, most};
}

// The first kRequired stand in every table, the rest in the extended form.
constexpr std::size_t kRequired = 46;
constexpr std::array kColumns = {
    text("row_id", &RunRow::rowId),
    text("set", &RunRow::set),
    text("gpu", &RunRow::gpu),
    number("gpu_mem_gb", &RunRow::gpuMemGb, 1e-3, 1e6),
    count("n_gpus", &RunRow::nGpus),
    count("gpus_per_node", &RunRow::gpusPerNode),
    text("network", &RunRow::network),
    text("framework", &RunRow::framework),
    text("model", &RunRow::model),
    number("params_b", &RunRow::paramsB, 1e-9, 1e6),
    count("n_layers", &RunRow::nLayers),
    count("hidden", &RunRow::hidden),
    count("ffn_hidden", &RunRow::ffnHidden),
    count("n_heads", &RunRow::nHeads),
    count("n_kv_heads", &RunRow::nKvHeads),
    count("vocab", &RunRow::vocab),
    count("seq_len", &RunRow::seqLen),
    text("precision", &RunRow::precision),
    count("gbs", &RunRow::gbs),
    count("mbs", &RunRow::mbs),
    count("n_microbatches", &RunRow::nMicrobatches),
    count("tp", &RunRow::tp),
    count("pp", &RunRow::pp),
    text("vpp", &RunRow::vpp),
    count("dp", &RunRow::dp),
    count("cp", &RunRow::cp),
    count("ep", &RunRow::ep),
    count("sp", &RunRow::sp),
    text("sharding", &RunRow::sharding),
    text("recompute", &RunRow::recompute),
    text("schedule", &RunRow::schedule),
    count("flash_attn", &RunRow::flashAttn),
    number("iter_time_s", &RunRow::iterTimeS, 1e-6, 1e7),
    text("iter_time_basis", &RunRow::iterTimeBasis),
    number("tokens_per_s_per_gpu", &RunRow::tokensPerSPerGpu, 1e-6, 1e9),
    number("samples_per_s", &RunRow::samplesPerS, 1e-9, 1e9),
    number("tflops_per_gpu", &RunRow::tflopsPerGpu, 1e-6, 1e6),
    text("tflops_def", &RunRow::tflopsDef),
    number("mfu_pct", &RunRow::mfuPct, 1e-6, 1e3),
    number("hfu_pct", &RunRow::hfuPct, 1e-6, 1e3),
    number("peak_mem_gib", &RunRow::peakMemGib, 1e-6, 1e6),
    text("mem_def", &RunRow::memDef),
    text("quality", &RunRow::quality),
    text("source", &RunRow::source),
    text("verified", &RunRow::verified),
    text("notes", &RunRow::notes),
    text("model_ref", &RunRow::modelRef),
    count("n_experts", &RunRow::nExperts),
    count("experts_top_k", &RunRow::expertsTopK),
    count("moe_ffn", &RunRow::moeFfn),
    count("shared_experts", &RunRow::sharedExperts),
    count("dense_first_layers", &RunRow::denseFirstLayers),
    count("mtp_layers", &RunRow::mtpLayers),
    count("distributed_optimizer", &RunRow::distributedOptimizer),
    count("overlap_grad_reduce", &RunRow::overlapGradReduce),
    count("overlap_param_gather", &RunRow::overlapParamGather),
    count("tp_comm_overlap", &RunRow::tpCommOverlap),
    text("cuda_graphs", &RunRow::cudaGraphs),
    count("fsdp", &RunRow::fsdp),
    text("moe_dispatcher", &RunRow::moeDispatcher),
    text("stage_layers", &RunRow::stageLayers),
    text("peft", &RunRow::peft),
    count("nvlink_domain", &RunRow::nvlinkDomain),
    text("log", &RunRow::log),
};
static_assert(std::string_view(kColumns[kRequired - 1].name) == "notes");

bool meansUnstated(std::string_view text) {
    constexpr std::array words = {"",   "-",  "?",        "n/a",     "N/A",
                                  "na", "NA", "unstated", "unknown", "not stated"};
    return std::find(words.begin(), words.end(), text) != words.end();
}

// Reads the header and rows of one file; the first mistake ends it.
class Reader {
public:
    Reader(const std::string& file, Diagnostics* notes) : m_file(file), m_notes(notes) {}

    Status readHeader(const CsvRecord& header) {
        for (const CsvCell& cell : header) {
            const auto known = std::find_if(kColumns.begin(), kColumns.end(),
                                            [&](const Column& c) { return trimmed(cell.text) == c.name; });
            const Column* column = known == kColumns.end() ? nullptr : &*known;
            if (column == nullptr) {
                if (m_notes != nullptr)
                    m_notes->push_back(
                        {Severity::Warning,
                         "runs.column",
                         place(cell),
                         {"the column \"{text}\" is not known and is not read", {{"text", cell.text}}}});
            } else if (std::find(m_columns.begin(), m_columns.end(), column) != m_columns.end())
                return fault(cell, {"the column {name} is there twice", {{"name", column->name}}});
            m_columns.push_back(column);
        }
        std::string missing;
        for (const Column& column : std::span(kColumns).first(kRequired))
            if (std::find(m_columns.begin(), m_columns.end(), &column) == m_columns.end())
                missing += (missing.empty() ? "" : ", ") + std::string(column.name);
        if (!missing.empty())
            return fault(header.front(), {"the table lacks the columns {missing}", {{"missing", missing}}});
        return Ok{};
    }

    Result<RunRow> readRow(const CsvRecord& record) {
        RunRow row;
        row.line = record.front().line;
        if (record.size() != m_columns.size())
            return fault(record.back(), {"{found} fields; the header has {columns}",
                                         {{"found", record.size()}, {"columns", m_columns.size()}}});
        for (std::size_t i = 0; i < record.size(); ++i)
            if (m_columns[i] != nullptr)
                if (Status read = take(*m_columns[i], record[i], row); !read)
                    return read.error();
        const auto id = static_cast<std::size_t>(
            std::find(m_columns.begin(), m_columns.end(), &kColumns.front()) - m_columns.begin());
        if (row.rowId.empty())
            return fault(record[id], "the row has no row_id");
        if (const auto [before, fresh] = m_lines.emplace(row.rowId, row.line); !fresh)
            return fault(record[id], {"row_id {row_id} was there before, in line {before}",
                                      {{"row_id", row.rowId}, {"before", before->second}}});
        return row;
    }

private:
    std::string place(const CsvCell& at) const { return fmt::format("{}:{}:{}", m_file, at.line, at.column); }
    Error fault(const CsvCell& at, Wording wording) const {
        return badInput("runs.table", place(at), std::move(wording));
    }

    Status take(const Column& column, const CsvCell& cell, RunRow& row) const {
        const std::string_view value = trimmed(cell.text);
        if (column.text) {
            row.*column.text = std::string(value);
            return Ok{};
        }
        if (meansUnstated(value))
            return Ok{};
        double parsed = 0.0;
        const auto [rest, error] = std::from_chars(value.data(), value.data() + value.size(), parsed);
        if (error != std::errc() || rest != value.data() + value.size() || !std::isfinite(parsed) ||
            parsed < 0.0)
            return fault(cell, {"{name} is \"{value}\"; expected a number of at least 0, or nothing",
                                {{"name", column.name}, {"value", value}}});
        if (column.number) {
            if (parsed > column.most || (parsed > 0.0 && parsed < column.least))
                return fault(cell, {"{name} is \"{value}\"; expected 0, {least} to {most}, or nothing",
                                    {{"name", column.name},
                                     {"value", value},
                                     {"least", column.least},
                                     {"most", column.most}}});
            row.*column.number = parsed;
            return Ok{};
        }
        constexpr double kMost = 1e12; // far above any count in a training run, and exact in a double
        if (parsed != std::floor(parsed) || parsed > kMost)
            return fault(cell, {"{name} is \"{value}\"; expected a whole number of at most 1e12, or nothing",
                                {{"name", column.name}, {"value", value}}});
        row.*column.count = static_cast<std::int64_t>(parsed);
        return Ok{};
    }

    const std::string& m_file;
    Diagnostics* m_notes;
    std::vector<const Column*> m_columns; // in the file's order; null = not known
    std::map<std::string, int> m_lines;   // of the ids so far
};

} // namespace

Result<std::vector<RunRow>> readRuns(std::string_view text, const std::string& file, Diagnostics* notes) {
    Result<std::vector<CsvRecord>> records = parseCsv(text, file);
    if (!records)
        return records.error();
    if (records->empty())
        return badInput("runs.table", file, "is empty; expected a header and rows");
    Reader reader(file, notes);
    if (Status header = reader.readHeader(records->front()); !header)
        return header.error();
    std::vector<RunRow> rows;
    rows.reserve(records->size() - 1);
    for (std::size_t i = 1; i < records->size(); ++i) {
        Result<RunRow> row = reader.readRow((*records)[i]);
        if (!row)
            return row.error();
        rows.push_back(*std::move(row));
    }
    return rows;
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrate/run_table.h"
#include "core/formats/csv.h"

#include <QtGlobal>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace pw::test {

using Cells = std::map<std::string, std::string>;

inline const std::vector<std::string>& columns() {
    static const std::vector<std::string> names = {"row_id",
                                                   "set",
                                                   "gpu",
                                                   "gpu_mem_gb",
                                                   "n_gpus",
                                                   "gpus_per_node",
                                                   "network",
                                                   "framework",
                                                   "model",
                                                   "params_b",
                                                   "n_layers",
                                                   "hidden",
                                                   "ffn_hidden",
                                                   "n_heads",
                                                   "n_kv_heads",
                                                   "vocab",
                                                   "seq_len",
                                                   "precision",
                                                   "gbs",
                                                   "mbs",
                                                   "n_microbatches",
                                                   "tp",
                                                   "pp",
                                                   "vpp",
                                                   "dp",
                                                   "cp",
                                                   "ep",
                                                   "sp",
                                                   "sharding",
                                                   "recompute",
                                                   "schedule",
                                                   "flash_attn",
                                                   "iter_time_s",
                                                   "iter_time_basis",
                                                   "tokens_per_s_per_gpu",
                                                   "samples_per_s",
                                                   "tflops_per_gpu",
                                                   "tflops_def",
                                                   "mfu_pct",
                                                   "hfu_pct",
                                                   "peak_mem_gib",
                                                   "mem_def",
                                                   "quality",
                                                   "source",
                                                   "verified",
                                                   "notes"};
    return names;
}

// A table of the 46 columns and those of the cells beside them; cells that are not given are empty.
inline std::string table(const std::vector<Cells>& rows) {
    std::vector<std::string> names = columns();
    for (const Cells& row : rows)
        for (const auto& [name, value] : row)
            if (std::find(names.begin(), names.end(), name) == names.end())
                names.push_back(name);
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ",") + name;
    for (const Cells& row : rows) {
        text += '\n';
        for (std::size_t i = 0; i < names.size(); ++i) {
            const auto cell = row.find(names[i]);
            text += (i > 0 ? "," : "") + (cell == row.end() ? std::string() : csvField(cell->second));
        }
    }
    return text + '\n';
}

inline RunRow row(Cells cells) {
    cells.emplace("row_id", "r1");
    auto rows = readRuns(table({std::move(cells)}), "runs.csv");
    if (!rows)
        qFatal("%s", rows.error().text().c_str());
    return rows->front();
}

// A small GPT on one node of eight, everything stated.
inline Cells plainGpt() {
    return {{"gpu", "A100-SXM4-80GB"},
            {"gpu_mem_gb", "80"},
            {"n_gpus", "8"},
            {"gpus_per_node", "8"},
            {"network", "single node NVLink"},
            {"framework", "Megatron-LM"},
            {"model", "GPT-1.3B"},
            {"n_layers", "24"},
            {"hidden", "2048"},
            {"ffn_hidden", "8192"},
            {"n_heads", "16"},
            {"n_kv_heads", "16"},
            {"vocab", "51200"},
            {"seq_len", "2048"},
            {"precision", "fp16-mixed"},
            {"gbs", "32"},
            {"mbs", "2"},
            {"n_microbatches", "8"},
            {"tp", "2"},
            {"pp", "2"},
            {"vpp", "1"},
            {"dp", "2"},
            {"cp", "1"},
            {"ep", "1"},
            {"sp", "0"},
            {"sharding", "none"},
            {"recompute", "full"},
            {"schedule", "1F1B"},
            {"flash_attn", "0"},
            {"quality", "A"}};
}

inline Cells with(Cells cells, const Cells& changes) {
    for (const auto& [key, value] : changes)
        cells[key] = value;
    return cells;
}

} // namespace pw::test

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/torch_schedule.h"

#include "core/exchange/exports/exporters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace pw {

namespace {

// A pass by virtual stage, kind and micro-batch, and the steps at which passes end.
using Pass = std::tuple<int, OpKind, int>;

class Columns {
public:
    explicit Columns(const Simulation& run) : m_run(run), m_last(run.layout.virtualStages() - 1) {}

    // Passes by their start: every input is then placed before what needs it.
    std::vector<std::vector<std::string>> place() {
        std::vector<const Op*> order;
        for (const Op& op : m_run.ops)
            order.push_back(&op);
        std::stable_sort(order.begin(), order.end(),
                         [](const Op* a, const Op* b) { return a->start < b->start; });
        std::vector<std::vector<std::string>> rows(static_cast<std::size_t>(m_run.layout.stages));
        for (const Op* op : order) {
            std::vector<std::string>& row = rows[static_cast<std::size_t>(op->stage)];
            const int v = m_run.layout.virtualStage(op->stage, op->chunk);
            const std::size_t at = std::max(row.size(), inputEnd(v, *op));
            row.resize(at);
            row.push_back(fmt::format("{}{}{}", v, letter(op->kind), op->microbatch));
            m_end[{v, op->kind, op->microbatch}] = at + 1;
        }
        return rows;
    }

private:
    const char* letter(OpKind kind) const {
        return kind == OpKind::Forward ? "F" : kind == OpKind::WeightGrad ? "W" : m_run.split ? "I" : "B";
    }
    std::size_t endOf(int v, OpKind kind, int microbatch) const {
        const auto known = m_end.find({v, kind, microbatch});
        return known == m_end.end() ? 0 : known->second;
    }
    std::size_t inputEnd(int v, const Op& op) const {
        if (op.kind == OpKind::Forward)
            return v == 0 ? 0 : endOf(v - 1, OpKind::Forward, op.microbatch);
        if (op.kind == OpKind::WeightGrad)
            return endOf(v, OpKind::Backward, op.microbatch);
        return std::max(endOf(v, OpKind::Forward, op.microbatch),
                        v == m_last ? 0 : endOf(v + 1, OpKind::Backward, op.microbatch));
    }

    const Simulation& m_run;
    int m_last;
    std::map<Pass, std::size_t> m_end;
};

} // namespace

std::string torchScheduleCsv(const PipelineFigures& figures) {
    std::vector<std::vector<std::string>> rows = Columns(figures.simulation).place();
    std::size_t columns = 0;
    for (const std::vector<std::string>& row : rows)
        columns = std::max(columns, row.size());
    std::string text;
    for (std::vector<std::string>& row : rows) {
        row.resize(columns);
        text += fmt::format("{}\n", fmt::join(row, ","));
    }
    return text;
}

std::vector<ExportFile> exportTorchSchedule(const ExportInput& input) {
    std::vector<ExportFile> files;
    for (std::size_t p = 0; p < input.evaluation.pipelines.size(); ++p)
        files.push_back({p == 0 ? "schedule.csv" : fmt::format("schedule-{}.csv", p),
                         torchScheduleCsv(input.evaluation.pipelines[p])});
    return files;
}

} // namespace pw

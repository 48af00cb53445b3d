// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/hash.h"
#include "core/sweep/sweep_folder.h"
#include "tests/sweep/sweep_sample.h"

#include <QTemporaryDir>

#include <fstream>

namespace pw::test {

inline constexpr std::size_t kChunk = 600; // tasks

// The folder of a sweep without any search: tasks with made-up names, and results as a test writes them.
class WrittenSweep {
public:
    explicit WrittenSweep(const std::vector<Json>& axes, std::size_t chunkTasks) {
        const ReadSweep read(sweepJson(axes));
        Expansion made;
        Assignment at(read.sweep.axes.size(), 0);
        bool more = true;
        while (more) {
            made.tasks.push_back({at, hashText(std::to_string(made.tasks.size())), 1.0});
            more = false;
            for (std::size_t a = at.size(); a-- > 0 && !more;) {
                more = ++at[a] < read.sweep.axes[a].values.size();
                at[a] = more ? at[a] : 0;
            }
        }
        made.chunks = chunksOf(made.tasks, chunkTasks);
        for (const SweepTask& task : made.tasks)
            m_ids.push_back(task.id);
        if (const Status written = writeSweepFolder(path(), read.sweep, read.inputs, made); !written)
            qFatal("%s", written.error().text().c_str());
    }

    std::filesystem::path path() const { return m_folder.filePath(QStringLiteral("sweep")).toStdString(); }
    std::size_t tasks() const { return m_ids.size(); }
    const std::string& id(std::size_t task) const { return m_ids[task]; }
    // To the end of a result file, as it is: an end of line is the caller's.
    void append(const std::string& text, const std::string& attempt = "00000-local.0.here.1-00000001") const {
        std::ofstream(path() / "results" / (attempt + ".jsonl"), std::ios::app) << text;
    }
    std::string begin(std::size_t task) const { return Json{{"begin", id(task)}}.dump() + '\n'; }
    std::string plan(std::size_t task, double iteration, double pricePerHour = 0.0) const {
        Json record = {
            {"id", id(task)},      {"exit", 0},      {"status", "feasible"}, {"iteration_s", iteration},
            {"tokens_per_s", 1e4}, {"fullest", 0.5}, {"wall_s", 0.1},        {"tool_version", "1"}};
        if (pricePerHour > 0.0)
            record["price_per_hour"] = pricePerHour;
        return record.dump() + '\n';
    }
    std::string noPlan(std::size_t task, const std::string& reason) const {
        return Json{{"id", id(task)},      {"exit", 3},     {"status", "infeasible"},
                    {"reasons", {reason}}, {"wall_s", 0.1}, {"tool_version", "1"}}
                   .dump() +
               '\n';
    }

private:
    QTemporaryDir m_folder;
    std::vector<std::string> m_ids;
};

inline Json drawAxis(const char* name, int count) {
    return {{"name", name}, {"of", "uncertainty"}, {"count", count}, {"seed", 1}};
}

} // namespace pw::test

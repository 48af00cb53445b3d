// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sweep/chunk_work.h"
#include "tests/sweep/sweep_sample.h"

#include <QTemporaryDir>

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace pw::test {

// A folder of two node counts and three batches, in chunks of three.
class MadeSweep {
public:
    explicit MadeSweep(const Json& more = Json::object()) {
        Json document =
            sweepJson({countAxis("A100s", "A100-40", {1, 0}), axis("batch", "recipe.gbs", {64, 128, 256})});
        document.update(more);
        const ReadSweep read(document);
        const Composer composer = read.composer();
        const auto tasks = expand(read.sweep, composer, "sweep.json", {3, 1, {}});
        if (!tasks)
            qFatal("%s", tasks.error().text().c_str());
        if (const Status written = writeSweepFolder(path(), read.sweep, read.inputs, *tasks); !written)
            qFatal("%s", written.error().text().c_str());
        auto opened = openSweepFolder(path());
        if (!opened)
            qFatal("%s", opened.error().text().c_str());
        folder = std::make_unique<SweepFolder>(*std::move(opened));
    }
    std::filesystem::path path() const { return std::filesystem::path(m_dir.path().toStdString()) / "sweep"; }
    std::filesystem::path out(const char* name) const {
        return std::filesystem::path(m_dir.path().toStdString()) / name;
    }
    WorkReport work(std::size_t chunk, const WorkOptions& options = {}) const {
        const auto report = workOff(*folder, chunk, options);
        if (!report)
            qFatal("%s", report.error().text().c_str());
        return *report;
    }
    std::vector<TaskLine> tasks() const { return *readTasks(*folder, std::nullopt); }

    std::unique_ptr<SweepFolder> folder;

private:
    QTemporaryDir m_dir;
};

} // namespace pw::test

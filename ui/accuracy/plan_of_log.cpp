// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accuracy/plan_of_log.h"

#include "core/base/disk.h"
#include "core/calibrate/run_plan.h"
#include "core/calibrate/stage_notes.h"
#include "core/calibrate/training_log.h"
#include "core/problem/problem.h"
#include "ui/base/convert.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <system_error>

namespace pw {

namespace {

// Empty where it cannot be read: whoever loads it says why.
std::string beginningOf(const Disk& disk, const QString& path) {
    constexpr std::size_t kBeginning = std::size_t{1} << 20; // bytes
    std::error_code code;
    const std::unique_ptr<ReadableFile> file = disk.open(s(path), code);
    std::string text(kBeginning, '\0');
    std::size_t length = 0;
    for (std::size_t got = 1; file && got > 0 && length < text.size() && !code; length += got)
        code = file->read(std::span(text).subspan(length), got);
    if (!file || code)
        return {};
    text.resize(length);
    return text;
}

std::optional<RunRow> argumentsIn(const Disk& disk, const QString& path) {
    const TrainingLog log = scanTrainingLog(beginningOf(disk, path));
    if (log.arguments.empty())
        return std::nullopt;
    Result<RunRow> row = runOfArguments(log, s(path));
    return row ? std::optional(*std::move(row)) : std::nullopt;
}

int blocksOf(const Stage& stage, int blocks) {
    int count = 0;
    for (const LayerRange& range : stage.chunks)
        count += (std::min(range.last, 2 * blocks) - std::max(range.first, 1) + 1) / 2;
    return count;
}

bool isRunOf(const RunRow& row, const Candidate& candidate) {
    if (candidate.plan.pipelines.size() != 1)
        return false;
    const Problem& problem = *candidate.problem;
    const Pipeline& pipeline = candidate.plan.pipelines.front();
    const auto stages = static_cast<int>(pipeline.stages.size());
    const auto blocks = static_cast<int>(problem.model().blocks);
    if (row.pp.value_or(1) != stages || row.nLayers.value_or(0) != blocks ||
        row.gbs != problem.recipe().gbs || row.seqLen != problem.recipe().seq ||
        pipeline.schedule.chunks != 1)
        return false;
    std::vector<int> counts = parseStageLayers(row.stageLayers, blocks, stages);
    if (counts.empty())
        counts = splitBlocks(blocks, stages);
    for (int i = 0; i < stages; ++i) {
        const Stage& stage = pipeline.stages[static_cast<std::size_t>(i)];
        if (stage.tp != row.tp.value_or(1) || stage.dp() != row.dp.value_or(1) ||
            stage.cp != row.cp.value_or(1) || blocksOf(stage, blocks) != counts[static_cast<std::size_t>(i)])
            return false;
    }
    return true;
}

} // namespace

const Candidate* planOfLog(const Disk& disk, const Candidates& candidates,
                           const std::shared_ptr<const Problem>& problem, const QStringList& logs) {
    for (const QString& log : logs)
        if (const std::optional<RunRow> row = argumentsIn(disk, log))
            for (const Candidate& candidate : candidates.all()) // the fastest first
                if (!Candidates::isStale(candidate, problem) && isRunOf(*row, candidate))
                    return &candidate;
    return nullptr;
}

} // namespace pw

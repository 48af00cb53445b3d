// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accuracy/plan_of_log.h"

#include "core/calibrate/run_plan.h"
#include "core/calibrate/stage_notes.h"
#include "core/calibrate/training_log.h"
#include "core/problem/problem.h"
#include "ui/base/convert.h"

#include <QFile>

#include <algorithm>
#include <optional>

namespace pw {

namespace {

std::optional<RunRow> argumentsIn(const QString& path) {
    constexpr qint64 kBeginning = 1 << 20; // bytes
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt; // whoever loads it says why
    const TrainingLog log = scanTrainingLog(file.read(kBeginning).toStdString());
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

const Candidate* planOfLog(const Candidates& candidates, const std::shared_ptr<const Problem>& problem,
                           const QStringList& logs) {
    for (const QString& log : logs)
        if (const std::optional<RunRow> row = argumentsIn(log))
            for (const Candidate& candidate : candidates.all()) // the fastest first
                if (!Candidates::isStale(candidate, problem) && isRunOf(*row, candidate))
                    return &candidate;
    return nullptr;
}

} // namespace pw

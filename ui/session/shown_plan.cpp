// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/shown_plan.h"

#include "core/compare/stage_time.h"
#include "core/evaluate/deciding_stages.h"
#include "core/evaluate/idle_share.h"
#include "core/evaluate/utilisation.h"
#include "core/problem/memory_span.h"
#include "core/timeline/build.h"
#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/session/plan_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace pw {

namespace {

bool isLessFull(const ShownDevice& a, const ShownDevice& b) {
    return std::pair(a.filled(), a.peak.total()) < std::pair(b.filled(), b.peak.total());
}

// Where fine layer `index` begins when blocks count as one each; index may be one past the last.
double layerPosition(int index, int fineLayers) {
    if (index <= 0)
        return 0.0;
    if (index >= fineLayers - 1)
        return (fineLayers - 2) / 2 + 1.0 + (index - (fineLayers - 1));
    return 1.0 + (index - 1) / 2.0;
}

void describeLayers(ShownStage& shown, const Stage& stage, int fineLayers) {
    QStringList fine;
    for (const LayerRange& chunk : stage.chunks) {
        shown.layers.push_back(
            {layerPosition(chunk.first, fineLayers), layerPosition(chunk.last + 1, fineLayers)});
        fine << QObject::tr("%1 to %2").arg(chunk.first).arg(chunk.last);
    }
    shown.layerText = q(layersText(stage, fineLayers));
    shown.layerPhrase = q(layersPhrase(stage, fineLayers));
    shown.fineLayers = fine.join(QStringLiteral("; "));
}

QString kindText(const Problem& problem, const Stage& stage, int pipelines) {
    std::map<int, int> counts; // by kind index: a stable order
    for (const Replica& replica : stage.replicas)
        for (const DeviceIndex d : replica.devices)
            ++counts[problem.topology().devices()[static_cast<std::size_t>(d)].kind];
    QStringList parts;
    for (const auto& [kind, count] : counts)
        parts << QStringLiteral("%1 × %2").arg(count).arg(
            q(problem.topology().kinds()[static_cast<std::size_t>(kind)].shortName));
    QString text = parts.join(QStringLiteral(" + "));
    if (pipelines > 1)
        text += QObject::tr(", %n pipelines", nullptr, pipelines);
    return text;
}

void addMemory(ShownStage& shown, const Problem& problem, const Evaluation& evaluation,
               const NodeNames& drawn) {
    const MemorySpan& span = memorySpans().of(problem.recipe().stack);
    for (const DeviceMemory& memory : evaluation.memory) {
        if (memory.pipeline != shown.pipeline || memory.stage != shown.stage)
            continue;
        const Device& device = problem.topology().devices()[static_cast<std::size_t>(memory.device)];
        const MemoryRoom room = memoryRoom(problem, memory);
        shown.memory.push_back({drawnDeviceId(problem, memory.device, drawn),
                                q(problem.topology().kindOf(memory.device).shortName), memory.peak,
                                memory.perMicrobatch, room.limit, room.memory, room.chance,
                                chanceToFit(span, memory.peak.total(), device.memory)});
    }
}

// The rows of a timeline whose nodes are drawn under other names.
std::shared_ptr<const Timeline> renamedTimeline(const Candidate& candidate, const Timeline& timeline,
                                                const NodeNames& drawn) {
    auto renamed = std::make_shared<Timeline>(timeline);
    for (Track& track : renamed->tracks) {
        std::vector<DeviceIndex> devices;
        track.deviceNames.clear();
        for (const Replica& replica : candidate.plan.pipelines[static_cast<std::size_t>(track.pipeline)]
                                          .stages[static_cast<std::size_t>(track.stage)]
                                          .replicas)
            for (const DeviceIndex device : replica.devices) {
                devices.push_back(device);
                track.deviceNames += s(drawnDeviceId(*candidate.problem, device, drawn)) + ' ';
            }
        track.label = devicesLabel(candidate.problem->topology(), std::move(devices), drawn);
    }
    return renamed;
}

// The worst, which core puts first, and how many there are.
QString reasonText(const std::vector<Wording>& reasons) {
    const QString first = messageText(reasons.front());
    const auto others = static_cast<int>(reasons.size()) - 1;
    return others == 0
               ? first
               : QCoreApplication::translate("ShownPlan", "%1, and %n more", nullptr, others).arg(first);
}

} // namespace

QString memoryText(const ShownDevice& device) {
    return memoryText(device.peak.total(), device.room());
}

const ShownDevice* ShownStage::fullest() const {
    const auto at = std::ranges::max_element(memory, isLessFull);
    return at == memory.end() ? nullptr : &*at;
}

const ShownDevice* ShownPlan::fullest() const {
    const ShownDevice* found = nullptr;
    for (const ShownStage& stage : stages)
        if (const ShownDevice* own = stage.fullest(); own && (!found || isLessFull(*found, *own)))
            found = own;
    return found;
}

double ShownPlan::fitChance() const {
    double least = 1.0;
    for (const ShownStage& stage : stages)
        for (const ShownDevice& device : stage.memory)
            if (device.whole().value > 0.0) // else nobody knows
                least = std::min(least, device.fitChance);
    return least;
}

bool ShownPlan::decides(int row) const {
    return deciding.size() < stages.size() && std::ranges::find(deciding, row) != deciding.end();
}

const ChunkLayout& ShownPlan::layoutOf(const ShownStage& stage) const {
    return timeline->tracks[static_cast<std::size_t>(&stage - stages.data())].layout;
}

Seconds ShownPlan::meanTime() const {
    Seconds sum;
    for (const ShownStage& stage : stages)
        sum += stage.time();
    return stages.empty() ? sum : sum / static_cast<double>(stages.size());
}

namespace {

QString sequencesText(double sequences) {
    return decimalText(sequences, sequences == std::floor(sequences) ? 0 : 2);
}

} // namespace

QString parallelText(const ShownStage& stage) {
    return stage.cp > 1 ? QCoreApplication::translate("ShownPlan", "tp %1 dp %2 cp %3")
                              .arg(stage.tp)
                              .arg(stage.dp)
                              .arg(stage.cp)
                        : QCoreApplication::translate("ShownPlan", "tp %1 dp %2").arg(stage.tp).arg(stage.dp);
}

QString furtherText(const ShownStage& stage) {
    QStringList parts;
    if (stage.ep > 1)
        parts << QCoreApplication::translate("ShownPlan", "ep %1").arg(stage.ep);
    if (stage.zero > 1)
        parts << QCoreApplication::translate("ShownPlan", "ZeRO %1").arg(stage.zero);
    return parts.join(QLatin1Char(' '));
}

QString divisionText(const ShownStage& stage) {
    const QString further = furtherText(stage);
    return further.isEmpty() ? parallelText(stage) : parallelText(stage) + QLatin1Char(' ') + further;
}

QString shardedText(const ShownStage& stage) {
    switch (stage.zero) {
    case 1:
        return QCoreApplication::translate("ShownPlan", "optimiser states");
    case 2:
        return QCoreApplication::translate("ShownPlan", "optimiser states, gradients");
    case 3:
        return QCoreApplication::translate("ShownPlan", "optimiser states, gradients, weights");
    default:
        return {};
    }
}

QString replicaNote(const ShownPlan& plan) {
    const auto [low, high] = std::ranges::minmax_element(plan.stages, {}, &ShownStage::sequences);
    if (low == plan.stages.end())
        return {};
    return low->sequences == high->sequences
               ? QCoreApplication::translate("ShownPlan", "%1 a replica").arg(sequencesText(low->sequences))
               : QCoreApplication::translate("ShownPlan", "%1 to %2 a replica")
                     .arg(sequencesText(low->sequences), sequencesText(high->sequences));
}

QString microbatchHelp(const ShownPlan& plan) {
    const auto [low, high] = std::ranges::minmax_element(plan.stages, {}, &ShownStage::sequences);
    if (low == plan.stages.end())
        return {};
    return low->sequences == high->sequences
               ? QCoreApplication::translate(
                     "ShownPlan", "Sequences of a micro-batch are counted over all replicas of a stage "
                                  "together. One replica has %1, which is Megatron-LM's --micro-batch-size.")
                     .arg(sequencesText(low->sequences))
               : QCoreApplication::translate(
                     "ShownPlan",
                     "Sequences of a micro-batch are counted over all replicas of a stage together. One "
                     "replica has %1 to %2, by stage; Megatron-LM's --micro-batch-size is one for all.")
                     .arg(sequencesText(low->sequences), sequencesText(high->sequences));
}

int ShownPlan::stageOfDevice(const QString& device) const {
    const auto at = m_places.constFind(device);
    return at == m_places.constEnd() ? -1 : static_cast<int>(at->stage);
}

const ShownDevice* ShownPlan::device(const QString& device) const {
    const auto at = m_places.constFind(device);
    return at == m_places.constEnd() ? nullptr : &stages[at->stage].memory[at->entry];
}

void ShownPlan::indexDevices() {
    m_places.clear();
    for (std::size_t stage = 0; stage < stages.size(); ++stage)
        for (std::size_t entry = 0; entry < stages[stage].memory.size(); ++entry)
            if (const QString& known = stages[stage].memory[entry].id; !m_places.contains(known))
                m_places.insert(known, {stage, entry});
}

std::shared_ptr<const ShownPlan> makeShownPlan(const Candidate& candidate,
                                               const std::shared_ptr<const CandidateDetail>& detail,
                                               bool stale, const NodeNames& drawn) {
    const Problem& problem = *candidate.problem;
    const Evaluation& evaluation = detail->evaluation;
    auto shown = std::make_shared<ShownPlan>();
    shown->id = candidate.id;
    shown->revision = candidate.revision;
    shown->name = candidate.name;
    shown->stale = stale;
    shown->foreign = candidate.foreign;
    shown->iteration = evaluation.iteration;
    shown->closedForm = evaluation.closedForm;
    shown->tokensPerSecond = evaluation.tokensPerSecond;
    shown->bubble = idleShare(evaluation.bubble);
    shown->utilisation = modelFlopsUtilisation(problem, candidate.plan, evaluation.iteration);
    shown->measuredShare = evaluation.measuredShare;
    shown->estimated = evaluation.isEstimated();
    shown->band = candidate.band;
    shown->nearest = nearestText(candidate.band);
    shown->differs = differencesOf(candidate.band, candidate.features);
    shown->foundBy = candidate.foundBy;
    shown->time = evaluation.time;
    if (!evaluation.feasible && !evaluation.reasons.empty())
        shown->reason = reasonText(evaluation.reasons);
    shown->launch = launchText(candidate.plan);
    shown->precision = QString::fromLatin1(name(problem.precision()));
    const int fineLayers = static_cast<int>(problem.layers().size());
    shown->layerCount = static_cast<int>(layerPosition(fineLayers, fineLayers));
    shown->timeline = drawn.empty() ? std::shared_ptr<const Timeline>(detail, &detail->timeline)
                                    : renamedTimeline(candidate, detail->timeline, drawn);
    const std::vector<StageTime> times = stageTimes(detail->timeline, evaluation);
    // The views follow the timeline's tracks, so that a row means the same stage in all of them.
    for (const Track& track : shown->timeline->tracks) {
        const Pipeline& pipeline = candidate.plan.pipelines[static_cast<std::size_t>(track.pipeline)];
        const Stage& stage = pipeline.stages[static_cast<std::size_t>(track.stage)];
        const PipelineFigures& figures = evaluation.pipelines[static_cast<std::size_t>(track.pipeline)];
        ShownStage row;
        row.pipeline = track.pipeline;
        row.stage = track.stage;
        row.devices = q(track.label);
        row.kind = kindText(problem, stage, pipeline.count);
        row.tp = stage.tp;
        row.dp = stage.dp() / std::max(pipeline.count, 1);
        row.cp = stage.cp;
        row.ep = stage.ep;
        row.zero = stage.dp() * stage.cp > 1 ? stage.zero : 0;
        row.sequences = static_cast<double>(pipeline.microbatchSize) / std::max(row.dp, 1);
        row.recompute = stage.recompute;
        row.recomputeLayers = stage.recomputeLayers;
        for (const partition::OperatorSequence& own : stage.partition)
            row.partition.append(q(partition::text({own})));
        describeLayers(row, stage, fineLayers);
        row.figures = figures.stages[static_cast<std::size_t>(track.stage)];
        const StageTime& time = times[shown->stages.size()];
        row.busy = time.busy;
        row.idle = time.idle;
        row.inFlight = inFlightOverTime(figures.simulation, track.stage);
        for (std::size_t i = 0; i < stage.replicas.size(); ++i) {
            row.devicesIn.push_back(stage.replicas[i].devices);
            for (const DeviceIndex d : stage.replicas[i].devices)
                row.deviceIds << drawnDeviceId(problem, d, drawn);
        }
        addMemory(row, problem, evaluation, drawn);
        shown->stages.push_back(std::move(row));
    }
    shown->deciding = decidingStages(evaluation).stages;
    shown->indexDevices();
    shown->schedule = scheduleText(candidate.plan);
    shown->microbatches = microbatchText(candidate.plan);
    return shown;
}

} // namespace pw

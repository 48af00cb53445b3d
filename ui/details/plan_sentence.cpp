// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/details/plan_sentence.h"

#include "core/accuracy/memory_cases.h"
#include "core/evaluate/deciding_stages.h"
#include "core/model/model.h"
#include "core/problem/memory_span.h"
#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/session/candidates.h"
#include "ui/session/memory_room.h"
#include "ui/session/plan_text.h"
#include "ui/session/search_demand.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <set>

namespace pw {

namespace {

constexpr double kFull = 0.95;    // of a GPU's memory
constexpr double kQuicker = 1.05; // times as long for the same work: less is no reason

QString words(const char* text) {
    return QCoreApplication::translate("PlanSentence", text);
}

// The GPUs of one kind, or of the kinds that share stages.
struct Holder {
    QString kind;
    int gpus = 0;
    double blocks = 0.0;
    double work = 0.0;       // FLOP of a micro-batch's forward pass: a head counts several blocks
    double gpuSeconds = 0.0; // of its forward and backward
    double fullest = 0.0;    // share of memory
    double perGpu() const { return gpus > 0 ? blocks / gpus : 0.0; }
};

std::vector<Holder> holders(const Candidate& c) {
    const Topology& topology = c.problem->topology();
    const int lastBlock = 2 * static_cast<int>(c.problem->model().blocks); // fine layer
    const std::vector<FineLayer> layers = fineLayers(c.problem->model(), c.problem->recipe().seq);
    std::vector<double> full(topology.devices().size()); // share of memory
    for (const DeviceMemory& memory : c.evaluation.memory)
        full[static_cast<std::size_t>(memory.device)] = memory.peak.total() / memory.capacity;
    std::vector<Holder> all;
    for (std::size_t p = 0; p < c.plan.pipelines.size() && p < c.evaluation.pipelines.size(); ++p)
        for (std::size_t i = 0; i < c.plan.pipelines[p].stages.size(); ++i) {
            const Stage& stage = c.plan.pipelines[p].stages[i];
            const StageFigures& figures = c.evaluation.pipelines[p].stages[i];
            std::set<int> kinds;
            double fullest = 0.0;
            for (const Replica& replica : stage.replicas)
                for (const DeviceIndex d : replica.devices) {
                    kinds.insert(topology.devices()[static_cast<std::size_t>(d)].kind);
                    fullest = std::max(fullest, full[static_cast<std::size_t>(d)]);
                }
            QStringList names;
            for (const int kind : kinds)
                names << q(topology.kinds()[static_cast<std::size_t>(kind)].shortName);
            const QString kind = names.join(QStringLiteral(" + "));
            auto at = std::find_if(all.begin(), all.end(), [&](const Holder& h) { return h.kind == kind; });
            if (at == all.end()) {
                at = all.insert(all.end(), Holder());
                at->kind = kind;
            }
            double flops = 0.0; // of a sequence
            // Two fine layers a block, the embedding before them.
            for (const LayerRange& chunk : stage.chunks) {
                at->blocks +=
                    std::max(0, std::min(chunk.last, lastBlock) - std::max(chunk.first, 1) + 1) / 2.0;
                for (int layer = chunk.first; layer <= chunk.last; ++layer)
                    flops += layers[static_cast<std::size_t>(layer)].forwardFlops.value;
            }
            at->work += flops * static_cast<double>(c.plan.pipelines[p].microbatchSize);
            at->gpus += stage.deviceCount();
            at->gpuSeconds += (figures.forward + figures.backward).value * stage.deviceCount();
            at->fullest = std::max(at->fullest, fullest);
        }
    std::stable_sort(all.begin(), all.end(),
                     [](const Holder& a, const Holder& b) { return a.perGpu() > b.perGpu(); });
    return all;
}

QString gpusText(const Holder& holder) {
    return QStringLiteral("%1 %2").arg(holder.gpus).arg(holder.kind);
}

QString blocksText(double blocks) {
    return decimalText(blocks, blocks == std::floor(blocks) ? 0 : 1);
}

// Why the first holds more a GPU than the last.
QString reason(const Holder& most, const Holder& least) {
    if (most.blocks <= 0.0 || least.blocks <= 0.0 || most.perGpu() <= least.perGpu())
        return {};
    const double slower = (least.gpuSeconds / least.work) / (most.gpuSeconds / most.work);
    if (slower >= kQuicker)
        return words(", since the same work takes %1 times as long on %2")
            .arg(decimalText(slower, 1), least.kind);
    return least.fullest >= kFull ? words(", since the memory of %1 is full").arg(least.kind) : QString();
}

QString whoHoldsWhat(const Candidate& c) {
    const std::vector<Holder> all = holders(c);
    if (all.empty())
        return {};
    double blocks = 0.0;
    QStringList others;
    for (const Holder& holder : all) {
        blocks += holder.blocks;
        if (&holder != &all.front())
            others << words("%1 hold %2").arg(gpusText(holder), blocksText(holder.blocks));
    }
    if (others.isEmpty())
        return words("%1 hold all %2 blocks.").arg(gpusText(all.front()), blocksText(blocks));
    return words("%1 hold %2 of %3 blocks, %4%5.")
        .arg(gpusText(all.front()), blocksText(all.front().blocks), blocksText(blocks),
             others.join(QStringLiteral(", ")), reason(all.front(), all.back()));
}

QString whatDecides(const Candidate& c) {
    const DecidingStages deciding = decidingStages(c.evaluation);
    std::size_t stages = 0;
    for (const PipelineFigures& pipeline : c.evaluation.pipelines)
        stages += pipeline.simulation.busy.size();
    if (stages < 2 || c.evaluation.iteration.value <= 0.0)
        return {};
    const QString share = shareText(deciding.computing / c.evaluation.iteration);
    if (deciding.stages.size() == stages)
        return words("All stages take equally long: each computes for %1 of the time.").arg(share);
    return (deciding.stages.size() == 1 ? words("Stage %1 decides the time: it computes for %2 of it.")
                                        : words("Stages %1 decide the time: each computes for %2 of it."))
        .arg(q(stageNumbers(deciding.stages)), share);
}

// Of a plan whose memory is enough as predicted, if measured peaks make that doubtful.
QString whatMayNotFit(const Candidate& c) {
    const DeviceMemory* fullest = fullestDevice(c.evaluation);
    if (!fullest || !c.evaluation.feasible)
        return {};
    const double chance = chanceToFit(*c.problem, c.evaluation);
    if (chance >= kLikelyToFit)
        return {};
    return words("It fits with a chance of %1 only: its fullest GPU is predicted to be %2 full.")
        .arg(chanceOfFitText(chance), shareText(fullest->peak.total() / fullest->capacity));
}

// A search that is told no trainer may end in a plan that none takes. Asking until one does takes less than a
// millisecond on sixteen GPUs.
QString whoRunsIt(const Candidate& c) {
    if (!c.evaluation.feasible || std::ranges::any_of(searchTargets(), [&](const ExporterRow* target) {
            return target->trainer && canRun(*target, *c.problem, c.plan);
        }))
        return {};
    return words("No trainer runs it as it is; Export says why, and what helps.");
}

QString whatIsLeft(const Candidate& c, Seconds bound) {
    if (bound.value <= 0.0 || !c.evaluation.feasible)
        return {};
    const double gap = c.evaluation.iteration / bound - 1.0; // as everywhere
    if (gap < 5e-4)
        return words("By the lower bound no plan is predicted to take less.");
    return words("By the lower bound no plan is predicted to take less than %1; this one takes %2 more.")
        .arg(iterationText(bound), shareText(gap));
}

} // namespace

QString planSentence(const Candidate& plan, Seconds bound) {
    QStringList sentences = {whoHoldsWhat(plan), whatDecides(plan), whatMayNotFit(plan),
                             whatIsLeft(plan, bound), whoRunsIt(plan)};
    sentences.removeAll(QString());
    return sentences.join(QLatin1Char(' '));
}

} // namespace pw

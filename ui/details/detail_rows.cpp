// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/details/detail_rows.h"

#include "core/problem/memory_span.h"
#include "ui/base/format.h"
#include "ui/details/details_panel.h"
#include "ui/session/plan_text.h"
#include "ui/timeline/bar_text.h"
#include "ui/timeline/time_axis.h"

#include <cmath>

namespace pw {

namespace {

constexpr qsizetype kOperatorsALine = 2;

QString provenanceText(Provenance provenance) {
    switch (provenance) {
    case Provenance::Measured:
        return DetailsPanel::tr("measured");
    case Provenance::Interpolated:
        return DetailsPanel::tr("interpolated");
    case Provenance::Fitted:
        return DetailsPanel::tr("fitted");
    case Provenance::Estimated:
        break;
    }
    return DetailsPanel::tr("∴ estimated");
}

// They add up to the iteration.
void addTimeParts(const TimeParts& t, std::vector<Property>& rows) {
    rows.push_back({DetailsPanel::tr("Fill, drain"),
                    DetailsPanel::tr("%1, %2").arg(iterationText(t.fill), iterationText(t.drain)),
                    DetailsPanel::tr("busiest stage"),
                    {},
                    {},
                    false,
                    DetailsPanel::tr("How long the stage that computes most waits for its first micro-batch, "
                                     "and how long other stages go on behind its last pass. Both are 0 where "
                                     "that is the first stage, which starts at once and ends last.")});
    rows.push_back({DetailsPanel::tr("Steady"),
                    iterationText(t.steady),
                    {},
                    {},
                    {},
                    false,
                    DetailsPanel::tr("What that stage computes, and its waits for other stages between its "
                                     "first and its last pass.")});
    rows.push_back(
        {DetailsPanel::tr("Exposed"),
         DetailsPanel::tr("tp %1, dp %2, pp %3")
             .arg(iterationText(t.exposedTp), iterationText(t.exposedDp), iterationText(t.exposedPp)),
         {},
         {},
         {},
         false,
         DetailsPanel::tr("Communication that nothing hides. tp: inside the passes of that stage. "
                          "dp: gradients that are still summed over replicas behind the last pass "
                          "of all stages. pp: its waits for transfers.")});
    rows.push_back(
        {DetailsPanel::tr("Sync, step"),
         DetailsPanel::tr("%1, %2").arg(iterationText(t.sync), iterationText(t.optimizer)),
         {},
         {},
         {},
         false,
         DetailsPanel::tr("Sync: the gradient of a tied embedding, which first and last stage "
                          "exchange behind the sums over replicas; 0 where the head has a matrix of "
                          "its own. Step: the optimiser's.")});
}

QString linkOf(BarRef ref) {
    return QStringLiteral("%1/%2/%3").arg(ref.track).arg(static_cast<int>(ref.lane)).arg(ref.bar);
}

} // namespace

std::vector<Property> planRows(const ShownPlan& plan, Seconds bound,
                               const std::pair<QString, QString>& beside) {
    std::vector<Property> rows;
    if (!plan.reason.isEmpty())
        rows.push_back({DetailsPanel::tr("Infeasible"), plan.reason, {}, {}, {}, true});
    rows.push_back({DetailsPanel::tr("Iteration"),
                    iterationText(plan.iteration),
                    plan.base ? DetailsPanel::tr("%1 % to plan %2")
                                    .arg(signedText(100.0 * (plan.iteration / plan.base->iteration - 1.0), 2),
                                         plan.base->name)
                              : DetailsPanel::tr("predicted"),
                    plan.estimated ? DetailsPanel::tr("∴ estimated") : DetailsPanel::tr("measured"),
                    {}});
    if (!plan.band.cases.empty()) {
        rows.push_back({DetailsPanel::tr("Expected"),
                        expectedText(plan.band, plan.iteration),
                        DetailsPanel::tr("80 %"),
                        {},
                        {}});
        rows.push_back({DetailsPanel::tr("Rests on"),
                        basisText(plan.band),
                        DetailsPanel::tr("distance %1").arg(decimalText(plan.band.distance, 2)),
                        {},
                        {},
                        !plan.band.isNear()});
        rows.push_back({DetailsPanel::tr("Nearest"), plan.nearest, {}, {}, {}});
        for (const QString& what : plan.differs)
            rows.push_back({what == plan.differs.front() ? DetailsPanel::tr("Differs in") : QString(),
                            what,
                            {},
                            {},
                            {}});
    }
    if (const auto& [verdict, sentence] = beside; !verdict.isEmpty())
        rows.push_back({DetailsPanel::tr("Beside best"), verdict, sentence, {}, {}});
    rows.push_back({DetailsPanel::tr("Measured"),
                    shareText(plan.measuredShare),
                    DetailsPanel::tr("of the computing time"),
                    {},
                    {}});
    rows.push_back({DetailsPanel::tr("Closed form"),
                    iterationText(plan.closedForm),
                    DetailsPanel::tr("a filter, not ranked"),
                    {},
                    {}});
    if (bound.value > 0.0)
        rows.push_back({DetailsPanel::tr("Lower bound"),
                        iterationText(bound),
                        DetailsPanel::tr("gap %1").arg(shareText(plan.iteration / bound - 1.0)),
                        {},
                        {}});
    rows.push_back({DetailsPanel::tr("Tokens/s"), tokensText(plan.tokensPerSecond), {}, {}, {}});
    rows.push_back({DetailsPanel::tr("Bubble"),
                    shareText(plan.bubble),
                    DetailsPanel::tr("in the worst stage"),
                    {},
                    {},
                    plan.bubble > 0.2,
                    bubbleHelp(plan.bubble)});
    // Layers that were measured in another precision than the plan states have another peak.
    const bool beyond = plan.utilisation > 1.0;
    rows.push_back({DetailsPanel::tr("MFU"),
                    shareText(plan.utilisation),
                    beyond ? DetailsPanel::tr("above the peak of %1: the layers were measured in another")
                                 .arg(plan.precision)
                           : DetailsPanel::tr("of its GPUs' dense peak"),
                    {},
                    {},
                    beyond});
    if (const ShownDevice* fullest = plan.fullest())
        rows.push_back({DetailsPanel::tr("Fullest GPU"),
                        fullest->id,
                        memoryText(*fullest),
                        {},
                        {},
                        fullest->peak.total() > fullest->capacity});
    if (const ShownDevice* fullest = plan.fullest(); fullest && fullest->whole().value > 0.0)
        rows.push_back({DetailsPanel::tr("Chance to fit"),
                        chanceOfFitText(plan.fitChance()),
                        DetailsPanel::tr("that all GPUs have room"),
                        {},
                        {},
                        plan.fitChance() < kLikelyToFit,
                        DetailsPanel::tr(
                            "From measured peaks of memory beside their predictions. A search for a greater "
                            "chance, Chance to fit in the Model view, finds plans that need less.")});
    rows.push_back({DetailsPanel::tr("Precision"), plan.precision, {}, {}, {}});
    rows.push_back({DetailsPanel::tr("Micro-batches"),
                    plan.microbatches,
                    replicaNote(plan),
                    {},
                    {},
                    false,
                    microbatchHelp(plan)});
    rows.push_back({DetailsPanel::tr("Schedule"),
                    plan.schedule,
                    plan.launch.isEmpty() ? QString() : DetailsPanel::tr("launch %1").arg(plan.launch),
                    {},
                    {}});
    if (!plan.foundBy.isEmpty())
        rows.push_back({DetailsPanel::tr("Found by"), plan.foundBy, {}, {}, {}});
    addTimeParts(plan.time, rows);
    return rows;
}

std::vector<Property> stageRows(const ShownPlan& plan, const ShownStage& stage) {
    const StageFigures& f = stage.figures;
    const auto ms = [](Seconds time) { return decimalText(time.value * 1e3, 1) + QStringLiteral(" ms"); };
    std::vector<Property> rows;
    rows.push_back({DetailsPanel::tr("Layers"),
                    stage.layerPhrase,
                    DetailsPanel::tr("(fine layers %1)").arg(stage.fineLayers),
                    {},
                    {}});
    rows.push_back({DetailsPanel::tr("Devices"), stage.devices, {}, {}, {}});
    const QString sequences =
        decimalText(stage.sequences, stage.sequences == std::floor(stage.sequences) ? 0 : 2);
    QString parallel = DetailsPanel::tr("tp %1").arg(stage.tp);
    if (stage.cp > 1)
        parallel += DetailsPanel::tr(", cp %1").arg(stage.cp);
    if (stage.ep > 1)
        parallel += DetailsPanel::tr(", ep %1").arg(stage.ep);
    parallel += (stage.sequences == 1.0 ? DetailsPanel::tr(", dp %1, %2 sequence each")
                                        : DetailsPanel::tr(", dp %1, %2 sequences each"))
                    .arg(stage.dp)
                    .arg(sequences);
    rows.push_back({DetailsPanel::tr("Parallel"), parallel, {}, {}, {}});
    if (stage.zero > 0)
        rows.push_back({DetailsPanel::tr("Sharded"),
                        shardedText(stage),
                        DetailsPanel::tr("(ZeRO %1)").arg(stage.zero),
                        {},
                        {},
                        false,
                        DetailsPanel::tr("Each rank of the replicas holds a share of these, not all")});
    if (!stage.partition.isEmpty())
        rows.push_back({DetailsPanel::tr("Partition"),
                        DetailsPanel::tr("PrimePar"),
                        {},
                        DetailsPanel::tr("∴ predicted"),
                        {}});
    for (qsizetype i = 0; i < stage.partition.size(); i += kOperatorsALine)
        rows.push_back({{}, stage.partition.mid(i, kOperatorsALine).join(QStringLiteral(", ")), {}, {}, {}});
    rows.push_back({DetailsPanel::tr("Launch"),
                    QString::number(f.inFlight),
                    f.inFlight == 1 ? DetailsPanel::tr("micro-batch in flight")
                                    : DetailsPanel::tr("micro-batches in flight"),
                    {},
                    {}});
    const QString provenance = provenanceText(f.forwardProvenance);
    rows.push_back({DetailsPanel::tr("Forward"), ms(f.forward), {}, provenance, {}});
    rows.push_back({DetailsPanel::tr("Backward"),
                    ms(f.backward),
                    f.recompute.value > 0.0
                        ? DetailsPanel::tr("incl. recompute %1").arg(decimalText(f.recompute.value * 1e3, 1))
                        : QString(),
                    f.forwardProvenance == Provenance::Estimated ? provenance : QString(),
                    {}});
    const int next = plan.layoutOf(stage).stageBehind(stage.stage);
    if (next >= 0)
        rows.push_back({DetailsPanel::tr("Send"),
                        DetailsPanel::tr("%1 to stage %2").arg(ms(f.send)).arg(next),
                        {},
                        provenanceText(f.sendProvenance),
                        {}});
    if (const ShownDevice* device = stage.fullest())
        rows.push_back({DetailsPanel::tr("Memory"),
                        peakText(device->peak.total(), {device->whole(), {}}),
                        {},
                        DetailsPanel::tr("∴ estimated"),
                        {},
                        device->peak.total().value >= 0.95 * device->capacity.value});
    if (const ShownDevice* device = stage.fullest(); device && device->room().isHeldBack())
        rows.push_back({DetailsPanel::tr("At most"),
                        DetailsPanel::tr("%1 GiB").arg(gibText(device->capacity)),
                        DetailsPanel::tr("to fit with %1 % chance").arg(chanceText(device->room())),
                        {},
                        {}});
    const double idle = plan.iteration.value > 0.0 ? stage.idle.total() / plan.iteration : 0.0;
    rows.push_back({DetailsPanel::tr("Idle"),
                    DetailsPanel::tr("%1 of the iteration").arg(shareText(idle)),
                    {},
                    {},
                    {},
                    idle > 0.2});
    return rows;
}

std::vector<Property> barRows(const Timeline& timeline, BarRef ref) {
    const Lane& lane = laneOf(timeline, ref);
    const auto i = static_cast<std::size_t>(ref.bar);
    std::vector<Property> rows;
    rows.push_back({DetailsPanel::tr("Start"),
                    decimalText(static_cast<double>(lane.start(i)) / 1e9, 3) + QStringLiteral(" s"),
                    DetailsPanel::tr("for %1").arg(spanText(lane.end(i) - lane.start(i))),
                    lane.estimated(i) ? DetailsPanel::tr("∴ estimated") : QString(),
                    {}});
    if (const BarRef before = dataSource(timeline, ref); isBar(timeline, before)) {
        // What the bar could not start before; idle time in front of it is what it really waited.
        const std::int64_t free = i > 0 ? lane.end(i - 1) : 0;
        const std::int64_t waited = lane.start(i) - free;
        rows.push_back({DetailsPanel::tr("Waited for"),
                        barPlace(timeline, before),
                        waited > 0 ? spanText(waited) : DetailsPanel::tr("in time"),
                        {},
                        linkOf(before)});
    } else {
        rows.push_back({DetailsPanel::tr("Waited for"), DetailsPanel::tr("nothing"), {}, {}, {}});
    }
    if (const BarRef after = dataTarget(timeline, ref); isBar(timeline, after))
        rows.push_back({DetailsPanel::tr("Then"), barPlace(timeline, after), {}, {}, linkOf(after)});
    return rows;
}

} // namespace pw

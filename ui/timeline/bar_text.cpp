// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/bar_text.h"

#include "ui/base/format.h"
#include "ui/timeline/time_axis.h"

#include <QCoreApplication>

namespace pw {

namespace {

QString barTextOf(const char* text) {
    return QCoreApplication::translate("pw::BarText", text);
}

QString letter(BarKind kind) {
    switch (kind) {
    case BarKind::Forward:
        return QStringLiteral("F");
    case BarKind::Backward:
        return QStringLiteral("B");
    case BarKind::WeightGrad:
        return QStringLiteral("W");
    case BarKind::Recompute:
        return QStringLiteral("R");
    case BarKind::Transfer:
    case BarKind::AllReduce:
    case BarKind::Optimizer:
        break;
    }
    return kindName(kind);
}

// The gap's cause: what the next bar of the row had to wait for.
QString gapCause(const Timeline& timeline, int track, const TimeWindow& window) {
    const Lane& lane = timeline.tracks[static_cast<std::size_t>(track)].lane(LaneRole::Compute);
    const std::size_t next = lane.firstEndingAfter(window.end - 1);
    if (next >= lane.size())
        return barTextOf("cool-down");
    const BarRef cause = dataSource(timeline, {track, LaneRole::Compute, static_cast<std::ptrdiff_t>(next)});
    if (!cause || cause.track == track)
        return {};
    // What it needs was computed before the gap began: only its way here took the time.
    if (laneOf(timeline, cause).end(static_cast<std::size_t>(cause.bar)) <= window.begin)
        return barTextOf("waits for the link from stage %1")
            .arg(timeline.tracks[static_cast<std::size_t>(cause.track)].stage);
    return barTextOf("waits for %1 of stage %2")
        .arg(barName(timeline, cause))
        .arg(timeline.tracks[static_cast<std::size_t>(cause.track)].stage);
}

} // namespace

BarRef refOf(const Selection::Bar& bar) {
    if (bar.lane < 0 || bar.lane >= kLaneRoles)
        return {};
    return {bar.track, static_cast<LaneRole>(bar.lane), bar.index};
}

Selection::Bar selectionOf(BarRef ref) {
    return ref ? Selection::Bar{ref.track, static_cast<int>(ref.lane), ref.bar} : Selection::Bar{};
}

bool isBar(const Timeline& timeline, BarRef ref) {
    return ref && ref.track >= 0 && static_cast<std::size_t>(ref.track) < timeline.tracks.size() &&
           static_cast<std::size_t>(ref.bar) < laneOf(timeline, ref).size();
}

const Lane& laneOf(const Timeline& timeline, BarRef ref) {
    return timeline.tracks[static_cast<std::size_t>(ref.track)].lane(ref.lane);
}

QString kindName(BarKind kind) {
    switch (kind) {
    case BarKind::Forward:
        return barTextOf("Forward");
    case BarKind::Backward:
        return barTextOf("Backward");
    case BarKind::WeightGrad:
        return barTextOf("Weight gradient");
    case BarKind::Recompute:
        return barTextOf("Recompute");
    case BarKind::Transfer:
        return barTextOf("Transfer");
    case BarKind::AllReduce:
        return barTextOf("All-reduce");
    case BarKind::Optimizer:
        return barTextOf("Optimizer");
    }
    return {};
}

QString barName(const Timeline& timeline, BarRef ref) {
    const Lane& lane = laneOf(timeline, ref);
    const auto i = static_cast<std::size_t>(ref.bar);
    const QString name = letter(lane.kind(i));
    if (lane.microbatch(i) < 0 || ref.lane == LaneRole::Sync)
        return name;
    const QString full = QStringLiteral("%1 %2").arg(name).arg(lane.microbatch(i));
    return timeline.tracks[static_cast<std::size_t>(ref.track)].layout.chunks > 1
               ? barTextOf("%1 of chunk %2").arg(full).arg(lane.chunk(i))
               : full;
}

QString barPlace(const Timeline& timeline, BarRef ref) {
    return barTextOf("%1 on stage %2")
        .arg(barName(timeline, ref))
        .arg(timeline.tracks[static_cast<std::size_t>(ref.track)].stage);
}

QString barKindText(const Timeline& timeline, BarRef ref) {
    const Lane& lane = laneOf(timeline, ref);
    const auto i = static_cast<std::size_t>(ref.bar);
    const Track& track = timeline.tracks[static_cast<std::size_t>(ref.track)];
    QString text = kindName(lane.kind(i)).toLower();
    if (ref.lane == LaneRole::ForwardSend)
        text = barTextOf("transfer to stage %1").arg(track.layout.stageBehind(track.stage));
    else if (ref.lane == LaneRole::BackwardSend)
        text = barTextOf("transfer to stage %1").arg(track.layout.stageBefore(track.stage));
    if (ref.lane != LaneRole::Sync && lane.microbatch(i) >= 0)
        text += barTextOf(", micro-batch %1").arg(lane.microbatch(i));
    return text;
}

QString barDescription(const Timeline& timeline, BarRef ref) {
    const Lane& lane = laneOf(timeline, ref);
    const auto i = static_cast<std::size_t>(ref.bar);
    QString text = barTextOf("%1, stage %2, %3 s for %4")
                       .arg(barName(timeline, ref))
                       .arg(timeline.tracks[static_cast<std::size_t>(ref.track)].stage)
                       .arg(decimalText(static_cast<double>(lane.start(i)) / 1e9, 3),
                            spanText(lane.end(i) - lane.start(i)));
    if (lane.estimated(i))
        text += barTextOf(", ∴ estimated");
    return text;
}

AreaText areaText(const Timeline& timeline, int firstTrack, int lastTrack, const TimeWindow& window) {
    std::size_t bars = 0;
    std::int64_t busy = 0, idle = 0;
    for (int t = firstTrack; t <= lastTrack; ++t) {
        idle += window.span();
        for (const LaneRole role : {LaneRole::Compute, LaneRole::Sync}) {
            const RangeStatistics sums = rangeStatistics(
                timeline.tracks[static_cast<std::size_t>(t)].lane(role), window.begin, window.end);
            for (const KindStatistics& kind : sums.byKind)
                bars += kind.count;
            busy += sums.busy;
            idle -= sums.busy;
        }
    }
    if (busy == 0) {
        const QString cause = firstTrack == lastTrack ? gapCause(timeline, firstTrack, window) : QString();
        return {spanText(window.span()),
                cause.isEmpty() ? barTextOf("idle") : barTextOf("idle, %1").arg(cause)};
    }
    const double share =
        static_cast<double>(busy) / static_cast<double>(std::max<std::int64_t>(busy + idle, 1));
    return {spanText(window.span()),
            barTextOf("%1 bars, %2 busy, %3 idle")
                .arg(countText(static_cast<std::int64_t>(bars)), shareText(share), spanText(idle))};
}

} // namespace pw

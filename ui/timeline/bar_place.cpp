// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/bar_place.h"

#include "ui/timeline/bar_text.h"

#include <algorithm>

namespace pw {

QRect barRect(const Timeline& timeline, const GanttViewport& viewport, BarRef ref) {
    if (!isBar(timeline, ref))
        return {};
    const Lane& lane = laneOf(timeline, ref);
    const auto i = static_cast<std::size_t>(ref.bar);
    const QRect band = viewport.band(ref.track, ref.lane);
    if (band.isNull())
        return {};
    const double width = viewport.size.width(), far = 4.0 * width; // keeps pixels of deep zooms inside an int
    const int x0 = static_cast<int>(std::clamp(viewport.x(lane.start(i)), -far, 5.0 * width));
    const int x1 = static_cast<int>(std::clamp(viewport.x(lane.end(i)), -far, 5.0 * width));
    return QRect(x0, band.top(), std::max(1, x1 - x0), band.height());
}

BarRef barAt(const Timeline& timeline, const GanttViewport& viewport, const QPoint& at) {
    const int track = at.y() < 0 ? -1 : viewport.trackAt(at.y());
    if (track < 0 || track >= static_cast<int>(timeline.tracks.size()))
        return {};
    const std::int64_t t = viewport.timeAt(at.x());
    const std::int64_t slack = viewport.window.span() * 3 / std::max(viewport.size.width(), 1);
    const auto hit = [&](LaneRole role) {
        return BarRef{track, role,
                      hitTest(timeline.tracks[static_cast<std::size_t>(track)].lane(role), t, slack)};
    };
    for (const LaneRole role : {LaneRole::ForwardSend, LaneRole::BackwardSend})
        if (viewport.band(track, role).adjusted(0, -1, 0, 1).contains(at))
            return hit(role);
    if (!viewport.band(track, LaneRole::Compute).contains(at))
        return {};
    const BarRef compute = hit(LaneRole::Compute);
    return compute ? compute : hit(LaneRole::Sync);
}

} // namespace pw

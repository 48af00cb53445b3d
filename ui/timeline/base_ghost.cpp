// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/base_ghost.h"

#include <QPainter>

#include <algorithm>

namespace pw {

namespace {

constexpr int kStrip = 2, kDash = 4;

} // namespace

void paintBaseGhost(QPainter& painter, const Timeline& base, const GanttViewport& view, const Theme& theme) {
    std::vector<FoldedItem> items;
    for (int i = 0; i < static_cast<int>(base.tracks.size()); ++i) {
        const int y = view.rowTop(i) + 1;
        if (y + kStrip < 0 || y >= view.size.height())
            continue;
        items.clear();
        fold(base.tracks[static_cast<std::size_t>(i)].lane(LaneRole::Compute), view.window.begin,
             view.window.end, view.size.width(), view.minPixels, items);
        for (const FoldedItem& item : items) {
            const double left = view.x(item.start), right = std::max(view.x(item.end), left + 1.0);
            const double share = std::max(0.2, item.count > 1 ? item.coverage() : 1.0);
            // A gap of a pixel keeps neighbours apart where they have room.
            const double gap = right - left >= 4.0 ? 1.0 : 0.0;
            painter.fillRect(QRectF(left, y, right - left - gap, kStrip),
                             mixed(theme.text3, theme.panel, share));
        }
    }
    const double end = view.x(base.end);
    for (int y = 0; end >= 0.0 && end < view.size.width() && y < view.size.height(); y += 2 * kDash)
        painter.fillRect(QRectF(end, y, 1, kDash), theme.text3);
}

} // namespace pw

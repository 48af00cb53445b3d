// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline.h"
#include "ui/base/theme.h"

#include <QRect>
#include <QSize>

#include <vector>

class QPainter;

namespace pw {

// What part of a timeline is drawn, and how large: time from left to right over the whole width, one row a
// track. All lengths in logical pixels. The arithmetic is here and not in the widget, so that pictures, hits
// and tests agree.
struct GanttViewport {
    TimeWindow window;
    QSize size;
    int scroll = 0;         // rows are shifted up by this
    int rowHeight = 48;     // bands from 38 on have lanes for the sends
    double minPixels = 1.0; // narrower runs of bars fold into one item
    bool text = true;       // micro-batch numbers
    bool stale = false;     // kinds near the ground
    bool grid = true;       // lines at the ticks of the window's own time

    // A row may be divided into bands of one height, one above the other, of which this draws one: the
    // predicted bars and what ran. Negative: none.
    int part = 0, parts = 1;

    bool ordered = false;  // `rows` says which tracks stand where; else all do, in their order
    std::vector<int> rows; // tracks from top to bottom
    int pinned = 0;        // the first of them, which do not scroll

    int bandHeight() const { return rowHeight / parts; }
    bool hasLanes() const { return bandHeight() >= 38; }
    int rowOf(int track) const;  // -1: it is hidden
    int rowTop(int track) const; // far above the view for one that is hidden
    int rowAt(int y) const;      // may lie behind the last row
    int trackAt(int y) const;    // behind the last row: behind the last track
    int trackIn(int row) const;  // likewise
    // Compute and gradient sync share one band; each send direction has a thin one below it (empty when
    // collapsed).
    QRect band(int track, LaneRole role) const;
    // Left edge of an instant, rounded to device pixels.
    double x(std::int64_t t, double pixelRatio = 1.0) const;
    std::int64_t timeAt(double x) const { return window.toTime(x, size.width()); }
};

// Colour of a bar below 4 px, where no edge fits: the light theme's pale kinds take their edge, which has the
// contrast.
QColor narrowColour(const Theme& theme, BarKind kind);

// Draws tracks, grid, idle hatch, bars and numbers. One pure function for the screen, exported pictures and
// tests. Fills rectangles and nothing else: at 100,000 bars pens cost 20 times as much, antialiasing 10
// times. Runs of folded bars are filled column by column. At most 500 numbers a picture.
namespace GanttPainter {
void paint(QPainter& painter, const Timeline& timeline, const GanttViewport& viewport, const Theme& theme);
// The bars alone, over what is painted: of another band.
void paintBars(QPainter& painter, const Timeline& timeline, const GanttViewport& viewport,
               const Theme& theme);
} // namespace GanttPainter

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/gantt_painter.h"

#include "ui/timeline/time_axis.h"

#include <QHash>
#include <QImage>
#include <QPaintEngine>
#include <QPainter>
#include <QStaticText>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace pw {

namespace {

constexpr double kEdgeFrom = 4.0;    // px: narrower bars have no edge
constexpr double kNumberFrom = 24.0; // px: narrower bars have no number
constexpr int kMostNumbers = 500;
constexpr double kHatchFrom = 2.0; // px: narrower gaps show the ground
constexpr int kTones = 16;

// Numbers are laid out once each; a painter in another thread has its own.
class NumberTexts {
public:
    const QStaticText& text(std::int32_t number, const QFont& font) {
        if (font != m_font || m_texts.size() > 4096) {
            m_texts.clear();
            m_font = font;
        }
        QStaticText& text = m_texts[number];
        if (text.text().isEmpty()) {
            text.setText(QString::number(number));
            text.setTextFormat(Qt::PlainText);
            text.prepare(QTransform(), font);
        }
        return text;
    }

private:
    QFont m_font;
    QHash<std::int32_t, QStaticText> m_texts;
};

// Pixels can be set for this painter, without scaling and rounding: `ratio` device pixels a logical one.
bool paintsPixels(const QPainter& painter, double ratio) {
    const QTransform& to = painter.deviceTransform();
    return painter.paintEngine() && painter.paintEngine()->type() == QPaintEngine::Raster &&
           to.type() <= QTransform::TxScale && to.m11() == ratio && to.m22() == ratio &&
           ratio == std::round(ratio) && to.dx() == std::round(to.dx()) && to.dy() == std::round(to.dy());
}

// Folded and narrow bars stand side by side by the thousand in a zoomed-out row. Their colours are collected
// column by column and drawn as one picture, in a tenth of the time of as many rectangles; where the painter
// makes no pixels (SVG, PDF) they are rectangles.
class Drawing {
public:
    Drawing(QPainter& painter, const Timeline& timeline, const GanttViewport& viewport, const Theme& theme)
        : m_painter(painter), m_timeline(timeline), m_view(viewport), m_theme(theme),
          m_ratio(painter.device() ? painter.device()->devicePixelRatioF() : 1.0),
          m_columns(static_cast<int>(std::lround(viewport.size.width() * m_ratio))),
          m_pixels(paintsPixels(painter, m_ratio)), m_colours(static_cast<std::size_t>(m_columns)),
          m_ground(static_cast<std::size_t>(m_columns), theme.panel.rgb()) {
        for (int k = 0; k < kBarKinds; ++k) {
            const BarKind kind = static_cast<BarKind>(k);
            const double strength = viewport.stale ? (kind == BarKind::Forward ? 0.42 : 0.30) : 1.0;
            const auto index = static_cast<std::size_t>(k);
            m_fill[index] = mixed(theme.kind(kind).fill, theme.panel, strength);
            m_edge[index] = mixed(theme.kind(kind).edge, theme.panel, strength);
            for (int tone = 0; tone <= kTones; ++tone)
                m_tones[index][static_cast<std::size_t>(tone)] =
                    mixed(narrowColour(theme, kind), theme.panel, strength * tone / kTones).rgb();
        }
    }

    void ground() {
        m_painter.fillRect(QRect(QPoint(0, 0), m_view.size), m_theme.panel);
        if (!m_view.grid)
            return;
        const TimeTicks ticks = timeTicks(m_view.window, m_view.size.width());
        for (const std::int64_t t : ticks.labelled) {
            const double x = m_view.x(t, m_ratio);
            m_painter.fillRect(QRectF(x, 0, 1, m_view.size.height()), m_theme.grid);
            for (int c = column(t); c < std::min(column(t) + static_cast<int>(m_ratio), m_columns); ++c)
                m_ground[static_cast<std::size_t>(c)] = m_theme.grid.rgb();
        }
    }

    void tracks() {
        const int held = m_view.pinned * m_view.rowHeight;
        m_painter.save();
        m_painter.setClipRect(0, held, m_view.size.width(), m_view.size.height() - held);
        rows(std::max(m_view.pinned, m_view.rowAt(held)), static_cast<int>(m_timeline.tracks.size()));
        m_painter.restore();
        rows(0, m_view.pinned);
    }

private:
    void rows(int first, int end) {
        for (int row = first; row < end; ++row) {
            const int i = m_view.trackIn(row);
            const int top = m_view.rowTop(i);
            if (i >= static_cast<int>(m_timeline.tracks.size()) || top >= m_view.size.height())
                break;
            const Track& track = m_timeline.tracks[static_cast<std::size_t>(i)];
            if (m_view.hasLanes())
                m_painter.fillRect(0, top + (m_view.part + 1) * m_view.bandHeight() - 1, m_view.size.width(),
                                   1, m_theme.faint);
            lane(track.lane(LaneRole::Compute), m_view.band(i, LaneRole::Compute), true, true);
            lane(track.lane(LaneRole::Sync), m_view.band(i, LaneRole::Sync), false, false);
            if (m_view.hasLanes()) {
                lane(track.lane(LaneRole::ForwardSend), m_view.band(i, LaneRole::ForwardSend), false, true);
                lane(track.lane(LaneRole::BackwardSend), m_view.band(i, LaneRole::BackwardSend), false, true);
            }
        }
    }

    // The device pixel column of an instant inside the window; GanttViewport::x in another unit.
    int column(std::int64_t t) const {
        return static_cast<int>(m_view.window.toPixel(t, m_view.size.width()) * m_ratio + 0.5);
    }

    // `first`: nothing but the ground stands in the band yet.
    void lane(const Lane& lane, const QRect& band, bool hatched, bool first) {
        m_items.clear();
        fold(lane, m_view.window.begin, m_view.window.end, m_columns, m_view.minPixels * m_ratio, m_items);
        const int smallest = static_cast<int>(std::ceil(kEdgeFrom * m_ratio));
        const int gap = static_cast<int>(std::ceil(kHatchFrom * m_ratio)); // from here on it is hatched
        int free = column(std::max<std::int64_t>(m_view.window.begin, 0));
        for (const FoldedItem& folded : m_items) {
            const int from = column(folded.start);
            const int to = std::max(column(folded.end), from + 1);
            if (hatched && from - free >= gap)
                hatch(free, from, band);
            if (folded.count > 1 || to - from < smallest) {
                if (from - m_runEnd >= gap || (from > m_runEnd && !first))
                    drawRun(band);
                addToRun(from, std::min(to, m_columns), tone(folded));
            } else {
                drawRun(band);
                bar(lane, folded, QRectF(from / m_ratio, band.top(), (to - from) / m_ratio, band.height()));
            }
            free = to;
        }
        drawRun(band);
        const int end = column(std::min(m_view.window.end, m_timeline.end));
        if (hatched && end - free >= gap)
            hatch(free, end, band);
    }

    void hatch(int from, int to, const QRect& band) {
        // Anchored at the row, not at the gap: the lines run through.
        m_painter.setBrushOrigin(0, band.top());
        m_painter.fillRect(QRectF(from / m_ratio, band.top(), (to - from) / m_ratio, band.height()),
                           m_theme.idle);
    }

    QRgb tone(const FoldedItem& folded) const {
        const int step = folded.count > 1
                             ? std::clamp(static_cast<int>(folded.coverage() * kTones + 0.5), 1, kTones)
                             : kTones;
        return m_tones[static_cast<std::size_t>(folded.kind)][static_cast<std::size_t>(step)];
    }

    // The run's columns are [m_runFrom, m_runEnd); gaps in it show the ground.
    void addToRun(int from, int to, QRgb colour) {
        if (from >= m_columns)
            return;
        if (m_runItems++ == 0)
            m_runFrom = from;
        else if (from > m_runEnd)
            std::copy(m_ground.begin() + m_runEnd, m_ground.begin() + from, m_colours.begin() + m_runEnd);
        std::fill(m_colours.begin() + from, m_colours.begin() + to, colour);
        m_runEnd = to;
        if (!m_pixels)
            m_runRects.push_back({from, to, colour});
    }

    void drawRun(const QRect& band) {
        const QRectF rect(m_runFrom / m_ratio, band.top(), (m_runEnd - m_runFrom) / m_ratio, band.height());
        if (!m_pixels) {
            for (const Rect& each : m_runRects)
                m_painter.fillRect(
                    QRectF(each.from / m_ratio, band.top(), (each.to - each.from) / m_ratio, band.height()),
                    QColor::fromRgb(each.colour));
            m_runRects.clear();
        } else if (m_runItems == 1) {
            m_painter.fillRect(rect, QColor::fromRgb(m_colours[static_cast<std::size_t>(m_runFrom)]));
        } else if (m_runItems > 1) {
            const int height = static_cast<int>(band.height() * m_ratio);
            if (m_picture.height() < height)
                m_picture = QImage(m_columns, height, QImage::Format_RGB32);
            const auto bytes = static_cast<std::size_t>(m_runEnd - m_runFrom) * sizeof(QRgb);
            for (int y = 0; y < height; ++y)
                std::memcpy(reinterpret_cast<QRgb*>(m_picture.scanLine(y)) + m_runFrom,
                            m_colours.data() + m_runFrom, bytes);
            m_painter.drawImage(rect, m_picture, QRectF(m_runFrom, 0, m_runEnd - m_runFrom, height));
        }
        m_runItems = 0;
    }

    void bar(const Lane& lane, const FoldedItem& folded, const QRectF& rect) {
        const auto kind = static_cast<std::size_t>(folded.kind);
        m_painter.fillRect(rect, m_edge[kind]);
        const QRectF inner = rect.adjusted(1, 1, -1, -1);
        m_painter.fillRect(inner, m_fill[kind]);
        if (lane.estimated(folded.first)) {
            m_painter.setBrushOrigin(inner.topLeft());
            m_painter.fillRect(inner, folded.kind == BarKind::Forward ? m_theme.estimateDotsOnForward
                                                                      : m_theme.estimateDots);
        }
        if (m_view.text && rect.width() >= kNumberFrom && rect.height() >= 14)
            number(lane.microbatch(folded.first), folded.kind, rect);
    }

    void number(std::int32_t microbatch, BarKind kind, const QRectF& rect) {
        if (microbatch < 0 || m_numbers >= kMostNumbers)
            return;
        static thread_local NumberTexts texts;
        const QStaticText& text = texts.text(microbatch, m_font);
        const QSizeF size = text.size();
        if (size.width() > rect.width() - 4)
            return;
        ++m_numbers;
        m_painter.setFont(m_font);
        m_painter.setPen(m_view.stale ? m_theme.text2 : m_theme.kind(kind).number);
        m_painter.drawStaticText(QPointF(std::round(rect.center().x() - size.width() / 2.0),
                                         std::round(rect.center().y() - size.height() / 2.0)),
                                 text);
    }

    QPainter& m_painter;
    const Timeline& m_timeline;
    const GanttViewport& m_view;
    const Theme& m_theme;
    double m_ratio;
    int m_columns; // device pixels
    bool m_pixels;
    int m_numbers = 0;
    QFont m_font = bodyFont(500);
    std::vector<FoldedItem> m_items;
    std::array<QColor, kBarKinds> m_fill, m_edge;
    std::array<std::array<QRgb, kTones + 1>, kBarKinds> m_tones;
    struct Rect {
        int from, to;
        QRgb colour;
    };
    std::vector<QRgb> m_colours, m_ground; // of each column: of the run, and without any bar
    std::vector<Rect> m_runRects;          // of the run, where no pixels are painted
    QImage m_picture;                      // of the run, as high as the highest band so far
    int m_runFrom = 0, m_runEnd = 0, m_runItems = 0;
};

} // namespace

int GanttViewport::rowOf(int track) const {
    if (!ordered)
        return track;
    const auto at = std::find(rows.begin(), rows.end(), track);
    return at == rows.end() ? -1 : static_cast<int>(at - rows.begin());
}

int GanttViewport::rowTop(int track) const {
    const int row = rowOf(track);
    return row < 0 ? -4 * rowHeight : row * rowHeight - (row < pinned ? 0 : scroll);
}

int GanttViewport::rowAt(int y) const {
    return y >= 0 && y < pinned * rowHeight ? y / rowHeight : (y + scroll) / rowHeight;
}

int GanttViewport::trackIn(int row) const {
    if (!ordered)
        return row;
    return row >= 0 && row < static_cast<int>(rows.size()) ? rows[static_cast<std::size_t>(row)]
                                                           : std::numeric_limits<int>::max() / 2;
}

int GanttViewport::trackAt(int y) const {
    return trackIn(rowAt(y));
}

QRect GanttViewport::band(int track, LaneRole role) const {
    const int row = rowOf(track);
    // Hidden, or scrolled under the pinned rows.
    if (row < 0 || part < 0 ||
        (row >= pinned && pinned > 0 && rowTop(track) + rowHeight <= pinned * rowHeight))
        return {};
    const int height = bandHeight(), top = rowTop(track) + part * height;
    if (!hasLanes()) {
        const int margin = height >= 20 ? 3 : 1;
        const bool bars = role == LaneRole::Compute || role == LaneRole::Sync;
        return QRect(0, top + margin, size.width(), bars ? height - 2 * margin : 0);
    }
    const int barTop = top + (height >= 46 ? 6 : 4);
    const int barHeight = height >= 46 ? 24 + std::max(0, height - 52) : 19;
    const int laneHeight = height >= 46 ? 7 : 5;
    switch (role) {
    case LaneRole::ForwardSend:
        return QRect(0, barTop + barHeight + 1, size.width(), laneHeight);
    case LaneRole::BackwardSend:
        return QRect(0, barTop + barHeight + 2 + laneHeight, size.width(), laneHeight);
    case LaneRole::Compute:
    case LaneRole::Sync:
        break;
    }
    return QRect(0, barTop, size.width(), barHeight);
}

double GanttViewport::x(std::int64_t t, double pixelRatio) const {
    return std::round(window.toPixel(t, size.width()) * pixelRatio) / pixelRatio;
}

QColor narrowColour(const Theme& theme, BarKind kind) {
    const bool pale = kind == BarKind::Backward || kind == BarKind::Transfer || kind == BarKind::AllReduce;
    return !theme.dark && (pale || theme.highContrast) ? theme.kind(kind).edge : theme.kind(kind).fill;
}

void GanttPainter::paint(QPainter& painter, const Timeline& timeline, const GanttViewport& viewport,
                         const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setClipRect(QRect(QPoint(0, 0), viewport.size));
    Drawing drawing(painter, timeline, viewport, theme);
    drawing.ground();
    drawing.tracks();
    painter.restore();
}

void GanttPainter::paintBars(QPainter& painter, const Timeline& timeline, const GanttViewport& viewport,
                             const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setClipRect(QRect(QPoint(0, 0), viewport.size));
    Drawing(painter, timeline, viewport, theme).tracks();
    painter.restore();
}

} // namespace pw

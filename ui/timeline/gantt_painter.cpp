// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/gantt_painter.h"

#include "ui/timeline/time_axis.h"

#include <QHash>
#include <QPainter>
#include <QStaticText>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pw {

namespace {

constexpr double kEdgeFrom = 4.0;    // px: narrower bars have no edge
constexpr double kNumberFrom = 24.0; // px: narrower bars have no number
constexpr int kMostNumbers = 500;
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

class Drawing {
public:
    Drawing(QPainter& painter, const Timeline& timeline, const GanttViewport& viewport, const Theme& theme)
        : m_painter(painter), m_timeline(timeline), m_view(viewport), m_theme(theme),
          m_ratio(painter.device() ? painter.device()->devicePixelRatioF() : 1.0),
          m_columns(static_cast<int>(std::lround(viewport.size.width() * m_ratio))) {
        for (int k = 0; k < kBarKinds; ++k) {
            const BarKind kind = static_cast<BarKind>(k);
            const double strength = viewport.stale ? (kind == BarKind::Forward ? 0.42 : 0.30) : 1.0;
            const auto index = static_cast<std::size_t>(k);
            m_fill[index] = mixed(theme.kind(kind).fill, theme.panel, strength);
            m_edge[index] = mixed(theme.kind(kind).edge, theme.panel, strength);
            for (int tone = 0; tone <= kTones; ++tone)
                m_tones[index][static_cast<std::size_t>(tone)] =
                    mixed(narrowColour(theme, kind), theme.panel, strength * tone / kTones);
        }
    }

    void ground() {
        m_painter.fillRect(QRect(QPoint(0, 0), m_view.size), m_theme.panel);
        if (!m_view.grid)
            return;
        const TimeTicks ticks = timeTicks(m_view.window, m_view.size.width());
        for (const std::int64_t t : ticks.labelled)
            m_painter.fillRect(QRectF(m_view.x(t, m_ratio), 0, 1, m_view.size.height()), m_theme.grid);
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
                m_painter.fillRect(0, top + m_view.rowHeight - 1, m_view.size.width(), 1, m_theme.faint);
            lane(track.lane(LaneRole::Compute), m_view.band(i, LaneRole::Compute), true);
            lane(track.lane(LaneRole::Sync), m_view.band(i, LaneRole::Sync), false);
            if (m_view.hasLanes()) {
                lane(track.lane(LaneRole::ForwardSend), m_view.band(i, LaneRole::ForwardSend), false);
                lane(track.lane(LaneRole::BackwardSend), m_view.band(i, LaneRole::BackwardSend), false);
            }
        }
    }

    void lane(const Lane& lane, const QRect& band, bool hatched) {
        m_items.clear();
        fold(lane, m_view.window.begin, m_view.window.end, m_columns, m_view.minPixels * m_ratio, m_items);
        double free = m_view.x(std::max<std::int64_t>(m_view.window.begin, 0), m_ratio);
        for (const FoldedItem& folded : m_items) {
            const double x0 = m_view.x(folded.start, m_ratio);
            const double x1 = std::max(m_view.x(folded.end, m_ratio), x0 + 1.0 / m_ratio);
            if (hatched)
                hatch(free, x0, band);
            item(lane, folded, QRectF(x0, band.top(), x1 - x0, band.height()));
            free = x1;
        }
        if (hatched)
            hatch(free, m_view.x(std::min(m_view.window.end, m_timeline.end), m_ratio), band);
    }

    void hatch(double from, double to, const QRect& band) {
        if (to - from < 2.0)
            return;
        // Anchored at the row, not at the gap: the lines run through.
        m_painter.setBrushOrigin(0, band.top());
        m_painter.fillRect(QRectF(from, band.top(), to - from, band.height()), m_theme.idle);
    }

    void item(const Lane& lane, const FoldedItem& folded, const QRectF& rect) {
        const auto kind = static_cast<std::size_t>(folded.kind);
        if (folded.count > 1 || rect.width() < kEdgeFrom) {
            const int tone =
                folded.count > 1
                    ? std::clamp(static_cast<int>(std::lround(folded.coverage() * kTones)), 1, kTones)
                    : kTones;
            m_painter.fillRect(rect, m_tones[kind][static_cast<std::size_t>(tone)]);
            return;
        }
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
    int m_columns;
    int m_numbers = 0;
    QFont m_font = bodyFont(500);
    std::vector<FoldedItem> m_items;
    std::array<QColor, kBarKinds> m_fill, m_edge;
    std::array<std::array<QColor, kTones + 1>, kBarKinds> m_tones;
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
    if (row < 0 || (row >= pinned && pinned > 0 && rowTop(track) + rowHeight <= pinned * rowHeight))
        return {};
    const int top = rowTop(track);
    if (!hasLanes()) {
        const int margin = rowHeight >= 20 ? 3 : 1;
        const bool bars = role == LaneRole::Compute || role == LaneRole::Sync;
        return QRect(0, top + margin, size.width(), bars ? rowHeight - 2 * margin : 0);
    }
    const int barTop = top + (rowHeight >= 46 ? 6 : 4);
    const int barHeight = rowHeight >= 46 ? 24 + std::max(0, rowHeight - 52) : 19;
    const int laneHeight = rowHeight >= 46 ? 7 : 5;
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
    return !theme.dark && pale ? theme.kind(kind).edge : theme.kind(kind).fill;
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

} // namespace pw

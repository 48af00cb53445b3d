// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_tracks.h"

#include "ui/timeline/bar_place.h"
#include "ui/timeline/base_ghost.h"
#include "ui/timeline/time_axis.h"

#include <QAccessible>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QResizeEvent>

#include <algorithm>

namespace pw {

namespace {

constexpr double kMovingPixels = 3.0, kRestPixels = 1.0;
constexpr int kRestAfter = 150;                 // ms
constexpr int kHighRow = 52, kScrolledRow = 24; // px
constexpr std::size_t kManyBars = 20'000;       // below, drawing at 1 px is always fast enough

} // namespace

TimelineTracks::TimelineTracks(Selection& selection, TimeRange& range, QWidget* parent)
    : QWidget(parent), m_selection(selection), m_range(range) {
    setObjectName(QStringLiteral("timeline.tracks"));
    setAccessibleName(tr("Timeline"));
    setAttribute(Qt::WA_OpaquePaintEvent);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(120, 60);
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestAfter);
    connect(&m_rest, &QTimer::timeout, this, [this] {
        m_view.minPixels = kRestPixels;
        m_layer = {};
        update();
    });
    m_view.ordered = true;
    connect(&m_rows, &TimelineRows::changed, this, [this] {
        m_view.rows = m_rows.shown();
        m_view.pinned = m_rows.pinnedCount();
        m_layer = {};
        fitRows();
        selectionChanged();
    });
    connect(&range, &TimeRange::visibleChanged, this, &TimelineTracks::rangeChanged);
    connect(&range, &TimeRange::selectedChanged, this, [this] { update(); });
    connect(&range, &TimeRange::cursorChanged, this, [this] { update(); });
    connect(&range, &TimeRange::marksChanged, this, [this] { update(); });
    connect(&selection, &Selection::barChanged, this, &TimelineTracks::selectionChanged);
    connect(&selection, &Selection::stageChanged, this, [this] { scrollTo(m_selection.stage()); });
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, [this] {
        m_layer = {};
        update();
    });
    m_view.window = range.visible();
}

void TimelineTracks::setPlan(std::shared_ptr<const ShownPlan> plan) {
    m_plan = std::move(plan);
    m_run.reset(); // of the plan before
    m_hover = m_hoverRan = {};
    m_hoverLinked.clear();
    m_view.stale = m_plan && m_plan->stale;
    m_view.window = m_range.visible();
    m_rows.setPlan(m_plan);
    divideRows();
}

int TimelineTracks::trackCount() const {
    return timeline() ? static_cast<int>(timeline()->tracks.size()) : 0;
}

int TimelineTracks::rowCount() const {
    return static_cast<int>(m_view.rows.size());
}

int TimelineTracks::contentHeight() const {
    return rowCount() * m_view.rowHeight;
}

void TimelineTracks::fitRows() {
    const int rows = std::max(rowCount(), 1);
    const int before = m_view.rowHeight;
    // With lanes where that fits, else as high as all rows fit; what is lower than a line of text scrolls.
    const int fitting = height() / (rows * m_view.parts);
    m_view.rowHeight = m_view.parts * (m_rowHeight > 0        ? m_rowHeight
                                       : fitting >= kLeastRow ? std::min(fitting, kHighRow)
                                                              : kScrolledRow);
    m_view.size = size();
    const int scroll = std::clamp(m_view.scroll, 0, std::max(0, contentHeight() - height()));
    if (before != m_view.rowHeight || scroll != m_view.scroll) {
        m_view.scroll = scroll;
        m_layer = {};
    }
    Q_EMIT rowsChanged();
    update();
}

void TimelineTracks::setRowHeight(int height) {
    m_rowHeight = height > 0 ? std::clamp(height / m_view.parts, kLeastRow, kMostRow) : 0;
    fitRows();
}

void TimelineTracks::setScroll(int scroll) {
    scroll = std::clamp(scroll, 0, std::max(0, contentHeight() - height()));
    if (scroll == m_view.scroll)
        return;
    m_view.scroll = scroll;
    m_layer = {};
    update();
    Q_EMIT scrolled();
}

void TimelineTracks::rangeChanged() {
    m_view.window = m_range.visible();
    m_layer = {};
    if (timeline() && timeline()->barCount() > kManyBars) {
        m_view.minPixels = kMovingPixels;
        m_rest.start();
    }
    describe();
    update();
}

void TimelineTracks::selectionChanged() {
    m_linked = ofSameMicrobatch(refOf(m_selection.bar()));
    describe();
    update();
}

// The computing bars of the micro-batch in all stages of its pipeline.
std::vector<BarRef> TimelineTracks::ofSameMicrobatch(BarRef ref) const {
    std::vector<BarRef> linked;
    if (!timeline() || !isBar(*timeline(), ref) || ref.lane == LaneRole::Sync)
        return linked;
    const std::int32_t microbatch = laneOf(*timeline(), ref).microbatch(static_cast<std::size_t>(ref.bar));
    const int pipeline = timeline()->tracks[static_cast<std::size_t>(ref.track)].pipeline;
    for (int t = 0; t < trackCount(); ++t) {
        const Track& track = timeline()->tracks[static_cast<std::size_t>(t)];
        const Lane& lane = track.lane(LaneRole::Compute);
        if (track.pipeline != pipeline)
            continue;
        for (std::size_t i = 0; i < lane.size(); ++i)
            if (lane.microbatch(i) == microbatch)
                linked.push_back({t, LaneRole::Compute, static_cast<std::ptrdiff_t>(i)});
    }
    return linked;
}

void TimelineTracks::describe() {
    QString text = tr("%1 visible").arg(windowText(m_view.window));
    const BarRef chosen = refOf(m_selection.bar());
    if (timeline() && isBar(*timeline(), chosen))
        text = describedBar(chosen) + QStringLiteral("; ") + text;
    if (text == accessibleDescription())
        return;
    setAccessibleDescription(text);
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

QRect TimelineTracks::barRect(BarRef ref) const {
    return timeline() ? pw::barRect(*timeline(), m_view, ref) : QRect();
}

BarRef TimelineTracks::barAt(const QPoint& at) const {
    return timeline() ? pw::barAt(*timeline(), m_view, at) : BarRef{};
}

void TimelineTracks::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_layer = {};
    fitRows();
}

void TimelineTracks::paintBars(QPainter& painter, const GanttViewport& view) const {
    const Theme& t = theme();
    GanttViewport ran = ranViewport();
    ran.minPixels = view.minPixels;
    if (lanes() == Lanes::Ran)
        return GanttPainter::paint(painter, m_run->rows.timeline, ran, t);
    GanttPainter::paint(painter, *timeline(), view, t);
    if (m_plan->base)
        paintBaseGhost(painter, *m_plan->base->timeline, view, t);
    if (lanes() == Lanes::Both)
        GanttPainter::paintBars(painter, m_run->rows.timeline, ran, t);
}

void TimelineTracks::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& t = theme();
    if (!timeline()) {
        painter.fillRect(rect(), t.panel);
        return;
    }
    const double ratio = devicePixelRatioF();
    if (painter.paintEngine()->type() != QPaintEngine::Raster) { // a drawing that scales takes no pixels
        GanttViewport fine = m_view;
        fine.minPixels = kRestPixels;
        paintBars(painter, fine);
    } else {
        if (m_layer.isNull() || m_layer.devicePixelRatio() != ratio) {
            m_layer = QPixmap(size() * ratio);
            m_layer.setDevicePixelRatio(ratio);
            QPainter layer(&m_layer);
            paintBars(layer, m_view);
        }
        painter.drawPixmap(0, 0, m_layer);
    }
    paintArea(painter);
    paintMarks(painter);
    paintLinked(painter);
    paintArrows(painter);
    if (m_range.cursor() >= m_view.window.begin)
        painter.fillRect(QRectF(m_view.x(m_range.cursor()), 0, 1, height()), t.text3);
    if (!areaReadout().isEmpty())
        paintReadout(painter);
    // With a bar chosen its outline shows where the keys go.
    if (hasFocus() && m_selection.bar() == Selection::Bar{})
        outline(painter, rect(), -2);
}

// Outlines are filled rectangles as well: `width` px of ink around the bar; the chosen bar's has a
// panel-coloured halo. Negative: the focus frame, inside the rectangle and in the accent.
void TimelineTracks::outline(QPainter& painter, const QRect& rect, int width) const {
    const auto frame = [&painter](const QRect& r, int w, const QColor& colour) {
        painter.fillRect(r.left(), r.top(), r.width(), w, colour);
        painter.fillRect(r.left(), r.bottom() + 1 - w, r.width(), w, colour);
        painter.fillRect(r.left(), r.top(), w, r.height(), colour);
        painter.fillRect(r.right() + 1 - w, r.top(), w, r.height(), colour);
    };
    const Theme& t = theme();
    if (width < 0)
        return frame(rect, -width, t.accent);
    if (width > 1)
        frame(rect.adjusted(-width - 1, -width - 1, width + 1, width + 1), 1, t.panel);
    frame(rect.adjusted(-width + 1, -width + 1, width - 1, width - 1), width, t.ink);
}

void TimelineTracks::paintLinked(QPainter& painter) {
    const auto frame = [&](const QRect& r, int width, int least) {
        if (!r.isNull() && r.right() >= 0 && r.left() < this->width() && r.width() >= least)
            outline(painter, r, width);
    };
    for (const std::vector<BarRef>* linked : {&m_linked, &m_hoverLinked})
        for (const BarRef ref : *linked) {
            frame(barRect(ref), 1, 3);
            frame(ranRect(ranOf(ref)), 1, 3);
        }
    frame(barRect(m_hover), 1, 1);
    frame(ranRect(m_hoverRan), 1, 1);
    const BarRef chosen = refOf(m_selection.bar());
    if (!isBar(*timeline(), chosen))
        return;
    frame(barRect(chosen), 2, 1);
    frame(ranRect(ranOf(chosen)), 2, 1);
}

void TimelineTracks::paintArrows(QPainter& painter) {
    const BarRef chosen = refOf(m_selection.bar());
    if (!isBar(*timeline(), chosen))
        return;
    if (const BarRef before = dataSource(*timeline(), chosen); isBar(*timeline(), before))
        paintArrow(painter, before, chosen);
    if (const BarRef after = dataTarget(*timeline(), chosen); isBar(*timeline(), after))
        paintArrow(painter, chosen, after);
}

// From the end of one bar to the start of the next: up or down to the middle between the rows, along, and on.
void TimelineTracks::paintArrow(QPainter& painter, BarRef from, BarRef to) {
    if (from.track == to.track)
        return;
    const QRect a = shownRect(from), b = shownRect(to);
    if (a.isNull() || b.isNull())
        return;
    const bool up = to.track < from.track;
    const double x0 = a.right() - 4.5, x1 = b.left() + std::min(7.5, b.width() / 2.0);
    const double y0 = up ? a.top() : a.bottom() + 1.0, y1 = up ? b.bottom() + 2.0 : b.top() - 1.0;
    const double turn = up ? a.top() - 11.5 : b.top() - 11.5;
    if (std::max(x0, x1) < 0 || std::min(x0, x1) > width())
        return;
    QPainterPath path(QPointF(x0, y0));
    path.lineTo(x0, turn);
    path.lineTo(x1, turn);
    path.lineTo(x1, y1);
    const double head = up ? 4.0 : -4.0;
    path.moveTo(x1 - 3.5, y1 + head);
    path.lineTo(x1, y1);
    path.lineTo(x1 + 3.5, y1 + head);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme().panel, 3.0));
    painter.drawPath(path);
    painter.setPen(QPen(theme().ink, 1.2));
    painter.drawPath(path);
    painter.restore();
}

bool TimelineTracks::hasAreaRows() const {
    return timeline() && m_range.hasSelected() && m_range.firstTrack() >= 0 &&
           m_range.lastTrack() < trackCount();
}

// Without rows it is a time that was read off.
AreaText TimelineTracks::readout() const {
    if (!hasAreaRows())
        return {spanText(m_range.selected().span()), windowText(m_range.selected())};
    const auto of = [this](const Timeline& bars) {
        return areaText(bars, m_range.firstTrack(), m_range.lastTrack(), m_range.selected());
    };
    if (lanes() == Lanes::Predicted)
        return of(*timeline());
    AreaText ran = of(m_run->rows.timeline);
    ran.text = tr("%1: %2").arg(ranText(*m_run->record), ran.text);
    if (lanes() == Lanes::Both)
        ran.text = tr("predicted: %1; %2").arg(of(*timeline()).text, ran.text);
    return ran;
}

QString TimelineTracks::areaReadout() const {
    if (!timeline() || !m_range.hasSelected())
        return {};
    const AreaText text = readout();
    return text.figure + QLatin1Char(' ') + text.text;
}

void TimelineTracks::paintArea(QPainter& painter) {
    if (!m_range.hasSelected())
        return;
    const Theme& t = theme();
    const TimeWindow area = m_range.selected();
    const double x0 = m_view.x(area.begin), x1 = m_view.x(area.end);
    QColor tint = t.accent;
    tint.setAlphaF(0.16F);
    if (hasAreaRows()) {
        // Rows need not stand in the order of their tracks.
        for (int track = m_range.firstTrack(); track <= m_range.lastTrack(); ++track) {
            const QRect band = areaBand(track);
            painter.fillRect(QRectF(x0, band.top(), x1 - x0, band.height()), tint);
        }
    } else {
        painter.fillRect(QRectF(x0, 0, x1 - x0, height()), tint);
    }
    for (const double x : {x0, x1})
        painter.fillRect(QRectF(x, 0, 1, height()), t.accent);
}

void TimelineTracks::paintMarks(QPainter& painter) {
    for (const AxisMark& mark : m_range.marks())
        if (mark.at >= m_view.window.begin && mark.at <= m_view.window.end)
            painter.fillRect(QRectF(m_view.x(mark.at), 0, 1, height()), theme().text2);
}

void TimelineTracks::paintReadout(QPainter& painter) {
    const Theme& t = theme();
    const AreaText text = readout();
    const QFont strong = bodyFont(600), plain = bodyFont();
    const int gap = 5, figure = QFontMetrics(strong).horizontalAdvance(text.figure),
              rest = QFontMetrics(plain).horizontalAdvance(text.text);
    const int boxWidth = figure + gap + rest + 20, boxHeight = 24;
    const TimeWindow area = m_range.selected();
    const double middle = (m_view.x(area.begin) + m_view.x(area.end)) / 2.0;
    const int x =
        static_cast<int>(std::clamp(middle - boxWidth / 2.0, 4.0, std::max(4.0, width() - boxWidth - 4.0)));
    int y = hasAreaRows() ? areaBand(m_range.lastTrack()).bottom() + 5 : 4;
    if (y + boxHeight > height())
        y = areaBand(m_range.firstTrack()).top() - boxHeight - 4;
    const QRect box(x, std::clamp(y, 2, std::max(2, height() - boxHeight - 2)), boxWidth, boxHeight);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(t.accent);
    painter.setBrush(t.panel);
    painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.setPen(t.text);
    painter.setFont(strong);
    painter.drawText(box.adjusted(10, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, text.figure);
    painter.setFont(plain);
    painter.drawText(box.adjusted(10 + figure + gap, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, text.text);
    painter.restore();
}

} // namespace pw

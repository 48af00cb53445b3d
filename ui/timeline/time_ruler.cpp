// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/time_ruler.h"

#include "ui/base/format.h"
#include "ui/timeline/gantt_painter.h"
#include "ui/timeline/time_axis.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pw {

namespace {

constexpr int kMargin = 3;      // px the overview's frame may stand out
constexpr int kHandle = 6;      // px width of a handle
constexpr int kLeastWindow = 8; // px: handles stay apart
constexpr int kFlag = 14;       // px height of a mark's flag
constexpr double kDragFrom = 3; // px

} // namespace

TimeRuler::TimeRuler(TimeRange& range, QWidget* parent) : QWidget(parent), m_range(range) {
    setObjectName(QStringLiteral("timeline.ruler"));
    setAccessibleName(tr("Time ruler"));
    setAttribute(Qt::WA_OpaquePaintEvent);
    setFixedHeight(24);
    const auto refresh = qOverload<>(&QWidget::update);
    connect(&range, &TimeRange::visibleChanged, this, [this] {
        setAccessibleDescription(windowText(m_range.visible()));
        update();
    });
    connect(&range, &TimeRange::selectedChanged, this, refresh);
    connect(&range, &TimeRange::cursorChanged, this, refresh);
    connect(&range, &TimeRange::marksChanged, this, refresh);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, refresh);
}

void TimeRuler::setShown(bool shown) {
    m_shown = shown;
    update();
}

void TimeRuler::setWhole(std::int64_t iteration) {
    m_whole = iteration;
    update();
}

// Behind its tick; in front of it at the right end, where half of it would be cut off.
void TimeRuler::paintLabel(QPainter& painter, int x, const QString& label) const {
    constexpr int kMost = 120;
    const bool fits = x + 4 + figuresWidth(painter.font(), label) <= width();
    paintFigures(painter, QRect(fits ? x + 4 : x - 4 - kMost, 0, kMost, height() - 4),
                 fits ? Qt::AlignLeft : Qt::AlignRight, label);
}

void TimeRuler::paintShares(QPainter& painter, const TimeWindow& window) const {
    constexpr double kRoom = 70.0; // px a label
    const double percent = static_cast<double>(m_whole) / 100.0;
    const double seen = static_cast<double>(window.span()) / percent;
    double step = 100.0;
    for (const double finer : {50.0, 25.0, 10.0, 5.0, 2.0, 1.0, 0.5, 0.2, 0.1})
        if (seen / finer * kRoom <= width())
            step = finer;
    const Theme& t = theme();
    painter.setFont(bodyFont());
    painter.setPen(t.text2);
    const double first = std::ceil(static_cast<double>(window.begin) / percent / step - 1e-9);
    for (double tick = first; tick * step * percent <= static_cast<double>(window.end); ++tick) {
        const int x = static_cast<int>(
            std::lround(window.toPixel(static_cast<std::int64_t>(tick * step * percent), width())));
        painter.fillRect(x, height() - 7, 1, 6, t.text3);
        paintLabel(painter, x, QStringLiteral("%1 %").arg(tick * step, 0, 'f', step < 1.0 ? 1 : 0));
    }
}

void TimeRuler::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    painter.fillRect(rect(), t.head);
    painter.fillRect(0, height() - 1, width(), 1, t.line);
    if (!m_shown)
        return;
    const TimeWindow window = m_range.visible();
    const TimeTicks ticks = m_whole > 0 ? TimeTicks{} : timeTicks(window, width());
    if (m_whole > 0)
        paintShares(painter, window);
    const auto pixel = [&](std::int64_t at) {
        return static_cast<int>(std::lround(window.toPixel(at, width())));
    };
    for (const std::int64_t at : ticks.small)
        painter.fillRect(pixel(at), height() - 4, 1, 3, t.line);
    painter.setFont(bodyFont());
    painter.setPen(t.text2);
    for (const std::int64_t at : ticks.labelled) {
        const int x = pixel(at);
        painter.fillRect(x, height() - 7, 1, 6, t.text3);
        paintLabel(painter, x, ticks.label(at));
    }
    if (m_range.hasSelected())
        for (const std::int64_t at : {m_range.selected().begin, m_range.selected().end})
            painter.fillRect(pixel(at), height() - 8, 1, 8, t.accent);
    for (const AxisMark& mark : m_range.marks())
        if (mark.at >= window.begin && mark.at <= window.end)
            paintFlag(painter, mark, pixel(mark.at));
    if (m_range.cursor() >= 0)
        painter.fillRect(pixel(m_range.cursor()), 0, 1, height(), t.text3);
}

// A kept mark is filled and carries its name, another one is hollow.
void TimeRuler::paintFlag(QPainter& painter, const AxisMark& mark, int x) const {
    const Theme& t = theme();
    const QFontMetrics metrics(smallFont());
    const QString text = metrics.elidedText(mark.text, Qt::ElideRight, 140);
    const int room = text.isEmpty() ? 9 : metrics.horizontalAdvance(text) + 10;
    const QRect flag(x, 2, room, kFlag);
    painter.fillRect(x, 2, 1, height() - 2, t.text2);
    painter.fillRect(flag, t.text2);
    if (!mark.kept)
        painter.fillRect(flag.adjusted(1, 1, -1, -1), t.panel);
    painter.setFont(smallFont());
    painter.setPen(mark.kept ? t.panel : t.text);
    painter.drawText(flag.adjusted(5, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, text);
}

int TimeRuler::markAt(double x) const {
    const std::vector<AxisMark>& marks = m_range.marks();
    for (std::size_t i = marks.size(); i-- > 0;) {
        const double left = m_range.visible().toPixel(marks[i].at, width());
        const QString text = QFontMetrics(smallFont()).elidedText(marks[i].text, Qt::ElideRight, 140);
        const int room = text.isEmpty() ? 9 : QFontMetrics(smallFont()).horizontalAdvance(text) + 10;
        if (x >= left - 2 && x <= left + room)
            return static_cast<int>(i);
    }
    return -1;
}

bool TimeRuler::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto& help = static_cast<const QHelpEvent&>(*event);
    const int mark = markAt(help.pos().x());
    QToolTip::showText(help.globalPos(),
                       mark < 0 ? tr("Click sets a mark, a drag moves the axis")
                                : tr("%1 %2; double click names it, Del removes it")
                                      .arg(m_range.marks()[static_cast<std::size_t>(mark)].text,
                                           spanText(m_range.marks()[static_cast<std::size_t>(mark)].at)),
                       this);
    return true;
}

void TimeRuler::mousePressEvent(QMouseEvent* event) {
    m_pressX = event->position().x();
    m_pressWindow = m_range.visible();
    m_clicked = m_shown && event->button() == Qt::LeftButton;
}

void TimeRuler::mouseReleaseEvent(QMouseEvent* event) {
    if (std::exchange(m_clicked, false) && markAt(event->position().x()) < 0)
        Q_EMIT markRequested(m_range.visible().toTime(event->position().x(), width()));
}

void TimeRuler::mouseDoubleClickEvent(QMouseEvent* event) {
    m_clicked = false;
    if (const int mark = markAt(event->position().x()); mark >= 0)
        Q_EMIT markActivated(mark);
}

void TimeRuler::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & Qt::LeftButton))
        return;
    if (std::abs(event->position().x() - m_pressX) < kDragFrom && m_clicked)
        return;
    m_clicked = false;
    const double share = (m_pressX - event->position().x()) / std::max(width(), 1);
    const auto by =
        static_cast<std::int64_t>(std::llround(share * static_cast<double>(m_pressWindow.span())));
    m_range.setVisible(m_pressWindow.panned(by, m_range.traceEnd()));
}

OverviewStrip::OverviewStrip(TimeRange& range, QWidget* parent) : QWidget(parent), m_range(range) {
    setObjectName(QStringLiteral("timeline.overview"));
    setAccessibleName(tr("Overview"));
    setAttribute(Qt::WA_OpaquePaintEvent);
    setFixedHeight(50);
    setMouseTracking(true);
    const auto refresh = qOverload<>(&QWidget::update);
    connect(&range, &TimeRange::visibleChanged, this, refresh);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, [this] {
        m_bars = {};
        update();
    });
}

void OverviewStrip::setTimeline(std::shared_ptr<const Timeline> timeline, bool stale, std::int64_t shift) {
    m_timeline = std::move(timeline);
    m_stale = stale;
    m_shift = shift;
    m_bars = {};
    update();
}

double OverviewStrip::x(std::int64_t t) const {
    return kMargin + TimeWindow{0, m_range.traceEnd()}.toPixel(t, std::max(width() - 2 * kMargin, 1));
}

std::int64_t OverviewStrip::timeAt(double at) const {
    return TimeWindow{0, m_range.traceEnd()}.toTime(at - kMargin, std::max(width() - 2 * kMargin, 1));
}

// Each row is a thin band of pixel columns, toned by how busy the column is.
void OverviewStrip::drawBars() {
    const Theme& t = theme();
    const double ratio = devicePixelRatioF();
    m_bars = QPixmap(size() * ratio);
    m_bars.setDevicePixelRatio(ratio);
    m_bars.fill(t.panel);
    if (!m_timeline || m_timeline->tracks.empty())
        return;
    QPainter painter(&m_bars);
    const int columns = std::max(width() - 2 * kMargin, 1);
    const double pitch = (height() - 9.0) / static_cast<double>(m_timeline->tracks.size());
    std::vector<FoldedItem> items;
    for (std::size_t i = 0; i < m_timeline->tracks.size(); ++i) {
        const int top = static_cast<int>(std::lround(4 + pitch * static_cast<double>(i)));
        const int bottom = static_cast<int>(std::lround(4 + pitch * static_cast<double>(i + 1)));
        const int bar = std::max(1, bottom - top - (pitch >= 4.0 ? 2 : 0));
        painter.setBrushOrigin(0, top);
        painter.fillRect(QRect(kMargin, top, columns, bar), t.idle);
        for (const LaneRole role : {LaneRole::Compute, LaneRole::Sync}) {
            items.clear();
            fold(m_timeline->tracks[i].lane(role), 0, m_timeline->end, columns, 1.0, items);
            for (const FoldedItem& item : items) {
                const double x0 = std::round(x(item.start + m_shift));
                const double x1 = std::max(std::round(x(item.end + m_shift)), x0 + 1.0);
                painter.fillRect(
                    QRectF(x0, top, x1 - x0, bar),
                    mixed(paled(t.kind(item.kind).fill, m_stale), t.panel, std::max(item.coverage(), 0.1)));
            }
        }
    }
}

void OverviewStrip::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    if (!m_timeline) {
        painter.fillRect(rect(), t.head);
        painter.fillRect(0, height() - 1, width(), 1, t.line);
        return;
    }
    if (m_bars.isNull() || m_bars.devicePixelRatio() != devicePixelRatioF())
        drawBars();
    painter.drawPixmap(0, 0, m_bars);
    const double left = std::round(x(m_range.visible().begin));
    const double right = std::max(std::round(x(m_range.visible().end)), left + 2.0);
    QColor veil = t.window;
    veil.setAlphaF(0.55F);
    painter.fillRect(QRectF(0, 0, left, height()), veil);
    painter.fillRect(QRectF(right, 0, width() - right, height()), veil);
    painter.fillRect(0, height() - 1, width(), 1, t.line);
    painter.setPen(t.accent);
    painter.drawRect(QRectF(left - 0.5, 0.5, right - left, height() - 3.0));
    for (const double edge : {left, right}) {
        const QRectF handle(std::clamp(edge - kHandle / 2.0, 0.0, width() - kHandle * 1.0),
                            height() / 2.0 - 8, kHandle, 14);
        painter.fillRect(handle, t.accent);
        painter.fillRect(handle.adjusted(2, 2, -2, -2), t.panel);
    }
}

void OverviewStrip::resizeEvent(QResizeEvent*) {
    m_bars = {};
}

OverviewStrip::Grip OverviewStrip::gripAt(double at) const {
    const double left = x(m_range.visible().begin), right = x(m_range.visible().end);
    const bool atLeft = std::abs(at - left) <= kHandle, atRight = std::abs(at - right) <= kHandle;
    if (atLeft && (!atRight || at < (left + right) / 2))
        return Grip::Left;
    if (atRight)
        return Grip::Right;
    return at > left && at < right ? Grip::Middle : Grip::None;
}

void OverviewStrip::mousePressEvent(QMouseEvent* event) {
    if (!m_timeline || event->button() != Qt::LeftButton)
        return;
    const double at = event->position().x();
    m_grip = gripAt(at);
    const std::int64_t t = timeAt(at);
    if (m_grip == Grip::None) { // jump there, then drag on
        const std::int64_t span = m_range.visible().span();
        m_range.setVisible({t - span / 2, t - span / 2 + span});
        m_grip = Grip::Middle;
    }
    m_grabbed = t - m_range.visible().begin;
}

void OverviewStrip::mouseMoveEvent(QMouseEvent* event) {
    const double at = event->position().x();
    const std::int64_t t = std::clamp<std::int64_t>(timeAt(at), 0, m_range.traceEnd());
    const TimeWindow window = m_range.visible();
    const std::int64_t least = std::max<std::int64_t>(timeAt(kMargin + kLeastWindow), 1);
    switch (m_grip) {
    case Grip::Left:
        m_range.setVisible({std::min(t, window.end - std::min(least, window.span())), window.end});
        break;
    case Grip::Right:
        m_range.setVisible({window.begin, std::max(t, window.begin + std::min(least, window.span()))});
        break;
    case Grip::Middle:
        m_range.setVisible(window.panned(timeAt(at) - m_grabbed - window.begin, m_range.traceEnd()));
        break;
    case Grip::None:
        const Grip under = m_timeline ? gripAt(at) : Grip::None;
        setCursor(under == Grip::Left || under == Grip::Right ? Qt::SizeHorCursor
                  : under == Grip::Middle                     ? Qt::OpenHandCursor
                                                              : Qt::ArrowCursor);
        break;
    }
}

void OverviewStrip::mouseReleaseEvent(QMouseEvent*) {
    m_grip = Grip::None;
}

} // namespace pw

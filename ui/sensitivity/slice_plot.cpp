// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sensitivity/slice_plot.h"

#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/commands/context_menu.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pw {

namespace {
constexpr int kLeft = 64, kRight = 12, kInset = 12, kTop = 12, kBottom = 24, kReach = 14, kTicks = 3;
}

SlicePlot::SlicePlot(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("sensitivity.plot"));
    setAccessibleName(tr("Time over the values"));
    setMinimumHeight(72);
    offerMenu(this, partsMenu(this, "sensitivity", [this](const QString& point) { activatePart(point); }));
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, qOverload<>(&QWidget::update));
}

void SlicePlot::setPoints(std::vector<Point> points) {
    m_points = std::move(points);
    m_chosen = -1;
    if (!m_points.empty()) {
        const auto [low, high] =
            std::minmax_element(m_points.begin(), m_points.end(),
                                [](const Point& a, const Point& b) { return a.seconds < b.seconds; });
        // What hardly changes must look so: the axis is at least a tenth of the time high.
        const double middle = (low->seconds + high->seconds) / 2.0;
        const double half = std::max((high->seconds - low->seconds) / 2.0, 0.05 * middle);
        m_low = middle - half;
        m_high = middle + half;
        setAccessibleDescription(tr("%1 values, %2 to %3").arg(m_points.size()).arg(low->time, high->time));
    } else {
        setAccessibleDescription({});
    }
    update();
}

void SlicePlot::setChosen(int index) {
    m_chosen = index;
    update();
}

QRectF SlicePlot::room() const {
    return QRectF(rect()).adjusted(kLeft + kInset, kTop, -kRight - kInset, -kBottom);
}

QPointF SlicePlot::place(int index) const {
    const QRectF area = room();
    const auto steps = static_cast<double>(std::max<std::size_t>(m_points.size() - 1, 1));
    const double up = (m_points[static_cast<std::size_t>(index)].seconds - m_low) / (m_high - m_low);
    return {std::round(area.left() + area.width() * index / steps),
            std::round(area.bottom() - area.height() * up)};
}

int SlicePlot::at(QPointF where) const {
    int best = -1;
    double nearest = kReach;
    for (int i = 0; i < static_cast<int>(m_points.size()); ++i)
        if (const double away = QLineF(where, place(i)).length(); away < nearest) {
            nearest = away;
            best = i;
        }
    return best;
}

void SlicePlot::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    painter.fillRect(rect(), t.panel);
    if (m_points.empty())
        return;
    const QRectF area = room();
    painter.setFont(smallFont());
    painter.setPen(t.text2);
    for (int tick = 0; tick < kTicks; ++tick) {
        const double share = tick / (kTicks - 1.0);
        const int y = static_cast<int>(std::lround(area.bottom() - share * area.height()));
        painter.fillRect(kLeft, y, width() - kLeft - kRight, 1, t.grid);
        paintFigures(painter, QRect(0, y - 8, kLeft - 8, 16), Qt::AlignRight,
                     iterationText(Seconds(m_low + share * (m_high - m_low))));
    }
    // As many values as there is room for, the first and the last among them.
    int widest = 1;
    for (const Point& point : m_points)
        widest = std::max(widest, painter.fontMetrics().horizontalAdvance(point.value) + 10);
    const int count = static_cast<int>(m_points.size());
    const int every =
        std::max(1, static_cast<int>(std::ceil(widest * (count - 1) / std::max(area.width(), 1.0))));
    for (int i = 0; i < count; ++i)
        if (i % every == 0 || m_points[static_cast<std::size_t>(i)].now)
            painter.drawText(QRectF(place(i).x() - widest, area.bottom() + 4, 2 * widest, 18),
                             Qt::AlignHCenter,
                             i % every == 0 ? m_points[static_cast<std::size_t>(i)].value : QString());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(t.text3, 1));
    for (int i = 1; i < count; ++i)
        painter.drawLine(place(i - 1), place(i));
    for (int i = 0; i < count; ++i) {
        const Point& point = m_points[static_cast<std::size_t>(i)];
        painter.setPen(QPen(point.fits ? t.accent : t.err, 1.5));
        painter.setBrush(point.fits ? t.accent : t.panel);
        painter.drawEllipse(place(i), 3.5, 3.5);
        painter.setBrush(Qt::NoBrush);
        if (point.now) {
            painter.setPen(QPen(t.ink, 1.5));
            painter.drawEllipse(place(i), 7.0, 7.0);
        }
        if (i == m_chosen) {
            painter.setPen(QPen(t.accent, 2));
            painter.drawEllipse(place(i), 10.0, 10.0);
        }
    }
}

void SlicePlot::mousePressEvent(QMouseEvent* event) {
    if (const int index = at(event->position()); index >= 0)
        Q_EMIT clicked(index);
}

void SlicePlot::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const int index = at(event->position()); index >= 0)
        Q_EMIT doubleClicked(index);
}

bool SlicePlot::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto& help = static_cast<const QHelpEvent&>(*event);
    const int index = at(help.pos());
    const std::vector<AccessiblePart> parts = accessibleParts();
    QToolTip::showText(help.globalPos(), index < 0 ? QString() : parts[static_cast<std::size_t>(index)].name,
                       this);
    return true;
}

std::vector<AccessiblePart> SlicePlot::accessibleParts() const {
    std::vector<AccessiblePart> parts;
    for (int i = 0; i < static_cast<int>(m_points.size()); ++i) {
        const Point& point = m_points[static_cast<std::size_t>(i)];
        const QPoint middle = place(i).toPoint();
        AccessiblePart part;
        part.key = QString::number(i);
        part.name = tr("%1: %2, %3").arg(point.value, point.time, point.change);
        part.rect = QRect(middle.x() - 8, middle.y() - 8, 16, 16);
        part.selected = i == m_chosen;
        parts.push_back(std::move(part));
    }
    return parts;
}

} // namespace pw

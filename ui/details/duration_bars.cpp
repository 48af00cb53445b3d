// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/commands/context_menu.h"
#include "ui/details/durations_view.h"
#include "ui/timeline/time_axis.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace pw {

namespace {
constexpr int kLeft = 10, kRight = 10, kBarsTop = 18, kBarsAxis = 20;
}

DurationBars::DurationBars(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("durations.bars"));
    setAccessibleName(tr("Histogram of durations"));
    setFocusPolicy(Qt::StrongFocus);
    setMinimumHeight(64);
    offerMenu(this, partsMenu(this, "durations", [this](const QString& bin) {
                  m_focus = bin.toInt();
                  update();
              }));
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, qOverload<>(&QWidget::update));
}

void DurationBars::show(const Durations& durations, BarKind kind, int group, bool stale) {
    m_durations = durations;
    m_kind = kind;
    m_group = group;
    m_stale = stale;
    m_focus = std::clamp(m_focus, 0, std::max(durations.bins - 1, 0));
    const KindStatistics& bars = chosen().bars;
    setAccessibleDescription(bars.count == 0 ? tr("no bars")
                                             : tr("%1 bars of %2 to %3")
                                                   .arg(countText(static_cast<std::int64_t>(bars.count)),
                                                        spanText(bars.min), spanText(bars.max)));
    update();
}

const DurationGroup& DurationBars::chosen() const {
    const auto at = std::find_if(m_durations.groups.begin(), m_durations.groups.end(),
                                 [this](const DurationGroup& g) { return g.group == m_group; });
    return m_group < 0 || at == m_durations.groups.end() ? m_durations.all : *at;
}

QRect DurationBars::columnRect(int bin) const {
    const double room = std::max(width() - kLeft - kRight, 1) / static_cast<double>(m_durations.bins);
    const int from = kLeft + static_cast<int>(std::lround(room * bin));
    const int to = kLeft + static_cast<int>(std::lround(room * (bin + 1)));
    return QRect(from, kBarsTop, to - from, height() - kBarsTop - kBarsAxis);
}

int DurationBars::binAt(QPoint at) const {
    for (int bin = 0; bin < m_durations.bins; ++bin)
        if (const QRect column = columnRect(bin); at.x() >= column.left() && at.x() <= column.right())
            return bin;
    return -1;
}

QString DurationBars::binText(int bin) const {
    return tr("%1 of %2 bars, %3 to %4")
        .arg(countText(chosen().bins[static_cast<std::size_t>(bin)]),
             countText(static_cast<std::int64_t>(chosen().bars.count)), spanText(m_durations.binStart(bin)),
             spanText(m_durations.binStart(bin + 1)));
}

void DurationBars::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    painter.fillRect(rect(), t.panel);
    painter.setFont(smallFont());
    painter.setPen(t.text2);
    if (m_durations.bins == 0) {
        painter.drawText(rect(), Qt::AlignCenter, tr("No bars of this kind here"));
        return;
    }
    const double most = *std::max_element(m_durations.all.bins.begin(), m_durations.all.bins.end());
    const QColor all = mixed(t.text3, t.panel, 0.45);
    const Theme::Kind& kind = t.kind(m_kind);
    const auto column = [&](const QRect& room, std::uint32_t count, const QColor& fill, const QColor& edge) {
        if (count == 0)
            return;
        const int high = std::max(1, static_cast<int>(std::lround(room.height() * count / most)));
        const QRect bar(room.left(), room.bottom() + 1 - high, std::max(room.width() - 1, 1), high);
        painter.fillRect(bar, edge);
        if (bar.width() >= 4 && bar.height() >= 3)
            painter.fillRect(bar.adjusted(1, 1, -1, 0), fill);
    };
    for (int bin = 0; bin < m_durations.bins; ++bin) {
        const QRect room = columnRect(bin);
        const auto i = static_cast<std::size_t>(bin);
        column(room, m_durations.all.bins[i], all, all);
        column(room, chosen().bins[i], paled(kind.fill, m_stale), paled(kind.edge, m_stale));
    }
    const QRect axis(kLeft, height() - kBarsAxis, width() - kLeft - kRight, kBarsAxis);
    painter.fillRect(axis.left(), axis.top(), axis.width(), 1, t.line);
    paintFigures(painter, axis, Qt::AlignLeft, spanText(m_durations.from));
    paintFigures(painter, axis, Qt::AlignRight, spanText(m_durations.to - 1));
    painter.drawText(QRect(kLeft, 0, axis.width(), kBarsTop), Qt::AlignVCenter,
                     tr("at most %1 bars a column").arg(countText(static_cast<std::int64_t>(most))));
    if (hasFocus()) {
        painter.setPen(QPen(t.accent, 2));
        painter.drawRect(columnRect(m_focus).adjusted(0, -2, 0, 2));
    }
}

void DurationBars::mousePressEvent(QMouseEvent* event) {
    const int bin = binAt(event->position().toPoint());
    if (bin < 0)
        return;
    m_focus = bin;
    update();
    Q_EMIT binClicked(bin);
}

void DurationBars::keyPressEvent(QKeyEvent* event) {
    const int by = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    const bool take = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (m_durations.bins == 0 || (by == 0 && !take))
        return QWidget::keyPressEvent(event);
    m_focus = std::clamp(m_focus + by, 0, m_durations.bins - 1);
    if (by != 0)
        setAccessibleDescription(binText(m_focus));
    update();
    if (take)
        Q_EMIT binClicked(m_focus);
}

bool DurationBars::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto& help = static_cast<const QHelpEvent&>(*event);
    const int bin = binAt(help.pos());
    QToolTip::showText(help.globalPos(), bin < 0 ? QString() : binText(bin), this);
    return true;
}

std::vector<AccessiblePart> DurationBars::accessibleParts() const {
    std::vector<AccessiblePart> parts;
    for (int bin = 0; bin < m_durations.bins; ++bin)
        if (chosen().bins[static_cast<std::size_t>(bin)] > 0)
            parts.push_back({QString::number(bin),
                             binText(bin),
                             {},
                             columnRect(bin),
                             QAccessible::ListItem,
                             bin == m_focus});
    return parts;
}

void DurationBars::activatePart(const QString& key) {
    Q_EMIT binClicked(key.toInt());
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/stage_legend.h"

#include "ui/base/theme.h"

#include <QMouseEvent>
#include <QPainter>

namespace pw {

namespace {
constexpr int kSide = 12, kText = 22, kSpacing = 16, kLine = 24, kMore = 16; // px
}

StageLegend::StageLegend(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("topology.legend"));
    setAccessibleName(tr("Stages"));
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, qOverload<>(&QWidget::update));
}

void StageLegend::setEntries(const std::vector<LegendEntry>& entries, bool stale) {
    m_entries = entries;
    m_stale = stale;
    setVisible(!entries.empty());
    place();
    QStringList said;
    for (const LegendEntry& e : entries)
        said << tr("stage %1: %2").arg(e.stage).arg(e.text());
    setAccessibleDescription(said.join(QStringLiteral("; ")));
    setToolTip(said.join(QLatin1Char('\n')));
    update();
}

// The layers go first where a line is short, then a second line is taken, then the entries at its end are
// counted.
void StageLegend::place() {
    const QFontMetrics metrics(smallFont());
    const auto words = [](const LegendEntry& e, bool layers) { return layers ? e.text() : e.devices; };
    const auto widthOf = [&](bool layers) {
        int total = kSide;
        for (const LegendEntry& e : m_entries)
            total += kText + metrics.horizontalAdvance(words(e, layers)) + kSpacing;
        return total;
    };
    const bool layers = widthOf(true) <= width();
    m_places.clear();
    m_texts.clear();
    int x = kSide, y = 0;
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const QString text = words(m_entries[i], layers);
        const int wide = kText + metrics.horizontalAdvance(text);
        const bool last = i + 1 == m_entries.size();
        if (x > kSide && x + wide > width() - 8 && y == 0) {
            x = kSide;
            y = kLine;
        }
        if (x > kSide && x + wide + (last ? 0 : kSpacing + kMore) > width() - 8 && y > 0)
            break;
        m_places.emplace_back(x, y, wide, kLine);
        m_texts << text;
        x += wide + kSpacing;
    }
    setFixedHeight(y + kLine + kLine / 5);
}

void StageLegend::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place();
}

void StageLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme().window);
    painter.fillRect(0, 0, width(), 1, theme().line);
    for (std::size_t i = 0; i < m_places.size(); ++i) {
        const QRect& place = m_places[i];
        paintStageBadge(painter, QRect(place.left(), place.top() + 6, 16, 16), m_entries[i].stage, m_stale);
        painter.setFont(smallFont());
        painter.setPen(theme().text);
        painter.drawText(place.left() + kText, place.top() + 18, m_texts[static_cast<qsizetype>(i)]);
    }
    if (m_places.empty() || m_places.size() == m_entries.size())
        return;
    painter.setPen(theme().text2);
    painter.drawText(m_places.back().right() + kSpacing, m_places.back().top() + 18,
                     QStringLiteral("+%1").arg(m_entries.size() - m_places.size()));
}

void StageLegend::mousePressEvent(QMouseEvent* event) {
    for (std::size_t i = 0; i < m_places.size(); ++i)
        if (m_places[i].contains(event->position().toPoint()))
            Q_EMIT stageClicked(m_entries[i].row);
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/stage_legend.h"

#include "ui/base/theme.h"

#include <QMouseEvent>
#include <QPainter>

namespace pw {

StageLegend::StageLegend(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("topology.legend"));
    setAccessibleName(tr("Stages"));
    setFixedHeight(28);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, qOverload<>(&QWidget::update));
}

void StageLegend::setEntries(const std::vector<LegendEntry>& entries, bool stale) {
    m_entries = entries;
    m_stale = stale;
    setVisible(!entries.empty());
    QStringList said;
    for (const LegendEntry& e : entries)
        said << tr("stage %1: %2").arg(e.stage).arg(e.text);
    setAccessibleDescription(said.join(QStringLiteral("; ")));
    setToolTip(said.join(QLatin1Char('\n')));
    update();
}

void StageLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme().window);
    painter.fillRect(0, 0, width(), 1, theme().line);
    painter.setFont(smallFont());
    const QFontMetrics metrics(painter.font());
    // The layers go first where the line is short, then the entries at its end.
    const auto widthOf = [&](bool layers) {
        int total = 12;
        for (const LegendEntry& e : m_entries)
            total +=
                22 + metrics.horizontalAdvance(layers ? e.text : e.text.section(QLatin1Char(','), 0, 0)) + 16;
        return total;
    };
    const bool layers = widthOf(true) <= width();
    m_places.clear();
    int x = 12;
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const LegendEntry& e = m_entries[i];
        const QString text = layers ? e.text : e.text.section(QLatin1Char(','), 0, 0);
        const int wide = 22 + metrics.horizontalAdvance(text);
        painter.setPen(theme().text2);
        if (x + wide > width() - 8 && i + 1 <= m_entries.size() && x > 12) {
            painter.drawText(x, 18, QStringLiteral("+%1").arg(m_entries.size() - i));
            break;
        }
        paintStageBadge(painter, QRect(x, 6, 16, 16), e.stage, m_stale);
        painter.setFont(smallFont());
        painter.setPen(theme().text);
        painter.drawText(x + 22, 18, text);
        m_places.emplace_back(x, 0, wide, height());
        x += wide + 16;
    }
}

void StageLegend::mousePressEvent(QMouseEvent* event) {
    for (std::size_t i = 0; i < m_places.size(); ++i)
        if (m_places[i].contains(event->position().toPoint()))
            Q_EMIT stageClicked(m_entries[i].row);
}

} // namespace pw

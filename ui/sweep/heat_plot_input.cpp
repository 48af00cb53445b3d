// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/context_menu.h"
#include "ui/sweep/heat_plot.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace pw {

// Mouse, keys and assistive tools: the part of HeatPlot that moves the current cell.

void HeatPlot::makeMenu() {
    RowMenu menu;
    menu.place = "sweep plots";
    menu.choose = [this](const QPoint& at) {
        if (const std::optional<Place> place = placeAt(at))
            setCurrent(*place);
        return m_current.has_value();
    };
    menu.current = [this] { return m_current ? cellRect(*m_current).toAlignedRect() : QRect(); };
    menu.text = [this] { return m_current ? cellText(*m_current) : QString(); };
    menu.all = [this] {
        QStringList lines;
        for (std::size_t panel = 0; panel < shownPanels(); ++panel)
            for (std::size_t row = 0; row < m_map.rows; ++row)
                for (std::size_t column = 0; column < m_map.columns; ++column)
                    lines << cellText({panel, row, column});
        return lines.join(QLatin1Char('\n'));
    };
    offerMenu(this, std::move(menu));
}

void HeatPlot::setCurrent(const Place& place) {
    m_current = place;
    const HeatCell& cell = m_map.cell(place.panel, place.row, place.column);
    if (cell.tasks > 0)
        m_study.setChosen(static_cast<int>(cell.task));
    setAccessibleDescription(cellText(place));
    update();
}

// Where the chosen task lies; a current cell that has it stays.
void HeatPlot::showChosen() {
    if (m_map.cells.empty())
        return;
    if (m_study.chosen() < 0) {
        m_current.reset();
        return update();
    }
    const Assignment& at = m_study.tasks()[static_cast<std::size_t>(m_study.chosen())].at;
    const Place place{m_question.panels ? at[*m_question.panels] : 0, m_question.y ? at[*m_question.y] : 0,
                      at[m_question.x]};
    m_current = place.panel < shownPanels() ? std::optional(place) : std::nullopt;
    update();
}

bool HeatPlot::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto& help = static_cast<const QHelpEvent&>(*event);
    const std::optional<Place> place = placeAt(help.pos());
    QToolTip::showText(help.globalPos(), place ? cellText(*place) : QString(), this);
    return true;
}

void HeatPlot::mousePressEvent(QMouseEvent* event) {
    if (const std::optional<Place> place = placeAt(event->position()))
        setCurrent(*place);
}

void HeatPlot::mouseDoubleClickEvent(QMouseEvent* event) {
    if (placeAt(event->position()))
        Q_EMIT activated();
}

void HeatPlot::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    const bool walks = key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up ||
                       key == Qt::Key_Down || key == Qt::Key_Home || key == Qt::Key_End;
    if (!walks || m_map.cells.empty())
        return QWidget::keyPressEvent(event);
    if (!m_current)
        return setCurrent({});
    Place place = *m_current;
    const std::size_t panels = shownPanels();
    if (key == Qt::Key_Home || key == Qt::Key_End) {
        place.column = key == Qt::Key_Home ? 0 : m_map.columns - 1;
    } else if (key == Qt::Key_Up || key == Qt::Key_Down) {
        const bool up = key == Qt::Key_Up;
        place.row =
            up ? std::min(place.row + 1, m_map.rows - 1) : place.row - std::min<std::size_t>(place.row, 1);
    } else if (key == Qt::Key_Right) {
        if (place.column + 1 < m_map.columns)
            ++place.column;
        else if (place.panel + 1 < panels)
            place = {place.panel + 1, place.row, 0};
    } else if (place.column > 0) {
        --place.column;
    } else if (place.panel > 0) {
        place = {place.panel - 1, place.row, m_map.columns - 1};
    }
    setCurrent(place);
}

void HeatPlot::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void HeatPlot::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

std::vector<AccessiblePart> HeatPlot::accessibleParts() const {
    std::vector<AccessiblePart> parts;
    for (std::size_t panel = 0; panel < shownPanels(); ++panel)
        for (std::size_t row = 0; row < m_map.rows; ++row)
            for (std::size_t column = 0; column < m_map.columns && parts.size() < kMostParts; ++column) {
                const Place place{panel, row, column};
                parts.push_back({QStringLiteral("%1 %2 %3").arg(panel).arg(row).arg(column),
                                 cellText(place),
                                 {},
                                 cellRect(place).toRect(),
                                 QAccessible::Cell,
                                 m_current == place});
            }
    return parts;
}

void HeatPlot::activatePart(const QString& key) {
    const QStringList numbers = key.split(QLatin1Char(' '));
    if (numbers.size() != 3)
        return;
    const Place place{numbers[0].toULongLong(), numbers[1].toULongLong(), numbers[2].toULongLong()};
    if (place.panel < shownPanels() && place.row < m_map.rows && place.column < m_map.columns)
        setCurrent(place);
}

} // namespace pw

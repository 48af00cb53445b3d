// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/heat_plot.h"

#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/sweep/figure_scale.h"
#include "ui/sweep/sweep_words.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

constexpr int kPad = 10, kLabel = 18, kLegend = 44; // px
constexpr int kMostLeft = 110, kGapX = 14, kTextWidth = 46, kTextHeight = 17;
constexpr std::size_t kMostPanels = 12;
constexpr double kLogFrom = 20.0; // the most over the least from which the scale is logarithmic

bool hasValue(const HeatCell& cell) {
    return !std::isnan(cell.value);
}

// What stands for a cell without a value.
void paintMissing(QPainter& painter, const QRectF& rect, const HeatCell& cell) {
    const Theme& t = theme();
    painter.fillRect(rect, t.panel);
    if (cell.tasks == 0)
        return;
    if (cell.open() > 0)
        return painter.fillRect(rect, t.dark && !t.highContrast ? QBrush(t.line, Qt::Dense6Pattern)
                                                                : QBrush(t.text3, Qt::Dense6Pattern));
    painter.fillRect(rect, cell.failed > 0 ? t.overflow : t.waits);
}

} // namespace

HeatPlot::HeatPlot(SweepStudy& study, QWidget* parent) : QWidget(parent), m_study(study) {
    setObjectName(QStringLiteral("sweep.heat"));
    setAccessibleName(tr("Heat map"));
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(240, 160);
    makeMenu();
    connect(&study, &SweepStudy::chosenChanged, this, &HeatPlot::showChosen);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, &HeatPlot::redraw);
}

void HeatPlot::setQuestion(const HeatQuestion& question) {
    m_question = question;
    refresh();
}

void HeatPlot::refresh() {
    m_map = {};
    m_log = false;
    m_current.reset();
    if (m_study.isOpen() && m_question.x < m_study.sweep().axes.size()) {
        m_map = heatMap(m_study.sweep(), m_study.tasks(), m_study.rows(), m_question);
        m_log = m_question.figure && m_map.low > 0.0 && m_map.high > kLogFrom * m_map.low;
        layOut();
        showChosen();
    }
    redraw();
}

void HeatPlot::redraw() {
    m_picture = {};
    update();
}

std::size_t HeatPlot::shownPanels() const {
    return std::min(m_map.panels, kMostPanels);
}

int HeatPlot::hiddenPanels() const {
    return static_cast<int>(m_map.panels - shownPanels());
}

void HeatPlot::layOut() {
    if (m_map.cells.empty())
        return;
    const QFontMetrics metrics(smallFont());
    int widest = 0;
    if (m_question.y) {
        const SweepAxis& axis = m_study.sweep().axes[*m_question.y];
        for (std::size_t v = 0; v < std::min<std::size_t>(axis.values.size(), 200); ++v)
            widest = std::max(widest, metrics.horizontalAdvance(valueText(axis, v)));
    }
    m_left = kPad + std::min(widest, kMostLeft) + (m_question.y ? kLabel + 6 : 0);
    const auto panels = static_cast<int>(shownPanels());
    const double roomX = width() - m_left - kPad, roomY = height() - kPad - kLegend - 2 * kLabel;
    // As many side by side as make the cells largest.
    double best = 0.0;
    for (int across = 1; across <= panels; ++across) {
        const int down = (panels + across - 1) / across;
        const double stepX = roomX / across, stepY = roomY / down;
        const double cellWidth = (stepX - (across > 1 ? kGapX : 0)) / static_cast<double>(m_map.columns);
        const double cellHeight = (stepY - (panels > 1 ? kLabel + 4 : 0)) / static_cast<double>(m_map.rows);
        const double size = std::min(cellWidth, 2.0 * cellHeight);
        if (across > 1 && size <= best)
            continue;
        best = size;
        m_across = across;
        m_stepX = stepX;
        m_stepY = stepY;
        m_cellWidth = std::max(1.0, cellWidth);
        m_cellHeight = std::max(1.0, cellHeight);
    }
    // Whole pixels where there is room, so that all cells are equal.
    m_cellWidth = m_cellWidth > 8.0 ? std::floor(m_cellWidth) : m_cellWidth;
    m_cellHeight = m_cellHeight > 8.0 ? std::floor(m_cellHeight) : m_cellHeight;
}

QRectF HeatPlot::panelRect(std::size_t panel) const {
    const auto index = static_cast<int>(panel);
    return {m_left + m_stepX * (index % m_across),
            kPad + (m_map.panels > 1 ? kLabel : 0) + m_stepY * (index / m_across),
            m_cellWidth * static_cast<double>(m_map.columns), m_cellHeight * static_cast<double>(m_map.rows)};
}

QRectF HeatPlot::cellRect(const Place& place) const {
    const QRectF panel = panelRect(place.panel);
    // The first value of the upright axis is lowest, as in any plot.
    return {panel.left() + m_cellWidth * static_cast<double>(place.column),
            panel.top() + m_cellHeight * static_cast<double>(m_map.rows - 1 - place.row), m_cellWidth,
            m_cellHeight};
}

std::optional<HeatPlot::Place> HeatPlot::placeAt(const QPointF& at) const {
    for (std::size_t panel = 0; panel < shownPanels(); ++panel) {
        const QRectF rect = panelRect(panel);
        if (!rect.contains(at))
            continue;
        const auto column = static_cast<std::size_t>((at.x() - rect.left()) / m_cellWidth);
        const auto down = static_cast<std::size_t>((at.y() - rect.top()) / m_cellHeight);
        return Place{panel, m_map.rows - 1 - std::min(down, m_map.rows - 1),
                     std::min(column, m_map.columns - 1)};
    }
    return std::nullopt;
}

double HeatPlot::shareOf(double value) const {
    if (m_map.high <= m_map.low)
        return 0.5;
    return m_log ? std::log(value / m_map.low) / std::log(m_map.high / m_map.low)
                 : (value - m_map.low) / (m_map.high - m_map.low);
}

double HeatPlot::valueAt(double share) const {
    return m_log ? m_map.low * std::pow(m_map.high / m_map.low, share)
                 : m_map.low + share * (m_map.high - m_map.low);
}

QString HeatPlot::valueOf(double value) const {
    return m_question.figure ? figureText(*m_question.figure, value) : shareText(value);
}

QString HeatPlot::cellText(const Place& place) const {
    const SweepDocument& sweep = m_study.sweep();
    const HeatCell& cell = m_map.cell(place.panel, place.row, place.column);
    QStringList where;
    const auto add = [&](std::size_t axis, std::size_t value) {
        where << QStringLiteral("%1 %2").arg(q(sweep.axes[axis].name), valueText(sweep.axes[axis], value));
    };
    if (m_question.panels)
        add(*m_question.panels, place.panel);
    if (m_question.y)
        add(*m_question.y, place.row);
    add(m_question.x, place.column);
    QString text = where.join(QStringLiteral(", ")) + QStringLiteral(": ");
    if (cell.tasks == 0)
        return text + tr("no task");
    const bool single = cell.tasks == 1;
    if (hasValue(cell))
        text += valueOf(cell.value);
    else
        text += cell.open() > 0    ? tr("no result yet")
                : cell.failed > 0  ? tr("failed")
                : cell.noPlans > 0 ? tr("no plan")
                                   : tr("not known");
    if (!single)
        text += tr("; of %1 tasks %2 have a plan, %3 none, %4 failed")
                    .arg(numberText(cell.tasks), numberText(cell.plans), numberText(cell.noPlans),
                         numberText(cell.failed));
    if (const std::string& reason = m_study.rows()[cell.task].reason; cell.plans == 0 && !reason.empty())
        text += QLatin1Char('\n') + q(reason);
    return text;
}

void HeatPlot::paintCells(QPainter& painter) const {
    const Theme& t = theme();
    const bool lines = m_cellWidth >= 6.0 && m_cellHeight >= 6.0;
    const bool texts = m_cellWidth >= kTextWidth && m_cellHeight >= kTextHeight;
    painter.setFont(smallFont());
    for (std::size_t panel = 0; panel < shownPanels(); ++panel) {
        for (std::size_t row = 0; row < m_map.rows; ++row)
            for (std::size_t column = 0; column < m_map.columns; ++column) {
                const HeatCell& cell = m_map.cell(panel, row, column);
                QRectF rect = cellRect({panel, row, column});
                if (lines)
                    rect.adjust(0, 0, -1, -1);
                if (!hasValue(cell)) {
                    paintMissing(painter, rect, cell);
                    continue;
                }
                const QColor ground = scaleColour(shareOf(cell.value));
                painter.fillRect(rect, ground);
                if (!texts)
                    continue;
                painter.setPen(inkOn(ground));
                const QString text =
                    m_question.figure ? figureCell(*m_question.figure, cell.value)
                                      : QStringLiteral("%1/%2").arg(cell.plans).arg(cell.tasks - cell.open());
                paintFigures(painter, rect.toRect(), Qt::AlignCenter, text);
            }
        painter.setPen(t.line);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(panelRect(panel).adjusted(-1, -1, 0, 0));
        paintLabels(painter, panel);
    }
}

// Values along the axes, as many as have room; the names of the axes once.
void HeatPlot::paintLabels(QPainter& painter, std::size_t panel) const {
    const Theme& t = theme();
    const SweepDocument& sweep = m_study.sweep();
    const QRectF rect = panelRect(panel);
    const QFontMetrics metrics(smallFont());
    painter.setPen(t.text2);
    const auto index = static_cast<int>(panel);
    const bool isLowest = index + m_across >= static_cast<int>(shownPanels());
    if (m_question.panels) {
        const SweepAxis& axis = sweep.axes[*m_question.panels];
        const QString text = QStringLiteral("%1 %2").arg(q(axis.name), valueText(axis, panel));
        painter.drawText(QRectF(rect.left(), rect.top() - kLabel, rect.width(), kLabel - 2), Qt::AlignVCenter,
                         metrics.elidedText(text, Qt::ElideMiddle, static_cast<int>(rect.width())));
    }
    if (isLowest) {
        const SweepAxis& axis = sweep.axes[m_question.x];
        const auto step = static_cast<std::size_t>(std::max(1.0, std::ceil(34.0 / m_cellWidth)));
        const double room = m_cellWidth * static_cast<double>(step);
        for (std::size_t v = 0; v < m_map.columns; v += step)
            painter.drawText(
                QRectF(rect.left() + m_cellWidth * static_cast<double>(v), rect.bottom() + 1, room, kLabel),
                static_cast<int>((step == 1 ? Qt::AlignHCenter : Qt::AlignLeft) | Qt::AlignVCenter),
                metrics.elidedText(valueText(axis, v), Qt::ElideMiddle, static_cast<int>(room) - 2));
        if (panel + 1 == shownPanels() || m_across == 1 || index % m_across == 0)
            painter.drawText(
                QRectF(rect.left(), rect.bottom() + kLabel - 1, rect.width(), kLabel), Qt::AlignCenter,
                metrics.elidedText(q(axis.name), Qt::ElideRight, static_cast<int>(rect.width())));
    }
    if (!m_question.y || index % m_across != 0)
        return;
    const SweepAxis& axis = sweep.axes[*m_question.y];
    const auto step = static_cast<std::size_t>(std::max(1.0, std::ceil(14.0 / m_cellHeight)));
    for (std::size_t v = 0; v < m_map.rows; v += step) {
        const QRectF cell = cellRect({panel, v, 0});
        painter.drawText(
            QRectF(kLabel + 4, cell.center().y() - 8, m_left - kLabel - 10, 16),
            Qt::AlignRight | Qt::AlignVCenter,
            metrics.elidedText(valueText(axis, v), Qt::ElideMiddle, static_cast<int>(m_left) - kLabel - 10));
    }
    painter.save();
    painter.translate(kPad - 4, rect.center().y());
    painter.rotate(-90.0);
    painter.drawText(QRectF(-rect.height() / 2.0, 0, rect.height(), kLabel), Qt::AlignCenter,
                     metrics.elidedText(q(axis.name), Qt::ElideRight, static_cast<int>(rect.height())));
    painter.restore();
}

// The scale with its name and unit, and what the textures mean.
void HeatPlot::paintLegend(QPainter& painter) const {
    const Theme& t = theme();
    const QFontMetrics metrics(smallFont());
    painter.setFont(smallFont());
    const int top = height() - kLegend + 8;
    int x = static_cast<int>(m_left);
    painter.setPen(t.text2);
    if (m_map.high > 0.0 || m_map.low > 0.0) {
        const int wide = std::clamp(width() / 4, 90, 220);
        const QString name = (m_question.figure ? figureName(*m_question.figure) : tr("Tasks with a plan")) +
                             (m_log ? tr(" (logarithmic)") : QString());
        painter.drawText(x, top + 10, name);
        x += metrics.horizontalAdvance(name) + 12;
        for (int i = 0; i < wide; ++i)
            painter.fillRect(x + i, top, 1, 12, scaleColour(i / static_cast<double>(wide - 1)));
        const QString texts[] = {valueOf(valueAt(0.0)), valueOf(valueAt(0.5)), valueOf(valueAt(1.0))};
        for (int i = 0; i < 3; ++i) {
            const int width = metrics.horizontalAdvance(texts[i]);
            if (i != 1 || wide > 3 * width)
                painter.drawText(x + i * (wide - width) / 2, top + 26, texts[i]);
        }
        x += wide + 20;
    }
    HeatCell missing;
    missing.tasks = 1;
    const auto key = [&](const QString& text) {
        const int wide = metrics.horizontalAdvance(text) + 32;
        if (x + wide > width())
            return;
        paintMissing(painter, QRectF(x, top, 14, 12), missing);
        painter.setPen(t.line);
        painter.drawRect(x, top, 14, 12);
        painter.setPen(t.text2);
        painter.drawText(x + 20, top + 10, text);
        x += wide + 8;
    };
    key(tr("no result yet"));
    missing.noPlans = 1;
    key(tr("no plan"));
    missing.noPlans = 0;
    missing.failed = 1;
    key(tr("failed"));
}

void HeatPlot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (m_map.cells.empty())
        return;
    if (m_picture.isNull()) {
        m_picture = QPixmap(size() * devicePixelRatioF());
        m_picture.setDevicePixelRatio(devicePixelRatioF());
        m_picture.fill(theme().panel);
        QPainter cells(&m_picture);
        paintCells(cells);
        paintLegend(cells);
    }
    painter.drawPixmap(0, 0, m_picture);
    if (!m_current)
        return;
    const QRectF rect = cellRect(*m_current).adjusted(-1, -1, 0, 0);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme().panel, 4));
    painter.drawRect(rect);
    painter.setPen(QPen(hasFocus() ? theme().accent : theme().ink, 2));
    painter.drawRect(rect);
}

void HeatPlot::resizeEvent(QResizeEvent*) {
    layOut();
    redraw();
}

} // namespace pw

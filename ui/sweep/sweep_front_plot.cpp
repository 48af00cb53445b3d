// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_front_plot.h"

#include "ui/base/theme.h"
#include "ui/commands/context_menu.h"
#include "ui/sweep/sweep_words.h"
#include "ui/widgets/plot_style.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace pw {

namespace {

constexpr QMargins kFrontRoom = {62, 10, 14, 40};

double shown(SweepFigure figure, double value) { // as the name's unit has it
    return value * figureFactor(figure);
}

// To all values of both series, with room around them.
void setRange(QCPAxis& axis, const QVector<double> (&series)[2]) {
    constexpr double kRoom = 0.06, kOne = 0.5; // of what they span; around one value of its size
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const QVector<double>& values : series)
        for (const double value : values) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    if (low > high)
        return; // nothing to fit
    const double around = high > low ? kRoom * (high - low) : kOne * std::max(std::abs(high), 1e-9);
    axis.setRange(low - around, high + around);
}

} // namespace

struct SweepFrontPlot::Parts {
    explicit Parts(QCustomPlot& plot)
        : others(addPoints(plot, QCPScatterStyle::ssSquare, 3)),
          front(addPoints(plot, QCPScatterStyle::ssDiamond, 9)) {
        others->setAntialiasedScatters(false);
        others->setAdaptiveSampling(true); // fifty thousand squares on one place look like one
    }
    QCPGraph *others, *front; // the plot owns them
};

SweepFrontPlot::SweepFrontPlot(SweepStudy& study, QWidget* parent)
    : PointPlot(kFrontRoom, parent), m_study(study), m_parts(std::make_unique<Parts>(plot())) {
    setObjectName(QStringLiteral("sweep.front"));
    setAccessibleName(tr("Pareto plot"));
    setMinimumSize(200, 140);
    connect(&study, &SweepStudy::chosenChanged, this, &SweepFrontPlot::showChosen);
    makeMenu();
    addRing(13);
    applyTheme();
}

SweepFrontPlot::~SweepFrontPlot() = default;

void SweepFrontPlot::recolour(const Theme& t) {
    for (QCPAxis* axis : {plot().xAxis, plot().yAxis}) {
        axis->setLabelPadding(2);
        axis->setNumberFormat(QStringLiteral("gbc"));
        axis->setNumberPrecision(7); // 12500, and no power of ten
    }
    stylePoints(*m_parts->others, QPen(t.text3, 1), t.text3);
    stylePoints(*m_parts->front, QPen(t.panel, 1), t.accent);
}

bool SweepFrontPlot::isOnFront(std::size_t task) const {
    return std::ranges::binary_search(m_front, task);
}

bool SweepFrontPlot::isDrawn(std::size_t task) const {
    const SweepRow& row = m_study.rows()[task];
    return row.standing == TaskStanding::Plan && !std::isnan(row.figure(m_x)) && !std::isnan(row.figure(m_y));
}

bool SweepFrontPlot::isChosenDrawn() const {
    const int task = m_study.isOpen() ? m_study.chosen() : -1;
    return task >= 0 && isDrawn(static_cast<std::size_t>(task));
}

QString SweepFrontPlot::textOf(std::size_t task) const {
    const SweepRow& row = m_study.rows()[task];
    return tr("%1: %2 %3, %4 %5")
        .arg(taskText(m_study.sweep(), m_study.tasks()[task].at), figureName(m_x),
             figureCell(m_x, row.figure(m_x)), figureName(m_y), figureCell(m_y, row.figure(m_y)));
}

void SweepFrontPlot::makeMenu() {
    RowMenu menu;
    menu.place = "sweep plots";
    menu.choose = [this](const QPoint& at) {
        if (const int task = taskAt(at); task >= 0)
            m_study.setChosen(task);
        return isChosenDrawn();
    };
    menu.current = [this] {
        if (!isChosenDrawn())
            return QRect();
        const QPointF at = positionOf(static_cast<std::size_t>(m_study.chosen()));
        return QRectF(at.x() - kReach, at.y() - kReach, 2 * kReach, 2 * kReach).toRect();
    };
    menu.text = [this] { return textOf(static_cast<std::size_t>(m_study.chosen())); };
    menu.all = [this] {
        QStringList lines;
        for (const std::size_t task : m_front)
            lines << textOf(task);
        return lines.join(QLatin1Char('\n'));
    };
    offerMenu(this, std::move(menu));
}

void SweepFrontPlot::setPoints(SweepFigure x, SweepFigure y, std::vector<std::size_t> front) {
    m_x = x;
    m_y = y;
    m_front = std::move(front);
    QVector<double> xs[2], ys[2]; // others, front
    for (std::size_t task = 0; task < m_study.rows().size(); ++task) {
        if (!isDrawn(task))
            continue;
        const SweepRow& row = m_study.rows()[task];
        const int series = isOnFront(task) ? 1 : 0;
        xs[series] << shown(x, row.figure(x));
        ys[series] << shown(y, row.figure(y));
    }
    m_parts->others->setData(xs[0], ys[0]);
    m_parts->front->setData(xs[1], ys[1]);
    plot().xAxis->setLabel(figureName(x));
    plot().yAxis->setLabel(figureName(y));
    hideRing(); // the axes are fitted to all points
    setRange(*plot().xAxis, xs);
    setRange(*plot().yAxis, ys);
    showChosen();
    plot().replot(QCustomPlot::rpQueuedReplot);
}

int SweepFrontPlot::pointCount() const {
    return m_parts->others->dataCount() + m_parts->front->dataCount();
}

QPointF SweepFrontPlot::positionOf(std::size_t task) const {
    const SweepRow& row = m_study.rows()[task];
    return {plot().xAxis->coordToPixel(shown(m_x, row.figure(m_x))),
            plot().yAxis->coordToPixel(shown(m_y, row.figure(m_y)))};
}

int SweepFrontPlot::taskAt(const QPointF& position) const {
    int nearest = -1;
    double least = kReach;
    const auto look = [&](std::size_t task) {
        const QPointF apart = positionOf(task) - position;
        if (const double distance = std::hypot(apart.x(), apart.y()); distance < least) {
            least = distance;
            nearest = static_cast<int>(task);
        }
    };
    std::ranges::for_each(m_front, look);
    if (nearest >= 0)
        return nearest;
    for (std::size_t task = 0; task < m_study.rows().size(); ++task)
        if (isDrawn(task))
            look(task);
    return nearest;
}

void SweepFrontPlot::showChosen() {
    const int task = m_study.chosen();
    if (task >= 0 && isDrawn(static_cast<std::size_t>(task))) {
        const SweepRow& row = m_study.rows()[static_cast<std::size_t>(task)];
        showRing(shown(m_x, row.figure(m_x)), shown(m_y, row.figure(m_y)));
        setAccessibleDescription(
            taskText(m_study.sweep(), m_study.tasks()[static_cast<std::size_t>(task)].at));
    } else {
        hideRing();
    }
}

bool SweepFrontPlot::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto& help = static_cast<const QHelpEvent&>(*event);
    QString text;
    if (const int at = taskAt(help.pos()); at >= 0)
        text = textOf(static_cast<std::size_t>(at));
    QToolTip::showText(help.globalPos(), text, this);
    return true;
}

void SweepFrontPlot::mousePressEvent(QMouseEvent* event) {
    if (const int task = taskAt(event->position()); task >= 0)
        m_study.setChosen(task);
}

void SweepFrontPlot::mouseDoubleClickEvent(QMouseEvent* event) {
    if (taskAt(event->position()) >= 0)
        Q_EMIT activated();
}

// Along x, whatever the order of the tasks is.
void SweepFrontPlot::keyPressEvent(QKeyEvent* event) {
    const int by = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (by == 0 || m_front.empty())
        return QWidget::keyPressEvent(event);
    std::vector<std::size_t> along = m_front;
    std::ranges::stable_sort(along, {},
                             [this](std::size_t task) { return m_study.rows()[task].figure(m_x); });
    const auto at = std::ranges::find(along, static_cast<std::size_t>(m_study.chosen()));
    const std::ptrdiff_t next =
        at == along.end() ? 0 : std::clamp<std::ptrdiff_t>(at - along.begin() + by, 0, std::ssize(along) - 1);
    m_study.setChosen(static_cast<int>(along[static_cast<std::size_t>(next)]));
}

} // namespace pw

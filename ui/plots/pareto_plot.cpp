// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/pareto_plot.h"

#include "ui/base/error_text.h"
#include "ui/base/theme.h"
#include "ui/commands/context_menu.h"
#include "ui/session/document.h"
#include "ui/session/plan_text.h"
#include "ui/session/selection.h"
#include "ui/widgets/plot_style.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pw {

namespace {

constexpr QMargins kParetoRoom = {54, 10, 14, 40};

} // namespace

struct ParetoPlot::Parts {
    explicit Parts(QCustomPlot& plot)
        : line(plot.addGraph()), faint(addPoints(plot, QCPScatterStyle::ssCircle, 4)),
          stale(addPoints(plot, QCPScatterStyle::ssCircle, 6)),
          staleInfeasible(addPoints(plot, QCPScatterStyle::ssCross, 6)),
          infeasible(addPoints(plot, QCPScatterStyle::ssCross, 6)),
          grey(addPoints(plot, QCPScatterStyle::ssCircle, 6)),
          best(addPoints(plot, QCPScatterStyle::ssCircle, 7)), brush(new QCPItemRect(&plot)) {
        line->setLineStyle(QCPGraph::lsStepLeft);
        brush->setVisible(false);
        for (QCPItemPosition* corner : {brush->topLeft, brush->bottomRight})
            corner->setType(QCPItemPosition::ptPlotCoords);
    }
    QCPGraph *line, *faint, *stale, *staleInfeasible, *infeasible, *grey, *best; // the plot owns them
    QCPItemRect* brush;
};

ParetoPlot::ParetoPlot(AppContext& context, QWidget* parent)
    : PointPlot(kParetoRoom, parent), m_context(context), m_brush(PlanBrush::of(context.candidates)),
      m_parts(std::make_unique<Parts>(plot())) {
    setObjectName(QStringLiteral("plots.pareto"));
    setAccessibleName(tr("Pareto plot"));
    setMinimumSize(200, 140);
    setMouseTracking(true);
    connect(&context.candidates, &Candidates::changed, this, &ParetoPlot::refresh);
    connect(&context.document, &Document::changed, this, &ParetoPlot::refresh);
    connect(&context.selection, &Selection::planChanged, this, &ParetoPlot::showPlan);
    connect(&m_brush, &PlanBrush::changed, this, &ParetoPlot::refresh);
    makeMenu();
    addRing(13);
    applyTheme();
    refresh();
}

ParetoPlot::~ParetoPlot() = default;

void ParetoPlot::recolour(const Theme& t) {
    for (QCPAxis* axis : {plot().xAxis, plot().yAxis})
        axis->setLabelPadding(2);
    m_parts->line->setPen(QPen(t.accent, 1));
    stylePoints(*m_parts->faint, QPen(Qt::NoPen), t.line);
    stylePoints(*m_parts->stale, QPen(t.panel, 1), paled(t.text3, true));
    stylePoints(*m_parts->staleInfeasible, QPen(paled(t.err, true), 1), Qt::NoBrush);
    stylePoints(*m_parts->infeasible, QPen(t.err, 1), Qt::NoBrush);
    stylePoints(*m_parts->grey, QPen(t.panel, 1), t.text3);
    stylePoints(*m_parts->best, QPen(t.panel, 1), t.accent);
    QColor veil = t.accent;
    veil.setAlphaF(0.16F);
    m_parts->brush->setPen(QPen(t.accent, 1));
    m_parts->brush->setBrush(veil);
}

void ParetoPlot::makeMenu() {
    RowMenu menu;
    menu.place = "pareto";
    menu.choose = [this](const QPoint& at) {
        if (const int plan = planAt(at); plan >= 0)
            m_context.selection.setPlan(plan);
        return !m_points.empty();
    };
    menu.current = [this] { // beside the plan in view, where it has a point
        const QPointF at = positionOf(m_context.selection.plan());
        return m_points.empty() ? QRect()
               : at.isNull()    ? rect()
                                : QRectF(at.x() - kReach, at.y() - kReach, 2 * kReach, 2 * kReach).toRect();
    };
    menu.text = [this] { return textOf(m_context.selection.plan()); };
    menu.all = [this] {
        QStringList lines;
        for (const Point& point : m_points)
            lines << textOf(point.id);
        return lines.join(QLatin1Char('\n'));
    };
    offerMenu(this, std::move(menu));
}

void ParetoPlot::setAxes(PlanAxis x, PlanAxis y) {
    m_x = x;
    m_y = y;
    refresh();
}

void ParetoPlot::setLogarithmic(bool on) {
    m_log = on;
    refresh();
}

void ParetoPlot::setDominatedShown(bool on) {
    m_dominated = on;
    refresh();
}

void ParetoPlot::refresh() {
    m_points.clear();
    const auto problem = m_context.document.problem();
    for (const Candidate& plan : m_context.candidates.all())
        m_points.push_back({plan.id, axisValue(m_x, plan), axisValue(m_y, plan), placeOf(plan, problem),
                            plan.evaluation.feasible, m_brush.passes(plan), false});
    // Along x, from its good end: a plan is on the front where y gets better.
    const double sx = lowerIsBetter(m_x) ? 1.0 : -1.0, sy = lowerIsBetter(m_y) ? 1.0 : -1.0;
    std::vector<Point*> sorted;
    for (Point& point : m_points)
        if (point.feasible && point.place == PlanPlace::Own)
            sorted.push_back(&point);
    std::stable_sort(sorted.begin(), sorted.end(), [&](const Point* a, const Point* b) {
        return std::pair(sx * a->x, sy * a->y) < std::pair(sx * b->x, sy * b->y);
    });
    double bestY = std::numeric_limits<double>::infinity();
    QVector<double> lineX, lineY;
    for (Point* point : sorted)
        if (sy * point->y < bestY) {
            bestY = sy * point->y;
            point->onFront = true;
            lineX << point->x;
            lineY << point->y;
        }
    if (!m_dominated)
        std::erase_if(m_points, [](const Point& point) { return !point.onFront; });
    m_parts->line->setLineStyle(sx > 0 ? QCPGraph::lsStepLeft : QCPGraph::lsStepRight);
    m_parts->line->setData(lineX, lineY);
    showPoints();
    plot().xAxis->setLabel(axisName(m_x));
    plot().yAxis->setLabel(axisName(m_y));
    fit();
    showBrush();
    showPlan();
    const auto stale = std::ranges::count(m_points, PlanPlace::EarlierState, &Point::place);
    const QString said = tr("%1 over %2: %3 plans, %4 brushed, %5 on the front")
                             .arg(axisName(m_y), axisName(m_x))
                             .arg(m_points.size())
                             .arg(std::ranges::count(m_points, true, &Point::brushed))
                             .arg(lineX.size());
    setAccessibleDescription(stale > 0 ? tr("%1; %2 stale").arg(said).arg(stale) : said);
}

// Each among those that look like it.
void ParetoPlot::showPoints() {
    QCPGraph* graphs[] = {m_parts->faint,      m_parts->stale, m_parts->staleInfeasible,
                          m_parts->infeasible, m_parts->grey,  m_parts->best};
    constexpr std::size_t kGraphs = std::size(graphs);
    QVector<double> xs[kGraphs], ys[kGraphs];
    for (const Point& point : m_points) {
        const bool pale = point.place == PlanPlace::EarlierState || point.place == PlanPlace::Elsewhere;
        const std::size_t graph = !point.brushed    ? 0
                                  : pale            ? (point.feasible ? 1 : 2)
                                  : !point.feasible ? 3
                                  : point.onFront   ? 5
                                                    : 4;
        xs[graph] << point.x;
        ys[graph] << point.y;
    }
    for (std::size_t i = 0; i < kGraphs; ++i)
        graphs[i]->setData(xs[i], ys[i]);
}

void ParetoPlot::fit() {
    const auto range = [this](QCPAxis* axis, auto value) {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (const Point& point : m_points) {
            low = std::min(low, value(point));
            high = std::max(high, value(point));
        }
        if (m_points.empty())
            low = 0.0, high = 1.0;
        const bool log = m_log && low > 0.0;
        axis->setScaleType(log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
        axis->setTicker(log ? QSharedPointer<QCPAxisTicker>(new QCPAxisTickerLog)
                            : QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
        axis->ticker()->setTickCount(4);
        if (log) {
            const double room = std::pow(std::max(high / low, 1.02), 0.08);
            axis->setRange(low / room, high * room);
        } else {
            const double room = std::max((high - low) * 0.08, std::abs(high) * 0.01 + 1e-9);
            axis->setRange(low - room, high + room);
        }
    };
    range(plot().xAxis, [](const Point& p) { return p.x; });
    range(plot().yAxis, [](const Point& p) { return p.y; });
    plot().replot(QCustomPlot::rpQueuedReplot);
}

void ParetoPlot::showBrush() {
    const auto onX = m_brush.range(m_x), onY = m_brush.range(m_y);
    m_parts->brush->setVisible(onX || onY);
    const QCPRange x = plot().xAxis->range(), y = plot().yAxis->range();
    m_parts->brush->topLeft->setCoords(onX ? std::max(onX->low, x.lower) : x.lower,
                                       onY ? std::min(onY->high, y.upper) : y.upper);
    m_parts->brush->bottomRight->setCoords(onX ? std::min(onX->high, x.upper) : x.upper,
                                           onY ? std::max(onY->low, y.lower) : y.lower);
}

void ParetoPlot::showPlan() {
    const int id = m_context.selection.plan();
    const auto at =
        std::find_if(m_points.begin(), m_points.end(), [id](const Point& point) { return point.id == id; });
    if (at == m_points.end())
        hideRing();
    else
        showRing(at->x, at->y);
}

QPointF ParetoPlot::pixelOf(const Point& point) const {
    return {plot().xAxis->coordToPixel(point.x), plot().yAxis->coordToPixel(point.y)};
}

QPointF ParetoPlot::positionOf(int plan) const {
    for (const Point& point : m_points)
        if (point.id == plan)
            return pixelOf(point);
    return {};
}

int ParetoPlot::planAt(const QPointF& position) const {
    int nearest = -1;
    double least = kReach * kReach;
    for (const Point& point : m_points) {
        const QPointF away = pixelOf(point) - position;
        const double distance = QPointF::dotProduct(away, away);
        if (distance < least) {
            least = distance;
            nearest = point.id;
        }
    }
    return nearest;
}

std::vector<int> ParetoPlot::front() const {
    std::vector<const Point*> on;
    for (const Point& point : m_points)
        if (point.onFront)
            on.push_back(&point);
    std::sort(on.begin(), on.end(), [](const Point* a, const Point* b) { return a->x < b->x; });
    std::vector<int> ids;
    for (const Point* point : on)
        ids.push_back(point->id);
    return ids;
}

QString ParetoPlot::textOf(int plan) const {
    const Candidate* candidate = m_context.candidates.find(plan);
    if (!candidate)
        return {};
    QString text =
        tr("%1: %2, %3, %4")
            .arg(planTitle(*candidate),
                 withStale(markedIteration(candidate->evaluation), *candidate, m_context.document.problem()),
                 axisText(m_x, axisValue(m_x, *candidate)), planSummary(candidate->plan));
    if (!candidate->evaluation.feasible && !candidate->evaluation.reasons.empty())
        text += tr("; infeasible: %1").arg(messageText(candidate->evaluation.reasons.front()));
    return text;
}

bool ParetoPlot::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto& help = static_cast<const QHelpEvent&>(*event);
    QToolTip::showText(help.globalPos(), textOf(planAt(help.pos())), this);
    return true;
}

void ParetoPlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    m_pressed = event->position();
    m_brushing = false;
}

void ParetoPlot::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & Qt::LeftButton)) {
        setCursor(planAt(event->position()) >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
        return;
    }
    if (!m_brushing && (event->position() - m_pressed).manhattanLength() < 4.0)
        return;
    m_brushing = true;
    const auto span = [](QCPAxis* axis, double a, double b) {
        const double u = axis->pixelToCoord(a), v = axis->pixelToCoord(b);
        return PlanBrush::Range{std::min(u, v), std::max(u, v)};
    };
    m_brush.setRanges(m_x, span(plot().xAxis, m_pressed.x(), event->position().x()), m_y,
                      span(plot().yAxis, m_pressed.y(), event->position().y()));
}

void ParetoPlot::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || m_brushing)
        return;
    const int plan = planAt(event->position());
    if (plan >= 0)
        m_context.selection.setPlan(plan);
    else
        m_brush.clear();
}

void ParetoPlot::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && !m_brush.isEmpty())
        return m_brush.clear();
    const int by = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (by == 0)
        return QWidget::keyPressEvent(event);
    // Left and Right walk along the front, which is what one chooses from.
    const std::vector<int> ids = front();
    if (ids.empty())
        return;
    const auto at = std::find(ids.begin(), ids.end(), m_context.selection.plan());
    const std::ptrdiff_t next =
        at == ids.end() ? 0 : std::clamp<std::ptrdiff_t>(at - ids.begin() + by, 0, std::ssize(ids) - 1);
    m_context.selection.setPlan(ids[static_cast<std::size_t>(next)]);
}

} // namespace pw

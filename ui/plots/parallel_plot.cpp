// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/parallel_plot.h"

#include "ui/base/theme.h"
#include "ui/commands/context_menu.h"
#include "ui/session/document.h"
#include "ui/session/plan_order.h"
#include "ui/session/plan_text.h"
#include "ui/session/selection.h"

#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPaintEngine>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pw {

namespace {

constexpr double kSide = 56.0, kTop = 42.0, kBottom = 24.0; // px around the axes
constexpr double kAxisReach = 12.0, kLineReach = 5.0;

double distanceTo(QPointF p, QPointF a, QPointF b) {
    const QPointF along = b - a, to = p - a;
    const double length = QPointF::dotProduct(along, along);
    const double share = length > 0.0 ? std::clamp(QPointF::dotProduct(to, along) / length, 0.0, 1.0) : 0.0;
    const QPointF away = to - share * along;
    return std::sqrt(QPointF::dotProduct(away, away));
}

} // namespace

ParallelPlot::ParallelPlot(AppContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_brush(PlanBrush::of(context.candidates)) {
    setObjectName(QStringLiteral("plots.parallel"));
    setAccessibleName(tr("Parallel plot"));
    setAttribute(Qt::WA_OpaquePaintEvent);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(360, 120);
    makeMenu();
    connect(&context.candidates, &Candidates::changed, this, &ParallelPlot::refresh);
    connect(&context.selection, &Selection::planChanged, this, qOverload<>(&QWidget::update));
    const auto redraw = [this] {
        m_lines = {};
        update();
    };
    connect(&context.document, &Document::changed, this, &ParallelPlot::refresh);
    connect(&m_brush, &PlanBrush::changed, this, redraw);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, redraw);
    refresh();
}

void ParallelPlot::refresh() {
    const auto& plans = m_context.candidates.all();
    m_values.clear();
    for (const Candidate& plan : plans) {
        std::array<double, kPlanAxes> values{};
        for (int a = 0; a < kPlanAxes; ++a)
            values[static_cast<std::size_t>(a)] = axisValue(static_cast<PlanAxis>(a), plan);
        m_values.push_back(values);
    }
    for (std::size_t a = 0; a < m_scales.size(); ++a) {
        Scale scale{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                    m_log[a], false};
        for (const auto& values : m_values) {
            scale.low = std::min(scale.low, values[a]);
            scale.high = std::max(scale.high, values[a]);
        }
        if (m_values.empty())
            scale = {};
        scale.single = scale.high <= scale.low;
        if (scale.single) { // it stands in the middle
            const double room = std::max(std::abs(scale.low) * 0.05, 0.5);
            scale.low -= room;
            scale.high += room;
        }
        scale.log = scale.log && scale.low > 0.0;
        m_scales[a] = scale;
    }
    m_lines = {};
    const auto stale = std::ranges::count_if(
        plans, [this](const Candidate& plan) { return isEarlier(plan, m_context.document.problem()); });
    const QString said = tr("%1 plans over %2 axes").arg(plans.size()).arg(kPlanAxes);
    setAccessibleDescription(stale > 0 ? tr("%1; %2 stale").arg(said).arg(stale) : said);
    update();
}

double ParallelPlot::axisX(PlanAxis axis) const {
    return std::round(kSide + (width() - 2.0 * kSide) * static_cast<int>(axis) / (kPlanAxes - 1)) + 0.5;
}

double ParallelPlot::yOf(PlanAxis axis, double value) const {
    const Scale& s = m_scales[static_cast<std::size_t>(axis)];
    const double share =
        s.log ? std::log(value / s.low) / std::log(s.high / s.low) : (value - s.low) / (s.high - s.low);
    return height() - kBottom - share * (height() - kTop - kBottom);
}

double ParallelPlot::valueAt(PlanAxis axis, double y) const {
    const Scale& s = m_scales[static_cast<std::size_t>(axis)];
    const double share = std::clamp((height() - kBottom - y) / (height() - kTop - kBottom), 0.0, 1.0);
    return s.log ? s.low * std::pow(s.high / s.low, share) : s.low + share * (s.high - s.low);
}

void ParallelPlot::setLogarithmic(PlanAxis axis, bool on) {
    m_log[static_cast<std::size_t>(axis)] = on;
    refresh();
}

QPolygonF ParallelPlot::lineOf(std::size_t plan) const {
    QPolygonF line;
    for (int a = 0; a < kPlanAxes; ++a) {
        const auto axis = static_cast<PlanAxis>(a);
        line << QPointF(axisX(axis), yOf(axis, m_values[plan][static_cast<std::size_t>(a)]));
    }
    return line;
}

void ParallelPlot::drawLines(QPainter& painter) const {
    const Theme& t = theme();
    painter.fillRect(rect(), t.panel);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto& plans = m_context.candidates.all();
    const auto problem = m_context.document.problem();
    const Candidate* best = bestPlan(m_context.candidates, problem);
    const std::vector<const Candidate*> ordered = currentFirst(m_context.candidates, problem);
    // What the brush leaves out lies below; better plans come first in the order and are drawn last.
    for (const bool in : {false, true})
        for (std::size_t i = ordered.size(); i-- > 0;) {
            const Candidate& plan = *ordered[i];
            if (m_brush.passes(plan) != in)
                continue;
            const bool feasible = plan.evaluation.feasible, stale = Candidates::isStale(plan, problem);
            const bool leads = &plan == best && !stale && in;
            QPen pen(!in         ? t.faint
                     : !feasible ? paled(t.err, stale)
                     : leads     ? t.accent
                                 : paled(t.text3, stale),
                     leads ? 1.5 : 1.0);
            if (!feasible)
                pen.setStyle(Qt::DotLine);
            painter.setPen(pen);
            painter.drawPolyline(lineOf(static_cast<std::size_t>(&plan - plans.data())));
        }
}

void ParallelPlot::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    if (painter.paintEngine()->type() != QPaintEngine::Raster) { // a drawing that scales takes no pixels
        drawLines(painter);
    } else {
        if (m_lines.isNull() || m_lines.devicePixelRatio() != devicePixelRatioF()) {
            m_lines = QPixmap(size() * devicePixelRatioF());
            m_lines.setDevicePixelRatio(devicePixelRatioF());
            QPainter lines(&m_lines);
            drawLines(lines);
        }
        painter.drawPixmap(0, 0, m_lines);
    }
    const auto& plans = m_context.candidates.all();
    for (std::size_t i = 0; i < plans.size(); ++i)
        if (plans[i].id == m_context.selection.plan()) {
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(QPen(t.panel, 4.0));
            painter.drawPolyline(lineOf(i));
            painter.setPen(QPen(t.ink, 2.0));
            painter.drawPolyline(lineOf(i));
            painter.setRenderHint(QPainter::Antialiasing, false);
        }
    const double half = (width() - 2.0 * kSide) / (kPlanAxes - 1) / 2.0;
    for (int a = 0; a < kPlanAxes; ++a) {
        const auto axis = static_cast<PlanAxis>(a);
        const double x = axisX(axis);
        painter.fillRect(QRectF(x - 0.5, kTop, 1, height() - kTop - kBottom), t.text2);
        const QRectF place(x - half, 0, 2 * half, 16);
        painter.setFont(bodyFont(500));
        painter.setPen(t.text);
        painter.drawText(
            place.translated(0, 4), Qt::AlignHCenter,
            painter.fontMetrics().elidedText(axisName(axis), Qt::ElideRight, static_cast<int>(2 * half) - 4));
        painter.setFont(smallFont());
        painter.setPen(t.text2);
        const Scale& s = m_scales[static_cast<std::size_t>(a)];
        if (!m_values.empty()) {
            const double middle = (s.low + s.high) / 2.0;
            painter.drawText(place.translated(0, 22), Qt::AlignHCenter,
                             axisText(axis, s.single ? middle : s.high));
            if (!s.single)
                painter.drawText(place.translated(0, height() - kBottom + 5), Qt::AlignHCenter,
                                 s.log ? tr("%1, log").arg(axisText(axis, s.low)) : axisText(axis, s.low));
        }
        if (const auto range = m_brush.range(axis)) {
            const double top = yOf(axis, std::min(range->high, s.high)),
                         bottom = yOf(axis, std::max(range->low, s.low));
            QColor veil = t.accent;
            veil.setAlphaF(0.16F);
            const QRectF brush(x - 6, top, 12, std::max(2.0, bottom - top));
            painter.fillRect(brush, veil);
            painter.setPen(t.accent);
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(brush);
        }
    }
    if (hasFocus()) {
        painter.setPen(QPen(t.accent, 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

void ParallelPlot::resizeEvent(QResizeEvent*) {
    m_lines = {};
}

int ParallelPlot::axisNear(double x) const {
    for (int a = 0; a < kPlanAxes; ++a)
        if (std::abs(axisX(static_cast<PlanAxis>(a)) - x) <= kAxisReach)
            return a;
    return -1;
}

int ParallelPlot::planAt(QPointF position) const {
    const auto& plans = m_context.candidates.all();
    int nearest = -1;
    double least = kLineReach;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const QPolygonF line = lineOf(i);
        for (qsizetype k = 0; k + 1 < line.size(); ++k)
            if (const double away = distanceTo(position, line[k], line[k + 1]); away < least) {
                least = away;
                nearest = plans[i].id;
            }
    }
    return nearest;
}

bool ParallelPlot::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto& help = static_cast<const QHelpEvent&>(*event);
    QToolTip::showText(help.globalPos(), toolTipAt(help.pos()), this);
    return true;
}

// Over the axes, whose names are cut where they stand closely, the name.
QString ParallelPlot::toolTipAt(const QPoint& at) const {
    if (at.y() >= kTop)
        return textOf(m_context.candidates.find(planAt(at)));
    const double step = (width() - 2.0 * kSide) / (kPlanAxes - 1);
    const long axis = std::lround((at.x() - kSide) / step);
    return axisName(static_cast<PlanAxis>(std::clamp(axis, 0L, static_cast<long>(kPlanAxes) - 1)));
}

QString ParallelPlot::textOf(const Candidate* plan) const {
    return plan ? tr("%1: %2, %3")
                      .arg(planTitle(*plan),
                           withStale(markedIteration(plan->evaluation), *plan, m_context.document.problem()),
                           planSummary(plan->plan))
                : QString();
}

void ParallelPlot::mousePressEvent(QMouseEvent* event) {
    m_pressed = event->position();
    m_brushing = false;
    m_axis = event->button() == Qt::LeftButton ? axisNear(m_pressed.x()) : -1;
}

void ParallelPlot::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & Qt::LeftButton)) {
        const bool onAxis = axisNear(event->position().x()) >= 0;
        setCursor(onAxis                           ? Qt::SizeVerCursor
                  : planAt(event->position()) >= 0 ? Qt::PointingHandCursor
                                                   : Qt::ArrowCursor);
        return;
    }
    if (m_axis < 0 || (!m_brushing && std::abs(event->position().y() - m_pressed.y()) < 3.0))
        return;
    m_brushing = true;
    const auto axis = static_cast<PlanAxis>(m_axis);
    const double a = valueAt(axis, m_pressed.y()), b = valueAt(axis, event->position().y());
    m_brush.setRange(axis, PlanBrush::Range{std::min(a, b), std::max(a, b)});
}

void ParallelPlot::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || m_brushing)
        return;
    if (const int plan = planAt(event->position()); plan >= 0)
        m_context.selection.setPlan(plan);
}

void ParallelPlot::mouseDoubleClickEvent(QMouseEvent* event) {
    m_brushing = true; // the release that follows chooses nothing
    if (const int axis = axisNear(event->position().x()); axis >= 0)
        m_brush.setRange(static_cast<PlanAxis>(axis), std::nullopt);
    else
        m_brush.clear();
}

void ParallelPlot::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && !m_brush.isEmpty())
        m_brush.clear();
    else
        QWidget::keyPressEvent(event);
}

void ParallelPlot::makeMenu() {
    RowMenu menu;
    menu.place = "parallel";
    menu.choose = [this](const QPoint& at) {
        m_asked = axisNear(at.x());
        if (const int plan = m_asked < 0 ? planAt(at) : -1; plan >= 0)
            m_context.selection.setPlan(plan);
        return true;
    };
    menu.current = [this] { return rect(); };
    menu.text = [this] { return textOf(m_context.candidates.find(m_context.selection.plan())); };
    menu.all = [this] {
        QStringList lines;
        for (const Candidate& plan : m_context.candidates.all())
            lines << textOf(&plan);
        return lines.join(QLatin1Char('\n'));
    };
    menu.fill = [this](QMenu& entries) { offerAxes(entries, std::exchange(m_asked, -1)); };
    offerMenu(this, std::move(menu));
}

void ParallelPlot::offerAxes(QMenu& menu, int near) {
    for (int a = 0; a < kPlanAxes; ++a) {
        if (near >= 0 && near != a)
            continue;
        const auto axis = static_cast<PlanAxis>(a);
        QAction* log = menu.addAction(tr("%1: logarithmic").arg(axisName(axis)));
        log->setCheckable(true);
        log->setChecked(isLogarithmic(axis));
        connect(log, &QAction::toggled, this, [this, axis](bool on) { setLogarithmic(axis, on); });
    }
    menu.addSeparator();
    menu.addAction(tr("Clear the brush"), this, [this] { m_brush.clear(); })->setEnabled(!m_brush.isEmpty());
}

} // namespace pw

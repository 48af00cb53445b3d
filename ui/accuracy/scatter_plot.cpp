// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accuracy/scatter_plot.h"

#include "ui/accuracy/log_ticker.h"
#include "ui/accuracy/run_table_model.h"
#include "ui/accuracy/source_table_model.h"
#include "ui/base/convert.h"
#include "ui/base/theme.h"
#include "ui/commands/context_menu.h"
#include "ui/widgets/plot_style.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace pw {

namespace {

constexpr int kPlotLeft = 62, kTop = 12, kPlotRight = 16, kBottom = 46; // around the square
constexpr double kWhole = 1e9; // the bands reach beyond every range that can be zoomed to
constexpr std::array kBands = {0.25, 0.10};

} // namespace

struct ScatterPlot::Parts {
    explicit Parts(QCustomPlot& plot); // which owns what follows

    std::array<QCPGraph*, 2> low{}, high{}; // by band
    QCPGraph* diagonal;
    QCPGraph *outside, *grey, *triangles, *squares, *chosen;
    QCPItemText* predicted;
};

ScatterPlot::Parts::Parts(QCustomPlot& plot) {
    plot.axisRect()->setupFullAxesBox();
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis, plot.xAxis2, plot.yAxis2}) {
        axis->setScaleType(QCPAxis::stLogarithmic);
        axis->setTicker(QSharedPointer<LogTicker>::create());
        axis->grid()->setSubGridVisible(true);
    }
    for (std::size_t band = 0; band < kBands.size(); ++band) {
        low[band] = plot.addGraph();
        high[band] = plot.addGraph();
        for (QCPGraph* edge : {low[band], high[band]}) {
            const double factor = edge == low[band] ? 1.0 - kBands[band] : 1.0 + kBands[band];
            edge->setData({1.0 / kWhole, kWhole}, {factor / kWhole, factor * kWhole}, true);
            edge->setPen(Qt::NoPen);
        }
        high[band]->setChannelFillGraph(low[band]);
    }
    diagonal = plot.addGraph();
    diagonal->setData({1.0 / kWhole, kWhole}, {1.0 / kWhole, kWhole}, true);
    outside = addPoints(plot, QCPScatterStyle::ssCross, 5);
    grey = addPoints(plot, QCPScatterStyle::ssCircle, 4);
    squares = addPoints(plot, QCPScatterStyle::ssSquare, 8);
    triangles = addPoints(plot, QCPScatterStyle::ssTriangle, 9);
    chosen = addPoints(plot, QCPScatterStyle::ssCircle, 7.5);
    predicted = new QCPItemText(&plot);
    predicted->position->setType(QCPItemPosition::ptAxisRectRatio);
    predicted->position->setCoords(0.02, 0.02);
    predicted->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
}

ScatterPlot::ScatterPlot(AccuracyStudy& study, QWidget* parent)
    : PointPlot({}, parent), m_study(study), m_parts(std::make_unique<Parts>(plot())) {
    setObjectName(QStringLiteral("accuracy.scatter"));
    setAccessibleName(tr("Predicted against measured"));
    setMinimumSize(240, 220);
    setMouseTracking(true);
    connect(&study, &AccuracyStudy::changed, this, &ScatterPlot::refresh);
    connect(&study, &AccuracyStudy::chosenChanged, this, &ScatterPlot::refresh);
    connect(&study, &AccuracyStudy::quantityChanged, this, [this] {
        m_fitted = true;
        refresh();
    });
    connect(&study, &AccuracyStudy::runChanged, this, &ScatterPlot::showRun);
    RowMenu menu;
    menu.place = "accuracy points";
    menu.choose = [this](const QPoint& at) {
        if (const RunRef run = runAt(at))
            m_study.setRun(run);
        return current().isValid();
    };
    menu.current = [this] { return current(); };
    menu.text = [this] { return pointText(m_study.run()); };
    offerMenu(this, std::move(menu));
    addRing(14);
    applyTheme();
    refresh();
}

ScatterPlot::~ScatterPlot() = default;

void ScatterPlot::recolour(const Theme& t) {
    for (QCPAxis* axis : plot().axisRect()->axes()) {
        axis->grid()->setPen(QPen(t.line, 1));
        axis->grid()->setSubGridPen(QPen(t.grid, 1));
    }
    m_parts->high[0]->setBrush(t.head);
    m_parts->high[1]->setBrush(t.okGround);
    m_parts->diagonal->setPen(QPen(t.ok, 1, Qt::DashLine));
    stylePoints(*m_parts->outside, QPen(t.text3, 1), Qt::NoBrush);
    stylePoints(*m_parts->grey, QPen(Qt::NoPen), t.text3);
    stylePoints(*m_parts->triangles, QPen(t.ink, 1.2), t.panel);
    stylePoints(*m_parts->squares, QPen(t.ink, 1.2), t.panel);
    stylePoints(*m_parts->chosen, QPen(t.panel, 1), t.accent);
    m_parts->predicted->setFont(smallFont());
    m_parts->predicted->setColor(t.text2);
    m_parts->predicted->setBrush(t.panel);
    m_parts->predicted->setPadding(QMargins(4, 2, 4, 2));
}

void ScatterPlot::refresh() {
    const RunQuantity quantity = m_study.quantity();
    m_points.clear();
    struct Series {
        QVector<double> x, y;
    };
    Series outside, grey, triangles, squares, chosen;
    for (int s = 0; s < static_cast<int>(m_study.sources().size()); ++s) {
        const StudySource& source = *m_study.source(s);
        const SourceMark mark = markOf(m_study, s);
        Series& own = mark == SourceMark::Chosen     ? chosen
                      : mark == SourceMark::Triangle ? triangles
                      : mark == SourceMark::Square   ? squares
                                                     : grey;
        for (int row = 0; row < static_cast<int>(source.rows.size()); ++row) {
            const RunRef run{s, row};
            const auto measured = m_study.measured(run, quantity),
                       predicted = m_study.predicted(run, quantity);
            if (!measured || !predicted)
                continue;
            m_points.push_back({run, *measured, *predicted});
            Series& into = source.counted[static_cast<std::size_t>(row)] ? own : outside;
            into.x << *measured;
            into.y << *predicted;
        }
    }
    m_parts->outside->setData(outside.x, outside.y);
    m_parts->grey->setData(grey.x, grey.y);
    m_parts->triangles->setData(triangles.x, triangles.y);
    m_parts->squares->setData(squares.x, squares.y);
    m_parts->chosen->setData(chosen.x, chosen.y);
    const bool time = quantity == RunQuantity::Time;
    plot().xAxis->setLabel(time ? tr("Measured iteration time, logarithmic")
                                : tr("Measured peak memory, logarithmic"));
    m_parts->predicted->setText(time ? tr("Predicted iteration time") : tr("Predicted peak memory"));
    for (QCPAxis* axis : {plot().xAxis, plot().yAxis})
        axis->ticker().staticCast<LogTicker>()->setUnit(time ? QStringLiteral("s") : QStringLiteral("GiB"));
    if (m_fitted)
        fit();
    showRun();
    plot().replot(QCustomPlot::rpQueuedReplot);
}

void ScatterPlot::fit() {
    m_fitted = true;
    double low = 1e300, high = 0.0;
    for (const Point& point : m_points) {
        low = std::min({low, point.measured, point.predicted});
        high = std::max({high, point.measured, point.predicted});
    }
    if (m_points.empty()) {
        low = 0.1;
        high = 100.0;
    }
    const double room = std::pow(std::max(high / low, 2.0), 0.03);
    setRange(low / room, high * room, low / room, high * room);
}

void ScatterPlot::setRange(double low, double high, double lowPredicted, double highPredicted) {
    for (QCPAxis* axis : {plot().xAxis, plot().xAxis2})
        axis->setRange(low, high);
    for (QCPAxis* axis : {plot().yAxis, plot().yAxis2})
        axis->setRange(lowPredicted, highPredicted);
    plot().replot(QCustomPlot::rpQueuedReplot);
}

void ScatterPlot::showRun() {
    const RunRef run = m_study.run();
    const auto measured = m_study.measured(run, m_study.quantity());
    const auto predicted = m_study.predicted(run, m_study.quantity());
    if (measured && predicted)
        showRing(*measured, *predicted);
    else
        hideRing();
    describe();
}

void ScatterPlot::describe() {
    const StudySource* source = m_study.source(m_study.chosen());
    QString text = source ? tr("%1 points, %2 chosen").arg(m_points.size()).arg(source->title) : QString();
    if (m_study.run())
        text += QStringLiteral("; ") + pointText(m_study.run());
    setAccessibleDescription(text);
}

QString ScatterPlot::pointText(RunRef run) const {
    const RunQuantity quantity = m_study.quantity();
    const auto measured = m_study.measured(run, quantity), predicted = m_study.predicted(run, quantity);
    const auto error = m_study.error(run, quantity);
    if (!measured || !predicted || !error)
        return {};
    return tr("%1: predicted %2, measured %3, %4")
        .arg(q(m_study.row(run)->rowId), runFigure(*predicted, quantity), runFigure(*measured, quantity),
             errorText(*error));
}

QPointF ScatterPlot::pixelOf(const Point& point) const {
    return {plot().xAxis->coordToPixel(point.measured), plot().yAxis->coordToPixel(point.predicted)};
}

QPointF ScatterPlot::positionOf(RunRef run) const {
    const auto at =
        std::find_if(m_points.begin(), m_points.end(), [run](const Point& p) { return p.run == run; });
    return at == m_points.end() ? QPointF() : pixelOf(*at);
}

RunRef ScatterPlot::runAt(const QPointF& position) const {
    if (!area().contains(position.toPoint()))
        return {};
    RunRef nearest;
    double least = kReach * kReach;
    for (const Point& point : m_points) {
        const QPointF away = pixelOf(point) - position;
        // The chosen source stands on top of the others.
        const double weight = point.run.source == m_study.chosen() ? 0.25 : 1.0;
        const double distance = QPointF::dotProduct(away, away);
        if (distance > kReach * kReach || distance * weight >= least)
            continue;
        least = distance * weight;
        nearest = point.run;
    }
    return nearest;
}

QRect ScatterPlot::area() const {
    const int side = std::max(40, std::min(width() - kPlotLeft - kPlotRight, height() - kTop - kBottom));
    const int spare = std::max(0, width() - kPlotLeft - kPlotRight - side);
    return {kPlotLeft + spare / 2, kTop, side, side};
}

// Where the chosen run is drawn; invalid: it has no point.
QRect ScatterPlot::current() const {
    const QPointF at = positionOf(m_study.run());
    return at.isNull() ? QRect() : QRectF(at.x() - kReach, at.y() - kReach, 2 * kReach, 2 * kReach).toRect();
}

int ScatterPlot::pointCount() const {
    return static_cast<int>(m_points.size());
}

bool ScatterPlot::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto& help = static_cast<const QHelpEvent&>(*event);
    const RunRef run = runAt(help.pos());
    QToolTip::showText(help.globalPos(),
                       run ? QStringLiteral("%1\n%2").arg(m_study.source(run.source)->title, pointText(run))
                           : QString(),
                       this);
    return true;
}

void ScatterPlot::resizeEvent(QResizeEvent* event) {
    const QRect square = area();
    setAround(
        QMargins(square.left(), square.top(), width() - square.right() - 1, height() - square.bottom() - 1));
    PointPlot::resizeEvent(event);
    Q_EMIT areaChanged();
}

void ScatterPlot::mousePressEvent(QMouseEvent* event) {
    m_pressed = event->position();
    m_panning = false;
}

void ScatterPlot::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & Qt::LeftButton)) {
        setCursor(runAt(event->position()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
        return;
    }
    const QPointF moved = event->position() - m_pressed;
    if (!m_panning && moved.manhattanLength() < QApplication::startDragDistance())
        return;
    m_panning = true;
    m_fitted = false;
    const QCPRange x = plot().xAxis->range(), y = plot().yAxis->range();
    const double side = area().width();
    const double right = std::pow(x.upper / x.lower, -moved.x() / side);
    const double up = std::pow(y.upper / y.lower, moved.y() / side);
    setRange(x.lower * right, x.upper * right, y.lower * up, y.upper * up);
    m_pressed = event->position();
}

void ScatterPlot::mouseReleaseEvent(QMouseEvent* event) {
    if (std::exchange(m_panning, false))
        return;
    if (const RunRef run = runAt(event->position()))
        m_study.setRun(run);
}

void ScatterPlot::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const RunRef run = runAt(event->position()))
        m_study.requestOpen(run);
    else
        fit();
}

void ScatterPlot::wheelEvent(QWheelEvent* event) {
    m_fitted = false;
    const double factor = std::pow(1.2, -event->angleDelta().y() / 120.0);
    const auto zoomed = [factor](QCPRange range, double fixed) {
        return QCPRange(fixed * std::pow(range.lower / fixed, factor),
                        fixed * std::pow(range.upper / fixed, factor));
    };
    const QCPRange x = zoomed(plot().xAxis->range(), plot().xAxis->pixelToCoord(event->position().x()));
    const QCPRange y = zoomed(plot().yAxis->range(), plot().yAxis->pixelToCoord(event->position().y()));
    constexpr double kNarrowest = 1.05, kWidest = 1e8;
    const double span = x.upper / x.lower;
    if (span > kNarrowest && span < kWidest)
        setRange(x.lower, x.upper, y.lower, y.upper);
    event->accept();
}

void ScatterPlot::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Down:
        return step(-1);
    case Qt::Key_Right:
    case Qt::Key_Up:
        return step(1);
    case Qt::Key_Home:
        return fit();
    default:
        QWidget::keyPressEvent(event);
    }
}

// The next run of the chosen source by what was measured.
void ScatterPlot::step(int by) {
    std::vector<Point> own;
    for (const Point& point : m_points)
        if (point.run.source == m_study.chosen())
            own.push_back(point);
    if (own.empty())
        return;
    std::stable_sort(own.begin(), own.end(),
                     [](const Point& a, const Point& b) { return a.measured < b.measured; });
    const auto at = std::find_if(own.begin(), own.end(),
                                 [this](const Point& point) { return point.run == m_study.run(); });
    const auto last = static_cast<std::ptrdiff_t>(own.size()) - 1;
    const std::ptrdiff_t next =
        at == own.end() ? 0 : std::clamp<std::ptrdiff_t>(at - own.begin() + by, 0, last);
    m_study.setRun(own[static_cast<std::size_t>(next)].run);
}

} // namespace pw

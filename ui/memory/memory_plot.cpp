// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory/memory_plot.h"

#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/session/time_range.h"
#include "ui/widgets/qcustomplot.h"

#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <vector>

namespace pw {

namespace {

double gib(Bytes bytes) {
    return toGibibytes(bytes);
}

double step(double top) {
    double result = 1.0;
    for (const double next : {2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0})
        if (top / result > 2.9)
            result = next;
    return result;
}

} // namespace

struct MemoryPlot::Parts {
    explicit Parts(QWidget* parent);

    QCustomPlot* plot; // the parent owns it, and the plot the rest
    std::array<QCPGraph*, 7> bands{};
    QCPGraph* limit;               // the capacity, under the overflow
    QCPGraph* overflow;            // the total where it exceeds the capacity
    QCPItemStraightLine* whole;    // all that the device has, where a plan may hold less
    QCPItemStraightLine* capacity; // what a plan may hold
    QCPItemText* capacityText;
    QCPItemTracer* peakMark;
    QCPItemText* peak;
    QCPItemStraightLine* cursor;
};

MemoryPlot::Parts::Parts(QWidget* parent) : plot(new QCustomPlot(parent)) {
    plot->setAttribute(Qt::WA_TransparentForMouseEvents);
    plot->setFocusPolicy(Qt::NoFocus);
    plot->setAutoAddPlottableToLegend(false);
    plot->setNotAntialiasedElements(QCP::AntialiasedElements(QCP::aeAll) &
                                    ~QCP::AntialiasedElements(QCP::aeItems)); // the peak's mark is round
    plot->plotLayout()->setRowSpacing(0);
    plot->axisRect()->setAutoMargins(QCP::msNone);
    plot->axisRect()->setMinimumMargins(QMargins(0, 0, 0, 0));
    plot->axisRect()->setMargins(QMargins(0, 0, 0, 0));
    for (QCPAxis* axis : {plot->xAxis, plot->yAxis}) {
        axis->setTickLabels(false);
        axis->setTicks(false);
        axis->setBasePen(Qt::NoPen);
        axis->grid()->setZeroLinePen(Qt::NoPen);
    }
    plot->xAxis->grid()->setVisible(false);
    for (std::size_t i = 0; i < bands.size(); ++i) {
        bands[i] = plot->addGraph();
        bands[i]->setLineStyle(QCPGraph::lsStepLeft);
        if (i > 0)
            bands[i]->setChannelFillGraph(bands[i - 1]);
    }
    limit = plot->addGraph();
    limit->setPen(Qt::NoPen);
    overflow = plot->addGraph();
    overflow->setLineStyle(QCPGraph::lsStepLeft);
    overflow->setChannelFillGraph(limit);
    whole = new QCPItemStraightLine(plot);
    capacity = new QCPItemStraightLine(plot);
    capacityText = new QCPItemText(plot);
    peak = new QCPItemText(plot);
    for (QCPItemText* words : {capacityText, peak}) {
        words->position->setType(QCPItemPosition::ptAbsolute); // px
        words->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
        words->setPadding(QMargins(4, 1, 4, 1));
    }
    peakMark = new QCPItemTracer(plot); // after the text, whose ground would cover half of it
    peakMark->setStyle(QCPItemTracer::tsCircle);
    peakMark->setSize(7);
    plot->addLayer(QStringLiteral("cursor"));
    plot->layer(QStringLiteral("cursor"))->setMode(QCPLayer::lmBuffered);
    cursor = new QCPItemStraightLine(plot);
    for (QCPItemStraightLine* line : {whole, capacity, cursor})
        line->setAntialiased(false);
    cursor->setLayer(QStringLiteral("cursor"));
}

std::vector<double> MemoryPlot::scaleMarks(double top) {
    std::vector<double> marks;
    for (double at = 0.0; at <= top; at += step(top))
        marks.push_back(at);
    return marks;
}

MemoryPlot::MemoryPlot(TimeRange& range, QWidget* parent)
    : QWidget(parent), m_range(range), m_parts(std::make_unique<Parts>(this)) {
    setObjectName(QStringLiteral("memory.plot"));
    setAccessibleName(tr("Memory over time"));
    setMinimumSize(100, 60);
    setMouseTracking(true);
    connect(&range, &TimeRange::visibleChanged, this, &MemoryPlot::rangeChanged);
    connect(&range, &TimeRange::cursorChanged, this, &MemoryPlot::cursorChanged);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, &MemoryPlot::applyTheme);
    applyTheme();
    rangeChanged();
}

MemoryPlot::~MemoryPlot() = default;

void MemoryPlot::applyTheme() {
    const Theme& t = theme();
    m_parts->plot->setBackground(t.panel);
    m_parts->plot->yAxis->grid()->setPen(QPen(t.grid, 1));
    for (std::size_t i = 0; i < m_parts->bands.size(); ++i) {
        m_parts->bands[i]->setPen(QPen(t.panel, 1)); // keeps neighbours apart
        m_parts->bands[i]->setBrush(paled(t.memory[i], m_stale));
    }
    m_parts->overflow->setPen(QPen(t.err, 1));
    m_parts->overflow->setBrush(t.overflow);
    QPen dashes(t.err, 1);
    dashes.setDashPattern({6, 4});
    m_parts->capacity->setPen(dashes);
    m_parts->whole->setPen(QPen(t.text3, 1));
    m_parts->capacityText->setColor(t.err);
    m_parts->capacityText->setFont(bodyFont());
    m_parts->capacityText->setBrush(t.panel);
    m_parts->peakMark->setPen(QPen(t.ink, 1.5));
    m_parts->peakMark->setBrush(t.panel);
    m_parts->peak->setFont(bodyFont());
    m_parts->peak->setColor(m_overflows ? t.err : m_stale ? t.text2 : t.text);
    m_parts->peak->setBrush(t.panel);
    m_parts->cursor->setPen(QPen(t.text3, 1));
    placeWords();
    m_parts->plot->replot(QCustomPlot::rpQueuedReplot);
}

void MemoryPlot::show(const ShownDevice& device, const ShownStage& stage, const ShownPlan& plan) {
    const MemoryParts& p = device.peak;
    const Bytes constant[] = {p.reserve, p.weights, p.gradients, p.optimizer, p.communication, p.transient};
    const double last = static_cast<double>(plan.timeline->end) / 1e9, capacity = gib(device.capacity),
                 peak = gib(p.total());
    double floor = 0.0;
    for (std::size_t i = 0; i < std::size(constant); ++i) {
        floor += gib(constant[i]);
        m_parts->bands[i]->setData({0.0, last}, {floor, floor}, true);
    }
    double most = 0.0;
    for (const InFlightStep& at : stage.inFlight)
        most = std::max(most, at.count);
    QVector<double> times, totals;
    double peakTime = 0.0;
    bool found = false;
    for (const InFlightStep& at : stage.inFlight) {
        times << at.time;
        totals << floor + (most > 0.0 ? gib(p.activations) * at.count / most : 0.0);
        if (!found && at.count == most) {
            peakTime = at.time;
            found = true;
        }
    }
    times << last;
    totals << (totals.isEmpty() ? floor : totals.back());
    m_parts->bands[6]->setData(times, totals, true);

    m_overflows = device.overflows();
    m_stale = plan.stale;
    m_parts->limit->setVisible(m_overflows);
    m_parts->overflow->setVisible(m_overflows);
    m_parts->limit->setData({0.0, last}, {capacity, capacity}, true);
    QVector<double> above;
    for (const double total : totals)
        above << std::max(total, capacity);
    m_parts->overflow->setData(times, above, true);

    const double whole = gib(device.whole());
    m_top = std::max({whole, peak, 1.0}) * 1.15;
    m_parts->plot->yAxis->setRange(0.0, m_top);
    m_parts->plot->yAxis->ticker()->setTickCount(3);
    QSharedPointer<QCPAxisTickerFixed> ticker(new QCPAxisTickerFixed);
    ticker->setTickStep(step(m_top));
    ticker->setScaleStrategy(QCPAxisTickerFixed::ssNone);
    m_parts->plot->yAxis->setTicker(ticker);

    m_parts->capacity->setVisible(capacity > 0.0);
    m_parts->capacity->point1->setCoords(0.0, capacity);
    m_parts->capacity->point2->setCoords(1.0, capacity);
    m_parts->whole->setVisible(device.room().isHeldBack());
    m_parts->whole->point1->setCoords(0.0, whole);
    m_parts->whole->point2->setCoords(1.0, whole);
    m_parts->capacityText->setText(
        device.room().isHeldBack()
            ? tr("at most %1 of %2 GiB, to fit with a chance of %3 %")
                  .arg(decimalText(capacity, 1), decimalText(whole, 1), chanceText(device.room()))
        : capacity > 0.0 ? tr("capacity %1 GiB").arg(decimalText(capacity, 1))
                         : tr("capacity unknown: set the memory of this kind of device"));

    m_peakTime = peakTime;
    m_peak = peak;
    m_capacity = capacity;
    m_parts->peakMark->position->setCoords(peakTime, peak);
    m_parts->peak->setText(
        m_overflows ? tr("needs %1 of %2 GiB, %3 in flight, ∴ estimated")
                          .arg(decimalText(peak, 1), limitText(device.room()))
                          .arg(most)
                    : tr("peak %1 GiB, %2 in flight, ∴ estimated").arg(decimalText(peak, 1)).arg(most));
    setAccessibleDescription(
        tr("Memory of %1, %2, %3").arg(device.id, m_parts->peak->text(), m_parts->capacityText->text()));
    applyTheme();
}

double MemoryPlot::gibAt(std::int64_t t) const {
    const auto steps = m_parts->bands.back()->data();
    const auto at = steps->findBegin(static_cast<double>(t) / 1e9, true);
    return at == steps->constEnd() ? 0.0 : at->value;
}

QString MemoryPlot::capacityText() const {
    return m_parts->capacityText->text();
}

QString MemoryPlot::peakText() const {
    return m_parts->peak->text();
}

// On the panel's colour, since bands lie under them. The peak's words stand beside their mark, the capacity's
// above or below their line at either end, so that neither lies on the other and both are whole, as far as
// there is room.
void MemoryPlot::placeWords() {
    const QFontMetrics metrics(bodyFont());
    const auto sizeOf = [&metrics](const QCPItemText& words) {
        const QMargins padding = words.padding();
        return metrics.boundingRect(QRect(), Qt::TextDontClip, words.text()).size() +
               QSize(padding.left() + padding.right(), padding.top() + padding.bottom());
    };
    const TimeWindow window = m_range.visible();
    const auto yOf = [this](double gib) {
        return m_top > 0.0 ? static_cast<int>(std::lround(height() * (1.0 - gib / m_top))) : 0;
    };
    const double share = (m_peakTime * 1e9 - static_cast<double>(window.begin)) /
                         std::max(static_cast<double>(window.span()), 1.0);
    const int line = m_capacity > 0.0 ? yOf(m_capacity) : 0;
    const int mark = yOf(m_peak), x = static_cast<int>(std::clamp(share, -100.0, 100.0) * width());
    constexpr int kBeside = 6, kOff = 3; // px from the mark, beside and above
    const QSize peak = sizeOf(*m_parts->peak), capacity = sizeOf(*m_parts->capacityText);
    std::vector<QRect> peaks, capacities; // the best place first
    for (const int left : {x + kBeside, x - kBeside - peak.width()})
        for (const int top : {mark - kOff - peak.height(), mark + kOff, mark + kOff + capacity.height()})
            peaks.emplace_back(QPoint(left, top), peak);
    const int leftmost = width() / 100, rightmost = width() * 24 / 25 - capacity.width();
    const bool atLeft = share > 0.3 && share < 1.0;
    for (const int left : {atLeft ? leftmost : rightmost, atLeft ? rightmost : leftmost})
        for (const int top : {line - capacity.height(), line + 1})
            capacities.emplace_back(QPoint(left, top), capacity);
    m_peakRect = peaks.front();
    m_capacityRect = {};
    // Both whole; else the peak's whole; else, its mark out of view, wherever it is.
    const auto place = [&](bool inView) {
        for (const QRect& own : peaks)
            for (const QRect& other : capacities)
                if ((!inView || rect().contains(own)) && rect().contains(other) && !own.intersects(other)) {
                    m_peakRect = own;
                    m_capacityRect = other;
                    return true;
                }
        return false;
    };
    if (!place(true)) {
        const auto whole =
            std::ranges::find_if(peaks, [this](const QRect& own) { return rect().contains(own); });
        if (whole != peaks.end())
            m_peakRect = *whole;
        else
            place(false);
    }
    m_parts->capacityText->setVisible(!m_capacityRect.isNull());
    m_parts->capacityText->position->setPixelPosition(m_capacityRect.topLeft());
    m_parts->peak->position->setPixelPosition(m_peakRect.topLeft());
}

void MemoryPlot::resizeEvent(QResizeEvent*) {
    m_parts->plot->setGeometry(rect()); // which draws at once, with the words where they were
    placeWords();
    m_parts->plot->replot(QCustomPlot::rpQueuedReplot);
}

void MemoryPlot::rangeChanged() {
    const TimeWindow window = m_range.visible();
    m_parts->plot->xAxis->setRange(static_cast<double>(window.begin) / 1e9,
                                   static_cast<double>(window.end) / 1e9);
    placeWords();
    m_parts->plot->replot(QCustomPlot::rpQueuedReplot);
}

void MemoryPlot::cursorChanged() {
    m_parts->cursor->setVisible(m_range.cursor() >= 0);
    const double at = static_cast<double>(m_range.cursor()) / 1e9;
    m_parts->cursor->point1->setCoords(at, 0.0);
    m_parts->cursor->point2->setCoords(at, 1.0);
    m_parts->plot->layer(QStringLiteral("cursor"))->replot();
}

void MemoryPlot::mousePressEvent(QMouseEvent* event) {
    m_pressX = event->position().x();
    m_pressWindow = m_range.visible();
}

void MemoryPlot::mouseMoveEvent(QMouseEvent* event) {
    const TimeWindow window = m_range.visible();
    if (m_pressX >= 0.0) {
        const double share = (m_pressX - event->position().x()) / std::max(width(), 1);
        const auto by = std::llround(share * static_cast<double>(m_pressWindow.span()));
        m_range.setVisible(m_pressWindow.panned(by, m_range.traceEnd()));
    }
    m_range.setCursor(window.toTime(event->position().x(), width()));
}

void MemoryPlot::mouseReleaseEvent(QMouseEvent*) {
    m_pressX = -1.0;
}

void MemoryPlot::wheelEvent(QWheelEvent* event) {
    if (!(event->modifiers() & Qt::ControlModifier))
        return event->ignore();
    const std::int64_t fixed = m_range.visible().toTime(event->position().x(), width());
    const double steps = event->angleDelta().y() / 120.0;
    m_range.setVisible(m_range.visible().zoomed(std::pow(1.2, -steps), fixed, m_range.traceEnd()));
    event->accept();
}

void MemoryPlot::leaveEvent(QEvent* event) {
    m_range.setCursor(-1);
    QWidget::leaveEvent(event);
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accuracy/errors_view.h"

#include "ui/accuracy/calibration_panel.h"
#include "ui/accuracy/run_table_model.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/commands/context_menu.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pw {

namespace {

constexpr int kLegend = 32, kAxis = 26, kLeft = 46, kRight = 14;

QString shareLabel(double share) {
    return QStringLiteral("%1 %").arg(std::lround(100.0 * share));
}

} // namespace

HistogramPlot::HistogramPlot(AccuracyStudy& study, QWidget* parent) : QWidget(parent), m_study(study) {
    setObjectName(QStringLiteral("accuracy.histogram"));
    setAccessibleName(tr("Histogram of errors"));
    setMinimumSize(240, 110);
    setFocusPolicy(Qt::StrongFocus);
    makeMenu();
    connect(&study, &AccuracyStudy::changed, this, &HistogramPlot::refresh);
    connect(&study, &AccuracyStudy::chosenChanged, this, &HistogramPlot::refresh);
    connect(&study, &AccuracyStudy::quantityChanged, this, &HistogramPlot::refresh);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, qOverload<>(&QWidget::update));
    refresh();
}

void HistogramPlot::refresh() {
    m_histogram = errorHistogram(m_study.sources(), m_study.chosen(), m_study.quantity());
    const StudySource* source = m_study.source(m_study.chosen());
    m_title = source ? source->title : QString();
    setAccessibleDescription(
        m_histogram.runs == 0 ? tr("No errors to show")
                              : tr("%1: %2 runs, %3 within 10 %, %4 within 25 %")
                                    .arg(m_title)
                                    .arg(m_histogram.runs)
                                    .arg(shareText(m_histogram.within10), shareText(m_histogram.within25)));
    update();
}

void HistogramPlot::makeMenu() {
    RowMenu menu;
    menu.place = "errors";
    menu.choose = [this](const QPoint& at) { return chooseAt(at); };
    menu.current = [this] { return m_title.isEmpty() ? QRect() : binRect(m_bin); };
    menu.text = [this] { return binText(m_bin); };
    menu.all = [this] {
        QStringList lines;
        for (int bin = 0; bin < ErrorHistogram::kBins; ++bin)
            lines << binText(bin);
        return lines.join(QLatin1Char('\n'));
    };
    offerMenu(this, std::move(menu));
}

QRect HistogramPlot::binRect(int bin) const {
    const QRect area = plotRect();
    const int from = area.width() * bin / ErrorHistogram::kBins,
              to = area.width() * (bin + 1) / ErrorHistogram::kBins;
    return {area.left() + from, area.top(), to - from, area.height()};
}

bool HistogramPlot::chooseAt(const QPoint& at) {
    const QRect area = plotRect();
    if (m_title.isEmpty() || !area.contains(at))
        return false;
    m_bin = std::clamp((at.x() - area.left()) * ErrorHistogram::kBins / area.width(), 0,
                       ErrorHistogram::kBins - 1);
    update();
    return true;
}

QString HistogramPlot::binText(int bin) const {
    const double left = ErrorHistogram::left(bin);
    return tr("%1 to %2: %3 of %4, %5 of all sources")
        .arg(errorText(left), errorText(left + ErrorHistogram::kWidth),
             shareText(m_histogram.chosen[static_cast<std::size_t>(bin)]), m_title,
             shareText(m_histogram.all[static_cast<std::size_t>(bin)]));
}

void HistogramPlot::mousePressEvent(QMouseEvent* event) {
    chooseAt(event->position().toPoint());
}

void HistogramPlot::keyPressEvent(QKeyEvent* event) {
    const int by = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (by == 0 || m_title.isEmpty())
        return QWidget::keyPressEvent(event);
    m_bin = std::clamp(m_bin + by, 0, ErrorHistogram::kBins - 1);
    setAccessibleDescription(binText(m_bin));
    update();
}

QRect HistogramPlot::plotRect() const {
    return rect().adjusted(kLeft, kLegend, -kRight, -kAxis);
}

double HistogramPlot::top() const {
    const double most = std::max(*std::max_element(m_histogram.chosen.begin(), m_histogram.chosen.end()),
                                 *std::max_element(m_histogram.all.begin(), m_histogram.all.end()));
    return std::max(0.05, most * 1.08);
}

void HistogramPlot::paintLegend(QPainter& painter) const {
    const Theme& t = theme();
    painter.setFont(smallFont());
    const QFontMetrics metrics(smallFont());
    const QString within = m_histogram.runs > 0 ? tr("%1 of %2 runs within 10 %")
                                                      .arg(shareText(m_histogram.within10))
                                                      .arg(countText(m_histogram.runs))
                                                : tr("no errors");
    const int right = width() - kRight - metrics.horizontalAdvance(within);
    painter.setPen(t.text);
    painter.drawText(QRect(right, 0, width() - right, kLegend), Qt::AlignVCenter, within);
    int x = 10;
    const auto entry = [&](const QString& text, const QColor& fill, bool line) {
        if (x + 20 + metrics.horizontalAdvance(text) > right - 12)
            return;
        if (line) {
            painter.fillRect(x, kLegend / 2 - 1, 12, 2, fill);
        } else {
            painter.fillRect(x, kLegend / 2 - 6, 12, 12, t.line);
            painter.fillRect(x + 1, kLegend / 2 - 5, 10, 10, fill);
        }
        painter.setPen(t.text2);
        painter.drawText(QRect(x + 18, 0, right, kLegend), Qt::AlignVCenter, text);
        x += 18 + metrics.horizontalAdvance(text) + 16;
    };
    entry(metrics.elidedText(m_title, Qt::ElideRight, 150), t.accent, false);
    entry(tr("All sources, weighed equally"), t.ink, true);
    entry(tr("Within 10 %"), t.okGround, false);
}

void HistogramPlot::paintScale(QPainter& painter, const QRect& area) const {
    const Theme& t = theme();
    painter.setFont(smallFont());
    const double step = top() > 0.6 ? 0.25 : top() > 0.25 ? 0.1 : 0.05;
    for (double share = 0.0; share <= top(); share += step) {
        const int y = area.bottom() + 1 - static_cast<int>(std::lround(share / top() * area.height()));
        painter.fillRect(area.left(), y, area.width(), 1, share > 0.0 ? t.grid : t.line);
        painter.setPen(t.text2);
        paintFigures(painter, QRect(0, y - 8, kLeft - 8, 16), Qt::AlignRight, shareLabel(share));
    }
    for (int at = -40; at <= 40; at += 10) {
        const int x = area.left() + area.width() * (at + 40) / 80;
        const QString sign = at == -40  ? QStringLiteral("\u2264 ")
                             : at == 40 ? QStringLiteral("\u2265 ")
                                        : QString();
        const QString text =
            at == 0 ? QStringLiteral("0 %") : QStringLiteral("%1%2 %").arg(sign, signedText(at, 0));
        const int half = figuresWidth(smallFont(), text) / 2 + 1;
        paintFigures(painter, QRect(std::min(x, width() - 4 - half) - 40, area.bottom() + 5, 80, 16),
                     Qt::AlignHCenter, text);
    }
}

void HistogramPlot::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    painter.fillRect(rect(), t.panel);
    const QRect area = plotRect();
    if (m_title.isEmpty() || area.height() < 20)
        return;
    paintLegend(painter);
    const auto x = [&](int bin) {
        return area.left() +
               static_cast<int>(std::lround(double(area.width()) * bin / ErrorHistogram::kBins));
    };
    const auto y = [&](double share) {
        return area.bottom() + 1 - static_cast<int>(std::lround(share / top() * area.height()));
    };
    painter.fillRect(x(15), area.top(), x(25) - x(15), area.height(), t.okGround); // -10 to +10 %
    paintScale(painter, area);
    QPainterPath line(QPointF(x(0), y(0.0)));
    for (int bin = 0; bin < ErrorHistogram::kBins; ++bin) {
        const auto at = static_cast<std::size_t>(bin);
        if (m_histogram.chosen[at] > 0.0) {
            const int up = y(m_histogram.chosen[at]);
            painter.fillRect(x(bin), up, x(bin + 1) - x(bin) - 1, area.bottom() + 1 - up, t.accent);
        }
        line.lineTo(x(bin), y(m_histogram.all[at]));
        line.lineTo(x(bin + 1), y(m_histogram.all[at]));
    }
    line.lineTo(x(ErrorHistogram::kBins), y(0.0));
    painter.setPen(QPen(t.ink, 1));
    if (m_histogram.sources > 0)
        painter.drawPath(line);
    painter.setPen(QPen(t.ink, 1, Qt::DashLine));
    painter.drawLine(x(20), area.top(), x(20), area.bottom());
    if (hasFocus()) {
        painter.setPen(QPen(t.accent, 2));
        painter.drawRect(binRect(m_bin));
    }
}

bool HistogramPlot::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto& help = static_cast<const QHelpEvent&>(*event);
    const QRect area = plotRect();
    QString text;
    if (area.contains(help.pos())) {
        text = binText(std::clamp((help.pos().x() - area.left()) * ErrorHistogram::kBins / area.width(), 0,
                                  ErrorHistogram::kBins - 1));
    }
    QToolTip::showText(help.globalPos(), text, this);
    return true;
}

ErrorsView::ErrorsView(AccuracyContext& context, QWidget* parent)
    : View(parent), m_calibration(new CalibrationPanel(context)) {
    setObjectName(QStringLiteral("accuracyErrorsView"));
    setAccessibleName(tr("Errors"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* plot = new HistogramPlot(context.accuracy);
    column->addWidget(plot, 1);
    setFocusProxy(plot);
    column->addWidget(m_calibration);
    const auto follow = [this, &context] {
        setSubtitle(context.accuracy.quantity() == RunQuantity::Time
                        ? tr("of iteration time, predicted / measured \u2212 1")
                        : tr("of peak memory, predicted / measured \u2212 1"));
    };
    connect(&context.accuracy, &AccuracyStudy::quantityChanged, this, follow);
    follow();
}

} // namespace pw

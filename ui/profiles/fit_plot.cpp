// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profiles/fit_plot.h"

#include "core/base/units.h"
#include "core/links/link_fit.h"
#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/commands/context_menu.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/plot_style.h"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pw {

namespace {

constexpr int kLinePoints = 64;
constexpr int kResidualHeight = 72;

class DurationTicker : public QCPAxisTickerLog {
protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        return q(formatDuration(Seconds(tick)));
    }
};

class PlainDurationTicker : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        return tick < 0 ? QString() : q(formatDuration(Seconds(tick)));
    }
};

class ByteTicker : public QCPAxisTickerLog {
protected:
    QString getTickLabel(double tick, const QLocale& locale, QChar, int) override {
        for (const auto& [unit, word] : {std::pair(1e9, "GB"), std::pair(1e6, "MB"), std::pair(1e3, "kB")})
            if (tick >= unit)
                return locale.toString(tick / unit, 'g', 4) + QLatin1Char(' ') + QLatin1String(word);
        return locale.toString(tick, 'g', 4) + QStringLiteral(" B");
    }
};

class ShareTicker : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return shareText(tick); }
};

QString residualText(double worst) {
    return FitPlot::tr("largest residual %1").arg(shareText(worst));
}

} // namespace

std::vector<FitCurve> fitCurves(const LinkMeasurement& m) {
    std::vector<FitCurve> curves;
    for (const bool inPlace : {false, true}) {
        const auto& samples = inPlace ? m.inPlace : m.outOfPlace;
        const auto& fit = inPlace ? m.inPlaceFit : m.outOfPlaceFit;
        if (samples.empty())
            continue;
        FitCurve curve;
        curve.title = FitPlot::tr("%1 over %2 ranks, %3")
                          .arg(q(m.collective))
                          .arg(m.ranks)
                          .arg(inPlace ? FitPlot::tr("in place") : FitPlot::tr("out of place"));
        curve.sizes = FitPlot::tr("bytes of the buffer");
        curve.logarithmic = true;
        for (const LinkSample& sample : samples)
            curve.points.emplace_back(sample.size.value, sample.time.value);
        std::sort(curve.points.begin(), curve.points.end());
        if (fit) {
            curve.fitted = true;
            curve.alpha = fit->latency.value;
            curve.slope = 1.0 / fit->algorithm.value;
            curve.figures = FitPlot::tr("alpha %1, beta %2 on the bus (%3 of the buffer), %4")
                                .arg(q(formatDuration(fit->latency)), q(formatByteRate(fit->bus)),
                                     q(formatByteRate(fit->algorithm)), residualText(fit->worst));
        } else {
            curve.figures = FitPlot::tr("no line: one size, or longer messages took no longer");
        }
        curves.push_back(std::move(curve));
    }
    return curves;
}

std::optional<FitCurve> fitCurve(const std::vector<ProfileRow>& rows, const std::string& model,
                                 const std::string& kind, int layer, int tp, const QString& layerName) {
    FitCurve curve;
    std::vector<LinkSample> samples;
    for (const ProfileRow& row : rows) {
        const double time = (row.forward + row.backward).value;
        if (row.model != model || row.kind != kind || row.layer != layer || row.tp != tp || !row.op.empty() ||
            time <= 0)
            continue;
        samples.push_back({Bytes(row.mbs), Seconds(time)});
        curve.points.emplace_back(row.mbs, time);
    }
    if (samples.empty())
        return std::nullopt;
    std::sort(curve.points.begin(), curve.points.end());
    curve.title = FitPlot::tr("%1 on %2, tp %3").arg(layerName, q(kind)).arg(tp);
    curve.sizes = FitPlot::tr("sequences of a micro-batch");
    if (const std::optional<LinkFit> fit = fitLink(samples, 1.0)) {
        curve.fitted = true;
        curve.alpha = fit->latency.value;
        curve.slope = 1.0 / fit->algorithm.value;
        curve.figures = FitPlot::tr("alpha %1, %2 a sequence, %3")
                            .arg(q(formatDuration(fit->latency)), q(formatDuration(Seconds(curve.slope))),
                                 residualText(fit->worst));
    } else {
        curve.figures = FitPlot::tr("no line: one micro-batch is measured");
    }
    return curve;
}

FitPlot::FitPlot(const char* place, QWidget* parent)
    : QWidget(parent), m_title(new ElidedLabel), m_figures(new ElidedLabel), m_plot(new QCustomPlot),
      m_below(new QCPAxisRect(m_plot)), m_points(m_plot->addGraph()), m_line(m_plot->addGraph()) {
    setObjectName(QStringLiteral("fitPlot"));
    m_title->setFont(bodyFont(QFont::DemiBold));
    m_title->setObjectName(QStringLiteral("fitPlot.title"));
    m_figures->setObjectName(QStringLiteral("fitPlot.figures"));
    m_figures->setFont(smallFont());
    auto* margins = new QCPMarginGroup(m_plot);
    m_plot->axisRect()->setMarginGroup(QCP::msLeft | QCP::msRight, margins);
    m_below->setMarginGroup(QCP::msLeft | QCP::msRight, margins);
    m_plot->plotLayout()->addElement(1, 0, m_below);
    m_plot->plotLayout()->setRowSpacing(0);
    m_plot->axisRect()->setMinimumMargins(QMargins(0, 6, 16, 6));
    m_below->setMinimumMargins(QMargins(0, 0, 16, 0));
    m_below->setMaximumSize(QWIDGETSIZE_MAX, kResidualHeight);
    m_rest = m_plot->addGraph(m_below->axis(QCPAxis::atBottom), m_below->axis(QCPAxis::atLeft));
    m_zero = m_plot->addGraph(m_below->axis(QCPAxis::atBottom), m_below->axis(QCPAxis::atLeft));
    m_plot->xAxis->setTickLabels(false);
    m_below->axis(QCPAxis::atLeft)->setTicker(QSharedPointer<ShareTicker>::create());
    m_below->axis(QCPAxis::atLeft)->ticker()->setTickCount(2);
    m_points->setLineStyle(QCPGraph::lsNone);
    m_rest->setLineStyle(QCPGraph::lsImpulse);
    for (QCPGraph* graph : {m_points, m_rest})
        graph->setAntialiasedScatters(true);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->setMinimumHeight(72);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8, 10, 4);
    column->setSpacing(2);
    column->addWidget(m_title);
    column->addWidget(m_figures);
    column->addWidget(m_plot, 1);
    setFocusPolicy(Qt::ClickFocus);
    RowMenu menu;
    menu.place = place;
    menu.choose = [this](const QPoint&) { return m_curve.has_value(); };
    menu.current = [this] { return m_curve ? m_plot->geometry() : QRect(); };
    menu.text = [this] { return m_curve ? textOf(*m_curve) : QString(); };
    offerMenu(this, std::move(menu));
    recolour();
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, &FitPlot::recolour);
}

QString FitPlot::textOf(const FitCurve& curve) const {
    QStringList lines = {curve.title, curve.figures, curve.sizes + QLatin1Char('\t') + tr("seconds")};
    for (const auto& [size, time] : curve.points)
        lines << QStringLiteral("%1\t%2").arg(size, 0, 'g', 9).arg(time, 0, 'g', 9);
    return lines.join(QLatin1Char('\n'));
}

void FitPlot::setCurve(std::optional<FitCurve> curve, const QString& whyNone) {
    m_curve = std::move(curve);
    m_plot->setVisible(m_curve.has_value());
    m_title->setText(m_curve ? m_curve->title : whyNone);
    m_figures->setText(m_curve ? m_curve->figures : QString());
    setAccessibleName(m_curve ? tr("Fit of %1").arg(m_curve->title) : tr("Fit"));
    setAccessibleDescription(m_figures->text());
    if (!m_curve)
        return;
    const FitCurve& c = *m_curve;
    QCPAxis* below = m_below->axis(QCPAxis::atBottom);
    QVector<double> x, y, restX, rest, lineX, lineY;
    double largest = 0.01;
    for (const auto& [size, time] : c.points) {
        x.append(size);
        y.append(time);
        if (!c.fitted)
            continue;
        restX.append(size);
        rest.append(time / c.at(size) - 1);
        largest = std::max(largest, std::abs(rest.last()));
    }
    const double first = c.points.front().first, last = c.points.back().first;
    const double low = c.logarithmic ? first / 2 : std::min(0.0, first),
                 high = c.logarithmic ? last * 2 : last * 1.08;
    for (int i = 0; c.fitted && i <= kLinePoints; ++i) {
        const double share = static_cast<double>(i) / kLinePoints;
        lineX.append(c.logarithmic ? low * std::pow(high / low, share) : low + (high - low) * share);
        lineY.append(c.at(lineX.last()));
    }
    m_points->setData(x, y);
    m_line->setData(lineX, lineY);
    m_rest->setData(restX, rest);
    m_zero->setData({low, high}, {0.0, 0.0});
    const auto scale = c.logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear;
    for (QCPAxis* axis : {m_plot->xAxis, below, m_plot->yAxis})
        axis->setScaleType(scale);
    m_plot->yAxis->setTicker(c.logarithmic ? QSharedPointer<QCPAxisTicker>(new DurationTicker)
                                           : QSharedPointer<QCPAxisTicker>(new PlainDurationTicker));
    for (QCPAxis* axis : {m_plot->xAxis, below})
        axis->setTicker(c.logarithmic ? QSharedPointer<QCPAxisTicker>(new ByteTicker)
                                      : QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
    m_plot->yAxis->ticker()->setTickCount(4);
    m_plot->xAxis->setRange(low, high);
    below->setRange(low, high);
    below->setLabel(c.sizes);
    const auto [least, most] = std::minmax_element(y.begin(), y.end());
    m_plot->yAxis->setRange(c.logarithmic ? *least / 2 : 0.0, c.logarithmic ? *most * 2 : *most * 1.12);
    m_below->axis(QCPAxis::atLeft)->setRange(-1.3 * largest, 1.3 * largest);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void FitPlot::recolour() {
    const Theme& t = theme();
    m_plot->setBackground(t.panel);
    for (QCPAxis* axis :
         {m_plot->xAxis, m_plot->yAxis, m_below->axis(QCPAxis::atBottom), m_below->axis(QCPAxis::atLeft)})
        styleAxis(*axis, t);
    const QCPScatterStyle dot(QCPScatterStyle::ssDisc, QPen(t.text), t.text, 6);
    m_points->setScatterStyle(dot);
    m_line->setPen(QPen(t.accent, 2));
    m_rest->setPen(QPen(t.text2, 1));
    m_rest->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, QPen(t.text2), t.text2, 4));
    m_zero->setPen(QPen(t.accent, 1));
    m_figures->setForegroundRole(QPalette::PlaceholderText);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

} // namespace pw

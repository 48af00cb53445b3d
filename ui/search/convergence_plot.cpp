// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/convergence_plot.h"

#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/commands/context_menu.h"
#include "ui/widgets/plot_style.h"

#include <algorithm>
#include <utility>

namespace pw {

namespace {

// "50 k", "2 M": stage candidates on the axis.
class CountTicker : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale& locale, QChar, int) override {
        if (tick >= 1e6)
            return QStringLiteral("%1 M").arg(locale.toString(tick / 1e6, 'g', 3));
        if (tick >= 1e3)
            return QStringLiteral("%1 k").arg(locale.toString(tick / 1e3, 'g', 3));
        return locale.toString(tick, 'g', 3);
    }
};

class SecondsTicker : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale& locale, QChar, int) override {
        return tick >= 1.0 ? QStringLiteral("%1 s").arg(locale.toString(tick, 'g', 4))
                           : QStringLiteral("%1 ms").arg(locale.toString(tick * 1e3, 'g', 4));
    }
};

} // namespace

ConvergencePlot::ConvergencePlot(QWidget* parent)
    : QWidget(parent), m_plot(new QCustomPlot), m_best(m_plot->addGraph()), m_corners(m_plot->addGraph()),
      m_bound(m_plot->addGraph()), m_bestLabel(new QCPItemText(m_plot)),
      m_boundLabel(new QCPItemText(m_plot)) {
    setObjectName(QStringLiteral("search.convergence"));
    setAccessibleDescription(
        tr("The best iteration time and the lower bound over the stage candidates that were tried"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_plot);
    setMinimumHeight(110);
    m_best->setLineStyle(QCPGraph::lsStepLeft);
    m_bound->setLineStyle(QCPGraph::lsStepLeft);
    m_corners->setLineStyle(QCPGraph::lsNone);
    m_best->setChannelFillGraph(m_bound);
    m_plot->xAxis->setTicker(QSharedPointer<CountTicker>::create());
    m_plot->yAxis->setTicker(QSharedPointer<SecondsTicker>::create());
    m_plot->xAxis->ticker()->setTickCount(4);
    m_plot->yAxis->ticker()->setTickCount(4);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->axisRect()->setAutoMargins(QCP::msLeft | QCP::msBottom);
    m_plot->axisRect()->setMargins(QMargins(0, 8, 12, 0));
    setFocusPolicy(Qt::ClickFocus);
    RowMenu menu;
    menu.place = "convergence";
    menu.choose = [](const QPoint&) { return true; };
    menu.current = [this] { return rect(); };
    menu.text = [this] { return text(); };
    offerMenu(this, std::move(menu));
    recolour();
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, &ConvergencePlot::recolour);
}

QString ConvergencePlot::text() const {
    QStringList lines = {accessibleName()};
    const QCPGraphDataContainer& corners = *m_corners->data();
    if (!corners.isEmpty())
        lines << tr("Stage candidates") + QLatin1Char('\t') + tr("Iteration, s");
    for (auto point = corners.constBegin(); point != corners.constEnd(); ++point)
        lines << QStringLiteral("%1\t%2").arg(point->key, 0, 'f', 0).arg(point->value, 0, 'g', 9);
    return lines.join(QLatin1Char('\n'));
}

void ConvergencePlot::recolour() {
    const Theme& t = theme();
    m_plot->setBackground(t.panel);
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis})
        styleAxis(*axis, t);
    m_plot->xAxis->grid()->setVisible(false);
    m_best->setPen(QPen(t.accent, 2));
    m_best->setBrush(t.idle);
    m_corners->setPen(QPen(t.accent, 1));
    m_corners->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, QPen(t.accent), t.accent, 5));
    m_bound->setPen(QPen(t.text, 1.3, Qt::DashLine));
    m_bestLabel->setColor(t.accent);
    m_boundLabel->setColor(t.text2);
    for (QCPItemText* item : {m_bestLabel, m_boundLabel}) {
        item->setFont(smallFont());
        item->setBrush(t.panel);
        item->setPadding(QMargins(2, 0, 2, 0));
    }
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void ConvergencePlot::label(QCPItemText* item, const QString& text, double x, double y, bool above) {
    item->setVisible(!text.isEmpty());
    item->setText(text);
    item->setPositionAlignment(Qt::AlignRight | (above ? Qt::AlignBottom : Qt::AlignTop));
    item->position->setCoords(x, y);
}

void ConvergencePlot::setHistory(const std::vector<SearchRunner::HistoryPoint>& history,
                                 const SearchProgress& now) {
    QVector<double> bestX, bestY, boundX, boundY, cornerX, cornerY;
    double low = 0.0, high = 0.0;
    for (const SearchRunner::HistoryPoint& point : history) {
        const auto x = static_cast<double>(point.work);
        if (point.best.value > 0.0) {
            if (bestY.isEmpty() || point.best.value < bestY.last()) {
                cornerX.append(x);
                cornerY.append(point.best.value);
            }
            bestX.append(x);
            bestY.append(point.best.value);
            high = std::max(high, point.best.value);
            low = low > 0.0 ? std::min(low, point.best.value) : point.best.value;
        }
        if (point.bound.value > 0.0) {
            boundX.append(x);
            boundY.append(point.bound.value);
        }
    }
    const auto end = static_cast<double>(now.work);
    if (!bestX.isEmpty() && bestX.last() < end) {
        bestX.append(end);
        bestY.append(bestY.last());
    }
    if (!boundX.isEmpty() && boundX.last() < end) {
        boundX.append(end);
        boundY.append(boundY.last());
    }
    if (!boundY.isEmpty()) {
        low = low > 0.0 ? std::min(low, boundY.last()) : boundY.last();
        high = std::max(high, boundY.last());
    }
    m_best->setData(bestX, bestY, true);
    m_corners->setData(cornerX, cornerY, true);
    m_bound->setData(boundX, boundY, true);
    m_best->setChannelFillGraph(boundX.isEmpty() ? nullptr : m_bound);
    const double limit =
        std::max({end, static_cast<double>(now.workLimit > 0 && end == 0.0 ? now.workLimit : 0), 1.0});
    const double margin = std::max((high - low) * 0.4, high * 0.01);
    m_plot->xAxis->setRange(0.0, limit);
    m_plot->yAxis->setRange(std::max(0.0, low - margin), high > 0.0 ? high + margin : 1.0);
    label(m_bestLabel, bestY.isEmpty() ? QString() : tr("best %1").arg(iterationText(Seconds(bestY.last()))),
          limit, bestY.isEmpty() ? 0.0 : bestY.last(), true);
    label(m_boundLabel,
          boundY.isEmpty() ? QString() : tr("bound %1").arg(iterationText(Seconds(boundY.last()))), limit,
          boundY.isEmpty() ? 0.0 : boundY.last(), false);
    setAccessibleName(bestY.isEmpty() ? tr("Convergence, no plan yet")
                                      : tr("Convergence: best %1 after %2 stage candidates, %3 improvements")
                                            .arg(iterationText(Seconds(bestY.last())), countText(now.work))
                                            .arg(cornerX.size()));
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

} // namespace pw

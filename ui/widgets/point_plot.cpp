// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/point_plot.h"

#include "ui/base/theme.h"
#include "ui/widgets/plot_style.h"

namespace pw {

namespace {

QString ringLayer() {
    return QStringLiteral("ring");
}

} // namespace

PointPlot::PointPlot(const QMargins& around, QWidget* parent)
    : QWidget(parent), m_plot(new QCustomPlot(this)) {
    setFocusPolicy(Qt::StrongFocus);
    m_plot->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->setAutoAddPlottableToLegend(false);
    m_plot->axisRect()->setAutoMargins(QCP::msNone);
    m_plot->axisRect()->setMargins(around);
    m_plot->addLayer(ringLayer());
    m_plot->layer(ringLayer())->setMode(QCPLayer::lmBuffered);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, &PointPlot::applyTheme);
}

void PointPlot::addRing(double size) {
    m_ring = addPoints(*m_plot, QCPScatterStyle::ssCircle, size);
    m_ring->setLayer(ringLayer());
}

void PointPlot::showRing(double x, double y) {
    m_ring->setData({x}, {y});
    m_plot->layer(ringLayer())->replot();
}

void PointPlot::hideRing() {
    m_ring->data()->clear();
    m_plot->layer(ringLayer())->replot();
}

void PointPlot::setAround(const QMargins& around) {
    m_plot->axisRect()->setMargins(around);
}

void PointPlot::applyTheme() {
    const Theme& t = theme();
    m_plot->setBackground(t.panel);
    for (QCPAxis* axis : m_plot->axisRect()->axes())
        styleAxis(*axis, t, hasFocus());
    if (m_ring)
        stylePoints(*m_ring, QPen(t.ink, 2), Qt::NoBrush);
    recolour(t);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void PointPlot::resizeEvent(QResizeEvent*) {
    m_plot->setGeometry(rect());
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void PointPlot::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    applyTheme();
}

void PointPlot::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    applyTheme();
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accuracy/time_bars.h"

#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/commands/context_menu.h"
#include "ui/timeline/bar_text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pw {

namespace {
constexpr int kMargin = 10, kTopGap = 4, kBar = 15, kSecond = 20, kMeasured = 9;
}

TimeBars::TimeBars(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("accuracy.run.bars"));
    setAccessibleName(tr("Predicted time by kind, and measured time"));
    setFixedHeight(sizeHint().height());
    setFocusPolicy(Qt::ClickFocus);
    RowMenu menu;
    menu.place = "accuracy run";
    menu.choose = [this](const QPoint&) { return m_detail != nullptr; };
    menu.current = [this] { return m_detail ? rect() : QRect(); };
    menu.text = [this] { return texts().join(QLatin1Char('\n')); };
    offerMenu(this, std::move(menu));
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, qOverload<>(&QWidget::update));
}

void TimeBars::show(std::shared_ptr<const RunDetail> detail, double measured) {
    m_detail = std::move(detail);
    m_measured = measured;
    setFixedHeight(m_measured > 0.0 ? sizeHint().height() : 2 * kTopGap + kBar);
    setVisible(m_detail && m_detail->iteration > 0.0);
    setAccessibleDescription(texts().join(QStringLiteral(", ")));
    update();
}

std::vector<TimeBars::Part> TimeBars::parts() const {
    if (!m_detail)
        return {};
    const Theme& t = theme();
    std::vector<Part> result;
    for (const BarKind kind : {BarKind::Forward, BarKind::Recompute, BarKind::Backward, BarKind::WeightGrad,
                               BarKind::AllReduce, BarKind::Optimizer})
        result.push_back({kindName(kind),
                          m_detail->busy[static_cast<std::size_t>(kind)],
                          t.kind(kind).fill,
                          t.kind(kind).edge,
                          {}});
    const Theme::Kind& transfer = t.kind(BarKind::Transfer);
    result.push_back(
        {tr("Transfer not hidden"), m_detail->exposedTransfer, transfer.fill, transfer.edge, {}});
    result.push_back({tr("Idle"), m_detail->idle - m_detail->exposedTransfer, t.panel, t.line, t.idle});
    return result;
}

QStringList TimeBars::texts() const {
    QStringList lines;
    for (const Part& part : parts())
        if (part.seconds > 0.0)
            lines << tr("%1 %2, %3")
                         .arg(part.name, iterationText(Seconds(part.seconds)),
                              shareText(part.seconds / m_detail->iteration));
    if (m_measured > 0.0)
        lines << tr("Measured %1").arg(iterationText(Seconds(m_measured)));
    return lines;
}

void TimeBars::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    if (!m_detail || m_detail->iteration <= 0.0)
        return;
    const double scale = (width() - 2.0 * kMargin) / std::max(m_detail->iteration, m_measured);
    double at = 0.0;
    for (const Part& part : parts()) {
        const double x0 = std::round(kMargin + at * scale);
        at += part.seconds;
        const double x1 = std::round(kMargin + at * scale);
        if (x1 <= x0)
            continue;
        const QRectF area(x0, kTopGap, x1 - x0, kBar);
        painter.fillRect(area, part.edge);
        const QRectF inner = area.width() >= 4.0 ? area.adjusted(1, 1, -1, -1) : area;
        painter.fillRect(inner, part.fill);
        if (part.texture.style() != Qt::NoBrush)
            painter.fillRect(inner, part.texture);
    }
    if (m_measured > 0.0)
        painter.fillRect(QRectF(kMargin, 2 * kTopGap + kSecond, std::round(m_measured * scale), kMeasured),
                         t.text3);
}

bool TimeBars::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    QToolTip::showText(static_cast<const QHelpEvent&>(*event).globalPos(), texts().join(QLatin1Char('\n')),
                       this);
    return true;
}

} // namespace pw

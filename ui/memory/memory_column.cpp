// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory/memory_column.h"

#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/memory/memory_plot.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace pw {

namespace {
constexpr int kScaleWidth = 30; // px for the figures of the scale
constexpr int kHead = 54;       // of the device, how full it is, and that this is estimated
} // namespace

MemoryColumn::MemoryColumn(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("memory.column"));
    setAccessibleName(tr("Memory peaks"));
    setFocusPolicy(Qt::StrongFocus);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, qOverload<>(&QWidget::update));
}

void MemoryColumn::setPlan(std::shared_ptr<const ShownPlan> plan) {
    m_plan = std::move(plan);
    m_device.clear();
    update();
}

void MemoryColumn::setDevice(const QString& id, double top) {
    m_device = id;
    m_top = top;
    if (find(id))
        setAccessibleDescription(textOf(id));
    update();
}

QString MemoryColumn::textOf(const QString& id) const {
    const ShownDevice* device = find(id);
    return device ? tr("Memory of %1, peak %2, ∴ estimated").arg(id, memoryText(*device)) : QString();
}

QString MemoryColumn::text() const {
    QStringList lines;
    if (m_plan)
        for (const ShownStage& stage : m_plan->stages)
            for (const ShownDevice& device : stage.memory)
                lines << textOf(device.id);
    return lines.join(QLatin1Char('\n'));
}

const ShownDevice* MemoryColumn::find(const QString& id) const {
    return m_plan ? m_plan->device(id) : nullptr;
}

// A bar a device, with a gap between nodes; a bar a stage where so many do not fit.
std::vector<MemoryColumn::Bar> MemoryColumn::bars() const {
    std::vector<Bar> result;
    if (!m_plan)
        return result;
    double most = 0.0;
    for (const ShownStage& stage : m_plan->stages)
        for (const ShownDevice& device : stage.memory) {
            result.push_back({&device, {}});
            most = std::max({most, device.whole().value, device.peak.total().value});
        }
    const double room = width() - kScaleWidth - 12.0;
    if (static_cast<double>(result.size()) * 2.0 > room) {
        result.clear();
        for (const ShownStage& stage : m_plan->stages)
            if (const ShownDevice* device = stage.fullest())
                result.push_back({device, {}});
    }
    const auto node = [](const ShownDevice& device) { return device.id.section(QLatin1Char('.'), 0, 0); };
    int gaps = 0;
    for (std::size_t i = 1; i < result.size(); ++i)
        gaps += node(*result[i].device) != node(*result[i - 1].device) ? 1 : 0;
    const double pitch = std::clamp(
        (room - gaps * 4.0) / static_cast<double>(std::max<std::size_t>(result.size(), 1)), 1.0, 8.0);
    const double bottom = height() - 8.0, tall = std::clamp(bottom - 62.0, 4.0, 48.0);
    double x = 9.0;
    for (std::size_t i = 0; i < result.size(); ++i) {
        if (i > 0 && node(*result[i].device) != node(*result[i - 1].device))
            x += 4.0;
        const double h = std::round(result[i].device->whole().value / most * tall);
        result[i].rect = QRectF(std::round(x), bottom - h, std::max(1.0, std::floor(pitch) - 1.0), h);
        x += std::max(1.0, std::floor(pitch));
    }
    return result;
}

void MemoryColumn::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    painter.fillRect(rect(), t.head);
    painter.fillRect(width() - 1, 0, 1, height(), t.line);
    const ShownDevice* device = find(m_device);
    if (!device)
        return;
    painter.setFont(bodyFont(500));
    painter.setPen(t.text);
    painter.drawText(QRect(9, 6, width() - 44, 16), Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(device->id, Qt::ElideMiddle, width() - 44));
    painter.setFont(smallFont());
    painter.setPen(t.text2);
    const double share = device->whole().value > 0.0 ? device->peak.total() / device->whole() : 0.0;
    paintFigures(painter, QRect(9, 22, width() - 44, 16), Qt::AlignLeft,
                 tr("%1 % full").arg(std::lround(share * 100.0)));
    painter.drawText(QRect(9, 38, width() - 40, 16), Qt::AlignVCenter, tr("∴ estimated"));

    for (const Bar& bar : bars()) {
        const bool chosen = bar.device->id == m_device;
        const double used =
            std::round(bar.rect.height() * std::min(1.0, bar.device->peak.total() / bar.device->whole()));
        painter.fillRect(bar.rect, t.line);
        painter.fillRect(QRectF(bar.rect.left(), bar.rect.bottom() - used, bar.rect.width(), used),
                         paled(bar.device->overflows() ? t.err
                               : chosen                ? t.accent
                                                       : t.text3,
                               m_plan->stale));
        const Bytes whole = bar.device->whole();
        const double limit =
            whole.value > 0.0 ? std::round(bar.rect.height() * (1.0 - bar.device->capacity / whole)) : 0.0;
        painter.fillRect(QRectF(bar.rect.left(), bar.rect.top() + limit - 1, bar.rect.width() + 1, 1), t.err);
    }
    // The scale of the plot, whose axis has no room of its own.
    painter.setFont(bodyFont());
    painter.setPen(t.text2);
    for (const double gib : MemoryPlot::scaleMarks(m_top)) {
        const int y = static_cast<int>(std::lround(height() * (1.0 - gib / m_top)));
        paintFigures(painter,
                     QRect(width() - kScaleWidth - 8, std::clamp(y - 8, 0, height() - 16), kScaleWidth, 16),
                     Qt::AlignRight, QString::number(gib));
    }
    if (hasFocus()) {
        painter.setPen(QPen(t.accent, 2));
        painter.drawRect(rect().adjusted(1, 1, -2, -1));
    }
}

bool MemoryColumn::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto& help = static_cast<const QHelpEvent&>(*event);
    QString text = help.pos().y() < kHead ? textOf(m_device) : QString();
    for (const Bar& bar : bars())
        if (help.pos().x() >= bar.rect.left() - 1 && help.pos().x() <= bar.rect.right() + 1 &&
            help.pos().y() > bar.rect.top() - 4)
            text = tr("%1: %2, ∴ estimated").arg(bar.device->id, memoryText(*bar.device));
    QToolTip::showText(help.globalPos(), text, this);
    return true;
}

void MemoryColumn::chooseAt(const QPointF& at) {
    for (const Bar& bar : bars())
        if (at.x() >= bar.rect.left() && at.x() <= bar.rect.right() + 1 && at.y() > bar.rect.top() - 4) {
            Q_EMIT chosen(bar.device->id);
            return;
        }
}

void MemoryColumn::mousePressEvent(QMouseEvent* event) {
    chooseAt(event->position());
}

// From a device without a bar of its own, to the one of its stage or the one beside that.
void MemoryColumn::stepBar(int by) {
    const std::vector<Bar> list = bars();
    auto at =
        std::find_if(list.begin(), list.end(), [&](const Bar& bar) { return bar.device->id == m_device; });
    if (at == list.end())
        at = std::find_if(list.begin(), list.end(), [&](const Bar& bar) {
            return m_plan->stageOfDevice(bar.device->id) == m_plan->stageOfDevice(m_device);
        });
    const std::ptrdiff_t next = at - list.begin() + by;
    if (at != list.end() && next >= 0 && next < static_cast<std::ptrdiff_t>(list.size()))
        Q_EMIT chosen(list[static_cast<std::size_t>(next)].device->id);
}

void MemoryColumn::keyPressEvent(QKeyEvent* event) {
    if (m_plan && (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right))
        return stepBar(event->key() == Qt::Key_Right ? 1 : -1);
    if (!m_plan || (event->key() != Qt::Key_Up && event->key() != Qt::Key_Down))
        return QWidget::keyPressEvent(event);
    QStringList ids;
    for (const ShownStage& stage : m_plan->stages)
        for (const ShownDevice& device : stage.memory)
            ids << device.id;
    const qsizetype at = ids.indexOf(m_device) + (event->key() == Qt::Key_Down ? 1 : -1);
    if (at >= 0 && at < ids.size())
        Q_EMIT chosen(ids[at]);
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stages/stage_columns.h"

#include "ui/base/format.h"
#include "ui/base/theme.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace pw {

namespace {
constexpr int kNameWidth = 182;
constexpr int kApart = 8;      // px between the cells and what stands beside them
constexpr int kLeastText = 24; // px, of a range that has no room for all of it

// "emb, 0 (MLP) to 4" is "0–4": where embedding, head and halves are the cells show.
QString shortRange(QString text) {
    for (const char* dropped : {"emb, ", ", head", " (MLP)", " (attention)"})
        text.remove(QLatin1String(dropped));
    return text.replace(QLatin1String(" to "), QStringLiteral("\u2013"));
}
} // namespace

std::vector<RangeLabel> rangeLabels(const ShownPlan& plan, const StageColumns& columns) {
    const QFontMetrics metrics(bodyFont());
    std::vector<RangeLabel> behind, inFront;
    bool whole = true;
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        const ShownStage& stage = plan.stages[i];
        double begin = plan.layerCount, end = 0.0;
        const auto leaveRoom = [&](const std::vector<ShownStage::Layers>& layers) {
            for (const ShownStage::Layers& run : layers) {
                begin = std::min(begin, run.begin);
                end = std::max(end, run.end);
            }
        };
        leaveRoom(stage.layers);
        if (plan.base && i < plan.base->stages.size()) // framed beside what the stage holds now
            leaveRoom(plan.base->stages[i].layers);
        const int right = columns.layerX(end) + kApart;
        behind.push_back({stage.layerText, right, columns.timeLeft - kApart - right, false});
        inFront.push_back(
            {stage.layerText, columns.cellsLeft, columns.layerX(begin) - kApart - columns.cellsLeft, true});
        whole = whole && metrics.horizontalAdvance(stage.layerText) <=
                             std::max(behind.back().width, inFront.back().width);
    }
    for (std::size_t i = 0; i < behind.size(); ++i) {
        RangeLabel& label = behind[i];
        if (!whole)
            label.text = shortRange(label.text);
        const int wanted = metrics.horizontalAdvance(label.text);
        if (wanted > label.width && inFront[i].width > label.width)
            label = {label.text, inFront[i].left, inFront[i].width, true};
        label.text = label.width < std::min(wanted, kLeastText) // less says nothing
                         ? QString()
                         : metrics.elidedText(label.text, Qt::ElideRight, label.width);
    }
    return behind;
}

StageColumns StageColumns::of(int width, int layers) {
    constexpr int kNarrow = 720, kLeastTime = 116, kTime = 150; // bars give way to what the stages hold
    StageColumns c{};
    c.sendRight = width - 10;
    c.memoryRight = c.sendRight - 60;
    c.memoryLeft = c.memoryRight - 138;
    c.memoryBarRight = c.memoryLeft + 49;
    c.timeRight = c.memoryLeft - 14;
    c.timeLeft = c.timeRight - (width < kNarrow ? kLeastTime : kTime);
    c.cellsLeft = kNameWidth;
    // Less than a px where there are so many layers: they do not run into the next column.
    c.cell = std::clamp((c.timeLeft - 18.0 - c.cellsLeft) / std::max(layers, 1), 0.01, 16.0);
    return c;
}

int StageColumns::layerX(double layer) const {
    return cellsLeft + static_cast<int>(std::lround(layer * cell));
}

// Cells are the embedding, the blocks and the head; the boundary in front of cell p is fine layer 2p - 1.
int StageColumns::fineLayerAt(double x, bool half) const {
    const double place = (x - cellsLeft) / cell;
    return static_cast<int>(half ? std::lround(2.0 * place) : 2 * std::lround(place)) - 1;
}

StageHeader::StageHeader(QWidget* parent) : QWidget(parent) {
    setFixedHeight(24);
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, qOverload<>(&QWidget::update));
}

void StageHeader::setPlan(std::shared_ptr<const ShownPlan> plan) {
    m_plan = std::move(plan);
    update();
}

void StageHeader::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    painter.fillRect(rect(), t.head);
    painter.fillRect(0, height() - 1, width(), 1, t.line);
    if (!m_plan)
        return;
    const int blocks = m_plan->layerCount - 2;
    const StageColumns c = StageColumns::of(width(), m_plan->layerCount);
    painter.setFont(bodyFont());
    painter.setPen(t.text2);
    const auto text = [&](int left, int right, Qt::Alignment side, const QString& words) {
        painter.drawText(QRect(left, 0, right - left, height() - 1), Qt::AlignVCenter | side, words);
    };
    text(9, c.cellsLeft - 10, Qt::AlignLeft, tr("Stage"));
    text(9, c.cellsLeft - 12, Qt::AlignRight, tr("Block"));
    constexpr double kNumber = 26.0; // px that a number of three digits needs
    int step = 1;
    while (blocks / step > 5 || step * c.cell < kNumber)
        step *= 2;
    const auto number = [&](int block) { // over its cell; the embedding's comes before block 0
        paintFigures(painter, QRect(c.layerX(block + 1.5) - 20, 0, 40, height() - 1), Qt::AlignHCenter,
                     QString::number(block));
    };
    for (int block = 0; (blocks - 1 - block) * c.cell >= kNumber; block += step)
        number(block);
    // Not into the next column.
    paintFigures(painter, QRect(c.layerX(blocks + 2.0) - 40, 0, 40, height() - 1), Qt::AlignRight,
                 QString::number(blocks - 1));
    text(c.timeLeft, c.timeRight, Qt::AlignLeft, tr("Forward + backward"));
    text(c.memoryLeft, c.memoryRight, Qt::AlignLeft, tr("∴ Peak memory, GiB"));
    text(c.memoryRight, c.sendRight, Qt::AlignRight, tr("Send"));
}

} // namespace pw

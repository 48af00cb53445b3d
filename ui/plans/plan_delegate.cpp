// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plans/plan_delegate.h"

#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme.h"
#include "ui/plans/plan_table_model.h"

#include <QPainter>

namespace pw {

namespace {

constexpr double kLikely = 0.8; // chance to fit that needs no mark
constexpr int kBehind = 14;     // px, of an unfolded near tie's name
constexpr int kPadding = 8;
constexpr int kIterationBar = 74, kBubbleBar = 42, kStrip = 120;
constexpr int kLeastWords = 6; // letters of a text worth drawing beside its strip

QRect barRect(const QRect& cell, int width, int height) {
    return {cell.left() + kPadding, cell.center().y() - height / 2, width, height};
}

} // namespace

QSize PlanDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    int width = figuresWidth(option.font, index.data().toString()) + 2 * kPadding;
    if (index.column() == PlanTableModel::Iteration)
        width += kIterationBar + kPadding;
    else if (index.column() == PlanTableModel::Bubble)
        width += kBubbleBar + kPadding;
    else if (index.column() == PlanTableModel::PeakMemory)
        width += figuresWidth(option.font, index.data(PlanTableModel::DeviceRole).toString()) + 2 * kPadding;
    else if (index.column() == PlanTableModel::Stages)
        width += kStrip + kPadding;
    return {width, 20};
}

void PlanDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
    const Theme& t = theme();
    const bool chosen = option.state & QStyle::State_Selected;
    const QRect cell = option.rect;
    const int column = index.column();
    painter->save();
    painter->fillRect(cell, chosen ? t.accentGround : index.row() % 2 == 1 ? t.alternate : t.panel);
    if (chosen && column == PlanTableModel::Pin)
        painter->fillRect(cell.left(), cell.top(), 3, cell.height(), t.accent);

    const QString reason = index.data(PlanTableModel::ReasonRole).toString();
    const bool infeasible = !reason.isEmpty();
    const bool quiet = infeasible || index.data(PlanTableModel::StaleRole).toBool();
    const QColor ink = quiet ? t.text2 : t.text;
    painter->setFont(bodyFont(column == PlanTableModel::Name && chosen ? QFont::Medium : QFont::Normal));
    painter->setPen(ink);
    const QRect inner = cell.adjusted(kPadding, 0, -kPadding, 0);

    if (column == PlanTableModel::Pin) {
        if (index.data(Qt::UserRole).toBool())
            icon(QStringLiteral("pinned"), IconTone::Text2)
                .paint(painter, QRect(cell.center().x() - 5, cell.center().y() - 6, 12, 12));
    } else if (infeasible && column == PlanTableModel::Tokens) {
        // The view spans this cell to the peak memory's right edge.
        icon(QStringLiteral("error"), IconTone::Err)
            .paint(painter, QRect(inner.left(), cell.center().y() - 6, 13, 13));
        painter->setPen(t.err);
        const QRect room = inner.adjusted(20, 0, 0, 0);
        painter->drawText(room, Qt::AlignVCenter,
                          painter->fontMetrics().elidedText(tr("Infeasible: %1").arg(reason), Qt::ElideRight,
                                                            room.width()));
    } else if (column == PlanTableModel::Stages) {
        paintStages(*painter, cell, index, ink);
    } else if (column == PlanTableModel::PeakMemory) {
        paintMemory(*painter, inner, index, ink);
    } else {
        if (column == PlanTableModel::Iteration || column == PlanTableModel::Bubble)
            paintBar(*painter, cell, index);
        if (column == PlanTableModel::Ties)
            painter->setPen(t.accent);
        if (column == PlanTableModel::Chance && !infeasible &&
            index.data(PlanTableModel::SortRole).toDouble() < kLikely)
            painter->setPen(t.warn);
        const bool tie = column == PlanTableModel::Beside && index.data(PlanTableModel::TieRole).toBool();
        if (column == PlanTableModel::Measured || column == PlanTableModel::Launch ||
            column == PlanTableModel::Origin || column == PlanTableModel::Expected ||
            column == PlanTableModel::Differs || (column == PlanTableModel::Beside && !tie))
            painter->setPen(t.text2);
        const auto alignment = Qt::Alignment(index.data(Qt::TextAlignmentRole).toInt());
        const QString text = index.data().toString();
        const bool behind =
            column == PlanTableModel::Name && index.data(PlanTableModel::LeaderRole).toInt() >= 0;
        const QRect room = inner.adjusted(behind ? kBehind : 0, 0, 0, 0);
        if (alignment & Qt::AlignRight)
            paintFigures(*painter, inner, alignment, text);
        else
            painter->drawText(room, Qt::AlignVCenter,
                              painter->fontMetrics().elidedText(text, Qt::ElideMiddle, room.width()));
    }
    painter->restore();
}

void PlanDelegate::paintBar(QPainter& painter, const QRect& cell, const QModelIndex& index) const {
    const Theme& t = theme();
    if (!index.data(PlanTableModel::ReasonRole).toString().isEmpty())
        return;
    const bool bubble = index.column() == PlanTableModel::Bubble;
    const QRect whole = barRect(cell, bubble ? kBubbleBar : kIterationBar, bubble ? 9 : 7);
    if (cell.width() < whole.width() + figuresWidth(painter.font(), index.data().toString()) + 3 * kPadding)
        return;
    const int filled =
        qRound(index.data(PlanTableModel::ShareRole).toDouble() * (whole.width() - (bubble ? 2 : 0)));
    if (bubble) {
        painter.fillRect(whole, t.text3);
        painter.fillRect(whole.adjusted(1, 1, -1, -1), t.panel);
        painter.fillRect(QRect(whole.left() + 1, whole.top() + 1, filled, whole.height() - 2), t.waits);
        return;
    }
    painter.fillRect(whole, t.faint);
    painter.fillRect(QRect(whole.topLeft(), QSize(filled, whole.height())),
                     index.data(PlanTableModel::BestRole).toBool() ? t.accent : t.text3);
}

void PlanDelegate::paintStages(QPainter& painter, const QRect& cell, const QModelIndex& index,
                               const QColor& ink) const {
    const Theme& t = theme();
    const bool infeasible = !index.data(PlanTableModel::ReasonRole).toString().isEmpty();
    const QVariantList parts = index.data(PlanTableModel::StagesRole).toList();
    int layers = 0;
    for (const QVariant& part : parts)
        layers += part.toList().at(1).toInt();
    // Words of which nothing could be read leave their room to the strip.
    const QFontMetrics metrics = painter.fontMetrics();
    const int rest = cell.width() - kStrip - 11 - 2 * kPadding;
    const bool worded = rest >= kLeastWords * metrics.averageCharWidth();
    const QRect strip = barRect(cell, worded ? kStrip : cell.width() - 2 * kPadding, 10);
    double x = strip.left();
    for (const QVariant& part : parts) {
        const QVariantList values = part.toList();
        const double next = x + static_cast<double>(strip.width()) * values.at(1).toInt() / qMax(layers, 1);
        const int from = qRound(x), to = qRound(next);
        painter.fillRect(from, strip.top(), qMax(1, to - from - 1), strip.height(),
                         infeasible ? t.text3 : t.stage(values.at(0).toInt()));
        x = next;
    }
    if (!worded)
        return;
    const QRect room(strip.right() + 11, cell.top(), cell.right() - strip.right() - 11 - kPadding,
                     cell.height());
    painter.setPen(ink);
    painter.drawText(room, Qt::AlignVCenter,
                     metrics.elidedText(index.data().toString(), Qt::ElideRight, room.width()));
}

void PlanDelegate::paintMemory(QPainter& painter, const QRect& inner, const QModelIndex& index,
                               const QColor& ink) const {
    const Theme& t = theme();
    const QString text = index.data().toString();
    const auto split = text.indexOf(QLatin1Char(' '));
    const QString used = text.left(split), rest = text.mid(split);
    painter.setPen(t.text2);
    const int restWidth = paintFigures(painter, inner, Qt::AlignRight, rest);
    const QRect before = inner.adjusted(0, 0, -restWidth, 0);
    painter.save();
    const bool tight = index.data(PlanTableModel::TightRole).toBool();
    painter.setPen(tight ? t.warn : ink);
    if (tight)
        painter.setFont(bodyFont(QFont::DemiBold));
    const int usedWidth = paintFigures(painter, before, Qt::AlignRight, used);
    painter.restore();
    const int room = before.width() - usedWidth - kPadding;
    painter.drawText(before, Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(index.data(PlanTableModel::DeviceRole).toString(),
                                                      Qt::ElideMiddle, qMax(0, room)));
}

QWidget* PlanDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                                    const QModelIndex& index) const {
    QWidget* editor = QStyledItemDelegate::createEditor(parent, option, index);
    if (editor)
        editor->setAccessibleName(index.column() == PlanTableModel::Name ? tr("New name of the plan")
                                                                         : tr("Note on the plan"));
    return editor;
}

} // namespace pw

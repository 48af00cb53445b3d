// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tournament/tournament_delegate.h"

#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme.h"
#include "ui/tournament/tournament_model.h"

#include <QPainter>

namespace pw {

namespace {

constexpr int kPadding = 8;

struct Ink {
    QColor color;
    int weight = QFont::Normal;
};

Ink inkOf(const QModelIndex& index) {
    const Theme& t = theme();
    const bool best = index.data(TournamentModel::BestRole).toBool();
    switch (index.column()) {
    case TournamentModel::Planner:
        return index.data(TournamentModel::PartialRole).toBool() ? Ink{t.text2} : Ink{t.text, QFont::Medium};
    case TournamentModel::Ended:
        return {index.data(TournamentModel::SearchingRole).toBool() ? t.accent : t.text2};
    case TournamentModel::Iteration:
    case TournamentModel::Behind:
        return best ? Ink{t.accent, QFont::DemiBold} : Ink{t.text};
    case TournamentModel::PeakMemory:
        return index.data(TournamentModel::TightRole).toBool() ? Ink{t.warn, QFont::DemiBold} : Ink{t.text};
    case TournamentModel::Standing:
    case TournamentModel::Schedule:
        return {t.text2};
    default:
        return {t.text};
    }
}

} // namespace

QSize TournamentDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    return {figuresWidth(option.font, index.data().toString()) + 2 * kPadding, 20};
}

void TournamentDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                               const QModelIndex& index) const {
    const Theme& t = theme();
    const QRect cell = option.rect;
    const bool chosen = option.state & QStyle::State_Selected;
    painter->save();
    painter->fillRect(cell, chosen ? t.accentGround : index.row() % 2 == 1 ? t.alternate : t.panel);
    if (chosen && index.column() == TournamentModel::Planner)
        painter->fillRect(cell.left(), cell.top(), 3, cell.height(), t.accent);
    const QRect inner = cell.adjusted(kPadding, 0, -kPadding, 0);
    const QString reason = index.data(TournamentModel::ReasonRole).toString();
    if (index.column() == TournamentModel::Iteration && !reason.isEmpty()) {
        // The view spans this cell to the right edge.
        const bool infeasible = index.data(TournamentModel::InfeasibleRole).toBool();
        icon(infeasible ? QStringLiteral("error") : QStringLiteral("info"),
             infeasible ? IconTone::Err : IconTone::Text2)
            .paint(painter, QRect(inner.left(), cell.center().y() - 6, 13, 13));
        painter->setFont(bodyFont());
        painter->setPen(infeasible ? t.err : t.text2);
        const QRect room = inner.adjusted(20, 0, 0, 0);
        painter->drawText(room, Qt::AlignVCenter,
                          painter->fontMetrics().elidedText(reason, Qt::ElideRight, room.width()));
    } else {
        const Ink ink = inkOf(index);
        painter->setFont(bodyFont(ink.weight));
        painter->setPen(ink.color);
        const QString text = index.data().toString();
        if (Qt::Alignment(index.data(Qt::TextAlignmentRole).toInt()) & Qt::AlignRight)
            paintFigures(*painter, inner, Qt::AlignRight, text);
        else
            painter->drawText(inner, Qt::AlignVCenter,
                              painter->fontMetrics().elidedText(text, Qt::ElideRight, inner.width()));
    }
    painter->restore();
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accuracy/accuracy_delegate.h"

#include "ui/accuracy/source_table_model.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

constexpr int kPadding = 8;
constexpr double kSpreadScale = 0.4, kErrorScale = 0.25; // errors at the end of a bar
constexpr int kErrorBar = 44;                            // px, before the text of an error

void paintSpread(QPainter& painter, const QRect& cell, const QPointF& spread, bool chosen) {
    const Theme& t = theme();
    const QRectF room(cell.left() + 2, cell.center().y() - 4, cell.width() - 8, 9);
    const auto at = [&](double share) {
        return room.left() + std::round(room.width() * std::clamp(share / kSpreadScale, 0.0, 1.0));
    };
    painter.fillRect(room, t.faint);
    painter.fillRect(QRectF(room.left(), room.top(), std::max(1.0, at(spread.x()) - room.left()), 9),
                     chosen ? t.accent : t.text3);
    const double end = at(spread.y()), middle = room.top() + 4;
    painter.fillRect(QRectF(at(spread.x()), middle, std::max(0.0, end - at(spread.x())), 1), t.text);
    painter.fillRect(QRectF(end - 1, room.top() + 1, 1, 7), t.text);
}

void paintError(QPainter& painter, const QRect& bar, double error) {
    const Theme& t = theme();
    const int middle = bar.center().x();
    const int length =
        static_cast<int>(std::lround(std::min(std::abs(error) / kErrorScale, 1.0) * bar.width() / 2.0));
    painter.fillRect(error < 0.0 ? middle - length : middle, bar.top(), std::max(1, length), bar.height(),
                     t.text3);
    painter.fillRect(middle, bar.top() - 1, 1, bar.height() + 2, t.text);
}

} // namespace

void paintSourceMark(QPainter& painter, const QRectF& cell, SourceMark mark) {
    const Theme& t = theme();
    const QPointF middle = cell.center();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    switch (mark) {
    case SourceMark::Grey:
        painter.setPen(Qt::NoPen);
        painter.setBrush(t.text3);
        painter.drawEllipse(middle, 2, 2);
        break;
    case SourceMark::Chosen:
        painter.setPen(Qt::NoPen);
        painter.setBrush(t.accent);
        painter.drawEllipse(middle, 5, 5);
        break;
    case SourceMark::Triangle:
        painter.setPen(QPen(t.ink, 1.3));
        painter.setBrush(t.panel);
        painter.drawPolygon(
            QPolygonF({middle + QPointF(-5, 4), middle + QPointF(5, 4), middle + QPointF(0, -5)}));
        break;
    case SourceMark::Square:
        painter.setPen(QPen(t.ink, 1.3));
        painter.setBrush(t.panel);
        painter.drawRect(QRectF(middle.x() - 4, middle.y() - 4, 8, 8));
        break;
    }
    painter.restore();
}

QSize AccuracyDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const int bar = index.data(ErrorRole).isValid() ? kErrorBar + kPadding : 0;
    return {figuresWidth(option.font, index.data().toString()) + 2 * kPadding + bar, 20};
}

void AccuracyDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const {
    const Theme& t = theme();
    const QRect cell = option.rect;
    const bool marked = index.data(MarkRole).isValid();
    const bool chosen = option.state & QStyle::State_Selected;
    painter->save();
    painter->fillRect(cell, chosen ? t.accentGround : index.row() % 2 == 1 ? t.alternate : t.panel);
    if (chosen && index.column() == 0)
        painter->fillRect(cell.left(), cell.top(), 3, cell.height(), t.accent);
    const bool quiet = index.data(QuietRole).toBool();
    const bool strong = index.data(StrongRole).toBool();
    const QRect inner = cell.adjusted(kPadding, 0, -kPadding, 0);
    painter->setFont(bodyFont(strong ? QFont::DemiBold : QFont::Normal));
    painter->setPen(quiet ? t.text2 : t.text);
    const QVariant spread = index.data(SpreadRole), error = index.data(ErrorRole);
    if (marked) {
        paintSourceMark(*painter, cell, static_cast<SourceMark>(index.data(MarkRole).toInt()));
    } else if (spread.isValid()) {
        paintSpread(*painter, cell, spread.toPointF(), chosen);
    } else if (const QString reason = index.data(ReasonRole).toString(); !reason.isEmpty()) {
        icon(QStringLiteral("warning"), IconTone::Warn)
            .paint(painter, QRect(inner.left(), cell.center().y() - 6, 13, 13));
        painter->setPen(t.warn);
        const QRect room = inner.adjusted(20, 0, 0, 0);
        painter->drawText(room, Qt::AlignVCenter,
                          painter->fontMetrics().elidedText(reason, Qt::ElideRight, room.width()));
    } else {
        const auto alignment = Qt::Alignment(index.data(Qt::TextAlignmentRole).toInt());
        const QString text = index.data().toString();
        if (error.isValid())
            paintError(*painter, QRect(inner.left(), cell.center().y() - 3, kErrorBar, 7), error.toDouble());
        if (alignment & Qt::AlignRight)
            paintFigures(*painter, inner, Qt::AlignRight, text);
        else
            painter->drawText(inner, Qt::AlignVCenter,
                              painter->fontMetrics().elidedText(text, Qt::ElideRight, inner.width()));
    }
    if (index.data(StruckRole).toBool()) {
        const int width = painter->fontMetrics().horizontalAdvance(index.data().toString());
        painter->fillRect(inner.left(), cell.center().y(), std::min(inner.width(), width), 1, t.text2);
    }
    painter->restore();
}

} // namespace pw

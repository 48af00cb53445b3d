// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/hit_delegate.h"

#include "ui/base/convert.h"
#include "ui/base/theme.h"

#include <QPainter>
#include <QTextLayout>

namespace pw {

namespace {

constexpr int kPad = 8, kGap = 2, kLines = 2;

int lineHeight(const QFont& font) {
    return QFontMetrics(font).height();
}

} // namespace

QList<QPoint> characterMarks(const ManualHit& hit) {
    QList<QPoint> marks;
    const std::string_view text = hit.snippet;
    for (const ManualHit::Mark& mark : hit.marks)
        marks.append({static_cast<int>(q(text.substr(0, mark.begin)).size()),
                      static_cast<int>(q(text.substr(mark.begin, mark.length)).size())});
    return marks;
}

QSize HitDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return {0, 2 * kPad + lineHeight(bodyFont(600)) + kGap + kLines * lineHeight(bodyFont())};
}

void HitDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const {
    const Theme& t = theme();
    painter->save();
    painter->setClipRect(option.rect);
    if (option.state & QStyle::State_Selected)
        painter->fillRect(option.rect, t.accentGround);
    const QRect room = option.rect.adjusted(kPad + 2, kPad, -kPad, -kPad);
    const QFont bold = bodyFont(600);
    painter->setFont(bold);
    painter->setPen(t.text);
    painter->drawText(room, Qt::AlignTop | Qt::AlignLeft,
                      QFontMetrics(bold).elidedText(index.data().toString(), Qt::ElideRight, room.width()));

    QTextLayout layout(index.data(SnippetRole).toString(), bodyFont());
    QList<QTextLayout::FormatRange> formats;
    const auto marks = index.data(MarksRole).value<QList<QPoint>>();
    for (const QPoint& mark : marks) {
        QTextLayout::FormatRange range{mark.x(), mark.y(), {}};
        range.format.setBackground(t.warnGround);
        range.format.setForeground(t.text);
        formats.append(range);
    }
    layout.setFormats(formats);
    layout.beginLayout();
    for (int i = 0; i < kLines; ++i)
        if (QTextLine line = layout.createLine(); line.isValid()) {
            line.setLineWidth(room.width());
            line.setPosition(QPointF(0, i * lineHeight(bodyFont())));
        }
    layout.endLayout();
    painter->setPen(t.text2);
    layout.draw(painter, QPointF(room.left(), room.top() + lineHeight(bold) + kGap));
    painter->setPen(t.faint);
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    painter->restore();
}

} // namespace pw

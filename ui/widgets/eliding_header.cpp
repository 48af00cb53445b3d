// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/eliding_header.h"

#include "ui/base/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QStyleOptionHeader>
#include <QToolTip>

#include <algorithm>

namespace pw {

namespace {

constexpr int kPadding = 17;      // of the style sheet, both sides, and a line
constexpr double kMarkHigh = 4.0; // px

} // namespace

ElidingHeader::ElidingHeader(Qt::Orientation orientation, QWidget* parent)
    : QHeaderView(orientation, parent) {
    setSectionsClickable(true); // as a table's own
}

QString ElidingHeader::shownText(int section) const {
    QStyleOptionHeader option;
    initStyleOptionForIndex(&option, section);
    return option.text;
}

bool ElidingHeader::viewportEvent(QEvent* event) {
    if (event->type() != QEvent::ToolTip || !model())
        return QHeaderView::viewportEvent(event);
    const auto& help = static_cast<const QHelpEvent&>(*event);
    const int section = logicalIndexAt(help.pos());
    const QString whole = model()->headerData(section, orientation()).toString();
    if (section < 0 || model()->headerData(section, orientation(), Qt::ToolTipRole).isValid() ||
        shownText(section) == whole)
        return QHeaderView::viewportEvent(event);
    QToolTip::showText(help.globalPos(), whole, this);
    return true;
}

void ElidingHeader::paintSection(QPainter* painter, const QRect& rect, int section) const {
    QHeaderView::paintSection(painter, rect, section);
    if (!isSortIndicatorShown() || sortIndicatorSection() != section)
        return;
    const bool leastFirst = sortIndicatorOrder() == Qt::AscendingOrder;
    const double tip = rect.top() + (leastFirst ? 1.0 : 1.0 + kMarkHigh);
    const double foot = rect.top() + (leastFirst ? 1.0 + kMarkHigh : 1.0);
    const double middle = rect.center().x() + 0.5;
    painter->save();
    painter->setClipRect(rect); // a style sheet leaves that of the words behind
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(theme().text2);
    const QPointF corners[] = {{middle - kMarkHigh, foot}, {middle + kMarkHigh, foot}, {middle, tip}};
    painter->drawPolygon(corners, 3);
    painter->restore();
}

void ElidingHeader::initStyleOptionForIndex(QStyleOptionHeader* option, int section) const {
    QHeaderView::initStyleOptionForIndex(option, section);
    // A table of small letters has less, which the width of a whole heading shows.
    const int wanted = fontMetrics().horizontalAdvance(option->text);
    const int padding = std::min(kPadding, sectionSizeFromContents(section).width() - wanted);
    const int room = std::max(0, sectionSize(section) - padding);
    if (wanted > room)
        option->text = fontMetrics().elidedText(option->text, Qt::ElideRight, room);
}

} // namespace pw

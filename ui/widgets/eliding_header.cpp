// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/eliding_header.h"

#include <QHelpEvent>
#include <QStyleOptionHeader>
#include <QToolTip>

#include <algorithm>

namespace pw {

namespace {

constexpr int kPadding = 17; // of the style sheet, both sides, and a line

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

void ElidingHeader::initStyleOptionForIndex(QStyleOptionHeader* option, int section) const {
    QHeaderView::initStyleOptionForIndex(option, section);
    option->text =
        fontMetrics().elidedText(option->text, Qt::ElideRight, std::max(0, sectionSize(section) - kPadding));
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/cut_texts.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QHelpEvent>
#include <QToolTip>

namespace pw {

QString cutTextAt(const QAbstractItemView& view, const QPoint& at) {
    const QModelIndex index = view.indexAt(at);
    if (!index.isValid() || !index.data(Qt::ToolTipRole).toString().isEmpty())
        return {};
    const QRect seen = view.visualRect(index) & view.viewport()->rect();
    return view.sizeHintForIndex(index).width() > seen.width() ? index.data().toString() : QString();
}

CutTexts::CutTexts(QObject* parent) : QObject(parent) {
    qApp->installEventFilter(this);
}

bool CutTexts::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ToolTip || !watched->isWidgetType())
        return false;
    const auto* view = qobject_cast<const QAbstractItemView*>(watched->parent());
    if (!view || view->viewport() != watched)
        return false;
    const auto& help = static_cast<const QHelpEvent&>(*event);
    const QString text = cutTextAt(*view, help.pos());
    if (text.isEmpty())
        return false;
    QToolTip::showText(help.globalPos(), text, view->viewport());
    return true;
}

} // namespace pw

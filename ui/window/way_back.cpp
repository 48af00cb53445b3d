// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/way_back.h"

#include "ui/session/selection.h"

#include <QDockWidget>
#include <QKeyEvent>

namespace pw {

WayBack::WayBack(const QList<QDockWidget*>& docks, Selection& selection, QObject* parent)
    : QObject(parent), m_selection(selection) {
    for (QDockWidget* dock : docks)
        dock->installEventFilter(this);
}

bool WayBack::eventFilter(QObject* watched, QEvent* event) {
    const bool atDetail = m_selection.stage() >= 0 || m_selection.bar().track >= 0;
    if (!atDetail || event->type() != QEvent::KeyPress ||
        static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape)
        return QObject::eventFilter(watched, event);
    m_selection.leaveStage();
    event->accept();
    return true;
}

} // namespace pw

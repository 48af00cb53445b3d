// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dock_focus.h"

#include "ui/widgets/in_sight.h"
#include "ui/window/dock_area.h"
#include "ui/window/dock_table.h"

#include <QApplication>
#include <QDockWidget>
#include <QMouseEvent>
#include <QTabBar>

namespace pw {

namespace {

bool mayHaveFocus(const QWidget& part) {
    return part.isVisible() && part.isEnabled();
}

// Of a part that only holds others, the first of them that Tab would come to.
QWidget* firstWithin(QWidget& part) {
    if (part.focusPolicy() & Qt::TabFocus)
        return &part;
    for (QWidget* at = part.nextInFocusChain(); at != &part; at = at->nextInFocusChain())
        if (part.isAncestorOf(at) && (at->focusPolicy() & Qt::TabFocus) && !at->focusProxy() &&
            mayHaveFocus(*at))
            return at;
    return &part;
}

void focusClicked(QDockWidget& dock) {
    const QWidget* focus = QApplication::focusWidget();
    if (!focus || !focus->isVisible() || !dock.isAncestorOf(focus))
        focusView(dock, Qt::MouseFocusReason);
}

} // namespace

void focusView(QDockWidget& dock, Qt::FocusReason reason) {
    QWidget* target = dock.widget();
    while (target->focusProxy())
        target = target->focusProxy();
    if (!mayHaveFocus(*target))
        for (QWidget* part : dock.widget()->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
            if (!part->isWindow() && mayHaveFocus(*part)) {
                target = part;
                break;
            }
    if (reason != Qt::MouseFocusReason)
        target = firstWithin(*target);
    if (target == dock.widget() && target->accessibleName().isEmpty()) // what a screen reader says of it
        target->setAccessibleName(dock.windowTitle());
    target->setFocus(reason);
}

// As Qt looks for it, but for what is in sight: a part with a proxy stands in the chain as that.
QWidget* nextInSight(QWidget& window, bool next) {
    QWidget* const from = window.focusWidget() ? window.focusWidget() : &window;
    for (QWidget* at = from;;) {
        at = next ? at->nextInFocusChain() : at->previousInFocusChain();
        if (!at || at == from)
            return nullptr;
        if ((at->focusPolicy() & Qt::TabFocus) && !at->focusProxy() && at->isEnabled() &&
            at->window() == &window && at->isVisibleTo(&window) && !isBehindATab(*at))
            return at;
    }
}

FocusKept::FocusKept(const DockArea& area) : m_area(area), m_focus(area.window()->focusWidget()) {
    if (m_focus && !area.isAncestorOf(m_focus))
        m_focus = nullptr;
}

FocusKept::~FocusKept() {
    if (!m_focus || !m_area.isVisible())
        return;
    if (isInSight(*m_focus))
        m_focus->setFocus(Qt::OtherFocusReason);
    else if (QDockWidget* first = m_area.dock(QLatin1String(m_area.arrangement().places.front().name));
             first && isInSight(*first))
        focusView(*first, Qt::OtherFocusReason);
}

DockFocus::DockFocus(DockArea& area) : QObject(&area), m_area(area) {
    qApp->installEventFilter(this);
}

QDockWidget* DockFocus::dockOf(const QWidget& part) const {
    for (const QWidget* each = &part; each; each = each->parentWidget()) {
        for (QDockWidget* dock : m_area.docks())
            if (dock == each)
                return dock;
        if (each->isWindow()) // a menu or a list of choices
            return nullptr;
    }
    return nullptr;
}

QDockWidget* DockFocus::dockInFront(const QObject& tabs) const {
    const auto* bar = tabs.parent() == &m_area ? qobject_cast<const QTabBar*>(&tabs) : nullptr;
    for (QDockWidget* dock : m_area.docks())
        if (bar && dock->windowTitle() == bar->tabText(bar->currentIndex()))
            return dock;
    return nullptr;
}

bool DockFocus::eventFilter(QObject* watched, QEvent* event) {
    if (!watched->isWidgetType())
        return false;
    if (event->type() == QEvent::MouseButtonPress) {
        QDockWidget* dock = dockOf(*static_cast<QWidget*>(watched));
        if (dock && watched->objectName() != dock->objectName() + QStringLiteral(".close"))
            focusClicked(*dock);
    } else if (event->type() == QEvent::MouseButtonRelease &&
               static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton) {
        if (QDockWidget* dock = dockInFront(*watched)) // raised when the button went down
            focusClicked(*dock);
    }
    return false;
}

} // namespace pw

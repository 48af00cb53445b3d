// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/stray_focus.h"

#include <QObject>
#include <QPointer>
#include <QWidget>

class QDockWidget;

namespace pw {

class DockArea;

// The view of the dock takes the focus: what its proxy leads to, or, where that is out of sight since the
// view is empty, what is seen in its place.
void focusView(QDockWidget& dock, Qt::FocusReason reason);

// What Tab leads to from the focus of the window, or Shift+Tab; null: nothing else takes it.
QWidget* nextInSight(QWidget& window, bool next);

// Docks that travel are away in between, and Qt hands the focus on to a button of the tool bar. At the end of
// this, what had it in the area has it again, or the first view of the arrangement where that is out of
// sight.
class FocusKept {
public:
    explicit FocusKept(const DockArea& area);
    ~FocusKept();
    FocusKept(const FocusKept&) = delete;
    FocusKept& operator=(const FocusKept&) = delete;

private:
    const FocusUntold m_untold; // outlives what the destructor does
    const DockArea& m_area;
    QPointer<QWidget> m_focus;
};

// The view that was clicked last has the focus, wherever in it the click was: F1, the keys of a view and its
// picture go by the focus, and plots and empty views take none by themselves. A click on a dock's tab is one
// on its view. What comes to the front by itself, as when a search ends, takes nothing
// but from a view that it covers (DockArea::toFront).
class DockFocus : public QObject {
    Q_OBJECT

public:
    explicit DockFocus(DockArea& area);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QDockWidget* dockOf(const QWidget& part) const; // null: it lies in none
    QDockWidget* dockInFront(const QObject& tabs) const;

    DockArea& m_area;
};

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/app_context.h"

#include <QMainWindow>

class QDockWidget;

namespace pw {

struct DockLayout;

// The docks of one layout. The left area owns both left corners, the right area the top right one and the
// bottom area the bottom right one; the middle column is the top area, with nothing in the centre below it.
class DockArea : public QMainWindow {
    Q_OBJECT

public:
    DockArea(AppContext& context, const DockLayout& layout, QWidget* parent = nullptr);

    const QList<QDockWidget*>& docks() const { return m_docks; }
    QDockWidget* dock(const QString& name) const; // null if there is none
    void restoreDefault();
    // One dock has the whole page, and all others are away until it is called again or another one is
    // revealed.
    void maximise(QDockWidget* dock);
    bool isMaximised() const { return !m_beforeAlone.isEmpty(); }
    void reveal(QDockWidget* dock);               // shown, in front of its tabs
    bool restoreLayout(const QByteArray& layout); // of layoutState(); false leaves the default
    QByteArray layoutState() const;               // empty: the default, never shown

protected:
    void childEvent(QChildEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void resizeToDefault();
    // What the page has too little of for the layout as it is meant.
    struct Tight {
        bool low = false, narrow = false;
        bool any() const { return low || narrow; }
        bool operator==(const Tight&) const = default;
    };
    Tight tightness() const;
    void followSize();
    void stackTabs();
    QString arrangement() const;
    int widthOf(Qt::DockWidgetArea area) const;

    const DockLayout& m_layout;
    QList<QDockWidget*> m_docks;
    QByteArray m_beforeTight; // the layout that returns with the room
    QString m_tightArrangement;
    QByteArray m_beforeAlone; // the layout that returns when the docks that are alone are left
    QByteArray m_asLeft;      // what was restored before the first show, and still is to be sized
    bool m_sized = false;
    bool m_placed = false; // has its own size, and the docks have theirs
    bool m_startedTight = false;
    Tight m_tight; // for which some docks stand as tabs
};

} // namespace pw

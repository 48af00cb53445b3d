// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/accuracy/accuracy_context.h"

#include <QMainWindow>
#include <QMap>

class QDockWidget;

namespace pw {

struct DockArrangement;
struct DockLayout;

// The docks of one layout, in one of its arrangements. Each arrangement keeps what the user has made of it:
// another one is that of the same docks, closed, opened and put elsewhere. The left area owns both left
// corners, the right area the top right one and the bottom area the bottom right one; the middle column is
// the top area, with nothing in the centre below it.
class DockArea : public QMainWindow {
    Q_OBJECT

public:
    DockArea(AccuracyContext& context, const DockLayout& layout, QWidget* parent = nullptr);

    const QList<QDockWidget*>& docks() const { return m_docks; }
    QDockWidget* dock(const QString& name) const; // null if there is none
    // The way to arrange them, an index of the layout's; the first one until then.
    void arrange(int index);
    int arranged() const { return m_arranged; }
    const DockArrangement& arrangement() const;
    void restoreDefault(); // of this arrangement
    // One dock has the whole page, and all others are away until it is called again or another one is
    // revealed.
    void maximise(QDockWidget* dock);
    bool isMaximised() const { return !m_beforeAlone.isEmpty(); }
    // Shown, in front of its tabs: where it is closed and has no place, in the first arrangement that has
    // one for it.
    void reveal(QDockWidget* dock);
    // In front of its tabs. Where it covers the view with the focus, it takes that over.
    void toFront(QDockWidget* dock);
    void restoreLayouts(const QMap<QString, QByteArray>& layouts); // of layouts(); what is not there: default
    // By arrangement, without those never shown; as "NAME.fronts" the docks in front of their tabs.
    QMap<QString, QByteArray> layouts() const;
    QByteArray layoutState() const; // of this arrangement; empty: the default, never shown

Q_SIGNALS:
    void arrangedAs(int index);
    void newsArrived(const QString& sentence); // of a view in it

protected:
    void childEvent(QChildEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void placeDocks();
    QList<QDockWidget*> fronts() const;
    void noteFronts();
    void raiseFronts();
    bool restore(const QByteArray& layout); // and floating docks onto a screen
    bool restoreWhole(const QByteArray& layout);
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
    QString openDocks() const;
    int widthOf(Qt::DockWidgetArea area) const;

    const DockLayout& m_layout;
    int m_arranged = 0;
    QMap<QString, QByteArray> m_kept;            // layouts of the other arrangements, as they were left
    QMap<QString, QList<QDockWidget*>> m_fronts; // of tabs, by arrangement, as they were left
    QList<QDockWidget*> m_docks;
    QByteArray m_beforeTight; // the layout that returns with the room
    QString m_tightDocks;
    QByteArray m_beforeAlone; // the layout that returns when the docks that are alone are left
    QByteArray m_asLeft;      // what was restored before the first show, and still is to be sized
    bool m_sized = false;
    bool m_placed = false; // has its own size, and the docks have theirs
    bool m_startedTight = false;
    Tight m_tight; // for which some docks stand as tabs
};

} // namespace pw

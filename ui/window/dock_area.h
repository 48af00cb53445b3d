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
    bool restoreLayout(const QByteArray& layout); // of layoutState(); false leaves the default
    QByteArray layoutState() const;               // empty: the default, never shown

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void resizeToDefault();
    void followHeight();
    QString arrangement() const;
    int widthOf(Qt::DockWidgetArea area) const;

    const DockLayout& m_layout;
    QList<QDockWidget*> m_docks;
    QByteArray m_beforeLow; // the layout that returns with the height
    QString m_lowArrangement;
    QByteArray m_asLeft; // what was restored before the first show, and still is to be sized
    bool m_sized = false;
    bool m_placed = false; // has its own size, and the docks have theirs
    bool m_startedLow = false;
    bool m_low = false; // some docks stand as tabs for want of height
};

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dock_area.h"

#include "ui/base/theme.h"
#include "ui/session/view.h"
#include "ui/window/dock_table.h"
#include "ui/window/dock_title.h"

#include <QAction>
#include <QCoreApplication>
#include <QDockWidget>
#include <QHash>
#include <QResizeEvent>
#include <QTimer>

#include <utility>

namespace pw {

namespace {
constexpr int kDesignWidth = 1600; // of the window that the widths of a layout are meant for
constexpr int kLowHeight = 720;    // of the docks: below it a column of four has no room for all
} // namespace

DockArea::DockArea(AppContext& context, const DockLayout& layout, QWidget* parent)
    : QMainWindow(parent, Qt::Widget), m_layout(layout) {
    setObjectName(QLatin1String(layout.name));
    setWindowFlags(Qt::Widget);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    // Without a central widget every new layout hands a share of the middle to the sides, so that they creep
    // inwards with each tab that is raised. This one takes the width that is left, and no height.
    auto* middle = new QWidget;
    middle->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    middle->setFixedHeight(0);
    setCentralWidget(middle);
    setCorner(Qt::TopLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::TopRightCorner, Qt::RightDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    for (const DockRow& row : m_layout.docks) {
        auto* made = new QDockWidget(QCoreApplication::translate("DockTable", row.title), this);
        made->setObjectName(QLatin1String(row.name));
        made->setWidget(row.make(context));
        made->setTitleBarWidget(new DockTitle(made));
        made->setAccessibleName(made->windowTitle());
        if (auto* view = qobject_cast<View*>(made->widget()))
            connect(view, &View::raiseRequested, made, [made] {
                made->show();
                made->raise();
            });
        m_docks.append(made);
    }
    restoreDefault();
}

int DockArea::widthOf(Qt::DockWidgetArea area) const {
    switch (area) {
    case Qt::LeftDockWidgetArea:
        return m_layout.widths.left;
    case Qt::RightDockWidgetArea:
        return m_layout.widths.right;
    case Qt::TopDockWidgetArea:
        return m_layout.widths.middle;
    default:
        return m_layout.widths.middle + m_layout.widths.right;
    }
}

QDockWidget* DockArea::dock(const QString& name) const {
    for (QDockWidget* candidate : m_docks)
        if (candidate->objectName() == name)
            return candidate;
    return nullptr;
}

void DockArea::restoreDefault() {
    m_asLeft.clear();
    for (QDockWidget* dock : m_docks) {
        dock->setFloating(false);
        removeDockWidget(dock);
    }
    QHash<int, QDockWidget*> lowest; // of each area
    QHash<int, QList<QDockWidget*>> columns;
    for (const DockRow& row : m_layout.docks) {
        QDockWidget* made = dock(QLatin1String(row.name));
        if (QDockWidget* partner = dock(QLatin1String(row.tabWith))) {
            addDockWidget(row.area, made);
            tabifyDockWidget(partner, made);
        } else {
            if (QDockWidget* above = lowest.value(row.area))
                splitDockWidget(above, made, Qt::Vertical);
            else
                addDockWidget(row.area, made);
            lowest[row.area] = made;
            columns[row.area].append(made);
        }
        made->show();
    }
    for (const QList<QDockWidget*>& column : columns)
        for (QDockWidget* first : column)
            first->raise();
    resizeToDefault();
    m_low = false;
    followHeight();
}

// Which docks are open and which float: what a user changes beyond sizes.
QString DockArea::arrangement() const {
    QString text;
    for (const QDockWidget* dock : m_docks)
        text += QStringLiteral("%1%2 ").arg(dock->toggleViewAction()->isChecked()).arg(dock->isFloating());
    return text;
}

// Tabs that a low page makes become docks of their own again once there is room, unless the user has changed
// them meanwhile.
void DockArea::followHeight() {
    const bool low = height() < kLowHeight;
    if (!m_placed || low == m_low)
        return;
    m_low = low;
    if (!low) {
        if (arrangement() == m_lowArrangement && restoreState(m_beforeLow) && m_startedLow)
            resizeToDefault();
        return;
    }
    m_beforeLow = saveState();
    QList<QDockWidget*> fronts;
    for (const DockRow& row : m_layout.docks) {
        QDockWidget *moved = dock(QLatin1String(row.name)), *front = dock(QLatin1String(row.lowTabWith));
        if (!front || moved->isFloating() || front->isFloating() || !moved->toggleViewAction()->isChecked() ||
            !front->toggleViewAction()->isChecked() || dockWidgetArea(moved) != dockWidgetArea(front) ||
            tabifiedDockWidgets(front).contains(moved))
            continue;
        tabifyDockWidget(front, moved);
        fronts.append(front);
    }
    for (QDockWidget* front : fronts)
        front->raise();
    m_lowArrangement = arrangement();
}

void DockArea::resizeToDefault() {
    QList<QDockWidget*> wide;
    QList<int> widths;
    for (const Qt::DockWidgetArea area :
         {Qt::LeftDockWidgetArea, Qt::TopDockWidgetArea, Qt::RightDockWidgetArea, Qt::BottomDockWidgetArea}) {
        QList<QDockWidget*> column;
        QList<int> heights;
        for (const DockRow& row : m_layout.docks)
            if (row.area == area && !dock(QLatin1String(row.tabWith))) {
                column.append(dock(QLatin1String(row.name)));
                heights.append(row.height);
            }
        if (column.isEmpty())
            continue;
        resizeDocks(column, heights, Qt::Vertical);
        if (area != Qt::BottomDockWidgetArea) {
            wide.append(column.first());
            widths.append(m_layout.proportional ? widthOf(area) * width() / kDesignWidth : widthOf(area));
        }
    }
    resizeDocks(wide, widths, Qt::Horizontal);
}

void DockArea::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    if (std::exchange(m_sized, true))
        return;
    // Sizes mean nothing before the window has its own: those that were restored into a window of no size are
    // restored again.
    QTimer::singleShot(0, this, [this] {
        if (m_asLeft.isEmpty())
            resizeToDefault();
        else
            restoreState(m_asLeft);
        m_placed = true;
        m_startedLow = height() < kLowHeight; // sizes of before mean nothing then
        followHeight();
    });
}

// Left and right column keep their shares of the width.
void DockArea::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    followHeight();
    const int before = event->oldSize().width();
    if (!m_layout.proportional || !m_sized || before <= 0 || before == width())
        return;
    QList<QDockWidget*> columns;
    QList<int> widths;
    for (const Qt::DockWidgetArea area : {Qt::LeftDockWidgetArea, Qt::RightDockWidgetArea})
        for (QDockWidget* dock : m_docks)
            if (dockWidgetArea(dock) == area && dock->isVisible() && !dock->isFloating()) {
                columns.append(dock);
                widths.append(dock->width() * width() / before);
                break;
            }
    resizeDocks(columns, widths, Qt::Horizontal);
}

bool DockArea::restoreLayout(const QByteArray& layout) {
    if (!restoreState(layout))
        return false;
    m_asLeft = layout;
    return true;
}

QByteArray DockArea::layoutState() const {
    if (m_low && arrangement() == m_lowArrangement)
        return m_beforeLow;
    return m_sized ? saveState() : m_asLeft;
}

} // namespace pw

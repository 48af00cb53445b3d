// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dock_area.h"

#include "ui/base/theme.h"
#include "ui/base/view.h"
#include "ui/window/dock_table.h"
#include "ui/window/dock_title.h"

#include <QCoreApplication>
#include <QDockWidget>
#include <QHash>

namespace pw {

namespace {

constexpr int kLeftWidth = 392, kCentreWidth = 868, kRightWidth = 332; // at 1600

int widthOf(Qt::DockWidgetArea area) {
    switch (area) {
    case Qt::LeftDockWidgetArea:
        return kLeftWidth;
    case Qt::RightDockWidgetArea:
        return kRightWidth;
    case Qt::TopDockWidgetArea:
        return kCentreWidth;
    default:
        return kCentreWidth + kRightWidth;
    }
}

} // namespace

DockArea::DockArea(AppContext& context, QWidget* parent) : QMainWindow(parent, Qt::Widget) {
    setObjectName(QStringLiteral("dockArea"));
    setWindowFlags(Qt::Widget);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    setCorner(Qt::TopLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::TopRightCorner, Qt::RightDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    for (const DockRow& row : dockTable()) {
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

QDockWidget* DockArea::dock(const QString& name) const {
    for (QDockWidget* candidate : m_docks)
        if (candidate->objectName() == name)
            return candidate;
    return nullptr;
}

void DockArea::restoreDefault() {
    for (QDockWidget* dock : m_docks) {
        dock->setFloating(false);
        removeDockWidget(dock);
    }
    QHash<int, QDockWidget*> lowest; // of each area
    QHash<int, QList<QDockWidget*>> columns;
    QHash<int, QList<int>> heights;
    for (const DockRow& row : dockTable()) {
        QDockWidget* made = dock(QLatin1String(row.name));
        if (QDockWidget* partner = dock(QLatin1String(row.tabWith))) {
            addDockWidget(row.area, made);
            tabifyDockWidget(partner, made);
            partner->raise();
        } else {
            if (QDockWidget* above = lowest.value(row.area))
                splitDockWidget(above, made, Qt::Vertical);
            else
                addDockWidget(row.area, made);
            lowest[row.area] = made;
            columns[row.area].append(made);
            heights[row.area].append(row.height);
        }
        made->show();
    }
    for (auto area = columns.cbegin(); area != columns.cend(); ++area) {
        resizeDocks(area.value(), heights.value(area.key()), Qt::Vertical);
        resizeDocks({area.value().first()}, {widthOf(static_cast<Qt::DockWidgetArea>(area.key()))},
                    Qt::Horizontal);
    }
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dock_area.h"

#include "ui/base/theme.h"
#include "ui/session/view.h"
#include "ui/widgets/in_sight.h"
#include "ui/window/dock_focus.h"
#include "ui/window/dock_table.h"
#include "ui/window/dock_title.h"
#include "ui/window/layout_off.h"
#include "ui/window/screen_fit.h"

#include <QCoreApplication>
#include <QDockWidget>
#include <QHash>
#include <QResizeEvent>
#include <QTabBar>
#include <QTimer>

#include <utility>

namespace pw {

namespace {
constexpr int kDesignWidth = 1600; // of the window that the widths of a layout are meant for
constexpr int kLowHeight = 720;    // of the docks: below it a column of four has no room for all
constexpr int kNarrowWidth = 1180; // likewise: below it three columns have no room beside each other

// Its own choice: a page out of sight hides all of its docks, and takes back what their actions say.
bool isOpen(const QDockWidget& dock) {
    return !dock.isHidden();
}

} // namespace

DockArea::DockArea(AccuracyContext& context, const DockLayout& layout, QWidget* parent)
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
    setCorner(Qt::TopRightCorner, Qt::RightDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    for (const DockRow& row : m_layout.docks) {
        auto* made = new QDockWidget(QCoreApplication::translate("DockTable", row.title), this);
        made->setObjectName(QLatin1String(row.name));
        made->setWidget(row.make(context));
        auto* title = new DockTitle(made);
        made->setTitleBarWidget(title);
        connect(title, &DockTitle::maximiseRequested, made, [this, made] { maximise(made); });
        made->setAccessibleName(made->windowTitle());
        if (auto* view = qobject_cast<View*>(made->widget())) {
            connect(view, &View::raiseRequested, made, [this, made] { reveal(made); });
            connect(view, &View::newsArrived, this, &DockArea::newsArrived);
        }
        m_docks.append(made);
    }
    new DockFocus(*this);
    restoreDefault();
}

int DockArea::widthOf(Qt::DockWidgetArea area) const {
    switch (area) {
    case Qt::LeftDockWidgetArea:
        return arrangement().widths.left;
    case Qt::RightDockWidgetArea:
        return arrangement().widths.right;
    case Qt::TopDockWidgetArea:
        return arrangement().widths.middle;
    default:
        return arrangement().widths.middle + arrangement().widths.right;
    }
}

QDockWidget* DockArea::dock(const QString& name) const {
    for (QDockWidget* candidate : m_docks)
        if (candidate->objectName() == name)
            return candidate;
    return nullptr;
}

const DockArrangement& DockArea::arrangement() const {
    return m_layout.arrangements[static_cast<std::size_t>(m_arranged)];
}

void DockArea::arrange(int index) {
    if (index == m_arranged)
        return;
    const FocusKept focus(*this);
    if (isVisible())
        noteFronts();
    if (isMaximised())
        maximise(nullptr);
    if (const QByteArray left = layoutState(); !left.isEmpty())
        m_kept.insert(QLatin1String(arrangement().name), left);
    m_arranged = index;
    const QByteArray asLeft = m_kept.take(QLatin1String(arrangement().name));
    setUpdatesEnabled(false);
    setAnimated(false); // docks that travel say nothing here
    placeDocks();       // also those that are newer than what is kept
    m_asLeft.clear();
    m_tight = {};
    if (!asLeft.isEmpty())
        restore(asLeft);
    if (!m_placed)
        m_asLeft = asLeft; // its sizes are restored again once there is a size to divide
    m_startedTight = asLeft.isEmpty() && tightness().any();
    followSize();
    raiseFronts();
    setAnimated(true);
    setUpdatesEnabled(true);
    Q_EMIT arrangedAs(index);
}

void DockArea::restoreDefault() {
    const FocusKept focus(*this);
    m_asLeft.clear();
    m_fronts.remove(QLatin1String(arrangement().name));
    placeDocks();
    m_beforeAlone.clear();
    centralWidget()->show();
    m_tight = {};
    followSize();
}

QList<QDockWidget*> DockArea::fronts() const {
    QList<QDockWidget*> fronts;
    for (QDockWidget* dock : m_docks)
        if (isOpen(*dock) && !dock->isFloating() && !isBehindATab(*dock) &&
            !tabifiedDockWidgets(dock).isEmpty())
            fronts.append(dock);
    return fronts;
}

// A layout that is kept for when there is more room was made before the user chose among tabs. Called while
// the docks stand as they are seen, at the latest when the page goes out of sight.
void DockArea::noteFronts() {
    if (m_placed && !isMaximised())
        m_fronts[QLatin1String(arrangement().name)] = fronts();
}

void DockArea::raiseFronts() {
    for (QDockWidget* dock : m_fronts.value(QLatin1String(arrangement().name)))
        if (!dock->isFloating() && isOpen(*dock) && !tabifiedDockWidgets(dock).isEmpty())
            dock->raise();
}

void DockArea::placeDocks() {
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    for (QDockWidget* dock : m_docks) {
        if (dock->isFloating())
            dock->setFloating(false);
        removeDockWidget(dock);
    }
    LayoutOff off(*this);            // else each dock that is shown lays out all of them
    QHash<int, QDockWidget*> lowest; // of each area
    QHash<int, QList<QDockWidget*>> columns;
    for (const DockPlace& place : arrangement().places) {
        QDockWidget* made = dock(QLatin1String(place.name));
        if (QDockWidget* partner = dock(QLatin1String(place.tabWith))) {
            addDockWidget(place.area, made);
            tabifyDockWidget(partner, made);
        } else {
            if (QDockWidget* above = lowest.value(place.area))
                splitDockWidget(above, made, Qt::Vertical);
            else
                addDockWidget(place.area, made);
            lowest[place.area] = made;
            columns[place.area].append(made);
        }
        made->show();
    }
    for (QDockWidget* other : m_docks)
        if (!arrangement().has(other->objectName())) {
            addDockWidget(Qt::BottomDockWidgetArea, other);
            tabifyDockWidget(lowest.value(Qt::BottomDockWidgetArea), other);
            other->hide();
        }
    for (const QList<QDockWidget*>& column : columns)
        for (QDockWidget* first : column)
            first->raise();
    off.end();
    resizeToDefault();
}

// Which docks are open and which float: what a user changes beyond sizes.
QString DockArea::openDocks() const {
    QString text;
    for (const QDockWidget* dock : m_docks)
        text += QStringLiteral("%1%2 ").arg(isOpen(*dock)).arg(dock->isFloating());
    return text;
}

DockArea::Tight DockArea::tightness() const {
    const QSize room = parentWidget() ? parentWidget()->size() : size(); // it scrolls where it needs more
    return {room.height() < kLowHeight, room.width() < kNarrowWidth};
}

// Tabs that a tight page makes become docks of their own again once there is room, unless the user has
// changed them meanwhile.
void DockArea::followSize() {
    const Tight now = tightness();
    if (!m_placed || now == m_tight || isMaximised())
        return;
    const FocusKept focus(*this);
    const Tight before = std::exchange(m_tight, now);
    if (!before.any())
        m_beforeTight = saveState();
    else if (openDocks() != m_tightDocks || !restoreWhole(m_beforeTight))
        return;
    else if (!now.any() && m_startedTight)
        resizeToDefault(); // sizes of before mean nothing
    if (now.any())
        stackTabs();
}

void DockArea::stackTabs() {
    QList<QDockWidget*> fronts;
    LayoutOff off(*this);
    for (const DockPlace& place : arrangement().places) {
        QDockWidget* moved = dock(QLatin1String(place.name));
        const bool away = m_tight.narrow && *place.narrowTabWith;
        QDockWidget* front = dock(QLatin1String(away          ? place.narrowTabWith
                                                : m_tight.low ? place.lowTabWith
                                                              : ""));
        if (!front || moved->isFloating() || front->isFloating() || !isOpen(*moved) || !isOpen(*front) ||
            (!away && dockWidgetArea(moved) != dockWidgetArea(front)) ||
            tabifiedDockWidgets(front).contains(moved))
            continue;
        tabifyDockWidget(front, moved);
        fronts.append(front);
    }
    off.end();
    for (QDockWidget* front : fronts)
        front->raise();
    if (m_tight.narrow) {
        if (arrangement().narrowBottom)
            setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
        QList<QDockWidget*> columns;
        QList<int> widths;
        for (QDockWidget* each : m_docks)
            if (dockWidgetArea(each) == Qt::LeftDockWidgetArea && !each->isFloating() && isOpen(*each)) {
                columns.append(each);
                widths.append(width() * 3 / 10);
                break;
            }
        resizeDocks(columns, widths, Qt::Horizontal);
    }
    m_tightDocks = openDocks();
}

void DockArea::maximise(QDockWidget* dock) {
    if (isMaximised()) {
        const FocusKept focus(*this);
        centralWidget()->show();
        restoreWhole(std::exchange(m_beforeAlone, QByteArray()));
        followSize();
        return;
    }
    if (!dock || dock->isFloating())
        return;
    noteFronts();
    m_beforeAlone = saveState();
    centralWidget()->hide(); // it would keep the width that the side columns leave
    for (QDockWidget* other : m_docks)
        if (other != dock && !other->isFloating())
            other->hide();
    dock->show();
    dock->raise();
    focusView(*dock, Qt::OtherFocusReason);
}

void DockArea::reveal(QDockWidget* dock) {
    if (isMaximised() && !dock->isVisible())
        maximise(nullptr);
    if (!isOpen(*dock) && !arrangement().has(dock->objectName()))
        for (std::size_t other = 0; other < m_layout.arrangements.size(); ++other)
            if (m_layout.arrangements[other].has(dock->objectName())) {
                arrange(static_cast<int>(other));
                break;
            }
    dock->show();
    toFront(dock);
}

void DockArea::toFront(QDockWidget* dock) {
    const QWidget* focus = window()->focusWidget();
    const bool seen = focus && isAncestorOf(focus) && isInSight(*focus);
    dock->raise();
    if (seen && !isInSight(*focus))
        focusView(*dock, Qt::OtherFocusReason);
}

void DockArea::resizeToDefault() {
    QList<QDockWidget*> wide;
    QList<int> widths;
    for (const Qt::DockWidgetArea area :
         {Qt::LeftDockWidgetArea, Qt::TopDockWidgetArea, Qt::RightDockWidgetArea, Qt::BottomDockWidgetArea}) {
        QList<QDockWidget*> column;
        QList<int> heights;
        for (const DockPlace& place : arrangement().places)
            if (place.area == area && !*place.tabWith) {
                column.append(dock(QLatin1String(place.name)));
                heights.append(place.height);
            }
        if (column.isEmpty())
            continue;
        resizeDocks(column, heights, Qt::Vertical);
        if (area != Qt::BottomDockWidgetArea) {
            wide.append(column.first());
            widths.append(arrangement().proportional ? widthOf(area) * width() / kDesignWidth
                                                     : widthOf(area));
        }
    }
    resizeDocks(wide, widths, Qt::Horizontal);
}

// Tabs of many docks scroll: "Pl..." and "Pa..." are no names.
void DockArea::childEvent(QChildEvent* event) {
    QMainWindow::childEvent(event);
    auto* tabs = event->type() == QEvent::ChildPolished ? qobject_cast<QTabBar*>(event->child()) : nullptr;
    if (!tabs)
        return;
    tabs->setElideMode(Qt::ElideNone);
    tabs->setUsesScrollButtons(true);
}

bool DockArea::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize)
        followSize();
    return QMainWindow::eventFilter(watched, event);
}

void DockArea::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    if (parentWidget())
        parentWidget()->installEventFilter(this);
    if (std::exchange(m_sized, true))
        return;
    // Sizes mean nothing before the window has its own: those that were restored into a window of no size are
    // restored again.
    QTimer::singleShot(0, this, [this] {
        if (m_asLeft.isEmpty())
            resizeToDefault();
        else
            restore(m_asLeft);
        m_placed = true;
        m_startedTight = tightness().any();
        followSize();
        raiseFronts();
    });
}

void DockArea::hideEvent(QHideEvent* event) {
    QMainWindow::hideEvent(event);
    noteFronts();
}

// Left and right column keep their shares of the width.
void DockArea::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    followSize();
    const int before = event->oldSize().width();
    if (!arrangement().proportional || !m_sized || before <= 0 || before == width())
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

} // namespace pw

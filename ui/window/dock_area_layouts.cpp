// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dock_area.h"
#include "ui/window/dock_table.h"
#include "ui/window/layout_off.h"
#include "ui/window/screen_fit.h"

#include <QDockWidget>

namespace pw {

// What users make of the layouts, as it is kept and restored.

namespace {

const QString kFronts = QStringLiteral(".fronts"); // of an arrangement's name, among the layouts

} // namespace

// Qt before 6.5 activates the layout as soon as it asks for a tab bar, also in the middle of restoring, when
// the bars of the layout that goes are still counted as used: a bar that is gone is then shown. A layout that
// is off is not activated.
bool DockArea::restoreWhole(const QByteArray& layout) {
    const LayoutOff off(*this);
    return restoreState(layout);
}

// A dock that floated on a screen that is gone comes onto one that is there.
bool DockArea::restore(const QByteArray& layout) {
    if (!restoreWhole(layout))
        return false;
    for (QDockWidget* dock : m_docks)
        if (dock->isFloating())
            fitToScreen(*dock);
    return true;
}

void DockArea::restoreLayouts(const QMap<QString, QByteArray>& layouts) {
    for (const DockArrangement& each : m_layout.arrangements) {
        const QString name = QLatin1String(each.name);
        if (const QByteArray left = layouts.value(name); !left.isEmpty())
            m_kept.insert(name, left);
        for (const QByteArray& front : layouts.value(name + kFronts).split(' '))
            if (QDockWidget* known = dock(QString::fromUtf8(front)))
                m_fronts[name].append(known);
    }
    const QByteArray present = m_kept.take(QLatin1String(arrangement().name));
    if (!present.isEmpty() && restore(present))
        m_asLeft = present;
}

QMap<QString, QByteArray> DockArea::layouts() const {
    QMap<QString, QByteArray> all = m_kept;
    if (const QByteArray present = layoutState(); !present.isEmpty())
        all.insert(QLatin1String(arrangement().name), present);
    QMap<QString, QList<QDockWidget*>> inFront = m_fronts;
    if (isVisible() && m_placed && !isMaximised())
        inFront[QLatin1String(arrangement().name)] = fronts();
    for (const DockArrangement& each : m_layout.arrangements) {
        const QString name = QLatin1String(each.name);
        if (!all.contains(name))
            continue; // never shown; an empty list of one that was replaces what was kept before
        QByteArrayList names;
        for (const QDockWidget* front : inFront.value(name))
            names.append(front->objectName().toUtf8());
        all.insert(name + kFronts, names.join(' '));
    }
    return all;
}

QByteArray DockArea::layoutState() const {
    if (isMaximised())
        return m_beforeAlone;
    if (m_tight.any() && openDocks() == m_tightDocks)
        return m_beforeTight;
    return m_placed ? saveState() : m_asLeft;
}

} // namespace pw

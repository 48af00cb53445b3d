// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/in_sight.h"

#include <QDockWidget>

namespace pw {

// A main window moves the docks that other tabs stand before to where nothing is seen.
bool isBehindATab(const QWidget& part) {
    for (const QWidget* each = &part; each && !each->isWindow(); each = each->parentWidget())
        if (qobject_cast<const QDockWidget*>(each) && each->geometry().right() < 0)
            return true;
    return false;
}

bool isInSight(const QWidget& part) {
    return part.isVisible() && !isBehindATab(part);
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/base/app_context.h"

#include <qnamespace.h>

#include <vector>

class QWidget;

namespace pw {

// One row a dock. Docks of an area stand under each other in this order, unless `tabWith` names another dock.
struct DockRow {
    const char* name;        // object name, "timeline"
    const char* title;       // "Timeline"
    Qt::DockWidgetArea area; // Left, Top (the centre column), Right, Bottom
    int height;              // in the window of 1600 x 1000
    const char* tabWith;     // "" = none
    QWidget* (*make)(AppContext& context);
};

const std::vector<DockRow>& dockTable();

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/app_context.h"

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
    const char* lowTabWith = "";    // the same in a page too low for all docks of the column
    const char* narrowTabWith = ""; // and in one too narrow for three columns; may be of another area
};

// Widths of the left, middle and right column in a window of 1600.
struct ColumnWidths {
    int left, middle, right;
};

// A way to arrange docks on a page of the window.
struct DockLayout {
    const char* name;  // object name of the page
    bool proportional; // all columns give way in a narrower window, else the middle alone
    ColumnWidths widths;
    std::vector<DockRow> docks;
};

const DockLayout& planningLayout(); // from a cluster to a plan
const DockLayout& compareLayout();  // plans against each other
const DockLayout& accuracyLayout(); // predicted against measured runs
const DockLayout& sweepLayout();    // one question over many values

} // namespace pw

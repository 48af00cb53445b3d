// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/accuracy/accuracy_context.h"

#include <QString>
#include <qnamespace.h>

#include <vector>

class QWidget;

namespace pw {

// One row a dock: what there is.
struct DockRow {
    const char* name;  // object name, "timeline"
    const char* title; // "Timeline"
    QWidget* (*make)(AccuracyContext& context);
};

// Where a dock stands in an arrangement. Docks of an area stand under each other in this order, unless
// `tabWith` names another dock.
struct DockPlace {
    const char* name;               // of the dock
    Qt::DockWidgetArea area;        // Left, Top (the centre column), Right, Bottom
    int height;                     // in the window of 1600 x 1000
    const char* tabWith = "";       // "" = none
    const char* lowTabWith = "";    // the same in a page too low for all docks of the column
    const char* narrowTabWith = ""; // and in one too narrow for three columns; may be of another area
};

// Widths of the left, middle and right column in a window of 1600.
struct ColumnWidths {
    int left, middle, right;
};

// Which docks are open, where and how large, until the user has it otherwise. A dock that has no place is
// closed; opened by hand it is a tab at the bottom.
struct DockArrangement {
    const char* name;  // in the settings: "draw"
    bool proportional; // all columns give way in a narrower window, else the middle alone
    ColumnWidths widths;
    std::vector<DockPlace> places;
    bool narrowBottom = false;           // in a narrow page it also runs below the left column
    bool has(const QString& dock) const; // a place
};

// The docks of a page of the window, and the ways to arrange them.
struct DockLayout {
    const char* name; // object name of the page
    std::vector<DockRow> docks;
    std::vector<DockArrangement> arrangements; // at least one
};

// What a user does with a project, in the order of planningLayout()'s arrangements. The views of one project
// serve all three: nothing is made twice, and a plan chosen in one is chosen in all.
enum class Perspective { Draw, Look, Compare };

const DockLayout& planningLayout(); // from a cluster to plans, and these against each other
const DockLayout& accuracyLayout(); // predicted against measured runs
const DockLayout& sweepLayout();    // one question over many values

} // namespace pw

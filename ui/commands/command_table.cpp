// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/command_table.h"

#include <cstring>

namespace pw {

const std::vector<CommandRow>& commandTable() {
    static const std::vector<CommandRow> rows = {
        {"file.new", "&New project", "Starts an empty drawing.", "new", "File", "window", "Ctrl+N"},
        {"file.open", "&Open...", "Opens a project from disk.", "open", "File", "window", "Ctrl+O"},
        {"file.save", "&Save", "Writes the project to its file.", "save", "File", "window", "Ctrl+S", false,
         true},
        {"file.saveAs", "Save &as...", "Writes the project to another file.", "", "File", "window",
         "Ctrl+Shift+S"},
        {"accuracy.load", "Load &measured runs...", "Predicts a table of your own runs and shows the errors.",
         "import", "File", "window", "", false, true},
        {"file.close", "&Close project", "Closes the project and shows the start page.", "", "File", "window",
         "Ctrl+W"},
        {"file.quit", "&Quit", "Ends the program.", "", "File", "window", "Ctrl+Q", false, true},

        {"edit.undo", "&Undo", "Takes the last edit back.", "undo", "Edit", "window", "Ctrl+Z"},
        {"edit.redo", "&Redo", "Makes the edit again.", "redo", "Edit", "window", "Ctrl+Shift+Z; Ctrl+Y"},

        {"view.light", "&Light", "Uses the light theme.", "", "View", "window", "", true},
        {"view.dark", "&Dark", "Uses the dark theme.", "", "View", "window", "", true},
        {"view.system", "S&ystem", "Uses the theme that the desktop started with.", "", "View", "window", "",
         true},
        {"view.accuracy", "&Accuracy", "Shows predicted against measured runs, and the way back.", "chart",
         "View", "window", "F9", true, true},
        {"view.fullScreen", "&Full screen", "Fills the screen with the window.", "", "View", "window", "F11",
         true},
        {"view.restoreLayout", "&Restore default layout", "Puts every dock back to its place and size.", "",
         "View", "window", ""},
        {"view.copyImage", "Copy view as &image", "Copies the view with the focus as a picture.", "copy",
         "View", "window", "Ctrl+Shift+C"},

        {"canvas.select", "S&elect tool", "Chooses and moves items of the drawing.", "select", "Cluster",
         "canvas", "V"},
        {"canvas.link", "&Link tool", "Joins two items with a link.", "link", "Cluster", "canvas", "L"},
        {"canvas.node", "Add &nodes...", "Asks for kind and number and places nodes.", "node", "Cluster",
         "canvas", "N", false, true},
        {"canvas.switch", "Add &switch", "Places an Ethernet switch.", "switch", "Cluster", "canvas", "S"},
        {"canvas.duplicate", "&Duplicate", "Copies the chosen items with the links between them.", "copy",
         "Cluster", "canvas", "Ctrl+D", false, true},
        {"canvas.delete", "De&lete", "Removes the chosen items and the links that hang on them.", "remove",
         "Cluster", "canvas", "Del"},
        {"canvas.selectAll", "Select &all", "Chooses everything on the drawing.", "", "Cluster", "canvas",
         "Ctrl+A"},
        {"canvas.fit", "&Fit the drawing", "Shows the whole drawing and keeps it so until you zoom.", "fit",
         "Cluster", "canvas", "Ctrl+1; Home", false, true},
        {"canvas.actualSize", "A&ctual size", "Shows the drawing at 100 %.", "", "Cluster", "canvas",
         "Ctrl+0"},
        {"canvas.zoomIn", "Zoom &in", "Makes the drawing larger.", "plus", "Cluster", "canvas",
         "Ctrl++; Ctrl+="},
        {"canvas.zoomOut", "Zoom &out", "Makes the drawing smaller.", "minus", "Cluster", "canvas", "Ctrl+-"},

        {"search.run", "&Run", "Searches for plans in the background.", "run", "Search", "window", "F5"},
        {"search.stop", "&Stop", "Ends the search and keeps what it found.", "stop", "Search", "window",
         "Shift+F5"},
        {"search.compare", "&Compare all planners", "Runs every planner on this problem, in one table.",
         "table", "Search", "window", "F6"},

        {"plan.best", "Show the &best plan", "Selects the fastest feasible plan.", "", "Plan", "window",
         "Ctrl+B"},
        {"plan.previous", "&Previous plan", "Selects the next better plan of the table.", "previous", "Plan",
         "window", "Alt+Up"},
        {"plan.next", "&Next plan", "Selects the next slower plan of the table.", "next", "Plan", "window",
         "Alt+Down"},
        {"plan.export", "&Export...", "Writes the selected plan as files for a trainer.", "export", "Plan",
         "window", "Ctrl+E", false, true},
        {"plans.pin", "P&in", "Keeps the selected plan in the project file.", "pin", "Plan", "plans",
         "Space"},
        {"plans.filter", "&Filter plans", "Moves to the filter line of the plan table.", "filter", "Plan",
         "plans", "Ctrl+F; /"},
        {"plans.remove", "&Remove from the table", "Forgets the selected plan.", "remove", "Plan", "plans",
         "Del"},

        {"planners.show", "&Show the plan", "Selects the best plan of the chosen planner.", "next", "",
         "planners", "Return; Enter"},

        {"accuracy.open", "Open as a &plan", "Opens the selected run's configuration as a plan.", "next", "",
         "accuracy", "Return; Enter"},
        {"accuracy.leaveOut", "&Leave out", "Takes the selected run out of the figures, or back in.", "minus",
         "", "accuracy", "Del"},
        {"accuracy.filter", "&Filter runs", "Moves to the filter line of the runs.", "filter", "", "accuracy",
         "Ctrl+F; /"},

        {"timeline.fit", "&Fit all", "Shows the whole iteration.", "fit", "Timeline", "timeline", "Home"},
        {"timeline.zoomIn", "Zoom &in", "Narrows the visible time around the mouse; Shift is faster.", "",
         "Timeline", "timeline", "W"},
        {"timeline.zoomOut", "Zoom &out", "Widens the visible time; Shift is faster.", "", "Timeline",
         "timeline", "S"},
        {"timeline.left", "Pan &left", "Shows what was earlier; Shift is faster.", "", "Timeline", "timeline",
         "A"},
        {"timeline.right", "Pan &right", "Shows what comes later; Shift is faster.", "", "Timeline",
         "timeline", "D"},
        {"timeline.centre", "&Centre",
         "Moves the selected bar to the middle, a second time fills the view with it.", "", "Timeline",
         "timeline", "F"},
        {"timeline.previousBar", "Pre&vious bar", "Selects the bar before on the row.", "previous",
         "Timeline", "timeline", "Left; ,", false, true},
        {"timeline.nextBar", "&Next bar", "Selects the bar behind on the row.", "next", "Timeline",
         "timeline", "Right; ."},
        {"timeline.cause", "&What it waited for", "Selects the bar that released this one.", "", "Timeline",
         "timeline", "["},
        {"timeline.effect", "What w&aits for it", "Selects the bar that this one releases.", "", "Timeline",
         "timeline", "]"},
        {"timeline.range", "Bar to &area", "Makes the selected bar's span the dragged area.", "", "Timeline",
         "timeline", "R", false, true},
        {"timeline.clear", "Clear &selection", "Forgets the dragged area, then the selected bar.", "close",
         "Timeline", "timeline", "Esc"},

        {"help.guide", "&Guide", "Shows how to get from a cluster to a plan.", "help", "Help", "window",
         "F1"},
        {"help.keys", "&Keys", "Lists every key.", "keys", "Help", "window", "?"},
        {"help.about", "&About Pipewright", "Shows version and licence.", "", "Help", "window", "", false,
         true},
    };
    return rows;
}

const CommandRow* findCommand(const char* id) {
    for (const CommandRow& row : commandTable())
        if (std::strcmp(row.id, id) == 0)
            return &row;
    return nullptr;
}

const std::vector<const char*>& menuOrder() {
    static const std::vector<const char*> menus = {"File",   "Edit", "View",     "Cluster", "Model",
                                                   "Search", "Plan", "Timeline", "Help"};
    return menus;
}

} // namespace pw

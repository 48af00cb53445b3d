// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace pw {

// One row makes an action, its menu entry, its tool button, its line on the key sheet and its tests.
struct CommandRow {
    const char* id;      // "file.open": name of the action
    const char* text;    // of the menu, with "&" and "..."
    const char* help;    // one sentence: tool tip, status line, key sheet
    const char* icon;    // file name in ui/icons, or "" where no symbol says it better than the word
    const char* menu;    // "File", "Cluster/Arrange" for a submenu; "" for keys that no menu needs
    const char* context; // "window", or the view whose focus it needs: "canvas", "timeline", "stage map",
                         // "plans", "accuracy", or "tables and plots" for whatever has a row menu
    const char* keys;    // portable text, several separated by "; "; "" for none
    bool checkable = false;
    bool separatorBefore = false;
    const char* otherWords = ""; // that it is looked for by: "price, cost", which it is not called
};

// In the order of the menus. A view adds the rows of its own context here and binds them with
// Commands::attach.
const std::vector<CommandRow>& commandTable();
const CommandRow* findCommand(const char* id);
const std::vector<const char*>& menuOrder(); // File, Edit, View, ...

} // namespace pw

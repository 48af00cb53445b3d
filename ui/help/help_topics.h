// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

class QWidget;

namespace pw {

// Where the manual speaks of a part of the window. One row a dock, dialog and page; a test wants a row for
// each and a heading for every row.
struct HelpTopic {
    const char* name;   // object name: "timeline", "exportDialog"
    const char* target; // "window.md#timeline"
};
const std::vector<HelpTopic>& helpTopics();

// Of the nearest part around `focus`; what speaks of the window as a whole if there is none.
const char* helpTarget(const QWidget* focus);

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAccessibleEvent;

namespace pw {

// Qt 6.4 tells assistive tools that a row has got the focus whenever it becomes the current one of a list or
// table, also where the program chose it and the keys are elsewhere: a screen reader then leaves what the
// user is at. This is such an event. A list that opens over others, or that never has the focus because its
// keys come from a field above it, is where the user is.
bool isStrayFocus(const QAccessibleEvent& event);

// From now on these go nowhere, and all others where they went before. Behind a table or list that the user
// has come to its current row is told, too, which Qt leaves to the next arrow.
void dropStrayFocus();

// While one lives, nothing is told of the focus: pages and docks that change hand it through controls that
// nobody has gone to. At the end of the outermost one it is told where it has come to, if that is elsewhere.
class FocusUntold {
public:
    FocusUntold();
    ~FocusUntold();
    FocusUntold(const FocusUntold&) = delete;
    FocusUntold& operator=(const FocusUntold&) = delete;
};

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QApplication;
class QPainter;
class QRect;

namespace pw {

inline constexpr int kFocusFrame = 2; // px, its width

// Within the rectangle, in the theme's accent.
void paintFocusFrame(QPainter& painter, const QRect& rect);

// Tables, lists and whatever else scrolls have no look of their own for the focus: while one has it, a frame
// lies over its edge, and another around the current cell of a table, which Left and Right move. It takes no
// room, so that nothing moves. Not in a list that pops up, nor on the drawing, which paints its own. Once is
// enough.
void showFocusFrames(QApplication& app);

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMargins>
#include <QObject>
#include <QRect>

class QScreen;
class QWidget;

namespace pw {

// Where a window of `wanted` size and place may stand on a screen, logical pixels: as it is if it lies inside
// `available` with its frame around it, else moved there, and made smaller where it is larger. `wanted` and
// the answer are without the frame.
QRect fittedTo(const QRect& available, const QRect& wanted, const QMargins& frame);

// Puts a window that is not maximised inside the screen that most of it is on. Before the window manager has
// drawn a frame, room for a usual one is kept. Does nothing where it fits.
void fitToScreen(QWidget& window);

// Makes a window that has not been shown yet no larger than `room`, without its frame. Contents that need
// more than that scroll.
void shrinkInto(QWidget& window, const QSize& room);

// While it lives, every dialog of the application, and the manual, is made to fit its screen before it is
// seen: at 150 % text a laptop of 1366 x 768 has 910 x 512 logical pixels, and buttons below the edge cannot
// be reached. A main window knows its frame and fits itself.
class WindowFit : public QObject {
    Q_OBJECT

public:
    explicit WindowFit(QObject* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace pw

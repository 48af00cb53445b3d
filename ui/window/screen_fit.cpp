// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/screen_fit.h"

#include <QScreen>
#include <QWidget>

#include <algorithm>

namespace pw {

namespace {

constexpr QMargins kUsualFrame{4, 30, 4, 4}; // title bar on top; logical pixels

QMargins frameOf(const QWidget& window) {
    const QRect outer = window.frameGeometry(), inner = window.geometry();
    if (!window.isVisible() || outer == inner)
        return kUsualFrame;
    return {inner.left() - outer.left(), inner.top() - outer.top(), outer.right() - inner.right(),
            outer.bottom() - inner.bottom()};
}

} // namespace

QRect fittedTo(const QRect& available, const QRect& wanted, const QMargins& frame) {
    const QRect inside = available.marginsRemoved(frame);
    QRect fitted(wanted.topLeft(), wanted.size().boundedTo(inside.size()));
    fitted.moveLeft(std::clamp(fitted.left(), inside.left(), inside.right() - fitted.width() + 1));
    fitted.moveTop(std::clamp(fitted.top(), inside.top(), inside.bottom() - fitted.height() + 1));
    return fitted;
}

void fitToScreen(QWidget& window) {
    if (window.windowState() & (Qt::WindowMaximized | Qt::WindowFullScreen))
        return;
    const QRect fitted = fittedTo(window.screen()->availableGeometry(), window.geometry(), frameOf(window));
    if (fitted != window.geometry())
        window.setGeometry(fitted);
}

} // namespace pw

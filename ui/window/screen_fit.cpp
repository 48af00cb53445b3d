// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/screen_fit.h"

#include <QApplication>
#include <QDialog>
#include <QEvent>
#include <QMainWindow>
#include <QMessageBox>
#include <QScreen>
#include <QScrollArea>
#include <QVBoxLayout>

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

bool fillsScreen(const QWidget& window) {
    return window.windowState() & (Qt::WindowMaximized | Qt::WindowFullScreen);
}

// What the window's layout holds moves into an area that scrolls.
void scrollContents(QWidget& window) {
    auto* contents = new QWidget;
    contents->setLayout(window.layout());
    auto* scroll = new QScrollArea;
    scroll->setObjectName(QStringLiteral("fitted"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(contents);
    auto* whole = new QVBoxLayout(&window);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(scroll);
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
    if (fillsScreen(window))
        return;
    const QRect fitted = fittedTo(window.screen()->availableGeometry(), window.geometry(), frameOf(window));
    if (fitted != window.geometry())
        window.setGeometry(fitted);
}

void shrinkInto(QWidget& window, const QSize& room) {
    const QLayout* layout = window.layout();
    const QSize least = window.minimumSize().expandedTo(layout ? layout->totalMinimumSize() : QSize());
    if (least.width() > room.width() || least.height() > room.height()) {
        if (layout)
            scrollContents(window);
        window.setMinimumSize(least.boundedTo(room));
    }
    if (const QSize size = window.size().boundedTo(room); size != window.size())
        window.resize(size);
}

WindowFit::WindowFit(QObject* parent) : QObject(parent) {
    qApp->installEventFilter(this);
}

bool WindowFit::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::Show || event->spontaneous() || !watched->isWidgetType())
        return false;
    auto& window = static_cast<QWidget&>(*watched);
    const bool fits = qobject_cast<QDialog*>(&window) ||
                      (window.windowType() == Qt::Window && !qobject_cast<QMainWindow*>(&window));
    // A message box breaks its lines to the screen when it is shown; its one long line would be scrolled.
    if (!fits || !window.isWindow() || fillsScreen(window) || qobject_cast<QMessageBox*>(&window))
        return false;
    shrinkInto(window, window.screen()->availableGeometry().marginsRemoved(kUsualFrame).size());
    if (window.testAttribute(Qt::WA_Moved)) // else it is put inside the screen, a dialog over its window
        fitToScreen(window);
    return false;
}

} // namespace pw

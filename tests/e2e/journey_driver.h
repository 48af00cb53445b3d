// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/topology/drag_payload.h"

#include <QWidget>

#include <functional>

namespace pw {

class MainWindow;
class TopologyCanvas;

// The hands of a user on the real window: widgets are found by object name and get mouse, key and drop
// events. What cannot be found ends the test at once with its name.
class JourneyDriver {
public:
    explicit JourneyDriver(MainWindow& window) : m_window(window) {}

    template <class T>
    T* find(const QString& name) const {
        T* found = findIn<T>(root(), name);
        if (!found)
            qFatal("there is no %s", qPrintable(name));
        return found;
    }
    void show();
    TopologyCanvas* canvas() const;
    void raise(const QString& dock); // clicks its tab if it lies behind another
    void command(const char* id);    // by its key, with the focus where it stands
    void key(QWidget* widget, Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);

    // Canvas.
    void drop(const DragPayload& payload, QPoint where); // of the viewport
    QPoint middleOf(const QString& box) const;           // in the viewport
    void click(const QString& box, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
    void clickLink(const QString& id, Qt::KeyboardModifiers modifiers = Qt::NoModifier);

    // Fields and buttons.
    void type(const QString& lineEdit, const QString& text); // with Enter
    void choose(const QString& comboBox, const QString& entry);
    void press(const QString& button);

    // Dialogs that hold the program up until they are answered: `open` starts one, `answer` sees it.
    void answering(const std::function<void()>& open, const std::function<void(QWidget&)>& answer);
    void answeringFileDialog(const std::function<void()>& open, const QString& path);

private:
    template <class T>
    static T* findIn(QWidget* widget, const QString& name) {
        return widget->findChild<T*>(name);
    }
    QWidget* root() const; // the open dialog, else the window

    MainWindow& m_window;
};

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QAction;
class QDockWidget;
class QLabel;
class QPushButton;
class QTimer;

namespace pw {

class Commands;
class DockArea;

// A first look at the window in five steps: a card beside the view that it speaks of, and a frame around that
// view. It changes nothing; what its buttons do are commands that the window has anyway. Where a view shows a
// plan and there is none, it says so and offers the search. Esc or Leave ends it at any step.
class Tour : public QFrame {
    Q_OBJECT

public:
    // `window` has the docks on one of its pages; the card lies over it.
    Tour(Commands& commands, QWidget* window);

    void begin(DockArea& docks);
    void end();
    bool isOn() const { return m_step >= 0; }
    int step() const { return m_step; } // from 0; -1: it is not on
    QDockWidget* view() const { return m_view; }

Q_SIGNALS:
    void ended();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showStep(int step);
    void place();  // card and frame, by where the view is now
    void follow(); // what its button does, and whether it can; what the view is empty for

    Commands& m_commands;
    QWidget* m_window;
    QWidget* m_frame; // around the view
    DockArea* m_docks = nullptr;
    QDockWidget* m_view = nullptr;
    QTimer* m_placing;
    int m_step = -1;
    QAction* m_action = nullptr; // of the button
    QLabel *m_title, *m_text, *m_count;
    QPushButton *m_do, *m_leave, *m_back, *m_next;
};

} // namespace pw

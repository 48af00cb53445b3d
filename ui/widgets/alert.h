// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace pw {

// A widget whose accessible name a screen reader says, unasked, when it comes or changes: Qt before 6.8 has
// no announcements, but what readers speak of their own accord is an alert that begins to show. Derive from
// this beside QWidget, name the widget and call sayAlert().
class Alert {
public:
    Alert(const Alert&) = delete;
    Alert& operator=(const Alert&) = delete;

protected:
    Alert();
    virtual ~Alert() = default;
    static void
    sayAlert(QWidget& widget); // nothing while it is hidden: a widget says it itself as it is shown
};

// One that shows nothing: for what is seen elsewhere and would not be heard there.
class Announcer : public QWidget, public Alert {
    Q_OBJECT

public:
    explicit Announcer(QWidget* parent = nullptr);
    void say(const QString& text);
    void forget(); // what was said: it is not true any more
};

} // namespace pw

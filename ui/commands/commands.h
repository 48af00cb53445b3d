// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QHash>
#include <QObject>
#include <QString>

#include <functional>

class QMenu;
class QWidget;

namespace pw {

// The actions of the command table. Window commands work everywhere; those of a view work while the view, or
// a child of it, has the focus, so that one letter may mean different things in two views.
class Commands : public QObject {
    Q_OBJECT

public:
    explicit Commands(QWidget* window);

    QAction* action(const char* id) const; // an unknown id is a bug and asserts
    // What the command does; a second call replaces the first. `owner` ends it when it dies. A command that
    // nobody has bound is disabled: the view that it belongs to has not been made yet.
    void bind(const char* id, QObject* owner, std::function<void()> run);
    // Gives the view its keys: every command of the context.
    void attach(const char* context, QWidget* view) const;
    void fill(QMenu* menu, const char* menuName) const;
    QStringList unbound() const; // ids that nobody has bound; tests want none

private:
    QWidget* m_window;
    QHash<QString, QAction*> m_actions;
    QHash<QString, QMetaObject::Connection> m_bound;
};

// A key or a menu leaves the focus in the field that is being typed in: what stands there counts from now on,
// as if the field had been left.
void finishTyping();

// The sentence of what it does: in the status line and, with its first key, in the tool tip.
void setHelp(QAction& action, const QString& help);

// What a screen reader says of a button without words that does what the action does: its name is the title,
// as it is now, and its description the sentence.
void nameAfter(QWidget* button, const QAction* action);

} // namespace pw

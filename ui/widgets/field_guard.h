// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractSpinBox>
#include <QObject>
#include <QPointer>

namespace pw {

// Keeps off fields what was not meant for them, while one guard lives.
//
// The wheel: a combo box, spin box or slider changes its value when the wheel turns over it, so that whoever
// scrolls a form past one edits the project without knowing. A spin box or slider takes the wheel only when
// it has the focus, a combo box never, and the wheel never gives the focus; what is turned over any other
// field scrolls what the field lies in. Lists that drop down, scroll bars and views are not fields.
//
// Letters: a combo box that was chosen from keeps the focus, and the key of a tool would choose the first
// kind that begins with it. So a letter opens the list at the entry that begins with it, and further ones
// look on there; Enter chooses. In a dialog, which has no tools, they choose at once.
//
// Clicks: one into a field of whole numbers chooses its number, or the word that stands for none, so that
// what is typed takes its place.
//
// Assistive tools: what they select in a list that is open is chosen, as by a click.
//
// Tab: in a table that is only read it leads on, and not through all cells.
//
// Ctrl+E: a command of the window, which a line of text takes for the way to its end.
class FieldGuard : public QObject {
    Q_OBJECT

public:
    explicit FieldGuard(QObject* parent = nullptr); // of all widgets of the application, while it lives

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QPointer<QAbstractSpinBox> m_clickedInto; // just now
};

} // namespace pw

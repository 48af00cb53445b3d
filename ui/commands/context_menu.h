// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>
#include <vector>

class QAbstractItemView;
class QMenu;
class QPoint;
class QWidget;

namespace pw {

class Commands;

// What a right click, or the Menu key, offers in a place: commands of the command table, so that they read,
// do and are greyed as in the menu bar.
struct ContextRow {
    const char* place;                 // "plans"
    std::vector<const char*> commands; // "" = a line between
};
const std::vector<ContextRow>& contextTable();

// Empty as yet; deletes itself once it is closed. Its name is "context.PLACE".
QMenu* newContextMenu(const char* place, QWidget* parent);
// The commands of a place; an unknown place is a bug and asserts.
void fillContext(QMenu& menu, const Commands& commands, const char* place);
// "Copy", which puts the text on the clipboard.
void addCopy(QMenu& menu, const QString& text);
// The selected rows under their headings, tabs between the cells.
QString selectedText(const QAbstractItemView& view);
void showContext(const Commands& commands, const char* place, QWidget* parent, const QPoint& global);

// A right click on a row of the view, which chooses it, and the Menu key on the current row show the menu
// that `fill` fills; one that stays empty is not shown.
void offerRowMenu(QAbstractItemView* view, const char* place, std::function<void(QMenu&)> fill);
void offerRowMenu(QAbstractItemView* view, const char* place, const Commands& commands);

} // namespace pw

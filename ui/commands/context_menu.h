// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include <functional>
#include <vector>

class QAbstractItemView;
class QMenu;
class QPoint;
class QRect;
class QWidget;

namespace pw {

class Commands;
class PartsWidget;
class Selection;

// What a right click, or the Menu key, offers in a place: commands of the command table, so that they read,
// do and are greyed as in the menu bar.
struct ContextRow {
    const char* place;                 // "plans"
    std::vector<const char*> commands; // "" = a line between
};
const std::vector<ContextRow>& contextTable();

// Empty as yet; deletes itself once it is closed. Its name is "context.PLACE".
QMenu* newContextMenu(const char* place, QWidget* parent);
// The commands of a place, those that `has` does not want left out; an unknown place is a bug and asserts.
void fillContext(QMenu& menu, const Commands& commands, const char* place,
                 const std::function<bool(const char* id)>& has = {});
void showContext(const Commands& commands, const char* place, QWidget* parent, const QPoint& global);

// What a view tells of the row, bar or mark that is current in it. The place's commands "rows.*" are for all
// views: each is offered where the view tells what it works on, so that a view with a menu is one of these
// and a row of the context table.
struct RowMenu {
    const char* place = "";
    const Commands* commands = nullptr; // null: those of the window that the view stands in
    // Makes current what lies at the place in the view; false: nothing does, and there is no menu.
    std::function<bool(const QPoint&)> choose = {};
    std::function<QRect()> current = {};   // where it is, in the view; invalid: nothing is current
    std::function<QString()> text = {};    // rows.copy: what is chosen, in lines
    std::function<QString()> all = {};     // rows.copyAll
    std::function<QString()> value = {};   // rows.copyValue
    std::function<int()> stage = {};       // rows.stage: row of the current plan; -1: none
    std::function<QString()> device = {};  // rows.device: "n1.g3"; empty: none
    std::function<void(QMenu&)> fill = {}; // entries that are no commands; they come first
};

// Gives the view its menu, by mouse and by key, and the keys of the commands "rows.*". Again: in place of it.
// Its object is a child of the view, called "rowMenu".
void offerMenu(QWidget* view, RowMenu menu);

// Of tables and lists: rows under their headings, tabs between the cells.
RowMenu tableMenu(QAbstractItemView* view, const char* place);
void offerRowMenu(QAbstractItemView* view, const char* place, std::function<void(QMenu&)> fill = {});
void offerRowMenu(QAbstractItemView* view, const char* place, const Commands& commands);
// The selected rows, else the current one; or all.
QString selectedText(const QAbstractItemView& view);
QString tableText(const QAbstractItemView& view);

// Of a view whose painted parts can be walked: a part is a row, the selected one is current. `choose` takes
// the key of a part and makes it so.
RowMenu partsMenu(const PartsWidget* view, const char* place, std::function<void(const QString& key)> choose);

// What the commands "rows.*" do, for all views at once: with the row that a menu is open for, else with that
// of the view that has the focus.
void bindRowCommands(Commands& commands, Selection& selection);

// Shift+F10 anywhere in the program is the Menu key, which many keyboards lack.
class MenuKey : public QObject {
public:
    explicit MenuKey(QObject* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace pw

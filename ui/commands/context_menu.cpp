// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/context_menu.h"

#include "ui/commands/commands.h"

#include <QMenu>

#include <cstring>

namespace pw {

const std::vector<ContextRow>& contextTable() {
    static const std::vector<ContextRow> rows = {
        {"canvas",
         {"canvas.node", "canvas.switch", "canvas.note", "", "canvas.paste", "canvas.selectAll",
          "canvas.selectNodes", "canvas.selectLinks", "", "canvas.fit", "canvas.actualSize", "canvas.zoomIn",
          "canvas.zoomOut", "canvas.minimap", "", "view.copyImage", "view.savePicture"}},
        {"canvas item",
         {"canvas.editData", "canvas.rename", "canvas.link", "canvas.linkThese", "", "canvas.cut",
          "canvas.copy", "canvas.duplicate", "canvas.delete", "", "canvas.domain", "canvas.leaveDomain",
          "canvas.leaveOut", "", "canvas.group", "canvas.ungroup", "canvas.lock"}},
        {"canvas link",
         {"canvas.editData", "canvas.delete", "canvas.leaveOut", "", "canvas.selectAlike",
          "canvas.selectLinks", "canvas.selectNone"}},
        {"plans",
         {"plan.export", "plan.compare", "plan.compareFile", "", "plans.pin", "plans.rename", "plans.note",
          "plans.ties", "", "search.improve", "answers.judge", "", "rows.copy", "rows.copyAll", "",
          "plans.columns", "plans.remove"}},
        {"stage",
         {"stages.lock", "search.improve", "", "stages.split", "stages.merge", "stages.earlier",
          "stages.later"}},
        {"edited plan", {"whatif.keep", "whatif.revert"}},
        {"timeline",
         {"timeline.fit", "timeline.centre", "timeline.zoomIn", "timeline.zoomOut", "", "timeline.cause",
          "timeline.effect", "timeline.range", "", "timeline.find", "timeline.clear", "", "view.copyImage",
          "view.savePicture"}},
        {"memory",
         {"rows.stage", "rows.device", "", "rows.copy", "rows.copyAll", "", "view.copyImage",
          "view.savePicture"}},
        {"details", {"rows.copy", "rows.copyValue", "rows.copyAll"}},
        {"area", {"rows.copy", "rows.copyValue", "rows.copyAll"}},
        {"breakdown",
         {"rows.stage", "", "rows.copy", "rows.copyAll", "", "view.copyImage", "view.savePicture"}},
        {"durations",
         {"rows.stage", "", "rows.copy", "rows.copyValue", "rows.copyAll", "", "view.copyImage",
          "view.savePicture"}},
        {"sensitivity",
         {"sensitivity.try", "", "rows.copy", "rows.copyValue", "rows.copyAll", "", "view.copyImage",
          "view.savePicture"}},
        {"pareto",
         {"plan.export", "plan.compare", "", "rows.copy", "rows.copyAll", "", "view.copyImage",
          "view.savePicture"}},
        {"parallel",
         {"plan.export", "plan.compare", "", "rows.copy", "rows.copyAll", "", "view.copyImage",
          "view.savePicture"}},
        {"plan runs", {"rows.stage", "", "rows.copy", "rows.copyValue", "rows.copyAll", "", "runs.load"}},
        {"problems",
         {"problems.fix", "problems.jump", "", "help.message", "", "rows.copy", "rows.copyValue",
          "rows.copyAll"}},
        {"messages", {"help.message", "", "rows.copy", "rows.copyAll"}},
        {"findings",
         {"findings.try", "findings.jump", "rows.stage", "", "help.message", "", "rows.copy",
          "rows.copyValue", "rows.copyAll"}},
        {"answers", {"rows.copy", "rows.copyValue", "rows.copyAll", "", "answers.judge", "answers.around"}},
        {"planners", {"planners.show", "plan.export", "plan.compare", "", "rows.copy", "rows.copyAll"}},
        {"found plans", {"plan.export", "plan.compare", "", "rows.copy", "rows.copyAll"}},
        {"rejected", {"help.message", "", "rows.copy", "rows.copyAll"}},
        {"convergence", {"rows.copy", "", "view.copyImage", "view.savePicture"}},
        {"layers", {"rows.copy", "rows.copyValue", "rows.copyAll"}},
        {"profile sources", {"rows.copy", "rows.copyValue", "rows.copyAll", "", "file.import"}},
        {"coverage", {"rows.copy", "rows.copyValue", "rows.copyAll"}},
        {"measurements", {"rows.copy", "rows.copyValue", "rows.copyAll"}},
        {"fit", {"rows.copy", "", "view.copyImage", "view.savePicture"}},
        {"compare",
         {"compare.base", "compare.swap", "compare.remove", "", "rows.copy", "rows.copyAll", "",
          "compare.fit", "compare.clear", "", "view.copyImage", "view.savePicture"}},
        {"differences",
         {"compare.previous", "compare.next", "compare.clear", "", "rows.copy", "rows.copyValue",
          "rows.copyAll"}},
        {"plan fields", {"rows.copy", "rows.copyValue", "rows.copyAll"}},
        {"plans to compare", {"compare.add", "", "rows.copy", "rows.copyAll"}},
        {"peaks", {"rows.device", "", "rows.copy", "rows.copyAll", "", "view.copyImage", "view.savePicture"}},
        {"accuracy",
         {"accuracy.open", "accuracy.leaveOut", "", "rows.copy", "rows.copyValue", "rows.copyAll", "",
          "accuracy.filter"}},
        {"accuracy points",
         {"accuracy.open", "accuracy.leaveOut", "", "rows.copy", "", "view.copyImage", "view.savePicture"}},
        {"accuracy sources", {"accuracy.load", "", "rows.copy", "rows.copyValue", "rows.copyAll"}},
        {"errors", {"rows.copy", "rows.copyAll", "", "view.copyImage", "view.savePicture"}},
        {"accuracy run",
         {"accuracy.open", "accuracy.leaveOut", "", "rows.copy", "rows.copyValue", "rows.copyAll"}},
        {"sweep tasks", {"sweep.openPlan", "", "rows.copy", "rows.copyValue", "rows.copyAll"}},
        {"sweep plots",
         {"sweep.openPlan", "", "rows.copy", "rows.copyAll", "", "view.copyImage", "view.savePicture"}},
        {"failed tasks", {"rows.copy", "rows.copyAll"}},
        {"import files", {"rows.copy", "rows.copyAll"}},
        {"import fit", {"rows.copy"}},
        {"import table", {"rows.copy", "rows.copyValue", "rows.copyAll"}},
        {"published cases", {"rows.copy", "rows.copyAll"}},
        {"published figures", {"rows.copy", "rows.copyValue", "rows.copyAll"}},
        {"log", {"rows.copy", "rows.copyValue", "rows.copyAll"}},
        {"crash reports", {"rows.copy"}},
    };
    return rows;
}

QMenu* newContextMenu(const char* place, QWidget* parent) {
    auto* menu = new QMenu(parent);
    menu->setObjectName(QLatin1String("context.") + QLatin1String(place));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    return menu;
}

namespace {

// The command as an entry of the menu's own, which goes with it: for assistive tools Qt keeps one object an
// action, of the first menu that it was asked in, so that entries of a menu that is gone would fall silent in
// the menu bar and in every later menu.
QAction* entryOf(QAction& command, QMenu& menu) {
    auto* entry = new QAction(&menu);
    entry->setObjectName(command.objectName());
    entry->setShortcuts(command.shortcuts()); // shown; none of them is the entry's while another one has it
    entry->setCheckable(command.isCheckable());
    const auto follow = [entry, &command] {
        entry->setIcon(command.icon());
        entry->setText(command.text());
        entry->setToolTip(command.toolTip());
        entry->setStatusTip(command.statusTip());
        entry->setChecked(command.isChecked());
        entry->setEnabled(command.isEnabled());
        entry->setVisible(command.isVisible());
    };
    follow();
    QObject::connect(&command, &QAction::changed, entry, follow);
    QObject::connect(entry, &QAction::triggered, &command, &QAction::trigger);
    return entry;
}

} // namespace

void fillContext(QMenu& menu, const Commands& commands, const char* place,
                 const std::function<bool(const char* id)>& has) {
    for (const ContextRow& row : contextTable()) {
        if (std::strcmp(row.place, place) != 0)
            continue;
        for (const char* id : row.commands)
            if (!*id)
                menu.addSeparator(); // the menu shows none twice, nor at its ends
            else if (!has || has(id))
                menu.addAction(entryOf(*commands.action(id), menu));
        return;
    }
    Q_ASSERT_X(false, "fillContext", place);
}

void showContext(const Commands& commands, const char* place, QWidget* parent, const QPoint& global) {
    QMenu* menu = newContextMenu(place, parent);
    fillContext(*menu, commands, place);
    menu->popup(global);
}

} // namespace pw

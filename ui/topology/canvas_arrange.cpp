// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/canvas_edits.h"

#include "ui/base/convert.h"
#include "ui/commands/app_context.h"
#include "ui/session/document.h"
#include "ui/session/selection.h"
#include "ui/topology/drawing.h"
#include "ui/topology/free_ground.h"
#include "ui/topology/geometry.h"
#include "ui/topology/scene.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QMimeData>

#include <algorithm>
#include <utility>

// What the canvas does to chosen items: moving, copying, arranging, and notes among them.

namespace pw {

namespace {

constexpr char kItemsMime[] = "application/x-pipewright-items";

QString trArrange(const char* text) {
    return QCoreApplication::translate("pw::TopologyCanvas", text);
}

struct Chosen {
    ItemIds items, notes;
};
Chosen split(const QSet<QString>& items) {
    Chosen chosen;
    for (const QString& id : items)
        if (id.startsWith(kNotePrefix))
            chosen.notes.insert(s(id.mid(kNotePrefix.size())));
        else
            chosen.items.insert(s(id));
    return chosen;
}

QString counted(const char* one, const char* many, const QSet<QString>& items) {
    const bool note = items.size() == 1 && items.begin()->startsWith(kNotePrefix);
    return items.size() == 1 ? trArrange(one).arg(note ? trArrange("note") : *items.begin())
                             : trArrange(many).arg(items.size());
}

// Those that are among the items, or all the others.
std::vector<ItemBox> boxesOf(const TopologyScene& scene, const QSet<QString>& items, bool among = true) {
    std::vector<ItemBox> boxes;
    for (const QString& id : scene.boxes()) // in file order: the same however they were chosen
        if (items.contains(id) == among) {
            const QRectF box = scene.boxOf(id);
            boxes.push_back({s(id), box.x(), box.y(), box.width(), box.height()});
        }
    return boxes;
}

// Nodes and switches among the items.
ItemIds boxesAmong(const Cluster& cluster, const ItemIds& items) {
    ItemIds ids;
    const auto take = [&](const auto& boxes) {
        for (const auto& box : boxes)
            if (items.contains(box.id))
                ids.insert(box.id);
    };
    take(cluster.nodes);
    take(cluster.switches);
    return ids;
}

QSet<QString> namesOf(const ItemIds& ids) {
    QSet<QString> names;
    for (const std::string& id : ids)
        names.insert(q(id));
    return names;
}

} // namespace

bool moveChosen(const AppContext& app, const QSet<QString>& items, QPointF by, const QString& mergeKey) {
    if (items.isEmpty() || by.isNull())
        return false;
    const Chosen chosen = split(items);
    Result<Project> moved = moveItems(*app.document.project(), chosen.items, by.x(), by.y());
    if (moved)
        moved = moveNotes(*moved, chosen.notes, by.x(), by.y());
    const bool stays = moved && *moved == *app.document.project(); // locked
    return app.document.apply(moved, counted("Move %1", "Move %1 items", items), mergeKey) && !stays;
}

bool removeChosen(const AppContext& app) {
    const QSet<QString> items = app.selection.items();
    if (items.isEmpty())
        return false;
    const Chosen chosen = split(items);
    Result<Project> removed = removeItems(*app.document.project(), chosen.items);
    if (removed)
        removed = removeNotes(*removed, chosen.notes);
    if (!app.document.apply(removed, counted("Delete %1", "Delete %1 items", items)))
        return false;
    app.selection.setItems({});
    return true;
}

bool duplicateChosen(const AppContext& app) {
    const Chosen chosen = split(app.selection.items());
    if (chosen.items.empty())
        return false;
    ItemIds copies;
    const Project& project = *app.document.project();
    if (!app.document.apply(onFreeGround(project, duplicateItems(project, chosen.items, 0, 0, &copies)),
                            trArrange("Duplicate")))
        return false;
    app.selection.setItems(namesOf(copies));
    return true;
}

bool renameBox(const AppContext& app, const QString& item, const QString& name) {
    if (!app.document.apply(renameItem(*app.document.project(), s(item), s(name)),
                            trArrange("Rename %1").arg(item)))
        return false;
    app.selection.setItems({name});
    return true;
}

bool copyChosen(const AppContext& app) {
    const Result<std::string> text = copyItems(*app.document.project(), split(app.selection.items()).items);
    if (!text) {
        Q_EMIT app.document.failed(text.error());
        return false;
    }
    auto* data = new QMimeData;
    data->setData(QLatin1String(kItemsMime), QByteArray::fromStdString(*text));
    data->setText(q(*text));
    QGuiApplication::clipboard()->setMimeData(data);
    return true;
}

bool cutChosen(const AppContext& app) {
    return !app.selection.items().isEmpty() && copyChosen(app) && removeChosen(app);
}

bool paste(const AppContext& app, std::optional<QPointF> middle) {
    const QMimeData* data = QGuiApplication::clipboard()->mimeData();
    if (!data || !data->hasFormat(QLatin1String(kItemsMime)))
        return false;
    ItemIds copies;
    const Project& project = *app.document.project();
    const std::string text = data->data(QLatin1String(kItemsMime)).toStdString();
    Result<Project> pasted = pasteItems(project, text, 0, 0, &copies);
    if (middle)
        pasted = centredAt(project, std::move(pasted), *middle);
    if (!app.document.apply(onFreeGround(project, std::move(pasted), kGrid), trArrange("Paste")))
        return false;
    app.selection.setItems(namesOf(copies));
    return true;
}

bool alignChosen(const AppContext& app, const TopologyScene& scene, Alignment line) {
    const QSet<QString>& chosen = app.selection.items();
    return app.document.apply(
        alignItems(*app.document.project(), boxesOf(scene, chosen), line, boxesOf(scene, chosen, false)),
        trArrange("Align"));
}

bool distributeChosen(const AppContext& app, const TopologyScene& scene, bool horizontally) {
    const QSet<QString>& chosen = app.selection.items();
    return app.document.apply(distributeItems(*app.document.project(), boxesOf(scene, chosen), horizontally,
                                              boxesOf(scene, chosen, false)),
                              trArrange("Distribute"));
}

bool tidyDrawing(const AppContext& app, const TopologyScene& scene) {
    const QStringList all = scene.boxes();
    return app.document.apply(
        tidyItems(*app.document.project(), boxesOf(scene, QSet<QString>(all.begin(), all.end()))),
        trArrange("Tidy"));
}

bool groupChosen(const AppContext& app, bool together) {
    const ItemIds items = split(app.selection.items()).items;
    const Project& project = *app.document.project();
    if (!together)
        return app.document.apply(ungroupItems(project, items), trArrange("Ungroup"));
    return app.document.apply(groupItems(project, items), trArrange("Group"));
}

bool canGroup(const AppContext& app) {
    const Project& project = *app.document.project();
    const ItemIds boxes = boxesAmong(project.cluster, split(app.selection.items()).items);
    return boxes.size() > 1 &&
           std::ranges::find(project.annotations.groups, boxes) == project.annotations.groups.end();
}

bool canUngroup(const AppContext& app) {
    const ItemIds items = split(app.selection.items()).items;
    return std::ranges::any_of(app.document.project()->annotations.groups, [&](const auto& group) {
        return std::ranges::any_of(group, [&](const std::string& id) { return items.contains(id); });
    });
}

bool lockChosen(const AppContext& app) {
    const ItemIds items = split(app.selection.items()).items;
    const Project& project = *app.document.project();
    const std::set<std::string>& locked = project.annotations.locked;
    const bool all = std::ranges::all_of(boxesAmong(project.cluster, items),
                                         [&](const std::string& id) { return locked.contains(id); });
    return app.document.apply(lockItems(project, items, !all), all ? trArrange("Unlock") : trArrange("Lock"));
}

namespace {

bool leaveOutOrUse(const AppContext& app, const ItemIds& items, const QString& name) {
    const Project& project = *app.document.project();
    const bool out = !areLeftOut(project, items);
    return app.document.apply(leaveOut(project, items, out),
                              (out ? trArrange("Leave out %1") : trArrange("Use %1 again")).arg(name));
}

LeavingOut chosenToLeaveOut(const AppContext& app) {
    return whatToLeaveOut(*app.document.project(), split(app.selection.items()).items);
}

} // namespace

bool canLeaveOut(const AppContext& app) {
    const LeavingOut what = chosenToLeaveOut(app);
    return what.nodes + what.network > 0;
}

bool isChosenLeftOut(const AppContext& app) {
    return areLeftOut(*app.document.project(), split(app.selection.items()).items);
}

bool leaveChosenOut(const AppContext& app) {
    const ItemIds items = split(app.selection.items()).items;
    const LeavingOut what = chosenToLeaveOut(app);
    const bool one =
        items.size() == 1 && (what.network == 1 || app.document.project()->cluster.node(*items.begin()));
    return leaveOutOrUse(app, items,
                         one              ? q(*items.begin())
                         : what.nodes > 0 ? trArrange("%1 nodes").arg(what.nodes)
                                          : trArrange("%1 switches and links").arg(what.network));
}

bool leaveGpuOut(const AppContext& app, const QString& device) {
    return leaveOutOrUse(app, {s(device)}, device);
}

bool placeNote(const AppContext& app, QPointF at) {
    const Result<Project> edited = addNote(*app.document.project(), {"", "", {at.x(), at.y()}});
    if (!app.document.apply(edited, trArrange("Add note")))
        return false;
    app.selection.setItems({kNotePrefix + q(app.document.project()->annotations.notes.back().id)});
    return true;
}

bool writeNote(const AppContext& app, const QString& note, const QString& text) {
    for (Note changed : app.document.project()->annotations.notes)
        if (note == kNotePrefix + q(changed.id)) {
            changed.text = s(text);
            return app.document.apply(setNote(*app.document.project(), changed), trArrange("Write note"));
        }
    return false;
}

QSet<QString> withGroups(const AppContext& app, const QSet<QString>& items) {
    ItemIds ids;
    for (const QString& id : items)
        ids.insert(s(id));
    return namesOf(withGroups(app.document.project()->annotations, ids));
}

void leaveGone(const AppContext& app) {
    const Project& project = *app.document.project();
    QSet<QString> there;
    const auto add = [&there](const auto& items, const QString& prefix) {
        for (const auto& item : items)
            there.insert(prefix + q(item.id));
    };
    add(project.cluster.nodes, {});
    add(project.cluster.switches, {});
    add(project.cluster.links, {});
    add(project.annotations.notes, kNotePrefix);
    app.selection.setItems(QSet<QString>(app.selection.items()).intersect(there));
    const QString node = app.selection.device().section(QLatin1Char('.'), 0, -2);
    const QString slot = app.selection.device().section(QStringLiteral(".g"), -1);
    const Node* found = project.cluster.node(s(node));
    if (!app.selection.device().isEmpty() && (!found || slot.toInt() >= found->gpus))
        app.selection.setDevice({});
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/edit/arrange.h"

#include <QPointF>
#include <QSet>
#include <QSizeF>
#include <QString>

#include <optional>

namespace pw {

struct AppContext;
class TopologyScene;

// What the canvas does to a document, each one undo step. A refusal reaches the user through
// Document::failed. What was made is chosen afterwards, and stands where nothing stood (free_ground.h): `at`
// is where it goes if there is room. They return whether something changed.
// `linkedTo`: a switch; empty: nothing.
bool placeNodes(const AppContext& app, const std::string& kind, int gpusPerNode, int count, QPointF at,
                const std::string& linkedTo = {});
bool placeSwitch(const AppContext& app, const std::string& medium, QPointF at);
bool linkItems(const AppContext& app, const QStringList& from, const QString& to);
// The end of the link at `from` to another box; the link is chosen, whatever it is called then.
bool moveEnd(const AppContext& app, const QString& link, const QString& from, const QString& to);
bool renameBox(const AppContext& app, const QString& item, const QString& name);
bool moveChosen(const AppContext& app, const QSet<QString>& items, QPointF by, const QString& mergeKey = {});
bool removeChosen(const AppContext& app);
bool duplicateChosen(const AppContext& app);
// Chosen items as text with our own MIME type, and as plain text for other programs.
bool copyChosen(const AppContext& app);
bool cutChosen(const AppContext& app);
bool paste(const AppContext& app, std::optional<QPointF> middle); // there, else beside the originals
// Neither puts a box onto another.
bool alignChosen(const AppContext& app, const TopologyScene& scene, Alignment line);
bool distributeChosen(const AppContext& app, const TopologyScene& scene, bool horizontally);
bool tidyDrawing(const AppContext& app, const TopologyScene& scene); // all of it
bool groupChosen(const AppContext& app, bool together);
bool canGroup(const AppContext& app); // several nodes and switches, which are not a group already
bool canUngroup(const AppContext& app);
bool canLeaveOut(const AppContext& app); // a node is chosen, or a switch that cuts some off
bool isChosenLeftOut(const AppContext& app);
bool lockChosen(const AppContext& app); // frees them if all are locked
// Nodes that are chosen, those behind a switch, or a GPU by its name: no search uses them, or all of them
// again if none is used.
bool leaveChosenOut(const AppContext& app);
bool leaveGpuOut(const AppContext& app, const QString& device);
bool placeNote(const AppContext& app, QPointF at);
bool writeNote(const AppContext& app, const QString& note, const QString& text);
// The items with all that is grouped with them.
QSet<QString> withGroups(const AppContext& app, const QSet<QString>& items);

// Drops from the selection what the project no longer has, as after an undo.
void leaveGone(const AppContext& app);

bool changeKind(const AppContext& app, const QString& node, const std::string& kind);

// Ready-made drawings, built from the same edits.
struct ClusterTemplate {
    const char* key;   // in the drag payload
    const char* label; // English, translated where it is shown
    const char* help;
    int gpus; // 0: depends on what the user answers
    Result<Project> (*make)(const Project& project, const std::string& kind,
                            Point at); // null: it always asks
    int racks = 0;                     // to begin with, where it asks for them
};
const std::vector<ClusterTemplate>& clusterTemplates();
// So many racks of as many nodes with a leaf switch each, and two spine switches that every leaf reaches.
bool placeRacks(const AppContext& app, const std::string& kind, int gpusPerNode, int nodesPerRack, int racks,
                QPointF at);
bool placeTemplate(const AppContext& app, const ClusterTemplate& chosen, const std::string& kind, QPointF at);
// What all of it takes; the same wherever it is placed.
QSizeF templateSize(const ClusterTemplate& chosen, const std::string& kind);

// Ids of nodes, switches and links that `after` has and `before` has not.
QSet<QString> newItems(const Cluster& before, const Cluster& after);

} // namespace pw

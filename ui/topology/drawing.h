// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/diagnostics.h"
#include "core/cluster/switch_sides.h"
#include "core/project/project.h"
#include "ui/session/candidates.h"
#include "ui/session/link_traffic.h"
#include "ui/session/memory_room.h"

#include <QRectF>
#include <QSet>
#include <QString>

#include <optional>
#include <vector>

namespace pw {

// What the canvas shows of a project, worded and ready to paint: a pure function of project, problems,
// current plan and selection. Items of the scene keep nothing else, so comparing two looks tells what must be
// painted again.
struct Mark {
    std::optional<Severity> severity;
    QString text; // all messages about the item, one a line
    bool operator==(const Mark&) const = default;
};

struct TileLook {
    int pipeline = -1; // of a plan that has several
    int stage = -1;    // of that pipeline
    Bytes used;        // 0 without a plan
    MemoryRoom room;   // of the plan; without one, what there is
    bool chosen = false;
    bool leftOut = false; // of every search
    Mark mark;
    bool operator==(const TileLook&) const = default;
};

struct NodeLook {
    QString id;
    QString what;           // "8 × A100-SXM4-40GB"
    QString brief;          // "8 × A100-40", for small scales
    QString kind;           // "A100-40", for still smaller ones
    QString family;         // "A100", where that has no room
    bool oneFamily = false; // of all nodes of the drawing: it tells none from another
    QString inside;         // "NVLink 300 GB/s"
    std::vector<TileLook> tiles;
    bool planned = false; // a plan is laid over the drawing
    bool stale = false;
    bool chosen = false;
    bool locked = false;
    bool leftOut = false; // all tiles
    Mark mark;
    // The word that stays beside a name that is cut.
    QString kept() const { return oneFamily ? QString() : family; }
    bool operator==(const NodeLook&) const = default;
};

struct SwitchLook {
    QString id, medium;
    QString brief; // "IB", where "InfiniBand" has no room
    bool chosen = false;
    Mark mark;
    bool locked = false;
    bool leftOut = false; // `medium` says so
    bool operator==(const SwitchLook&) const = default;
};

struct LinkLook {
    QString id, a, b;
    QString label; // "100 Gbit/s"
    QString brief; // "100G", where that has no room
    bool chosen = false;
    Mark mark;
    double load = -1.0;   // share of the iteration that the plan keeps it busy; negative: no plan, not known
    bool leftOut = false; // by its own name or with a switch
    bool lit = false;     // what it joins at one end is chosen
    bool operator==(const LinkLook&) const = default;
};

// An NVLink domain, or a group.
struct DomainLook {
    QString id;        // "domain:d1", "group:1": a click on it chooses its nodes
    QString name;      // "d1", "Group 1"
    QString label;     // "d1, NVLink 900 GB/s", "Group 1"
    QString what;      // "18 nodes, 72 GPUs, NVLink 900 GB/s", "n1, n2, s1"
    QStringList nodes; // those that there are; of a group its switches, too
    bool group = false;
    bool chosen = false; // all of them
    Mark mark;
    bool operator==(const DomainLook&) const = default;
};

struct NoteLook {
    QString id; // "note:t1": notes are chosen beside the items of the cluster
    QString text;
    QRectF box;
    bool chosen = false;
    bool operator==(const NoteLook&) const = default;
};

struct LegendEntry {
    int row = 0; // of the views of the plan: what Selection::stage() counts
    int stage = 0;
    QString devices; // "A100-40 ×4"
    QString layers;  // "blocks 0 to 6"
    QString text() const { return devices + QStringLiteral(", ") + layers; }
};

struct Drawing {
    std::vector<NodeLook> nodes;
    std::vector<SwitchLook> switches;
    std::vector<LinkLook> links;
    std::vector<NoteLook> notes;
    std::vector<DomainLook> domains, groups;
    std::vector<LegendEntry> legend;
    bool stale = false;
};

inline const QString kNotePrefix = QStringLiteral("note:");
inline const QString kDomainPrefix = QStringLiteral("domain:");
inline const QString kGroupPrefix = QStringLiteral("group:");

// `candidate` null = no plan laid over. `device` is the chosen GPU ("n1.g3") or empty. `drawn`: how nodes are
// called that the plan knows by another name.
// `links`: what the plan asks of them, null where that is not known (yet).
Drawing drawingOf(const Project& project, const Diagnostics& problems, const Candidate* candidate, bool stale,
                  const QSet<QString>& chosen, const QString& device, const NodeNames& drawn = {},
                  const PlanLinks* links = nullptr);

// What switches are cabled to together, a line each: "4 links to nodes: 200 GB/s together", "Oversubscribed
// 2 : 1", or "2 : 1 to 4 : 1" where they differ. Empty: to nothing.
QString cablesText(const std::vector<SwitchSides>& sides);
// "node n1, 8 × A100-SXM4-40GB, NVLink 300 GB/s": what a screen reader says about an item or an NVLink
// domain; empty if there is none.
QString describeItem(const Cluster& cluster, const QString& id);
QString linkText(const Link& link);  // "100 Gbit/s", "8 × 400 Gbit/s"
QString briefRate(QString linkText); // "100G", "8×400G"
// What a link is and what is wrong with it, in lines of plain text.
QString linkTip(const Link& link, const Mark& mark);
QString insideText(const Cluster& cluster, const Node& node); // "NVLink 300 GB/s"
// Of which kind the network of links is, why, and what that makes of their line rate: "InfiniBand, as its
// switch s1; usually 65.6 % of the line rate is reached"; "2 values: ..." where they differ.
QString networkText(const Cluster& cluster, const std::vector<const Link*>& links);
QString usualShareText(const std::string& medium); // "65.6 %"
// A kind of network as the properties call it: "Ethernet (TCP)", beside which RoCE is one of its own.
QString mediumText(const std::string& medium);
QString clusterSummary(const Cluster& cluster); // "20 GPUs, 4 nodes, 1 switch"

} // namespace pw

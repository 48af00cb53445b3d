// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/topology/drawing.h"

#include <QGraphicsScene>
#include <QHash>
#include <QMap>

namespace pw {

class CanvasItem;
class DomainItem;
class NodeItem;
class SwitchItem;
class LinkItem;
class NoteItem;
class StackItem;

// Items by id, kept in step with a cluster. Reading it answers where things are; it never changes a document.
// While a gesture runs, boxes can be shown elsewhere (displace) until the edit is made or given up.
class TopologyScene : public QGraphicsScene {
    Q_OBJECT

public:
    explicit TopologyScene(QObject* parent = nullptr);

    bool show(const Cluster& cluster, const Drawing& drawing); // true: a box came, went or moved
    void displace(const QSet<QString>& boxes, QPointF by);     // from where the cluster has them; ways follow

    // At which it is seen: labels keep their size on the screen, and below kStackScale stacks stand in place
    // of their nodes and links.
    void setScale(double scale);
    bool isStacked() const { return m_stacked; }
    // Nodes of a stack or domain, items of a group; of anything else itself.
    QSet<QString> membersOf(const QString& id) const;
    QString boxAt(QPointF at) const; // node, switch, note or stack, or empty
    // The name of an NVLink domain or a group, a box, or the link whose label is there, or which is within
    // `tolerance` scene units.
    QString itemAt(QPointF at, double tolerance) const;
    QString nearestLink(QPointF at, double tolerance) const; // by its way alone, whatever else is there
    // The pointer has come to `at`, where `item` is (itemAt()): a link is lit, and its label shown within
    // `seen`, until it is at another item.
    void setHovered(const QString& item, QPointF at = {}, const QRectF& seen = {});
    QString deviceAt(QPointF at) const;              // "n1.g3" or empty
    QSet<QString> itemsIn(const QRectF& area) const; // boxes that touch it, links that lie within
    QRectF boxOf(const QString& id) const; // null rectangle if there is no such node, switch or note
    QRectF content() const;                // everything, with a margin; null when empty
    QStringList boxes() const;             // nodes, then switches, in file order
    QStringList notes() const;
    QPointF freeSpot(QPointF wanted, QSizeF size) const; // free_ground.h

    const NodeItem* nodeItem(const QString& id) const;
    const LinkItem* linkItem(const QString& id) const;
    const DomainItem* domainItem(const QString& id) const; // "domain:d1", "group:1"
    qsizetype itemCount() const { return m_nodes.size() + m_switches.size() + m_links.size(); }

protected:
    void drawForeground(QPainter* painter, const QRectF& exposed) override;

private:
    void route();
    void frameDomains(const QHash<QString, std::size_t>& shown); // places in m_shownBoxes by id
    void label();
    void widenSwitches(); // to their names, where nothing stands beside them
    void letter();        // what stands behind names: the same on boxes that are alike
    void placeStacks();
    LinkItem* shownLink(const QString& id) const; // of a stack, too; null if there is none
    const LinkItem* labelAt(QPointF at) const;

    QMap<QString, DomainItem*> m_domains;
    QMap<QString, StackItem*> m_stacks;
    QMap<QString, LinkItem*> m_stackLinks;
    bool m_stacked = false;
    QString m_hovered; // a link, or empty
    double m_scale = 1.0;
    std::vector<QRectF> m_shownBoxes;    // of nodes, switches and stacks
    std::vector<LinkItem*> m_shownLinks; // that have a way
    QMap<QString, NodeItem*> m_nodes;
    QMap<QString, SwitchItem*> m_switches;
    QMap<QString, LinkItem*> m_links;
    QMap<QString, NoteItem*> m_notes;
    QStringList m_order;
    QMap<QString, QPointF> m_home;
};

} // namespace pw

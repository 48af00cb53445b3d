// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/cluster.h"
#include "ui/topology/drawing.h"
#include "ui/topology/items.h"

namespace pw {

// Many equal nodes at one switch, drawn as one card where the drawing is small: 2,048 nodes are then four
// cards and four links, and pan as such. Equal means kind, GPUs, figures and link, and of NVLink domains: a
// large one makes a card of its own, small ones that are alike share it.
struct StackLook {
    QString id; // "stack:n1", of its first node
    QStringList nodes, links;
    QString peer;                            // the switch
    QString title;                           // "512 nodes", "18 nodes of rack1", "512 nodes, 64 domains"
    QString what;                            // "8 \u00d7 H100-80 each"
    QString label;                           // of the links together
    std::vector<std::pair<int, int>> stages; // GPUs by stage, -1 = none; in order
    bool chosen = false;                     // all of it
    bool operator==(const StackLook&) const = default;
};
inline constexpr std::size_t kLeastStack = 12;       // nodes
inline constexpr double kStackScale = kOutlineScale; // below, stacks are shown
inline const QString kStackPrefix = QStringLiteral("stack:");

std::vector<StackLook> stacksOf(const Cluster& cluster, const Drawing& drawing);

class StackItem : public CanvasItem {
public:
    explicit StackItem(const QString& id);
    void setLook(const StackLook& look);
    const StackLook& look() const { return m_look; }
    void setSize(QSizeF size);
    QRectF box() const override { return {QPointF(), m_size}; }
    QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) override;

private:
    StackLook m_look;
    QSizeF m_size;
};

} // namespace pw

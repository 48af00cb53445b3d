// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/topology/items.h"

#include <vector>

namespace pw {

// The frame of an NVLink domain or of a group, behind everything: one round all its nodes, or one round each
// of them where a box of somebody else stands between. A domain's name stands on the upper edge of the first
// frame, in letters of full size however small the drawing; where names of nodes are no longer shown, inside
// the frame. That of a group, which lies inside its domain's, has no ground and its name below it, as long as
// names of nodes are shown.
class DomainItem : public CanvasItem {
public:
    explicit DomainItem(const QString& id);
    void setLook(const DomainLook& look);
    const DomainLook& look() const { return m_look; }
    void setFrames(std::vector<QRectF> frames); // in the scene, the one with the name first; empty: not shown
    const std::vector<QRectF>& frames() const { return m_frames; }
    void setSeenAt(double scale);
    const QRectF& label() const { return m_label; } // in the scene; null where there is no room
    QRectF boundingRect() const override { return m_bounds; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) override;
    void paintLabel(QPainter* painter, const QRectF& exposed) const; // over all boxes

private:
    void layLabel();

    DomainLook m_look;
    std::vector<QRectF> m_frames;
    double m_scale = 1.0;
    QString m_shown; // of the label: as much as the first frame has room for
    QRectF m_label, m_bounds;
};

// Of a frame round a box, in scene units; nodes stand 32 apart.
inline constexpr double kDomainPad = 12.0, kGroupPad = 7.0;
// Frames round the boxes of a domain; `alone`: no other box stands between them.
std::vector<QRectF> domainFrames(std::vector<QRectF> boxes, bool alone, double pad);
QRectF domainGround(const std::vector<QRectF>& boxes, double pad); // the frame round all of them

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/topology/drawing.h"
#include "ui/topology/link_labels.h"

#include <QGraphicsItem>
#include <QPolygonF>

#include <limits>
#include <optional>

namespace pw {

// The items of the topology scene. Each keeps the id and the look it was given and paints it; position,
// selection and edits are decided elsewhere. There is less to see the smaller the drawing: everything from
// 0.85 on; short labels in letters of full size down to 0.5; then names, kinds where they fit, and stage
// colours; below 0.2 outlines, colours, and the family of the GPUs, or the name where all have one, as long
// as it fits.
class CanvasItem : public QGraphicsItem {
public:
    const QString& id() const { return m_id; }
    bool isLink() const { return m_link; }
    virtual QRectF box() const { return {}; }         // without the halo, in item coordinates
    virtual QRectF shownBox() const { return box(); } // as large as it is drawn

protected:
    CanvasItem(QString id, bool link) : m_id(std::move(id)), m_link(link) {}

private:
    QString m_id;
    bool m_link;
};

class NodeItem : public CanvasItem {
public:
    explicit NodeItem(const QString& id);
    void setLook(const NodeLook& look);
    const NodeLook& look() const { return m_look; }
    double nameWidth() const { return m_nameWidth; }
    double titleRoom() const; // in the scene, of the name and what stands behind it
    // What may stand behind its name where the drawing is small, longest first, and what of it is tried.
    QStringList allWords() const { return {m_look.brief, m_look.kind, m_look.family}; }
    QStringList words() const { return allWords().mid(m_words); }
    void setWords(qsizetype first);
    QRectF box() const override;
    QRectF boundingRect() const override;
    QPainterPath shape() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) override;

private:
    void paintTile(QPainter& painter, int slot, double scale) const;
    void paintCompactTile(QPainter& painter, int slot, double scale) const;
    void paintHeader(QPainter& painter, double scale) const;
    NodeLook m_look;
    double m_nameWidth; // px; measured once
    qsizetype m_words = 0;
};

class SwitchItem : public CanvasItem {
public:
    explicit SwitchItem(const QString& id);
    void setLook(const SwitchLook& look);
    const SwitchLook& look() const { return m_look; }
    double nameWidth() const { return m_nameWidth; }
    double titleRoom() const;
    QStringList allWords() const { return {m_look.medium, m_look.brief}; }
    QStringList words() const { return allWords().mid(m_words); }
    void setWords(qsizetype first);
    // Never drawn so small that it is not seen; `wide`: as wide as its name, where that is cut in a small
    // drawing.
    QRectF shownAt(double scale, bool wide) const;
    void setSeenAt(double scale, bool wide = false);
    QRectF box() const override;
    QRectF shownBox() const override { return m_shown; }
    QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) override;

private:
    SwitchLook m_look;
    QRectF m_shown;
    double m_nameWidth;
    qsizetype m_words = 0;
};

// A sheet of paper: drawn under the cluster, so that it may also frame a part of it.
class NoteItem : public CanvasItem {
public:
    explicit NoteItem(const QString& id);
    void setLook(const NoteLook& look);
    const NoteLook& look() const { return m_look; }
    QRectF box() const override;
    QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) override;

private:
    NoteLook m_look;
};

class LinkItem : public CanvasItem {
public:
    explicit LinkItem(const QString& id);
    void setLook(const LinkLook& look);
    const LinkLook& look() const { return m_look; }
    // Scene coordinates; `room`: what roomAtEnds() has for it.
    void setWay(const QPolygonF& way, double room = std::numeric_limits<double>::infinity());
    const QPolygonF& way() const { return m_way; }
    QRectF boundingRect() const override;
    QPainterPath shape() const override; // with the label
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) override;
    LabelWish labelWish() const;
    void setLabelPlace(const LabelPlace& place, double scale);
    const LabelPlace& labelPlace() const { return m_byPointer ? *m_byPointer : m_place; }
    QRectF labelArea() const; // in the scene, with the mark; null where there is no label
    // Lit as long as the pointer is on it. Where its label is not to be seen in `seen`, it stands beside the
    // pointer at `at`, whatever it covers there.
    void setHovered(QPointF at, const QRectF& seen);
    void leaveHover();
    bool isHovered() const { return m_hovered; }
    enum class End { A, B };
    // The square at an end of a chosen link, as large as it is drawn at the scale and where it is: on the
    // edge of its box, or in small drawings, where it would lie on the box's name, in front of it. Null
    // without a way.
    QRectF grip(End end, double scale) const;
    // Ends and label, over all boxes. In scene coordinates.
    void paintOver(QPainter* painter, const QRectF& exposed) const;

private:
    void measure();
    QRectF areaAt(const LabelPlace& place) const;
    double m_labelWidth = 0.0, m_briefWidth = 0.0; // px; measured once: every change of the scale asks
    LabelPlace m_place;
    std::optional<LabelPlace> m_byPointer;
    bool m_hovered = false;
    double m_scale = 1.0; // at which the label stands there
    QRectF m_bounds;
    LinkLook m_look;
    QPolygonF m_way;
    double m_room = std::numeric_limits<double>::infinity();
};

inline constexpr double kLinkReach = 6.0; // scene units round a way that are of it
inline constexpr double kFullScale = 0.85, kLabelScale = 0.5, kOutlineScale = 0.2;

} // namespace pw

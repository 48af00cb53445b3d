// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QString>

#include <functional>

class QGraphicsView;
class QPainter;

namespace pw {

struct AppContext;
class TopologyScene;

// One end of a chosen link on its way to another node or switch. Let go over nothing, or over the box that
// it came from, it leaves the link as it is.
class LinkEndDrag {
public:
    // changed: called where the hint or what is painted is another.
    LinkEndDrag(const AppContext& app, const TopologyScene& scene, const QGraphicsView& view,
                std::function<void()> changed);

    // False: no end of a chosen link is drawn there, or something else is nearer: another box, another link.
    bool begin(QPointF at);
    void move(QPointF at);
    void drop();
    void cancel();
    bool isOn() const { return !m_link.isEmpty(); }
    QString hint() const; // what letting go would do, or why it is refused
    void paint(QPainter& painter) const;

private:
    double zoom() const;
    bool isNearest(const QString& link, const QString& box, QPointF at) const;

    const AppContext& m_app;
    const TopologyScene& m_scene;
    const QGraphicsView& m_view;
    std::function<void()> m_changed;
    QString m_link;       // empty: nothing is dragged
    QString m_from, m_by; // the boxes of the dragged end and of the other
    QString m_to;         // under the pointer; empty: nothing that it could lead to
    QString m_refusal;
    QPointF m_at;
};

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/link_end_drag.h"

#include "core/edit/edit.h"
#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/theme.h"
#include "ui/commands/app_context.h"
#include "ui/session/document.h"
#include "ui/session/selection.h"
#include "ui/topology/canvas_edits.h"
#include "ui/topology/geometry.h"
#include "ui/topology/items.h"
#include "ui/topology/scene.h"

#include <QCoreApplication>
#include <QGraphicsView>
#include <QLineF>
#include <QPainter>

#include <limits>
#include <tuple>
#include <utility>

namespace pw {

namespace {
constexpr double kReach = 6.0; // px beside a line, as a click has it
} // namespace

LinkEndDrag::LinkEndDrag(const AppContext& app, const TopologyScene& scene, const QGraphicsView& view,
                         std::function<void()> changed)
    : m_app(app), m_scene(scene), m_view(view), m_changed(std::move(changed)) {}

double LinkEndDrag::zoom() const {
    return m_view.transform().m11();
}

// Of a link and the box at one of its ends: whether they are what the pointer means there. The square is
// drawn over the edge of that box, and notes lie below all links.
bool LinkEndDrag::isNearest(const QString& link, const QString& box, QPointF at) const {
    const QString over = m_scene.boxAt(at);
    if (!over.isEmpty() && !m_scene.notes().contains(over))
        return over == box;
    return m_scene.nearestLink(at, kReach / zoom()) == link;
}

// The nearest of the squares that the pointer is in: ends at a switch stand close together.
bool LinkEndDrag::begin(QPointF at) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const QString& id : m_app.selection.items()) {
        const LinkItem* item = m_scene.linkItem(id);
        if (!item || !item->isVisible())
            continue;
        const LinkLook& look = item->look();
        for (const auto& [end, from, by] :
             {std::tuple(LinkItem::End::A, look.a, look.b), std::tuple(LinkItem::End::B, look.b, look.a)}) {
            const QRectF grip = item->grip(end, zoom());
            const double apart = QLineF(grip.center(), at).length();
            if (!grip.contains(at) || apart >= nearest || !isNearest(id, from, at))
                continue;
            nearest = apart;
            m_link = id;
            m_from = from;
            m_by = by;
        }
    }
    m_at = at;
    m_to.clear();
    m_refusal.clear();
    return isOn();
}

void LinkEndDrag::move(QPointF at) {
    m_at = at;
    const QString over = m_scene.boxAt(at);
    const QString to = over != m_from && m_scene.boxes().contains(over) ? over : QString();
    if (std::exchange(m_to, to) != to) {
        m_refusal.clear();
        if (!to.isEmpty())
            if (const Result<Project> moved =
                    moveLinkEnd(*m_app.document.project(), s(m_link), s(m_from), s(to));
                !moved)
                m_refusal = messageText(moved.error());
    }
    m_changed();
}

void LinkEndDrag::drop() {
    const QString link = m_link, from = m_from, to = m_to;
    cancel();
    if (!to.isEmpty())
        moveEnd(m_app, link, from, to);
}

void LinkEndDrag::cancel() {
    m_link.clear();
    m_to.clear();
    m_refusal.clear();
    m_changed();
}

QString LinkEndDrag::hint() const {
    if (!isOn())
        return {};
    if (!m_refusal.isEmpty())
        return m_refusal;
    return m_to.isEmpty() ? QCoreApplication::translate(
                                "LinkEndDrag", "Drag the end to another node or switch; Esc leaves it at %1")
                                .arg(m_from)
                          : QCoreApplication::translate("LinkEndDrag", "The link leads from %1 to %2 then")
                                .arg(m_by, m_to);
}

void LinkEndDrag::paint(QPainter& painter) const {
    if (!isOn())
        return;
    const QRectF other = m_scene.boxOf(m_by);
    painter.setPen(QPen(m_refusal.isEmpty() ? theme().accent : theme().err, 2, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(m_to.isEmpty() || m_to == m_by
                             ? routeToPoint(other, m_at)
                             : routeLinks({other, m_scene.boxOf(m_to)}, {{0, 1}}).front());
    const double half = 4.0 / zoom();
    painter.drawRect(QRectF(m_at - QPointF(half, half), QSizeF(2.0 * half, 2.0 * half)));
}

} // namespace pw

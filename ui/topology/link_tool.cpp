// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"
#include "core/edit/edit.h"
#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/theme.h"
#include "ui/commands/app_context.h"
#include "ui/session/document.h"
#include "ui/session/selection.h"
#include "ui/topology/canvas.h"
#include "ui/topology/canvas_edits.h"
#include "ui/topology/geometry.h"
#include "ui/topology/scene.h"
#include "ui/topology/tools.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace pw {

QStringList LinkTool::chosenBoxes() const {
    const QSet<QString>& items = m_canvas.context().selection.items();
    QStringList chosen;
    for (const QString& box : m_canvas.topology().boxes())
        if (items.contains(box))
            chosen << box;
    return chosen;
}

// From a node that is chosen with others all the nodes of them: switches among them are not meant.
void LinkTool::startAt(const QString& box) {
    QStringList chosen = chosenBoxes();
    m_gathered = !box.isEmpty() && !chosen.contains(box) && chosen.size() > 1 ? chosen : QStringList();
    if (m_canvas.topology().nodeItem(box))
        chosen.removeIf([this](const QString& id) { return !m_canvas.topology().nodeItem(id); });
    m_starts = chosen.contains(box) ? chosen : box.isEmpty() ? QStringList() : QStringList(box);
    m_first = box;
}

// A switch gathers all of them; two nodes that are clicked one after the other mean each other.
QStringList LinkTool::startsTo(const QString& end) const {
    if (m_starts.size() == 1 || !m_starts.contains(end))
        return m_starts;
    if (end == m_first || (!m_first.isEmpty() && m_canvas.topology().nodeItem(end)))
        return {m_first};
    QStringList others = m_starts;
    others.removeAll(end);
    return others;
}

bool LinkTool::press(const CanvasPointer& p) {
    if (p.button != Qt::LeftButton)
        return false;
    const QString hit = m_canvas.topology().boxAt(p.scene);
    m_pressView = p.view;
    if (m_starts.isEmpty()) {
        startAt(hit);
        m_at = p.scene;
        judge();
    } else {
        finishAt(hit);
    }
    return true;
}

bool LinkTool::move(const CanvasPointer& p) {
    m_at = p.scene;
    const QString over = m_canvas.topology().boxAt(p.scene);
    const bool still = m_starts.contains(over) && (over == m_first || !isDrag(m_pressView, p.view));
    const QString end = still ? QString() : over;
    if (end != m_end) {
        m_end = end;
        judge();
    }
    m_canvas.viewport()->update();
    return !m_starts.isEmpty();
}

bool LinkTool::release(const CanvasPointer& p) {
    // A drag from one end to the other ends the link where the button is let go.
    const QString over = m_canvas.topology().boxAt(p.scene);
    const QStringList gathered = std::exchange(m_gathered, {});
    if (!m_starts.isEmpty() && isDrag(m_pressView, p.view) && !over.isEmpty() && over != m_first) {
        finishAt(over);
    } else if (!gathered.isEmpty() && over == m_first && !m_canvas.topology().nodeItem(over)) {
        // Several are chosen, and a click on a switch that is none of them gathers them all.
        m_starts = gathered;
        m_first.clear();
        finishAt(over);
    }
    return true;
}

void LinkTool::look(const QString& id) {
    const QRectF box = m_canvas.topology().boxOf(id);
    if (m_starts.isEmpty() || box.isNull())
        return;
    m_at = box.center();
    m_end = startsTo(id).contains(id) ? QString() : id;
    judge();
    m_canvas.viewport()->update();
}

bool LinkTool::take() {
    const QStringList chosen = chosenBoxes();
    if (chosen.isEmpty())
        return false;
    if (m_starts.isEmpty()) {
        m_starts = chosen;
        m_at = m_canvas.topology().boxOf(chosen.front()).center();
        judge();
        m_canvas.viewport()->update();
    } else if (chosen.size() == 1) {
        finishAt(chosen.front());
    }
    return true;
}

void LinkTool::finishAt(const QString& end) {
    m_end = end;
    judge();
    if (!end.isEmpty() && !m_refused && linkItems(m_canvas.context(), startsTo(end), end))
        cancel();
    m_canvas.viewport()->update();
}

// The model decides: the same function makes the links and says what they will be.
void LinkTool::judge() {
    m_heading.clear();
    m_answer.clear();
    m_refused = false;
    if (!m_starts.isEmpty() && !m_end.isEmpty()) {
        const Project& project = *m_canvas.context().document.project();
        const QStringList starts = startsTo(m_end);
        std::vector<std::string> ends;
        for (const QString& start : starts)
            ends.push_back(s(start));
        m_heading =
            QStringLiteral("%1 \u2013 %2")
                .arg(starts.size() == 1 ? starts.front() : TopologyCanvas::tr("%1 items").arg(starts.size()),
                     m_end);
        if (const Result<Project> linked = addLinks(project, ends, s(m_end))) {
            const Link& made = linked->cluster.links.back();
            const Switch* fabric = project.cluster.findSwitch(made.a);
            if (!fabric)
                fabric = project.cluster.findSwitch(made.b);
            const auto links =
                static_cast<qsizetype>(linked->cluster.links.size() - project.cluster.links.size());
            QStringList parts;
            if (starts.size() > 1)
                parts << (links == 1 ? TopologyCanvas::tr("1 link")
                                     : TopologyCanvas::tr("%1 links").arg(links));
            if (fabric)
                parts << q(fabric->medium);
            parts << linkText(made) << q(formatDuration(made.latency));
            if (links < starts.size())
                parts << TopologyCanvas::tr("%1 cannot be linked").arg(starts.size() - links);
            m_answer = parts.join(QStringLiteral(", "));
        } else {
            m_refused = true;
            m_answer = messageText(linked.error());
        }
    }
    m_canvas.announceHint();
}

bool LinkTool::cancel() {
    const bool had = !m_starts.isEmpty();
    m_starts.clear();
    m_gathered.clear();
    m_first.clear();
    m_end.clear();
    judge();
    m_canvas.viewport()->update();
    return had;
}

QString LinkTool::hint() const {
    if (!m_answer.isEmpty())
        return m_heading + QStringLiteral(": ") + m_answer;
    return m_starts.isEmpty()
               ? TopologyCanvas::tr("Link tool: click the first end, or choose it with Tab and press Enter; "
                                    "Esc leaves")
               : TopologyCanvas::tr("Link tool: click the second end, or Tab and Enter; Esc leaves");
}

void LinkTool::paint(QPainter& painter) const {
    const TopologyScene& scene = m_canvas.topology();
    painter.setPen(QPen(m_refused ? theme().err : theme().accent, 2, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    for (const QString& start : m_end.isEmpty() ? m_starts : startsTo(m_end)) {
        const QRectF from = scene.boxOf(start);
        painter.drawPolyline(m_end.isEmpty() || m_end == start
                                 ? routeToPoint(from, m_at)
                                 : routeLinks({from, scene.boxOf(m_end)}, {{0, 1}}).front());
    }
    if (m_answer.isEmpty())
        return;
    painter.save();
    painter.translate(m_at);
    const double unscale = 1.0 / m_canvas.zoom();
    painter.scale(unscale, unscale);
    const QFontMetrics bold(bodyFont(600)), small(smallFont());
    const int width =
        16 + std::min(320, std::max(bold.horizontalAdvance(m_heading), small.horizontalAdvance(m_answer)));
    const QRect lines = small.boundingRect(QRect(0, 0, width - 16, 200), Qt::TextWordWrap, m_answer);
    QRect card(14, 18, width, 26 + lines.height() + 6);
    // Stays within the view at its right and lower edge.
    const QPoint cursor = m_canvas.mapFromScene(m_at);
    if (cursor.x() + card.right() > m_canvas.viewport()->width())
        card.moveRight(-14);
    if (cursor.y() + card.bottom() > m_canvas.viewport()->height())
        card.moveBottom(-14);
    painter.setPen(QPen(m_refused ? theme().err : theme().text3, 1));
    painter.setBrush(m_refused ? theme().errGround : theme().panel);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.drawRoundedRect(QRectF(card).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.setFont(bodyFont(600));
    painter.setPen(theme().text);
    painter.drawText(card.left() + 8, card.top() + 17, m_heading);
    painter.setFont(smallFont());
    painter.setPen(m_refused ? theme().err : theme().text2);
    painter.drawText(QRect(card.left() + 8, card.top() + 23, width - 16, lines.height() + 4),
                     Qt::TextWordWrap, m_answer);
    painter.restore();
}

} // namespace pw

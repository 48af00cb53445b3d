// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/minimap.h"

#include "ui/base/theme.h"
#include "ui/topology/canvas.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace pw {

namespace {
constexpr int kWidth = 184, kHeight = 120, kInset = 6, kAway = 8; // px
} // namespace

Minimap::Minimap(TopologyCanvas& canvas) : QWidget(&canvas), m_canvas(canvas) {
    setObjectName(QStringLiteral("topology.minimap"));
    setAccessibleName(tr("Minimap"));
    setAttribute(Qt::WA_OpaquePaintEvent);
    setCursor(Qt::PointingHandCursor);
    resize(kWidth, kHeight);
    const auto redrawn = [this] {
        m_picture = {};
        follow();
    };
    connect(&canvas, &TopologyCanvas::drawingChanged, this, redrawn);
    connect(&canvas, &TopologyCanvas::visibleChanged, this, &Minimap::follow);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, redrawn);
    follow();
}

void Minimap::setWanted(bool wanted) {
    m_wanted = wanted;
    follow();
}

void Minimap::follow() {
    m_content = m_canvas.topology().content();
    const QRectF seen = m_canvas.visibleScene();
    setVisible(m_wanted && !m_content.isNull() && !seen.contains(m_content.adjusted(20, 20, -20, -20)) &&
               m_canvas.width() > 3 * kWidth && m_canvas.height() > 3 * kHeight);
    move(m_canvas.width() - kWidth - kAway, m_canvas.height() - kHeight - kAway);
    setAccessibleDescription(
        tr("Shows %1 % of the drawing")
            .arg(qRound(100.0 * std::min(1.0, seen.intersected(m_content).width() *
                                                  seen.intersected(m_content).height() /
                                                  std::max(1.0, m_content.width() * m_content.height())))));
    update();
}

QRectF Minimap::map(const QRectF& scene) const {
    const QPointF corner((kWidth - m_content.width() * m_scale) / 2.0,
                         (kHeight - m_content.height() * m_scale) / 2.0);
    return {corner + (scene.topLeft() - m_content.topLeft()) * m_scale, scene.size() * m_scale};
}

// A node is a box in the colours of its stages, so that the picture is the overlay in small.
void Minimap::redraw() {
    const Theme& t = theme();
    m_scale =
        std::min((kWidth - 2.0 * kInset) / m_content.width(), (kHeight - 2.0 * kInset) / m_content.height());
    m_picture = QPixmap(size() * devicePixelRatioF());
    m_picture.setDevicePixelRatio(devicePixelRatioF());
    m_picture.fill(t.panel);
    QPainter painter(&m_picture);
    const TopologyScene& scene = m_canvas.topology();
    for (const NoteLook& note : m_canvas.drawing().notes)
        painter.fillRect(map(note.box), t.warnGround);
    for (const NodeLook& node : m_canvas.drawing().nodes) {
        const QRectF box = map(scene.boxOf(node.id));
        const double width =
            std::max(box.width(), 1.0) / static_cast<double>(std::max<std::size_t>(1, node.tiles.size()));
        for (std::size_t i = 0; i < node.tiles.size(); ++i) {
            const int stage = node.tiles[i].stage;
            painter.fillRect(QRectF(box.left() + width * static_cast<double>(i), box.top(), width,
                                    std::max(box.height(), 1.0)),
                             stage < 0 ? t.text3 : t.stage(stage));
        }
    }
    for (const SwitchLook& item : m_canvas.drawing().switches)
        painter.fillRect(map(scene.boxOf(item.id)).adjusted(0, 0, 1, 1), t.text2);
}

void Minimap::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    if (m_picture.isNull() || m_picture.devicePixelRatio() != devicePixelRatioF())
        redraw();
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_picture);
    painter.setPen(t.line);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    painter.setPen(t.accent);
    painter.drawRect(map(m_canvas.visibleScene().intersected(m_content)).adjusted(-1, -1, 0, 0));
}

void Minimap::centreOn(QPointF at) {
    const QPointF corner = map(m_content).topLeft();
    m_canvas.leaveFit();
    m_canvas.centerOn(m_content.topLeft() + (at - corner) / m_scale);
}

void Minimap::mousePressEvent(QMouseEvent* event) {
    centreOn(event->position());
}

void Minimap::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton)
        centreOn(event->position());
}

} // namespace pw

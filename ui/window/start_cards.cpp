// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/start_cards.h"

#include "core/partition/block_ways.h"
#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme.h"
#include "ui/topology/geometry.h"

#include <QDir>
#include <QFileInfo>
#include <QHash>
#include <QKeyEvent>
#include <QLocale>
#include <QPainter>
#include <QScrollArea>
#include <QTransform>

#include <algorithm>
#include <cstdlib>

namespace pw {

namespace {

constexpr double kLargest = 0.3; // scale of a drawing of few nodes
constexpr int kGlyphMargin = 12;

// The nearest one in that direction; what lies aside counts more than what is far. Null: none is there.
CardButton* nextCard(const CardButton& from, QPoint way) {
    constexpr int kAside = 3;
    const QPoint here = from.mapToGlobal(from.rect().center());
    CardButton* next = nullptr;
    int least = 0;
    for (CardButton* card : from.window()->findChildren<CardButton*>()) {
        const QPoint there = card->mapToGlobal(card->rect().center()) - here;
        const int along = QPoint::dotProduct(there, way),
                  aside = std::abs(there.x() * way.y() - there.y() * way.x());
        const int reach = (way.x() != 0 ? card->width() + from.width() : card->height() + from.height()) / 2;
        if (!card->isVisible() || !card->isEnabled() || 2 * along < reach) // beside it or behind
            continue;
        if (const int far = along + kAside * aside; !next || far < least) {
            next = card;
            least = far;
        }
    }
    return next;
}

} // namespace

CardButton::CardButton(QWidget* parent) : QAbstractButton(parent) {
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, qOverload<>(&QWidget::update));
}

bool CardButton::lit() const {
    return underMouse() || hasFocus();
}

QPen CardButton::outline() const {
    const Theme& t = theme();
    return hasFocus() ? QPen(t.accent, 2) : QPen(underMouse() ? t.text2 : t.line, 1);
}

void CardButton::enterEvent(QEnterEvent*) {
    update();
}

void CardButton::leaveEvent(QEvent*) {
    update();
}

void CardButton::keyPressEvent(QKeyEvent* event) {
    const QPoint way = event->key() == Qt::Key_Left    ? QPoint(-1, 0)
                       : event->key() == Qt::Key_Right ? QPoint(1, 0)
                       : event->key() == Qt::Key_Up    ? QPoint(0, -1)
                       : event->key() == Qt::Key_Down  ? QPoint(0, 1)
                                                       : QPoint();
    if (way.isNull())
        return QAbstractButton::keyPressEvent(event);
    if (CardButton* next = nextCard(*this, way)) {
        next->setFocus(Qt::TabFocusReason);
        for (QWidget* up = next->parentWidget(); up; up = up->parentWidget())
            if (auto* area = qobject_cast<QScrollArea*>(up))
                area->ensureWidgetVisible(next);
    }
}

void CardButton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintContent(painter);
}

ActionCard::ActionCard(const QString& iconName, const QString& title, const QString& text, const QString& key)
    : m_icon(iconName), m_text(text), m_key(key) {
    setText(title);
    setAccessibleName(title);
    setAccessibleDescription(text);
}

void ActionCard::paintContent(QPainter& painter) {
    const Theme& t = theme();
    painter.setPen(outline());
    painter.setBrush(t.button);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    pw::icon(m_icon, lit() ? IconTone::Accent : IconTone::Text)
        .paint(&painter, QRect(16, height() / 2 - 10, 20, 20));
    painter.setPen(t.text);
    painter.setFont(bodyFont(QFont::Medium));
    painter.drawText(QRect(52, 8, width() - 110, 18), Qt::AlignVCenter, text());
    painter.setPen(t.text2);
    painter.setFont(smallFont());
    painter.drawText(QRect(52, 26, width() - 66, 16), Qt::AlignVCenter, m_text);
    painter.drawText(rect().adjusted(0, 0, -14, 0), Qt::AlignVCenter | Qt::AlignRight, m_key);
}

RecentCard::RecentCard(const QString& path) : m_path(path), m_missing(!QFileInfo::exists(path)) {
    setText(QFileInfo(path).completeBaseName());
    setAccessibleName(text());
    setAccessibleDescription(path);
    setToolTip(path);
}

void RecentCard::paintContent(QPainter& painter) {
    const Theme& t = theme();
    if (lit()) {
        painter.setPen(hasFocus() ? outline() : QPen(Qt::NoPen));
        painter.setBrush(t.accentGround);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 3, 3);
    }
    QString folder = m_path;
    if (folder.startsWith(QDir::homePath()))
        folder.replace(0, QDir::homePath().size(), QStringLiteral("~"));
    painter.setFont(bodyFont(QFont::Medium));
    painter.setPen(m_missing ? t.text2 : t.text);
    const QRect top(8, 5, width() - 16, 16), bottom(8, 23, width() - 16, 16);
    painter.drawText(top, Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(text(), Qt::ElideMiddle, top.width() - 90));
    painter.setFont(smallFont());
    painter.setPen(t.text2);
    painter.drawText(
        bottom, Qt::AlignVCenter,
        painter.fontMetrics().elidedText(folder, Qt::ElideMiddle, bottom.width() - (m_missing ? 90 : 0)));
    if (!m_missing)
        painter.drawText(
            top, Qt::AlignVCenter | Qt::AlignRight,
            QLocale().toString(QFileInfo(m_path).lastModified().date(), QStringLiteral("d MMMM")));
    painter.setPen(t.err);
    if (m_missing)
        painter.drawText(bottom, Qt::AlignVCenter | Qt::AlignRight, tr("file not found"));
}

SampleCard::SampleCard(const QString& title, const QString& help, const Project& project)
    : m_model(project.model ? q(project.model->name) : QString()), m_gpus(project.cluster.gpuCount()),
      m_measured(!project.profiles.empty()) {
    setText(title);
    setAccessibleName(title);
    setToolTip(help);
    addGlyph(project.cluster);
    setAccessibleDescription(
        m_model.isEmpty()
            ? tr("%1 GPUs: %2. %3.").arg(countText(m_gpus), kindsText(), help)
            : tr("%1 GPUs: %2; %3, %4").arg(countText(m_gpus), kindsText(), m_model, basisText()));
}

QString SampleCard::kindsText() const {
    QStringList kinds;
    for (const Group& group : m_groups)
        kinds.append(QStringLiteral("%1 %2").arg(countText(group.gpus), group.kind));
    return kinds.join(QStringLiteral(", "));
}

QString SampleCard::basisText() const {
    return m_measured ? tr("measured profiles") : tr("\u2234 estimates");
}

void SampleCard::addGlyph(const Cluster& cluster) {
    QHash<QString, std::size_t> places;
    std::vector<QRectF> boxes;
    const auto add = [&](const std::string& id, Point at, QSizeF size, int group, int gpus) {
        places.insert(q(id), boxes.size());
        boxes.emplace_back(QPointF(at.x, at.y), size);
        m_boxes.push_back({boxes.back(), group, gpus});
        m_drawn |= boxes.back();
    };
    for (const Node& node : cluster.nodes) {
        const DeviceKind* kind = findKind(cluster, node.kind);
        const QString name = q(kind ? kind->shortName : node.kind);
        auto group =
            std::find_if(m_groups.begin(), m_groups.end(), [&](const Group& g) { return g.kind == name; });
        if (group == m_groups.end())
            group = m_groups.insert(m_groups.end(), Group{name, 0});
        group->gpus += node.gpus;
        add(node.id, node.at, nodeSize(node.gpus), static_cast<int>(group - m_groups.begin()), node.gpus);
    }
    for (const Switch& item : cluster.switches)
        add(item.id, item.at, kSwitchSize, -1, 0);
    std::vector<LinkEnds> links;
    links.reserve(cluster.links.size());
    for (const Link& link : cluster.links)
        links.push_back({places.value(q(link.a)), places.value(q(link.b)),
                         !cluster.node(link.a) && !cluster.node(link.b)});
    m_links = routeLinks(boxes, links);
}

void SampleCard::paintGlyph(QPainter& painter, const QRect& ground) const {
    const Theme& t = theme();
    painter.setPen(Qt::NoPen);
    painter.setBrush(t.canvas);
    painter.drawRect(ground);
    if (m_boxes.empty())
        return;
    painter.save();
    painter.setClipRect(ground);
    const QRect room = ground.adjusted(kGlyphMargin, kGlyphMargin, -kGlyphMargin, -kGlyphMargin);
    const double scale =
        std::min({room.width() / m_drawn.width(), room.height() / m_drawn.height(), kLargest});
    const QPointF corner = QRectF(room).center() - scale * m_drawn.center();
    const QTransform placed(scale, 0, 0, scale, corner.x(), corner.y());
    painter.setPen(t.text3);
    for (const QPolygonF& link : m_links)
        painter.drawPolyline(placed.map(link));
    const QColor shades[] = {t.text2, t.text3, t.line};
    for (const Box& box : m_boxes) {
        painter.setBrush(t.panel);
        painter.drawRect(placed.mapRect(box.at));
        for (int slot = 0; slot < box.gpus; ++slot)
            painter.fillRect(placed.mapRect(tileRect(slot).translated(box.at.topLeft())),
                             shades[static_cast<std::size_t>(std::min(box.group, 2))]);
    }
    painter.restore();
}

void SampleCard::paintContent(QPainter& painter) {
    const Theme& t = theme();
    painter.setPen(Qt::NoPen);
    painter.setBrush(t.panel);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    const QRect ground(2, 2, width() - 4, 102);
    paintGlyph(painter, ground);
    painter.fillRect(ground.left(), ground.bottom() + 1, ground.width(), 1, t.line);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(outline());
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);

    const int left = 14, wide = width() - 28;
    const auto line = [&](int y, const QFont& font, const QColor& color, const QString& text) {
        painter.setFont(font);
        painter.setPen(color);
        painter.drawText(QRect(left, y, wide, 18), Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(text, Qt::ElideRight, wide));
    };
    line(116, headingFont(), t.text, text());
    const int below = m_model.isEmpty() ? 138 : 158;
    if (!m_model.isEmpty())
        line(138, bodyFont(), t.text, m_model);
    line(below, smallFont(), t.text2, kindsText());
    line(below + 22, bodyFont(QFont::Medium), t.text, tr("%1 GPUs").arg(countText(m_gpus)));
    if (m_model.isEmpty())
        return;
    const QString tag = basisText();
    painter.setFont(smallFont());
    const QRect badge(left, 204, painter.fontMetrics().horizontalAdvance(tag) + 12, 18);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_measured ? t.okGround : t.head);
    painter.drawRoundedRect(badge, 3, 3);
    painter.setPen(m_measured ? t.ok : t.text2);
    painter.drawText(badge, Qt::AlignCenter, tag);
}

} // namespace pw

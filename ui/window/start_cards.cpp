// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/start_cards.h"

#include "core/partition/block_ways.h"
#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme.h"

#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QPainter>

#include <algorithm>

namespace pw {

CardButton::CardButton(QWidget* parent) : QAbstractButton(parent) {
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, qOverload<>(&QWidget::update));
}

bool CardButton::lit() const {
    return underMouse() || hasFocus();
}

void CardButton::enterEvent(QEnterEvent*) {
    update();
}

void CardButton::leaveEvent(QEvent*) {
    update();
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
    painter.setPen(QPen(lit() ? t.accent : t.line, lit() ? 2 : 1));
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
        painter.setPen(Qt::NoPen);
        painter.setBrush(t.accentGround);
        painter.drawRoundedRect(rect(), 3, 3);
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
    setAccessibleDescription(help);
    setToolTip(help);
    for (const Node& node : project.cluster.nodes) {
        const DeviceKind* kind = findKind(project.cluster, node.kind);
        const QString name = q(kind ? kind->shortName : node.kind);
        auto at =
            std::find_if(m_groups.begin(), m_groups.end(), [&](const Group& g) { return g.kind == name; });
        if (at == m_groups.end())
            at = m_groups.insert(m_groups.end(), Group{name, 0, 0});
        ++at->nodes;
        at->gpus += node.gpus;
    }
}

void SampleCard::paintGlyph(QPainter& painter, const QRect& ground) const {
    const Theme& t = theme();
    painter.setPen(Qt::NoPen);
    painter.setBrush(t.canvas);
    painter.drawRect(ground);
    painter.setRenderHint(QPainter::Antialiasing, false);
    const int groups = std::max(1, static_cast<int>(m_groups.size()));
    const QColor shades[] = {t.text2, t.text3, t.line};
    const int cell = ground.width() / groups;
    const QRect hub(ground.center().x() - 16, ground.bottom() - 22, 32, 10);
    for (int i = 0; i < static_cast<int>(m_groups.size()); ++i) {
        const Group& group = m_groups[static_cast<std::size_t>(i)];
        const int rows = group.gpus > 256 ? 5 : group.gpus > 32 ? 4 : group.gpus > 8 ? 3 : 2;
        const int columns = std::min(rows + 2, (cell - 16) / 8);
        const QRect box(ground.left() + cell * i + (cell - columns * 8 - 5) / 2, ground.top() + 12,
                        columns * 8 + 5, rows * 8 + 5);
        painter.setPen(t.text3);
        painter.setBrush(Qt::NoBrush);
        painter.drawLine(box.center().x(), box.bottom(), box.center().x(), hub.center().y());
        painter.drawLine(box.center().x(), hub.center().y(), hub.center().x(), hub.center().y());
        painter.setBrush(t.panel);
        painter.drawRect(box);
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column)
                painter.fillRect(box.left() + 3 + column * 8, box.top() + 3 + row * 8, 6, 6,
                                 shades[static_cast<std::size_t>(std::min(i, 2))]);
    }
    painter.setBrush(t.panel);
    painter.setPen(t.text3);
    painter.drawRect(hub);
    painter.setRenderHint(QPainter::Antialiasing);
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
    painter.setPen(QPen(lit() ? t.accent : t.line, lit() ? 2 : 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);

    QStringList kinds;
    for (const Group& group : m_groups)
        kinds.append(QStringLiteral("%1 %2").arg(countText(group.gpus), group.kind));
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
    line(below, smallFont(), t.text2, kinds.join(QStringLiteral(", ")));
    line(below + 22, bodyFont(QFont::Medium), t.text, tr("%1 GPUs").arg(countText(m_gpus)));
    if (m_model.isEmpty())
        return;
    const QString tag = m_measured ? tr("measured profiles") : tr("\u2234 estimates");
    painter.setFont(smallFont());
    const QRect badge(left, 204, painter.fontMetrics().horizontalAdvance(tag) + 12, 18);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_measured ? t.okGround : t.head);
    painter.drawRoundedRect(badge, 3, 3);
    painter.setPen(m_measured ? t.ok : t.text2);
    painter.drawText(badge, Qt::AlignCenter, tag);
}

} // namespace pw

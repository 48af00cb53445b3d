// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/details/property_list.h"

#include "ui/base/theme.h"
#include "ui/widgets/elided_label.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>

#include <algorithm>

namespace pw {

namespace {

constexpr int kPropertyRow = 20, kNameColumn = 92;
constexpr int kKeptValue = 150; // of a value; what stands behind it gives way first

ElidedLabel* text(const QString& words, const QColor& colour) {
    auto* label = new ElidedLabel(words);
    label->setFont(bodyFont());
    QPalette palette = label->palette();
    palette.setColor(QPalette::WindowText, colour);
    label->setPalette(palette);
    label->setFixedHeight(kPropertyRow);
    return label;
}

QLabel* link(const Property& property, const QColor& colour) {
    auto* label = new QLabel(QStringLiteral("<a href=\"%1\" style=\"color:%2\">%3</a>")
                                 .arg(property.link, colour.name(), property.value.toHtmlEscaped()));
    label->setFont(bodyFont());
    label->setTextFormat(Qt::RichText);
    label->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    label->setObjectName(QStringLiteral("link.") + property.link);
    label->setFixedHeight(kPropertyRow);
    return label;
}

} // namespace

PropertyList::PropertyList(QWidget* parent) : QWidget(parent), m_grid(new QGridLayout(this)) {
    m_grid->setContentsMargins(10, 4, 10, 6);
    m_grid->setHorizontalSpacing(0);
    m_grid->setVerticalSpacing(0);
    m_grid->setColumnMinimumWidth(0, kNameColumn);
    m_grid->setColumnStretch(1, 1);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, &PropertyList::rebuild);
}

void PropertyList::setProperties(std::vector<Property> properties) {
    m_properties = std::move(properties);
    rebuild();
}

void PropertyList::setStale(bool stale) {
    m_stale = stale;
}

void PropertyList::rebuild() {
    const Theme& t = theme();
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    int row = 0;
    for (const Property& property : m_properties) {
        QLabel* name = text(property.name, t.text2);
        m_grid->addWidget(name, row, 0);
        auto* cell = new QWidget;
        auto* line = new QHBoxLayout(cell);
        line->setContentsMargins(0, 0, 0, 0);
        line->setSpacing(6);
        const QColor& colour = m_stale ? t.text2 : property.warns ? t.warn : t.text;
        QLabel* value = property.link.isEmpty() ? text(property.value, colour) : link(property, t.accent);
        value->setAccessibleName(property.name + QStringLiteral(": ") + property.value);
        if (!property.link.isEmpty())
            connect(value, &QLabel::linkActivated, this, &PropertyList::linkActivated, Qt::QueuedConnection);
        else
            value->setToolTip(property.value);
        value->setMinimumWidth(std::min(value->sizeHint().width(), kKeptValue));
        line->addWidget(value);
        if (!property.note.isEmpty())
            line->addWidget(text(property.note, t.text2));
        if (!property.badge.isEmpty()) {
            auto* badge = new QLabel(property.badge);
            badge->setFont(smallFont());
            badge->setStyleSheet(QStringLiteral("background:%1;color:%2;border-radius:3px;padding:0 5px;")
                                     .arg(t.title.name(), t.text2.name()));
            badge->setFixedHeight(16);
            line->addWidget(badge);
        }
        line->addStretch(1);
        m_grid->addWidget(cell, row, 1);
        ++row;
    }
}

} // namespace pw

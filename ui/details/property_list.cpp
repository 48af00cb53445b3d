// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/details/property_list.h"

#include "ui/base/theme.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>

namespace pw {

namespace {

constexpr int kRow = 20, kNameColumn = 92;

QLabel* text(const QString& words, const QColor& colour) {
    auto* label = new QLabel(words);
    label->setFont(bodyFont());
    label->setTextFormat(Qt::PlainText);
    QPalette palette = label->palette();
    palette.setColor(QPalette::WindowText, colour);
    label->setPalette(palette);
    label->setFixedHeight(kRow);
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
        QLabel* value = text(property.value, property.warns ? t.warn : t.text);
        value->setAccessibleName(property.name + QStringLiteral(": ") + property.value);
        value->setToolTip(property.value);
        if (!property.link.isEmpty()) {
            value->setTextFormat(Qt::RichText);
            value->setText(QStringLiteral("<a href=\"%1\" style=\"color:%2\">%3</a>")
                               .arg(property.link, t.accent.name(), property.value.toHtmlEscaped()));
            value->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
            value->setObjectName(QStringLiteral("link.") + property.link);
            value->setToolTip({});
            connect(value, &QLabel::linkActivated, this, &PropertyList::linkActivated, Qt::QueuedConnection);
        }
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

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/base/theme.h"
#include "ui/widgets/value_field.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QGridLayout>
#include <QLabel>
#include <QWidget>

#include <map>

namespace pw {

inline constexpr int kPropertyLabelWidth = 88; // the longest label, so that all fields stand in one line

// A page of the property panel: captions in a column, fields beside them.
struct PropertyForm {
    QWidget* page;
    QGridLayout* grid;

    PropertyForm() : page(new QWidget), grid(new QGridLayout(page)) {
        grid->setContentsMargins(10, 8, 10, 8);
        grid->setHorizontalSpacing(8);
        grid->setVerticalSpacing(8);
        grid->setColumnMinimumWidth(0, kPropertyLabelWidth);
        grid->setColumnStretch(1, 1);
    }
    template <class Field>
    Field* add(const QString& label, Field* field) {
        auto* text = new QLabel(label, page);
        text->setForegroundRole(QPalette::PlaceholderText);
        text->setBuddy(field);
        text->setMinimumHeight(24);
        const int row = grid->rowCount();
        grid->addWidget(text, row, 0, Qt::AlignTop);
        grid->addWidget(field, row, 1);
        return field;
    }
    QWidget* finish() {
        grid->setRowStretch(grid->rowCount(), 1);
        return page;
    }
};

// What a page says beside its fields, of names that users give.
inline QLabel* propertyNote(const QString& name) {
    auto* note = new QLabel;
    note->setObjectName(name);
    note->setTextFormat(Qt::PlainText);
    note->setFont(smallFont());
    note->setWordWrap(true);
    note->setMinimumHeight(24);
    return note;
}

// One value in a list, or how many there are; which, its tool tip says. `values`: how many items have each.
inline void showValues(QComboBox& list, const std::map<QString, std::size_t>& values) {
    const bool same = values.size() == 1;
    list.setCurrentIndex(same ? list.findText(values.begin()->first) : -1);
    list.setPlaceholderText(
        same ? values.begin()->first
             : QCoreApplication::translate("pw::PropertyPanel", "%1 values").arg(values.size()));
    list.setToolTip(same ? QString() : valuesText({values.begin(), values.end()}));
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGridLayout>
#include <QLabel>
#include <QWidget>

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

} // namespace pw

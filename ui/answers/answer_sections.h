// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/answer_tables.h"

#include <QPointer>
#include <QScrollArea>

#include <vector>

class QTableWidget;

namespace pw {

class Commands;

// What an answer says first, for whoever hears it: its first line, and the first row with the headings.
QString firstResult(const std::vector<AnswerTable>& tables);

// Answers below each other: sentences, and tables as high as their rows. All of it can be selected and
// copied. A double click or Enter on a row that names a plan opens that, and so does its menu.
class AnswerSections : public QScrollArea {
    Q_OBJECT

public:
    explicit AnswerSections(const Commands& commands, QWidget* parent = nullptr);
    void setTables(const std::vector<AnswerTable>& tables);
    void focusAnswer(); // its first row, or the words where it has no rows

Q_SIGNALS:
    void planActivated(const QString& name);

private:
    void offerMenu(QTableWidget* table, int plan);
    void follow(const QTableWidget& table); // its current row comes into view

    const Commands& m_commands;
    QPointer<QTableWidget> m_first; // table; null: words alone
};

} // namespace pw

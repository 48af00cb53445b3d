// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/answer_tables.h"

#include <QScrollArea>

#include <vector>

class QTableWidget;

namespace pw {

class Commands;

// Answers below each other: sentences, and tables as high as their rows. All of it can be selected and
// copied. A double click or Enter on a row that names a plan opens that, and so does its menu.
class AnswerSections : public QScrollArea {
    Q_OBJECT

public:
    explicit AnswerSections(const Commands& commands, QWidget* parent = nullptr);
    void setTables(const std::vector<AnswerTable>& tables);

Q_SIGNALS:
    void planActivated(const QString& name);

private:
    void offerMenu(QTableWidget* table, int plan);

    const Commands& m_commands;
};

} // namespace pw

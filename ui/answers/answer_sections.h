// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/answer_tables.h"

#include <QScrollArea>

#include <vector>

namespace pw {

// Answers below each other: sentences, and tables as high as their rows. All of it can be selected and
// copied. A double click or Enter on a row that names a plan opens that.
class AnswerSections : public QScrollArea {
    Q_OBJECT

public:
    explicit AnswerSections(QWidget* parent = nullptr);
    void setTables(const std::vector<AnswerTable>& tables);

Q_SIGNALS:
    void planActivated(const QString& name);
};

} // namespace pw

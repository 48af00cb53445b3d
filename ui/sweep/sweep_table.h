// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/app_context.h"

#include <QTableView>

namespace pw {

class SweepStudy;
class SweepTableModel;

// A table of tasks whose current row is the chosen task; a double click opens its plan.
class SweepTable : public QTableView {
    Q_OBJECT

public:
    explicit SweepTable(AppContext& context, QWidget* parent = nullptr);
    SweepTableModel* tasks() const { return m_model; }

private:
    void showChosen();
    void sizeColumns();

    SweepStudy& m_study;
    SweepTableModel* m_model;
    int m_sized = 0; // columns that have their widths
};

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/app_context.h"
#include "ui/session/view.h"

namespace pw {

class SweepStudy;
class SweepTable;

// All tasks of the sweep, a row each.
class SweepResultsView : public View {
    Q_OBJECT

public:
    explicit SweepResultsView(AppContext& context, QWidget* parent = nullptr);
    SweepTable* table() const { return m_table; }

private:
    SweepStudy& m_study;
    SweepTable* m_table;
};

} // namespace pw

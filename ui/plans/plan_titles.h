// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace pw {

// What stands above the columns of the table of plans, and what it means. Both are empty where there is
// nothing to say.

QString columnTitle(int column); // a PlanTableModel::Column
QString columnHelp(int column);

} // namespace pw

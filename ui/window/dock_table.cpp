// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dock_table.h"

namespace pw {

const std::vector<DockRow>& dockTable() {
    static const std::vector<DockRow> rows = {};
    return rows;
}

} // namespace pw

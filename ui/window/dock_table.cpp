// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dock_table.h"

#include "ui/plans/plans_view.h"
#include "ui/search/search_panel.h"

namespace pw {

namespace {

template <class T>
QWidget* make(AppContext& context) {
    return new T(context);
}

} // namespace

const std::vector<DockRow>& dockTable() {
    static const std::vector<DockRow> rows = {
        {"search", "Search", Qt::LeftDockWidgetArea, 536, "", make<SearchPanel>},
        {"plans", "Plans", Qt::BottomDockWidgetArea, 256, "", make<PlansView>},
    };
    return rows;
}

} // namespace pw

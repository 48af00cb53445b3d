// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/quick_open.h"
#include "ui/session/app_context.h"

class QDockWidget;

namespace pw {

// What the locator finds: nodes, GPUs, switches and links of the drawing, stages of the current plan, plans
// and docks. Taking one selects it, so that every view follows.
std::vector<QuickOpen::Entry> placeEntries(const AppContext& context, const QList<QDockWidget*>& docks);

} // namespace pw

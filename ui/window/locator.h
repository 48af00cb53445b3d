// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/app_context.h"
#include "ui/commands/quick_open.h"

namespace pw {

class DockArea;

// What the locator finds: nodes, GPUs, switches and links of the drawing, stages of the current plan, plans,
// and of the page in view (none on the start page) the docks and the fields of the training form. Taking one
// selects it, so that every view follows.
std::vector<QuickOpen::Entry> placeEntries(const AppContext& context, DockArea* page);

} // namespace pw

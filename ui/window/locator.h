// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/app_context.h"
#include "ui/commands/quick_open.h"

namespace pw {

class DockArea;

// What the locator finds: nodes, GPUs, switches and links of the drawing, stages of the current plan, plans,
// and of the page in view (none on the start page) the docks, the fields of the training form, what the
// palette draws and the models that ship. Taking one selects it, so that every view follows; or draws or
// chooses it.
std::vector<QuickOpen::Entry> placeEntries(const AppContext& context, DockArea* page);

} // namespace pw

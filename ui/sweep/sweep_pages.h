// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/app_context.h"
#include "ui/session/view.h"

namespace pw {

// What the views of the sweep layout share: tools over the content while a sweep is open, else what is
// missing and, where it `offers` that, how it is opened. `tools` may be null.
void buildSweepPages(View& view, AppContext& context, QWidget* content, QWidget* tools, bool offers);

} // namespace pw

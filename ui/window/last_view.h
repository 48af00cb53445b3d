// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "ui/commands/app_context.h"

#include <QString>

namespace pw {

// What was selected when a project was saved or closed: plan, stage, device. Kept in the state folder, since
// it is nobody's edit and no colleague's business. A plan that the project does not keep goes along as its
// entry, so that the eye finds it again without a search.
Status keepView(const AppContext& context);  // nothing for a project without a file
void restoreView(const AppContext& context); // after a project was opened, if it asks the same question still
// Puts the plan of that name in view, if the present question has one.
void showPlan(const AppContext& context, const QString& name);

} // namespace pw

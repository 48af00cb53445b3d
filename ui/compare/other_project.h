// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "ui/commands/app_context.h"

#include <QString>

#include <vector>

namespace pw {

// Adds the plans that another project file keeps to the candidates, as "1 of other.pwx", each under the
// question of its own project; what sets the questions apart stands above the comparison. Returns their ids,
// best first. Refused: a file that is no project or asks no question, and one that keeps no plan of it.
Result<std::vector<int>> addPlansOf(AppContext& context, const QString& file);

} // namespace pw

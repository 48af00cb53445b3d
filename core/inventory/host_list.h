// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw {

// Slurm's host lists: "a[0-2,5]-b,c" is a0-b, a1-b, a2-b, a5-b and c; several brackets multiply; [08-11]
// keeps its zeros. The number of names is computed before any is made, 65,536 at most; a range that runs
// backwards is refused. Errors have no place: the caller knows it.
Result<std::vector<std::string>> expandHostList(std::string_view text);

} // namespace pw

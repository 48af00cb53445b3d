// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace pw {

inline constexpr std::string_view kUnsupported = "runs.unsupported";

// A run that cannot be predicted for what one of its fields says; `where` is the column's name.
inline Error unsupported(std::string field, Wording wording) {
    return infeasible(std::string(kUnsupported), std::move(field), std::move(wording));
}

} // namespace pw

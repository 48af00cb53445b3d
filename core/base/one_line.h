// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

namespace pw {

// "message; where: reason; reason": an error for a cell or a line, whose place is said beside it.
inline std::string inOneLine(const Error& error) {
    std::string line = error.message;
    for (const Error& reason : error.reasons)
        line += "; " + reason.text();
    return line;
}

} // namespace pw

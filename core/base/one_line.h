// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

namespace pw {

// "message; where: reason; reason": an error for a cell or a line, whose place is said beside it.
inline Wording oneLine(const Error& error) {
    Wording line = error;
    for (const Error& reason : error.reasons)
        line = {"{line}; {reason}", {{"line", line}, {"reason", reason.asWording()}}};
    return line;
}
inline std::string inOneLine(const Error& error) {
    return oneLine(error).message;
}

} // namespace pw

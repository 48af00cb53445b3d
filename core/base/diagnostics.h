// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace pw {

enum class Severity { Note, Warning, Error };

// One finding about an input: where it is, what is wrong, the offending value and the limit it breaks (both
// may be empty). Views jump to `where`: an item id ("n4", "n1-s1"), or a field name ("model.gbs").
struct Diagnostic {
    Severity severity = Severity::Error;
    std::string code;
    std::string where;
    std::string message;
    std::string value;
    std::string limit;
};

using Diagnostics = std::vector<Diagnostic>;

inline bool hasErrors(const Diagnostics& list) {
    for (const Diagnostic& d : list)
        if (d.severity == Severity::Error)
            return true;
    return false;
}

} // namespace pw

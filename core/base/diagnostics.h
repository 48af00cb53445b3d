// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <iterator>
#include <string>
#include <vector>

namespace pw {

enum class Severity { Note, Warning, Error };

inline const char* name(Severity severity) { // "note", "warning", "error": files and tables
    switch (severity) {
    case Severity::Note:
        return "note";
    case Severity::Warning:
        return "warning";
    case Severity::Error:
        return "error";
    }
    return "";
}

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

inline void append(Diagnostics& list, Diagnostics more) {
    list.insert(list.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

inline bool hasErrors(const Diagnostics& list) {
    for (const Diagnostic& d : list)
        if (d.severity == Severity::Error)
            return true;
    return false;
}

// The errors of the list as one bad input, places and all, or Ok if there is none. `prefix` goes before each
// place
// ("file.json#/recipe/" makes "gbs" a JSON pointer).
inline Status statusOf(const Diagnostics& list, const std::string& prefix = {}) {
    Error error{ErrorKind::BadInput, {}, {}, {}, {}};
    for (const Diagnostic& d : list) {
        if (d.severity != Severity::Error)
            continue;
        Error one = badInput(d.code, prefix + d.where, d.message);
        if (error.code.empty())
            error = std::move(one);
        else
            error.reasons.push_back(one.text());
    }
    if (error.code.empty())
        return Ok{};
    return error;
}

} // namespace pw

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

// One finding about an input. Views jump to `where`: an item id ("n4", "n1-s1"), or a field ("model.gbs").
// Tables and documents have the parameters "value", the offending one, and "limit", what it should be, in
// columns of their own.
struct Diagnostic : Remark {
    Severity severity = Severity::Error;

    Diagnostic(Severity severity_, Remark remark) : Remark(std::move(remark)), severity(severity_) {}
    Diagnostic(Severity severity_, std::string code_, std::string where_, Wording wording)
        : Remark(std::move(code_), std::move(where_), std::move(wording)), severity(severity_) {}
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

// An error and its reasons, each with its own place.
inline Diagnostics diagnosticsOf(const Error& error) {
    Diagnostics list{{Severity::Error, error}};
    for (const Error& reason : error.reasons)
        list.push_back({Severity::Error, reason});
    return list;
}

// The errors of the list as one bad input, places and all, or Ok if there is none. `prefix` goes before each
// place ("file.json#/recipe/" makes "gbs" a JSON pointer).
inline Status statusOf(const Diagnostics& list, const std::string& prefix = {}) {
    std::vector<Error> errors;
    for (const Diagnostic& d : list)
        if (d.severity == Severity::Error)
            errors.push_back(badInput(d.code, prefix + d.where, d));
    return statusOf(std::move(errors));
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/exchange/exports/export.h"

#include <nlohmann/json.hpp>

#include <QtGlobal>

#include <string>

namespace pw {

// What an export would write under that name; empty if nothing.
inline std::string fileOf(const ExportResult& result, const std::string& name) {
    for (const ExportFile& file : result.files)
        if (file.name == name)
            return file.text;
    return {};
}

inline Json jsonOf(const ExportResult& result, const std::string& name) {
    const auto document = parseJson(fileOf(result, name), name);
    return document ? *document : Json();
}

// All that is exported of a plan without its evaluation; refusals are told.
inline ExportResult exportedAs(const char* format, const Problem& problem, const Plan& plan) {
    const ExportResult made = makeExport(*exporterRow(format), {problem, {}, plan, {}});
    for (const Refusal& r : made.refusals)
        qWarning("%s %s", r.code.c_str(), reasonOf(r).text().c_str());
    return made;
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include "core/base/diagnostics.h"
#include "core/model/model.h"
#include "core/profile/profile.h"

#include <optional>
#include <string>
#include <vector>

namespace pw::cli {

// Arguments of `import` and `profiles import`.
struct ImportFlags {
    std::vector<std::string> arguments; // [KIND] FILE…
    std::string model, modelName, device;

    void addTo(CLI::App& sub);
};

// What the files gave: one model, or the measured rows of all of them.
struct ImportedFiles {
    std::optional<Model> model;
    std::vector<ProfileRow> rows;
    std::vector<std::string> kinds, files, summaries; // one a file
    Diagnostics notes;

    Json document() const;
    std::string text() const;
};

// Reads every file or none. KIND is taken as such when it names an importer and a file follows.
Result<ImportedFiles> importFiles(const Session& session, const ImportFlags& flags);

} // namespace pw::cli

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

namespace pw::cli {

// Pages of the manual that the program writes from its own tables, so that no row of them is typed twice:
// resources/manual/generated. One row a page.
struct ManualTable {
    const char* name; // "formats": formats.md
    const char* what;
    Result<std::string> (*page)(const Session& session, const CLI::App& app);
    bool slow = false; // minutes: written only when asked for by name
};
const std::vector<ManualTable>& manualTables();

// What stands at the top of a generated page.
std::string pageHead(const std::string& title, const std::string& name, const std::string& text);

// The pages that take more than a table: how predictions compare with published runs.
Result<std::string> accuracyPage(const Session& session, const CLI::App& app);
Result<std::string> generalityPage(const Session& session, const CLI::App& app);
Result<std::string> termsPage(const Session& session, const CLI::App& app);
// What papers have published, and what is predicted for it.
Result<std::string> publishedPage(const Session& session, const CLI::App& app);
// The samples' plans and the trainers that take them.
Result<std::string> trainersPage(const Session& session, const CLI::App& app);

} // namespace pw::cli

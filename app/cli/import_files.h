// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/problem_flags.h"

#include "core/exchange/imports/import.h"
#include "core/inventory/inventory_cluster.h"

#include <string>
#include <vector>

namespace pw::cli {

// Arguments of `import` and `profiles import`.
struct ImportFlags {
    std::vector<std::string> arguments; // [KIND] FILE…
    std::string modelName, device, vocabulary, ranks, collective;
    // What files about machines leave open; `import` only.
    std::string memory, gpus, bandwidth, trunk, latency, medium;
    std::string to;       // items of --cluster that timed links are about; `import` only
    ProblemFlags problem; // for a trainer's plan and timed links; `import` only

    void addTo(CLI::App& sub);
    void addAnswersTo(CLI::App& sub);
    Result<ClusterAnswers> answers() const;
    bool answersAnything() const;
};

// What the files gave, all together.
struct ImportedFiles {
    Imported all;
    std::vector<std::string> kinds, files, summaries; // one a file
    std::vector<std::string> parked;                  // own files of rows, which may be too long to hold

    const Model* model() const { return std::get_if<Model>(&all.what); }
    const std::vector<ProfileRow>* rows() const { return std::get_if<std::vector<ProfileRow>>(&all.what); }
    Json document() const;
    std::string text() const;
};

// Reads every file or none. KIND is taken as such when it names an importer and a file follows. Own files of
// rows are only named where `parkProfiles`: who stores them reads them row by row.
Result<ImportedFiles> importFiles(const Session& session, const ImportFlags& flags,
                                  bool parkProfiles = false);

} // namespace pw::cli

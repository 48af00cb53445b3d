// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrate/run_table.h"
#include "core/document/plan_file.h"
#include "core/exchange/imports/import.h"
#include "core/exchange/imports/trainer_plan.h"
#include "core/inventory/inventory.h"
#include "core/links/link_measurement.h"
#include "core/project/project.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <stop_token>
#include <variant>
#include <vector>

namespace pw {

// Runs that trainers' logs state, without the machines that no log names: the accuracy study asks for those
// and holds the runs against their prediction. Nothing of them is the project's.
struct TrainingLogs {
    std::vector<RunRow> runs; // one a file, or of two ranks' files
};

// What somebody gives the program to take in: the files of others that core/exchange reads, and Pipewright's
// own. Read and checked; nothing of it is anywhere yet.
using ImportContent =
    std::variant<std::monostate, Model, std::vector<ProfileRow>, Inventory, std::vector<LinkMeasurement>,
                 TrainerPlan, TrainingLogs, Cluster, Project, PlanFile>;

struct ImportedFile {
    QString path;
    QString kind;    // of importerTable() or ownFileKinds(), or kTrainingLogKind; empty = not known
    QString summary; // as the command line has it
    bool refused = false;
    std::optional<ImportSort> sort = {}; // of what others make, once it is read
};

struct ImportReading {
    std::vector<ImportedFile> files;
    Diagnostics notes; // errors, all of them with their places, and warnings
    ImportContent content;
    // Files of Pipewright's own that came with others: they go into the project first.
    std::optional<Cluster> cluster;
    std::optional<Model> model;
    bool stopped = false;
    bool refused() const { return hasErrors(notes); }
};

// What the user states beyond the files.
struct ImportRequest {
    QStringList paths; // a folder stands for the files in it that can be measurements
    QString kind;      // of all files; empty = each by its content
    std::string deviceKind, modelName, collective;
    int ranks = 0;
};

// All files or none, joined as the command line joins them, with its words. A cluster and a model of
// Pipewright's own come with other files where these hold neither; a project and plans come alone. `model` is
// the present one, or null. `progress` gets the file's number and the share of it that is read.
ImportReading readImport(const ImportRequest& request, const Model* model, const std::stop_token& stop = {},
                         const std::function<void(int file, double share)>& progress = {});

} // namespace pw

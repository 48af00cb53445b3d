// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/evaluate/evaluation.h"
#include "core/inventory/inventory_cluster.h"
#include "ui/imports/import_reading.h"

namespace pw {

// What the user has stated beside the files.
struct ImportAnswers {
    ClusterAnswers machines;
    std::vector<std::string> items; // of the drawing, for timed collectives
    // Measured rows: used in the project too; the catalogue's kinds by what the files call them.
    bool useInProject = true;
    std::map<std::string, std::string> kinds;
};

// What an import would do to a project, worked out and not done: the preview shows it, and "Import" takes it.
struct ImportOffer {
    Diagnostics notes;              // what is assumed, and what is still asked, as errors
    std::optional<Cluster> cluster; // what the answers draw
    std::optional<Project> edited;  // the document afterwards, where it changes
    QString step;                   // name of the undo step
    // What goes into the store of measurements: layers or timed collectives.
    std::vector<ProfileRow> stored;
    std::vector<LinkMeasurement> storedLinks;
    bool stores() const { return !stored.empty() || !storedLinks.empty(); }
    std::optional<TrainerPlan> plan; // placed once the document is the edited one
    bool ready() const { return !hasErrors(notes); }
};
// The present project with the cluster and the model that came beside other files: what these are put onto.
Result<Project> groundOf(const Project& present, const ImportReading& reading);
ImportOffer offerOf(const Project& present, const ImportReading& reading, const ImportAnswers& answers);

// The trainer's plan on the machines of the project that an offer makes; the error says why it has no room.
struct PlacedPlan {
    std::shared_ptr<const Problem> problem;
    Plan plan;
    Evaluation evaluation;
    Diagnostics notes;
};
Result<PlacedPlan> placePlan(const TrainerPlan& plan, const std::shared_ptr<const Problem>& problem,
                             const QString& file);

// A project that asks the question which plans answer.
Project projectOfProblem(const Problem& problem, const QString& name);

} // namespace pw

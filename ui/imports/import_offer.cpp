// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/imports/import_offer.h"

#include "core/edit/edit.h"
#include "core/links/link_apply.h"
#include "core/project/unused_rows.h"
#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/topology/free_ground.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace pw {

namespace {

QString offerText(const char* text) {
    return QCoreApplication::translate("ImportOffer", text);
}

void refuse(ImportOffer& offer, const Error& error) {
    append(offer.notes, diagnosticsOf(error));
}

// What is wrong, and what is done without it.
void pass(ImportOffer& offer, const Error& error, const char* pattern) {
    offer.notes.push_back({Severity::Warning, error.code, error.where, {pattern, {{"why", error}}}});
}

void take(ImportOffer& offer, const Result<Project>& edited) {
    if (edited)
        offer.edited = *edited;
    else
        refuse(offer, edited.error());
}

enum class Places { Drawn, None };

void offerCluster(ImportOffer& offer, const Project& present, const Cluster& cluster, Places places) {
    offer.cluster = cluster;
    offer.step = offerText("Import %1").arg(q(cluster.name));
    const Result<Project> edited = setCluster(present, cluster);
    take(offer, places == Places::Drawn ? spreadOut(edited) : inRows(edited));
    append(offer.notes, checkCluster(cluster));
}

void offerLinks(ImportOffer& offer, const Project& present, const std::vector<LinkMeasurement>& links,
                const std::vector<std::string>& items) {
    if (present.cluster.nodes.empty())
        return refuse(offer, badInput("links.items", "",
                                      "timed collectives are put onto a drawing, and there is none yet: draw "
                                      "the machines or import them first"));
    Cluster cluster = present.cluster;
    for (const LinkMeasurement& measurement : links) {
        Result<Cluster> changed = applyMeasurement(cluster, measurement, items, offer.notes);
        if (!changed)
            return refuse(offer, changed.error());
        cluster = *std::move(changed);
    }
    offer.storedLinks = links;
    offer.step = offerText("Apply timed collectives");
    take(offer, setCluster(present, cluster));
}

void offerPlan(ImportOffer& offer, const Project& present, const TrainerPlan& plan, const std::string& file) {
    Project edited = present;
    if (plan.model) {
        const Result<Project> with = setModel(edited, *plan.model);
        if (!with)
            return refuse(offer, with.error());
        edited = *with;
    } else if (!present.model) {
        return refuse(offer, badInput("import.model", file, "holds no model, and the project has none"));
    }
    if (const Result<Recipe> recipe = recipeOf(plan, file)) {
        const Result<Project> with = setRecipe(edited, *recipe);
        if (!with)
            return refuse(offer, with.error());
        edited = *with;
    } else {
        pass(offer, recipe.error(), "{why}; the project's training settings stay");
    }
    offer.plan = plan;
    offer.step = offerText("Import %1").arg(QFileInfo(q(file)).fileName());
    if (present.cluster.nodes.empty()) {
        offer.notes.push_back({Severity::Warning, "import.cluster", file,
                               "is a plan without the machines that it runs on: draw or import them, and the "
                               "plan can be placed"});
    } else if (const Result<std::shared_ptr<const Problem>> problem = problemOf(edited); !problem) {
        pass(offer, problem.error(), "{why}; the plan is not placed");
    } else if (Diagnostics notes; const auto bound = bindPlan(plan, **problem, file, notes)) {
        append(offer.notes, std::move(notes));
    } else {
        pass(offer, bound.error(), "{why}; the plan is not placed");
    }
    offer.edited = std::move(edited);
}

void offerRows(ImportOffer& offer, const Project& present, const std::vector<ProfileRow>& rows,
               const ImportAnswers& answers, const std::string& file) {
    offer.stored = rows;
    for (ProfileRow& row : offer.stored)
        if (const auto kind = answers.kinds.find(row.kind); kind != answers.kinds.end())
            row.kind = kind->second;
    if (!answers.useInProject)
        return;
    std::vector<ProfileRow> used = offer.stored;
    if (present.model)
        adoptRows(used, present.model->name);
    for (const Wording& why : whyNoRowApplies(present, used))
        offer.notes.push_back({Severity::Warning, "profile.unused", file, why});
    offer.step = offerText("Add %1 measured rows").arg(countText(static_cast<std::int64_t>(used.size())));
    take(offer, addProfiles(present, used));
}

// The first file of what is not beside the others.
std::string leadingFile(const ImportReading& reading) {
    for (const ImportedFile& file : reading.files)
        if (file.sort)
            return s(file.path);
    return reading.files.empty() ? std::string() : s(reading.files.front().path);
}

// What the reading's content does to the project.
void offerContent(ImportOffer& offer, const Project& present, const ImportReading& reading,
                  const ImportAnswers& answers) {
    const std::string file = leadingFile(reading);
    const std::string stem = s(QFileInfo(q(file)).completeBaseName());
    if (const auto* model = std::get_if<Model>(&reading.content)) {
        offer.step = offerText("Import %1").arg(q(model->name));
        take(offer, setModel(present, *model));
    } else if (const auto* inventory = std::get_if<Inventory>(&reading.content)) {
        const Result<Cluster> cluster = clusterOf(*inventory, answers.machines, stem, offer.notes);
        if (cluster)
            offerCluster(offer, present, *cluster, Places::None);
        else
            refuse(offer, cluster.error());
    } else if (const auto* drawn = std::get_if<Cluster>(&reading.content)) {
        offerCluster(offer, present, *drawn, Places::Drawn);
    } else if (const auto* links = std::get_if<std::vector<LinkMeasurement>>(&reading.content)) {
        offerLinks(offer, present, *links, answers.items);
    } else if (const auto* plan = std::get_if<TrainerPlan>(&reading.content)) {
        offerPlan(offer, present, *plan, file);
    } else if (const auto* rows = std::get_if<std::vector<ProfileRow>>(&reading.content)) {
        offerRows(offer, present, *rows, answers, file);
    }
}

} // namespace

Result<Project> groundOf(const Project& present, const ImportReading& reading) {
    Result<Project> ground = present;
    if (reading.model)
        ground = setModel(*ground, *reading.model);
    if (ground && reading.cluster)
        ground = spreadOut(setCluster(*ground, *reading.cluster));
    return ground;
}

ImportOffer offerOf(const Project& present, const ImportReading& reading, const ImportAnswers& answers) {
    ImportOffer offer;
    const Result<Project> ground = groundOf(present, reading);
    if (!ground) {
        refuse(offer, ground.error());
        return offer;
    }
    offerContent(offer, *ground, reading, answers);
    if (!reading.cluster && !reading.model)
        return offer;
    if (reading.cluster) {
        offer.cluster = reading.cluster;
        append(offer.notes, checkCluster(*reading.cluster));
    }
    offer.step = offerText("Import %1 files").arg(reading.files.size());
    if (!offer.edited && offer.ready())
        offer.edited = *ground;
    return offer;
}

Result<PlacedPlan> placePlan(const TrainerPlan& plan, const std::shared_ptr<const Problem>& problem,
                             const QString& file) {
    PlacedPlan placed;
    placed.problem = problem;
    Result<Plan> bound = bindPlan(plan, *problem, s(file), placed.notes);
    if (!bound)
        return bound.error();
    Result<Evaluation> evaluation = evaluate(*problem, *bound);
    if (!evaluation)
        return evaluation.error();
    placed.plan = *std::move(bound);
    placed.evaluation = *std::move(evaluation);
    return placed;
}

Project projectOfProblem(const Problem& problem, const QString& name) {
    Project project;
    project.name = s(name);
    project.cluster = problem.topology().cluster();
    project.model = problem.model();
    project.recipe = problem.recipe();
    project.profiles = problem.profiles().rows();
    project.forbidden = problem.space().forbidden;
    return project;
}

} // namespace pw

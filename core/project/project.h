// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/cluster.h"
#include "core/model/model.h"
#include "core/problem/problem.h"
#include "core/profile/profile.h"
#include "core/project/annotations.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pw {

// A plan that the user keeps with the project: the plan document's entry as it was, and what was noted about
// it.
struct KeptPlan {
    std::string name;
    std::string note;
    bool pinned = false;
    std::string problemHash;
    std::string base;  // name of the kept plan that it was edited from by hand; empty: as it was found
    std::string entry; // as compact JSON text: what a project never looks into stays opaque
    int compared = 0; // its place among those that are held against each other, the base 1; 0: not among them
    bool operator==(const KeptPlan&) const = default;
};

// What plans answer that the project keeps and does not ask any more.
struct KeptQuestion {
    std::string problemHash;
    std::string problem; // toJson() of it without its measured rows, which are the project's; opaque likewise
    bool operator==(const KeptQuestion&) const = default;
};

// How the last search of a question ended, kept beside the plans that it found.
struct KeptSearch {
    std::string problemHash;
    std::string summary; // searchSummary() as compact JSON text, opaque like KeptPlan::entry
    bool operator==(const KeptSearch&) const = default;
};

// The document: everything that a *.pwx file holds. Immutable once shared (std::shared_ptr<const Project>);
// an edit makes a new one (core/edit). A project without a model, or with an empty cluster, is a legal
// document.
struct Project {
    std::string name;
    Cluster cluster;
    std::optional<Model> model;
    Recipe recipe;
    std::vector<ProfileRow> profiles; // embedded, with provenance: whoever opens it sees the same numbers
    std::vector<KeptPlan> plans;
    std::vector<KeptQuestion> questions; // of those of earlier states
    std::optional<KeptSearch> search;
    // What is asked of plans beside it, whether or not a search was made for it: as compact JSON text, opaque
    // likewise. Null: the file does not say.
    std::optional<std::string> demand;
    // What was asked about it, and answered, in the window: a JSON array, opaque likewise. Null: nothing.
    std::optional<std::string> answers;
    std::vector<std::string> forbidden; // Space: what must stay unused
    Annotations annotations;            // notes, groups, marks
    std::string unknown; // keys of a newer program, kept as JSON text and written back (unknown_keys.h)
    bool operator==(const Project&) const = default;
};

// What stands between this project and a search, all at once: checkCluster, missing model, recipe limits, and
// the notes that weaken a result (estimates only, unstated precision).
Diagnostics checkProject(const Project& project);

// The question that the project asks. Bad input if checkProject has errors.
Result<std::shared_ptr<const Problem>> problemOf(const Project& project);

inline constexpr int kProjectVersion = 1;
// File form (schema "pipewright-project", `version`): older versions are migrated, newer ones refused.
// `notes` gets the keys that are not known; they are kept and written back.
Result<Project> readProject(std::string_view text, const std::string& file, Diagnostics* notes = nullptr);
std::string printProject(const Project& project);

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include "core/exchange/imports/trainer_plan.h"
#include "core/problem/problem.h"
#include "core/search/search.h"

#include <memory>
#include <string>

namespace pw::cli {

inline constexpr const char* kProblemGroup = "Problem"; // under which --help lists them

// The flags that state a problem, the same for every command that takes one. Each replaces its part of what
// the problem starts from: nothing, the session's --project, or the problem that a plan file carries.
class ProblemFlags {
public:
    void addTo(CLI::App& sub);

    // The problem asked on the command line: everything must be given, by flags or by --project. `space` is
    // what to search; --forbid adds to it.
    Result<std::shared_ptr<const Problem>> problem(const Session& session, const Space& space) const;

    // A plan argument "FILE" or "FILE:k" (k-th of the list, default 1), judged under its own problem unless
    // flags, --project or --profiles replace parts of it.
    struct ChosenPlan {
        std::shared_ptr<const Problem> problem;
        Plan plan;
        // All plans of the file with their iteration times and nothing else evaluated. None where flags
        // replace parts of the problem.
        std::vector<FoundPlan> listed = {};
        std::size_t index; // among the file's plans
        Json document;     // the file's own, for who found it and how
    };
    Result<ChosenPlan> plan(const Session& session, const std::string& argument) const;

    const std::string& model() const { return m_model; } // the file of --model
    bool onMachines(const Session& session) const { return !m_cluster.empty() || !session.project.empty(); }

    // The machines of --cluster, else of the session's --project.
    Result<Cluster> cluster(const Session& session) const;

    // A trainer's plan, on the machines of --cluster or --project. Model and recipe are the plan's own unless
    // flags replace them; what a search may choose stays open. `file` is for messages.
    Result<ChosenPlan> bind(const Session& session, TrainerPlan plan, const std::string& file) const;

private:
    struct Parts {
        std::optional<Cluster> cluster;
        std::optional<Model> model;
        std::optional<Recipe> recipe;
        std::vector<ProfileRow> profiles;
        Space space;
    };
    bool any() const;
    Status replaceParts(const Session& session, Parts& parts) const;
    Status replacePrices(Cluster& cluster) const;
    Status replaceRecipe(Recipe& recipe) const;
    Result<std::shared_ptr<const Problem>> make(const Session& session, Parts parts) const;

    std::string m_cluster, m_model, m_gbs, m_seq, m_precision, m_optimizer, m_zero, m_recompute,
        m_sequenceParallel, m_mbs, m_expertLoad, m_fitChance, m_reserve, m_stack, m_forbid, m_price;
};

} // namespace pw::cli

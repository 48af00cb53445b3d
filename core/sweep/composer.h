// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/question.h"
#include "core/sweep/scenario.h"
#include "core/sweep/sweep_inputs.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pw {

// From the values of the axes to a question that a search answers, in this order:
//
//   cluster, cluster.nodes, model, recipe  ->  the composition: what is bought, and what is trained on it
//   scenario, uncertainty                  ->  what becomes of it; the problem that is searched
//   search, plan                           ->  how it is searched, or the plan that is judged instead

using Assignment = std::vector<std::uint32_t>; // which of its values, by axis

// Of a composition: all its GPUs, whether a plan uses them or not.
struct ClusterRates {
    std::int64_t gpus = 0;
    double pricePerHour = 0.0; // 0: the price of a kind is not known
    double watts = 0.0;        // at full power; 0: the power of a kind is not known
};
ClusterRates ratesOf(const Cluster& cluster);

struct TaskQuestion {
    std::shared_ptr<const Problem> problem;
    Question question;
    const std::string* plan = nullptr; // of the inputs: judged, nothing is searched
    ClusterRates rates;                // of the composition, before anything was lost
};

class Composer {
public:
    // Both outlive it. Bad input: a value of an axis that is none, with its place in the document `file`.
    static Result<Composer> make(const SweepDocument& sweep, const SweepInputs& inputs,
                                 const std::string& file);

    // Bad input: the recipe does not hold together, a kind is not there to be counted. Infeasible: nothing is
    // left of the cluster, or what is left cannot run it.
    Result<std::shared_ptr<const Problem>> composition(const Assignment& task) const;
    // The cluster of it alone, for what it costs; the same errors as far as they are its.
    Result<Cluster> cluster(const Assignment& task) const;
    // Infeasible where composition() is, or what the scenario leaves is.
    Result<TaskQuestion> question(const Assignment& task) const;

    // Tasks of one number have one composition, and neighbours have near ones.
    std::uint64_t compositionNumber(const Assignment& task) const;
    // What else makes a task's question: options, scenario, draw and plan, as one text.
    std::string restText(const Assignment& task) const;
    std::optional<SearchOptions> search(const Assignment& task) const; // none where a plan is judged

private:
    Composer(const SweepDocument& sweep, const SweepInputs& inputs, std::string file)
        : m_sweep(&sweep), m_inputs(&inputs), m_file(std::move(file)) {}
    Status checkOptions() const;
    Status checkScenarios();
    const std::string& value(const Assignment& task, std::size_t axis) const {
        return m_sweep->axes[axis].values[task[axis]];
    }
    std::string named(const Assignment& task, AxisKind kind) const; // "": the base's
    const std::string* judged(const Assignment& task) const; // the entry of a plan; null: it is searched
    Result<Recipe> recipe(const Assignment& task) const;
    Status setOptions(const Assignment& task, Question& question) const;
    Scenario scenario(const Assignment& task) const;
    struct Composed {
        Cluster cluster;
        std::vector<std::string> forbidden; // the base's, and what copies of nodes add to it
    };
    Result<Composed> composed(const Assignment& task) const;
    Result<std::shared_ptr<const Problem>> problemOn(Composed on, const Assignment& task) const;

    const SweepDocument* m_sweep;
    const SweepInputs* m_inputs;
    std::string m_file;
    std::vector<Scenario> m_scenarios; // by value of that axis
};

} // namespace pw

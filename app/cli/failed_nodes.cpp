// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/failed_nodes.h"
#include "app/cli/parse.h"
#include "app/cli/plan_text.h"
#include "app/cli/table.h"

#include "core/base/units.h"
#include "core/compare/compare.h"
#include "core/document/plan_document.h"
#include "core/evaluate/idle_share.h"
#include "core/whatif/costing.h"
#include "core/whatif/whatif.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace pw::cli {

namespace {

// Of those named: what the plan uses, and what it does without anyway. Each once.
struct NamedNodes {
    std::vector<int> used;
    std::vector<std::string> names, unused; // of `used`, and of the others
};

bool usesNode(const Topology& topology, const Plan& plan, int node) {
    const auto onNode = [&](DeviceIndex d) {
        return topology.devices()[static_cast<std::size_t>(d)].node == node;
    };
    for (const Pipeline& pipeline : plan.pipelines)
        for (const Stage& stage : pipeline.stages)
            for (const Replica& replica : stage.replicas)
                if (std::ranges::any_of(replica.devices, onNode))
                    return true;
    return false;
}

Result<NamedNodes> namedNodes(const Topology& topology, const Plan& plan, const std::string& text) {
    const Result<std::vector<std::string>> parts = parseList("--fails", text);
    if (!parts)
        return parts.error();
    NamedNodes named;
    const std::vector<Node>& nodes = topology.cluster().nodes;
    for (const std::string& id : *parts) {
        const auto found = std::ranges::find(nodes, id, &Node::id);
        if (found == nodes.end())
            return badInput("usage", "--fails", {"\"{node}\" is no node of the cluster", {{"node", id}}});
        const int node = static_cast<int>(found - nodes.begin());
        const bool used = usesNode(topology, plan, node);
        std::vector<std::string>& list = used ? named.names : named.unused;
        if (std::ranges::find(list, id) != list.end())
            continue;
        list.push_back(id);
        if (used)
            named.used.push_back(node);
    }
    return named;
}

std::string fullestText(const Evaluation& evaluation) {
    const auto share = [](const DeviceMemory& m) { return m.peak.total() / m.capacity; };
    const auto fullest = std::ranges::max_element(evaluation.memory, {}, share);
    return fullest == evaluation.memory.end()
               ? std::string()
               : fmt::format("{} of {}", formatGibibytes(fullest->peak.total()),
                             formatGibibytes(fullest->capacity));
}

// The plan as it is and what is left of it: figures, then what of the plan changed.
void addBeside(const Problem& problem, const whatif::Costed& now, const whatif::Costed& left,
               const std::string& without, Answer& answer) {
    const Evaluation& before = now.evaluation;
    const Evaluation& after = left.evaluation;
    const Comparison comparison =
        comparePlans({{"the plan as it is", &problem, &now.plan, &before, &now.timeline},
                      {"the plan " + without, &problem, &left.plan, &after, &left.timeline}},
                     0);
    Table table({"", "as it is", without});
    const auto add = [&](const char* name, const auto& textOf) {
        table.add({name, textOf(before), textOf(after)});
    };
    add("iteration",
        [](const Evaluation& e) { return formatDuration(e.iteration) + (e.isEstimated() ? " ∴" : ""); });
    add("tokens/s", [](const Evaluation& e) { return fmt::format("{:.0f}", e.tokensPerSecond); });
    add("bubble", [](const Evaluation& e) { return fmt::format("{:.1f} %", 100 * idleShare(e.bubble)); });
    add("fullest GPU", fullestText);
    add("GPUs", [](const Evaluation& e) { return fmt::format("{}", e.memory.size()); });
    Json changed = Json::array();
    for (const PlanField& field : comparison.fields) {
        if (!field.differs)
            continue;
        table.add({field.name, field.values[0], field.values[1]});
        changed.push_back({{"name", field.name}, {"from", field.values[0]}, {"to", field.values[1]}});
    }
    answer.text += "\n";
    for (const std::string& sentence : comparison.sentences)
        answer.text += sentence + "\n";
    for (const Wording& reason : after.reasons)
        answer.text += fmt::format("{} it does not fit: {}\n", without, reason.message);
    answer.text += "\n" + table.text() + "\n" + stagesTable(problem, left.plan, after);
    Json& document = answer.document["fails"];
    document["plan"] = planEntry(problem, left.plan, after);
    document["from_s"] = before.iteration.value;
    document["changed"] = std::move(changed);
}

} // namespace

Status addFailedNodes(const JudgedPlan& judged, const std::string& nodes, Answer& answer) {
    const Problem& problem = *judged.problem;
    const Result<NamedNodes> named = namedNodes(problem.topology(), judged.plan(), nodes);
    if (!named)
        return named.error();
    answer.document["fails"] = {{"nodes", named->names}, {"unused", named->unused}};
    for (const std::string& id : named->unused)
        answer.text += fmt::format("\nthe plan does not use {}: without it nothing changes\n", id);
    if (named->used.empty())
        return Ok{};
    const std::string without = fmt::format("without {}", fmt::join(named->names, ", "));
    const whatif::Costing costing(judged.problem);
    const Result<whatif::Costed> now = costing.cost(judged.plan());
    if (!now)
        return now.error();
    const Result<Plan> plan = whatif::dropNodes(problem, judged.plan(), named->used);
    const Result<whatif::Costed> left = plan ? costing.cost(*plan) : Result<whatif::Costed>(plan.error());
    std::optional<Error> refused;
    if (!left) { // of whatever kind: stages that no links join any more are no fault of the input
        refused = Error(ErrorKind::Infeasible, left.error().code, "--fails",
                        {"{without}: {why}", {{"without", without}, {"why", left.error().asWording()}}});
        refused->reasons = left.error().reasons;
        answer.text += fmt::format("\n{}\n", refused->message);
    } else {
        addBeside(problem, *now, *left, without, answer);
        if (!left->evaluation.feasible)
            refused = infeasible("plan.infeasible", "--fails",
                                 {"{without} the plan cannot run", {{"without", without}}},
                                 left->evaluation.reasons);
    }
    if (!answer.refused)
        answer.refused = refused;
    else if (refused)
        answer.refused->because(*refused);
    return Ok{};
}

} // namespace pw::cli

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/stage_partition.h"

#include "core/partition/prices.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace pw {
namespace {

Result<partition::BlockGraph> graphOf(const Problem& problem, const Replica& replica,
                                      std::int64_t sequences) {
    return partition::blockGraph(problem, problem.topology().kindOf(replica.devices.front()), sequences);
}

} // namespace

std::vector<PartitionFault> partitionFaults(const Problem& problem, const Stage& stage,
                                            std::int64_t microbatchSize) {
    std::vector<PartitionFault> faults;
    if (stage.cp != 1 || stage.ep != 1)
        faults.push_back({"",
                          {"beside cp {cp} and ep {ep}; a partition goes with neither",
                           {{"cp", stage.cp}, {"ep", stage.ep}}}});
    if (stage.recompute == Recompute::Selective || stage.recomputeLayers > 0)
        faults.push_back({"", "beside recompute of some layers or operators; a partition goes with none or "
                              "with all"});
    for (const LayerRange& range : stage.chunks)
        if (!areWholeBlocks(range, fineLayerCount(problem.model())))
            faults.push_back({"",
                              {"beside layers {first} to {last}; a partition is of whole blocks",
                               {{"first", range.first}, {"last", range.last}}}});
    for (const Replica& replica : stage.replicas) {
        const Result<partition::DeviceGroup> group =
            partition::deviceGroup(problem.topology(), replica.devices);
        const auto sequences = std::llround(replica.share * static_cast<double>(microbatchSize));
        const Result<partition::BlockGraph> graph = graphOf(problem, replica, sequences);
        if (!group || !graph) {
            faults.push_back({"", group ? graph.error() : group.error()});
            break;
        }
        for (const partition::WayFault& fault : partition::faultsOf(*graph, group->bits, stage.partition))
            faults.push_back({"/" + fault.name, fault.wording});
        if (!faults.empty())
            break; // the others' would be the same
    }
    return faults;
}

Json toJson(const partition::BlockWays& ways) {
    if (ways.empty())
        return "none";
    Json object = Json::object();
    for (const partition::OperatorSequence& own : ways)
        object[own.name] = partition::text(own.way);
    return object;
}

partition::BlockWays partitionFromJson(const JsonReader& stage, const Problem& problem,
                                       const std::vector<Replica>& replicas) {
    if (stage.value()["partition"].is_string()) {
        if (stage.text("partition") != "none")
            stage.fail("plan.partition", stage.where("partition"),
                       "expected \"none\" or an object with a sequence for every operator of a block");
        return {};
    }
    const JsonReader object = stage.object("partition");
    if (!object.value().is_object())
        return {};
    partition::BlockWays ways;
    for (const auto& [name, member] : object.members()) {
        const Result<partition::Sequence> way = partition::sequenceFromText(object.text(name));
        if (way)
            ways.push_back({name, *way});
        else
            object.fail("plan.partition", object.where(name), way.error());
    }
    if (object.members().empty())
        stage.fail("plan.partition", stage.where("partition"),
                   "is empty; expected a sequence for every operator of a block");
    if (replicas.empty() || replicas.front().devices.empty())
        return ways;
    // What is no operator of the block comes last, for checkPlan() to name.
    if (const auto graph = graphOf(problem, replicas.front(), 1)) {
        const std::vector<std::string> names = partition::operatorNames(*graph);
        std::ranges::stable_sort(ways, {}, [&](const partition::OperatorSequence& own) {
            return std::ranges::find(names, own.name) - names.begin();
        });
    }
    return ways;
}

bool hasPartition(const Plan& plan) {
    return std::ranges::any_of(plan.pipelines, [](const Pipeline& pipeline) {
        return std::ranges::any_of(pipeline.stages,
                                   [](const Stage& stage) { return !stage.partition.empty(); });
    });
}

std::string partitionText(const Stage& stage) {
    return stage.partition.empty() ? "none"
                                   : "PrimePar partition, predicted: " + partition::text(stage.partition);
}

} // namespace pw

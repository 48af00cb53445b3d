// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Plans as the plan document has them.

#include "core/plan/plan.h"

#include "core/plan/device_names.h"
#include "core/plan/stage_partition.h"

#include <nlohmann/json.hpp>

namespace pw {
namespace {

Json replicasJson(const Problem& problem, const Stage& stage, DeviceNames names) {
    Json list = Json::array();
    for (const Replica& replica : stage.replicas)
        list.push_back(
            {{"devices", namesOf(problem.topology(), replica.devices, names)}, {"share", replica.share}});
    return list;
}

Stage stageFromJson(const JsonReader& r, const Problem& problem, DeviceReader& devices) {
    constexpr std::int64_t kMaxLayers = 200'002;
    Stage stage;
    for (const JsonReader& chunk : r.array("chunks")) {
        const Json& range = chunk.value();
        if (!range.is_array() || range.size() != 2 || !range[0].is_number_integer() ||
            !range[1].is_number_integer() || range[0].get<std::int64_t>() < 0 ||
            range[0].get<std::int64_t>() > kMaxLayers || range[1].get<std::int64_t>() < 0 ||
            range[1].get<std::int64_t>() > kMaxLayers) {
            chunk.fail("plan.chunk", chunk.where(), "expected [first, last], two layer indices");
            continue;
        }
        stage.chunks.push_back({range[0].get<int>(), range[1].get<int>()});
    }
    for (const JsonReader& item : r.array("replicas")) {
        Replica replica;
        replica.devices = devices.read(item);
        replica.share = item.number("share", 0.0, 1.0, 1.0);
        stage.replicas.push_back(std::move(replica));
    }
    stage.tp = static_cast<int>(r.count("tp", 1, 1024, 1));
    stage.cp = static_cast<int>(r.count("cp", 1, 1024, 1));
    stage.ep = static_cast<int>(r.count("ep", 1, 1024, 1));
    stage.sequenceParallel = r.flag("sequence_parallel", false);
    stage.zero = static_cast<int>(r.count("zero", 0, 3, 0));
    if (r.has("recompute")) {
        const JsonReader recompute = r.object("recompute");
        const std::string mode = recompute.text("mode");
        if (const auto known = recomputeFromName(mode))
            stage.recompute = *known;
        else
            recompute.fail("plan.recompute", recompute.where("mode"),
                           {"\"{mode}\"; expected none, selective or full", {{"mode", mode}}});
        stage.recomputeLayers = static_cast<int>(recompute.count("layers", 0, kMaxLayers, 0));
    }
    if (r.has("partition"))
        stage.partition = partitionFromJson(r, problem, stage.replicas);
    return stage;
}

} // namespace

Result<Plan> planFromJson(const JsonReader& reader, const Problem& problem) {
    constexpr std::int64_t kMany = 1'000'000'000;
    Plan plan;
    DeviceReader devices(problem.topology());
    for (const JsonReader& r : reader.array("pipelines")) {
        Pipeline pipeline;
        pipeline.count = static_cast<int>(r.count("count", 1, 131072, 1));
        pipeline.share = r.number("share", 0.0, 1.0, 1.0);
        pipeline.microbatches = r.count("microbatches", 1, kMany);
        pipeline.microbatchSize = r.count("microbatch_size", 1, kMany);
        const JsonReader schedule = r.object("schedule");
        const std::string kind = schedule.text("kind");
        if (const auto known = scheduleKindFromName(kind))
            pipeline.schedule.kind = *known;
        else
            schedule.fail("plan.schedule", schedule.where("kind"),
                          {"\"{schedule}\"; expected one of {known}",
                           {{"schedule", kind}, {"known", scheduleKindNames()}}});
        const std::string rule = schedule.text("rule", "artifact");
        if (const auto known = launchRuleFromName(rule))
            pipeline.schedule.rule = *known;
        else
            schedule.fail("plan.rule", schedule.where("rule"),
                          {"\"{rule}\"; expected {known}", {{"rule", rule}, {"known", launchRuleNames()}}});
        pipeline.schedule.chunks = static_cast<int>(schedule.count("chunks", 1, 64, 1));
        schedule.passOver({"order"}); // a file for the runner, made of the plan
        if (schedule.has("launch"))
            for (const JsonReader& item : schedule.array("launch")) {
                if (item.value().is_number_integer() && item.value().get<std::int64_t>() >= 1 &&
                    item.value().get<std::int64_t>() <= kMany)
                    pipeline.schedule.launch.push_back(item.value().get<int>());
                else
                    item.fail("plan.launch", item.where(), "expected a launch count of at least 1");
            }
        for (const JsonReader& stage : r.array("stages"))
            pipeline.stages.push_back(stageFromJson(stage, problem, devices));
        plan.pipelines.push_back(std::move(pipeline));
    }
    if (const Status read = reader.status(); !read)
        return read.error();
    if (const Status sound = checkPlan(problem, plan, reader.where()); !sound)
        return sound.error();
    return plan;
}

Json toJson(const Problem& problem, const Plan& plan) {
    return toJson(problem, plan, DeviceNames::Each);
}

Json toJson(const Problem& problem, const Plan& plan, DeviceNames names) {
    Json pipelines = Json::array();
    for (const Pipeline& p : plan.pipelines) {
        Json stages = Json::array();
        for (const Stage& s : p.stages) {
            Json chunks = Json::array();
            for (const LayerRange& c : s.chunks)
                chunks.push_back(Json::array({c.first, c.last}));
            stages.push_back({{"chunks", chunks},
                              {"replicas", replicasJson(problem, s, names)},
                              {"tp", s.tp},
                              {"cp", s.cp},
                              {"ep", s.ep},
                              {"sequence_parallel", s.sequenceParallel},
                              {"zero", s.zero},
                              {"recompute", {{"mode", name(s.recompute)}, {"layers", s.recomputeLayers}}},
                              {"partition", toJson(s.partition)}});
        }
        pipelines.push_back({{"count", p.count},
                             {"share", p.share},
                             {"microbatches", p.microbatches},
                             {"microbatch_size", p.microbatchSize},
                             {"schedule",
                              {{"kind", name(p.schedule.kind)},
                               {"rule", name(p.schedule.rule)},
                               {"chunks", p.schedule.chunks},
                               {"launch", p.schedule.launch}}},
                             {"stages", stages}});
    }
    return {{"pipelines", pipelines}};
}

} // namespace pw

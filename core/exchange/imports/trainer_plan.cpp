// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/trainer_plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace pw {

namespace {

template <class T>
Status take(T& own, T& other, const T& none, const char* what, const std::string& file) {
    if (other == none)
        return Ok{};
    if (!(own == none) && !(own == other))
        return badInput("plan.parts", file, {"states {what}, as another file does", {{"what", what}}});
    own = std::move(other);
    return Ok{};
}

// Devices in the order of the ranks.
Result<std::vector<DeviceIndex>> devicesByRank(const TrainerPlan& plan, const Topology& topology,
                                               const std::string& file, Diagnostics& notes) {
    std::vector<DeviceIndex> devices;
    if (plan.hosts.empty()) {
        for (DeviceIndex d = 0; d < static_cast<DeviceIndex>(topology.devices().size()); ++d)
            devices.push_back(d);
        notes.push_back(
            {Severity::Warning, "plan.hosts", file,
             "No file says which hosts the ranks are on: they follow the nodes in the order of the "
             "cluster"});
        return devices;
    }
    // FlagScale sorts the ranks by the order of their types first.
    std::vector<const TrainerHost*> hosts;
    for (const TrainerHost& host : plan.hosts)
        hosts.push_back(&host);
    const auto place = [&](const TrainerHost* host) {
        return std::find(plan.types.begin(), plan.types.end(), host->type) - plan.types.begin();
    };
    std::stable_sort(hosts.begin(), hosts.end(),
                     [&](const TrainerHost* a, const TrainerHost* b) { return place(a) < place(b); });
    std::vector<bool> used(topology.devices().size(), false);
    for (const TrainerHost* host : hosts) {
        const auto visible = plan.visible.find(host->name);
        std::vector<int> slots = host->gpus;
        if (visible != plan.visible.end())
            slots = visible->second;
        else if (!plan.visibleElsewhere.empty() && plan.visibleElsewhere.size() >= slots.size())
            slots.assign(plan.visibleElsewhere.begin(),
                         plan.visibleElsewhere.begin() + static_cast<std::ptrdiff_t>(slots.size()));
        for (const int slot : slots) {
            const DeviceIndex device = topology.find(fmt::format("{}.g{}", host->name, slot));
            if (device < 0)
                return badInput("plan.device", file,
                                {"GPU {slot} of host {name} is not in the cluster",
                                 {{"slot", slot}, {"name", host->name}}});
            if (used[static_cast<std::size_t>(device)])
                return badInput(
                    "plan.device", file,
                    {"GPU {slot} of host {name} is named twice", {{"slot", slot}, {"name", host->name}}});
            used[static_cast<std::size_t>(device)] = true;
            devices.push_back(device);
        }
    }
    return devices;
}

std::size_t sizeOf(const TrainerStage& stage, int dp) {
    return static_cast<std::size_t>(stage.tp) * static_cast<std::size_t>(stage.cp) *
           static_cast<std::size_t>(dp);
}

class Binder {
public:
    Binder(const TrainerPlan& plan, const Problem& problem, const std::string& file,
           std::vector<DeviceIndex> devices)
        : m_plan(plan), m_problem(problem), m_file(file), m_devices(std::move(devices)) {}

    Result<Plan> bind() {
        Plan plan;
        const std::int64_t gbs = m_problem.recipe().gbs;
        for (const TrainerPipeline& given : m_plan.pipelines) {
            Result<Pipeline> made = pipeline(given);
            if (!made)
                return made.error();
            plan.pipelines.push_back(*std::move(made));
        }
        std::int64_t sequences = 0;
        for (const Pipeline& p : plan.pipelines)
            sequences += p.microbatches * p.microbatchSize;
        if (sequences != gbs)
            return badInput("plan.batch", m_file,
                            {"the micro-batches come to {sequences} sequences, the global batch has {gbs}",
                             {{"sequences", sequences}, {"gbs", gbs}}});
        for (Pipeline& p : plan.pipelines)
            p.share = static_cast<double>(p.microbatches * p.microbatchSize) / static_cast<double>(gbs);
        if (m_used < m_devices.size() && !m_plan.hosts.empty())
            return badInput("plan.world", m_file,
                            {"the plan needs {used} GPUs, its hosts have {devices}",
                             {{"used", m_used}, {"devices", m_devices.size()}}});
        if (Status sound = checkPlan(m_problem, plan, m_file + "#"); !sound)
            return sound.error();
        return plan;
    }

private:
    // Replicas of a stage whose file leaves them open: those that fill the machines.
    Result<int> replicas(const TrainerPipeline& given) const {
        std::size_t one = 0;
        for (const TrainerStage& stage : given.stages)
            one += sizeOf(stage, 1);
        if (one == 0 || m_devices.size() % one != 0)
            return badInput("plan.world", m_file,
                            {"{devices} GPUs are no multiple of the {one} of one replica",
                             {{"devices", m_devices.size()}, {"one", one}}});
        return static_cast<int>(m_devices.size() / one);
    }

    Result<Pipeline> pipeline(const TrainerPipeline& given) {
        Pipeline made;
        made.schedule.kind = given.schedule;
        made.schedule.chunks = given.chunks;
        int open = 0;
        if (given.stages.front().dp == 0) {
            const Result<int> found = replicas(given);
            if (!found)
                return found.error();
            open = *found;
        }
        const auto dpOf = [&](const TrainerStage& stage) { return stage.dp == 0 ? open : stage.dp; };
        made.microbatchSize = given.microbatchSize * dpOf(given.stages.front());
        made.microbatches = given.microbatches;
        if (made.microbatches == 0) {
            const std::int64_t gbs = m_problem.recipe().gbs;
            if (gbs % made.microbatchSize != 0)
                return badInput("plan.batch", m_file,
                                {"a global batch of {gbs} is no multiple of {size} sequences for each of "
                                 "{replicas} replicas",
                                 {{"gbs", gbs},
                                  {"size", given.microbatchSize},
                                  {"replicas", dpOf(given.stages.front())}}});
            made.microbatches = gbs / made.microbatchSize;
        }
        for (const TrainerStage& s : given.stages)
            made.stages.push_back(stage(s, dpOf(s)));
        if (Status placed = place(given, made); !placed)
            return placed.error();
        return made;
    }

    Stage stage(const TrainerStage& given, int dp) const {
        Stage made;
        made.chunks = given.chunks;
        made.tp = given.tp;
        made.cp = given.cp;
        made.ep = given.ep;
        made.sequenceParallel = m_plan.sequenceParallel && given.tp > 1;
        made.zero = m_plan.zero;
        made.recompute = given.recompute;
        made.recomputeLayers = given.recomputeLayers;
        made.replicas.assign(static_cast<std::size_t>(dp), {{}, 1.0 / dp});
        return made;
    }

    Status place(const TrainerPipeline& given, Pipeline& made) {
        const auto fill = [&](std::size_t s, std::size_t r) -> Status {
            const std::size_t group = sizeOf(given.stages[s], 1);
            const std::vector<int>& ranks = given.stages[s].ranks;
            for (std::size_t k = 0; k < group; ++k) {
                std::size_t rank = m_used;
                if (!ranks.empty())
                    rank = static_cast<std::size_t>(ranks[r * group + k]);
                if (rank >= m_devices.size())
                    return badInput("plan.world", m_file,
                                    {"stage {stage} needs rank {rank}, the machines have {devices} GPUs",
                                     {{"stage", s}, {"rank", rank}, {"devices", m_devices.size()}}});
                made.stages[s].replicas[r].devices.push_back(m_devices[rank]);
                ++m_used;
            }
            return Ok{};
        };
        std::size_t most = 0;
        for (const Stage& s : made.stages)
            most = std::max(most, s.replicas.size());
        for (std::size_t outer = 0; outer < (m_plan.replicasOutside ? most : made.stages.size()); ++outer) {
            const std::size_t inner =
                m_plan.replicasOutside ? made.stages.size() : made.stages[outer].replicas.size();
            for (std::size_t i = 0; i < inner; ++i) {
                const std::size_t s = m_plan.replicasOutside ? i : outer,
                                  r = m_plan.replicasOutside ? outer : i;
                if (r >= made.stages[s].replicas.size())
                    continue;
                if (Status filled = fill(s, r); !filled)
                    return filled;
            }
        }
        return Ok{};
    }

    const TrainerPlan& m_plan;
    const Problem& m_problem;
    const std::string& m_file;
    std::vector<DeviceIndex> m_devices; // by rank
    std::size_t m_used = 0;
};

// A step of several rounds, each with a pass forward of all its micro-batches before the first one back: 1F1B
// where a round has one of them and the pipeline one stage. No schedule here flushes longer ones in between.
void takeRounds(TrainerPlan& plan, const std::string& file, Diagnostics& notes) {
    bool longer = false;
    for (TrainerPipeline& p : plan.pipelines) {
        const bool turns = p.microbatches == 1 && p.stages.size() == 1;
        longer = longer || !turns;
        if (turns)
            p.schedule = ScheduleKind::OneFOneB;
        p.microbatches *= plan.rounds;
    }
    if (longer)
        notes.push_back(
            {Severity::Warning,
             "plan.rounds",
             file,
             {"a step is {rounds} rounds, each of them drained before the next; taken as one: memory "
              "comes out too high, and waits of several stages too low",
              {{"rounds", plan.rounds}}}});
}

// Batches and recompute that another file has than the one with the stages.
Result<TrainerPlan> completed(TrainerPlan plan, const std::string& file, Diagnostics& notes) {
    if (!plan.batches.empty() || !plan.chunksOfPipeline.empty()) {
        const std::size_t n = plan.pipelines.size();
        if (plan.batches.size() > n || plan.chunksOfPipeline.size() > n || plan.batches.empty() ||
            plan.chunksOfPipeline.empty())
            return badInput("plan.parts", file,
                            {"{batches} batches and {chunks} chunk counts for {number} pipelines",
                             {{"batches", plan.batches.size()},
                              {"chunks", plan.chunksOfPipeline.size()},
                              {"number", n}}});
        plan.batches.resize(n, plan.batches.back()); // as the trainer does
        plan.chunksOfPipeline.resize(n, plan.chunksOfPipeline.back());
        for (std::size_t p = 0; p < n; ++p) {
            if (plan.batches[p] % plan.chunksOfPipeline[p] != 0)
                return badInput(
                    "plan.batch", file,
                    {"pipeline {pipeline}: {batches} sequences do not make {chunks} equal micro-batches",
                     {{"pipeline", p}, {"batches", plan.batches[p]}, {"chunks", plan.chunksOfPipeline[p]}}});
            plan.pipelines[p].microbatches = plan.chunksOfPipeline[p];
            plan.pipelines[p].microbatchSize = plan.batches[p] / plan.chunksOfPipeline[p];
        }
    }
    if (plan.scheduleOfPipelines)
        for (TrainerPipeline& p : plan.pipelines)
            p.schedule = *plan.scheduleOfPipelines;
    if (plan.rounds > 1)
        takeRounds(plan, file, notes);
    if (plan.recomputed)
        for (TrainerPipeline& p : plan.pipelines)
            for (TrainerStage& s : p.stages)
                s.recompute = *plan.recomputed ? Recompute::Full : Recompute::None;
    return plan;
}

} // namespace

Status joinParts(TrainerPlan& plan, TrainerPlan part, const std::string& file) {
    const TrainerPlan none;
    for (const Status& taken : {
             take(plan.trainer, part.trainer, none.trainer, "another trainer", file),
             take(plan.model, part.model, none.model, "the model", file),
             take(plan.gbs, part.gbs, none.gbs, "the global batch", file),
             take(plan.seq, part.seq, none.seq, "the sequence length", file),
             take(plan.precision, part.precision, none.precision, "the precision", file),
             take(plan.optimizer, part.optimizer, none.optimizer, "the optimiser", file),
             take(plan.sequenceParallel, part.sequenceParallel, none.sequenceParallel, "sequence parallelism",
                  file),
             take(plan.zero, part.zero, none.zero, "sharding", file),
             take(plan.pipelines, part.pipelines, none.pipelines, "the stages", file),
             take(plan.hosts, part.hosts, none.hosts, "the hosts", file),
             take(plan.visible, part.visible, none.visible, "the GPUs of the hosts", file),
             take(plan.visibleElsewhere, part.visibleElsewhere, none.visibleElsewhere,
                  "the GPUs of the hosts", file),
             take(plan.types, part.types, none.types, "the device types", file),
             take(plan.batches, part.batches, none.batches, "the batches", file),
             take(plan.chunksOfPipeline, part.chunksOfPipeline, none.chunksOfPipeline, "the chunks", file),
             take(plan.rounds, part.rounds, none.rounds, "the rounds of a step", file),
             take(plan.scheduleOfPipelines, part.scheduleOfPipelines, none.scheduleOfPipelines,
                  "the schedule", file),
             take(plan.recomputed, part.recomputed, none.recomputed, "recompute", file),
         })
        if (!taken)
            return taken;
    return Ok{};
}

Result<Recipe> recipeOf(const TrainerPlan& plan, const std::string& file) {
    Recipe recipe;
    std::int64_t batches = 0;
    for (std::size_t p = 0; p < plan.pipelines.size() && !plan.batches.empty(); ++p)
        batches += plan.batches[std::min(p, plan.batches.size() - 1)];
    if (plan.gbs || batches > 0)
        recipe.gbs = plan.gbs ? *plan.gbs : batches * plan.rounds;
    else
        return badInput("plan.batch", file, "states no global batch{?; state it with --gbs}");
    if (!plan.seq)
        return badInput("plan.seq", file, "states no sequence length{?; state it with --seq}");
    recipe.seq = *plan.seq;
    if (plan.precision)
        recipe.precision = *plan.precision;
    recipe.optimizer = plan.optimizer;
    return recipe;
}

Result<Plan> bindPlan(const TrainerPlan& plan, const Problem& problem, const std::string& file,
                      Diagnostics& notes) {
    Result<TrainerPlan> whole = completed(plan, file, notes);
    if (!whole)
        return whole.error();
    if (whole->pipelines.empty() || whole->pipelines.front().stages.empty())
        return badInput("plan.stages", file, "states no parallel layout");
    Result<std::vector<DeviceIndex>> devices = devicesByRank(*whole, problem.topology(), file, notes);
    if (!devices)
        return devices.error();
    return Binder(*whole, problem, file, *std::move(devices)).bind();
}

} // namespace pw

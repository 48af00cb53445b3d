// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/exhaustive/wider_walk.h"

#include "core/evaluate/stage_terms.h"
#include "core/search/space/wider_space.h"

#include <algorithm>
#include <cmath>

namespace pw {
namespace {

class WiderWalk {
public:
    WiderWalk(SearchRun& run, Prune prune)
        : m_run(run), m_problem(run.problem()), m_prune(prune), m_trials(scheduleTrials(m_problem)),
          m_launchCounts(!m_problem.space().wider.schedules) {}

    void all() {
        for (const auto& space : m_run.spaces()) {
            if (m_run.over())
                return;
            m_used.assign(space->classes().size(), 0);
            withFirst(*space, m_problem.recipe().gbs, true);
        }
    }

private:
    // Pipelines in order of what they take of the batch, the largest part first.
    void pipelineBehind(const ChainSpace& before, std::int64_t left) {
        if (left == 0) {
            judge();
            return;
        }
        if (static_cast<int>(m_pipelines.size()) == m_problem.space().wider.pipelines)
            return;
        for (const auto& space : m_run.spaces())
            if (space->sharing() == before.sharing())
                withFirst(*space, left, false);
    }

    void withFirst(const ChainSpace& space, std::int64_t left, bool first) {
        const std::int64_t m = space.microbatchSize();
        const bool last = static_cast<int>(m_pipelines.size()) + 1 == m_problem.space().wider.pipelines;
        for (std::int64_t count = left / m; count >= 1; --count) {
            const std::int64_t taken = count * m;
            if (last && taken != left)
                return; // what is left is left for nobody
            if (!first && taken > m_pipelines.back().microbatches * m_pipelines.back().microbatchSize)
                continue;
            Pipeline pipeline;
            pipeline.microbatchSize = m;
            pipeline.microbatches = count;
            pipeline.share = static_cast<double>(taken) / static_cast<double>(m_problem.recipe().gbs);
            m_pipelines.push_back(std::move(pipeline));
            m_entered.emplace_back(space.classes().size(), false);
            stageInFront(space, space.blocks(), left - taken, {});
            m_entered.pop_back();
            m_pipelines.pop_back();
            if (m_run.over())
                return;
        }
    }

    // `behind`: the classes of the stage built last.
    void stageInFront(const ChainSpace& space, int blocks, std::int64_t batchLeft,
                      const std::vector<int>& behind) {
        if (blocks == 0) {
            pipelineBehind(space, batchLeft);
            return;
        }
        if (static_cast<int>(m_pipelines.back().stages.size()) == space.maxStages())
            return;
        for (std::size_t o = 0; o < space.options().size() && !m_run.over(); ++o)
            purely(space, space.options()[o], blocks, batchLeft, behind);
        if (!m_problem.space().wider.mixedStages || space.sharing() != Sharing{})
            return;
        const auto classes = static_cast<int>(space.classes().size());
        for (int a = 0; a < classes; ++a)
            for (int b = a + 1; b < classes && !m_run.over(); ++b)
                if (open(a, behind) && open(b, behind))
                    mixed(space, a, b, blocks, batchLeft);
    }

    // Whether a stage may stand on the class: it is not entered again once it was left.
    bool open(int cls, const std::vector<int>& behind) const {
        return !m_entered.back()[static_cast<std::size_t>(cls)] ||
               std::ranges::find(behind, cls) != behind.end();
    }

    static bool roomFor(const ChainSpace& space, const ClassRun& run) {
        StageOption option;
        option.cls = run.cls;
        option.devices = run.devices;
        return space.placeOf(option, run.position) == run.position;
    }

    void purely(const ChainSpace& space, const StageOption& option, int blocks, std::int64_t batchLeft,
                const std::vector<int>& behind) {
        const ClassRun place{option.cls, option.devices, m_used[static_cast<std::size_t>(option.cls)]};
        if (!open(option.cls, behind) || !roomFor(space, place))
            return;
        Stage stage = space.stage(option, place.position);
        for (int held = 1; held <= blocks; ++held)
            for (int recomputed = 0; recomputed < (option.plain ? held : 1); ++recomputed) {
                stage.recomputeLayers = recomputed;
                stage.chunks = {layersOfBlocks(blocks - held, blocks, space.blocks())};
                if (m_run.spend(1))
                    return;
                const LayerRange sure = surelyHeld(stage);
                const StageCost cost = (recomputed > 0 ? option.plain : option.costs)
                                           ->stage(sure.first, sure.last, option.copies(), option.zero);
                // What the recomputed blocks keep is not counted then.
                const double bytes = recomputed > 0 ? 0.0 : memoryTotal(m_problem, cost, leastInFlight());
                if (hopeless(cost.total(), bytes - space.capacity(option)))
                    continue;
                with(space, stage, {place}, blocks - held, batchLeft);
            }
    }

    void mixed(const ChainSpace& space, int a, int b, int blocks, std::int64_t batchLeft) {
        const auto sizesOf = [&](int cls) {
            return stageSizes(space.classes()[static_cast<std::size_t>(cls)]);
        };
        for (const int ofA : sizesOf(a))
            for (const int ofB : sizesOf(b)) {
                const ClassRun first{a, ofA, m_used[static_cast<std::size_t>(a)]};
                const ClassRun second{b, ofB, m_used[static_cast<std::size_t>(b)]};
                if (!roomFor(space, first) || !roomFor(space, second))
                    continue;
                for (int tp = 1; tp <= std::min(ofA, ofB); tp *= 2)
                    for (const Recompute mode : {Recompute::None, Recompute::Selective, Recompute::Full}) {
                        std::optional<Stage> stage =
                            mixedStage(space, m_run.table(), first, second, tp, mode);
                        if (!stage)
                            continue;
                        for (int held = 1; held <= blocks; ++held) {
                            stage->chunks = {layersOfBlocks(blocks - held, blocks, space.blocks())};
                            if (m_run.spend(1))
                                return;
                            if (m_prune == Prune::ByBound && mixedHopeless(*stage))
                                continue;
                            with(space, *stage, {first, second}, blocks - held, batchLeft);
                        }
                    }
            }
    }

    void with(const ChainSpace& space, const Stage& stage, const std::vector<ClassRun>& places, int blocks,
              std::int64_t batchLeft) {
        std::vector<int> now;
        std::vector<bool> entered = m_entered.back();
        for (const ClassRun& place : places) {
            m_used[static_cast<std::size_t>(place.cls)] += place.devices;
            m_entered.back()[static_cast<std::size_t>(place.cls)] = true;
            now.push_back(place.cls);
        }
        std::vector<Stage>& stages = m_pipelines.back().stages;
        stages.insert(stages.begin(), stage);
        stageInFront(space, blocks, batchLeft, now);
        m_pipelines.back().stages.erase(m_pipelines.back().stages.begin());
        m_entered.back() = std::move(entered);
        for (const ClassRun& place : places)
            m_used[static_cast<std::size_t>(place.cls)] -= place.devices;
    }

    // Launch-count schedules hold one micro-batch for every stage behind, others at least one.
    int leastInFlight() const {
        const Pipeline& pipeline = m_pipelines.back();
        return m_launchCounts
                   ? static_cast<int>(std::min<std::int64_t>(
                         pipeline.microbatches, static_cast<std::int64_t>(pipeline.stages.size()) + 1))
                   : 1;
    }

    // The layers of a stage under any schedule: where chunks stand in a V the head is with the first one.
    LayerRange surelyHeld(const Stage& stage) const {
        LayerRange range = stage.chunks.front();
        if (!m_launchCounts)
            range.last = std::min(range.last, static_cast<int>(m_problem.layers().size()) - 2);
        return range;
    }

    bool hopeless(double time, double missing) const {
        return m_prune == Prune::ByBound &&
               (static_cast<double>(m_pipelines.back().microbatches) * time >= m_run.best() || missing > 0.0);
    }

    bool mixedHopeless(const Stage& stage) const {
        double time = 0.0, missing = 0.0;
        for (const Replica& replica : stage.replicas) {
            CostConfig config;
            placeOn(config, m_problem.topology(), replica.devices.front());
            config.tp = stage.tp;
            config.mbs = static_cast<int>(
                std::llround(replica.share * static_cast<double>(m_pipelines.back().microbatchSize)));
            config.recompute = stage.recompute;
            config.sequenceParallel = stage.sequenceParallel;
            const LayerRange range = surelyHeld(stage);
            const StageCost cost =
                m_run.table().costs(config).stage(range.first, range.last, stage.dp(), stage.zero);
            const Device& device =
                m_problem.topology().devices()[static_cast<std::size_t>(replica.devices.front())];
            time = std::max(time, cost.total());
            missing =
                std::max(missing, memoryTotal(m_problem, cost, leastInFlight()) - device.capacity.value);
        }
        return hopeless(time, missing);
    }

    void judge() {
        const Plan drawn{m_pipelines};
        for (const ScheduleTrial& trial : m_trials) {
            if (m_run.over())
                return;
            if (std::optional<Plan> plan = underSchedule(m_problem, drawn, trial))
                m_run.consider(*std::move(plan), SearchRun::Charge::One);
        }
    }

    SearchRun& m_run;
    const Problem& m_problem;
    const Prune m_prune;
    const std::vector<ScheduleTrial> m_trials;
    const bool m_launchCounts;                // only such schedules
    std::vector<Pipeline> m_pipelines;        // stages in the order of the forward pass
    std::vector<int> m_used;                  // devices, by class, of all pipelines
    std::vector<std::vector<bool>> m_entered; // by pipeline and class
};

} // namespace

bool walkWiderSpace(SearchRun& run, Prune prune) {
    const auto phase = run.phase("enumeration");
    WiderWalk(run, prune).all();
    return !run.over();
}

} // namespace pw

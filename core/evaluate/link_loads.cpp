// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/link_loads.h"

#include "core/cost/roofline.h"
#include "core/evaluate/priced_stage.h"
#include "core/evaluate/shared_layers.h"

#include <algorithm>
#include <numeric>

namespace pw {

double LinkLoad::total() const {
    return std::accumulate(seconds.begin(), seconds.end(), 0.0);
}

namespace {

class Meter {
public:
    Meter(const Problem& problem, const CostTable& costs)
        : m_problem(problem), m_costs(costs), m_loads(problem.topology().cluster().links.size()) {}

    LinkLoads loads() && { return std::move(m_loads); }

    // What moves, so many times.
    void add(const Traffic& traffic, double times, LinkUse use) {
        for (const Traffic::Load& load : traffic.loads())
            if (const int link = Traffic::linkOf(m_problem.topology(), load.resource); link >= 0) {
                LinkLoad& way =
                    m_loads[static_cast<std::size_t>(link)][Traffic::isForward(load.resource) ? 0 : 1];
                way.seconds[static_cast<std::size_t>(use)] += times * load.seconds;
                way.bytes += times * load.bytes;
            }
    }

    // Each boundary, out and back, for every micro-batch.
    void addSends(const Pipeline& pipeline) {
        const ChunkLayout layout = pipeline.layout();
        const Bytes bytes(boundaryBytes(m_problem, static_cast<double>(pipeline.microbatchSize)));
        for (int v = 0; v + 1 < layout.virtualStages(); ++v) {
            const Stage& from = pipeline.stages[static_cast<std::size_t>(layout.stageOf(v))];
            const Stage& to = pipeline.stages[static_cast<std::size_t>(layout.stageOf(v + 1))];
            if (&from == &to)
                continue;
            const auto times = static_cast<double>(pipeline.microbatches);
            add(sent(senders(from), senders(to), bytes), times, LinkUse::Activations);
            add(sent(senders(to), senders(from), bytes), times, LinkUse::Activations);
        }
    }

    // What the ranks of a stage exchange for every micro-batch.
    void addExchanges(const Pipeline& pipeline, const Stage& stage) {
        const std::vector<std::vector<DeviceIndex>> ranks = sharingRanks(stage);
        Replica mean = stage.replicas.front(); // of the replicas' shares
        mean.share = 0.0;
        for (const Replica& replica : stage.replicas)
            mean.share += replica.share / static_cast<double>(stage.replicas.size());
        CostConfig config = configOf(m_problem, stage, mean, pipeline.microbatchSize, false);
        config.mbs = std::max(1, config.mbs);
        config.recompute = stage.recompute;
        const auto times = static_cast<double>(pipeline.microbatches);
        const SpanningGroups groups = spanningGroups(m_problem.topology(), config, ranks);
        if (!groups.tensor.empty() || !groups.context.empty() || !groups.experts.empty()) {
            const PassedBytes passed = passedBy(config, stage);
            const GroupBytes each = groupBytes(m_problem, config);
            addCalls(groups.tensor, Collective::AllReduce, boundaryBytes(m_problem, config.mbs),
                     passed.tensor * times, LinkUse::Tensor);
            addCalls(groups.context, Collective::AllGather, each.context, passed.context * times,
                     LinkUse::Context);
            addCalls(groups.experts, Collective::AllToAll, each.experts, passed.experts * times,
                     LinkUse::Experts);
        }
        if (shardingInUse(pipeline, stage) < 3 || ranks.size() < 2)
            return;
        const StateBytes bytes = stateBytes(m_problem);
        const double weights = parametersOf(config, stage) * bytes.weight; // of a rank, whole
        addCalls(weightGroups(m_problem, ranks), Collective::AllGather,
                 weights / std::max<double>(1.0, static_cast<double>(m_problem.model().blocks)),
                 weights * (2.0 + bytes.gradient / bytes.weight) * times, LinkUse::Weights);
    }

    // Once an iteration; nothing is taken off for what hides behind computation.
    void addSums(const Pipeline& pipeline, std::size_t i, const PricedStage& priced) {
        const Stage& stage = pipeline.stages[i];
        add(syncTraffic(m_problem, sharingRanks(stage), shardingInUse(pipeline, stage), priced.slowest, true,
                        0.0, sumsOf(pipeline, stage)),
            1.0, LinkUse::Gradients);
    }

    void addTied(const Pipeline& pipeline) {
        const ChunkLayout layout = pipeline.layout();
        const Stage& first = pipeline.stages.front();
        const Stage& last =
            pipeline.stages[static_cast<std::size_t>(layout.stageOf(layout.virtualStages() - 1))];
        if (&first == &last || !headTakesEmbedding(m_problem.model()))
            return;
        const RankGroup a{first.replicas.front().devices, 1.0}, b{last.replicas.front().devices, 1.0};
        const Bytes matrix(tiedBytes(m_problem));
        add(sent({a}, {b}, matrix), 1.0, LinkUse::Gradients);
        add(sent({b}, {a}, matrix), 1.0, LinkUse::Gradients);
    }

private:
    Traffic sent(const std::vector<RankGroup>& from, const std::vector<RankGroup>& to, Bytes bytes) const {
        return boundaryTraffic(m_problem.topology(), m_problem.constants().comm(), from, to, bytes);
    }

    // So many bytes in calls of `each`.
    void addCalls(const std::vector<std::vector<DeviceIndex>>& groups, Collective collective, double each,
                  double bytes, LinkUse use) {
        if (!groups.empty() && each > 0.0)
            add(collectiveTraffic(m_problem.topology(), m_problem.constants().comm(), groups, collective,
                                  Bytes(each)),
                bytes / each, use);
    }

    // Full recompute may be of the first blocks only.
    PassedBytes passedBy(CostConfig config, const Stage& stage) const {
        PassedBytes sum;
        const bool partial = stage.recompute == Recompute::Full && stage.recomputeLayers > 0;
        int covered = stage.recomputeLayers; // blocks
        const int last = 2 * static_cast<int>(m_problem.model().blocks) + 1;
        for (const LayerRange& range : stage.chunks) {
            const int split = 2 * (range.first / 2 + covered); // last fine layer that is recomputed
            covered = std::max(0, covered - (range.last / 2 - range.first / 2));
            for (int layer = range.first; layer <= range.last; ++layer) {
                if (partial)
                    config.recompute = layer <= split ? Recompute::Full : Recompute::None;
                const LayerShape shape = layer == 0       ? LayerShape{LayerKind::Embedding}
                                         : layer == last  ? LayerShape{LayerKind::Head}
                                         : layer % 2 == 1 ? LayerShape{LayerKind::Attention, layer / 2}
                                                          : LayerShape{LayerKind::Mlp, layer / 2 - 1};
                const PassedBytes own = passedBytes(m_problem, config, shape);
                sum.tensor += own.tensor;
                sum.context += own.context;
                sum.experts += own.experts;
            }
        }
        return sum;
    }

    double parametersOf(const CostConfig& config, const Stage& stage) const {
        double parameters = 0.0;
        for (const LayerRange& range : stage.chunks)
            parameters += m_costs.costs(config).stage(range.first, range.last, 1, 0).weights /
                          stateBytes(m_problem).weight;
        return parameters;
    }

    const Problem& m_problem;
    const CostTable& m_costs;
    LinkLoads m_loads;
};

} // namespace

LinkLoads linkLoads(const Problem& problem, const Plan& plan) {
    const CostTable costs(problem);
    Meter meter(problem, costs);
    std::vector<std::vector<PricedStage>> priced;
    for (const Pipeline& pipeline : plan.pipelines) {
        priced.push_back(priceStages(problem, costs, pipeline));
        meter.addSends(pipeline);
        meter.addTied(pipeline);
        for (const Stage& stage : pipeline.stages)
            meter.addExchanges(pipeline, stage);
    }
    // Between pipelines of different shape gradients are summed layer by layer, and inside one only where
    // its optimiser is sharded.
    for (std::size_t p = 0; p < priced.size(); ++p)
        for (std::size_t i = 0; i < priced[p].size(); ++i) {
            if (priced.size() == 1 || shardingInUse(plan.pipelines[p], plan.pipelines[p].stages[i]) > 0)
                meter.addSums(plan.pipelines[p], i, priced[p][i]);
            priced[p][i].slowest.backward = 0.0; // nothing to hide behind
        }
    for (const SharedRun& run : sharedRuns(problem, costs, plan, priced))
        meter.add(run.sync, 1.0, LinkUse::Gradients);
    return std::move(meter).loads();
}

} // namespace pw

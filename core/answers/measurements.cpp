// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/answers.h"

#include "core/accuracy/band.h"
#include "core/cost/cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

namespace pw {

namespace {

constexpr double kRepeat = 0.01;   // by which two measurements of one layer differ
constexpr std::size_t kTried = 16; // rows to move, by their share of time and uncertainty
constexpr std::size_t kMeasurements = 5;

// Layers that a profiler tells apart by nothing but their number, as ProfileRow counts them.
std::vector<std::vector<int>> likeLayers(const Problem& problem) {
    const std::vector<FineLayer>& fine = problem.layers();
    const int blocks = static_cast<int>(problem.model().blocks);
    std::vector<std::vector<int>> classes = {{0}};
    std::map<std::tuple<double, double, double, double>, std::size_t> byWork;
    for (int b = 1; b <= blocks; ++b) {
        const FineLayer& attention = fine[static_cast<std::size_t>(2 * b - 1)];
        const FineLayer& mlp = fine[static_cast<std::size_t>(2 * b)];
        const auto [at, fresh] = byWork.try_emplace(
            {attention.forwardFlops.value, mlp.forwardFlops.value, attention.parameters, mlp.parameters},
            classes.size());
        if (fresh)
            classes.emplace_back();
        classes[at->second].push_back(b);
    }
    classes.push_back({blocks + 1});
    return classes;
}

LayerRange fineLayersOf(int profileLayer, int blocks) {
    if (profileLayer == 0)
        return {0, 0};
    if (profileLayer > blocks)
        return {2 * blocks + 1, 2 * blocks + 1};
    return {2 * profileLayer - 1, 2 * profileLayer};
}

struct LayerPoint {
    int kind, layers, tp, mbs; // `layers`: index into likeLayers()
    auto operator<=>(const LayerPoint&) const = default;
};

class Measurements {
public:
    Measurements(const Problem& problem, const SearchOutcome& outcome, std::size_t plans)
        : m_problem(problem), m_outcome(outcome), m_plans(std::min(plans, outcome.plans.size())),
          m_layers(likeLayers(problem)), m_costs(problem) {}

    std::vector<MeasurementAnswer> run(const std::stop_token& stop) {
        std::vector<MeasurementAnswer> answers;
        if (m_plans < 2)
            return answers;
        for (std::size_t p = 0; p < 2; ++p)
            addShares(m_outcome.plans[p]);
        const FoundPlan& first = m_outcome.plans.front();
        const ErrorBand band = errorBand(m_problem, first.plan, first.evaluation);
        std::vector<std::pair<LayerPoint, MeasurementAnswer>> candidates;
        for (const auto& [point, share] : m_shares)
            candidates.emplace_back(point, candidate(point, share, band));
        std::stable_sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
            const auto weight = [](const MeasurementAnswer& m) { return m.share * std::log(m.high / m.low); };
            return weight(a.second) > weight(b.second);
        });
        candidates.resize(std::min(candidates.size(), kTried));
        for (auto& [point, answer] : candidates) {
            if (stop.stop_requested())
                break;
            if (move(point, answer))
                answers.push_back(std::move(answer));
        }
        std::stable_sort(answers.begin(), answers.end(),
                         [](const MeasurementAnswer& a, const MeasurementAnswer& b) {
                             return a.flips != b.flips ? a.flips : a.swing() > b.swing();
                         });
        answers.resize(std::min(answers.size(), kMeasurements));
        return answers;
    }

private:
    CostConfig configOf(const LayerPoint& point) const {
        CostConfig config = m_configs.at(point);
        config.recompute = Recompute::None;
        return config;
    }

    StageCost costOf(const LayerPoint& point) const {
        const LayerRange range = fineLayersOf(m_layers[static_cast<std::size_t>(point.layers)].front(),
                                              static_cast<int>(m_problem.model().blocks));
        return m_costs.costs(configOf(point)).stage(range.first, range.last, 1, 0);
    }

    // Computing time by point, as a share of the plan's; the larger one of the plans stays.
    void addShares(const FoundPlan& found) {
        const Topology& topology = m_problem.topology();
        std::map<LayerPoint, double> times;
        double all = 0.0;
        for (const Pipeline& pipeline : found.plan.pipelines)
            for (const Stage& stage : pipeline.stages) {
                if (!stage.partition.empty())
                    continue; // priced by the roofline, whatever is measured
                const DeviceIndex device = stage.replicas.front().devices.front();
                CostConfig config;
                placeOn(config, topology, device);
                config.speed = 1.0;
                config.tp = stage.tp;
                config.cp = stage.cp;
                config.ep = stage.ep;
                config.expertTp = stage.expertTp();
                config.sequenceParallel = stage.sequenceParallel;
                config.mbs =
                    static_cast<int>(std::max(1.0, std::round(static_cast<double>(pipeline.microbatchSize) *
                                                              stage.replicas.front().share)));
                for (std::size_t c = 0; c < m_layers.size(); ++c) {
                    const auto held = std::count_if(m_layers[c].begin(), m_layers[c].end(), [&](int layer) {
                        const LayerRange range =
                            fineLayersOf(layer, static_cast<int>(m_problem.model().blocks));
                        return std::any_of(stage.chunks.begin(), stage.chunks.end(),
                                           [&](const LayerRange& chunk) {
                                               return chunk.first <= range.first && range.last <= chunk.last;
                                           });
                    });
                    if (held == 0)
                        continue;
                    const LayerPoint point{config.kind, static_cast<int>(c), config.tp, config.mbs};
                    m_configs.emplace(point, config);
                    const double time = static_cast<double>(held) * costOf(point).total() *
                                        static_cast<double>(pipeline.microbatches) * stage.deviceCount();
                    times[point] += time;
                    all += time;
                }
            }
        for (const auto& [point, time] : times)
            if (all > 0.0)
                m_shares[point] = std::max(m_shares[point], time / all);
    }

    MeasurementAnswer candidate(const LayerPoint& point, double share, const ErrorBand& band) const {
        MeasurementAnswer answer;
        const std::vector<int>& layers = m_layers[static_cast<std::size_t>(point.layers)];
        const int blocks = static_cast<int>(m_problem.model().blocks);
        answer.kind = m_problem.topology().kinds()[static_cast<std::size_t>(point.kind)].name;
        answer.profileLayer = layers.front();
        answer.layer = layers.front() == 0       ? "embedding"
                       : layers.front() > blocks ? "head"
                       : m_layers.size() == 3    ? "block"
                                                 : fmt::format("block {}", layers.front() - 1);
        answer.tp = point.tp;
        answer.mbs = point.mbs;
        answer.provenance = costOf(point).provenance;
        answer.share = share;
        const bool measured = answer.provenance == Provenance::Measured;
        answer.low = measured ? 1.0 - kRepeat : band.low;
        answer.high = measured ? 1.0 + kRepeat : band.high;
        return answer;
    }

    // The iterations of the plans with the point's times at `factor`; nothing if they cannot be had.
    std::optional<std::vector<double>> timesWith(const LayerPoint& point, double factor) const {
        const StageCost cost = costOf(point);
        std::vector<ProfileRow> rows = m_problem.profiles().rows();
        for (const int layer : m_layers[static_cast<std::size_t>(point.layers)]) {
            ProfileRow row;
            row.model = m_problem.model().name;
            row.kind = m_problem.topology().kinds()[static_cast<std::size_t>(point.kind)].name;
            row.layer = layer;
            row.tp = point.tp;
            row.mbs = point.mbs;
            row.seq = m_problem.recipe().seq;
            row.precision = name(m_problem.precision());
            row.forward = Seconds(cost.forward * factor);
            row.backward = Seconds(cost.backward * factor);
            row.update = Seconds(cost.optimizer);
            row.source = "assumed";
            std::erase_if(rows, [&row](const ProfileRow& other) { // what another source says of the point
                return other.kind == row.kind && other.layer == row.layer && other.tp == row.tp &&
                       other.mbs == row.mbs && other.seq == row.seq && other.precision == row.precision;
            });
            rows.push_back(std::move(row));
        }
        const auto moved =
            Problem::make(m_problem.topology().cluster(), m_problem.model(), m_problem.recipe(),
                          std::move(rows), m_problem.space(), m_problem.constants());
        if (!moved)
            return std::nullopt;
        const CostTable costs(**moved);
        std::vector<double> times;
        for (std::size_t p = 0; p < m_plans; ++p) {
            const auto evaluation = evaluate(**moved, costs, m_outcome.plans[p].plan);
            if (!evaluation)
                return std::nullopt;
            times.push_back(evaluation->iteration.value);
        }
        return times;
    }

    bool move(const LayerPoint& point, MeasurementAnswer& answer) const {
        for (const bool up : {false, true}) {
            const auto times = timesWith(point, up ? answer.high : answer.low);
            if (!times)
                return false;
            const auto other = std::min_element(times->begin() + 1, times->end());
            const double ratio = *other / times->front();
            (up ? answer.ratioHigh : answer.ratioLow) = ratio;
            constexpr double kRounding = 1e-9; // a tie is no other order
            if (ratio < 1.0 - kRounding) {
                answer.flips = true;
                answer.becomesFirst = static_cast<std::size_t>(other - times->begin());
            }
        }
        return true;
    }

    const Problem& m_problem;
    const SearchOutcome& m_outcome;
    const std::size_t m_plans;
    const std::vector<std::vector<int>> m_layers;
    CostTable m_costs;
    std::map<LayerPoint, double> m_shares;
    std::map<LayerPoint, CostConfig> m_configs;
};

} // namespace

double MeasurementAnswer::swing() const {
    return std::abs(std::log(ratioHigh / ratioLow));
}

std::vector<MeasurementAnswer> measurementsThatMatter(const Problem& problem, const SearchOutcome& outcome,
                                                      std::size_t plans, const std::stop_token& stop) {
    return Measurements(problem, outcome, plans).run(stop);
}

} // namespace pw

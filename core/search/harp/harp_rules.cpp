// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/harp/harp_rules.h"

#include "core/base/quantity.h"

namespace pw {

std::vector<double> HarpRules::limits() const {
    std::vector<double> all;
    for (const int c : q.order) {
        const HarpCluster& cluster = in.clusters[static_cast<std::size_t>(c)];
        for (std::size_t s = 0; s < cluster.sizes.size(); ++s) {
            for (int r = 0; r < in.runs; ++r)
                for (const HarpWay& way : in.ways[in.waysAt(c, s, r)])
                    all.push_back(way.time);
            for (int cut = 1; cut < in.layers && q.boundaries; ++cut) {
                all.push_back(in.hostSend[in.hostSendAt(c, s, cut)]);
                for (const int to : q.order)
                    all.push_back(in.send[in.sendAt(c, s, to, cut)]);
            }
        }
    }
    std::erase_if(all, [](double t) { return !std::isfinite(t); });
    std::sort(all.begin(), all.end());
    // The largest of each run of close ones, which allows all of them.
    std::vector<double> kept;
    double start = -kNever;
    for (const double t : all) {
        if (!kept.empty() && t - start <= q.merge * start) {
            kept.back() = t;
            continue;
        }
        kept.push_back(t);
        start = t;
    }
    return kept;
}

std::size_t HarpInput::mostSizes() const {
    std::size_t most = 1;
    for (const HarpCluster& cluster : clusters)
        most = std::max(most, cluster.sizes.size());
    return most;
}

void HarpInput::resize() {
    const std::size_t rows = clusters.size() * mostSizes();
    run.assign(static_cast<std::size_t>(layers * (layers + 1)), 0);
    ways.assign(rows * static_cast<std::size_t>(runs), {});
    hostSend.assign(rows * static_cast<std::size_t>(layers + 1), kNever);
    send.assign(rows * clusters.size() * static_cast<std::size_t>(layers + 1), kNever);
    ends.assign(clusters.size() * clusters.size(), 0.0);
}

void addHarpWay(std::vector<HarpWay>& ways, const HarpWay& way) {
    // Whatever stands behind and in front, the sums of the programme follow from these.
    const auto beats = [](const HarpWay& a, const HarpWay& b) {
        return a.time <= b.time && a.held >= b.held && a.time + a.sync <= b.time + b.sync &&
               a.time - a.backward <= b.time - b.backward;
    };
    if (std::any_of(ways.begin(), ways.end(), [&](const HarpWay& known) { return beats(known, way); }))
        return;
    std::erase_if(ways, [&](const HarpWay& known) { return beats(way, known); });
    ways.insert(std::upper_bound(ways.begin(), ways.end(), way.time,
                                 [](double t, const HarpWay& w) { return t < w.time; }),
                way);
}

std::optional<HarpPlan> harpObjective(const HarpInput& input, const HarpQuestion& question,
                                      std::vector<HarpPlan::Stage> stages) {
    const HarpRules rules(input, question);
    std::vector<int> used(input.clusters.size(), 0);
    double sum = 0.0, late = 0.0, slowest = 0.0;
    std::vector<double> sends(stages.size(), 0.0);
    std::vector<bool> inside(stages.size(), true);
    for (std::size_t i = stages.size(); i-- > 0;) {
        HarpPlan::Stage& stage = stages[i];
        const auto cluster = static_cast<std::size_t>(stage.cluster);
        if (i + 1 < stages.size()) {
            const int back = stages[i + 1].cluster;
            const int taken = used[static_cast<std::size_t>(back)];
            inside[i] = rules.insideHost(stage.cluster, back, taken);
            sends[i] = rules.send(stage.cluster, stage.size, back, taken, stage.end);
        }
        const int devices = input.clusters[cluster].sizes[stage.size];
        if (!rules.placeable(stage.cluster, used[cluster], devices))
            return std::nullopt;
        stage.position = used[cluster];
        used[cluster] += devices;
        const int run = input.run[input.runAt(stage.first, stage.end)];
        const HarpWay& way = input.ways[input.waysAt(stage.cluster, stage.size, run)][stage.way];
        sum += way.time + 2.0 * sends[i];
        late = rules.late(way, late, sends[i]);
        slowest = std::max({slowest, way.time, sends[i]});
    }
    if (stages.size() > 1)
        late += input.ends[input.endsAt(stages.front().cluster, stages.back().cluster)];
    if (!std::isfinite(late))
        return std::nullopt;
    for (const double limit : rules.limits()) {
        if (limit < slowest)
            continue;
        bool fits = true;
        for (std::size_t i = stages.size(); i-- > 0 && fits;) {
            HarpPlan::Stage& stage = stages[i];
            stage.launch = i + 1 == stages.size()
                               ? 1
                               : rules.launchAfter(stages[i + 1].launch, sends[i], inside[i], limit);
            const int run = input.run[input.runAt(stage.first, stage.end)];
            fits = stage.launch <= input.ways[input.waysAt(stage.cluster, stage.size, run)][stage.way].held;
        }
        if (fits)
            return HarpPlan{std::move(stages), limit, rules.total(sum + late, limit)};
    }
    return std::nullopt;
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/schedule/schedule.h"
#include "core/search/harp/harp_programme.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

using namespace pw;

namespace {

constexpr std::uint64_t kHarpProgrammeSeed = 20260927;
constexpr double kNoLimit = std::numeric_limits<double>::infinity();
const std::function<bool(std::int64_t)> kNeverDone = [](std::int64_t) { return false; };

// Two or three clusters with tables drawn apart from each other: no time follows from another, links from
// nothing to stage scale, some missing, memory that does not always hold what launches ask for.
HarpInput randomInput(Random& random) {
    HarpInput in;
    in.layers = 2 + static_cast<int>(random.below(4));
    in.microbatches = 1 + static_cast<std::int64_t>(random.below(24));
    const std::size_t clusters = 2 + random.below(2);
    for (std::size_t c = 0; c < clusters; ++c) {
        HarpCluster cluster;
        cluster.perHost = 1 + static_cast<int>(random.below(2));
        cluster.devices = cluster.perHost * (1 + static_cast<int>(random.below(2)));
        cluster.sizes = {1};
        if (cluster.devices > 1)
            cluster.sizes.push_back(2);
        in.clusters.push_back(cluster);
    }
    in.stages = 1 + static_cast<int>(random.below(5));
    in.runs = in.layers * (in.layers + 1);
    in.resize();
    std::iota(in.run.begin(), in.run.end(), 0);
    for (std::size_t c = 0; c < clusters; ++c)
        for (std::size_t s = 0; s < in.clusters[c].sizes.size(); ++s) {
            for (int first = 0; first < in.layers; ++first)
                for (int end = first + 1; end <= in.layers; ++end) {
                    auto& ways = in.ways[in.waysAt(static_cast<int>(c), s, in.run[in.runAt(first, end)])];
                    double time = (end - first) * random.uniform(0.5, 1.5) / static_cast<double>(s + 1);
                    int held = static_cast<int>(random.below(5));
                    for (std::size_t w = random.below(4); w > 0; --w) {
                        const double sync = random.below(2) == 0 ? 0.0 : random.uniform(0.0, 4.0);
                        addHarpWay(ways, {time, held, 0, time * random.uniform(0.3, 0.7), sync});
                        time += random.uniform(0.1, 1.0);
                        held += 1 + static_cast<int>(random.below(4));
                    }
                }
            for (int cut = 1; cut < in.layers; ++cut) {
                const auto draw = [&](double largest) {
                    return random.below(4) == 0 ? 0.0 : random.uniform(0.0, largest);
                };
                in.hostSend[in.hostSendAt(static_cast<int>(c), s, cut)] =
                    draw(random.below(3) == 0 ? 2.0 : 0.1);
                for (std::size_t to = 0; to < clusters; ++to)
                    in.send[in.sendAt(static_cast<int>(c), s, static_cast<int>(to), cut)] =
                        random.below(8) == 0 ? kNoLimit : draw(2.0);
            }
        }
    if (random.below(2) == 0) // a tied model
        for (std::size_t first = 0; first < clusters; ++first)
            for (std::size_t last = 0; last < clusters; ++last)
                in.ends[in.endsAt(static_cast<int>(first), static_cast<int>(last))] =
                    first != last && random.below(6) == 0 ? kNoLimit : random.uniform(0.0, 3.0);
    return in;
}

HarpQuestion randomQuestion(Random& random, const HarpInput& in) {
    HarpQuestion q;
    for (std::size_t c = 0; c < in.clusters.size(); ++c)
        q.order.insert(q.order.begin() + static_cast<std::ptrdiff_t>(random.below(c + 1)),
                       static_cast<int>(c));
    q.launch =
        std::vector<HarpLaunch>{HarpLaunch::Artifact, HarpLaunch::Ceil, HarpLaunch::Classic}[random.below(3)];
    q.allDevices = random.below(2) == 0;
    q.merge = 0.0;
    return q;
}

// Every pipeline of the definition, stage by stage from the last one, under every t_max.
class BruteForce {
public:
    BruteForce(const HarpInput& input, const HarpQuestion& question) : in(input), q(question) {
        std::set<double> limits;
        for (const auto& ways : in.ways)
            for (const HarpWay& way : ways)
                limits.insert(way.time);
        for (const double t : in.hostSend)
            limits.insert(t);
        for (const double t : in.send)
            limits.insert(t);
        for (const double limit : limits)
            if (std::isfinite(limit)) {
                m_limit = limit;
                m_used.assign(in.clusters.size(), 0);
                stage(in.layers, -1, 0, 0, {});
            }
    }
    double best = kNoLimit;
    std::int64_t plans = 0;

private:
    struct Sum {
        double time = 0.0, late = 0.0; // stages and boundaries; gradient sums beyond the last backward pass
        int last = -1;                 // cluster of the last stage
    };
    void stage(int end, int place, int launch, int stages, const Sum& sum) {
        if (end == 0) {
            bool all = true;
            for (std::size_t c = 0; c < in.clusters.size(); ++c)
                all = all && m_used[c] == in.clusters[c].devices;
            const int first = q.order[static_cast<std::size_t>(place)];
            const double ends = stages > 1 ? in.ends[in.endsAt(first, sum.last)] : 0.0;
            if ((all || !q.allDevices) && std::isfinite(ends)) {
                ++plans;
                best = std::min(best, sum.time + sum.late + ends +
                                          static_cast<double>(in.microbatches - 1) * m_limit);
            }
            return;
        }
        if (stages == in.stages)
            return;
        const auto clusters = static_cast<int>(q.order.size());
        for (int p = place < 0 ? clusters - 1 : place; p >= 0; --p)
            for (std::size_t s = 0;
                 s < in.clusters[static_cast<std::size_t>(q.order[static_cast<std::size_t>(p)])].sizes.size();
                 ++s)
                put(end, place, p, s, launch, stages, sum);
    }
    void put(int end, int place, int p, std::size_t s, int launch, int stages, const Sum& sum) {
        const int c = q.order[static_cast<std::size_t>(p)];
        const HarpCluster& cluster = in.clusters[static_cast<std::size_t>(c)];
        int& used = m_used[static_cast<std::size_t>(c)];
        const int size = cluster.sizes[s];
        const bool whole = size % cluster.perHost == 0 && used % cluster.perHost == 0;
        if (used + size > cluster.devices || (!whole && used % cluster.perHost + size > cluster.perHost))
            return;
        double send = 0.0;
        int now = 1;
        if (place >= 0) {
            const int behind = q.order[static_cast<std::size_t>(place)];
            const bool inside = p == place && used % cluster.perHost != 0;
            send = inside ? in.hostSend[in.hostSendAt(c, s, end)] : in.send[in.sendAt(c, s, behind, end)];
            if (send > m_limit)
                return;
            int delta = 1;
            if (!inside && q.launch == HarpLaunch::Artifact && send > 0.0)
                delta = send < m_limit / 10 ? 1 : send < m_limit / 2 ? 2 : 3;
            if (!inside && q.launch == HarpLaunch::Ceil)
                delta = 1 + static_cast<int>(std::ceil(2.0 * send / m_limit - 1e-9));
            now = static_cast<int>(std::min<std::int64_t>(in.microbatches, launch + std::max(1, delta)));
        }
        used += size;
        for (int first = 0; first < end; ++first)
            for (const HarpWay& way : in.ways[in.waysAt(c, s, in.run[in.runAt(first, end)])])
                if (way.time <= m_limit && way.held >= now)
                    stage(first, p, now, stages + 1,
                          {sum.time + way.time + 2.0 * send,
                           std::max(way.sync, sum.late - send - way.backward), place < 0 ? c : sum.last});
        used -= size;
    }

    const HarpInput& in;
    const HarpQuestion& q;
    double m_limit = 0.0;
    std::vector<int> m_used;
};

QString drawnLine(int n, double a, double b) {
    return QString("seed %1, draw %2: %3 against %4")
        .arg(kHarpProgrammeSeed)
        .arg(n)
        .arg(a, 0, 'g', 12)
        .arg(b, 0, 'g', 12);
}

// One layer a stage on one GPU of each of two clusters, so that only cut and launches are left to choose.
HarpInput twoClusters(int layers, double layer, double link, int heldInFront) {
    HarpInput in;
    in.layers = layers;
    in.stages = 2;
    in.microbatches = 32;
    in.clusters = {{1, 1, {1}}, {1, 1, {1}}};
    in.runs = layers;
    in.resize();
    for (int first = 0; first < layers; ++first)
        for (int end = first + 1; end <= layers; ++end)
            in.run[in.runAt(first, end)] = end - first - 1;
    for (int n = 1; n <= layers; ++n) {
        in.ways[in.waysAt(0, 0, n - 1)] = {{layer * n, heldInFront / n, 0}};
        in.ways[in.waysAt(1, 0, n - 1)] = {{layer * n, 64, 0}};
    }
    for (int cut = 1; cut < layers; ++cut)
        in.send[in.sendAt(0, 0, 1, cut)] = link;
    return in;
}

} // namespace

// HARP's dynamic programme against its own definition (resources/manual/planners/harp.md#the-programme).
class HarpProgrammeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equalsBruteForce() {
        Random random(kHarpProgrammeSeed);
        int feasible = 0, infeasible = 0, onThree = 0;
        for (int n = 0; n < 900; ++n) {
            const HarpInput in = randomInput(random);
            HarpQuestion q = randomQuestion(random, in);
            const BruteForce truth(in, q);
            const std::vector<HarpPlan> found = harpProgramme(in, q, kNeverDone);
            QVERIFY2(found.empty() == !std::isfinite(truth.best), qPrintable(drawnLine(n, 0.0, truth.best)));
            if (found.empty()) {
                ++infeasible;
                continue;
            }
            ++feasible;
            onThree += in.clusters.size() == 3 ? 1 : 0;
            const double total = found.front().total;
            QVERIFY2(std::abs(total - truth.best) < 1e-9, qPrintable(drawnLine(n, total, truth.best)));
            // The same without bisection and cut; coarser candidates only cost what they are apart.
            q.pruned = false;
            const std::vector<HarpPlan> all = harpProgramme(in, q, kNeverDone);
            QVERIFY2(std::abs(all.front().total - total) < 1e-9,
                     qPrintable(drawnLine(n, all.front().total, total)));
            q.pruned = true;
            q.merge = 0.05;
            const std::vector<HarpPlan> coarse = harpProgramme(in, q, kNeverDone);
            QVERIFY2(!coarse.empty() && coarse.front().total >= total - 1e-9 &&
                         coarse.front().total <= total * 1.05 + 1e-9,
                     qPrintable(drawnLine(n, coarse.front().total, total)));
            q.merge = 0.0;
            q.below = total;
            QVERIFY2(harpProgramme(in, q, kNeverDone).empty(), qPrintable(drawnLine(n, total, total)));
            q.below = total * (1 + 1e-9);
            QVERIFY2(!harpProgramme(in, q, kNeverDone).empty(), qPrintable(drawnLine(n, total, total)));
        }
        QVERIFY2(feasible >= 500 && infeasible >= 50 && onThree >= 150,
                 qPrintable(QString("%1 %2 %3").arg(feasible).arg(infeasible).arg(onThree)));
    }

    // Two cuts behind the first cluster: a quick one over a slow link, whose launches the front cannot hold,
    // and a slower one over a fast link. One value a state would keep the quick one alone.
    void statesKeepWhatLaunchesLess() {
        HarpInput in;
        in.layers = 4;
        in.stages = 3;
        in.microbatches = 16;
        in.clusters = {{1, 1, {1}}, {1, 1, {1}}, {1, 1, {1}}};
        in.runs = in.layers * (in.layers + 1);
        in.resize();
        std::iota(in.run.begin(), in.run.end(), 0);
        const auto way = [&](int cluster, int first, int end, double time, int held) {
            in.ways[in.waysAt(cluster, 0, in.run[in.runAt(first, end)])] = {{time, held, 0}};
        };
        way(0, 0, 1, 2.0, 3);
        way(1, 1, 2, 1.0, 16);
        way(2, 2, 4, 1.0, 16);
        way(1, 1, 3, 1.5, 16);
        way(2, 3, 4, 1.5, 16);
        for (int cut = 1; cut < in.layers; ++cut)
            in.send[in.sendAt(0, 0, 1, cut)] = 0.0;
        in.send[in.sendAt(1, 0, 2, 2)] = 0.4;
        in.send[in.sendAt(1, 0, 2, 3)] = 0.0;
        HarpQuestion q;
        q.order = {0, 1, 2};
        const auto plans = harpProgramme(in, q, kNeverDone);
        QCOMPARE(plans.size(), std::size_t{1});
        QCOMPARE(plans.front().total, 2.0 + 1.5 + 1.5 + 15 * 2.0);
        QCOMPARE(plans.front().stages.front().launch, 3);
        QCOMPARE(plans.front().total, BruteForce(in, q).best);
        // With room for four the quick one it is.
        way(0, 0, 1, 2.0, 4);
        QCOMPARE(harpProgramme(in, q, kNeverDone).front().total, 2.0 + 1.0 + 0.8 + 1.0 + 15 * 2.0);
    }

    // Data parallelism over a slow network is no longer free: what summing its gradients takes counts, less
    // what the stages in front of it have still to do.
    void gradientSumsCount() {
        HarpInput in = twoClusters(4, 1.0, 0.0, 64);
        in.ways[in.waysAt(1, 0, 1)] = {{1.9, 64, 0, 1.2, 40.0}, {2.0, 64, 1, 1.3, 0.0}};
        HarpQuestion q;
        q.order = {0, 1};
        in.ways[in.waysAt(0, 0, 1)] = {{2.0, 64, 0, 1.5, 0.0}};
        const auto plans = harpProgramme(in, q, kNeverDone);
        QCOMPARE(plans.front().stages.back().way, std::size_t{1});
        QCOMPARE(plans.front().total, 4.0 + 31 * 2.0);
        // Behind one backward pass of 1.5 s a sum of 1.55 s ends 0.05 s late, less than the pass is quicker.
        in.ways[in.waysAt(1, 0, 1)].front().sync = 1.55;
        const auto hidden = harpProgramme(in, q, kNeverDone);
        QCOMPARE(hidden.front().stages.back().way, std::size_t{0});
        QVERIFY(std::abs(hidden.front().total - (3.9 + 0.05 + 31 * 2.0)) < 1e-9);
        // The ends of a tied model are summed after that; where they do not reach each other one stage is
        // left.
        in.ends[in.endsAt(0, 1)] = 0.25;
        QVERIFY(std::abs(harpProgramme(in, q, kNeverDone).front().total - (3.9 + 0.3 + 31 * 2.0)) < 1e-9);
        in.ends[in.endsAt(0, 1)] = kNoLimit;
        QVERIFY(harpProgramme(in, q, kNeverDone).empty());
        q.allDevices = false;
        const auto alone = harpProgramme(in, q, kNeverDone);
        QCOMPARE(alone.front().stages.size(), std::size_t{1});
    }

    // A link slower than every stage bounds the period, inside a host as between hosts.
    void slowLinksBoundThePeriod() {
        for (const int perHost : {1, 2}) {
            HarpInput in;
            in.layers = 2;
            in.stages = 2;
            in.microbatches = 10;
            in.clusters = {{2, perHost, {1}}};
            in.runs = 2;
            in.resize();
            in.run[in.runAt(0, 1)] = in.run[in.runAt(1, 2)] = 0;
            in.run[in.runAt(0, 2)] = 1;
            in.ways[in.waysAt(0, 0, 0)] = {{1.0, 10, 0}};
            (perHost == 1 ? in.send[in.sendAt(0, 0, 0, 1)] : in.hostSend[in.hostSendAt(0, 0, 1)]) = 2.0;
            HarpQuestion q;
            q.order = {0};
            const auto plans = harpProgramme(in, q, kNeverDone);
            QCOMPARE(plans.size(), std::size_t{1});
            QCOMPARE(plans.front().total, 1.0 + 1.0 + 2 * 2.0 + 9 * 2.0);
            QCOMPARE(plans.front().stages.front().launch, perHost == 1 ? 4 : 2);
        }
    }

    // What it returns is what it says, by a second way of adding it up; clusters in order, none entered
    // again, none of the missing links used.
    void plansKeepTheRules() {
        Random random(kHarpProgrammeSeed + 1);
        int plans = 0, crossings = 0;
        for (int n = 0; n < 600; ++n) {
            const HarpInput in = randomInput(random);
            HarpQuestion q = randomQuestion(random, in);
            q.keep = 4;
            for (const HarpPlan& plan : harpProgramme(in, q, kNeverDone)) {
                ++plans;
                int layer = 0;
                std::vector<int> entered;
                std::map<int, int> used;
                for (std::size_t i = 0; i < plan.stages.size(); ++i) {
                    const HarpPlan::Stage& stage = plan.stages[i];
                    QCOMPARE(stage.first, layer);
                    layer = stage.end;
                    if (entered.empty() || entered.back() != stage.cluster)
                        entered.push_back(stage.cluster);
                    used[stage.cluster] +=
                        in.clusters[static_cast<std::size_t>(stage.cluster)].sizes[stage.size];
                    if (i + 1 < plan.stages.size()) {
                        const HarpPlan::Stage& behind = plan.stages[i + 1];
                        const int host = in.clusters[static_cast<std::size_t>(behind.cluster)].perHost;
                        const int taken =
                            behind.position +
                            in.clusters[static_cast<std::size_t>(behind.cluster)].sizes[behind.size];
                        const bool inside = behind.cluster == stage.cluster && taken % host != 0;
                        QVERIFY(
                            inside ||
                            std::isfinite(
                                in.send[in.sendAt(stage.cluster, stage.size, behind.cluster, stage.end)]));
                        QVERIFY(stage.launch > behind.launch || stage.launch == in.microbatches);
                        crossings += inside ? 0 : 1;
                    } else {
                        QCOMPARE(stage.launch, 1);
                    }
                }
                QCOMPARE(layer, in.layers);
                QCOMPARE(std::set<int>(entered.begin(), entered.end()).size(), entered.size());
                std::vector<int> order = q.order;
                std::erase_if(order, [&](int c) { return !used.contains(c); });
                QCOMPARE(entered, order);
                if (q.allDevices)
                    for (std::size_t c = 0; c < in.clusters.size(); ++c)
                        QCOMPARE(used[static_cast<int>(c)], in.clusters[c].devices);
                const std::optional<HarpPlan> again = harpObjective(in, q, plan.stages);
                QVERIFY2(again && again->total <= plan.total + 1e-9,
                         qPrintable(drawnLine(n, again ? again->total : kNoLimit, plan.total)));
                if (again->limit == plan.limit)
                    QVERIFY(again->stages == plan.stages && std::abs(again->total - plan.total) < 1e-9);
            }
        }
        QVERIFY2(plans > 400 && crossings > 200, qPrintable(QString("%1 %2").arg(plans).arg(crossings)));
    }

    // Where 1F1B fits and the launches of H-1F1B at the same cut do not, the cut moves or the launches drop.
    void memoryCountsLaunches() {
        HarpQuestion q;
        q.order = {0, 1};
        q.launch = HarpLaunch::Classic;
        // Four layers; the front GPU holds four micro-batches of one layer, two of two. Halves fit under
        // 1F1B.
        HarpInput in = twoClusters(4, 1.0, 0.5, 4);
        const auto classic = harpProgramme(in, q, kNeverDone);
        QCOMPARE(classic.size(), std::size_t{1});
        QCOMPARE(classic.front().stages.front().end, 2);
        QCOMPARE(classic.front().stages.front().launch, 2);
        // H-1F1B wants three of them for a link of a quarter of a stage: too many at that cut.
        q.launch = HarpLaunch::Artifact;
        QVERIFY(!harpObjective(in, q, classic.front().stages));
        const auto moved = harpProgramme(in, q, kNeverDone);
        QCOMPARE(moved.size(), std::size_t{1});
        QCOMPARE(moved.front().stages.front().end, 1);
        QCOMPARE(moved.front().stages.front().launch, 3);
        // Where no other cut is there, a larger t_max makes the link of an eighth of a stage a short one.
        in = twoClusters(4, 1.0, 0.25, 4);
        for (const int layers : {1, 3, 4})
            in.ways[in.waysAt(0, 0, layers - 1)].clear();
        const auto lowered = harpProgramme(in, q, kNeverDone);
        QCOMPARE(lowered.size(), std::size_t{1});
        QCOMPARE(lowered.front().stages.front().end, 2);
        QCOMPARE(lowered.front().stages.front().launch, 2);
        QCOMPARE(lowered.front().limit, 3.0);
        // With room for them the cut stays.
        in = twoClusters(4, 1.0, 0.5, 6);
        const auto roomy = harpProgramme(in, q, kNeverDone);
        QCOMPARE(roomy.front().stages.front().end, 2);
        QCOMPARE(roomy.front().stages.front().launch, 3);
    }

    // Each part left out: never better by the whole objective.
    void ablationsAreNeverBetter() {
        Random random(kHarpProgrammeSeed + 2);
        int worseLaunch = 0, worseSend = 0, worseCuts = 0;
        for (int n = 0; n < 500; ++n) {
            const HarpInput in = randomInput(random);
            HarpQuestion q = randomQuestion(random, in);
            q.launch = HarpLaunch::Artifact;
            const auto whole = harpProgramme(in, q, kNeverDone);
            const double best = whole.empty() ? kNoLimit : whole.front().total;
            const auto judged = [&](const HarpQuestion& ablated) {
                const auto plans = harpProgramme(in, ablated, kNeverDone);
                if (plans.empty())
                    return kNoLimit;
                const auto value = harpObjective(in, q, plans.front().stages);
                return value ? value->total : kNoLimit;
            };
            HarpQuestion ablated = q;
            ablated.launch = HarpLaunch::Classic;
            const double classic = judged(ablated);
            ablated = q;
            ablated.boundaries = false;
            const double free = judged(ablated);
            // Coarser layers: the odd cuts are gone.
            HarpInput coarse = in;
            for (int first = 0; first < in.layers; ++first)
                for (int end = first + 1; end <= in.layers; ++end)
                    if (first % 2 == 1 || (end % 2 == 1 && end != in.layers))
                        for (std::size_t c = 0; c < in.clusters.size(); ++c)
                            for (std::size_t s = 0; s < in.clusters[c].sizes.size(); ++s)
                                coarse.ways[in.waysAt(static_cast<int>(c), s, in.run[in.runAt(first, end)])]
                                    .clear();
            const auto cut = harpProgramme(coarse, q, kNeverDone);
            const double coarser = cut.empty() ? kNoLimit : cut.front().total;
            for (const double value : {classic, free, coarser})
                QVERIFY2(value >= best - 1e-9, qPrintable(drawnLine(n, value, best)));
            worseLaunch += classic > best + 1e-9 ? 1 : 0;
            worseSend += free > best + 1e-9 ? 1 : 0;
            worseCuts += coarser > best + 1e-9 ? 1 : 0;
        }
        QVERIFY2(worseLaunch > 5 && worseSend > 50 && worseCuts > 50,
                 qPrintable(QString("%1 %2 %3").arg(worseLaunch).arg(worseSend).arg(worseCuts)));
    }

    void endsWhenTold() {
        Random random(kHarpProgrammeSeed + 3);
        const HarpInput in = randomInput(random);
        HarpQuestion q = randomQuestion(random, in);
        int asked = 0;
        QVERIFY(harpProgramme(in, q, [&](std::int64_t) {
                    ++asked;
                    return true;
                }).empty());
        QCOMPARE(asked, 1);
    }
};

QTEST_APPLESS_MAIN(HarpProgrammeTest)
#include "harp_programme_test.moc"

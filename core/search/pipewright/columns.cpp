// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/pipewright/columns.h"

#include "core/plan/shares.h"
#include "core/search/haap/haap.h"
#include "core/search/pipewright/pipewright.h"
#include "core/search/space/wider_space.h"
#include "core/whatif/arrange.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace pw {
namespace {

using Group = std::vector<int>; // nodes, ascending
using Division = std::vector<Group>;

void tidy(Division& division) {
    for (Group& group : division)
        std::sort(group.begin(), group.end());
    std::sort(division.begin(), division.end());
}

std::vector<Group> nodesByClass(const Problem& problem) {
    std::vector<Group> list;
    for (const ChainClass& cls : ChainSpace::classes(problem)) {
        Group& nodes = list.emplace_back();
        for (const auto& gpus : cls.nodes)
            for (const DeviceIndex d : gpus)
                if (const int node = problem.topology().devices()[static_cast<std::size_t>(d)].node;
                    nodes.empty() || nodes.back() != node)
                    nodes.push_back(node);
    }
    return list;
}

// Every way of putting the classes into 2 to `most` groups.
void divideClasses(const std::vector<Group>& classes, std::size_t next, std::size_t most, Division& now,
                   std::set<Division>& found) {
    if (next == classes.size()) {
        if (now.size() > 1) {
            Division division = now;
            tidy(division);
            found.insert(std::move(division));
        }
        return;
    }
    for (std::size_t g = 0; g < now.size(); ++g) {
        const std::size_t before = now[g].size();
        now[g].insert(now[g].end(), classes[next].begin(), classes[next].end());
        divideClasses(classes, next + 1, most, now, found);
        now[g].resize(before);
    }
    if (now.size() < most) {
        now.push_back(classes[next]);
        divideClasses(classes, next + 1, most, now, found);
        now.pop_back();
    }
}

std::set<Division> divisions(const Problem& problem) {
    constexpr std::size_t kMostClasses = 5;
    const std::vector<Group> classes = nodesByClass(problem);
    const auto most = static_cast<std::size_t>(problem.space().wider.pipelines);
    std::set<Division> found;
    if (classes.size() <= kMostClasses) {
        Division now;
        divideClasses(classes, 0, most, now, found);
    }
    // Parts alike, the first ones with the nodes that are over.
    for (std::size_t parts = 2; parts <= most; ++parts) {
        Division division(parts);
        for (const Group& nodes : classes)
            for (std::size_t n = 0; n < nodes.size(); ++n)
                division[n % parts].push_back(nodes[n]);
        if (std::ranges::any_of(division, &Group::empty))
            break;
        tidy(division);
        found.insert(std::move(division));
    }
    // Half of one class against everything else.
    for (const Group& nodes : classes) {
        Division division(2);
        division[0].assign(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(nodes.size() / 2));
        for (const Group& other : classes)
            for (const int node : other)
                if (std::ranges::find(division[0], node) == division[0].end())
                    division[1].push_back(node);
        if (division[0].empty() || division[1].empty())
            continue;
        tidy(division);
        found.insert(std::move(division));
    }
    return found;
}

// The best single pipelines of groups of nodes, each asked for once.
class Columns {
public:
    Columns(SearchRun& run, const SearchOptions& options, std::int64_t work, const std::stop_token& stop)
        : m_run(run), m_problem(run.problem()), m_spaces(pointersTo(run.spaces())), m_options(options),
          m_stop(stop) {
        m_options.work = work;
        m_options.top = 8;
        m_options.planner = "pipewright";
        m_options.without.push_back("bound");
        m_options.trace = nullptr; // dozens of small searches: they are the phase together
        // Parts of the batch are multiples of this: coarse enough that micro-batches divide them.
        constexpr std::int64_t kParts = 32;
        const std::int64_t gbs = m_problem.recipe().gbs;
        m_unit = 1;
        for (std::int64_t d = 1; d <= gbs; ++d)
            if (gbs % d == 0 && gbs / d >= std::min(kParts, gbs))
                m_unit = d;
    }

    void consider(const Division& division) {
        const std::int64_t units = m_problem.recipe().gbs / m_unit;
        if (static_cast<std::int64_t>(division.size()) > units)
            return;
        std::vector<double> speed; // relative
        for (const Group& group : division)
            speed.push_back(roughSpeed(group));
        for (int round = 0; round < 3 && !m_run.over(); ++round) {
            const std::vector<std::int64_t> parts = sharesBySpeed(units, speed);
            std::vector<const FoundPlan*> columns;
            for (std::size_t g = 0; g < division.size(); ++g) {
                const FoundPlan* column = best(division[g], parts[g] * m_unit);
                if (!column)
                    return; // a group that cannot hold the model
                columns.push_back(column);
            }
            putTogether(columns, parts);
            for (std::size_t g = 0; g < division.size(); ++g)
                speed[g] = static_cast<double>(parts[g]) / columns[g]->evaluation.iteration.value;
            if (sharesBySpeed(units, speed) == parts)
                return;
        }
    }

private:
    double roughSpeed(const Group& group) const {
        double sum = 0.0;
        for (const Device& device : m_problem.topology().devices())
            if (std::ranges::binary_search(group, device.node))
                sum += device.speed * m_problem.topology()
                                          .kinds()[static_cast<std::size_t>(device.kind)]
                                          .peak(m_problem.precision())
                                          .value;
        return sum;
    }

    const FoundPlan* best(const Group& group, std::int64_t batch) {
        const auto [at, fresh] = m_known.try_emplace({group, batch});
        if (!fresh)
            return at->second ? &*at->second : nullptr;
        const Cluster& cluster = m_problem.topology().cluster();
        Space space = m_problem.space();
        space.wider = {};
        // All pipelines of a plan have one schedule, which is to run whatever stages the others have.
        std::erase_if(space.schedules, [](const ScheduleChoice& choice) { return choice.loneStage; });
        for (std::size_t n = 0; n < cluster.nodes.size(); ++n)
            if (!std::ranges::binary_search(group, static_cast<int>(n)))
                space.forbidden.push_back(cluster.nodes[n].id);
        Recipe recipe = m_problem.recipe();
        recipe.gbs = batch;
        recipe.precision = m_problem.precision();
        Cluster own = cluster;
        own.kinds = m_problem.topology().kinds();
        auto part = Problem::make(std::move(own), m_problem.model(), std::move(recipe),
                                  m_problem.profiles().rows(), std::move(space), m_problem.constants());
        if (!part)
            return nullptr;
        SearchObserver nobody;
        // Bounds, which guide the default planner, take longer than these searches may on large groups.
        constexpr std::int64_t kLarge = 512; // GPUs
        const auto gpus = std::count((*part)->allowed().begin(), (*part)->allowed().end(), true);
        const SearchOutcome outcome = gpus <= kLarge ? runPipewright(**part, m_options, nobody, m_stop)
                                                     : runHaap(**part, m_options, nobody, m_stop);
        m_run.spend(outcome.work, 0);
        for (const FoundPlan& found : outcome.plans)
            if (m_problem.recipe().gbs % found.plan.pipelines.front().microbatchSize == 0) {
                at->second = found;
                return &*at->second;
            }
        return nullptr;
    }

    void putTogether(const std::vector<const FoundPlan*>& columns, const std::vector<std::int64_t>& parts) {
        Plan plan;
        for (std::size_t g = 0; g < columns.size(); ++g) {
            plan.pipelines.push_back(columns[g]->plan.pipelines.front());
            plan.pipelines.back().share =
                static_cast<double>(parts[g] * m_unit) / static_cast<double>(m_problem.recipe().gbs);
        }
        for (const ScheduleTrial& trial : scheduleTrials(m_problem)) {
            if (m_run.over())
                return;
            std::optional<Plan> tried = underSchedule(m_problem, plan, trial);
            if (tried)
                tried = broughtIntoSpace(m_problem, m_run.table(), m_spaces, *tried);
            if (tried)
                m_run.consider(*std::move(tried));
        }
    }

    SearchRun& m_run;
    const Problem& m_problem;
    const std::vector<const ChainSpace*> m_spaces;
    SearchOptions m_options;
    const std::stop_token& m_stop;
    std::int64_t m_unit = 1; // sequences
    std::map<std::pair<Group, std::int64_t>, std::optional<FoundPlan>> m_known;
};

// Hands micro-batches of pipeline `a` to `b`, `times` the fewest that are whole in both. False if `a` would
// have none left.
bool moveBatch(const Problem& problem, Plan& plan, std::size_t a, std::size_t b, std::int64_t times) {
    Pipeline &from = plan.pipelines[a], &to = plan.pipelines[b];
    const std::int64_t moved = times * std::lcm(from.microbatchSize, to.microbatchSize);
    if (from.microbatches * from.microbatchSize <= moved)
        return false;
    from.microbatches -= moved / from.microbatchSize;
    to.microbatches += moved / to.microbatchSize;
    for (Pipeline* pipeline : {&from, &to}) {
        pipeline->share = static_cast<double>(pipeline->microbatches * pipeline->microbatchSize) /
                          static_cast<double>(problem.recipe().gbs);
        pipeline->schedule.launch.clear();
    }
    return true;
}

} // namespace

void considerColumns(SearchRun& run, const SearchOptions& options, std::int64_t work,
                     const std::stop_token& stop) {
    const auto phase = run.phase("columns");
    Columns columns(run, options, work, stop);
    for (const Division& division : divisions(run.problem())) {
        if (run.over())
            return;
        columns.consider(division);
    }
}

void eachColumnNeighbour(const Problem& problem, const Plan& plan,
                         const std::function<bool(const Plan&)>& visit) {
    bool go = true;
    // What `edit` makes of the plan, if it says that this is one.
    const auto take = [&](const auto& edit) {
        if (!go)
            return;
        Plan next = plan;
        if (edit(next) && next != plan)
            go = visit(next);
    };
    for (std::size_t a = 0; a < plan.pipelines.size() && go; ++a) {
        for (std::size_t b = 0; b < plan.pipelines.size(); ++b)
            for (const std::int64_t times : {4, 2, 1})
                take([&](Plan& next) { return a != b && moveBatch(problem, next, a, b, times); });
        const std::vector<int> inner = whatif::innerLayers(problem, plan.pipelines[a]);
        for (std::size_t i = 0; i + 1 < inner.size(); ++i)
            for (const int by : {-2, 2}) // fine layers: a block
                take([&](Plan& next) {
                    std::vector<int> changed = inner;
                    changed[i] += by;
                    changed[i + 1] -= by;
                    next.pipelines[a].schedule.launch.clear();
                    return changed[i] > 0 && changed[i + 1] > 0 &&
                           whatif::layOut(problem, next.pipelines[a], changed);
                });
        for (std::size_t i = 0; i < plan.pipelines[a].stages.size(); ++i)
            for (const Recompute mode : {Recompute::None, Recompute::Full})
                take([&](Plan& next) {
                    Stage& stage = next.pipelines[a].stages[i];
                    stage.recompute = mode;
                    stage.recomputeLayers = 0;
                    next.pipelines[a].schedule.launch.clear();
                    return true;
                });
    }
}

} // namespace pw

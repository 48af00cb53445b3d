// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/answers.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace pw {

namespace {

constexpr std::size_t kPlans = 4;  // of the first ones, to look at
constexpr std::size_t kOthers = 8; // that may come first once something is measured
constexpr std::size_t kNodes = 16; // of a group, to slow down

// Nodes by what they do: of those that serve the same stages the first one stands for all.
std::vector<int> nodesByRole(const Problem& problem, const NodeGroup& group, const Plan& plan) {
    std::map<int, std::set<std::pair<std::size_t, std::size_t>>> roles;
    const Topology& topology = problem.topology();
    for (std::size_t p = 0; p < plan.pipelines.size(); ++p)
        for (std::size_t i = 0; i < plan.pipelines[p].stages.size(); ++i)
            for (const Replica& replica : plan.pipelines[p].stages[i].replicas)
                for (const DeviceIndex d : replica.devices)
                    roles[topology.devices()[static_cast<std::size_t>(d)].node].emplace(p, i);
    std::set<std::set<std::pair<std::size_t, std::size_t>>> known;
    std::vector<int> nodes;
    for (const int node : group.nodes)
        if (const auto role = roles.find(node); role != roles.end() && nodes.size() < kNodes)
            if (known.insert(role->second).second)
                nodes.push_back(node);
    return nodes;
}

} // namespace

Result<std::vector<SlowNodeAnswer>> slowNodes(const Problem& problem, const std::vector<NodeGroup>& groups,
                                              const SearchOutcome& outcome, std::size_t plans,
                                              const std::stop_token& stop) {
    std::vector<SlowNodeAnswer> answers;
    std::map<int, std::shared_ptr<const Problem>> slowed; // by node
    for (std::size_t p = 0; p < std::min(plans, outcome.plans.size()); ++p) {
        const Plan& plan = outcome.plans[p].plan;
        for (std::size_t g = 0; g < groups.size(); ++g) {
            SlowNodeAnswer worst{p, static_cast<int>(g), {}, {}};
            for (const int node : nodesByRole(problem, groups[g], plan)) {
                if (stop.stop_requested())
                    return answers;
                std::shared_ptr<const Problem>& slow = slowed[node];
                if (!slow) {
                    Cluster cluster = problem.topology().cluster();
                    cluster.nodes[static_cast<std::size_t>(node)].speed *= kSlowSpeed;
                    auto made =
                        Problem::make(std::move(cluster), problem.model(), problem.recipe(),
                                      problem.profiles().rows(), problem.space(), problem.constants());
                    if (!made)
                        return made.error();
                    slow = *std::move(made);
                }
                const auto evaluation = evaluate(*slow, plan);
                if (!evaluation)
                    return evaluation.error();
                if (evaluation->iteration > worst.iteration) {
                    worst.iteration = evaluation->iteration;
                    worst.node = problem.topology().cluster().nodes[static_cast<std::size_t>(node)].id;
                }
            }
            if (!worst.node.empty())
                answers.push_back(std::move(worst));
        }
    }
    return answers;
}

namespace {

Result<std::vector<LostNodeAnswer>> lostNodes(const Problem& problem, const std::vector<NodeGroup>& groups,
                                              const SearchOutcome& outcome, std::size_t plans,
                                              const Searcher& searcher, const std::stop_token& stop) {
    std::vector<LostNodeAnswer> answers;
    for (std::size_t g = 0; g < groups.size() && !stop.stop_requested(); ++g) {
        LostNodeAnswer answer;
        answer.group = static_cast<int>(g);
        for (std::size_t p = 0; p < plans; ++p) {
            const FoundPlan& found = outcome.plans[p];
            answer.goesOn.push_back(usedNodes(problem, groups, found.plan)[g] < groups[g].count());
            if (answer.goesOn.back() && answer.iteration.value == 0.0)
                answer.iteration = found.evaluation.iteration; // plans are in order of time
        }
        NodeCounts counts = allNodes(groups);
        --counts[g];
        if (gpusOf(groups, counts) > 0) {
            const auto left = withCounts(problem, groups, counts);
            if (!left)
                return left.error();
            const Result<SearchOutcome> again = searcher(*left);
            if (!again)
                return again.error();
            if (!again->plans.empty()) {
                const Seconds best = again->plans.front().evaluation.iteration;
                if (answer.iteration.value == 0.0 || best < answer.iteration)
                    answer.iteration = best;
            }
        }
        answers.push_back(std::move(answer));
    }
    return answers;
}

} // namespace

Result<Answers> answersAround(const Problem& problem, const SearchOutcome& outcome, const Searcher& searcher,
                              const std::stop_token& stop) {
    Answers answers;
    answers.groups = nodeGroups(problem);
    answers.plans = std::min(kPlans, outcome.plans.size());
    const auto featuresAt = [&](std::size_t i) {
        return featuresOf(problem, outcome.plans[i].plan, outcome.plans[i].evaluation);
    };
    const auto timeAt = [&](std::size_t i) { return outcome.plans[i].evaluation.iteration; };
    for (std::size_t i = 1; i < answers.plans; ++i)
        answers.order.push_back({i, compareTimes(featuresAt(0), timeAt(0), featuresAt(i), timeAt(i))});
    if (answers.plans > 1)
        answers.ratio = timeAt(1) / timeAt(0);
    answers.measurements = measurementsThatMatter(problem, outcome, kOthers, stop);
    auto slow = slowNodes(problem, answers.groups, outcome, answers.plans, stop);
    if (!slow)
        return slow.error();
    answers.slow = *std::move(slow);
    auto lost = lostNodes(problem, answers.groups, outcome, answers.plans, searcher, stop);
    if (!lost)
        return lost.error();
    answers.lost = *std::move(lost);
    auto extras = extraNodes(problem, answers.groups, timeAt(0), searcher, stop);
    if (!extras)
        return extras.error();
    answers.extras = *std::move(extras);
    auto faster = fasterLinks(problem, outcome.plans.front().plan, timeAt(0), searcher, stop);
    if (!faster)
        return faster.error();
    answers.faster = *std::move(faster);
    answers.stopped = stop.stop_requested();
    return answers;
}

Json toJson(const Answers& answers, const SearchOutcome& outcome) {
    const Seconds first = outcome.plans.front().evaluation.iteration;
    const auto orNull = [](Seconds time) { return time.value > 0.0 ? Json(time.value) : Json(nullptr); };
    const auto groupName = [&](int group) { return answers.groups[static_cast<std::size_t>(group)].name; };
    Json order = Json::array(), measurements = Json::array(), slow = Json::array(), lost = Json::array(),
         extras = Json::array(), faster = Json::array();
    for (const OrderAnswer& o : answers.order)
        order.push_back({{"plan", o.plan + 1},
                         {"first_faster", o.beside.firstFaster},
                         {"tie", o.beside.isTie()},
                         {"low", o.beside.low},
                         {"high", o.beside.high}});
    for (const MeasurementAnswer& m : answers.measurements)
        measurements.push_back({{"kind", m.kind},
                                {"layer", m.layer},
                                {"profile_layer", m.profileLayer},
                                {"tp", m.tp},
                                {"mbs", m.mbs},
                                {"provenance", name(m.provenance)},
                                {"share", m.share},
                                {"low", m.low},
                                {"high", m.high},
                                {"ratio", answers.ratio},
                                {"ratio_low", m.ratioLow},
                                {"ratio_high", m.ratioHigh},
                                {"flips", m.flips},
                                {"becomes_first", m.flips ? Json(m.becomesFirst + 1) : Json(nullptr)}});
    for (const SlowNodeAnswer& s : answers.slow)
        slow.push_back({{"plan", s.plan + 1},
                        {"class", groupName(s.group)},
                        {"node", s.node},
                        {"speed", kSlowSpeed},
                        {"iteration_s", s.iteration.value},
                        {"slower", s.iteration / outcome.plans[s.plan].evaluation.iteration - 1.0}});
    for (const LostNodeAnswer& l : answers.lost) {
        Json goesOn = Json::array();
        for (std::size_t p = 0; p < l.goesOn.size(); ++p)
            if (l.goesOn[p])
                goesOn.push_back(p + 1);
        lost.push_back({{"class", groupName(l.group)},
                        {"iteration_s", orNull(l.iteration)},
                        {"slower", l.iteration.value > 0.0 ? Json(l.iteration / first - 1.0) : Json(nullptr)},
                        {"plans_that_go_on", std::move(goesOn)}});
    }
    for (const ExtraNode& e : answers.extras)
        extras.push_back(
            {{"class", groupName(e.group)},
             {"iteration_s", orNull(e.iteration)},
             {"lower_bound_s", orNull(e.bound)},
             {"faster", e.iteration.value > 0.0 ? Json(1.0 - e.iteration / first) : Json(nullptr)}});
    for (const FasterLinks& f : answers.faster)
        faster.push_back({{"links", f.links},
                          {"factor", kFasterFactor},
                          {"busy", f.busy},
                          {"same_plan_s", f.same.value},
                          {"iteration_s", f.iteration.value},
                          {"lower_bound_s", orNull(f.bound)},
                          {"faster", 1.0 - f.iteration / first}});
    return Json{{"plans", answers.plans},
                {"order", std::move(order)},
                {"measurements", std::move(measurements)},
                {"slow_node", std::move(slow)},
                {"lost_node", std::move(lost)},
                {"extra_node", std::move(extras)},
                {"faster_links", std::move(faster)},
                {"stopped", answers.stopped}};
}

} // namespace pw

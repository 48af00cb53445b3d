// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/composer.h"

#include "core/base/json.h"
#include "core/cluster/node_count.h"
#include "core/search/options.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pw {

namespace {

// As the option's row takes it.
std::string optionText(const Json& value) {
    if (value.is_boolean())
        return value.get<bool>() ? "on" : "off";
    return value.is_string() ? value.get<std::string>() : value.dump();
}

Status setOption(Question& question, const std::string& name, const std::string& text,
                 const std::string& where) {
    if (name == kTargetOption) {
        question.target = exporterRow(text);
        if (question.target == nullptr)
            return badInput("sweep.target", where, {"\"{text}\" is no export format", {{"text", text}}});
        return Ok{};
    }
    const Status set = setSearchOption(question.options, name, text);
    return set ? set : Status(badInput(set.error().code, where, set.error()));
}

// Figures of the composition's own making are no mistake of a file.
Error asInfeasible(Error error) {
    error.kind = ErrorKind::Infeasible;
    return error;
}

} // namespace

ClusterRates ratesOf(const Cluster& cluster) {
    ClusterRates rates;
    bool priced = true, powered = true;
    for (const Node& node : cluster.nodes)
        if (const DeviceKind* kind = findKind(cluster, node.kind); kind != nullptr) {
            rates.gpus += node.gpus;
            rates.pricePerHour += node.gpus * kind->pricePerHour;
            rates.watts += node.gpus * kind->watts;
            priced = priced && kind->pricePerHour > 0.0;
            powered = powered && kind->watts > 0.0;
        }
    rates.pricePerHour = priced ? rates.pricePerHour : 0.0;
    rates.watts = powered ? rates.watts : 0.0;
    return rates;
}

Result<Composer> Composer::make(const SweepDocument& sweep, const SweepInputs& inputs,
                                const std::string& file) {
    Composer composer(sweep, inputs, file);
    if (const Status options = composer.checkOptions(); !options)
        return options.error();
    if (const Status scenarios = composer.checkScenarios(); !scenarios)
        return scenarios.error();
    return composer;
}

// Each value by itself: no two options clash.
Status Composer::checkOptions() const {
    std::vector<Error> wrong;
    const auto check = [&](const std::string& name, const Json& value, const std::string& where) {
        Question scratch;
        if (const Status set = setOption(scratch, name, optionText(value), where); !set)
            wrong.push_back(set.error());
    };
    const Json base = Json::parse(m_sweep->base.search);
    for (const auto& [name, value] : base.items())
        check(name, value, fmt::format("{}#/base/search/{}", m_file, name));
    for (const SweepAxis& axis : m_sweep->axes)
        for (std::size_t i = 0; axis.kind == AxisKind::Search && i < axis.values.size(); ++i)
            check(axis.key, Json::parse(axis.values[i]), fmt::format("{}/values/{}", axis.where, i));
    return statusOf(std::move(wrong));
}

Status Composer::checkScenarios() {
    const SweepAxis* axis = m_sweep->axis(AxisKind::Scenario);
    if (axis == nullptr)
        return Ok{};
    std::vector<Error> wrong;
    for (std::size_t i = 0; i < axis->values.size(); ++i) {
        const std::string where = fmt::format("{}/values/{}", axis->where, i);
        Result<Scenario> read = scenarioFromText(plainValue(axis->values[i]), where);
        for (const auto& [name, cluster] : m_inputs->clusters)
            if (const Status there = read ? checkScenario(*read, cluster, where) : Status(read.error());
                !there) {
                wrong.push_back(there.error());
                break;
            }
        m_scenarios.push_back(read ? *std::move(read) : Scenario());
    }
    return statusOf(std::move(wrong));
}

std::string Composer::named(const Assignment& task, AxisKind kind) const {
    for (std::size_t a = 0; a < m_sweep->axes.size(); ++a)
        if (m_sweep->axes[a].kind == kind)
            return plainValue(value(task, a));
    return {};
}

const std::string* Composer::judged(const Assignment& task) const {
    const std::string plan = named(task, AxisKind::Plan);
    return plan.empty() || plan == kSearchAnew ? nullptr : &m_inputs->plans.at(plan);
}

Result<Recipe> Composer::recipe(const Assignment& task) const {
    std::map<std::string, std::string> changes;
    std::string where;
    for (std::size_t a = 0; a < m_sweep->axes.size(); ++a)
        if (const SweepAxis& axis = m_sweep->axes[a]; axis.kind == AxisKind::Recipe) {
            changes[axis.key] = value(task, a);
            where = where.empty() ? axis.where.substr(axis.where.find('#') + 1) : "/axes";
        }
    return changedRecipe(m_inputs->recipe, changes, m_file, where);
}

Result<Composer::Composed> Composer::composed(const Assignment& task) const {
    Composed made{m_inputs->clusters.at(named(task, AxisKind::Cluster)), m_inputs->forbidden};
    for (std::size_t a = 0; a < m_sweep->axes.size(); ++a)
        if (const SweepAxis& axis = m_sweep->axes[a]; axis.kind == AxisKind::NodeCount)
            if (const Status set =
                    setNodeCount(made.cluster, axis.deviceKind, std::stoul(value(task, a)), &made.forbidden);
                !set)
                return badInput(
                    set.error().code, axis.where,
                    {"{value} {message}", {{"value", axis.deviceKind}, {"message", set.error()}}});
    return made;
}

Result<Cluster> Composer::cluster(const Assignment& task) const {
    Result<Composed> made = composed(task);
    return made ? Result<Cluster>(std::move(made->cluster)) : made.error();
}

Result<std::shared_ptr<const Problem>> Composer::problemOn(Composed on, const Assignment& task) const {
    Cluster& cluster = on.cluster;
    // The drawing was sound before nodes were counted and lost.
    if (const Status sound = statusOf(checkCluster(cluster)); !sound)
        return asInfeasible(sound.error());
    Result<Recipe> asked = recipe(task);
    if (!asked)
        return asked.error();
    const Model& model = m_inputs->models.at(named(task, AxisKind::Model));
    std::vector<ProfileRow> rows = m_inputs->profiles;
    adoptRows(rows, model.name);
    Space space;
    // What is not there need not be left unused.
    space.forbidden = std::move(on.forbidden);
    const std::vector<std::string> absent = unknownNames(cluster, space.forbidden);
    std::erase_if(space.forbidden, [&absent](const std::string& name) {
        return std::ranges::find(absent, name) != absent.end();
    });
    return Problem::make(std::move(cluster), model, *std::move(asked), std::move(rows), std::move(space));
}

Result<std::shared_ptr<const Problem>> Composer::composition(const Assignment& task) const {
    Result<Composed> made = composed(task);
    return made ? problemOn(*std::move(made), task) : Result<std::shared_ptr<const Problem>>(made.error());
}

Scenario Composer::scenario(const Assignment& task) const {
    for (std::size_t a = 0; a < m_sweep->axes.size(); ++a)
        if (m_sweep->axes[a].kind == AxisKind::Scenario)
            return m_scenarios[task[a]];
    return {};
}

Status Composer::setOptions(const Assignment& task, Question& question) const {
    question.options.top = m_sweep->keep.plans;
    question.options.work = m_sweep->work;
    const Json base = Json::parse(m_sweep->base.search);
    for (const auto& [name, option] : base.items())
        if (Status set = setOption(question, name, optionText(option), m_file); !set)
            return set;
    for (std::size_t a = 0; a < m_sweep->axes.size(); ++a)
        if (const SweepAxis& axis = m_sweep->axes[a]; axis.kind == AxisKind::Search)
            if (Status set =
                    setOption(question, axis.key, optionText(Json::parse(value(task, a))), axis.where);
                !set)
                return set;
    return Ok{};
}

Result<TaskQuestion> Composer::question(const Assignment& task) const {
    Result<Composed> made = composed(task);
    if (!made)
        return made.error();
    TaskQuestion asked;
    asked.rates = ratesOf(made->cluster);
    if (const Status set = setOptions(task, asked.question); !set)
        return set.error();
    asked.plan = judged(task);
    Composed world{after(std::move(made->cluster), scenario(task)), std::move(made->forbidden)};
    for (std::size_t a = 0; a < m_sweep->axes.size(); ++a)
        if (const SweepAxis& axis = m_sweep->axes[a]; axis.kind == AxisKind::Uncertainty)
            world.cluster = drawn(std::move(world.cluster), axis.seed, task[a]);
    Result<std::shared_ptr<const Problem>> problem = problemOn(std::move(world), task);
    if (!problem)
        return problem.error();
    asked.problem = *std::move(problem);
    return asked;
}

std::uint64_t Composer::compositionNumber(const Assignment& task) const {
    std::uint64_t number = 0;
    for (std::size_t a = 0; a < m_sweep->axes.size(); ++a) {
        if (m_sweep->axes[a].isComposition())
            number = number * m_sweep->axes[a].values.size() + task[a];
    }
    return number;
}

std::string Composer::restText(const Assignment& task) const {
    Question question;
    Json rest = {
        {"plan", nullptr}, {"options", Json::object()}, {"scenario", nullptr}, {"draws", Json::array()}};
    if (const std::string* plan = judged(task)) {
        rest["plan"] = *plan;
    } else if (setOptions(task, question)) {
        for (const SearchOptionRow& row : searchOptionTable())
            rest["options"][row.name] = searchOptionText(question.options, row.name);
        rest["options"][kTargetOption] = question.target != nullptr ? question.target->format : "";
        rest["options"].erase("threads");
    }
    if (const Scenario event = scenario(task); event.kind != Scenario::Kind::None)
        rest["scenario"] = {
            {"lost", event.kind == Scenario::Kind::Lost}, {"of", event.of}, {"speed", event.speed}};
    for (std::size_t a = 0; a < m_sweep->axes.size(); ++a)
        if (const SweepAxis& axis = m_sweep->axes[a]; axis.kind == AxisKind::Uncertainty)
            rest["draws"].push_back({axis.seed, task[a]});
    return rest.dump();
}

std::optional<SearchOptions> Composer::search(const Assignment& task) const {
    Question question;
    return judged(task) == nullptr && setOptions(task, question) ? std::optional(question.options)
                                                                 : std::nullopt;
}

} // namespace pw

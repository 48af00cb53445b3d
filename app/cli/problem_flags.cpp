// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/problem_flags.h"

#include "app/cli/inputs.h"
#include "app/cli/parse.h"

#include "core/base/file.h"
#include "core/base/in_file.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/cluster/price.h"
#include "core/document/plan_file.h"
#include "core/formats/source.h"
#include "core/problem/software_stack.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

namespace pw::cli {

namespace {

// One value of a flag that takes a word: what it stands for, or which words there are.
template <class T, std::size_t N>
Status takeWord(const char* flag, const std::string& text,
                const std::array<std::pair<const char*, T>, N>& words, T& value) {
    std::string accepted;
    for (const auto& [word, meaning] : words) {
        if (text == word) {
            value = meaning;
            return Ok{};
        }
        accepted += (accepted.empty() ? "" : ", ") + std::string(word);
    }
    return badInput("usage", flag, {"\"{text}\" is none of {known}", {{"text", text}, {"known", accepted}}});
}

// Names of stacks that ship, or the file of another one.
Status takeStack(const std::string& text, Recipe& recipe) {
    if (!text.ends_with(".json")) {
        Result<Software> software = softwareOfStack(text, "--stack");
        if (!software)
            return badInput("usage", "--stack", software.error());
        recipe.stack = text;
        recipe.software = *std::move(software);
        return Ok{};
    }
    const Result<std::string> content = readFile(text);
    if (!content)
        return content.error();
    const Result<SoftwareStack> stack = readStack(*content, text, softwareStacks());
    if (!stack)
        return stack.error();
    recipe.stack = stack->name;
    recipe.software = {};
    stack->apply(recipe.software);
    return Ok{};
}

// Kinds that lack the precision and of which the trainer's plan has no host.
std::vector<std::string> idleWithout(const TrainerPlan& plan, const Cluster& cluster, Precision precision) {
    std::set<std::string> lacking;
    for (const Node& node : cluster.nodes)
        if (const DeviceKind* kind = findKind(cluster, node.kind); kind && kind->peak(precision).value <= 0.0)
            lacking.insert(kind->name);
    for (const TrainerHost& host : plan.hosts)
        if (const Node* node = cluster.node(host.name))
            if (const DeviceKind* kind = findKind(cluster, node->kind))
                lacking.erase(kind->name);
    return {lacking.begin(), lacking.end()};
}

} // namespace

void ProblemFlags::addTo(CLI::App& sub) {
    const auto add = [&sub](const char* flag, std::string& value, const char* type, const char* help) {
        sub.add_option(flag, value, help)->type_name(type)->group(kProblemGroup);
    };
    add("--cluster", m_cluster, "C", "cluster file");
    add("--model", m_model, "M", "a Pipewright model or a Hugging Face config.json");
    add("--gbs", m_gbs, "N", "global batch, sequences per optimiser step");
    add("--seq", m_seq, "N", "tokens a sequence");
    add("--precision", m_precision, "P", "auto, fp32, tf32, fp16, bf16 or fp8");
    add("--optimizer", m_optimizer, "O", "adam or sgd");
    add("--zero", m_zero, "Z",
        "sharding over data-parallel ranks: auto, 0, 1 (optimiser), 2 (and gradients) or 3 (and weights)");
    add("--recompute", m_recompute, "R", "auto, none, selective or full");
    add("--sequence-parallel", m_sequenceParallel, "S", "auto, on or off");
    add("--mbs", m_mbs, "LIST", "allowed sequences per micro-batch and replica, or auto");
    add("--expert-load", m_expertLoad, "X",
        "tokens of the busiest expert-parallel rank over the mean, from 1 on");
    add("--fit-chance", m_fitChance, "P",
        "with which plans are to fit into memory, 0.5 to 0.999; 0.5 = as their memory is predicted");
    add("--reserve", m_reserve, "SIZE", "memory kept free on every GPU, as in 1GiB");
    add("--stack", m_stack, "S",
        "software stack of the trainer: names joined by \"+\", as in nemo or pytorch+compile, or a file");
    add("--forbid", m_forbid, "LIST", "nodes, devices, device kinds, switches or links that stay unused");
    add("--price", m_price, "KIND=P,...", "price of a GPU hour by device kind, for --objective money");
}

bool ProblemFlags::any() const {
    for (const std::string* flag : {&m_cluster, &m_model, &m_gbs, &m_seq, &m_precision, &m_optimizer, &m_zero,
                                    &m_recompute, &m_sequenceParallel, &m_mbs, &m_expertLoad, &m_fitChance,
                                    &m_reserve, &m_stack, &m_forbid, &m_price})
        if (!flag->empty())
            return true;
    return false;
}

Status ProblemFlags::replaceRecipe(Recipe& recipe) const {
    if (!m_gbs.empty())
        if (Status s = takeCount("--gbs", m_gbs, RecipeLimits::batch, recipe.gbs); !s)
            return s;
    if (!m_seq.empty())
        if (Status s = takeCount("--seq", m_seq, RecipeLimits::sequence, recipe.seq); !s)
            return s;
    if (!m_precision.empty()) {
        const std::optional<Precision> precision = precisionFromName(m_precision);
        if (!precision)
            return badInput(
                "usage", "--precision",
                {"\"{text}\" is none of auto, fp32, tf32, fp16, bf16, fp8", {{"text", m_precision}}});
        recipe.precision = *precision;
    }
    if (!m_optimizer.empty()) {
        constexpr std::array words = {std::pair{"adam", Optimizer::Adam}, std::pair{"sgd", Optimizer::Sgd}};
        if (Status s = takeWord("--optimizer", m_optimizer, words, recipe.optimizer); !s)
            return s;
    }
    if (!m_zero.empty()) {
        constexpr std::array words = {std::pair{"auto", -1}, std::pair{"0", 0}, std::pair{"1", 1},
                                      std::pair{"2", 2}, std::pair{"3", 3}};
        if (Status s = takeWord("--zero", m_zero, words, recipe.zero); !s)
            return s;
    }
    if (!m_recompute.empty()) {
        constexpr std::array words = {std::pair{"auto", -1},
                                      std::pair{"none", static_cast<int>(Recompute::None)},
                                      std::pair{"selective", static_cast<int>(Recompute::Selective)},
                                      std::pair{"full", static_cast<int>(Recompute::Full)}};
        int mode = -1;
        if (Status s = takeWord("--recompute", m_recompute, words, mode); !s)
            return s;
        recipe.recompute.clear();
        if (mode >= 0)
            recipe.recompute.push_back(static_cast<Recompute>(mode));
    }
    if (!m_sequenceParallel.empty()) {
        constexpr std::array words = {std::pair{"auto", Choice::Auto}, std::pair{"on", Choice::On},
                                      std::pair{"off", Choice::Off}};
        if (Status s = takeWord("--sequence-parallel", m_sequenceParallel, words, recipe.sequenceParallel);
            !s)
            return s;
    }
    if (m_mbs == "auto") {
        recipe.mbs.clear();
    } else if (!m_mbs.empty()) {
        const Result<std::vector<std::int64_t>> sizes = parseCounts("--mbs", m_mbs, 1, RecipeLimits::batch);
        if (!sizes)
            return sizes.error();
        recipe.mbs = *sizes;
    }
    struct Number {
        const char* flag;
        const std::string* text;
        double least, most;
        double* to;
    };
    for (const Number& n :
         {Number{"--expert-load", &m_expertLoad, 1.0, RecipeLimits::expertLoad, &recipe.expertLoad},
          Number{"--fit-chance", &m_fitChance, RecipeLimits::leastFitChance, RecipeLimits::mostFitChance,
                 &recipe.fitChance}}) {
        if (n.text->empty())
            continue;
        const std::optional<double> value = finiteNumber(*n.text);
        if (!value || *value < n.least || *value > n.most)
            return badInput("usage", n.flag,
                            {"\"{text}\"; expected a number from {low} to {high}",
                             {{"text", *n.text}, {"low", n.least}, {"high", n.most}}});
        *n.to = *value;
    }
    if (!m_reserve.empty()) {
        const Result<double> reserve = parseBytes(m_reserve);
        if (!reserve)
            return badInput("usage", "--reserve", reserve.error());
        recipe.reserve = Bytes(*reserve);
    }
    return m_stack.empty() ? Status(Ok{}) : takeStack(m_stack, recipe);
}

Status ProblemFlags::replacePrices(Cluster& cluster) const {
    const Result<std::vector<std::string>> entries = parseList("--price", m_price);
    if (!entries)
        return entries.error();
    for (const std::string& entry : *entries) {
        const std::size_t equals = entry.find('=');
        double price = 0.0;
        if (equals != std::string::npos) {
            const char* end = entry.data() + entry.size();
            const auto [rest, problem] = std::from_chars(entry.data() + equals + 1, end, price);
            if (problem != std::errc() || rest != end)
                price = 0.0;
        }
        if (!(price > 0.0) || !setPrice(cluster, entry.substr(0, equals), price))
            return badInput("usage", "--price",
                            {"\"{text}\"; expected a device kind and a price above 0 and up to 1e6, as "
                             "in A100-40=1.10",
                             {{"text", entry}}});
    }
    return Ok{};
}

Status ProblemFlags::replaceParts(const Session& session, Parts& parts) const {
    if (!session.project.empty()) {
        Result<Project> project = readProjectFlag(session);
        if (!project)
            return project.error();
        parts.cluster = std::move(project->cluster);
        parts.model = std::move(project->model);
        parts.recipe = project->recipe;
        parts.profiles = std::move(project->profiles);
        parts.space.forbidden = std::move(project->forbidden);
    }
    if (!m_cluster.empty()) {
        Result<Cluster> cluster = readCluster(session, m_cluster);
        if (!cluster)
            return cluster.error();
        parts.cluster = *std::move(cluster);
    }
    if (!m_model.empty()) {
        Result<Model> model = readModel(session, m_model);
        if (!model)
            return model.error();
        parts.model = *std::move(model);
    }
    if (!parts.recipe && !m_gbs.empty() && !m_seq.empty())
        parts.recipe = Recipe{};
    if (parts.recipe)
        if (Status s = replaceRecipe(*parts.recipe); !s)
            return s;
    if (!session.profiles.empty() && parts.model) {
        Result<std::vector<ProfileRow>> rows = readProfiles(session, parts.model->name);
        if (!rows)
            return rows.error();
        parts.profiles = *std::move(rows);
    }
    if (!m_forbid.empty()) {
        Result<std::vector<std::string>> names = parseList("--forbid", m_forbid);
        if (!names)
            return names.error();
        parts.space.forbidden = *std::move(names);
    }
    return Ok{};
}

Result<std::shared_ptr<const Problem>> ProblemFlags::make(const Session& session, Parts parts) const {
    if (Status s = replaceParts(session, parts); !s)
        return s.error();
    if (!parts.cluster)
        return usage("--cluster is required, or --project");
    if (!m_price.empty())
        if (const Status priced = replacePrices(*parts.cluster); !priced)
            return priced.error();
    if (!parts.model)
        return usage("--model is required, or a --project that has one");
    if (!parts.recipe)
        return usage("--gbs and --seq are required, or --project");
    // A plan file carries the machine that it was made for, calibrated or not: nothing is changed twice.
    if (!session.calibration.empty() && m_cluster.empty() && session.project.empty())
        return usage("--calibration needs the machine beside it: --cluster, or --project");
    const Result<Calibration> calibration = readCalibrationFlag(session);
    if (!calibration)
        return calibration.error();
    parts.cluster = calibrated(*std::move(parts.cluster), *calibration);
    parts.recipe = calibrated(*std::move(parts.recipe), *calibration);
    adoptProfiles(session, parts.model->name, parts.profiles);
    const Cluster cluster = *std::move(parts.cluster);
    auto made =
        Problem::make(cluster, *std::move(parts.model), *std::move(parts.recipe), std::move(parts.profiles),
                      std::move(parts.space), calibrated(ConstantSet::builtin(), *calibration));
    if (made)
        return made;
    const std::string& item = made.error().where;
    const bool drawn = cluster.node(item) || cluster.findSwitch(item) || cluster.link(item);
    return inFile(made.error(), drawn && !m_cluster.empty() ? m_cluster : session.project);
}

Result<std::shared_ptr<const Problem>> ProblemFlags::problem(const Session& session,
                                                             const Space& space) const {
    return make(session, {.cluster = {}, .model = {}, .recipe = {}, .profiles = {}, .space = space});
}

Result<ProblemFlags::ChosenPlan> ProblemFlags::plan(const Session& session,
                                                    const std::string& argument) const {
    const auto& [file, index] = planArgument(argument);
    const Result<std::string> text = readText(file); // plain or gzip
    if (!text)
        return text.error();
    session.event(LogLevel::Info, file, "read as a plan document");
    Result<PlanFile> plans = readPlanFile(*text, file);
    if (!plans)
        return plans.error();
    session.note(plans->notes);
    if (index < 1 || index > plans->plans.size())
        return badInput("plan.index", argument,
                        {"plan {plan} does not exist, the file holds {plans}",
                         {{"plan", index}, {"plans", plans->plans.size()}}});
    Result<Json> document = parseJson(*text, file);
    if (!document)
        return document.error();
    ChosenPlan chosen{plans->problem, plans->plans[index - 1], {}, index - 1, *std::move(document)};
    if (!any() && session.project.empty() && session.profiles.empty() && session.calibration.empty()) {
        const std::vector<JsonReader> entries = planEntries(JsonReader(chosen.document, file));
        for (std::size_t i = 0; i < plans->plans.size(); ++i) {
            chosen.listed.push_back({plans->plans[i], {}});
            chosen.listed.back().evaluation.iteration =
                Seconds(entries[i].number("iteration_s", 0.0, 1e300, 0.0));
        }
        return chosen;
    }

    // Under the replaced problem devices have other numbers: the plan goes over by their ids.
    const Problem& own = *plans->problem;
    Result<std::shared_ptr<const Problem>> problem = make(
        session, {own.topology().cluster(), own.model(), own.recipe(), own.profiles().rows(), own.space()});
    if (!problem)
        return problem.error();
    const Json entry = toJson(own, chosen.plan);
    const JsonReader reader(entry, file);
    Result<Plan> moved = planFromJson(reader, **problem);
    if (!moved)
        return moved.error();
    chosen.problem = *std::move(problem);
    chosen.plan = *std::move(moved);
    return chosen;
}

Result<Cluster> ProblemFlags::cluster(const Session& session) const {
    return readCluster(session, m_cluster);
}

Result<ProblemFlags::ChosenPlan> ProblemFlags::bind(const Session& session, TrainerPlan plan,
                                                    const std::string& file) const {
    if (m_cluster.empty() && session.project.empty())
        return badInput("usage", "--cluster", "is required beside a trainer's plan, or --project");
    Parts parts;
    parts.model = plan.model;
    if (session.project.empty()) {
        // What flags state needs no word in the file; they replace these values.
        if (!plan.gbs && !m_gbs.empty())
            plan.gbs = 1;
        if (!plan.seq && !m_seq.empty())
            plan.seq = 1;
        const Result<Recipe> recipe = recipeOf(plan, file);
        if (!recipe)
            return recipe.error();
        parts.recipe = *recipe;
    }
    Diagnostics notes;
    Result<std::shared_ptr<const Problem>> problem = make(session, parts);
    if (!problem && m_forbid.empty() && !plan.hosts.empty()) {
        if (Status s = replaceParts(session, parts); !s)
            return s.error();
        if (parts.cluster && parts.recipe && parts.recipe->precision != Precision::Auto)
            parts.space.forbidden = idleWithout(plan, *parts.cluster, parts.recipe->precision);
        if (!parts.space.forbidden.empty()) {
            problem = make(session, parts);
            notes.push_back({Severity::Note,
                             "plan.left_out",
                             file,
                             {"{kinds} cannot run {precision} and serve no host of the plan: left out",
                              {{"kinds", fmt::format("{}", fmt::join(parts.space.forbidden, " and "))},
                               {"precision", name(parts.recipe->precision)}}}});
        }
    }
    if (!problem)
        return problem.error();
    Result<Plan> bound = bindPlan(plan, **problem, file, notes);
    if (!bound)
        return bound.error();
    session.note(notes);
    return ChosenPlan{
        *std::move(problem), *std::move(bound), {}, 0, Json{{"plans", Json::array({Json::object()})}}};
}

} // namespace pw::cli

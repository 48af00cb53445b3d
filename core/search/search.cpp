// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/search/search.h"

#include "core/plan/stage_partition.h"
#include "core/search/baselines/alpa.h"
#include "core/search/baselines/hyperpipe.h"
#include "core/search/baselines/megatron.h"
#include "core/search/baselines/metis.h"
#include "core/search/exhaustive/enumerate.h"
#include "core/search/haap/haap.h"
#include "core/search/harp/harp.h"
#include "core/search/pipewright/pipewright.h"
#include "core/search/proof/capacity_bound.h"
#include "core/search/run.h"
#include "core/search/space/chain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace pw {

const char* name(SearchStatus s) {
    switch (s) {
    case SearchStatus::Optimal:
        return "optimal";
    case SearchStatus::Feasible:
        return "feasible";
    case SearchStatus::Stopped:
        return "stopped";
    case SearchStatus::Budget:
        return "budget";
    case SearchStatus::Infeasible:
        return "infeasible";
    }
    return "";
}

std::string endText(const SearchOutcome& outcome) {
    return outcome.status == SearchStatus::Budget && outcome.timeLimit ? "time limit" : name(outcome.status);
}

const std::vector<PlannerRow>& plannerTable() {
    static const std::vector<PlannerRow> table = {
        {"pipewright",
         "Pipewright",
         "own design",
         "The best plan that it can find, and a proof of how good it is",
         pipewrightWork,
         "800 per GPU squared, from 200,000 to 2,500,000; where a gap of over 5 % is left, the other "
         "planners' on top",
         runPipewright,
         nullptr,
         {"partition"},
         true},
        {"haap",
         "AutoHAAP-style",
         "reconstruction",
         "Aceso's search with starts that memory suffices for, moves ordered and sized by an estimator, and "
         "cached costs; after AutoHAAP (HPCA 2026), reconstructed from its abstract",
         haapWork,
         "200 per GPU squared, from 100,000 to 1,000,000",
         runHaap,
         nullptr,
         {"init", "estimator", "cache", "partition", "bound"}},
        {"harp",
         "HARP",
         "published",
         "The published dynamic programme of HARP (EuroSys 2026) over fine layers and a chain of "
         "sub-clusters, with H-1F1B's launch counts; its best plans are judged by simulation",
         harpWork,
         "20,000,000",
         runHarp,
         nullptr,
         {"fine-layers", "h1f1b", "partition"}},
        {"hyperpipe",
         "HyperPipe-style",
         "reconstruction",
         "Data, pipeline and tensor parallelism chosen from what the devices can do; after HyperPipe (CSCWD "
         "2025), reconstructed from its abstract",
         hyperPipeWork,
         "10,000,000",
         runHyperPipe,
         nullptr,
         {"partition"}},
        {"megatron", "Megatron-LM grid", "reconstruction",
         "Every uniform grid of equal stages over all GPUs and over each set of device kinds, 1F1B and "
         "interleaved; common practice, reconstructed",
         megatronWork, "10,000,000", runMegatron, nullptr},
        {"alpa", "Alpa-style", "reconstruction",
         "The published inter-operator programme of Alpa (arXiv 2201.12023) on this program's costs. It "
         "knows "
         "one kind of device: on mixed clusters each class of nodes by itself, and all GPUs as if each were "
         "the slowest",
         alpaWork, "40,000,000", runAlpa, nullptr},
        {"metis", "Metis-like", "reconstruction",
         "Power-of-two groups over every order of device kinds, layers and batch shares balanced by time; "
         "after Metis (ATC 2024), which is published, its details reconstructed",
         metisWork, "4,000,000", runMetis, nullptr},
        {"aceso",
         "Aceso-style",
         "reconstruction",
         "The published multi-hop search of Aceso (EuroSys 2024) from balanced starts, primitives in fixed "
         "order; haap without its three parts, stages whole",
         haapWork,
         "200 per GPU squared, from 100,000 to 1,000,000",
         runAceso,
         nullptr,
         {"partition", "bound"}},
        {"exhaustive",
         "Exhaustive",
         "ground truth",
         "Every plan of the Space; for a handful of GPUs and layers",
         exhaustiveWork,
         "50,000,000",
         runExhaustive,
         tooLargeToEnumerate,
         {"partition"},
         true},
    };
    return table;
}

const std::vector<SearchPart>& searchPartTable() {
    static const std::vector<SearchPart> table = {
        {"init", "starting points that memory is known to suffice for"},
        {"estimator", "the order and the size of moves by what they are predicted to bring"},
        {"cache", "costs that are kept from one candidate to the next"},
        {"fine-layers", "cuts between layers finer than blocks"},
        {"h1f1b", "launch counts that hide slow links"},
        {"partition", "splits of the operators in space and time"},
        {"bound", "the proven lower bound, and what it saves a search"},
    };
    return table;
}

bool SearchOptions::uses(std::string_view part) const {
    return std::find(without.begin(), without.end(), part) == without.end();
}

const std::vector<SearchOptionRow>& searchOptionTable() {
    using Type = SearchOptionRow::Type;
    static const std::vector<SearchOptionRow> table = {
        {"planner", "Planner", "Which planner searches", Type::Planner, 0, 0},
        {"work", "Work limit", "Stage candidates to evaluate; 0 = the planner's default. Repeats exactly",
         Type::Integer, 0, 1e12},
        {"time-limit", "Time limit", "Seconds of wall clock; 0 = none. Gives up repeatability",
         Type::Duration, 0, 1e6},
        {"seed", "Seed", "Of planners that draw lots; written into the plan", Type::Integer, 0, 1e15},
        {"threads", "Threads", "Cores allowed; 0 = all. Lower bounds use them; results never depend on it",
         Type::Integer, 0, 1024},
        {"top", "Plans", "How many plans to return", Type::Integer, 1, 1000},
        {"partitions", "Partitions",
         "Tensor partitions of four or eight GPUs beside tensor parallelism, on or off. No trainer runs them "
         "today",
         Type::Switch, 0, 0},
        {"fine-cuts", "Fine cuts",
         "Stages may begin or end between the attention and the MLP of a block, on or off; harp and "
         "pipewright search it. No trainer runs such plans today, and the bound is a looser one",
         Type::Switch, 0, 0},
        {"all-schedules", "All schedules",
         "Interleaved and zero-bubble schedules too, on or off; pipewright and exhaustive search them, and "
         "the bound is a looser one",
         Type::Switch, 0, 0},
        {"mixed-stages", "Mixed stages",
         "Stages on two kinds of device, which share each micro-batch by speed, on or off; likewise",
         Type::Switch, 0, 0},
        {"pipelines", "Pipelines",
         "Pipelines of different shape that share the batch, at most so many; likewise. 1 = a single one",
         Type::Integer, 1, 8},
        {"without", "Without",
         "Parts to leave out of the planner, with commas between: init, estimator, cache, fine-layers, "
         "h1f1b, "
         "partition, bound. A planner that has no such part ignores it",
         Type::Parts, 0, 0},
    };
    return table;
}

namespace {

// The parts of a comma list, in the order of the table; the unknown word if there is one.
Result<std::vector<std::string>> partsOf(std::string_view text) {
    std::vector<bool> named(searchPartTable().size(), false);
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t comma = std::min(text.find(',', begin), text.size());
        std::string_view word = text.substr(begin, comma - begin);
        begin = comma + 1;
        while (!word.empty() && word.front() == ' ')
            word.remove_prefix(1);
        while (!word.empty() && word.back() == ' ')
            word.remove_suffix(1);
        if (word.empty() && text.find(',') == std::string_view::npos)
            continue; // nothing at all
        const auto at = std::find_if(searchPartTable().begin(), searchPartTable().end(),
                                     [&](const SearchPart& part) { return word == part.name; });
        if (at == searchPartTable().end()) {
            std::vector<std::string> names;
            for (const SearchPart& part : searchPartTable())
                names.emplace_back(part.name);
            return badInput("search.option", "without",
                            fmt::format("\"{}\"; expected parts out of {}, with commas between", word,
                                        fmt::join(names, ", ")));
        }
        named[static_cast<std::size_t>(at - searchPartTable().begin())] = true;
    }
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < named.size(); ++i)
        if (named[i])
            parts.emplace_back(searchPartTable()[i].name);
    return parts;
}

bool& switchOf(SearchOptions& options, std::string_view name) {
    if (name == "partitions")
        return options.partitions;
    if (name == "fine-cuts")
        return options.fineCuts;
    return name == "all-schedules" ? options.wider.schedules : options.wider.mixedStages;
}

} // namespace

Status setSearchOption(SearchOptions& options, std::string_view name, std::string_view text) {
    const auto refuse = [&](const std::string& expected) {
        return badInput("search.option", std::string(name),
                        fmt::format("\"{}\"; expected {}", text, expected));
    };
    for (const SearchOptionRow& row : searchOptionTable()) {
        if (name != row.name)
            continue;
        if (row.type == SearchOptionRow::Type::Planner) {
            std::string names;
            for (const PlannerRow& planner : plannerTable()) {
                if (text == planner.name) {
                    options.planner = text;
                    return Ok{};
                }
                names += (names.empty() ? "" : ", ") + std::string(planner.name);
            }
            return refuse("one of " + names);
        }
        if (row.type == SearchOptionRow::Type::Parts) {
            auto parts = partsOf(text);
            if (!parts)
                return parts.error();
            options.without = *std::move(parts);
            return Ok{};
        }
        if (row.type == SearchOptionRow::Type::Switch) {
            if (text != "on" && text != "off")
                return refuse("on or off");
            switchOf(options, name) = text == "on";
            return Ok{};
        }
        double value = 0.0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool whole = row.type == SearchOptionRow::Type::Integer;
        if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) ||
            value < row.low || value > row.high || (whole && value != std::floor(value)))
            return refuse(fmt::format("{} from {:.0f} to {:.0f}", whole ? "a whole number" : "a number",
                                      row.low, row.high));
        if (name == "work")
            options.work = static_cast<std::int64_t>(value);
        else if (name == "time-limit")
            options.timeLimit = value;
        else if (name == "seed")
            options.seed = static_cast<std::uint64_t>(value);
        else if (name == "threads")
            options.threads = static_cast<int>(value);
        else if (name == "pipelines")
            options.wider.pipelines = static_cast<int>(value);
        else
            options.top = static_cast<int>(value);
        return Ok{};
    }
    return badInput("search.option", std::string(name), "no such option");
}

std::string searchOptionText(const SearchOptions& options, std::string_view name) {
    if (name == "planner")
        return options.planner;
    if (name == "work")
        return std::to_string(options.work);
    if (name == "time-limit")
        return fmt::format("{}", options.timeLimit);
    if (name == "seed")
        return std::to_string(options.seed);
    if (name == "threads")
        return std::to_string(options.threads);
    if (name == "pipelines")
        return std::to_string(options.wider.pipelines);
    for (const SearchOptionRow& row : searchOptionTable())
        if (row.type == SearchOptionRow::Type::Switch && name == row.name) {
            SearchOptions copy = options;
            return switchOf(copy, name) ? "on" : "off";
        }
    if (name == "without")
        return fmt::format("{}", fmt::join(options.without, ","));
    return std::to_string(options.top);
}

namespace {

// No trainer runs partitions: where the best plan has one, the best without is searched by itself and put
// with the others, whose plans without one are only what was tried before.
void addUnpartitioned(const Problem& problem, const PlannerRow& planner, SearchOptions options,
                      const std::stop_token& stop, SearchOutcome& outcome) {
    if (outcome.plans.empty() || outcome.timeLimit || stop.stop_requested() ||
        !hasPartition(outcome.plans.front().plan))
        return;
    if (options.timeLimit > 0.0)
        options.timeLimit = std::max(options.timeLimit - outcome.wall, 1e-3);
    options.top = 1;
    SearchObserver nobody;
    Space space = problem.space();
    space.partitions = false;
    const SearchOutcome plain = planner.run(*problem.withSpace(std::move(space)), options, nobody, stop);
    outcome.work += plain.work;
    outcome.evaluated += plain.evaluated;
    outcome.wall += plain.wall;
    if (plain.plans.empty())
        return;
    std::erase_if(outcome.plans,
                  [&](const FoundPlan& found) { return found.plan == plain.plans.front().plan; });
    const auto at = std::find_if(outcome.plans.begin(), outcome.plans.end(), [&](const FoundPlan& found) {
        return plain.plans.front().evaluation.iteration < found.evaluation.iteration;
    });
    const auto number = at - outcome.plans.begin() + 1;
    outcome.plans.insert(at, plain.plans.front());
    outcome.notes.push_back({Severity::Note, "search.partitions", "search",
                             fmt::format("No trainer runs tensor partitions today; plan {} is the best that "
                                         "was found without them",
                                         number),
                             "", ""});
}

} // namespace

Result<SearchOutcome> search(const std::shared_ptr<const Problem>& problem, const SearchOptions& options,
                             SearchObserver& observer, std::stop_token stop) {
    for (const PlannerRow& planner : plannerTable())
        if (options.planner == planner.name) {
            const bool partitions =
                (options.partitions || problem->space().partitions) && options.uses("partition");
            Space space = problem->space();
            space.partitions = partitions;
            space.fineCuts = space.fineCuts || options.fineCuts;
            if (options.wider.any())
                space.wider = options.wider;
            if (!planner.wider)
                space.wider = {};
            const auto asked = space == problem->space() ? problem : problem->withSpace(std::move(space));
            SearchOptions own = options; // parts that the planner does not have cannot be left out
            std::erase_if(own.without, [&](const std::string& part) {
                return std::find(planner.parts.begin(), planner.parts.end(), part) == planner.parts.end();
            });
            SearchOutcome outcome = planner.run(*asked, own, observer, stop);
            outcome.bound.space += sharingText(*asked);
            if (partitions) {
                addUnpartitioned(*problem, planner, own, stop, outcome);
                if (outcome.bound.kind != CapacityBound::kKind)
                    outcome.bound.space += kAndPartitions;
            }
            outcome.without = own.without;
            return outcome;
        }
    return badInput("search.planner", "planner", "\"" + options.planner + "\" is not a planner");
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/search/search.h"

#include "core/search/baselines/alpa.h"
#include "core/search/baselines/hyperpipe.h"
#include "core/search/baselines/megatron.h"
#include "core/search/baselines/metis.h"
#include "core/search/enumerate.h"
#include "core/search/pipewright.h"

#include <fmt/format.h>

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
        {"pipewright", "Pipewright", "own design",
         "The best plan that it can find, and a proof of how good it is", pipewrightWork,
         "800 per GPU squared, from 200,000 to 2,500,000", runPipewright, nullptr},
        {"hyperpipe", "HyperPipe-style", "reconstruction",
         "Data, pipeline and tensor parallelism chosen from what the devices can do; after HyperPipe (CSCWD "
         "2025), reconstructed from its abstract",
         hyperPipeWork, "10,000,000", runHyperPipe, nullptr},
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
        {"exhaustive", "Exhaustive", "ground truth",
         "Every plan of the Space; for a handful of GPUs and layers", exhaustiveWork, "50,000,000",
         runExhaustive, tooLargeToEnumerate},
    };
    return table;
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
        {"threads", "Threads",
         "Cores allowed; 0 = all. Today's planners use one, and results never depend on it", Type::Integer, 0,
         1024},
        {"top", "Plans", "How many plans to return", Type::Integer, 1, 1000},
    };
    return table;
}

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
    return std::to_string(options.top);
}

Result<SearchOutcome> search(const std::shared_ptr<const Problem>& problem, const SearchOptions& options,
                             SearchObserver& observer, std::stop_token stop) {
    if (problem->recipe().zero > 1)
        return badInput("search.zero", "recipe/zero",
                        "planners shard the optimiser (0 or 1); ZeRO 2 and 3 are judged in given plans");
    for (const PlannerRow& planner : plannerTable())
        if (options.planner == planner.name)
            return planner.run(*problem, options, observer, stop);
    return badInput("search.planner", "planner", "\"" + options.planner + "\" is not a planner");
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/exchange/imports/import_table.h"
#include "core/project/project.h"
#include "core/search/planners.h"
#include "core/search/search.h"
#include "tests/perf/budget.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

// The search in the manner of AutoHAAP against the one in the manner of Aceso, and without each of its parts.
// The table at the end has every case, the slower ones too; only that none takes forever is a budget.

namespace {

using namespace pw;

[[noreturn]] void give(const Error& error) {
    std::fprintf(stderr, "%s\n", error.text().c_str());
    std::exit(2);
}

template <class T>
T must(Result<T> result) {
    if (!result)
        give(result.error());
    return *std::move(result);
}

std::shared_ptr<const Problem> sampleProblem(const std::string& cluster, const std::string& model,
                                             std::int64_t gbs, std::int64_t seq) {
    const std::string root = std::string(PW_SOURCE_DIR) + "/samples/";
    Recipe recipe;
    recipe.gbs = gbs;
    recipe.seq = seq;
    return must(
        Problem::make(must(readCluster(must(readFile(root + "clusters/" + cluster + ".json")), cluster)),
                      must(readModelFile(root + "models/" + model + ".json")), recipe, {}));
}

std::shared_ptr<const Problem> sampleProject(const std::string& name) {
    const std::string file = std::string(PW_SOURCE_DIR) + "/samples/projects/" + name + ".pwx";
    return must(problemOf(must(readProject(must(readFile(file)), file))));
}

struct Variant {
    const char* planner;
    std::vector<std::string> without;
    std::string name() const {
        return without.empty() ? std::string(planner)
                               : fmt::format("{} without {}", planner, fmt::join(without, ", "));
    }
};

const std::vector<Variant> kVariants = {
    {"aceso", {}},
    {"haap", {}},
    {"haap", {"init"}},
    {"haap", {"cache"}},
};

// One line a scenario and variant, printed when the program ends.
class Table {
public:
    void add(const std::string& scenario, const std::string& variant, const SearchOutcome& outcome) {
        Row& row = m_rows[{scenario, variant}];
        row.wall = row.wall > 0.0 ? std::min(row.wall, outcome.wall) : outcome.wall;
        row.operators = outcome.operatorEvaluations;
        row.candidates = outcome.work;
        row.hits = 100.0 * static_cast<double>(outcome.cacheHits) /
                   static_cast<double>(std::max<std::int64_t>(1, outcome.cacheLookups));
        row.iteration = outcome.plans.front().evaluation.iteration.value;
    }
    ~Table() {
        std::printf("\n%-24s %-30s %12s %12s %10s %10s %12s  %s\n", "scenario", "planner", "operators",
                    "candidates", "hits %", "search ms", "iteration s", "search time of aceso / its own");
        for (const auto& [key, row] : m_rows) {
            const auto base = m_rows.find({key.first, "aceso"});
            const double times = base == m_rows.end() ? 0.0 : base->second.wall / row.wall;
            std::printf("%-24s %-30s %12lld %12lld %10.1f %10.1f %12.4f  %.2f%s\n", key.first.c_str(),
                        key.second.c_str(), static_cast<long long>(row.operators),
                        static_cast<long long>(row.candidates), row.hits, 1e3 * row.wall, row.iteration,
                        times, times > 0.0 && times < 1.0 ? " (slower)" : "");
        }
    }

private:
    struct Row {
        double wall = 0.0, hits = 0.0, iteration = 0.0;
        std::int64_t operators = 0, candidates = 0;
    };
    std::map<std::pair<std::string, std::string>, Row> m_rows;
};

Table& table() {
    static Table all;
    return all;
}

void compare(benchmark::State& state, const std::string& scenario,
             const std::shared_ptr<const Problem>& problem, const Variant& variant) {
    constexpr double kNotForever = 20e3; // ms
    perf::budget(state, kNotForever);
    SearchOptions options;
    options.planner = variant.planner;
    options.without = variant.without;
    SearchObserver nobody;
    for (auto _ : state) {
        const auto outcome = search(problem, options, nobody, {});
        if (!outcome || outcome->plans.empty()) {
            state.SkipWithError("no plan");
            return;
        }
        table().add(scenario, variant.name(), *outcome);
    }
}

const bool kRegistered = [] {
    const std::vector<std::pair<std::string, std::shared_ptr<const Problem>>> scenarios = {
        {"mixed-16 GPT-3 1.3B", sampleProblem("mixed-16", "gpt3-1.3b", 256, 2048)},
        {"mixed-64 Llama 3 70B", sampleProblem("mixed-64", "llama3-70b", 512, 4096)},
        {"mixed-64 GPT-3 175B", sampleProblem("mixed-64", "gpt3-175b", 512, 2048)},
        {"measured-16", sampleProject("measured-16")},
        {"v100-32 GPT-3 1.3B", sampleProblem("v100-32", "gpt3-1.3b", 512, 2048)},
        {"v100-32 Llama 3 8B", sampleProblem("v100-32", "llama3-8b", 256, 4096)},
    };
    for (const auto& [name, problem] : scenarios)
        for (const Variant& variant : kVariants)
            benchmark::RegisterBenchmark((name + "/" + variant.name()).c_str(), compare, name, problem,
                                         variant)
                ->Unit(benchmark::kMillisecond)
                ->Iterations(1)
                ->Repetitions(3)
                ->UseRealTime();
    return true;
}();

} // namespace

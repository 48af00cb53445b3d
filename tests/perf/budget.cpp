// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/perf/budget.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace {

struct Outcome {
    double fastest = 0.0; // ms
    double budget = 0.0;  // ms, 0 = none stated
    bool failed = false;
};

class BudgetReporter : public benchmark::ConsoleReporter {
public:
    void ReportRuns(const std::vector<Run>& runs) override {
        ConsoleReporter::ReportRuns(runs);
        for (const Run& run : runs) {
            if (run.run_type != Run::RT_Iteration)
                continue;
            const double seconds =
                run.GetAdjustedRealTime() / benchmark::GetTimeUnitMultiplier(run.time_unit);
            const auto [it, first] = m_outcomes.try_emplace(run.benchmark_name());
            Outcome& outcome = it->second;
            outcome.fastest = first ? seconds * 1e3 : std::min(outcome.fastest, seconds * 1e3);
            if (const auto stated = run.counters.find("budget_ms"); stated != run.counters.end())
                outcome.budget = stated->second.value;
            outcome.failed = outcome.failed || run.error_occurred;
        }
    }

    bool allWithinBudget() const {
        bool good = !m_outcomes.empty();
        std::printf("\n%-44s %12s %12s\n", "benchmark", "fastest ms", "budget ms");
        for (const auto& [name, outcome] : m_outcomes) {
            const bool met = !outcome.failed && outcome.budget > 0.0 && outcome.fastest <= outcome.budget;
            std::printf("%-44s %12.4f %12.4f  %s\n", name.c_str(), outcome.fastest, outcome.budget,
                        met ? "" : "MISSED");
            good = good && met;
        }
        return good;
    }

private:
    std::map<std::string, Outcome> m_outcomes;
};

} // namespace

int main(int argc, char** argv) {
    std::vector<std::string> words(argv, argv + argc);
    words.insert(words.begin() + 1,
                 {"--benchmark_repetitions=5", "--benchmark_min_time=0.1"}); // given flags win
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    int count = static_cast<int>(arguments.size());
    benchmark::Initialize(&count, arguments.data());
    if (benchmark::ReportUnrecognizedArguments(count, arguments.data()))
        return 2;
    BudgetReporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    benchmark::Shutdown();
    return reporter.allWithinBudget() ? 0 : 1;
}

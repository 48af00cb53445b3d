// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model.h"
#include "core/search/planners.h"
#include "tests/search/drawn_clusters.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>

// How good the default planner's plans are on clusters that nobody tuned it for: the gap to the bound that it
// prints, what the other planners find, and whether it does better with nodes forbidden.
//
//   gap_survey [--count N] [--seed S] [--nodes N] [--subsets K] [--others] [--only I] [--verbose] [--write
//   FOLDER]
//
// Without arguments the clusters that the acceptance figures speak of are drawn; a seed of 0 draws one, which
// is printed. Ends with 1 where a gap budget is missed, where forbidding nodes helps or another planner does
// better.

namespace {

using namespace pw;

struct Arguments {
    int count = 60, nodes = 64, subsets = 0, only = -1;
    std::uint64_t seed = 20261122;
    bool others = false, verbose = false;
    std::string folder; // where clusters and models are written to; "": nowhere
};

struct Row {
    int index = 0;
    double gap = kNever, seconds = 0.0;
    std::string text;
};

double secondsSince(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

SearchOutcome ask(const std::shared_ptr<const Problem>& problem, const std::string& planner) {
    SearchOptions options;
    options.planner = planner;
    SearchObserver nobody;
    auto outcome = search(problem, options, nobody, {});
    if (outcome)
        return *std::move(outcome);
    return {};
}

double timeOf(const SearchOutcome& outcome) {
    return outcome.plans.empty() ? kNever : outcome.plans.front().evaluation.iteration.value;
}

std::string shapeOf(const SearchOutcome& outcome, const Problem& problem) {
    if (outcome.plans.empty())
        return "no plan";
    const FoundPlan& best = outcome.plans.front();
    const Pipeline& pipeline = best.plan.pipelines.front();
    std::string text = std::to_string(pipeline.microbatches) + "x" + std::to_string(pipeline.microbatchSize) +
                       " " + name(pipeline.schedule.kind);
    for (const Stage& stage : pipeline.stages) {
        const DeviceIndex first = stage.replicas.front().devices.front();
        int blocks = 0;
        for (const LayerRange& range : stage.chunks)
            blocks += (range.last - range.first + 1) / 2;
        text += " | " + std::to_string(blocks) + " on " + problem.topology().kindOf(first).shortName + " dp" +
                std::to_string(stage.dp()) + " tp" + std::to_string(stage.tp);
    }
    return text + ", by " + best.foundBy;
}

double quantile(std::vector<double> values, double share) {
    if (values.empty())
        return 0.0;
    std::sort(values.begin(), values.end());
    return values[std::min(values.size() - 1,
                           static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}

Arguments read(int argc, char** argv) {
    Arguments a;
    for (int i = 1; i < argc; ++i) {
        const auto value = [&] { return i + 1 < argc ? std::strtoll(argv[++i], nullptr, 10) : 0; };
        const std::string word = argv[i];
        if (word == "--count")
            a.count = static_cast<int>(value());
        else if (word == "--seed")
            a.seed = static_cast<std::uint64_t>(value());
        else if (word == "--nodes")
            a.nodes = static_cast<int>(value());
        else if (word == "--subsets")
            a.subsets = static_cast<int>(value());
        else if (word == "--only")
            a.only = static_cast<int>(value());
        else if (word == "--write" && i + 1 < argc)
            a.folder = argv[++i];
        else if (word == "--others")
            a.others = true;
        else if (word == "--verbose")
            a.verbose = true;
        else {
            std::fprintf(stderr, "gap_survey: %s is no argument\n", word.c_str());
            std::exit(2);
        }
    }
    if (a.seed == 0)
        a.seed = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
    return a;
}

} // namespace

int main(int argc, char** argv) {
    const Arguments arguments = read(argc, argv);
    std::printf("seed %llu\n", static_cast<unsigned long long>(arguments.seed));
    std::vector<Row> rows;
    int worseThanSubset = 0, worseThanOther = 0, without = 0;
    double most = 0.0;
    for (int i = 0; i < arguments.count; ++i) {
        Random random(arguments.seed + 1000003ULL * static_cast<std::uint64_t>(i));
        const test::DrawnProblem drawn = test::drawProblem(random, arguments.nodes);
        if (arguments.only >= 0 && i != arguments.only)
            continue;
        if (!drawn.problem) {
            std::printf("%3d %s\n", i, drawn.text.c_str());
            continue;
        }
        if (!arguments.folder.empty()) {
            const std::string stem = arguments.folder + "/" + std::to_string(i);
            std::ofstream(stem + "-cluster.json") << toJson(drawn.cluster).dump(1) << "\n";
            std::ofstream(stem + "-model.json") << toJson(drawn.problem->model()).dump(1) << "\n";
        }
        const auto begin = std::chrono::steady_clock::now();
        const SearchOutcome own = ask(drawn.problem, "pipewright");
        const double seconds = secondsSince(begin);
        const double time = timeOf(own);
        most = std::max(most, seconds);
        if (own.plans.empty())
            ++without;
        else
            rows.push_back({i, own.gap(), seconds, drawn.text});
        std::printf("%3d %9.4f s  gap %7.1f %%  %6.2f s  %s\n", i, time,
                    own.plans.empty() ? 0.0 : 100.0 * own.gap(), seconds, drawn.text.c_str());
        if (arguments.verbose) {
            std::printf("      %s\n", shapeOf(own, *drawn.problem).c_str());
            for (const Wording& reason : own.reasons)
                std::printf("      %s\n", reason.message.c_str());
        }
        if (arguments.others)
            for (const PlannerRow& planner : plannerTable()) {
                if (std::string(planner.name) == "pipewright" || std::string(planner.name) == "exhaustive")
                    continue;
                const SearchOutcome other = ask(drawn.problem, planner.name);
                if (timeOf(other) < time * (1.0 - 1e-9)) {
                    ++worseThanOther;
                    std::printf("    ! %s %9.4f s (%.2f %%) %s\n", planner.name, timeOf(other),
                                100.0 * (time / timeOf(other) - 1.0), shapeOf(other, *drawn.problem).c_str());
                }
            }
        for (int k = 0; k < arguments.subsets; ++k) {
            const std::vector<std::string> forbidden = test::drawForbidden(random, drawn.cluster);
            const auto fewer = drawn.problem->withForbidden(forbidden);
            if (!fewer)
                continue;
            const SearchOutcome less = ask(*fewer, "pipewright");
            if (timeOf(less) < time * (1.0 - 1e-9)) {
                ++worseThanSubset;
                std::printf("    ! %zu nodes fewer: %9.4f s (%.2f %%)", forbidden.size(), timeOf(less),
                            100.0 * (time / timeOf(less) - 1.0));
                if (arguments.verbose) {
                    std::printf(" %s; without", shapeOf(less, **fewer).c_str());
                    for (const std::string& id : forbidden)
                        std::printf(" %s", id.c_str());
                }
                std::printf("\n");
            }
            if (!less.plans.empty() && less.bound.value.value > 0.0 &&
                own.bound.value.value > less.bound.value.value * (1.0 + 1e-6))
                std::printf("    ? bound %.4f s above %.4f s with %zu nodes fewer\n", own.bound.value.value,
                            less.bound.value.value, forbidden.size());
        }
        std::fflush(stdout);
    }
    std::vector<double> gaps;
    for (const Row& row : rows)
        gaps.push_back(row.gap);
    const double median = quantile(gaps, 0.5), high = quantile(gaps, 0.9);
    std::printf("%zu plans, %d without; gap median %.1f %%, 90 %% below %.1f %%; slowest search %.2f s; %d "
                "better with "
                "nodes forbidden, %d better by others\n",
                rows.size(), without, 100.0 * median, 100.0 * high, most, worseThanSubset, worseThanOther);
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.gap > b.gap; });
    for (std::size_t i = 0; i < std::min<std::size_t>(5, rows.size()); ++i)
        std::printf("worst: %d, %.1f %%\n", rows[i].index, 100.0 * rows[i].gap);
    constexpr double kMedian = 0.05, kHigh = 0.25;
    return worseThanSubset + worseThanOther > 0 || median > kMedian || high > kHigh ? 1 : 0;
}

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/expansion.h"

#include "core/base/hash.h"
#include "core/base/parallel.h"
#include "core/base/random.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <unordered_set>

namespace pw {

namespace {

Assignment assignmentOf(const SweepDocument& sweep, std::uint64_t number) {
    Assignment at(sweep.axes.size());
    for (std::size_t a = sweep.axes.size(); a-- > 0;) {
        const std::uint64_t values = sweep.axes[a].values.size();
        at[a] = static_cast<std::uint32_t>(number % values);
        number /= values;
    }
    return at;
}

std::uint64_t combinationsOf(const SweepDocument& sweep) {
    std::uint64_t product = 1;
    for (const SweepAxis& axis : sweep.axes)
        product *= axis.values.size();
    return product;
}

// Numbers of combinations, ascending: all, or as many different ones as the sample has.
std::vector<std::uint64_t> sampled(const SweepSample& sample, std::uint64_t combinations) {
    std::vector<std::uint64_t> numbers;
    if (sample.count == 0 || sample.count >= combinations) {
        for (std::uint64_t i = 0; i < combinations; ++i)
            numbers.push_back(i);
        return numbers;
    }
    // Floyd's: one draw for each, all subsets alike.
    Random random(sample.seed);
    std::set<std::uint64_t> chosen;
    for (std::uint64_t last = combinations - sample.count; last < combinations; ++last)
        if (!chosen.insert(random.below(last + 1)).second)
            chosen.insert(last);
    return {chosen.begin(), chosen.end()};
}

// Partial assignments with indices in place of names and values.
class SkipList {
public:
    explicit SkipList(const SweepDocument& sweep) {
        for (const auto& partial : sweep.skip) {
            std::vector<std::pair<std::size_t, std::uint32_t>> indices;
            for (std::size_t a = 0; a < sweep.axes.size(); ++a)
                if (const auto at = partial.find(sweep.axes[a].name); at != partial.end()) {
                    const auto& values = sweep.axes[a].values;
                    indices.emplace_back(a, static_cast<std::uint32_t>(std::ranges::find(values, at->second) -
                                                                       values.begin()));
                }
            m_partial.push_back(std::move(indices));
        }
    }
    bool has(const Assignment& at) const {
        return std::ranges::any_of(m_partial, [&at](const auto& partial) {
            return std::ranges::all_of(partial,
                                       [&at](const auto& pair) { return at[pair.first] == pair.second; });
        });
    }

private:
    std::vector<std::vector<std::pair<std::size_t, std::uint32_t>>> m_partial;
};

// What tasks of one composition share.
struct Composition {
    const Assignment* example = nullptr;
    ClusterRates rates;
    std::string identity; // hash of the problem and its costs
    bool beyondCaps = false;
    std::optional<Error> bad, infeasible;
};

bool isBeyond(const SweepCaps& caps, const ClusterRates& rates) {
    return (caps.pricePerHour > 0.0 && rates.pricePerHour > caps.pricePerHour) ||
           (caps.watts > 0.0 && rates.watts > caps.watts) ||
           (caps.leastGpus > 0 && rates.gpus < caps.leastGpus) ||
           (caps.mostGpus > 0 && rates.gpus > caps.mostGpus);
}

void check(const SweepDocument& sweep, const Composer& composer, const std::string& file,
           Composition& composition) {
    const Result<Cluster> cluster = composer.cluster(*composition.example);
    if (!cluster) {
        composition.bad = cluster.error();
        return;
    }
    composition.rates = ratesOf(*cluster);
    const double budget = sweep.training ? sweep.training->budget : 0.0;
    if (composition.rates.gpus > 0)
        for (const auto& [cap, rate, what] :
             {std::tuple(sweep.caps.pricePerHour, composition.rates.pricePerHour, "limit/price_per_hour"),
              std::tuple(sweep.caps.watts, composition.rates.watts, "limit/power_w"),
              std::tuple(budget, composition.rates.pricePerHour, "training/budget")})
            if (cap > 0.0 && rate <= 0.0)
                composition.bad = badInput(
                    "sweep.cap", fmt::format("{}#/{}", file, what),
                    {"cannot be held against {cluster}: the price or the power of one of its kinds is "
                     "not known",
                     {{"cluster", cluster->name}}});
    composition.beyondCaps = isBeyond(sweep.caps, composition.rates);
    if (composition.bad || composition.beyondCaps)
        return;
    const Result<std::shared_ptr<const Problem>> problem = composer.composition(*composition.example);
    if (problem)
        composition.identity = hashText(fmt::format("{} {} {}", (*problem)->hash(),
                                                    composition.rates.pricePerHour, composition.rates.watts));
    else if (problem.error().kind == ErrorKind::Infeasible)
        composition.infeasible = problem.error();
    else
        composition.bad = problem.error();
}

// Where no file is to blame alone: the values that do not go together.
Error placed(Error error, const SweepDocument& sweep, const std::string& file, const Assignment& at) {
    if (error.where.starts_with(file + '#'))
        return error;
    std::vector<std::string> places = {file + "#/axes"};
    for (std::size_t a = 0; a < sweep.axes.size(); ++a)
        if (sweep.axes[a].isComposition())
            places.push_back(
                fmt::format("{} {}", sweep.axes[a].name, plainValue(sweep.axes[a].values[at[a]])));
    if (!error.where.empty())
        places.push_back(error.where);
    error.where = fmt::format("{}", fmt::join(places, ", "));
    return error;
}

double expectedOf(const Composer& composer, const Assignment& task, std::int64_t gpus) {
    constexpr double kJudged = 0.01; // s, of a plan that is there
    const std::optional<SearchOptions> search = composer.search(task);
    return search ? expectedSeconds(gpus, search->work) : kJudged;
}

constexpr double kLeastChunk = 30.0, kMostChunk = 1200.0; // s
constexpr double kUsualChunks = 64.0, kMostChunks = 1000.0;

} // namespace

double expectedSeconds(std::int64_t gpus, std::int64_t work) {
    constexpr std::array<std::pair<double, double>, 6> kMeasured = {
        {{8.0, 0.03}, {16.0, 0.07}, {32.0, 0.4}, {64.0, 1.5}, {1024.0, 3.5}, {16384.0, 15.0}}};
    constexpr double kOwnWork = 1e6, kLeastShare = 0.1;
    const double asked = static_cast<double>(std::max<std::int64_t>(1, gpus));
    std::size_t next = 1;
    while (next + 1 < kMeasured.size() && asked > kMeasured[next].first)
        ++next;
    const auto& [lowGpus, lowTime] = kMeasured[next - 1];
    const auto& [highGpus, highTime] = kMeasured[next];
    const double power = std::log(highTime / lowTime) / std::log(highGpus / lowGpus);
    const double share = work > 0 ? std::clamp(static_cast<double>(work) / kOwnWork, kLeastShare, 1.0) : 1.0;
    return lowTime * std::pow(asked / lowGpus, power) * share;
}

std::string roughTime(double seconds) {
    constexpr double kMinute = 60.0, kHour = 3600.0, kDay = 86400.0;
    if (seconds < 2.0 * kMinute)
        return fmt::format("{:.0f} s", std::max(1.0, seconds));
    if (seconds < 2.0 * kHour)
        return fmt::format("{:.0f} minutes", seconds / kMinute);
    return seconds < 2.0 * kDay ? fmt::format("{:.1f} hours", seconds / kHour)
                                : fmt::format("{:.1f} days", seconds / kDay);
}

std::vector<SweepChunk> chunksOf(const std::vector<SweepTask>& tasks, std::size_t chunkTasks) {
    double all = 0.0;
    for (const SweepTask& task : tasks)
        all += task.expected;
    const double target =
        std::max(all / kMostChunks * 1.01, std::clamp(all / kUsualChunks, kLeastChunk, kMostChunk));
    std::vector<SweepChunk> chunks;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const bool full = chunks.empty() || (chunkTasks > 0 ? chunks.back().count >= chunkTasks
                                                            : chunks.back().expected >= target);
        if (full)
            chunks.push_back({i, 0, 0.0});
        ++chunks.back().count;
        chunks.back().expected += tasks[i].expected;
    }
    return chunks;
}

Result<Expansion> expand(const SweepDocument& sweep, const Composer& composer, const std::string& file,
                         const ExpansionOptions& options) {
    Expansion expansion;
    expansion.combinations = combinationsOf(sweep);
    if (expansion.combinations > kMostTasks && sweep.sample.count == 0 && sweep.skip.empty())
        return badInput("sweep.size", file + "#/axes",
                        {"come to {count} combinations, more than {limit} tasks; draw a sample of them",
                         {{"count", expansion.combinations}, {"limit", kMostTasks}}});
    if (expansion.combinations > 100 * kMostTasks && sweep.sample.count == 0)
        return badInput(
            "sweep.size", file + "#/axes",
            {"come to {count} combinations; draw a sample of them", {{"count", expansion.combinations}}});
    const SkipList skip(sweep);
    std::map<std::uint64_t, Composition> compositions;
    for (const std::uint64_t number : sampled(sweep.sample, expansion.combinations)) {
        Assignment at = assignmentOf(sweep, number);
        if (skip.has(at)) {
            ++expansion.skipped;
            continue;
        }
        if (expansion.tasks.size() == kMostTasks)
            return badInput(
                "sweep.size", file + "#/axes",
                {"leave more than {limit} tasks; draw a sample of them", {{"limit", kMostTasks}}});
        expansion.tasks.push_back({std::move(at), {}, 0.0});
    }
    for (const SweepTask& task : expansion.tasks)
        compositions[composer.compositionNumber(task.at)].example = &task.at;
    std::vector<Composition*> order;
    order.reserve(compositions.size());
    for (auto& [number, composition] : compositions)
        order.push_back(&composition);
    expansion.compositions = order.size();
    inParallel(order.size(), options.threads, [&](std::size_t i) {
        if (!options.stop.stop_requested())
            check(sweep, composer, file, *order[i]);
    });
    if (options.stop.stop_requested())
        return stopped("stopped", "stopped before the problems were checked");
    std::vector<Error> bad;
    std::set<std::string> told; // once each, whatever other axes made of it
    std::size_t untold = 0;
    for (const Composition* composition : order)
        if (composition->bad) {
            if (!told.insert(composition->bad->text()).second)
                continue;
            if (bad.size() < kMostFaults)
                bad.push_back(placed(*composition->bad, sweep, file, *composition->example));
            else
                ++untold;
        } else if (composition->infeasible && expansion.why.size() < kMostFaults) {
            expansion.why.push_back(*composition->infeasible);
        }
    if (!bad.empty())
        return statusOf(std::move(bad), untold).error();

    std::vector<SweepTask> all = std::exchange(expansion.tasks, {});
    std::unordered_set<std::string> asked;
    for (SweepTask& task : all) {
        const Composition& composition = compositions.at(composer.compositionNumber(task.at));
        if (composition.beyondCaps) {
            ++expansion.beyondCaps;
            continue;
        }
        // What cannot be made into a problem has its values for an identity.
        const std::string identity = composition.infeasible
                                         ? fmt::format("none {}", composer.compositionNumber(task.at))
                                         : composition.identity;
        task.id = hashText(identity + composer.restText(task.at));
        expansion.infeasible += composition.infeasible ? 1 : 0;
        if (asked.insert(task.id).second && !composition.infeasible)
            task.expected = expectedOf(composer, task.at, composition.rates.gpus);
        expansion.expected += task.expected;
        expansion.tasks.push_back(std::move(task));
    }
    if (expansion.tasks.empty())
        return infeasible(
            "sweep.empty", file,
            {"leaves no task: of {count} combinations {skipped} are skipped and {beyond} beyond the "
             "limits",
             {{"count", expansion.combinations},
              {"skipped", expansion.skipped},
              {"beyond", expansion.beyondCaps}}});
    expansion.chunks = chunksOf(expansion.tasks, options.chunkTasks);
    return expansion;
}

} // namespace pw

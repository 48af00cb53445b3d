// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/pipewright/first_plan.h"

#include "core/search/pipewright/pattern_search.h"
#include "core/search/space/least_memory.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace pw {
namespace {

constexpr int kSmall = 512;            // GPUs: below, all spaces are there in some ten milliseconds
constexpr double kBesides = 1.5;       // times weights and gradients: with what else lies in memory
constexpr std::size_t kMostSpaces = 6; // that are tried
constexpr std::size_t kEnough = 4;     // of them with a plan

struct SpaceChoice {
    std::int64_t microbatchSize = 1;
    Sharing sharing;
    double price = kNever; // GPU seconds of a block of one sequence, what idles meanwhile counted with it
};

// GPU seconds of one block of one sequence, on a replica of these sizes inside a node.
double priceOf(const SearchRun& run, DeviceIndex device, int tp, const Sharing& sharing) {
    CostConfig config;
    placeOn(config, run.problem().topology(), device);
    config.tp = tp;
    config.cp = sharing.cp;
    config.ep = sharing.ep;
    config.sequenceParallel = usesSequenceParallel(run.problem(), tp);
    return run.table().costs(config).quickestBlock() * tp * sharing.cp;
}

// The classes with most arithmetic first: what share of all of it those so far have together.
struct Share {
    int gpus = 0;
    double arithmetic = 0.0;
};
std::vector<Share> sharesOf(const Problem& problem, const std::vector<ChainClass>& classes) {
    std::vector<Share> shares;
    for (const ChainClass& cls : classes) {
        const DeviceKind& kind = problem.topology().kinds()[static_cast<std::size_t>(cls.kind)];
        shares.push_back({cls.gpus(), cls.gpus() * cls.speed * kind.peak(problem.precision()).value});
    }
    std::ranges::sort(shares, std::ranges::greater(), &Share::arithmetic);
    for (std::size_t i = 1; i < shares.size(); ++i)
        shares[i] = {shares[i].gpus + shares[i - 1].gpus, shares[i].arithmetic + shares[i - 1].arithmetic};
    const double all = shares.back().arithmetic;
    for (Share& share : shares)
        share.arithmetic /= all;
    return shares;
}

// By the block's price and by what a pipeline of the largest stages that the micro-batch allows would idle,
// over the best of the classes.
std::vector<SpaceChoice> mostPromising(const SearchRun& run) {
    const Problem& problem = run.problem();
    const std::vector<ChainClass> classes = ChainSpace::classes(problem);
    const std::vector<Share> shares = sharesOf(problem, classes);
    const double most = mostStages(problem);
    const auto largest = std::ranges::max_element(classes, {}, &ChainClass::gpus);
    const StateBytes states = stateBytes(problem);
    const double bytes = kBesides * (states.weight + states.gradient) * parametersOf(problem);
    const double capacity =
        std::ranges::min(classes, {}, [](const ChainClass& c) { return c.capacity; }).capacity.value;
    std::vector<SpaceChoice> choices;
    for (const Sharing& sharing : sharings(problem))
        for (int tp = 1; tp <= std::min(problem.space().maxTp, largest->gpusPerNode); tp *= 2) {
            if (!divides(problem.model(), tp))
                continue;
            const double price = priceOf(run, largest->nodes.front().front(), tp, sharing);
            const double held = bytes / (tp * capacity);
            for (const std::int64_t size : ChainSpace::microbatchSizes(problem)) {
                SpaceChoice choice{size, sharing};
                const double microbatches =
                    static_cast<double>(problem.recipe().gbs) / static_cast<double>(size);
                for (std::size_t count = 1; count <= shares.size(); ++count) {
                    const Share& share = shares[count - 1];
                    const double stages =
                        std::max({static_cast<double>(count), held,
                                  share.gpus / (static_cast<double>(size) * tp * sharing.cp)});
                    choice.price =
                        std::min(choice.price, price * std::max(1.0, stages / most) *
                                                   (1.0 + (stages - 1.0) / microbatches) / share.arithmetic);
                }
                choices.push_back(choice);
            }
        }
    std::ranges::stable_sort(choices, {}, &SpaceChoice::price);
    std::vector<SpaceChoice> best; // of the same ones with several tensor-parallel sizes the best
    for (const SpaceChoice& choice : choices)
        if (best.size() < kMostSpaces && std::ranges::none_of(best, [&](const SpaceChoice& other) {
                return other.microbatchSize == choice.microbatchSize && other.sharing == choice.sharing;
            }))
            best.push_back(choice);
    return best;
}

// s: about what an iteration takes with every class as fast as its best stages.
double roughTime(const PatternOptions& options) {
    const ChainSpace& space = options.space();
    std::map<int, double> rates; // blocks a second, by class
    for (const int o : options.list()) {
        const StageOption& option = space.options()[static_cast<std::size_t>(o)];
        const double stages = space.classes()[static_cast<std::size_t>(option.cls)].gpus() /
                              static_cast<double>(option.devices);
        double& rate = rates[option.cls];
        rate = std::max(rate, stages / options.lineOf(o, false, false).timeBlock);
    }
    double all = 0.0;
    for (const auto& [cls, rate] : rates)
        all += rate;
    return space.microbatches() * space.blocks() / all;
}

} // namespace

void findFirstPlan(SearchRun& run, int threads) {
    const Problem& problem = run.problem();
    if (allowedGpus(problem) < kSmall)
        return;
    const auto phase = run.phase("first plan");
    std::size_t found = 0;
    for (const SpaceChoice& choice : mostPromising(run)) {
        if (run.over() || found == kEnough)
            return;
        const std::size_t at = run.addSpace(choice.microbatchSize, choice.sharing);
        const ChainSpace& space = *run.spaces()[at];
        if (space.options().empty())
            continue;
        const PatternOptions options(space, threads);
        PatternSearch search(run, options, threads);
        bool any = false;
        for (const PatternSearch::Found& best : search.uniform(roughTime(options), 1))
            for (const PatternProgramme::Layers& layers : best.layers)
                any = std::isfinite(run.consider(at, layers.chain)) || any;
        found += any;
    }
}

} // namespace pw

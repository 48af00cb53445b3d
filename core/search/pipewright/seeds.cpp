// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/pipewright/seeds.h"

#include "core/search/baselines/alpa.h"
#include "core/search/baselines/hyperpipe.h"
#include "core/search/baselines/metis.h"
#include "core/search/exhaustive/enumerate.h"
#include "core/search/haap/haap.h"
#include "core/search/harp/harp.h"
#include "core/search/pipewright/fine_cuts.h"

#include <algorithm>

namespace pw {
namespace {

constexpr std::int64_t kLeastWork = 1000; // with less they find nothing

struct Seed {
    const char* name;
    SearchOutcome (*run)(const Problem&, const SearchOptions&, SearchObserver&, const std::stop_token&);
    std::int64_t units;                     // of its work in the time of one of the default planner's
    bool quick;                             // on any cluster
    bool (*needed)(const Space&) = nullptr; // beyond that on large ones too; null: never
    bool (*useful)(const Space&) = nullptr; // at all; null: always
};

bool hasFineCuts(const Space& space) {
    return space.fineCuts;
}
// Plans outside the Space are taken where they are faster, but wider axes say what they are about.
bool mayMixStages(const Space& space) {
    return !space.wider.any() || space.wider.mixedStages;
}
// Planners whose plans the search without the wider axes has met.
bool isNarrow(const Space& space) {
    return !space.wider.any();
}

} // namespace

void considerOthers(SearchRun& run, const SearchOptions& options, std::int64_t work, std::int64_t own,
                    const std::stop_token& stop) {
    constexpr Seed kSeeds[] = {{"haap", runHaap, 3, true, nullptr, isNarrow},
                               {"hyperpipe", runHyperPipe, 4, true, nullptr, isNarrow},
                               {"harp", runHarp, 10, false, hasFineCuts, isNarrow},
                               {"aceso", askAceso, 4, true, nullptr, isNarrow},
                               {"alpa", runAlpa, 50, false, nullptr, isNarrow},
                               {"metis", runMetis, 6, false, nullptr, mayMixStages}};
    const auto asking = run.phase("other planners");
    const Space& space = run.problem().space();
    constexpr std::int64_t kSmall = 128; // GPUs
    const std::vector<bool>& allowed = run.problem().allowed();
    const bool small = std::count(allowed.begin(), allowed.end(), true) <= kSmall;
    // Where nobody can try all plans, the best that is known counts for more than its gap.
    const bool outside = !space.wider.any() && !tooLargeToEnumerate(run.problem()).empty();
    constexpr double kNear = 1.05; // times the bound
    constexpr std::int64_t kShare = 40;
    const bool near = work == 0 && !space.fineCuts && run.best() <= kNear * run.bound().value;
    for (const Seed& seed : kSeeds) {
        if (run.interrupted()())
            return;
        if ((!small && !seed.quick && !(seed.needed && seed.needed(space))) ||
            (seed.useful && !seed.useful(space)))
            continue;
        const auto searching = run.phase(seed.name);
        SearchOptions asked = options;
        asked.work = near ? std::max(kLeastWork, own * seed.units / kShare) : work;
        asked.without.push_back("bound"); // known here already
        if (options.timeLimit > 0.0)
            asked.timeLimit = std::max(1e-3, options.timeLimit - run.elapsed());
        SearchObserver nobody;
        const SearchOutcome outcome = seed.run(run.problem(), asked, nobody, stop);
        run.spend(outcome.work, 0);
        for (const FoundPlan& found : outcome.plans)
            if (run.covered(found.plan) || isCutFiner(run.problem(), found.plan) || outside)
                run.consider(found);
    }
}

} // namespace pw

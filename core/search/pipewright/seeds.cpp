// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/pipewright/seeds.h"

#include "core/base/parallel.h"
#include "core/search/baselines/alpa.h"
#include "core/search/baselines/hyperpipe.h"
#include "core/search/baselines/metis.h"
#include "core/search/exhaustive/enumerate.h"
#include "core/search/haap/haap.h"
#include "core/search/harp/harp.h"
#include "core/search/pipewright/fine_cuts.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <optional>

namespace pw {
namespace {

constexpr std::int64_t kLeastWork = 1000; // with less they find nothing

struct Seed {
    const char* name;
    SearchOutcome (*run)(const Problem&, const SearchOptions&, SearchObserver&, const std::stop_token&);
    std::int64_t units;                     // of its work in the time of one of the default planner's
    std::int64_t most;                      // of its work, where its own default goes on for long; 0: that
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

// Adds up what the other planners have done so far, on threads of their own.
class Together {
public:
    Together(SearchRun& run, std::size_t planners) : m_run(run), m_work(planners, 0) {}

    class One : public SearchObserver {
    public:
        One(Together& all, std::size_t planner) : m_all(all), m_planner(planner) {}
        void progress(const SearchProgress& now) override {
            const std::lock_guard lock(m_all.m_mutex);
            m_all.m_work[m_planner] = now.work;
            m_all.m_run.reportOthers(
                std::accumulate(m_all.m_work.begin(), m_all.m_work.end(), std::int64_t{0}));
        }

    private:
        Together& m_all;
        const std::size_t m_planner;
    };

private:
    SearchRun& m_run;
    std::mutex m_mutex;
    std::vector<std::int64_t> m_work; // by planner
};

// Planners whose plans the search without the wider axes has met.
bool isNarrow(const Space& space) {
    return !space.wider.any();
}

} // namespace

void considerOthers(SearchRun& run, const SearchOptions& options, std::int64_t work, std::int64_t done,
                    const std::stop_token& stop) {
    constexpr Seed kSeeds[] = {{"haap", runHaap, 3, 0, true, nullptr, isNarrow},
                               {"hyperpipe", runHyperPipe, 4, 3'000'000, true, nullptr, isNarrow},
                               {"harp", runHarp, 10, 0, false, hasFineCuts, isNarrow},
                               {"aceso", askAceso, 4, 0, true, nullptr, isNarrow},
                               {"alpa", runAlpa, 50, 0, false, nullptr, isNarrow},
                               {"metis", runMetis, 6, 0, false, nullptr, mayMixStages}};
    const auto asking = run.phase("other planners");
    const Space& space = run.problem().space();
    constexpr std::int64_t kFew = 128, kMany = 16'384; // GPUs
    const std::vector<bool>& allowed = run.problem().allowed();
    const auto gpus = std::count(allowed.begin(), allowed.end(), true);
    // Most of what the slow ones find has stages that differ, whatever is asked.
    const bool small = space.alike == AlikeStages{} && gpus <= kFew;
    // Where nobody can try all plans, the best that is known counts for more than its gap.
    const bool outside = !space.wider.any() && tooLargeToEnumerate(run.problem());
    const auto within = [&run](double gap) { return run.best() <= (1.0 + gap) * run.bound().value; };
    const bool near = !space.fineCuts && within(small ? 0.02 : 0.05);
    const bool nearest = !space.fineCuts && within(0.005);
    constexpr std::int64_t kIfNearest = 40, kElse = 8; // of the search's own time, for each
    const std::int64_t share = work > 0                             ? 0
                               : nearest || gpus > kMany            ? kIfNearest
                               : !near && (small || space.fineCuts) ? 0
                                                                    : kElse;
    std::vector<const Seed*> asked;
    for (const Seed& seed : kSeeds)
        if ((small || seed.quick || (seed.needed && seed.needed(space))) &&
            (!seed.useful || seed.useful(space)))
            asked.push_back(&seed);
    if (run.interrupted()())
        return;
    const double left = options.timeLimit > 0.0 ? std::max(1e-3, options.timeLimit - run.elapsed()) : 0.0;
    if (work == 0)
        run.setTotal(0); // each goes by its own limit, or ends before it
    std::vector<SearchOutcome> outcomes(asked.size());
    Together together(run, asked.size());
    inParallel(asked.size(), options.threads, [&](std::size_t i) {
        SearchOptions own = options;
        own.work = share > 0  ? std::max(kLeastWork, done * asked[i]->units / share)
                   : work > 0 ? work
                              : asked[i]->most;
        own.without.push_back("bound"); // known here already
        own.timeLimit = left;
        std::optional<PhaseRecorder> phases;
        own.trace = options.trace ? &phases.emplace() : nullptr;
        Together::One observer(together, i);
        outcomes[i] = asked[i]->run(run.problem(), own, observer, stop);
        if (phases)
            outcomes[i].phases = phases->take();
    });
    for (std::size_t i = 0; i < asked.size(); ++i) {
        auto telling = run.phase(asked[i]->name);
        telling.add(outcomes[i]);
        run.spendOthers(outcomes[i].work);
        const auto wanted = [&](const FoundPlan& found) {
            return run.covered(found.plan) || isCutFiner(run.problem(), found.plan) || outside;
        };
        for (const FoundPlan& found : outcomes[i].plans)
            if (wanted(found))
                run.consider(found);
        for (const FoundPlan& found : outcomes[i].differing)
            if (wanted(found))
                run.meet(found);
    }
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/search.h"
#include "core/search/space/chain.h"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace pw {

// A plan as a run keeps it: a chain of one of its spaces under a schedule, or one that was judged as a plan.
struct MetPlan {
    double iteration = 0.0; // s
    std::size_t space = 0;
    Chain chain;
    ChainResult result;
    std::shared_ptr<const FoundPlan> plan; // where it is evaluated already; else made from the chain
    std::string foundBy;
};

// What a search meets on its way and might be wanted for what sets it apart (Difference), whichever plan
// turns out to be the fastest: of GPUs, memory and stages the plans that no other met has fewer of in less
// time, of every schedule the fastest, the fastest with equal stages and the fastest that is likely to fit.
// That is all that isSetApart() can ask for, so nothing is lost by it, and some ten plans are kept of
// millions: who meets one compares a few numbers and copies only what stays. Of plans alike in that the one
// met first stays, which is the same one on any number of threads.
class MetPlans {
public:
    // Whether the plan would stay.
    bool takes(const PlanTraits& traits) const;
    void keep(const PlanTraits& traits, MetPlan plan);
    // Those that differ from the fastest plan, which has these traits; fastest first.
    std::vector<std::shared_ptr<const MetPlan>> differingFrom(const PlanTraits& fastest) const;

    // A chain of which only about what it takes is known: no schedule, no memory.
    struct Guess {
        const ChainSpace* space = nullptr;
        Chain chain;
        std::string foundBy;
    };
    bool takesGuess(double about, int gpus, std::size_t stages) const;
    void keepGuess(double about, int gpus, Guess guess);
    // The first few that might be faster than what was met of their difference.
    std::vector<Guess> promisingGuesses(const PlanTraits& fastest) const;

    // Spaces have other places now.
    void renumber(const std::function<std::size_t(std::size_t)>& placeOf);

private:
    template <class What>
    struct Entry {
        PlanTraits traits;
        std::shared_ptr<What> what;
    };
    // By GPUs, share of memory or stages, ascending, times descending.
    template <class What>
    using Front = std::map<double, Entry<What>>;
    static bool takes(const Entry<MetPlan>& fastest, const PlanTraits& traits);
    template <class What>
    static bool takes(const Front<What>& front, double amount, double time);
    template <class What>
    static void keep(Front<What>& front, double amount, const Entry<What>& entry);

    static std::array<double, 3> amountsOf(const PlanTraits& traits); // of m_fronts
    std::array<Front<MetPlan>, 3> m_fronts;
    std::map<ScheduleKind, Entry<MetPlan>> m_bySchedule;
    Entry<MetPlan> m_equal, m_likely;      // null until there is one
    std::array<Front<Guess>, 2> m_guesses; // by GPUs and by stages
};

} // namespace pw

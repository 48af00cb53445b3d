// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/met_plans.h"

#include "core/problem/memory_span.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace pw {

std::array<double, 3> MetPlans::amountsOf(const PlanTraits& traits) {
    return {static_cast<double>(traits.gpus), traits.memory, static_cast<double>(traits.stages)};
}

bool MetPlans::takes(const Entry<MetPlan>& fastest, const PlanTraits& traits) {
    return !fastest.what || traits.iteration < fastest.traits.iteration;
}

template <class What>
bool MetPlans::takes(const Front<What>& front, double amount, double time) {
    const auto above = front.upper_bound(amount); // the one before has the least time of so few
    return above == front.begin() || time < std::prev(above)->second.traits.iteration;
}

template <class What>
void MetPlans::keep(Front<What>& front, double amount, const Entry<What>& entry) {
    if (!takes(front, amount, entry.traits.iteration))
        return;
    auto at = front.insert_or_assign(amount, entry).first;
    for (++at; at != front.end() && at->second.traits.iteration >= entry.traits.iteration;)
        at = front.erase(at);
}

bool MetPlans::takes(const PlanTraits& traits) const {
    const auto schedule = m_bySchedule.find(traits.schedule);
    if (schedule == m_bySchedule.end() || traits.iteration < schedule->second.traits.iteration ||
        (traits.equalStages && takes(m_equal, traits)) ||
        (traits.fitChance >= kLikelyToFit && takes(m_likely, traits)))
        return true;
    const std::array<double, 3> amounts = amountsOf(traits);
    for (std::size_t i = 0; i < amounts.size(); ++i)
        if (takes(m_fronts[i], amounts[i], traits.iteration))
            return true;
    return false;
}

void MetPlans::keep(const PlanTraits& traits, MetPlan plan) {
    const Entry<MetPlan> entry{traits, std::make_shared<MetPlan>(std::move(plan))};
    const auto [schedule, fresh] = m_bySchedule.try_emplace(traits.schedule, entry);
    if (!fresh && traits.iteration < schedule->second.traits.iteration)
        schedule->second = entry;
    if (traits.equalStages && takes(m_equal, traits))
        m_equal = entry;
    if (traits.fitChance >= kLikelyToFit && takes(m_likely, traits))
        m_likely = entry;
    const std::array<double, 3> amounts = amountsOf(traits);
    for (std::size_t i = 0; i < amounts.size(); ++i)
        keep(m_fronts[i], amounts[i], entry);
}

std::vector<std::shared_ptr<const MetPlan>> MetPlans::differingFrom(const PlanTraits& fastest) const {
    std::vector<Entry<MetPlan>> all;
    const auto add = [&](const Entry<MetPlan>& entry) {
        if (std::ranges::find(all, entry.what, &Entry<MetPlan>::what) == all.end())
            all.push_back(entry);
    };
    for (const Front<MetPlan>& front : m_fronts)
        for (const auto& [amount, entry] : front)
            add(entry);
    for (const auto& [schedule, entry] : m_bySchedule)
        add(entry);
    for (const Entry<MetPlan>* entry : {&m_equal, &m_likely})
        if (entry->what)
            add(*entry);
    std::ranges::stable_sort(all, {}, [](const Entry<MetPlan>& entry) { return entry.traits.iteration; });
    std::vector<PlanTraits> traits = {fastest};
    for (const Entry<MetPlan>& entry : all)
        traits.push_back(entry.traits);
    const std::vector<std::vector<Difference>> marks = differencesFromFirst(traits);
    std::vector<std::shared_ptr<const MetPlan>> list;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (!marks[i + 1].empty())
            list.push_back(all[i].what);
    return list;
}

bool MetPlans::takesGuess(double about, int gpus, std::size_t stages) const {
    return takes(m_guesses[0], static_cast<double>(gpus), about) ||
           takes(m_guesses[1], static_cast<double>(stages), about);
}

void MetPlans::keepGuess(double about, int gpus, Guess guess) {
    PlanTraits traits;
    traits.iteration = about;
    traits.gpus = gpus;
    traits.stages = static_cast<int>(guess.chain.size());
    const Entry<Guess> entry{traits, std::make_shared<Guess>(std::move(guess))};
    keep(m_guesses[0], static_cast<double>(gpus), entry);
    keep(m_guesses[1], static_cast<double>(traits.stages), entry);
}

std::vector<MetPlans::Guess> MetPlans::promisingGuesses(const PlanTraits& fastest) const {
    constexpr std::size_t kTried = 2; // of each difference: about what they take may be a few per cent off
    std::vector<Guess> list;
    const auto add = [&](Difference by, const Front<MetPlan>& met, const Front<Guess>& guesses) {
        double known = kMostTime * fastest.iteration; // s
        for (const auto& [amount, entry] : met)
            if (isSetApart(by, fastest, entry.traits))
                known = std::min(known, entry.traits.iteration);
        std::size_t tried = 0;
        for (auto at = guesses.rbegin(); at != guesses.rend() && tried < kTried; ++at)
            if (at->second.traits.iteration < known && isSetApart(by, fastest, at->second.traits)) {
                list.push_back(*at->second.what);
                ++tried;
            }
    };
    add(Difference::HalfTheGpus, m_fronts[0], m_guesses[0]);
    add(Difference::FewerGpus, m_fronts[0], m_guesses[0]);
    add(Difference::FewerStages, m_fronts[2], m_guesses[1]);
    return list;
}

void MetPlans::renumber(const std::function<std::size_t(std::size_t)>& placeOf) {
    std::set<MetPlan*> all;
    for (const Front<MetPlan>& front : m_fronts)
        for (const auto& [amount, entry] : front)
            all.insert(entry.what.get());
    for (const auto& [schedule, entry] : m_bySchedule)
        all.insert(entry.what.get());
    for (const Entry<MetPlan>* entry : {&m_equal, &m_likely})
        if (entry->what)
            all.insert(entry->what.get());
    for (MetPlan* plan : all)
        if (!plan->chain.empty())
            plan->space = placeOf(plan->space);
}

} // namespace pw

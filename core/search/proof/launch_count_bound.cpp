// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/search/proof/launch_count_bound.h"

#include "core/base/parallel.h"
#include "core/cost/roofline.h"
#include "core/search/proof/capacity_bound.h"
#include "core/search/proof/open_programme.h"
#include "core/search/space/uniform_grid.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

namespace pw {
namespace {

constexpr double kLastBits = 1e-9;  // shares
constexpr double kPrecision = 1e-3; // of bounds that prices prove
constexpr double kEndOfTime = 10.0 * LaunchCountBound::kNothingFits;
constexpr double kSoonest = 1e-3; // s; where deadlines begin

} // namespace

LaunchCountBound::LaunchCountBound(std::vector<const ChainSpace*> spaces, std::function<bool()> stop,
                                   int threads, ChainOrder order)
    : m_spaces(std::move(spaces)), m_stop(std::move(stop)), m_threads(threads), m_order(order) {
    m_lines.resize(m_spaces.size());
    m_least.resize(m_spaces.size());
    m_open.resize(m_spaces.size());
    m_start.resize(m_spaces.size());
    for (std::size_t s = 0; s < m_spaces.size(); ++s) {
        const ChainSpace& space = *m_spaces[s];
        m_blocks = space.blocks() - space.leadBlocks();
        m_start[s].resize(static_cast<std::size_t>(space.maxStages()) + 1);
    }
    inParallel(m_spaces.size(), m_threads,
               [&](std::size_t s) { m_lines[s] = chainLines(*m_spaces[s], m_stop); });
}

std::vector<LaunchCountBound::Wanted> LaunchCountBound::wanted(std::size_t s, double deadline) const {
    const ChainSpace& space = *m_spaces[s];
    std::vector<Wanted> list;
    for (ChainRegion& region : chainRegions(space, deadline)) {
        const bool anywhere = region.anywhere();
        const int most = anywhere
                             ? space.maxStages()
                             : std::min(space.maxStages(),
                                        space.classes()[static_cast<std::size_t>(region.nodeOf)].gpusPerNode);
        list.push_back({std::move(region), anywhere ? 1 : 2, most});
    }
    return list;
}

int LaunchCountBound::mostStages(std::size_t s, Depth depth) const {
    const int most = m_spaces[s]->maxStages();
    return depth == Depth::Any ? most : std::min(kStagesEach, most);
}

bool LaunchCountBound::mayEndByPrices(std::size_t s, double deadline, Depth depth,
                                      std::vector<Proof>* proofs) {
    std::vector<Proof> found;
    for (const auto& [region, least, most] : wanted(s, deadline)) {
        PricedChains chains(*m_spaces[s], m_lines[s], deadline, region);
        Multipliers inNode;
        const int few = std::min(kStagesEach, most);
        const int end = depth == Depth::Few ? few : most;
        for (int stages = depth == Depth::Few ? least : few + 1; stages <= end;) {
            const int together = std::min(PricedChains::provenWith(stages), end);
            Multipliers& at = region.anywhere() ? m_start[s][static_cast<std::size_t>(stages)] : inNode;
            if (!chains.provenOut(stages, together, at))
                return true;
            found.push_back({s, stages, together, false, at.prices, at.fill, region});
            stages = together + 1;
        }
    }
    if (proofs)
        proofs->insert(proofs->end(), found.begin(), found.end());
    return false;
}

bool LaunchCountBound::mayEndRoughly(std::size_t s, double deadline) {
    const auto unknown = [&](Depth depth) {
        return deadline > m_least[s][static_cast<std::size_t>(depth)].value;
    };
    return deadline > m_open[s].value && unknown(Depth::Any) &&
           ((unknown(Depth::Few) && mayEndByPrices(s, deadline, Depth::Few, nullptr)) ||
            mayEndByPrices(s, deadline, Depth::Any, nullptr));
}

bool LaunchCountBound::mayEndByProgramme(std::size_t s, double deadline, Depth depth) {
    Least& known = m_least[s][static_cast<std::size_t>(depth)];
    if (deadline <= known.value || known.exact)
        return deadline > known.value;
    if (known.steps < 0 || m_order == ChainOrder::Any)
        return true;
    const double upper = 1.05 * deadline; // the next question is mostly for a little more
    const std::optional<double> value =
        ChainProgramme(*m_spaces[s], m_lines[s]).least(upper, mostStages(s, depth), m_stop, known.steps);
    if (!value || m_stop())
        return true;
    known = {*value, *value < upper, known.steps, known.tooMuch};
    return deadline > *value;
}

bool LaunchCountBound::mayEndBy(std::size_t s, double deadline, std::vector<Proof>* proofs) {
    std::vector<Proof> found;
    const bool few = mayEndByPrices(s, deadline, Depth::Few, &found);
    const bool more = mayEndByPrices(s, deadline, Depth::Any, &found);
    if (few || more) {
        const Depth depth = more ? Depth::Any : Depth::Few;
        const Proof inAnyOrder{s, 0, mostStages(s, Depth::Any), true, {}, 0.0, {}};
        // Looking less far it may count other devices: a proof is one that can be repeated.
        if (deadline <= m_open[s].value && proofs && !holds(inAnyOrder, deadline))
            m_open[s].value = 0.0;
        const bool open = deadline <= m_open[s].value;
        if (!open && mayEndByProgramme(s, deadline, depth))
            return true;
        found.push_back(open ? inAnyOrder : Proof{s, 0, mostStages(s, depth), false, {}, 0.0, {}});
    }
    if (proofs)
        proofs->insert(proofs->end(), found.begin(), found.end());
    return false;
}

bool LaunchCountBound::holds(const Proof& proof, double deadline) const {
    if (proof.open) {
        const auto least =
            OpenProgramme(*m_spaces[proof.space], m_lines[proof.space]).least(deadline, proof.most, m_stop);
        return least && *least >= deadline && !m_stop();
    }
    if (proof.stages == 0 && m_order == ChainOrder::Any)
        return false;
    if (proof.stages > 0)
        return PricedChains(*m_spaces[proof.space], m_lines[proof.space], deadline, proof.region)
                   .blocksHeld(proof.stages, proof.most, {proof.prices, proof.fill}) < m_blocks;
    std::int64_t steps = ChainProgramme::kMostSteps;
    const std::optional<double> least = ChainProgramme(*m_spaces[proof.space], m_lines[proof.space])
                                            .least(deadline, proof.most, m_stop, steps);
    return least && *least >= deadline && !m_stop();
}

std::vector<double> LaunchCountBound::guidePrices(std::size_t s, double deadline) {
    mayEndRoughly(s, deadline); // leaves the prices of the first stage count that may hold the model
    std::vector<double> prices(m_spaces[s]->classes().size(), 0.0);
    for (const Multipliers& at : m_start[s])
        if (!at.prices.empty())
            prices = at.prices;
    return prices;
}

double LaunchCountBound::floorByPrices(std::size_t s, double upper) {
    constexpr double kClose = 0.05;
    double low = 0.0, high = kSoonest;
    while (high < std::min(upper, kEndOfTime) && !m_stop() && !mayEndRoughly(s, high)) {
        low = high;
        high *= 2.0;
    }
    if (low <= 0.0)
        return 0.0;
    for (high = std::min(high, upper); high - low > kClose * high && !m_stop();) {
        const double middle = 0.5 * (low + high);
        (mayEndRoughly(s, middle) ? high : low) = middle;
    }
    return low;
}

bool LaunchCountBound::nothingBelow(std::size_t s, double limit, Depth depth, std::int64_t steps) {
    Least& known = m_least[s][static_cast<std::size_t>(depth)];
    if (known.exact || limit <= known.value)
        return limit <= known.value;
    if (m_order == ChainOrder::Any || limit >= known.tooMuch || steps <= 0)
        return false;
    const std::int64_t before = steps;
    const std::optional<double> value =
        ChainProgramme(*m_spaces[s], m_lines[s]).least(limit, mostStages(s, depth), m_stop, steps);
    known.steps -= before - std::max<std::int64_t>(0, steps);
    if (m_stop())
        return false;
    if (value)
        known = {*value, *value < limit, known.steps, known.tooMuch};
    else
        known.tooMuch = limit;
    return value && !known.exact;
}

std::optional<double> LaunchCountBound::leastByProgramme(std::size_t s, double upper, Depth depth) {
    const Least& known = m_least[s][static_cast<std::size_t>(depth)];
    constexpr double kStride = 1.25;
    double limit = upper;
    if (!std::isfinite(upper))
        limit = kStride * std::max(m_floors[s], known.value);
    while (nothingBelow(s, limit, depth, known.steps / 3) && !std::isfinite(upper) && limit < kEndOfTime)
        limit *= kStride; // better plans ask again
    if (known.exact || known.value >= upper)
        return std::min(known.value, upper);
    return std::nullopt;
}

void LaunchCountBound::climb(std::size_t s, double upper) {
    constexpr double kFurther = 1.03; // takes the programme much more
    const Least& known = m_least[s][static_cast<std::size_t>(Depth::Any)];
    const double end = std::min(upper, kEndOfTime);
    double limit = std::max(m_floors[s], known.value);
    while (limit < end && nothingBelow(s, std::min(end, kFurther * limit), Depth::Any, known.steps))
        limit = known.value;
}

double LaunchCountBound::leastOf(std::size_t s, double upper, Effort effort) {
    if (std::isfinite(upper) && !mayEndRoughly(s, upper))
        return upper;
    const std::optional<double> few = leastByProgramme(s, upper, Depth::Few);
    if (few && !mayEndByPrices(s, *few, Depth::Any, nullptr))
        return *few;
    if (few && !m_stop())
        if (const auto any = leastByProgramme(s, *few, Depth::Any))
            return *any;
    const Least& known = m_least[s][static_cast<std::size_t>(Depth::Any)];
    climb(s, few.value_or(upper));
    if (known.exact)
        return known.value;
    // Where it has too many states prices tell what they can.
    double low = std::max(m_floors[s], known.value);
    double high = few.value_or(upper);
    const double end = high;
    for (double next = 2.0 * low; !std::isfinite(high) && !m_stop(); next *= 2.0) {
        if (next >= kEndOfTime)
            return kEndOfTime; // no stage fits anywhere
        (mayEndRoughly(s, next) ? high : low) = next;
    }
    while (high - low > kPrecision * high && !m_stop()) {
        const double middle = 0.5 * (low + high);
        (mayEndRoughly(s, middle) ? high : low) = middle;
    }
    constexpr double kNear = 0.98; // what is little better takes long to prove
    return effort == Effort::All && std::isfinite(end) && low < kNear * end
               ? std::max(low, leastInAnyOrder(s, low, end))
               : low;
}

double LaunchCountBound::leastInAnyOrder(std::size_t s, double low, double upper) {
    constexpr double kStride = 1.08; // what is looked at further takes much more
    const OpenProgramme programme(*m_spaces[s], m_lines[s]);
    Open& known = m_open[s];
    for (double limit = std::max({low, known.value, kSoonest}); limit < upper && !m_stop();) {
        limit = std::min(upper, kStride * limit);
        if (limit >= known.tooMuch)
            break;
        const auto least = programme.least(limit, m_spaces[s]->maxStages(), m_stop);
        if (m_stop())
            break;
        known.value = std::max(known.value, least.value_or(0.0));
        if (!least || *least < limit)
            known.tooMuch = limit;
    }
    return known.value;
}

bool LaunchCountBound::outOfReach(double deadline, std::vector<Proof>& proofs) {
    std::vector<std::vector<Proof>> found(m_spaces.size());
    std::atomic<bool> open = false;
    inParallel(m_spaces.size(), m_threads, [&](std::size_t s) {
        if (!open && mayEndBy(s, deadline, &found[s]))
            open = true;
    });
    if (open)
        return false;
    for (const std::vector<Proof>& list : found)
        proofs.insert(proofs.end(), list.begin(), list.end());
    return true;
}

Bound LaunchCountBound::computeRoughly(double upper) {
    m_floors.assign(m_spaces.size(), 0.0);
    inParallel(m_spaces.size(), m_threads, [&](std::size_t s) { m_floors[s] = floorByPrices(s, upper); });
    const double lowest = *std::min_element(m_floors.begin(), m_floors.end());
    std::vector<Proof> proofs;
    const bool proven = !m_stop() && lowest > 0.0 && lowest < upper && outOfReach(lowest, proofs);
    return boundOf(proven ? lowest : 0.0, proofs);
}

Bound LaunchCountBound::compute(double upper, Effort effort) {
    std::vector<Proof> proofs;
    double proven = 0.0;
    if (m_floors.empty()) {
        const Bound rough = computeRoughly(upper); // what a stopped search has
        if (m_stop())
            return rough;
    }
    // The most promising first: what it takes at least is where the others need not look beyond.
    std::vector<std::size_t> order(m_spaces.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return m_floors[a] < m_floors[b]; });
    double least = upper;
    // So many at once, whatever the number of threads: what is known decides how far the next ones look.
    constexpr std::size_t kAtOnce = 4;
    for (std::size_t from = 0; from < order.size() && m_floors[order[from]] < least && !m_stop();) {
        const std::size_t count = std::isfinite(least) ? std::min(kAtOnce, order.size() - from) : 1;
        std::vector<double> found(count, least);
        inParallel(count, m_threads,
                   [&](std::size_t k) { found[k] = leastOf(order[from + k], least, effort); });
        least = std::min(least, *std::min_element(found.begin(), found.end()));
        from += count;
    }
    // What may end sooner has no bound (measured blocks so uneven that the least of them takes nothing).
    constexpr double kNoTime = 1e-9; // s
    double deadline = least * (1.0 - kLastBits);
    while (!m_stop() && deadline > kNoTime) {
        if (outOfReach(deadline, proofs)) {
            proven = deadline;
            break;
        }
        deadline *= 1.0 - kPrecision; // prices that are worse than those found before
    }
    return boundOf(proven, proofs);
}

Bound LaunchCountBound::boundOf(double deadline, const std::vector<Proof>& proofs) const {
    Bound bound;
    bound.kind = kKind;
    bound.value = Seconds(deadline);
    if (m_order == ChainOrder::Any)
        bound.scope.family = ProofScope::Family::AnyOrder;
    Json list = Json::array();
    for (const Proof& proof : proofs) {
        list.push_back({{"microbatch_size", m_spaces[proof.space]->microbatchSize()},
                        {"cp", m_spaces[proof.space]->sharing().cp},
                        {"ep", m_spaces[proof.space]->sharing().ep},
                        {"stages", proof.stages},
                        {"most_stages", proof.most},
                        {"prices", proof.prices},
                        {"fill", proof.fill}});
        if (proof.open)
            list.back()["any_order"] = true;
        if (!proof.region.anywhere())
            list.back()["in_node_of"] = proof.region.nodeOf;
        if (!proof.region.classes.empty())
            list.back()["on_classes"] = proof.region.classes;
    }
    Json names = Json::array();
    for (const ChainClass& cls : m_spaces.front()->classes())
        names.push_back({{"class", cls.name}, {"gpus", cls.gpus()}});
    Json certificate = {{"deadline_s", deadline}, {"blocks", m_blocks}, {"classes", names}, {"proofs", list}};
    if (m_order == ChainOrder::Any)
        certificate["any_order"] = true;
    bound.certificate = std::make_shared<const Json>(std::move(certificate));
    return bound;
}

} // namespace pw

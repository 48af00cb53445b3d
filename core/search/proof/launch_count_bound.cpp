// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/search/proof/launch_count_bound.h"

#include "core/base/parallel.h"
#include "core/cost/roofline.h"
#include "core/search/proof/capacity_bound.h"
#include "core/search/space/uniform_grid.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace pw {
namespace {

constexpr double kRounding = 1e-9;  // blocks and shares: room for the last bits
constexpr int kRounds = 80;         // of the subgradient method
constexpr double kPrecision = 1e-3; // of bounds that prices prove
constexpr double kEndOfTime = 10.0 * LaunchCountBound::kNothingFits;
constexpr double kSoonest = 1e-3; // s; where deadlines begin

double fillShare(int microbatches, int stages) {
    return 1.0 - std::pow(1.0 - 1.0 / microbatches, stages);
}

// Places far from the end are looked at four to a doubling: as this one, which holds no less.
int likePlace(int place) {
    if (place < LaunchCountBound::kStagesEach)
        return place;
    const int step = static_cast<int>(std::bit_floor(static_cast<unsigned>(place)) / 4);
    return place / step * step;
}

// The most stages that are proven together with so many.
int provenWith(int stages) {
    int most = stages;
    while (likePlace(most) == likePlace(stages - 1) && stages > LaunchCountBound::kStagesEach)
        ++most;
    return most;
}

} // namespace

double LaunchCountBound::Arc::best(double fill) const {
    if (most < 1)
        return 0.0; // leading blocks alone
    if (fill * timeBlock >= 1.0)
        return 1.0;
    return fill * (timeBlock + timeBeyond) < 1.0 ? most : std::clamp(quick, 1.0, 1.0 * most);
}

LaunchCountBound::LaunchCountBound(std::vector<const ChainSpace*> spaces, std::function<bool()> stop,
                                   int threads)
    : m_spaces(std::move(spaces)), m_stop(std::move(stop)), m_threads(threads) {
    m_lines.resize(m_spaces.size());
    m_least.resize(m_spaces.size());
    m_start.resize(m_spaces.size());
    for (std::size_t s = 0; s < m_spaces.size(); ++s) {
        const ChainSpace& space = *m_spaces[s];
        m_blocks = space.blocks() - space.leadBlocks();
        m_start[s].resize(static_cast<std::size_t>(space.maxStages()) + 1);
        if (s == 0)
            for (const ChainClass& cls : space.classes())
                m_gpus.push_back(cls.gpus());
    }
    inParallel(m_spaces.size(), m_threads,
               [&](std::size_t s) { m_lines[s] = chainLines(*m_spaces[s], m_stop); });
}

// No larger, no fewer blocks, no slower for any number of them: both times are convex, so that the ends and
// the kinks tell.
bool LaunchCountBound::beats(const Arc& a, const Arc& b) {
    if (a.cls != b.cls || a.devices > b.devices || a.most < b.most || (b.most < 1) != (a.most < 1))
        return false;
    const double least = std::min(1, b.most);
    for (const double k : {least, static_cast<double>(b.most), a.quick, b.quick})
        if (k >= least && k <= b.most && a.time(k) > b.time(k))
            return false;
    return true;
}

// Best stages at one place of the chain: per class and size only what no other one beats in blocks and in
// speed.
std::vector<LaunchCountBound::Arc> LaunchCountBound::arcs(std::size_t s, int fromEnd, bool first,
                                                          double deadline, int within) const {
    const int microbatches = m_spaces[s]->microbatches();
    const double inFlight = std::min(microbatches, fromEnd + 1);
    std::vector<Arc> list;
    // Stages of at least one block behind the leading ones, or of at most none.
    const auto take = [&](std::size_t o, const StageLine& line, int least, int largest) {
        const StageOption& option = m_spaces[s]->options()[o];
        const bool alone = first && fromEnd == 0;
        if (alone ? within != kAnywhere : !mayJoin(*m_spaces[s], option, within, deadline))
            return;
        const double most =
            std::min(line.most(deadline, microbatches, 1.0, inFlight), static_cast<double>(largest));
        if (most < least - kRounding)
            return;
        Arc arc{option.cls, option.devices,
                static_cast<int>(std::floor(most * (1.0 + kRounding) + kRounding)), line.timeBase,
                line.timeBlock};
        // The network in front of each node but the first stage's, in shares of the stages on the node.
        if (within == kAnywhere && !first) {
            const int perNode = m_spaces[s]->classes()[static_cast<std::size_t>(option.cls)].gpusPerNode;
            const double share = std::min(1.0, 1.0 * option.devices / perNode);
            arc.timeBase += 2.0 * share * fillShare(microbatches, fromEnd + 1) *
                            m_spaces[s]->leastCrossing(option.cls, std::max(1, option.devices / perNode));
        }
        if (line.lighterBlock > 0.0) {
            arc.quick = std::max(0.0, line.fitting(inFlight));
            arc.timeBeyond = line.slowerBlock * (line.fixedBlock + inFlight * line.keptBlock) /
                             (inFlight * line.lighterBlock);
        }
        if (std::any_of(list.begin(), list.end(), [&](const Arc& a) { return beats(a, arc); }))
            return;
        std::erase_if(list, [&](const Arc& a) { return beats(arc, a); });
        list.push_back(arc);
    };
    const auto& lines = m_lines[s][(first ? 1U : 0U) + (fromEnd == 0 ? 2U : 0U)];
    for (std::size_t o = 0; o < lines.size(); ++o)
        take(o, lines[o], 1, m_blocks);
    if (first && fromEnd > 0)
        for (std::size_t o = 0; o < m_lines[s][kLoneLines].size(); ++o)
            take(o, m_lines[s][kLoneLines][o], 0, 0);
    return list;
}

// Arcs by place, made when a place is first asked for.
class LaunchCountBound::PlaceArcs {
public:
    PlaceArcs(const LaunchCountBound& bound, std::size_t space, double deadline, int within)
        : m_bound(bound), m_space(space), m_deadline(deadline), m_within(within) {}

    const std::vector<Arc>* at(int place, bool first) {
        const auto [found, fresh] = m_made.try_emplace({likePlace(place), first});
        if (fresh)
            found->second = m_bound.arcs(m_space, likePlace(place), first, m_deadline, m_within);
        return &found->second;
    }
    std::size_t space() const { return m_space; }
    double deadline() const { return m_deadline; }
    int within() const { return m_within; }

private:
    const LaunchCountBound& m_bound;
    const std::size_t m_space;
    const double m_deadline; // s
    const int m_within;
    std::map<std::pair<int, bool>, std::vector<Arc>> m_made;
};

LaunchCountBound::Question LaunchCountBound::question(PlaceArcs& arcs, int stages, int most) const {
    const ChainSpace& space = *m_spaces[arcs.space()];
    Question question{arcs.space(), arcs.deadline(), arcs.within(), 0.0, {}};
    question.seconds = arcs.deadline() * fillShare(space.microbatches(), most);
    // Stages beside the first one on its node have the network in front of them counted that is not there.
    double spared = 0.0;
    for (int c = 0; most > 1 && arcs.within() == kAnywhere && c < static_cast<int>(space.classes().size());
         ++c)
        spared = std::max(spared, 2.0 * space.leastCrossing(c, 1) *
                                      (1.0 - 1.0 / space.classes()[static_cast<std::size_t>(c)].gpusPerNode));
    question.seconds += spared * fillShare(space.microbatches(), most - 1);
    for (int place = 0; place + 1 < stages; ++place) {
        const std::vector<Arc>* here = arcs.at(place, false);
        if (!question.places.empty() && question.places.back().arcs == here)
            ++question.places.back().count;
        else
            question.places.push_back({here});
    }
    if (most > stages)
        question.places.push_back({arcs.at(stages - 1, false), most - stages, true});
    question.places.push_back({arcs.at(stages - 1, true)});
    return question;
}

double LaunchCountBound::gpus(const Question& question, std::size_t cls) const {
    if (question.within == kAnywhere)
        return m_gpus[cls];
    const ChainClass& of = m_spaces[question.space]->classes()[cls];
    return static_cast<int>(cls) == question.within ? of.gpusPerNode : 0.0;
}

double LaunchCountBound::evaluate(const Question& question, const Multipliers& at,
                                  std::vector<double>* devicesUsed, double* timeUsed) const {
    double total = at.fill * question.seconds;
    for (std::size_t c = 0; c < m_gpus.size(); ++c)
        total += at.prices[c] * gpus(question, c);
    for (const auto& [arcs, count, mayStay] : question.places) {
        double best = -std::numeric_limits<double>::infinity();
        const Arc* chosen = nullptr;
        for (const Arc& arc : *arcs) {
            const double value =
                arc.worth(at.fill) - at.prices[static_cast<std::size_t>(arc.cls)] * arc.devices;
            if (value > best) {
                best = value;
                chosen = &arc;
            }
        }
        if (mayStay && best <= 0.0)
            continue;
        if (!chosen)
            return -std::numeric_limits<double>::infinity(); // no stage can stand here
        total += count * best;
        if (devicesUsed)
            (*devicesUsed)[static_cast<std::size_t>(chosen->cls)] += count * chosen->devices;
        if (timeUsed)
            *timeUsed += count * chosen->time(chosen->best(at.fill));
    }
    return total;
}

// Looks for prices that prove the deadline out of reach; `at` starts and ends at the best found.
bool LaunchCountBound::provenOut(const Question& question, Multipliers& at) const {
    const std::size_t classes = m_gpus.size();
    const double fill = question.seconds;
    const double need = m_blocks - 1e-6;
    if (at.prices.size() != classes)
        at = {std::vector<double>(classes, 0.0), 0.0};
    Multipliers best = at;
    double bestValue = std::numeric_limits<double>::infinity();
    std::vector<double> used(classes);
    for (int round = 0; round < kRounds; ++round) {
        std::fill(used.begin(), used.end(), 0.0);
        double time = 0.0;
        const double value = evaluate(question, at, &used, &time);
        if (value < bestValue) {
            bestValue = value;
            best = at;
        }
        if (value < need) {
            at = best;
            return true;
        }
        // Polyak's step in variables scaled to shares of the whole, so that classes of any size move alike.
        double norm = 0.0;
        std::vector<double> slope(classes + 1);
        for (std::size_t c = 0; c < classes; ++c)
            slope[c] = gpus(question, c) > 0.0 ? 1.0 - used[c] / gpus(question, c) : 0.0;
        slope[classes] = 1.0 - time / fill;
        for (std::size_t c = 0; c <= classes; ++c) {
            const bool held = slope[c] > 0.0 && (c < classes ? at.prices[c] : at.fill) <= 0.0;
            if (held)
                slope[c] = 0.0;
            norm += slope[c] * slope[c];
        }
        if (norm < 1e-12)
            break;
        const double step = (value - need + 0.05 * m_blocks / (round + 1)) / norm;
        for (std::size_t c = 0; c < classes; ++c)
            if (slope[c] != 0.0)
                at.prices[c] = std::max(0.0, at.prices[c] - step * slope[c] / gpus(question, c));
        at.fill = std::max(0.0, at.fill - step * slope[classes] / fill);
    }
    at = best;
    return false;
}

std::vector<LaunchCountBound::Wanted> LaunchCountBound::wanted(std::size_t s, double deadline) const {
    const ChainSpace& space = *m_spaces[s];
    std::vector<Wanted> list = {{kAnywhere, 1, space.maxStages()}};
    for (const int cls : classesOfTheirOwn(space, deadline))
        list.push_back(
            {cls, 2,
             std::min(space.maxStages(), space.classes()[static_cast<std::size_t>(cls)].gpusPerNode)});
    return list;
}

int LaunchCountBound::mostStages(std::size_t s, Depth depth) const {
    const int most = m_spaces[s]->maxStages();
    return depth == Depth::Any ? most : std::min(kStagesEach, most);
}

bool LaunchCountBound::mayEndByPrices(std::size_t s, double deadline, Depth depth,
                                      std::vector<Proof>* proofs) {
    std::vector<Proof> found;
    for (const auto& [within, least, most] : wanted(s, deadline)) {
        PlaceArcs arcs(*this, s, deadline, within);
        Multipliers inNode;
        const int few = std::min(kStagesEach, most);
        const int end = depth == Depth::Few ? few : most;
        for (int stages = depth == Depth::Few ? least : few + 1; stages <= end;) {
            const int together = std::min(provenWith(stages), end);
            Multipliers& at = within == kAnywhere ? m_start[s][static_cast<std::size_t>(stages)] : inNode;
            if (!provenOut(question(arcs, stages, together), at))
                return true;
            found.push_back({s, stages, together, at.prices, at.fill, within});
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
    return unknown(Depth::Any) &&
           ((unknown(Depth::Few) && mayEndByPrices(s, deadline, Depth::Few, nullptr)) ||
            mayEndByPrices(s, deadline, Depth::Any, nullptr));
}

bool LaunchCountBound::mayEndByProgramme(std::size_t s, double deadline, Depth depth) {
    Least& known = m_least[s][static_cast<std::size_t>(depth)];
    if (deadline <= known.value || known.exact)
        return deadline > known.value;
    if (known.steps < 0)
        return true;
    const double upper = 1.05 * deadline; // the next question is mostly for a little more
    const std::optional<double> value =
        ChainProgramme(*m_spaces[s], m_lines[s]).least(upper, mostStages(s, depth), m_stop, known.steps);
    if (!value || m_stop())
        return true;
    known = {*value, *value < upper, known.steps};
    return deadline > *value;
}

bool LaunchCountBound::mayEndBy(std::size_t s, double deadline, std::vector<Proof>* proofs) {
    std::vector<Proof> found;
    const bool few = mayEndByPrices(s, deadline, Depth::Few, &found);
    const bool more = mayEndByPrices(s, deadline, Depth::Any, &found);
    if (few || more) {
        const Depth depth = more ? Depth::Any : Depth::Few;
        if (mayEndByProgramme(s, deadline, depth))
            return true;
        found.push_back({s, 0, mostStages(s, depth), {}, 0.0, kAnywhere});
    }
    if (proofs)
        proofs->insert(proofs->end(), found.begin(), found.end());
    return false;
}

double LaunchCountBound::blocksHeld(const Proof& proof, double deadline) const {
    PlaceArcs arcs(*this, proof.space, deadline, proof.within);
    return evaluate(question(arcs, proof.stages, proof.most), {proof.prices, proof.fill}, nullptr, nullptr);
}

bool LaunchCountBound::holds(const Proof& proof, double deadline) const {
    if (proof.stages > 0)
        return blocksHeld(proof, deadline) < m_blocks;
    std::int64_t steps = ChainProgramme::kMostSteps;
    const std::optional<double> least = ChainProgramme(*m_spaces[proof.space], m_lines[proof.space])
                                            .least(deadline, proof.most, m_stop, steps);
    return least && *least >= deadline && !m_stop();
}

std::vector<double> LaunchCountBound::guidePrices(std::size_t s, double deadline) {
    mayEndRoughly(s, deadline); // leaves the prices of the first stage count that may hold the model
    std::vector<double> prices(m_gpus.size(), 0.0);
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

std::optional<double> LaunchCountBound::leastByProgramme(std::size_t s, double upper, Depth depth) {
    Least& known = m_least[s][static_cast<std::size_t>(depth)];
    if (known.exact || known.value >= upper)
        return std::min(known.value, upper);
    const ChainProgramme programme(*m_spaces[s], m_lines[s]);
    const auto nothingBelow = [&](double limit) { // or what is
        std::int64_t steps = known.steps / 3;     // better plans ask again
        const std::int64_t before = steps;
        const std::optional<double> value = programme.least(limit, mostStages(s, depth), m_stop, steps);
        known.steps -= before - std::max<std::int64_t>(0, steps);
        if (value && !m_stop())
            known = {*value, *value < limit, known.steps};
        return value.has_value();
    };
    constexpr double kStride = 1.25;
    const double floor = std::max(m_floors[s], known.value);
    if (std::isfinite(upper)) {
        // All the way, or as far as it comes.
        for (const double part : {1.0, 0.5})
            if (known.value < floor + part * (upper - floor) && !m_stop() &&
                nothingBelow(floor + part * (upper - floor)))
                break;
    } else {
        for (double limit = kStride * floor; limit < kEndOfTime && !known.exact && !m_stop();
             limit *= kStride)
            if (!nothingBelow(limit))
                break;
    }
    if (known.exact || known.value >= upper)
        return std::min(known.value, upper);
    return std::nullopt;
}

double LaunchCountBound::leastOf(std::size_t s, double upper) {
    if (std::isfinite(upper) && !mayEndRoughly(s, upper))
        return upper;
    const std::optional<double> few = leastByProgramme(s, upper, Depth::Few);
    if (few && !mayEndByPrices(s, *few, Depth::Any, nullptr))
        return *few;
    if (!m_stop())
        if (const auto any = leastByProgramme(s, few.value_or(upper), Depth::Any))
            return *any;
    // Where it has too many states prices tell what they can.
    double low = m_floors[s], high = few.value_or(upper);
    for (double next = 2.0 * low; !std::isfinite(high) && !m_stop(); next *= 2.0) {
        if (next >= kEndOfTime)
            return kEndOfTime; // no stage fits anywhere
        (mayEndRoughly(s, next) ? high : low) = next;
    }
    while (high - low > kPrecision * high && !m_stop()) {
        const double middle = 0.5 * (low + high);
        (mayEndRoughly(s, middle) ? high : low) = middle;
    }
    return low;
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
    proofs.clear();
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

Bound LaunchCountBound::compute(double upper) {
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
        inParallel(count, m_threads, [&](std::size_t k) { found[k] = leastOf(order[from + k], least); });
        least = std::min(least, *std::min_element(found.begin(), found.end()));
        from += count;
    }
    // What may end sooner has no bound (measured blocks so uneven that the least of them takes nothing).
    constexpr double kNoTime = 1e-9; // s
    double deadline = least * (1.0 - kRounding);
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
    Json list = Json::array();
    for (const Proof& proof : proofs) {
        list.push_back({{"microbatch_size", m_spaces[proof.space]->microbatchSize()},
                        {"cp", m_spaces[proof.space]->sharing().cp},
                        {"ep", m_spaces[proof.space]->sharing().ep},
                        {"stages", proof.stages},
                        {"most_stages", proof.most},
                        {"prices", proof.prices},
                        {"fill", proof.fill}});
        if (proof.within != kAnywhere)
            list.back()["in_node_of"] = proof.within;
    }
    Json names = Json::array();
    for (const ChainClass& cls : m_spaces.front()->classes())
        names.push_back({{"class", cls.name}, {"gpus", cls.gpus()}});
    bound.certificate = std::make_shared<const Json>(
        Json{{"deadline_s", deadline}, {"blocks", m_blocks}, {"classes", names}, {"proofs", list}});
    return bound;
}

} // namespace pw

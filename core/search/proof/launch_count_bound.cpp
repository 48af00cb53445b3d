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
#include <cmath>
#include <limits>
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

double LaunchCountBound::gpus(const Question& question, std::size_t cls) const {
    if (question.within == kAnywhere)
        return m_gpus[cls];
    const ChainClass& of = m_spaces[question.space]->classes()[cls];
    return static_cast<int>(cls) == question.within ? of.gpusPerNode : 0.0;
}

double LaunchCountBound::evaluate(const Question& question, const Multipliers& at,
                                  std::vector<double>* devicesUsed, double* timeUsed) const {
    double total =
        at.fill * question.deadline *
        fillShare(m_spaces[question.space]->microbatches(), static_cast<int>(question.positions.size()));
    for (std::size_t c = 0; c < m_gpus.size(); ++c)
        total += at.prices[c] * gpus(question, c);
    for (const std::vector<Arc>* place : question.positions) {
        double best = -std::numeric_limits<double>::infinity();
        const Arc* chosen = nullptr;
        for (const Arc& arc : *place) {
            const double value =
                arc.worth(at.fill) - at.prices[static_cast<std::size_t>(arc.cls)] * arc.devices;
            if (value > best) {
                best = value;
                chosen = &arc;
            }
        }
        if (!chosen)
            return -std::numeric_limits<double>::infinity(); // no stage can stand here
        total += best;
        if (devicesUsed)
            (*devicesUsed)[static_cast<std::size_t>(chosen->cls)] += chosen->devices;
        if (timeUsed)
            *timeUsed += chosen->time(chosen->best(at.fill));
    }
    return total;
}

// Looks for prices that prove the deadline out of reach; `at` starts and ends at the best found.
bool LaunchCountBound::provenOut(const Question& question, Multipliers& at) const {
    const std::size_t classes = m_gpus.size();
    const double fill = question.deadline * fillShare(m_spaces[question.space]->microbatches(),
                                                      static_cast<int>(question.positions.size()));
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

bool LaunchCountBound::mayEndByPrices(std::size_t s, double deadline, std::vector<Proof>* proofs) {
    std::vector<Proof> found;
    for (const Wanted& part : wanted(s, deadline)) {
        std::vector<std::vector<Arc>> middle;
        Multipliers inNode;
        for (int stages = 1; stages <= part.most; ++stages) {
            middle.push_back(arcs(s, stages - 1, false, deadline, part.within));
            if (stages < part.least)
                continue;
            const std::vector<Arc> front = arcs(s, stages - 1, true, deadline, part.within);
            Question question{s, deadline, part.within, {}};
            for (int i = 0; i + 1 < stages; ++i)
                question.positions.push_back(&middle[static_cast<std::size_t>(i)]);
            question.positions.push_back(&front);
            Multipliers& at =
                part.within == kAnywhere ? m_start[s][static_cast<std::size_t>(stages)] : inNode;
            if (!provenOut(question, at))
                return true;
            found.push_back({s, stages, at.prices, at.fill, part.within});
        }
    }
    if (proofs)
        proofs->insert(proofs->end(), found.begin(), found.end());
    return false;
}

bool LaunchCountBound::mayEndByProgramme(std::size_t s, double deadline) {
    Least& known = m_least[s];
    if (deadline <= known.value || known.exact)
        return deadline > known.value;
    if (known.steps < 0)
        return true;
    const double upper = 1.05 * deadline; // the next question is mostly for a little more
    const std::optional<double> value =
        ChainProgramme(*m_spaces[s], m_lines[s]).least(upper, m_stop, known.steps);
    if (!value || m_stop())
        return true;
    known = {*value, *value < upper};
    return deadline > *value;
}

bool LaunchCountBound::mayEndBy(std::size_t s, double deadline, std::vector<Proof>* proofs) {
    if (!mayEndByPrices(s, deadline, proofs))
        return false;
    if (mayEndByProgramme(s, deadline))
        return true;
    if (proofs)
        proofs->push_back({s, 0, {}, 0.0, kAnywhere});
    return false;
}

double LaunchCountBound::blocksHeld(const Proof& proof, double deadline) const {
    std::vector<std::vector<Arc>> places;
    for (int i = 0; i < proof.stages; ++i)
        places.push_back(arcs(proof.space, i, i + 1 == proof.stages, deadline, proof.within));
    Question question{proof.space, deadline, proof.within, {}};
    question.positions.reserve(places.size());
    for (const auto& place : places)
        question.positions.push_back(&place);
    return evaluate(question, {proof.prices, proof.fill}, nullptr, nullptr);
}

bool LaunchCountBound::holds(const Proof& proof, double deadline) const {
    if (proof.stages > 0)
        return blocksHeld(proof, deadline) < m_blocks;
    std::int64_t steps = ChainProgramme::kMostSteps;
    const std::optional<double> least =
        ChainProgramme(*m_spaces[proof.space], m_lines[proof.space]).least(deadline, m_stop, steps);
    return least && *least >= deadline && !m_stop();
}

std::vector<double> LaunchCountBound::guidePrices(std::size_t s, double deadline) {
    mayEndBy(s, deadline); // leaves the prices of the first stage count that may hold the model
    std::vector<double> prices(m_gpus.size(), 0.0);
    for (const Multipliers& at : m_start[s])
        if (!at.prices.empty())
            prices = at.prices;
    return prices;
}

double LaunchCountBound::floorByPrices(std::size_t s, double upper) {
    constexpr double kClose = 0.05;
    double low = 0.0, high = kSoonest;
    while (high < std::min(upper, kEndOfTime) && !m_stop() && !mayEndByPrices(s, high, nullptr)) {
        low = high;
        high *= 2.0;
    }
    if (low <= 0.0)
        return 0.0;
    for (high = std::min(high, upper); high - low > kClose * high && !m_stop();) {
        const double middle = 0.5 * (low + high);
        (mayEndByPrices(s, middle, nullptr) ? high : low) = middle;
    }
    return low;
}

double LaunchCountBound::leastOf(std::size_t s, double upper) {
    Least& known = m_least[s];
    if (known.exact || known.value >= upper)
        return std::min(known.value, upper);
    if (std::isfinite(upper) && !mayEndByPrices(s, upper, nullptr))
        return upper;
    const ChainProgramme programme(*m_spaces[s], m_lines[s]);
    double low = std::max(m_floors[s], known.value);
    constexpr double kStride = 1.25;
    constexpr double kAhead = 1.07; // a search asks about deadlines a little beyond the bound next
    const double most = kAhead * upper;
    for (double limit = std::min(kStride * low, most); limit < kEndOfTime && known.steps >= 0;
         limit = std::min(limit * kStride, most)) {
        const std::optional<double> value = programme.least(limit, m_stop, known.steps);
        if (m_stop())
            return low;
        if (!value)
            break;
        known = {*value, *value < limit};
        if (known.exact || limit >= upper)
            return std::min(*value, upper);
        low = *value;
    }
    // Where it has too many states prices tell what they can.
    double high = upper;
    for (double next = 2.0 * low; !std::isfinite(high) && !m_stop(); next *= 2.0) {
        if (next >= kEndOfTime)
            return kEndOfTime; // no stage fits anywhere
        (mayEndBy(s, next) ? high : low) = next;
    }
    while (high - low > kPrecision * high && !m_stop()) {
        const double middle = 0.5 * (low + high);
        (mayEndBy(s, middle) ? high : low) = middle;
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

Bound LaunchCountBound::compute(double upper) {
    Bound bound;
    bound.kind = kKind;
    std::vector<Proof> proofs;
    double proven = 0.0;
    if (m_floors.empty()) {
        m_floors.resize(m_spaces.size());
        inParallel(m_spaces.size(), m_threads, [&](std::size_t s) { m_floors[s] = floorByPrices(s, upper); });
        const double lowest = *std::min_element(m_floors.begin(), m_floors.end());
        if (!m_stop() && lowest > 0.0 && lowest < upper && outOfReach(lowest, proofs))
            proven = lowest; // what a stopped search has
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
    while (!m_stop() && deadline > std::max(kNoTime, proven)) {
        if (outOfReach(deadline, proofs)) {
            proven = deadline;
            break;
        }
        deadline *= 1.0 - kPrecision; // prices that are worse than those found before
    }
    bound.value = Seconds(proven);
    Json list = Json::array();
    for (const Proof& proof : proofs) {
        list.push_back({{"microbatch_size", m_spaces[proof.space]->microbatchSize()},
                        {"cp", m_spaces[proof.space]->sharing().cp},
                        {"ep", m_spaces[proof.space]->sharing().ep},
                        {"stages", proof.stages},
                        {"prices", proof.prices},
                        {"fill", proof.fill}});
        if (proof.within != kAnywhere)
            list.back()["in_node_of"] = proof.within;
    }
    Json names = Json::array();
    for (const ChainClass& cls : m_spaces.front()->classes())
        names.push_back({{"class", cls.name}, {"gpus", cls.gpus()}});
    bound.certificate = std::make_shared<const Json>(
        Json{{"deadline_s", proven}, {"blocks", m_blocks}, {"classes", names}, {"proofs", list}});
    return bound;
}

} // namespace pw

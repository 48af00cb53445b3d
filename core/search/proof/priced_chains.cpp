// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/search/proof/priced_chains.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace pw {
namespace {

constexpr double kRounding = 1e-9; // blocks and shares: room for the last bits
constexpr int kRounds = 80;        // of the subgradient method

double fillShare(int microbatches, int stages) {
    return 1.0 - std::pow(1.0 - 1.0 / microbatches, stages);
}

// Places far from the end are looked at four to a doubling: as this one, which holds no less.
int likePlace(int place) {
    if (place < PricedChains::kStagesEach)
        return place;
    const int step = static_cast<int>(std::bit_floor(static_cast<unsigned>(place)) / 4);
    return place / step * step;
}

} // namespace

int PricedChains::provenWith(int stages) {
    int most = stages;
    while (likePlace(most) == likePlace(stages - 1) && stages > kStagesEach)
        ++most;
    return most;
}

PricedChains::PricedChains(const ChainSpace& space, const ChainLines& lines, double deadline,
                           const ChainRegion& region)
    : m_space(space), m_lines(lines), m_deadline(deadline), m_region(region),
      m_blocks(space.blocks() - space.leadBlocks()) {
    for (int c = 0; c < static_cast<int>(space.classes().size()); ++c) {
        const ChainClass& cls = space.classes()[static_cast<std::size_t>(c)];
        m_gpus.push_back(!region.holds(c) ? 0.0 : region.anywhere() ? cls.gpus() : cls.gpusPerNode);
    }
}

double PricedChains::Arc::best(double fill) const {
    if (most < 1)
        return 0.0; // leading blocks alone
    if (fill * timeBlock >= 1.0)
        return 1.0;
    return fill * (timeBlock + timeBeyond) < 1.0 ? most : std::clamp(quick, 1.0, 1.0 * most);
}

// No larger, no fewer blocks, no slower for any number of them: both times are convex, so that the ends and
// the kinks tell.
bool PricedChains::beats(const Arc& a, const Arc& b) {
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
std::vector<PricedChains::Arc> PricedChains::arcs(int fromEnd, bool first) const {
    const int microbatches = m_space.microbatches();
    const double inFlight = std::min(microbatches, fromEnd + 1);
    std::vector<Arc> list;
    // Stages of at least one block behind the leading ones, or of at most none.
    const auto take = [&](std::size_t o, const StageLine& line, int least, int largest) {
        const StageOption& option = m_space.options()[o];
        const bool alone = first && fromEnd == 0;
        if (alone ? !m_region.anywhere() || !m_region.holds(option.cls)
                  : !mayJoin(m_space, option, m_region, m_deadline))
            return;
        const double most =
            std::min(line.most(m_deadline, microbatches, 1.0, inFlight), static_cast<double>(largest));
        if (most < least - kRounding)
            return;
        Arc arc{option.cls, option.devices,
                static_cast<int>(std::floor(most * (1.0 + kRounding) + kRounding)), line.timeBase,
                line.timeBlock};
        // The network in front of each node but the first stage's, in shares of the stages on the node.
        if (m_region.anywhere() && !first) {
            const int perNode = m_space.classes()[static_cast<std::size_t>(option.cls)].gpusPerNode;
            const double share = std::min(1.0, 1.0 * option.devices / perNode);
            arc.timeBase += 2.0 * share * fillShare(microbatches, fromEnd + 1) *
                            m_space.leastCrossing(option.cls, std::max(1, option.devices / perNode));
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
    const auto& lines = m_lines[(first ? 1U : 0U) + (fromEnd == 0 ? 2U : 0U)];
    for (std::size_t o = 0; o < lines.size(); ++o)
        take(o, lines[o], 1, m_blocks);
    if (first && fromEnd > 0)
        for (std::size_t o = 0; o < m_lines[kLoneLines].size(); ++o)
            take(o, m_lines[kLoneLines][o], 0, 0);
    return list;
}

const std::vector<PricedChains::Arc>* PricedChains::at(int place, bool first) {
    const auto [found, fresh] = m_made.try_emplace({likePlace(place), first});
    if (fresh)
        found->second = arcs(likePlace(place), first);
    return &found->second;
}

PricedChains::Question PricedChains::question(int stages, int most) {
    Question question;
    question.seconds = m_deadline * fillShare(m_space.microbatches(), most);
    // Stages beside the first one on its node have the network in front of them counted that is not there.
    double spared = 0.0;
    for (int c = 0; most > 1 && m_region.anywhere() && c < static_cast<int>(m_space.classes().size()); ++c)
        spared =
            std::max(spared, 2.0 * m_space.leastCrossing(c, 1) *
                                 (1.0 - 1.0 / m_space.classes()[static_cast<std::size_t>(c)].gpusPerNode));
    question.seconds += spared * fillShare(m_space.microbatches(), most - 1);
    for (int place = 0; place + 1 < stages; ++place) {
        const std::vector<Arc>* here = at(place, false);
        if (!question.places.empty() && question.places.back().arcs == here)
            ++question.places.back().count;
        else
            question.places.push_back({here});
    }
    if (most > stages)
        question.places.push_back({at(stages - 1, false), most - stages, true});
    question.places.push_back({at(stages - 1, true)});
    return question;
}

double PricedChains::evaluate(const Question& question, const Multipliers& at,
                              std::vector<double>* devicesUsed, double* timeUsed) const {
    double total = at.fill * question.seconds;
    for (std::size_t c = 0; c < m_gpus.size(); ++c)
        total += at.prices[c] * m_gpus[c];
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

double PricedChains::blocksHeld(int stages, int most, const Multipliers& at) {
    return evaluate(question(stages, most), at, nullptr, nullptr);
}

bool PricedChains::provenOut(int stages, int most, Multipliers& at) {
    const Question question = this->question(stages, most);
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
        if (value < need)
            return true; // the least so far, so that `at` is the best
        // Polyak's step in variables scaled to shares of the whole, so that classes of any size move alike.
        double norm = 0.0;
        std::vector<double> slope(classes + 1);
        for (std::size_t c = 0; c < classes; ++c)
            slope[c] = m_gpus[c] > 0.0 ? 1.0 - used[c] / m_gpus[c] : 0.0;
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
                at.prices[c] = std::max(0.0, at.prices[c] - step * slope[c] / m_gpus[c]);
        at.fill = std::max(0.0, at.fill - step * slope[classes] / fill);
    }
    at = best;
    return false;
}

} // namespace pw

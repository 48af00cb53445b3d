// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/proof/chain_ways.h"

#include "core/base/quantity.h"

#include <algorithm>
#include <numeric>

namespace pw {
namespace {

// The largest number from `low` to `high` that is good; `low` is, and behind one that is not none is.
template <class Good>
int lastGood(int low, int high, const Good& good) {
    while (low < high) {
        const int middle = low + (high - low + 1) / 2;
        if (good(middle))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

} // namespace

ChainLines chainLines(const ChainSpace& space, const std::function<bool()>& stop) {
    ChainLines lines;
    const int lead = space.leadBlocks();
    for (int o = 0; o < static_cast<int>(space.options().size()) && !stop(); ++o) {
        for (unsigned ends = 0; ends < kLoneLines; ++ends) {
            const bool embedding = (ends & 1U) != 0;
            lines[ends].push_back(
                stageLine(space, o, embedding, (ends & 2U) != 0).withLead(embedding ? lead : 0));
        }
        if (lead > 0)
            lines[kLoneLines].push_back(loneStageLine(space, o));
    }
    return lines;
}

double ChainWay::timeWith(int blocks, int inFlight) const {
    const StageLine& held = lineOf(blocks);
    return (held.time(blocks) + held.slowerBlock * held.recomputed(blocks, inFlight)) * (1.0 - kLineRounding);
}

std::vector<int> classesOfTheirOwn(const ChainSpace& space, double upper) {
    std::vector<int> list;
    for (int c = 0; c < static_cast<int>(space.classes().size()); ++c)
        if (space.classes()[static_cast<std::size_t>(c)].gpusPerNode > 1 &&
            space.microbatches() * space.leastCrossing(c, 1) >= upper)
            list.push_back(c);
    return list;
}

bool mayJoin(const ChainSpace& space, const StageOption& option, int within, double upper) {
    if (within != kAnywhere)
        return option.cls == within &&
               option.devices < space.classes()[static_cast<std::size_t>(within)].gpusPerNode;
    return space.leastOnNetwork(option) < upper;
}

ChainWays::ChainWays(const ChainSpace& space, const ChainLines& lines, double upper, int within)
    : m_space(space), m_lines(lines), m_blocks(space.blocks() - space.leadBlocks()), m_upper(upper),
      m_within(within) {
    for (int c = 0; c < static_cast<int>(space.classes().size()); ++c)
        m_classes.push_back(c);
    for (int place = 0; place < space.maxStages(); ++place) {
        auto& [inside, front] = m_places.emplace_back();
        for (const int c : m_classes) {
            inside.push_back(waysOf(c, place, false));
            front.push_back(waysOf(c, place, true));
        }
    }
    for (std::size_t c = m_classes.size(); c-- > 0;) {
        int unit = 0;
        for (const Place& place : m_places)
            for (const auto* list : {&place.inside[c], &place.front[c]})
                for (const ChainWay& way : *list)
                    unit = std::gcd(unit, std::gcd(way.devices(), classAt(c).gpusPerNode));
        if (unit > 0) {
            m_units.insert(m_units.begin(), unit);
            continue;
        }
        const auto at = static_cast<std::ptrdiff_t>(c);
        m_classes.erase(m_classes.begin() + at);
        for (Place& place : m_places) {
            place.inside.erase(place.inside.begin() + at);
            place.front.erase(place.front.begin() + at);
        }
    }
}

std::vector<ChainWay> ChainWays::waysOf(int cls, int place, bool front) const {
    const ChainClass& of = m_space.classes()[static_cast<std::size_t>(cls)];
    std::vector<ChainWay> list;
    const auto& lines = m_lines[(front ? 1U : 0U) + (place == 0 ? 2U : 0U)];
    for (std::size_t o = 0; o < lines.size(); ++o) {
        ChainWay way;
        way.option = &m_space.options()[o];
        const bool alone = place == 0 && front;
        if (way.option->cls != cls ||
            (alone ? m_within != kAnywhere : !mayJoin(m_space, *way.option, m_within, m_upper)))
            continue;
        way.line = &lines[o];
        if (front && place > 0 && m_space.leadBlocks() > 0) {
            way.lone = &m_lines[kLoneLines][o];
            way.first = 0;
        }
        way.nodes = (way.devices() + of.gpusPerNode - 1) / of.gpusPerNode;
        fill(way, place);
        if (way.time.empty())
            continue;
        if (std::any_of(list.begin(), list.end(), [&](const ChainWay& w) { return beats(w, way); }))
            continue;
        std::erase_if(list, [&](const ChainWay& w) { return beats(way, w); });
        list.push_back(std::move(way));
    }
    return list;
}

void ChainWays::fill(ChainWay& way, int place) const {
    const double microbatches = m_space.microbatches();
    const int all = m_space.microbatches();
    const int least = std::min(all, place + 1); // in flight, under any launch-count schedule
    for (int k = way.first; k <= m_blocks; ++k) {
        const StageLine& held = way.lineOf(k);
        const auto fits = [&](int launch) {
            return k <= held.mostByMemory(launch) * (1.0 + kLineRounding) + kLineRounding;
        };
        if (!fits(least))
            break;
        const double t = way.timeWith(k, least);
        if (microbatches * t + held.tail(k) >= m_upper)
            break;
        way.time.push_back(t);
        way.forward.push_back(held.forward(k) * (1.0 + kLineRounding));
        way.tail.push_back(held.tail(k));
        // Both fall with the launches.
        way.launch.push_back(
            lastGood(least, all, [&](int launch) { return fits(launch) && way.timeWith(k, launch) <= t; }));
        way.mostLaunch.push_back(lastGood(least, all, fits));
    }
}

// Of the same size and never worse, whatever is behind. Beyond `launch` a way's time is linear in 1 / L.
bool ChainWays::beats(const ChainWay& a, const ChainWay& b) const {
    if (a.devices() != b.devices() || a.time.size() < b.time.size())
        return false;
    const int all = m_space.microbatches();
    for (std::size_t k = 0; k < b.time.size(); ++k) {
        const int blocks = b.first + static_cast<int>(k);
        if (a.time[k] > b.time[k] || a.tail[k] > b.tail[k] || a.forward[k] < b.forward[k] ||
            a.launch[k] < b.launch[k] || a.mostLaunch[k] < b.mostLaunch[k] ||
            a.timeWith(blocks, all) > b.timeWith(blocks, all))
            return false;
    }
    return true;
}

std::vector<std::vector<double>> ChainWays::rates() const {
    std::vector<std::vector<double>> rates(m_places.size() + 1, std::vector<double>(m_units.size(), 0.0));
    for (std::size_t place = m_places.size(); place-- > 0;)
        for (std::size_t c = 0; c < m_units.size(); ++c) {
            double& rate = rates[place][c];
            rate = rates[place + 1][c];
            for (const auto* list : {&m_places[place].inside[c], &m_places[place].front[c]})
                for (const ChainWay& way : *list)
                    rate = std::max(rate, static_cast<double>(way.most()) / way.devices());
        }
    return rates;
}

std::vector<double> ChainWays::quickest() const {
    std::vector<double> quickest(m_places.size() + 1, kNever);
    for (std::size_t place = m_places.size(); place-- > 0;) {
        double& quick = quickest[place];
        quick = quickest[place + 1];
        for (const auto* side : {&m_places[place].inside, &m_places[place].front})
            for (const std::vector<ChainWay>& list : *side)
                for (const ChainWay& way : list)
                    for (int k = std::max(1, way.first); k <= way.most(); ++k)
                        quick = std::min(quick, way.time[way.at(k)] / k);
    }
    return quickest;
}

} // namespace pw

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

bool ChainRegion::holds(int cls) const {
    return anywhere() ? classes.empty() || std::ranges::binary_search(classes, cls) : cls == nodeOf;
}

std::vector<ChainRegion> chainRegions(const ChainSpace& space, double upper) {
    const int classes = static_cast<int>(space.classes().size());
    std::vector<ChainRegion> regions;
    std::vector<int> regionOf(static_cast<std::size_t>(classes), -1);
    for (int c = 0; c < classes; ++c) {
        if (regionOf[static_cast<std::size_t>(c)] >= 0)
            continue;
        // What is reached from this class, and from what that reaches.
        const int region = static_cast<int>(regions.size());
        std::vector<int> reached = {c};
        regionOf[static_cast<std::size_t>(c)] = region;
        for (std::size_t k = 0; k < reached.size(); ++k)
            for (int other = 0; other < classes; ++other) {
                int& of = regionOf[static_cast<std::size_t>(other)];
                if (of < 0 && space.microbatches() * space.leastBetween(reached[k], other) < upper) {
                    of = region;
                    reached.push_back(other);
                }
            }
        std::ranges::sort(reached);
        regions.push_back({ChainRegion::kAnywhere, std::move(reached)});
    }
    if (regions.size() == 1)
        regions.front().classes.clear();
    for (int c = 0; c < classes; ++c)
        if (space.classes()[static_cast<std::size_t>(c)].gpusPerNode > 1 &&
            space.microbatches() * space.leastCrossing(c, 1) >= upper)
            regions.push_back({c, {}});
    return regions;
}

bool mayJoin(const ChainSpace& space, const StageOption& option, const ChainRegion& region, double upper) {
    if (!region.holds(option.cls))
        return false;
    if (!region.anywhere())
        return option.devices < space.classes()[static_cast<std::size_t>(option.cls)].gpusPerNode;
    return space.leastOnNetwork(option) < upper;
}

ChainWays::ChainWays(const ChainSpace& space, const ChainLines& lines, double upper,
                     const ChainRegion& region)
    : m_space(space), m_lines(lines), m_blocks(space.blocks() - space.leadBlocks()), m_upper(upper),
      m_region(region) {
    const int classes = static_cast<int>(space.classes().size());
    m_classes.resize(static_cast<std::size_t>(classes));
    std::iota(m_classes.begin(), m_classes.end(), 0);
    // Sizes that stand anywhere stand at one of the last two places.
    const Place last = made(0), inFront = made(1);
    m_classes.clear();
    for (int c = 0; c < classes; ++c) {
        int unit = 0;
        for (const Place* place : {&last, &inFront})
            for (const auto* side : {&place->inside, &place->front})
                for (const ChainWay& way : (*side)[static_cast<std::size_t>(c)])
                    unit = std::gcd(unit, std::gcd(way.devices(),
                                                   space.classes()[static_cast<std::size_t>(c)].gpusPerNode));
        if (unit == 0)
            continue;
        m_classes.push_back(c);
        m_units.push_back(unit);
    }
    m_quickest = quickest(0);
}

ChainWays::Place ChainWays::made(int place) const {
    Place ways;
    for (const int c : m_classes) {
        ways.inside.push_back(waysOf(c, place, false));
        ways.front.push_back(waysOf(c, place, true));
    }
    return ways;
}

// With all micro-batches in flight nothing changes any more.
const ChainWays::Place& ChainWays::place(std::size_t place) {
    place = std::min(place, static_cast<std::size_t>(std::max(1, m_space.microbatches())));
    while (m_places.size() <= place)
        m_places.push_back(made(static_cast<int>(m_places.size())));
    return m_places[place];
}

std::vector<ChainWay> ChainWays::waysOf(int cls, int place, bool front) const {
    const ChainClass& of = m_space.classes()[static_cast<std::size_t>(cls)];
    std::vector<ChainWay> list;
    const auto& lines = m_lines[(front ? 1U : 0U) + (place == 0 ? 2U : 0U)];
    for (std::size_t o = 0; o < lines.size(); ++o) {
        ChainWay way;
        way.option = &m_space.options()[o];
        const bool alone = place == 0 && front;
        if (way.option->cls != cls || (alone ? !m_region.anywhere() || !m_region.holds(cls)
                                             : !mayJoin(m_space, *way.option, m_region, m_upper)))
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

double ChainWays::fill(std::size_t f) const {
    return static_cast<double>(f) / static_cast<double>(kFills - 1) / m_quickest;
}

double ChainWays::leastSend(const ChainWay& way, std::size_t c) const {
    const bool mayShare = way.devices() % classAt(c).gpusPerNode != 0; // a node with the stage behind
    return mayShare ? 0.0 : m_space.leastCrossing(m_classes[c], way.nodes);
}

std::vector<double> ChainWays::worthsBySize(const Place& here, std::size_t c, double fill) const {
    std::vector<double> worths(static_cast<std::size_t>(gpus(c) / m_units[c]) + 1, 0.0);
    for (const auto* list : {&here.inside[c], &here.front[c]})
        for (const ChainWay& way : *list) {
            double& worth = worths[static_cast<std::size_t>(way.devices() / m_units[c])];
            const double send = 2.0 * leastSend(way, c);
            for (int k = std::max(1, way.first); k <= way.most(); ++k)
                worth = std::max(worth, k - fill * (way.time[way.at(k)] + send));
        }
    return worths;
}

ChainWays::Worths ChainWays::worths(std::size_t at) {
    constexpr std::size_t kFew = 512;
    const Place& here = place(at);
    Worths worths(m_units.size());
    for (std::size_t c = 0; c < m_units.size(); ++c)
        for (std::size_t f = 0; f < kFills; ++f) {
            const std::vector<double> sizes = worthsBySize(here, c, fill(f));
            std::vector<double>& of = worths[c][f];
            of.assign(sizes.size(), 0.0);
            double each = 0.0; // of a unit
            for (std::size_t size = 1; size < sizes.size(); ++size)
                each = std::max(each, sizes[size] / static_cast<double>(size));
            for (std::size_t units = 1; units < of.size(); ++units) {
                if (of.size() > kFew) {
                    of[units] = each * static_cast<double>(units);
                    continue;
                }
                for (std::size_t size = 1; size <= units; ++size)
                    if (sizes[size] > 0.0)
                        of[units] = std::max(of[units], of[units - size] + sizes[size]);
            }
        }
    return worths;
}

double ChainWays::leastTail(std::size_t at) {
    double least = kNever;
    for (const std::vector<ChainWay>& list : place(at).front)
        for (const ChainWay& way : list)
            least = std::min(least, *std::ranges::min_element(way.tail));
    return least;
}

double ChainWays::quickest(std::size_t at) {
    double quick = at == 0 ? quickest(1) : kNever;
    const Place& here = place(at);
    for (const auto* side : {&here.inside, &here.front})
        for (const std::vector<ChainWay>& list : *side)
            for (const ChainWay& way : list)
                for (int k = std::max(1, way.first); k <= way.most(); ++k)
                    quick = std::min(quick, way.time[way.at(k)] / k);
    return quick;
}

} // namespace pw

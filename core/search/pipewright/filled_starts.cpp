// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/pipewright/filled_starts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

namespace pw {
namespace {

constexpr int kMostUnits = 512;            // of a class, in which its devices are counted
constexpr double kSlowest = 64.0;          // times the pace that all devices together could keep
constexpr double kClose = 0.002;           // of a pace
constexpr std::size_t kMostLeftOutOf = 12; // classes
constexpr std::array kSlower = {1.0, 1.01, 1.02, 1.04, 1.07, 1.12};

// The stages of a class at one pace.
struct Filling {
    Pattern stages; // largest first
    int blocks = 0;
};

class Filler {
public:
    explicit Filler(const PatternOptions& options) : m_options(options), m_space(options.space()) {
        for (std::size_t c = 0; c < m_space.classes().size(); ++c)
            m_units.push_back(unitOf(static_cast<int>(c)));
    }

    std::vector<Pattern> patterns() const {
        std::vector<int> order(m_space.classes().size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(
            order, {}, [&](int c) { return m_space.classes()[static_cast<std::size_t>(c)].capacity; });
        std::set<Pattern> found;
        for (int turned = 0; turned < 2; ++turned) {
            addPatterns(order, found);
            for (std::size_t left = 0;
                 order.size() > 1 && order.size() <= kMostLeftOutOf && left < order.size(); ++left) {
                std::vector<int> some = order;
                some.erase(some.begin() + static_cast<std::ptrdiff_t>(left));
                addPatterns(some, found);
            }
            std::ranges::reverse(order);
        }
        return {found.begin(), found.end()};
    }

private:
    // What its devices are counted in: what all sizes of stages are multiples of, or more of them at once
    // where they are many.
    int unitOf(int cls) const {
        const ChainClass& of = m_space.classes()[static_cast<std::size_t>(cls)];
        int unit = of.gpusPerNode;
        for (const int o : m_options.list())
            if (const StageOption& option = m_space.options()[static_cast<std::size_t>(o)]; option.cls == cls)
                unit = std::gcd(unit, option.devices);
        while (of.gpus() / unit > kMostUnits)
            unit *= 2;
        return unit;
    }

    // s a micro-batch: what the devices of these classes could keep, were they all in their best stages.
    double paceOfAll(const std::vector<int>& order) const {
        double all = 0.0;
        for (const int cls : order) {
            double rate = 0.0; // blocks a second
            for (const int o : m_options.list()) {
                const StageOption& option = m_space.options()[static_cast<std::size_t>(o)];
                if (option.cls == cls)
                    rate = std::max(rate, 1.0 * m_space.classes()[static_cast<std::size_t>(cls)].gpus() /
                                              option.devices / m_options.lineOf(o, false, false).timeBlock);
            }
            all += rate;
        }
        return all > 0.0 ? m_space.blocks() / all : 0.0;
    }

    // The most blocks that the class holds at a pace, behind it `behind` stages and `own` of its own.
    Filling filling(int cls, double pace, int behind, int own) const {
        const double microbatches = m_space.microbatches();
        // What a stage more costs all others, in blocks by the second that it takes.
        const double fill = m_space.blocks() / (pace * (microbatches + behind + own));
        const double inFlight = std::min<double>(microbatches, behind + 1 + own / 2.0);
        const int unit = m_units[static_cast<std::size_t>(cls)];
        const int units = m_space.classes()[static_cast<std::size_t>(cls)].gpus() / unit;
        struct Way {
            int option = -1, units = 0, blocks = 0;
            double worth = 0.0; // blocks
        };
        std::vector<Way> ways; // the best of each size
        for (const int o : m_options.list()) {
            const StageOption& option = m_space.options()[static_cast<std::size_t>(o)];
            if (option.cls != cls || option.devices % unit != 0)
                continue;
            const StageLine& line = m_options.lineOf(o, false, false);
            const double most = line.most(pace, 1.0, 1.0 / microbatches, inFlight) * (1.0 + 1e-9);
            const int blocks = std::min(m_space.blocks(), static_cast<int>(std::floor(std::max(0.0, most))));
            if (blocks < 1)
                continue;
            const Way way{o, option.devices / unit, blocks, blocks - fill * line.time(blocks)};
            const auto same = std::ranges::find(ways, way.units, &Way::units);
            if (same == ways.end())
                ways.push_back(way);
            else if (way.worth > same->worth)
                *same = way;
        }
        std::vector<double> worth(static_cast<std::size_t>(units) + 1, 0.0); // by units taken, at most
        std::vector<int> last(worth.size(), -1);                             // way of one of the stages there
        for (int u = 1; u <= units; ++u) {
            const auto at = static_cast<std::size_t>(u);
            worth[at] = worth[at - 1];
            for (std::size_t w = 0; w < ways.size(); ++w)
                if (ways[w].units <= u) {
                    const double with = worth[at - static_cast<std::size_t>(ways[w].units)] + ways[w].worth;
                    if (with > worth[at] + 1e-9) {
                        worth[at] = with;
                        last[at] = static_cast<int>(w);
                    }
                }
        }
        Filling filling;
        for (int u = units; u > 0;) {
            const int w = last[static_cast<std::size_t>(u)];
            if (w < 0) {
                --u;
                continue;
            }
            const Way& way = ways[static_cast<std::size_t>(w)];
            filling.stages.push_back(way.option);
            filling.blocks += way.blocks;
            u -= way.units;
        }
        std::ranges::sort(filling.stages, [&](int a, int b) {
            const int x = m_space.options()[static_cast<std::size_t>(a)].devices;
            const int y = m_space.options()[static_cast<std::size_t>(b)].devices;
            return x != y ? x > y : a < b;
        });
        return filling;
    }

    // All classes at a pace, the last ones' first: how many stages stand behind decides on their memory.
    Filling fillingOfAll(const std::vector<int>& order, double pace) const {
        Filling all;
        for (const int cls : order) {
            const auto behind = static_cast<int>(all.stages.size());
            const auto own = static_cast<int>(filling(cls, pace, behind, 0).stages.size());
            const Filling here = filling(cls, pace, behind, own);
            all.stages.insert(all.stages.end(), here.stages.begin(), here.stages.end());
            all.blocks += here.blocks;
        }
        return all;
    }

    void addPatterns(const std::vector<int>& order, std::set<Pattern>& found) const {
        double low = paceOfAll(order), high = low;
        const auto enough = [&](double pace) { return fillingOfAll(order, pace).blocks >= m_space.blocks(); };
        for (const double slowest = kSlowest * low; !enough(high); high *= 1.5) {
            if (!(high < slowest))
                return;
            low = high;
        }
        while (high - low > kClose * high)
            (enough(0.5 * (low + high)) ? high : low) = 0.5 * (low + high);
        for (const double slower : kSlower) {
            Pattern pattern = fillingOfAll(order, slower * high).stages;
            if (m_options.placeable(pattern))
                found.insert(std::move(pattern));
        }
    }

    const PatternOptions& m_options;
    const ChainSpace& m_space;
    std::vector<int> m_units; // by class
};

} // namespace

std::vector<Pattern> filledStarts(const PatternOptions& options) {
    return Filler(options).patterns();
}

} // namespace pw

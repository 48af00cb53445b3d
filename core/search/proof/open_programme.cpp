// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/proof/open_programme.h"

#include "core/search/proof/chain_sweep.h"

#include <map>
#include <numeric>
#include <optional>

namespace pw {
namespace {

// Devices taken of each class, of some of them, as one number.
class Counts {
public:
    Counts(const ChainWays& ways, std::size_t most) : m_ways(ways), m_step(ways.units().size(), 0) {
        std::vector<std::size_t> order(m_step.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, {}, [&](std::size_t c) { return units(c); });
        for (const std::size_t c : order) {
            const std::size_t more = m_all * (units(c) + 1);
            if (more > most)
                break;
            m_step[c] = m_all;
            m_all = more;
        }
    }

    std::size_t all() const { return m_all; }
    std::size_t taken(std::size_t count, std::size_t c) const { // 0 of those that are not counted
        return m_step[c] == 0 ? 0 : count / m_step[c] % (units(c) + 1);
    }
    // Nothing where the class has no room for so many units more.
    std::optional<std::size_t> with(std::size_t count, std::size_t c, std::size_t more) const {
        if (m_step[c] == 0)
            return count;
        return taken(count, c) + more > units(c) ? std::nullopt : std::optional(count + more * m_step[c]);
    }
    std::size_t units(std::size_t c) const {
        return static_cast<std::size_t>(m_ways.gpus(c) / m_ways.units()[c]);
    }

private:
    const ChainWays& m_ways;
    std::vector<std::size_t> m_step; // 0: not counted
    std::size_t m_all = 1;
};

class OpenSweep : ChainSweep {
public:
    OpenSweep(const ChainSpace& space, ChainWays& ways, bool inOneNode, std::size_t mostCounts, double upper,
              const std::function<bool()>& stop, std::int64_t& steps)
        : ChainSweep(space, ways, upper, stop, steps), m_counts(ways, mostCounts), m_inOneNode(inOneNode) {}

    std::optional<double> least(int stages) {
        Layer behind;
        for (int place = 0; place < stages && (place == 0 || !behind.empty()) && !over(); ++place) {
            Layer next;
            goTo(static_cast<std::size_t>(place));
            if (place == 0)
                addStages({none(), {}, 0, 0}, next);
            else
                for (auto& [state, labels] : behind)
                    addStages({std::move(labels), state.cls, state.end, state.count}, next);
            behind = std::move(next);
        }
        return over() ? std::nullopt : std::optional(m_best);
    }

private:
    struct Key {
        std::size_t cls, end, count;
        auto operator<=>(const Key&) const = default;
    };
    using Layer = std::map<Key, ChainLabels>;

    struct State {
        ChainLabels behind;
        std::optional<std::size_t> last; // class of the stage behind; nothing: there is none
        std::size_t end;                 // of it in its node, in units; 0: of whole nodes
        std::size_t count;
    };

    std::size_t unitsPerNode(std::size_t c) const {
        return static_cast<std::size_t>(m_ways.classAt(c).gpusPerNode / m_ways.units()[c]);
    }
    int nodes(std::size_t c) const {
        return m_inOneNode ? 1 : static_cast<int>(m_ways.classAt(c).nodes.size());
    }

    // The stages that may stand in front of these chains.
    void addStages(const State& state, Layer& next) {
        const ChainWays::Place& place = m_ways.place(m_place);
        std::optional<std::size_t> told; // the counts that tellLatest() was asked of
        for (std::size_t c = 0; c < m_classes; ++c) {
            for (const ChainWay& way : place.front[c])
                if (m_counts.with(state.count, c, unitsOf(way, c)))
                    for (const Way& to : waysTo(state, way, c))
                        closeWith(way, to.send, state.behind);
            for (const ChainWay& way : place.inside[c]) {
                const auto count = m_counts.with(state.count, c, unitsOf(way, c));
                if (!count || over())
                    continue;
                if (told != count)
                    tellLatest(*count, [&] { return worthInFront(*count); });
                told = count;
                for (const Way& to : waysTo(state, way, c))
                    extendBy(way, to.send, state.behind, [&]() -> ChainLabels& {
                        ChainLabels& labels = next[{c, to.end, *count}];
                        if (labels.empty())
                            labels.resize(state.behind.size());
                        return labels;
                    });
            }
        }
    }

    std::size_t unitsOf(const ChainWay& way, std::size_t c) const {
        return static_cast<std::size_t>(way.devices() / m_ways.units()[c]);
    }

    // What devices that are not taken are worth, by price of a second.
    std::vector<double> worthInFront(std::size_t count) const {
        std::vector<double> worth(ChainWays::kFills, 0.0);
        for (std::size_t c = 0; c < m_classes; ++c)
            for (std::size_t f = 0; f < ChainWays::kFills; ++f)
                worth[f] += m_worths[c][f][m_counts.units(c) - m_counts.taken(count, c)];
        return worth;
    }

    // Next to the stage behind, in its node, and on another node.
    struct Way {
        double send = 0.0;   // s
        std::size_t end = 0; // in its node
    };
    std::vector<Way> waysTo(const State& state, const ChainWay& way, std::size_t c) {
        const std::size_t all = unitsPerNode(c), units = unitsOf(way, c);
        std::vector<Way> ways;
        if (state.last == c && state.end > 0 && state.end + units <= all)
            ways.push_back({0.0, (state.end + units) % all});
        if (!state.last)
            ways.push_back({0.0, units % all});
        else if (state.last != c || nodes(c) > 1)
            ways.push_back({transfer(c, way.nodes, *state.last, nodes(*state.last)), units % all});
        return ways;
    }

    const Counts m_counts;
    const bool m_inOneNode;
};

struct Look {
    std::size_t counts; // at most
    std::int64_t steps;
};
constexpr Look kLooks[] = {{1U << 20U, 40'000'000}, {4096, 30'000'000}, {256, 20'000'000}, {1, 20'000'000}};

} // namespace

std::optional<double> OpenProgramme::least(double upper, int stages,
                                           const std::function<bool()>& stop) const {
    double best = upper;
    for (const ChainRegion& region : chainRegions(m_space, upper)) {
        std::optional<double> found;
        for (const Look& look : kLooks) {
            ChainWays ways(m_space, m_lines, best, region);
            std::int64_t steps = look.steps;
            found =
                OpenSweep(m_space, ways, !region.anywhere(), look.counts, best, stop, steps).least(stages);
            if (found || stop())
                break;
        }
        if (!found || stop())
            return std::nullopt;
        best = *found;
    }
    return best;
}

} // namespace pw

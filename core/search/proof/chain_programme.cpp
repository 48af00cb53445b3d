// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/proof/chain_programme.h"

#include "core/search/proof/chain_sweep.h"

#include <optional>

namespace pw {
namespace {

constexpr std::size_t kMostClasses = 8; // 256 sets of them

// Labels of the chains of one number of stages: by set of classes done, class at work and devices used of it,
// in units of its stages' sizes. The nodes of the last stage, for the transfer to the next class, are no part
// of the state: they are taken as all that the class has.
class Layer {
public:
    explicit Layer(const ChainWays& ways)
        : m_ways(&ways), m_cells(ways.units().size() << ways.units().size()) {}

    bool empty() const { return m_empty; }
    // Those of the states with any device used, from 0 units on; empty where there is no chain.
    const std::vector<ChainLabels>& of(std::size_t done, std::size_t cls) const {
        return m_cells[at(done, cls)];
    }
    ChainLabels& make(std::size_t done, std::size_t cls, int used) {
        const int unit = m_ways->units()[cls];
        m_empty = false;
        std::vector<ChainLabels>& cell = m_cells[at(done, cls)];
        if (cell.empty())
            cell.resize(static_cast<std::size_t>(m_ways->gpus(cls) / unit) + 1);
        ChainLabels& labels = cell[static_cast<std::size_t>(used / unit)];
        if (labels.empty())
            labels.resize(static_cast<std::size_t>(m_ways->blocks()) + 1);
        return labels;
    }

private:
    std::size_t at(std::size_t done, std::size_t cls) const { return done * m_ways->units().size() + cls; }

    const ChainWays* m_ways;
    std::vector<std::vector<ChainLabels>> m_cells;
    bool m_empty = true;
};

// The programme's run from the last stage to the front: one layer of labels per number of stages.
class Sweep : ChainSweep {
public:
    using ChainSweep::ChainSweep;

    // s, of chains of so many stages at most; nothing once `stop` has said so, or after too many steps.
    std::optional<double> least(int stages) {
        Layer behind(m_ways);
        for (int place = 0; place < stages && (place == 0 || !behind.empty()) && !over(); ++place) {
            Layer next(m_ways);
            goTo(static_cast<std::size_t>(place));
            if (place == 0)
                beginChains(next);
            else
                lengthenChains(behind, next);
            behind = std::move(next);
        }
        return over() ? std::nullopt : std::optional(m_best);
    }

private:
    // Where the next stage in front would stand.
    struct State {
        const ChainLabels& behind;
        std::size_t done;                // set of classes that no stage in front may use
        std::size_t cls;                 // these are indices into m_ways.classes()
        int used;                        // devices of `cls`, by the stages behind
        std::optional<std::size_t> last; // class of the stage behind; nothing: there is none
    };

    // All that ends with this place's stage.
    void beginChains(Layer& next) {
        const ChainLabels behind = none();
        for (std::size_t c = 0; c < m_classes; ++c)
            addStage({behind, 0, c, 0, {}}, next);
    }

    // Each chain goes on in its class, or leaves that for one that it has not been in.
    void lengthenChains(const Layer& behind, Layer& next) {
        for (std::size_t done = 0; done < std::size_t{1} << m_classes; ++done)
            for (std::size_t c = 0; c < m_classes; ++c) {
                const std::vector<ChainLabels>& cell = behind.of(done, c);
                for (std::size_t units = 0; units < cell.size(); ++units) {
                    if (cell[units].empty())
                        continue;
                    addStage({cell[units], done, c, static_cast<int>(units) * m_ways.units()[c], c}, next);
                    const std::size_t left = done | std::size_t{1} << c;
                    for (std::size_t other = 0; other < m_classes; ++other)
                        if ((left >> other & 1U) == 0)
                            addStage({cell[units], left, other, 0, c}, next);
                }
            }
    }

    void addStage(const State& state, Layer& next) {
        if (over())
            return;
        const ChainWays::Place& place = m_ways.place(m_place);
        State at = state;
        const auto placed = [&](const ChainWay& way) {
            at.used = m_space.placeOf(*way.option, state.used);
            return at.used >= 0 && at.used + way.devices() <= m_ways.gpus(state.cls);
        };
        for (const ChainWay& way : place.front[state.cls])
            if (placed(way))
                closeWith(way, transfer(way, at), state.behind);
        int latestOf = -1; // devices that tellLatest() was asked of
        for (const ChainWay& way : place.inside[state.cls])
            if (placed(way)) {
                const int used = at.used + way.devices();
                if (latestOf != used)
                    tellLatest(keyOf(state, latestOf = used), [&] { return worthInFront(state, used); });
                extendBy(way, transfer(way, at), state.behind,
                         [&]() -> ChainLabels& { return next.make(state.done, state.cls, used); });
            }
    }

    // What lies in front of a stage with which so many devices of its class are taken.
    std::size_t keyOf(const State& state, int used) const {
        return (static_cast<std::size_t>(used) << m_classes | state.done) * m_classes + state.cls;
    }

    // By price of a second: the devices of classes not entered yet, sum of w_c(f, N_c), and what is left of
    // the state's own.
    std::vector<double> worthInFront(const State& state, int used) const {
        const auto free =
            static_cast<std::size_t>((m_ways.gpus(state.cls) - used) / m_ways.units()[state.cls]);
        std::vector<double> worth(ChainWays::kFills, 0.0);
        for (std::size_t c = 0; c < m_classes; ++c)
            if (c != state.cls && (state.done >> c & 1U) == 0)
                for (std::size_t f = 0; f < ChainWays::kFills; ++f)
                    worth[f] += m_worths[c][f].back();
        for (std::size_t f = 0; f < ChainWays::kFills; ++f)
            worth[f] += m_worths[state.cls][f][free];
        return worth;
    }

    // s, c: what a micro-batch takes at least to the stage behind; nothing inside a node.
    double transfer(const ChainWay& way, const State& state) {
        if (!state.last)
            return 0.0;
        const int perNode = m_ways.classAt(state.cls).gpusPerNode;
        if (*state.last != state.cls)
            return ChainSweep::transfer(state.cls, way.nodes, *state.last,
                                        static_cast<int>(m_ways.classAt(*state.last).nodes.size()));
        if (state.used % perNode != 0) // shares a node with the stage behind
            return 0.0;
        return ChainSweep::transfer(state.cls, way.nodes, state.cls, state.used / perNode);
    }
};

} // namespace

std::optional<double> ChainProgramme::least(double upper, int stages, const std::function<bool()>& stop,
                                            std::int64_t& steps) const {
    double best = upper;
    for (const ChainRegion& region : chainRegions(m_space, upper)) {
        ChainWays ways(m_space, m_lines, best, region);
        if (ways.classes().size() > kMostClasses)
            return std::nullopt;
        const std::optional<double> found = Sweep(m_space, ways, best, stop, steps).least(stages);
        if (!found)
            return std::nullopt;
        best = *found;
    }
    return best;
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/proof/chain_programme.h"

#include "core/base/quantity.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace pw {
namespace {

constexpr std::size_t kMostClasses = 8; // 256 sets of them
constexpr int kMostTried = 32;          // launches of a stage; what more of them still win is given away

// What is least among all chains in one state: each by itself, perhaps of different chains.
struct Label {
    double bound = kNever;  // s, V
    double around = kNever; // s, D
    double tailed = kNever; // s, W: until the last of these stages has summed its gradients and stepped
};
using Labels = std::vector<Label>; // by blocks placed

// Labels of the chains of one number of stages: by set of classes done, class at work and devices used of it,
// in units of its stages' sizes. The nodes of the last stage, for the transfer to the next class, are no part
// of the state: they are taken as all that the class has.
class Layer {
public:
    explicit Layer(const ChainWays& ways)
        : m_ways(&ways), m_cells(ways.units().size() << ways.units().size()) {}

    bool empty() const { return m_empty; }
    // Those of the states with any device used, from 0 units on; empty where there is no chain.
    const std::vector<Labels>& of(std::size_t done, std::size_t cls) const { return m_cells[at(done, cls)]; }
    Labels& make(std::size_t done, std::size_t cls, int used) {
        const int unit = m_ways->units()[cls];
        m_empty = false;
        std::vector<Labels>& cell = m_cells[at(done, cls)];
        if (cell.empty())
            cell.resize(static_cast<std::size_t>(m_ways->gpus(cls) / unit) + 1);
        Labels& labels = cell[static_cast<std::size_t>(used / unit)];
        if (labels.empty())
            labels.resize(static_cast<std::size_t>(m_ways->blocks()) + 1);
        return labels;
    }

private:
    std::size_t at(std::size_t done, std::size_t cls) const { return done * m_ways->units().size() + cls; }

    const ChainWays* m_ways;
    std::vector<std::vector<Labels>> m_cells;
    bool m_empty = true;
};

// The programme's run from the last stage to the front: one layer of labels per number of stages. `m_best` is
// the least bound of a whole chain so far; what cannot fall below it is left out on the way.
class Sweep {
public:
    Sweep(const ChainSpace& space, ChainWays& ways, double upper, const std::function<bool()>& stop,
          std::int64_t& steps)
        : m_space(space), m_ways(ways), m_stop(stop), m_steps(steps), m_classes(ways.classes().size()),
          m_blocks(ways.blocks()), m_frontKeeps(space.leadBlocks() > 0 ? 0 : 1),
          m_microbatches(space.microbatches()), m_best(upper) {}

    // s, of chains of so many stages at most; nothing once `stop` has said so, or after too many steps.
    std::optional<double> least(int stages) {
        Layer behind(m_ways);
        for (int place = 0; place < stages && (place == 0 || !behind.empty()) && !over(); ++place) {
            Layer next(m_ways);
            m_place = static_cast<std::size_t>(place);
            m_worths = m_ways.worths(m_place + 1);
            m_frontTail = m_ways.leastTail(m_place + 1);
            m_quick = m_ways.quickest(m_place) * (1.0 - kLineRounding);
            if (place == 0)
                beginChains(next);
            else
                lengthenChains(behind, next);
            behind = std::move(next);
        }
        return over() ? std::nullopt : std::optional(m_best);
    }

private:
    bool over() const { return m_steps < 0 || m_stop(); }

    // Where the next stage in front would stand.
    struct State {
        const Labels& behind;
        std::size_t done;                // set of classes that no stage in front may use
        std::size_t cls;                 // these are indices into m_ways.classes()
        int used;                        // devices of `cls`, by the stages behind
        std::optional<std::size_t> last; // class of the stage behind; nothing: there is none
    };

    // All that ends with this place's stage. No stage behind: V = D = W = 0.
    void beginChains(Layer& next) {
        Labels none(static_cast<std::size_t>(m_blocks) + 1);
        none[0] = {0.0, 0.0, 0.0};
        for (std::size_t c = 0; c < m_classes; ++c)
            addStage({none, 0, c, 0, {}}, next);
    }

    // Each chain goes on in its class, or leaves that for one that it has not been in.
    void lengthenChains(const Layer& behind, Layer& next) {
        for (std::size_t done = 0; done < std::size_t{1} << m_classes; ++done)
            for (std::size_t c = 0; c < m_classes; ++c) {
                const std::vector<Labels>& cell = behind.of(done, c);
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
        const std::vector<double> elsewhere = worthElsewhere(state);
        int latestOf = -1; // devices that m_latest was told of
        for (const ChainWay& way : place.inside[state.cls])
            if (placed(way)) {
                const int used = at.used + way.devices();
                if (latestOf != used)
                    tellLatest(elsewhere, state.cls, latestOf = used);
                extendBy(way, transfer(way, at), state.behind,
                         [&]() -> Labels& { return next.make(state.done, state.cls, used); });
            }
    }

    // What the devices of classes not entered yet are worth, by price of a second:  sum of w_c(f, N_c).
    std::vector<double> worthElsewhere(const State& state) const {
        std::vector<double> worth(ChainWays::kFills, 0.0);
        for (std::size_t c = 0; c < m_classes; ++c)
            if (c != state.cls && (state.done >> c & 1U) == 0)
                for (std::size_t f = 0; f < ChainWays::kFills; ++f)
                    worth[f] += m_worths[c][f].back();
        return worth;
    }

    // Fills m_latest for stages in front of one that leaves `used` devices of the class taken. Stages on n
    // devices of a class hold w_c(f, n) + f t blocks at most, so that the b blocks that are left take stages
    // in front whose times, behind V, end by T only if
    //     b <= f (T - tail - V) + sum_c w_c(f, n_c)     for every price f of a second,
    // n_c what is free of a class and the tail the least of a first stage.
    void tellLatest(const std::vector<double>& elsewhere, std::size_t cls, int used) {
        m_steps -= m_blocks;
        const double soonest = m_best - m_frontTail;
        m_latest.assign(static_cast<std::size_t>(m_blocks) + 1, soonest);
        const auto free = static_cast<std::size_t>((m_ways.gpus(cls) - used) / m_ways.units()[cls]);
        for (std::size_t f = 0; f < ChainWays::kFills; ++f) {
            const double fill = m_ways.fill(f);
            const double worth =
                (elsewhere[f] + m_worths[cls][f][free]) * (1.0 + kLineRounding) + kLineRounding;
            for (auto left = static_cast<std::size_t>(std::max(0.0, std::floor(worth) + 1.0));
                 left < m_latest.size(); ++left)
                m_latest[left] = fill > 0.0 ? std::min(m_latest[left],
                                                       soonest - (static_cast<double>(left) - worth) / fill)
                                            : -kNever;
        }
    }

    // s, c: what a micro-batch takes at least to the stage behind; nothing inside a node.
    double transfer(const ChainWay& way, const State& state) const {
        if (!state.last)
            return 0.0;
        const auto port = [&](std::size_t c, int nodes) {
            return m_space.leastCrossing(m_ways.classes()[c], nodes);
        };
        const int perNode = m_ways.classAt(state.cls).gpusPerNode;
        if (*state.last != state.cls) {
            const auto nodes = static_cast<int>(m_ways.classAt(*state.last).nodes.size());
            return std::max({port(state.cls, way.nodes), port(*state.last, nodes),
                             crossing(state.cls, *state.last, std::max(way.nodes, nodes))});
        }
        if (state.used % perNode != 0) // shares a node with the stage behind
            return 0.0;
        return std::max(port(state.cls, way.nodes), port(state.cls, state.used / perNode));
    }

    // s: the bytes over what lies between two switches, which is there once for all of their nodes; else over
    // so many nodes' ports:  c >= latency + bytes / widest.
    double crossing(std::size_t from, std::size_t to, int nodes) const {
        const Topology& topology = m_space.problem().topology();
        const auto nodeOf = [&](std::size_t c) {
            const DeviceIndex device = m_ways.classAt(c).nodes.front().front();
            return topology.devices()[static_cast<std::size_t>(device)].node;
        };
        const int a = nodeOf(from), b = nodeOf(to);
        if (a == b || m_ways.classAt(from).shared || !m_ways.classAt(from).oneRack() ||
            !m_ways.classAt(to).oneRack())
            return 0.0;
        const Path path = topology.path(a, b);
        if (!path.reachable)
            return 0.0;
        const double bytes = boundaryBytes(m_space.problem(), static_cast<double>(m_space.microbatchSize()));
        double time = bytes / (path.bandwidth.value * nodes);
        if (m_space.onOneSwitch() && path.links.size() > 2)
            for (std::size_t i = 1; i + 1 < path.links.size(); ++i) {
                const Link& link = topology.cluster().links[static_cast<std::size_t>(path.links[i])];
                time = std::max(time, bytes / link.usable().value);
            }
        return path.latency.value + time * (1.0 - kLineRounding);
    }

    // What is left of the model still takes m_quick a block, one after the other, whatever stands in front:
    // V of the whole chain >= V + that.
    bool tooSlow(const Label& behind, int left) const { return behind.bound + left * m_quick >= m_best; }

    // s: V from which on so many blocks have no room in front.
    double latest(int left) const { return m_latest[static_cast<std::size_t>(left)]; }

    // More blocks only take longer:  B t + tail  and  t + 2c + V  end no chain below the best one.
    bool tooLong(const ChainWay& way, std::size_t at, double send, const Label& behind) const {
        return m_microbatches * way.time[at] + way.tail[at] >= m_best ||
               way.time[at] + 2.0 * send + behind.bound >= m_best;
    }

    // s, W' = max(V' + tail, c + W): the stages behind begin later by the forward pass and the transfer.
    static double ended(const ChainWay& way, std::size_t at, double send, const Label& behind, double bound) {
        return std::max(bound + way.tail[at], send + behind.tailed);
    }

    // A first stage with all blocks that are left:  T >= W'.
    void closeWith(const ChainWay& way, double send, const Labels& behind) {
        for (int n = 0; n <= m_blocks - m_frontKeeps; ++n) {
            const Label& label = behind[static_cast<std::size_t>(n)];
            const int left = m_blocks - n;
            if (tooSlow(label, left) || left < way.first || left > way.most())
                continue;
            const std::size_t at = way.at(left);
            if (tooLong(way, at, send, label))
                continue;
            m_best = std::min(m_best, ended(way, at, send, label, value(way, left, send, label)));
        }
    }

    // A stage with some of the blocks that are left, where those in front can still have the rest:
    //     V' as in value(),   D' = t + 2c + D,   W' as in ended().
    template <class Make>
    void extendBy(const ChainWay& way, double send, const Labels& behind, const Make& make) {
        Labels* into = nullptr;   // made for the first label that is worth keeping
        m_steps -= m_blocks / 16; // looks at every label
        for (int n = 0; n <= m_blocks - m_frontKeeps; ++n) {
            const Label& label = behind[static_cast<std::size_t>(n)];
            const int left = m_blocks - n;
            if (tooSlow(label, left))
                continue;
            const int most = std::min(left - m_frontKeeps, way.most());
            int least = way.first;
            while (least <= most && label.bound >= latest(left - least))
                ++least;
            m_steps -= std::max(1, most - least);
            for (int k = least; k <= most; ++k) {
                const std::size_t at = way.at(k);
                if (tooLong(way, at, send, label))
                    break;
                const double end = latest(left - k), around = way.time[at] + 2.0 * send;
                if (around + label.bound >= end)
                    continue;
                const double floor = leastValue(way, at, send, label);
                const double floorTailed = ended(way, at, send, label, floor);
                if (floor >= end || floorTailed >= m_best)
                    continue;
                if (into) {
                    const Label& there = (*into)[static_cast<std::size_t>(n + k)];
                    if (there.bound <= floor && there.around <= around + label.around &&
                        there.tailed <= floorTailed)
                        continue; // nothing that is not there
                }
                const double bound = value(way, k, send, label);
                const double tailed = ended(way, at, send, label, bound);
                if (bound >= end || tailed >= m_best)
                    continue;
                if (!into)
                    into = &make();
                Label& there = (*into)[static_cast<std::size_t>(n + k)];
                there.bound = std::min(there.bound, bound);
                there.around = std::min(there.around, around + label.around);
                there.tailed = std::min(there.tailed, tailed);
            }
        }
    }

    // s:  V' = max(min over L of max(B t(L) + max(0, 2c + D - (L - 1) f), B (t(L) + 2c + D) / L),
    //              t(L) + 2c + V,  t + (B + 1) c + D)
    // over the launches that memory allows. A stage waits for its first gradient; each micro-batch is in
    // flight for t + 2c + D at least, with L at a time (Little's law); the last one's activation leaves after
    // B transfers. The third part never falls with the launches. The first is concave behind the first launch
    // count while there is a wait, since t is a - b / L there: once it is no lower than before, only its far
    // end can be.
    double value(const ChainWay& way, int blocks, double send, const Label& behind) {
        const std::size_t at = way.at(blocks);
        const double path = 2.0 * send + behind.around;
        double least = kNever, lowest = kNever;
        for (int tried = 0; tried <= way.mostLaunch[at] - way.launch[at]; ++tried) {
            --m_steps;
            const bool last = tried == kMostTried;
            const int launch = way.launch[at] + tried;
            const double t = tried == 0 ? way.time[at] : way.timeWith(blocks, launch);
            const double wait = waitWith(way, at, path, launch);
            const double busy = m_microbatches * t + (last ? 0.0 : wait);
            const double turns = m_microbatches * (t + path) / (last ? way.mostLaunch[at] : launch);
            const double held = std::max(busy, turns);
            least = std::min(least, std::max(held, t + 2.0 * send + behind.bound));
            if (last || (wait <= 0.0 && turns <= busy) ||
                (busy >= lowest && busyAtFarEnd(way, blocks, path) >= lowest))
                break;
            lowest = std::min(lowest, held);
        }
        return std::max(least, way.time[at] + (m_microbatches + 1.0) * send + behind.around);
    }

    // s, value() without what launches bring.
    double leastValue(const ChainWay& way, std::size_t at, double send, const Label& behind) const {
        return std::max({m_microbatches * way.time[at], way.time[at] + 2.0 * send + behind.bound,
                         way.time[at] + (m_microbatches + 1.0) * send + behind.around});
    }

    // s, what 2c + D leaves to wait for behind L launched forwards:  max(0, 2c + D - (L - 1) f).
    static double waitWith(const ChainWay& way, std::size_t at, double path, int launch) {
        return std::max(0.0, path - (launch - 1) * way.forward[at]);
    }

    // s, B t(L) + the wait: the lower one of the last launch count with a wait and the first without, as far
    // as memory allows them.
    double busyAtFarEnd(const ChainWay& way, int blocks, double path) const {
        const std::size_t at = way.at(blocks);
        const double none = std::ceil(path / way.forward[at]) + 1.0;
        const int last = static_cast<int>(std::min<double>(way.mostLaunch[at], none));
        double least = kNever;
        for (const int launch : {std::max(way.launch[at], last - 1), last})
            least = std::min(least,
                             m_microbatches * way.timeWith(blocks, launch) + waitWith(way, at, path, launch));
        return least;
    }

    const ChainSpace& m_space;
    ChainWays& m_ways;
    const std::function<bool()>& m_stop;
    std::int64_t& m_steps; // left
    const std::size_t m_classes;
    const int m_blocks;
    const int m_frontKeeps; // blocks behind the leading ones, at least
    const double m_microbatches;
    std::size_t m_place = 0;      // of the stage that is added, from the end
    ChainWays::Worths m_worths;   // w_c(f, n) of the stages in front of it
    double m_frontTail = 0.0;     // s, the least of a first stage among these
    std::vector<double> m_latest; // s, by blocks left
    double m_quick = 0.0;         // s, what a block takes at least from there on
    double m_best;
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

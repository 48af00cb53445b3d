// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/partition/stack_search.h"

#include "core/base/quantity.h"
#include "core/partition/min_plus.h"

#include <algorithm>
#include <map>

namespace pw::partition {
namespace {

class StackSearch {
public:
    StackSearch(const StackCosts& costs, int threads) : m_costs(costs), m_threads(threads) {
        for (std::size_t i = 0; i + 1 < costs.cuts.size(); ++i)
            join(costs.cuts[i], costs.cuts[i + 1]);
    }

    StackChoice best(int blocks) {
        // Powers of two, then the sum of those that the count is made of, largest first.
        m_powers = {m_joined.back()};
        while (std::size_t{2} << (m_powers.size() - 1) <= static_cast<std::size_t>(blocks))
            m_powers.push_back(minPlus(byClass(m_powers.back()), m_powers.back(), m_threads));
        std::vector<Piece> pieces;
        for (std::size_t p = m_powers.size(); p-- > 0;)
            if ((blocks >> p & 1) != 0)
                pieces.push_back({p, pieces.empty()
                                         ? m_powers[p]
                                         : minPlus(byClass(pieces.back().upTo), m_powers[p], m_threads)});

        StackChoice choice;
        choice.cost = kNever;
        std::size_t last = 0;
        const StackNode& start = m_costs.nodes.front();
        for (std::size_t way = 0; way < start.cost.size(); ++way) {
            const double* row = pieces.back().upTo.row(start.out[way]);
            const double* cheapest = std::min_element(row, row + start.cost.size());
            if (start.cost[way] + *cheapest < choice.cost) {
                choice.cost = start.cost[way] + *cheapest;
                choice.first = way;
                last = static_cast<std::size_t>(cheapest - row);
            }
        }
        follow(pieces, start.out[choice.first], last, choice);
        return choice;
    }

    StackChoice cycle(std::span<const std::size_t> ends) {
        StackChoice choice;
        choice.cost = kNever;
        const std::vector<std::size_t>& out = m_costs.nodes.front().out;
        for (std::size_t i = 0; i < (ends.empty() ? out.size() : ends.size()); ++i) {
            const std::size_t way = ends.empty() ? i : ends[i];
            if (const double cost = m_joined.back().row(out[way])[way]; cost < choice.cost) {
                choice.cost = cost;
                choice.first = way;
            }
        }
        choice.blocks = {followBlock(out[choice.first], choice.first)};
        return choice;
    }

private:
    // Costs from the out class of a block's first node (its own cost left out) to the way of its last one, so
    // many blocks later; `upTo` from the start of the stack.
    struct Piece {
        std::size_t power = 0;
        Matrix upTo;
    };
    struct Segment {
        std::size_t begin = 0, end = 0;
        Matrix cost; // [out class of begin][way of end], with end's cost and without begin's
    };

    const StackEdge* edge(std::size_t from, std::size_t to) const {
        for (const StackEdge& e : m_costs.edges)
            if (e.from == from && e.to == to)
                return &e;
        return nullptr;
    }

    // [row][way of node] to [row][out class of node]
    Matrix byClass(const Matrix& byWay, const StackNode& node) const {
        Matrix classes(byWay.rows, node.outClasses, kNever);
        for (std::size_t x = 0; x < byWay.rows; ++x)
            for (std::size_t way = 0; way < node.out.size(); ++way) {
                double& least = classes.row(x)[node.out[way]];
                least = std::min(least, byWay.row(x)[way]);
            }
        return classes;
    }
    Matrix byClass(const Matrix& byWay) const { return byClass(byWay, m_costs.nodes.back()); }

    // Behind costs up to its inputs, [row][way] of node `to`.
    Matrix throughNode(const Matrix& byInput, std::size_t begin, const StackEdge& chain) const {
        const StackNode& node = m_costs.nodes[chain.to];
        const StackEdge* skip = chain.from == begin ? nullptr : edge(begin, chain.to);
        Matrix byWay(byInput.rows, node.cost.size(), 0.0);
        for (std::size_t x = 0; x < byInput.rows; ++x)
            for (std::size_t way = 0; way < node.cost.size(); ++way)
                byWay.row(x)[way] = node.cost[way] + byInput.row(x)[chain.in[way]] +
                                    (skip ? skip->cost.row(x)[skip->in[way]] : 0.0);
        return byWay;
    }

    void join(std::size_t begin, std::size_t end) {
        Segment segment{begin, end, {}};
        for (std::size_t j = begin + 1; j <= end; ++j) {
            const StackEdge& chain = *edge(j - 1, j);
            segment.cost = throughNode(
                j - 1 == begin ? chain.cost
                               : minPlus(byClass(segment.cost, m_costs.nodes[j - 1]), chain.cost, m_threads),
                begin, chain);
        }
        m_segments.push_back(std::move(segment));
        const Matrix& own = m_segments.back().cost;
        if (m_joined.empty()) {
            m_joined.push_back(own);
            return;
        }
        Matrix joined = minPlus(byClass(m_joined.back(), m_costs.nodes[begin]), own, m_threads);
        if (const StackEdge* over = edge(0, end))
            for (std::size_t x = 0; x < joined.rows; ++x)
                for (std::size_t way = 0; way < joined.columns; ++way)
                    joined.row(x)[way] += over->cost.row(x)[over->in[way]];
        m_joined.push_back(std::move(joined));
    }

    // The way of `node` through which the cheapest total goes: first[way] + second[class of way].
    template <class First, class Second>
    static std::size_t through(const StackNode& node, const First& first, const Second& second) {
        std::size_t best = 0;
        for (std::size_t way = 1; way < node.cost.size(); ++way)
            if (first(way) + second(node.out[way]) < first(best) + second(node.out[best]))
                best = way;
        return best;
    }

    void follow(const std::vector<Piece>& pieces, std::size_t start, std::size_t last, StackChoice& choice) {
        // Where the pieces meet, from the end.
        const StackNode& node = m_costs.nodes.back();
        std::vector<std::size_t> ends(pieces.size(), last);
        for (std::size_t i = pieces.size(); i-- > 1;)
            ends[i - 1] = through(
                node, [&](std::size_t way) { return pieces[i - 1].upTo.row(start)[way]; },
                [&](std::size_t c) { return m_powers[pieces[i].power].row(c)[ends[i]]; });
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            followPower(pieces[i].power, start, ends[i], choice);
            start = node.out[ends[i]];
        }
    }

    void followPower(std::size_t power, std::size_t start, std::size_t last, StackChoice& choice) {
        if (power == 0) {
            choice.blocks.push_back(followBlock(start, last));
            return;
        }
        const StackNode& node = m_costs.nodes.back();
        const Matrix& half = m_powers[power - 1];
        const std::size_t middle = through(
            node, [&](std::size_t way) { return half.row(start)[way]; },
            [&](std::size_t c) { return half.row(c)[last]; });
        followPower(power - 1, start, middle, choice);
        followPower(power - 1, node.out[middle], last, choice);
    }

    // Ways of nodes 1..n of a block between two ends.
    const std::vector<std::size_t>& followBlock(std::size_t start, std::size_t last) {
        const auto [entry, fresh] = m_blocks.try_emplace({start, last});
        std::vector<std::size_t>& ways = entry->second;
        if (!fresh)
            return ways;
        ways.assign(m_costs.nodes.size() - 1, 0);
        std::size_t end = last;
        for (std::size_t s = m_segments.size(); s-- > 0;) {
            const Segment& segment = m_segments[s];
            const StackNode& node = m_costs.nodes[segment.begin];
            std::size_t begin = 0, out = start;
            if (s > 0) {
                begin = through(
                    node, [&](std::size_t way) { return m_joined[s - 1].row(start)[way]; },
                    [&](std::size_t c) { return segment.cost.row(c)[end]; });
                out = node.out[begin];
            }
            followSegment(segment, out, end, ways);
            end = begin;
        }
        return ways;
    }

    // One row of the segment again, this time remembering who was cheapest.
    void followSegment(const Segment& segment, std::size_t start, std::size_t last,
                       std::vector<std::size_t>& ways) const {
        std::vector<double> before; // by way of the node before
        std::vector<std::vector<std::size_t>> cheapest(segment.end - segment.begin); // [node][way]
        for (std::size_t j = segment.begin + 1; j <= segment.end; ++j) {
            const StackEdge& chain = *edge(j - 1, j);
            const StackNode& node = m_costs.nodes[j];
            const bool first = j - 1 == segment.begin;
            const StackEdge* skip = first ? nullptr : edge(segment.begin, j);
            // By in class first: as cheap as it gets, through which way of the node before.
            std::vector<double> least(chain.cost.columns, kNever);
            std::vector<std::size_t> via(chain.cost.columns, 0);
            for (std::size_t in = 0; in < least.size(); ++in) {
                if (first) {
                    least[in] = chain.cost.row(start)[in];
                    continue;
                }
                const std::vector<std::size_t>& out = m_costs.nodes[j - 1].out;
                for (std::size_t way = 0; way < before.size(); ++way)
                    if (const double cost = before[way] + chain.cost.row(out[way])[in]; cost < least[in]) {
                        least[in] = cost;
                        via[in] = way;
                    }
            }
            std::vector<double> own(node.cost.size());
            auto& from = cheapest[j - segment.begin - 1];
            from.resize(node.cost.size());
            for (std::size_t way = 0; way < own.size(); ++way) {
                own[way] = node.cost[way] + least[chain.in[way]] +
                           (skip ? skip->cost.row(start)[skip->in[way]] : 0.0);
                from[way] = via[chain.in[way]];
            }
            before = std::move(own);
        }
        for (std::size_t j = segment.end; j > segment.begin; --j) {
            ways[j - 1] = last;
            last = cheapest[j - segment.begin - 1][last];
        }
    }

    const StackCosts& m_costs;
    const int m_threads;
    std::vector<Segment> m_segments;
    std::vector<Matrix> m_joined; // [segment]: from node 0 to the segment's end
    std::vector<Matrix> m_powers; // [p]: 2^p blocks
    std::map<std::pair<std::size_t, std::size_t>, std::vector<std::size_t>> m_blocks;
};

} // namespace

StackChoice bestStack(const StackCosts& costs, int blocks, int threads) {
    return StackSearch(costs, threads).best(blocks);
}

StackChoice bestCycle(const StackCosts& costs, std::span<const std::size_t> ends, int threads) {
    return StackSearch(costs, threads).cycle(ends);
}

double costOf(const StackCosts& costs, const StackChoice& choice) {
    double sum = costs.nodes.front().cost[choice.first];
    std::size_t start = choice.first;
    for (const std::vector<std::size_t>& ways : choice.blocks) {
        const auto way = [&](std::size_t node) { return node == 0 ? start : ways[node - 1]; };
        for (std::size_t node = 1; node < costs.nodes.size(); ++node)
            sum += costs.nodes[node].cost[way(node)];
        for (const StackEdge& e : costs.edges)
            sum += e.cost.row(costs.nodes[e.from].out[way(e.from)])[e.in[way(e.to)]];
        start = ways.back();
    }
    return sum;
}

} // namespace pw::partition

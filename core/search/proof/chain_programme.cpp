// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/proof/chain_programme.h"

#include "core/base/quantity.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pw {
namespace {

constexpr double kLineRounding = 1e-9; // of lines and quotients
constexpr double kMostSteps = 1e9;

} // namespace

ChainProgramme::ChainProgramme(const ChainSpace& space, const Lines& lines)
    : m_space(space), m_lines(lines), m_blocks(space.blocks() - space.leadBlocks()) {}

ChainProgramme::Lines ChainProgramme::lines(const ChainSpace& space, const std::function<bool()>& stop) {
    Lines lines;
    const int lead = space.leadBlocks();
    for (int o = 0; o < static_cast<int>(space.options().size()) && !stop(); ++o) {
        for (unsigned ends = 0; ends < kLone; ++ends) {
            const bool embedding = (ends & 1U) != 0;
            lines[ends].push_back(
                stageLine(space, o, embedding, (ends & 2U) != 0).withLead(embedding ? lead : 0));
        }
        if (lead > 0)
            lines[kLone].push_back(loneStageLine(space, o));
    }
    return lines;
}

ChainProgramme::Table ChainProgramme::table(double upper) const {
    Table table;
    table.units.assign(m_space.classes().size(), 0);
    for (int place = 0; place < m_space.maxStages(); ++place) {
        auto& [inside, front] = table.places.emplace_back();
        for (int c = 0; c < static_cast<int>(m_space.classes().size()); ++c) {
            inside.push_back(ways(c, place, false, upper));
            front.push_back(ways(c, place, true, upper));
            for (const auto& list : {inside.back(), front.back()})
                for (const Way& way : list)
                    table.units[static_cast<std::size_t>(c)] =
                        std::gcd(table.units[static_cast<std::size_t>(c)], way.devices);
        }
    }
    return table;
}

double ChainProgramme::steps(const Table& table) const {
    double steps = 0.0;
    for (std::size_t c = 0; c < table.units.size(); ++c) {
        if (table.units[c] == 0)
            continue;
        double choices = 0.0; // sizes and blocks of a stage
        for (const auto& place : table.places) {
            double here = 0.0;
            for (const Way& way : place.inside[c])
                here += static_cast<double>(way.time.size());
            choices = std::max(choices, here);
        }
        steps += choices * m_space.classes()[c].gpus() / table.units[c];
    }
    const double sets = std::pow(2.0, static_cast<double>(m_space.classes().size()) - 1.0);
    return steps * sets * m_blocks * m_space.maxStages();
}

bool ChainProgramme::suits(double upper) const {
    return m_space.classes().size() <= 5 && steps(table(upper)) <= kMostSteps;
}

// Of the same size and never worse, whatever is behind. Beyond `launch` a way's time is linear in 1 / L.
bool ChainProgramme::beats(const Way& a, const Way& b) const {
    if (a.devices != b.devices || a.time.size() < b.time.size())
        return false;
    const int all = m_space.microbatches();
    for (std::size_t k = 0; k < b.time.size(); ++k) {
        const int blocks = b.first + static_cast<int>(k);
        if (a.time[k] > b.time[k] || a.tail[k] > b.tail[k] || a.forward[k] < b.forward[k] ||
            a.launch[k] < b.launch[k] || a.mostLaunch[k] < b.mostLaunch[k] ||
            timeWith(a, blocks, all) > timeWith(b, blocks, all))
            return false;
    }
    return true;
}

std::vector<ChainProgramme::Way> ChainProgramme::ways(int cls, int place, bool front, double upper) const {
    const ChainClass& of = m_space.classes()[static_cast<std::size_t>(cls)];
    const double microbatches = m_space.microbatches();
    const int least = std::min(m_space.microbatches(), place + 1);
    std::vector<Way> list;
    const auto& lines = m_lines[(front ? 1U : 0U) + (place == 0 ? 2U : 0U)];
    for (std::size_t o = 0; o < lines.size(); ++o) {
        const StageOption& option = m_space.options()[o];
        if (option.cls != cls)
            continue;
        const StageLine& line = lines[o];
        Way way;
        way.line = &line;
        if (front && place > 0 && m_space.leadBlocks() > 0) {
            way.lone = &m_lines[kLone][o];
            way.first = 0;
        }
        way.devices = option.devices;
        way.nodes = (option.devices + of.gpusPerNode - 1) / of.gpusPerNode;
        for (int k = way.first; k <= m_blocks; ++k) {
            const StageLine& held = way.lineOf(k);
            const auto fits = [&](int launch) {
                return k <= held.mostByMemory(launch) * (1.0 + kLineRounding) + kLineRounding;
            };
            if (!fits(least))
                break;
            const double t = timeWith(way, k, least);
            if (microbatches * t + held.tail(k) >= upper)
                break;
            // Both fall with the launches: bisected.
            const auto last = [&](const auto& good) {
                int low = least, high = m_space.microbatches();
                while (low < high) {
                    const int middle = low + (high - low + 1) / 2;
                    if (good(middle))
                        low = middle;
                    else
                        high = middle - 1;
                }
                return low;
            };
            const int mostLaunch = last(fits);
            const int launch = last([&](int l) { return fits(l) && timeWith(way, k, l) <= t; });
            way.time.push_back(t);
            way.forward.push_back(held.forward(k) * (1.0 + kLineRounding));
            way.tail.push_back(held.tail(k));
            way.launch.push_back(launch);
            way.mostLaunch.push_back(mostLaunch);
        }
        if (way.time.empty())
            continue;
        if (std::any_of(list.begin(), list.end(), [&](const Way& w) { return beats(w, way); }))
            continue;
        std::erase_if(list, [&](const Way& w) { return beats(way, w); });
        list.push_back(std::move(way));
    }
    return list;
}

double ChainProgramme::timeWith(const Way& way, int blocks, int inFlight) {
    const StageLine& line = way.lineOf(blocks);
    return (line.time(blocks) + line.slowerBlock * line.recomputed(blocks, inFlight)) * (1.0 - kLineRounding);
}

double ChainProgramme::crossing(int from, int to, int nodes) const {
    const Topology& topology = m_space.problem().topology();
    const auto nodeOf = [&](int cls) {
        return topology
            .devices()[static_cast<std::size_t>(
                m_space.classes()[static_cast<std::size_t>(cls)].nodes.front().front())]
            .node;
    };
    const int a = nodeOf(from), b = nodeOf(to);
    if (a == b)
        return 0.0;
    const Path path = topology.path(a, b);
    if (!path.reachable)
        return 0.0;
    const double bytes = boundaryBytes(m_space.problem(), static_cast<double>(m_space.microbatchSize()));
    double time = bytes / (path.bandwidth.value * nodes);
    // What lies between the switches is there once for all nodes.
    if (m_space.onOneSwitch() && path.links.size() > 2)
        for (std::size_t i = 1; i + 1 < path.links.size(); ++i) {
            const Link& link = topology.cluster().links[static_cast<std::size_t>(path.links[i])];
            time = std::max(time, bytes / link.usable().value);
        }
    return path.latency.value + time * (1.0 - kLineRounding);
}

// Blocks that the devices which a chain may still take hold at most, by place: at the best rate of any stage
// there or further in front.
std::vector<std::vector<double>> ChainProgramme::rates(const Table& table) const {
    std::vector<std::vector<double>> rates(table.places.size() + 1,
                                           std::vector<double>(table.units.size(), 0.0));
    for (std::size_t place = table.places.size(); place-- > 0;)
        for (std::size_t c = 0; c < table.units.size(); ++c) {
            double& rate = rates[place][c];
            rate = rates[place + 1][c];
            for (const auto* list : {&table.places[place].inside[c], &table.places[place].front[c]})
                for (const Way& way : *list)
                    rate = std::max(rate, static_cast<double>(way.most()) / way.devices);
        }
    return rates;
}

// s: what a block takes at least, there and back, by place: at any stage there or further in front.
std::vector<double> ChainProgramme::quickest(const Table& table) const {
    std::vector<double> quickest(table.places.size() + 1, kNever);
    for (std::size_t place = table.places.size(); place-- > 0;) {
        double& quick = quickest[place];
        quick = quickest[place + 1];
        for (const auto* side : {&table.places[place].inside, &table.places[place].front})
            for (const std::vector<Way>& list : *side)
                for (const Way& way : list)
                    for (int k = std::max(1, way.first); k <= way.most(); ++k)
                        quick = std::min(quick, way.time[way.at(k)] / k);
    }
    return quickest;
}

double ChainProgramme::least(double upper, const std::function<bool()>& stop) const {
    const Table all = table(upper);
    const std::vector<std::vector<double>> rates = this->rates(all);
    const std::vector<double> quickest = this->quickest(all);
    const int blocks = m_blocks;
    const int keep = m_space.leadBlocks() > 0 ? 0 : 1; // for the first stage at least
    const auto classes = static_cast<int>(m_space.classes().size());
    const auto row = static_cast<std::size_t>(blocks) + 1;
    // Labels by set of classes done, class at work, devices used of it and nodes of its last stage (for the
    // transfer to the next class), blocks placed: the nodes are taken as the most that the class has.
    struct Label {
        double bound = kNever;  // V
        double around = kNever; // D, of any chain in this state
        double tailed = kNever; // W, likewise: the largest B t + tail
    };
    struct Layer {
        std::vector<std::vector<std::vector<Label>>> at; // [set * classes + class][used][blocks]
    };
    const std::size_t sets = std::size_t{1} << classes;
    const auto empty = [&] {
        Layer layer;
        layer.at.resize(sets * static_cast<std::size_t>(classes));
        return layer;
    };
    const auto cell = [&](Layer& layer, std::size_t set, int cls, int used) -> std::vector<Label>& {
        auto& table = layer.at[set * static_cast<std::size_t>(classes) + static_cast<std::size_t>(cls)];
        if (table.empty())
            table.resize(static_cast<std::size_t>(m_space.classes()[static_cast<std::size_t>(cls)].gpus() /
                                                  all.units[static_cast<std::size_t>(cls)]) +
                         1);
        auto& values = table[static_cast<std::size_t>(used / all.units[static_cast<std::size_t>(cls)])];
        if (values.empty())
            values.assign(row, Label{});
        return values;
    };
    double best = upper;
    const double microbatches = m_space.microbatches();
    // V and B t + tail, at the launches that memory allows: those that make V least.
    const auto valueOf = [&](const Way& way, int k, double sends, const Label& behind, bool last) {
        constexpr int kMostTried = 32; // what more launches still win is given away
        const std::size_t at = way.at(k);
        if (last)
            return microbatches * way.time[at];
        double value = kNever, before = kNever;
        for (int tried = 0; tried <= way.mostLaunch[at] - way.launch[at]; ++tried) {
            const int launch = way.launch[at] + tried;
            const double t = tried == 0 ? way.time[at] : timeWith(way, k, launch);
            const double wait = std::max(0.0, sends + behind.around - (launch - 1) * way.forward[at]);
            const double busy = microbatches * t + (tried < kMostTried ? wait : 0.0);
            value = std::min(value, std::max(busy, t + sends + behind.bound));
            if (wait <= 0.0 || busy >= before || tried == kMostTried)
                break;
            before = busy;
        }
        return value;
    };
    // `least`: blocks that must have been placed behind the next stage in front for the rest to be held.
    // `quick`: s that the first micro-batch takes at least for each block from here on.
    const auto extend = [&](const Way& way, double sends, const std::vector<Label>& behind, bool last,
                            bool front, int least, double quick, std::vector<Label>* into) {
        for (int n = 0; n <= blocks - keep; ++n) {
            const Label& label = behind[static_cast<std::size_t>(n)];
            const int left = blocks - n;
            if (label.bound + left * quick >= best)
                continue;
            const int from = std::max(front ? left : least - n, way.first);
            const int to = std::min(front ? left : left - keep, way.most());
            for (int k = from; k <= to; ++k) {
                const std::size_t at = way.at(k);
                if (microbatches * way.time[at] + way.tail[at] >= best)
                    break; // more blocks only take longer
                const double further = (left - k) * quick;
                if (way.time[at] + sends + label.bound >= best)
                    break;
                if (way.time[at] + sends + label.bound + further >= best)
                    continue;
                const double value = valueOf(way, k, sends, label, last);
                const double tailed = std::max(label.tailed, microbatches * way.time[at] + way.tail[at]);
                if (front) {
                    best = std::min(best, std::max(value + way.tail[at], tailed));
                    continue;
                }
                if (value + further >= best || tailed >= best)
                    continue;
                Label& there = (*into)[static_cast<std::size_t>(n + k)];
                there.bound = std::min(there.bound, value);
                there.tailed = std::min(there.tailed, tailed);
                there.around = std::min(there.around, way.time[at] + sends + label.around);
            }
        }
    };
    const std::vector<Label> nothing = [&] {
        std::vector<Label> labels(row);
        labels[0] = {0.0, 0.0, 0.0}; // no stage behind
        return labels;
    }();
    Layer now;
    for (int place = 0; place < m_space.maxStages(); ++place) {
        Layer next = empty();
        const Ways& ways = all.places[static_cast<std::size_t>(place)];
        const std::vector<double>& rate = rates[static_cast<std::size_t>(place) + 1];
        const double quick = quickest[static_cast<std::size_t>(place)] * (1.0 - kLineRounding);
        const auto from = [&](const std::vector<Label>& labels, std::size_t set, int cls, int used,
                              int before) {
            if (stop())
                return;
            const auto c = static_cast<std::size_t>(cls);
            const ChainClass& of = m_space.classes()[c];
            const auto placeable = [&](const Way& way) {
                return used + way.devices <= of.gpus() &&
                       (way.devices < of.gpusPerNode ? used % of.gpusPerNode + way.devices <= of.gpusPerNode
                                                     : used % of.gpusPerNode == 0);
            };
            const auto sends = [&](const Way& way) {
                if (before < 0 || before == cls)
                    return 0.0;
                const int behind =
                    static_cast<int>(m_space.classes()[static_cast<std::size_t>(before)].nodes.size());
                return 2.0 * crossing(cls, before, std::max(way.nodes, behind));
            };
            double others = 0.0; // blocks that classes hold which are not entered yet
            for (std::size_t other = 0; other < rate.size(); ++other)
                if (other != c && (set >> other & 1U) == 0)
                    others += rate[other] * m_space.classes()[other].gpus();
            for (const Way& way : ways.front[c])
                if (placeable(way))
                    extend(way, sends(way), labels, before < 0, true, 0, quick, nullptr);
            for (const Way& way : ways.inside[c])
                if (placeable(way)) {
                    const double room = others + rate[c] * (of.gpus() - used - way.devices);
                    const int least =
                        static_cast<int>(std::ceil(blocks - room * (1.0 + kLineRounding) - kLineRounding));
                    if (least <= blocks - keep)
                        extend(way, sends(way), labels, before < 0, false, least, quick,
                               &cell(next, set, cls, used + way.devices));
                }
        };
        if (place == 0) {
            for (int c = 0; c < classes; ++c)
                from(nothing, 0, c, 0, -1);
        } else {
            for (std::size_t set = 0; set < sets; ++set)
                for (int c = 0; c < classes; ++c) {
                    const auto& table =
                        now.at[set * static_cast<std::size_t>(classes) + static_cast<std::size_t>(c)];
                    for (std::size_t used = 0; used < table.size(); ++used) {
                        const std::vector<Label>& labels = table[used];
                        if (labels.empty())
                            continue;
                        from(labels, set, c, static_cast<int>(used) * all.units[static_cast<std::size_t>(c)],
                             c);
                        const std::size_t done = set | std::size_t{1} << c;
                        for (int other = 0; other < classes; ++other)
                            if ((done >> other & 1U) == 0)
                                from(labels, done, other, 0, c);
                    }
                }
        }
        if (stop())
            return upper;
        now = std::move(next);
    }
    return best;
}

} // namespace pw

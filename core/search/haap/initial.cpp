// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/haap/initial.h"

#include "core/base/quantity.h"
#include "core/search/haap/groupings.h"
#include "core/search/haap/memory_floor.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace pw {
namespace {

using Shape = MemoryFloor::Shape;

// One way to run a group: its split on every stage, what its stages hold together, and their speed.
struct GroupChoice {
    int tp = 1;
    int mostBlocks = 0;
    double speed = 0.0; // blocks/s
};

class MemoryAware {
public:
    MemoryAware(HaapCosts& costs, std::int64_t work) : m_costs(costs), m_limit(costs.run().work() + work) {
        for (std::size_t s = 0; s < costs.spaces(); ++s)
            m_floors.emplace_back(costs.space(s), costs.index(s));
    }

    HaapInitial starts() {
        const ChainSpace& any = m_costs.space(0);
        const std::vector<std::vector<int>> orders = classOrders(any.classes());
        for (std::size_t o = 0; o < orders.size() && !m_costs.run().over(); ++o) {
            // What is left of the work is for the orders that are left.
            const std::int64_t until =
                m_costs.run().work() +
                (m_limit - m_costs.run().work()) / static_cast<std::int64_t>(orders.size() - o);
            forEachGrouping(any.classes(), orders[o], any.maxStages(), [&](const Grouping& grouping) {
                for (std::size_t s = 0; s < m_costs.spaces() && !m_costs.run().over(); ++s)
                    look(grouping, orders[o], s);
                const bool on = m_costs.run().work() < until && !m_costs.run().over();
                m_initial.whole = m_initial.whole && on;
                return on;
            });
        }
        for (auto& [group, start] : m_best)
            m_initial.starts.push_back(std::move(start));
        std::stable_sort(m_initial.starts.begin(), m_initial.starts.end(),
                         [](const HaapStart& a, const HaapStart& b) { return a.time < b.time; });
        return std::move(m_initial);
    }

private:
    void look(const Grouping& grouping, const std::vector<int>& order, std::size_t s) {
        m_costs.run().spend(1);
        const ChainSpace& space = m_costs.space(s);
        const OptionIndex& index = m_costs.index(s);
        std::size_t stages = 0;
        for (const StageGroup& group : grouping)
            stages += group.sizes.size();
        std::vector<std::vector<GroupChoice>> choices;
        std::int64_t all = 1, withRoom = 1;
        std::size_t first = 0;
        for (const StageGroup& group : grouping) {
            std::int64_t legal = 0;
            choices.emplace_back();
            const OptionIndex::Size* size = index.size(group.cls, group.sizes.front());
            for (const OptionIndex::Split& split : size ? size->splits : std::vector<OptionIndex::Split>{}) {
                GroupChoice choice;
                choice.tp = split.tp;
                bool isLegal = true, room = true;
                for (std::size_t i = 0; i < group.sizes.size(); ++i) {
                    const OptionIndex::Split* of = index.split(group.cls, group.sizes[i], split.tp);
                    isLegal = isLegal && of != nullptr;
                    if (!isLegal)
                        break;
                    const std::size_t at = first + i;
                    const int most = m_floors[s].mostBlocks(group.cls, group.sizes[i], split.tp,
                                                            static_cast<int>(at), at + 1 == stages, at == 0);
                    room = room && most > 0;
                    choice.mostBlocks += most;
                    choice.speed +=
                        1.0 / m_costs.line(s, of->options.front(), at + 1 == stages, at == 0).timeBlock;
                }
                legal += isLegal ? 1 : 0;
                if (isLegal && room)
                    choices.back().push_back(choice);
            }
            all *= legal;
            withRoom *= static_cast<std::int64_t>(choices.back().size());
            first += group.sizes.size();
        }
        m_initial.candidates += all;
        m_initial.noRoom += all - withRoom;
        if (withRoom == 0)
            return;
        m_initial.tooFewBlocks += holdingLess(choices, space.blocks());
        if (withRoom <= kCombined) {
            combine(grouping, order, s, choices, {}, 0, 0.0);
            return;
        }
        // Too many to combine: the fastest of every group, and the roomiest.
        for (const auto before :
             {+[](const GroupChoice&x, const GroupChoice&y) { return x.speed < y.speed; },
              +[](const GroupChoice&x, const GroupChoice&y) { return x.mostBlocks < y.mostBlocks; }}) {
            std::vector<std::vector<GroupChoice>> one;
            for (const std::vector<GroupChoice>& of : choices)
                one.push_back({*std::max_element(of.begin(), of.end(), before)});
            combine(grouping, order, s, one, {}, 0, 0.0);
        }
    }

    // How many combinations hold fewer blocks than that.
    static std::int64_t holdingLess(const std::vector<std::vector<GroupChoice>>& choices, int blocks) {
        std::vector<std::int64_t> ways(static_cast<std::size_t>(blocks), 0); // by blocks held
        ways[0] = 1;
        for (const std::vector<GroupChoice>& of : choices) {
            std::vector<std::int64_t> next(ways.size(), 0);
            for (const GroupChoice& choice : of)
                for (std::size_t held = 0; held + static_cast<std::size_t>(choice.mostBlocks) < ways.size();
                     ++held)
                    next[held + static_cast<std::size_t>(choice.mostBlocks)] += ways[held];
            ways = std::move(next);
        }
        return std::accumulate(ways.begin(), ways.end(), std::int64_t{0});
    }

    void combine(const Grouping& grouping, const std::vector<int>& order, std::size_t s,
                 const std::vector<std::vector<GroupChoice>>& choices, std::vector<int> tps, int held,
                 double speed) {
        const int blocks = m_costs.space(s).blocks();
        if (m_costs.run().over())
            return;
        if (tps.size() < grouping.size()) {
            for (const GroupChoice& choice : choices[tps.size()]) {
                tps.push_back(choice.tp);
                combine(grouping, order, s, choices, tps, held + choice.mostBlocks, speed + choice.speed);
                tps.pop_back();
            }
            return;
        }
        if (held < blocks)
            return;
        HaapConfig config;
        config.space = s;
        for (std::size_t g = 0; g < grouping.size(); ++g)
            for (const int devices : grouping[g].sizes) {
                ChainStage stage;
                stage.option = m_costs.index(s).split(grouping[g].cls, devices, tps[g])->options.front();
                config.chain.push_back(stage);
            }
        const std::size_t stages = config.chain.size();
        const std::pair group(order, stages);
        const auto known = m_best.find(group);
        const double toBeat = known == m_best.end() ? kNever : known->second.time;
        // Perfectly balanced, without transfers and syncs, it would take this long.
        const double perfect =
            (m_costs.space(s).microbatches() + static_cast<double>(stages) - 1.0) * (blocks / speed);
        if (perfect >= toBeat || !settle(m_costs.space(s), config.chain))
            return;
        m_costs.run().spend(static_cast<std::int64_t>(stages));
        fill(config);
        const HaapCosts::Prediction prediction = m_costs.predict(config);
        const double time = prediction.time * (1.0 + 10.0 * prediction.overflow);
        if (time < toBeat) // a group of which nothing stands anywhere has no start
            m_best[group] = {std::move(config), time};
    }

    // Blocks by speed, and the fastest recompute mode that they leave room for; once more with the speeds of
    // those modes.
    void fill(HaapConfig& config) {
        deal(config);
        if (chooseModes(config)) {
            deal(config);
            chooseModes(config);
        }
    }

    // The level of the water is found to a part in a million, then the blocks that rounding left over go to
    // the stages that end first with one more.
    void deal(HaapConfig& config) {
        const ChainSpace& space = m_costs.space(config.space);
        const std::size_t n = config.chain.size();
        std::vector<int> most(n), blocks(n, 1);
        std::vector<const StageLine*> lines(n);
        double high = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            const StageOption& option = space.options()[static_cast<std::size_t>(config.chain[i].option)];
            most[i] = m_floors[config.space].mostBlocks(option.cls, option.devices, option.tp,
                                                        static_cast<int>(i), i + 1 == n, i == 0);
            lines[i] = &m_costs.line(config.space, config.chain[i].option, i + 1 == n, i == 0);
            high = std::max(high, lines[i]->time(space.blocks()));
        }
        double low = 0.0;
        for (int step = 0; step < 20; ++step) {
            const double level = 0.5 * (low + high);
            int sum = 0;
            for (std::size_t i = 0; i < n; ++i)
                sum += blocksAt(*lines[i], level, most[i]);
            (sum <= space.blocks() ? low : high) = level;
        }
        int left = space.blocks();
        for (std::size_t i = 0; i < n; ++i)
            left -= blocks[i] = blocksAt(*lines[i], low, most[i]);
        for (; left > 0; --left) {
            std::size_t next = n;
            for (std::size_t i = 0; i < n; ++i)
                if (blocks[i] < most[i] &&
                    (next == n || lines[i]->time(blocks[i] + 1) < lines[next]->time(blocks[next] + 1)))
                    next = i;
            ++blocks[next];
        }
        int end = space.blocks();
        for (std::size_t i = 0; i < n; ++i) {
            config.chain[i].end = end;
            config.chain[i].first = end -= blocks[i];
        }
    }

    static int blocksAt(const StageLine& line, double level, int most) {
        return std::clamp(static_cast<int>((level - line.timeBase) / line.timeBlock), 1, most);
    }

    bool chooseModes(HaapConfig& config) {
        const ChainSpace& space = m_costs.space(config.space);
        const std::size_t n = config.chain.size();
        bool changed = false;
        for (std::size_t i = 0; i < n; ++i) {
            ChainStage& stage = config.chain[i];
            const StageOption& option = space.options()[static_cast<std::size_t>(stage.option)];
            const OptionIndex::Split* split =
                m_costs.index(config.space).split(option.cls, option.devices, option.tp);
            const int inFlight = m_costs.held(config.space, i);
            int chosen = split->options.back();
            double leastFree = std::numeric_limits<double>::infinity();
            for (const int o : split->options) {
                const StageLine& line = m_costs.line(config.space, o, i + 1 == n, i == 0);
                const double lacking = stage.end - stage.first - line.mostByMemory(inFlight);
                if (lacking < leastFree) {
                    leastFree = lacking;
                    chosen = o;
                }
                if (lacking <= 0.0)
                    break;
            }
            changed = changed || chosen != stage.option;
            stage.option = chosen;
        }
        return changed;
    }

    static constexpr std::int64_t kCombined = 256;

    HaapCosts& m_costs;
    std::int64_t m_limit;
    std::vector<MemoryFloor> m_floors;
    HaapInitial m_initial;
    std::map<std::pair<std::vector<int>, std::size_t>, HaapStart> m_best; // by order and stages
};

// Stages on each class in proportion to its GPUs; fewer stages than classes take the largest ones.
std::vector<int> stagesByGpus(const std::vector<ChainClass>& classes, int stages) {
    std::vector<int> on(classes.size(), 0);
    for (int s = 0; s < stages; ++s) {
        std::size_t next = classes.size();
        const auto share = [&](std::size_t c) {
            return static_cast<double>(classes[c].gpus()) / (on[c] + 1);
        };
        for (std::size_t c = 0; c < classes.size(); ++c)
            if (on[c] < classes[c].gpus() && (next == classes.size() || share(c) > share(next)))
                next = c;
        if (next == classes.size())
            return {};
        ++on[next];
    }
    return on;
}

} // namespace

HaapInitial memoryAwareStarts(HaapCosts& costs, std::int64_t work) {
    return MemoryAware(costs, work).starts();
}

HaapInitial balancedStarts(HaapCosts& costs) {
    HaapInitial initial;
    const std::vector<ChainClass>& classes = costs.space(0).classes();
    const int blocks = costs.space(0).blocks();
    for (int stages = 1; stages <= costs.space(0).maxStages() && !costs.run().over(); ++stages) {
        const std::vector<int> on = stagesByGpus(classes, stages);
        if (on.empty())
            break;
        std::vector<std::pair<int, int>> places; // class and devices, last stage first
        bool even = true;
        for (std::size_t c = classes.size(); c-- > 0;) {
            const std::vector<int> sizes = on[c] > 0 ? evenSizes(classes[c], on[c]) : std::vector<int>{};
            even = even && (on[c] == 0 || !sizes.empty());
            for (const int devices : sizes)
                places.emplace_back(static_cast<int>(c), devices);
        }
        bool found = false;
        for (std::size_t s = 0; even && !found && s < costs.spaces(); ++s) { // smallest micro-batch first
            ++initial.candidates;
            costs.run().spend(stages);
            HaapConfig config;
            config.space = s;
            int end = blocks;
            for (std::size_t i = 0; i < places.size(); ++i) {
                const OptionIndex::Size* size = costs.index(s).size(places[i].first, places[i].second);
                if (!size || size->splits.empty())
                    break;
                ChainStage stage;
                stage.end = end;
                // What does not divide goes to the last stage.
                end -= blocks / stages + (i == 0 ? blocks % stages : 0);
                stage.first = end;
                const std::vector<int>& modes = size->splits.back().options;
                stage.option = modes.back();
                for (const int o : modes)
                    if (costs.line(s, o, end == 0, i == 0).mostByMemory(costs.held(s, i)) >=
                        stage.end - stage.first) {
                        stage.option = o;
                        break;
                    }
                config.chain.push_back(stage);
            }
            found = config.chain.size() == places.size() && settle(costs.space(s), config.chain);
            if (found)
                initial.starts.push_back({std::move(config), 0.0});
        }
    }
    return initial;
}

} // namespace pw

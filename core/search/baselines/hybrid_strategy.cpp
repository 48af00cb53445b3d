// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/baselines/hybrid_strategy.h"

#include "core/base/quantity.h"
#include "core/search/space/stage_line.h"

#include <algorithm>
#include <cmath>

namespace pw {
namespace {

// A class cut into equal stages.
struct Cut {
    int option = 0, stages = 1;
};

struct Place {
    int option = 0;
    double cap = 0.0; // most blocks by memory
};

class Strategies {
public:
    Strategies(SearchRun& run, std::size_t space, std::vector<int> classes, std::vector<HybridStrategy>& best,
               std::size_t most)
        : m_run(run), m_index(space), m_space(*run.spaces()[space]), m_classes(std::move(classes)),
          m_best(best), m_most(most) {
        std::stable_sort(m_classes.begin(), m_classes.end(), [&](int a, int b) {
            return m_space.classes()[static_cast<std::size_t>(a)].capacity <
                   m_space.classes()[static_cast<std::size_t>(b)].capacity;
        });
        for (std::size_t o = 0; o < m_space.options().size(); ++o) {
            std::array<StageLine, 4> lines;
            if (std::find(m_classes.begin(), m_classes.end(), m_space.options()[o].cls) != m_classes.end())
                for (int ends = 0; ends < 4; ++ends)
                    lines[static_cast<std::size_t>(ends)] =
                        wholeStageLine(m_space, static_cast<int>(o), (ends & 1) != 0, (ends & 2) != 0);
            m_lines.push_back(lines);
        }
        for (const int cls : m_classes)
            m_cuts.push_back(cutsOf(cls));
    }

    void all() { classBehind(0); }

private:
    std::vector<Cut> cutsOf(int cls) const {
        std::vector<Cut> cuts;
        const int gpus = m_space.classes()[static_cast<std::size_t>(cls)].gpus();
        for (std::size_t o = 0; o < m_space.options().size(); ++o) {
            const StageOption& option = m_space.options()[o];
            if (option.cls != cls || gpus % option.devices != 0)
                continue;
            const int stages = gpus / option.devices;
            bool placeable = stages <= m_space.maxStages();
            for (int s = 0; s < stages && placeable; ++s)
                placeable = m_space.placeOf(option, s * option.devices) == s * option.devices;
            if (placeable)
                cuts.push_back({static_cast<int>(o), stages});
        }
        return cuts;
    }

    // Blocks that a stage may hold if the iteration is to end by `deadline`, embedding and head aside.
    double byTime(int option, double deadline) const {
        const StageLine& line = m_lines[static_cast<std::size_t>(option)][0];
        return (deadline / m_space.microbatches() - line.timeBase) / line.timeBlock;
    }

    double mostOf(std::size_t place, double deadline) const {
        double most = 0.0;
        for (const Cut& cut : m_cuts[place])
            most = std::max(most, cut.stages * byTime(cut.option, deadline));
        return most;
    }

    void classBehind(std::size_t place) {
        if (place == m_classes.size()) {
            estimate();
            return;
        }
        for (const Cut& cut : m_cuts[place]) {
            if (m_run.spend(cut.stages))
                return;
            const std::size_t before = m_places.size();
            const auto stages = static_cast<int>(before) + cut.stages;
            const int others = static_cast<int>(m_classes.size() - place) - 1; // a stage each at least
            if (stages + others > m_space.maxStages())
                continue;
            bool fits = true;
            for (int s = 0; s < cut.stages && fits; ++s) {
                const int inFlight = std::min(m_space.microbatches(), static_cast<int>(m_places.size()) + 1);
                const bool last = m_places.empty();
                const double cap =
                    m_lines[static_cast<std::size_t>(cut.option)][last ? 2 : 0].mostByMemory(inFlight);
                fits = cap >= 1.0;
                m_places.push_back({cut.option, std::floor(cap + 1e-9)});
            }
            if (!fits)
                m_run.reject(Rejection::OutOfMemory);
            else if (mayHold(place))
                classBehind(place + 1);
            else
                m_run.reject(Rejection::SlowerThanTheBest);
            m_places.resize(before);
            if (m_run.over())
                return;
        }
    }

    // Whether the stages so far and the best of the classes in front hold all blocks within the worst
    // estimate kept: it takes B times the slowest stage at least.
    bool mayHold(std::size_t place) const {
        if (m_best.size() < m_most)
            return true;
        const double deadline = m_best.back().estimate;
        double blocks = 0.0;
        for (const Place& p : m_places)
            blocks += std::min(p.cap, byTime(p.option, deadline));
        for (std::size_t next = place + 1; next < m_classes.size(); ++next)
            blocks += mostOf(next, deadline);
        return blocks >= m_space.blocks() - 1e-6;
    }

    const StageLine& lineOf(std::size_t fromEnd) const {
        const int ends = (fromEnd + 1 == m_places.size() ? 1 : 0) + (fromEnd == 0 ? 2 : 0);
        return m_lines[static_cast<std::size_t>(m_places[fromEnd].option)][static_cast<std::size_t>(ends)];
    }

    // Deals the blocks out one by one, each to the stage that stays fastest with it: least max t_i, since all
    // blocks are taken to be alike.
    bool deal(std::vector<int>& blocks) const {
        const std::size_t stages = m_places.size();
        blocks.assign(stages, 1);
        int left = m_space.blocks() - static_cast<int>(stages);
        if (left < 0)
            return false;
        std::vector<double> time(stages), cap(stages);
        for (std::size_t i = 0; i < stages; ++i) {
            const int inFlight = std::min(m_space.microbatches(), static_cast<int>(i) + 1);
            cap[i] = i + 1 == stages ? lineOf(i).mostByMemory(inFlight) + 1e-9 : m_places[i].cap;
            time[i] = lineOf(i).time(2.0);
            if (cap[i] < 1.0)
                return false;
        }
        for (; left > 0; --left) {
            std::size_t next = stages;
            for (std::size_t i = 0; i < stages; ++i)
                if (blocks[i] + 1 <= cap[i] && (next == stages || time[i] < time[next]))
                    next = i;
            if (next == stages)
                return false;
            ++blocks[next];
            time[next] += lineOf(next).timeBlock;
        }
        return true;
    }

    void estimate() {
        HybridStrategy strategy;
        strategy.space = m_index;
        const std::size_t stages = m_places.size();
        if (!deal(strategy.blocks)) {
            m_run.reject(Rejection::OutOfMemory);
            return;
        }
        double sum = 0.0, slowest = 0.0, tail = 0.0;
        ChainStage behind;
        for (std::size_t i = 0; i < stages; ++i) {
            const double t = lineOf(i).time(strategy.blocks[i]);
            sum += t;
            slowest = std::max(slowest, t);
            tail = std::max(tail, lineOf(i).tail(strategy.blocks[i]));
            ChainStage stage;
            stage.option = m_places[i].option;
            const bool again = i > 0 && classAt(i) == classAt(i - 1);
            stage.position = again ? behind.position + devicesAt(i - 1) : 0;
            if (i > 0)
                sum += 2.0 * m_space.send(stage, behind).time;
            behind = stage;
            strategy.options.push_back(stage.option);
        }
        strategy.estimate = sum + (m_space.microbatches() - 1) * slowest + tail;
        const auto at =
            std::upper_bound(m_best.begin(), m_best.end(), strategy.estimate,
                             [](double time, const HybridStrategy& s) { return time < s.estimate; });
        if (m_best.size() == m_most && at == m_best.end())
            return;
        m_best.insert(at, std::move(strategy));
        if (m_best.size() > m_most)
            m_best.pop_back();
    }

    int classAt(std::size_t i) const {
        return m_space.options()[static_cast<std::size_t>(m_places[i].option)].cls;
    }
    int devicesAt(std::size_t i) const {
        return m_space.options()[static_cast<std::size_t>(m_places[i].option)].devices;
    }

    SearchRun& m_run;
    std::size_t m_index;
    const ChainSpace& m_space;
    std::vector<int> m_classes; // last stages' first
    std::vector<HybridStrategy>& m_best;
    std::size_t m_most;
    std::vector<std::array<StageLine, 4>> m_lines; // [option][embedding + 2 * head]
    std::vector<std::vector<Cut>> m_cuts;          // by place in m_classes
    std::vector<Place> m_places;                   // last stage first
};

// Whether a stage has memory for its blocks and `more`.
bool fits(const ChainSpace& space, const Chain& chain, std::size_t i, int more) {
    const StageOption& option = space.options()[static_cast<std::size_t>(chain[i].option)];
    const bool front = i + 1 == chain.size();
    const int first = front || chain[i].first - more < 1 ? chain[i].first : chain[i].first - more;
    const int end = first == chain[i].first ? std::min(chain[i].end + more, space.blocks()) : chain[i].end;
    const StageCost cost = option.costs->blocks(first, end, option.copies(), option.zero);
    const double inFlight = std::min(space.microbatches(), static_cast<int>(i) + 1);
    return memoryTotal(space.problem(), cost, inFlight) <= space.capacity(option);
}

} // namespace

std::vector<HybridStrategy> hybridStrategies(SearchRun& run, const std::vector<int>& classes,
                                             std::size_t most) {
    std::vector<HybridStrategy> best;
    for (std::size_t space = 0; space < run.spaces().size() && !run.over(); ++space)
        Strategies(run, space, classes, best, most).all();
    return best;
}

Chain chainOf(const ChainSpace& space, const HybridStrategy& strategy) {
    Chain chain;
    int end = space.blocks();
    for (std::size_t i = 0; i < strategy.options.size(); ++i) {
        ChainStage stage;
        stage.option = strategy.options[i];
        stage.end = end;
        stage.first = end -= strategy.blocks[i];
        if (i > 0) {
            const auto& options = space.options();
            const StageOption& behind = options[static_cast<std::size_t>(chain.back().option)];
            if (behind.cls == options[static_cast<std::size_t>(stage.option)].cls)
                stage.position = chain.back().position + behind.devices;
        }
        chain.push_back(stage);
    }
    for (int round = 0; round < space.blocks(); ++round) {
        std::size_t full = 0;
        while (full < chain.size() && fits(space, chain, full, 0))
            ++full;
        if (full == chain.size())
            return chain;
        // One block to the nearest stage with room; the stages between hand theirs on.
        std::size_t to = chain.size();
        const auto distance = [&](std::size_t i) { return i > full ? i - full : full - i; };
        for (std::size_t i = 0; i < chain.size(); ++i)
            if (i != full && fits(space, chain, i, 1) && (to == chain.size() || distance(i) < distance(to)))
                to = i;
        if (to == chain.size() || chain[full].end - chain[full].first < 2)
            break;
        const int by = full < to ? 1 : -1;
        for (std::size_t x = std::min(full, to); x < std::max(full, to); ++x) {
            chain[x].first += by;
            chain[x + 1].end += by;
        }
    }
    return {};
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/pipewright/pattern.h"

#include "core/base/parallel.h"
#include "core/base/quantity.h"
#include "core/base/vectorised.h"
#include "core/search/space/alike_stages.h"

#include <algorithm>
#include <cmath>

namespace pw {
namespace {

double larger(double a, double b) {
    return a < b ? b : a;
}

// Labels with a stage from those behind it. No branches, and nothing that overlaps: several of them a step.
PW_VECTORISED void extend(const PatternProgramme::Held& stage, std::size_t count,
                          const double* __restrict inFront, const double* __restrict value,
                          const double* __restrict path, const double* __restrict end,
                          double* __restrict nextValue, double* __restrict nextPath,
                          double* __restrict nextEnd, double* __restrict nextRank,
                          std::int64_t* __restrict nextTaken) {
    const PatternProgramme::Held s = stage;
    const double backward = s.time - s.forward, both = 2.0 * s.send;
    const double inFlight = s.held + 1.0, later = s.microbatches - 1.0;
    const double waits = later > 0.0 ? 1.0 : 0.5; // of a single micro-batch both are one
    const std::int64_t blocks = s.blocks;
    for (std::size_t n = 0; n < count; ++n) {
        // Until the first gradient is back, and from the last forward pass on, the stage has those in flight
        // to work on.
        const double way = both + path[n], there = s.time + way;
        const double idle =
            waits * (larger(0.0, way - s.held * s.forward) + larger(0.0, way - s.held * backward));
        const double v = larger(larger(s.busy + idle, s.microbatches * there / inFlight),
                                larger(s.time + both + value[n], there + later * s.send));
        const double e = larger(v + s.tail, s.forward + s.send + end[n]);
        // What the stages in front still take hides gradients that are summed behind them.
        const double rank = larger(v, e - inFront[n]);
        const double inTime = v <= s.mostValue ? rank : kNever;
        const bool better = (e <= s.mostEnd ? inTime : kNever) < nextRank[n];
        nextRank[n] = better ? rank : nextRank[n];
        nextValue[n] = better ? v : nextValue[n];
        nextPath[n] = better ? there : nextPath[n];
        nextEnd[n] = better ? e : nextEnd[n];
        nextTaken[n] = better ? blocks : nextTaken[n];
    }
}

} // namespace

PatternOptions::PatternOptions(const ChainSpace& space, int threads) : m_space(space) {
    const std::vector<StageOption>& all = space.options();
    const auto alike = [](const StageOption& a, const StageOption& b) {
        return a.cls == b.cls && a.devices == b.devices && a.tp == b.tp && !a.partition == !b.partition &&
               (!a.partition || *a.partition == *b.partition);
    };
    for (const StageOption& option : all) {
        const auto plain = std::find_if(all.begin(), all.end(), [&](const StageOption& other) {
            return alike(option, other) && other.recompute == Recompute::None;
        });
        m_plain.push_back(static_cast<int>(plain - all.begin()));
        const bool covered = option.recompute == Recompute::None &&
                             std::any_of(all.begin(), all.end(), [&](const StageOption& other) {
                                 return other.plain && alike(option, other);
                             });
        if (!covered)
            m_list.push_back(static_cast<int>(m_plain.size()) - 1);
    }
    m_lines.resize(all.size());
    inParallel(m_list.size(), threads, [&](std::size_t k) {
        const int o = m_list[k];
        for (unsigned ends = 0; ends < 4; ++ends)
            m_lines[static_cast<std::size_t>(o)][ends] =
                stageLine(m_space, o, (ends & 1U) != 0, (ends & 2U) != 0);
    });
}

int PatternOptions::listed(int option) const {
    if (std::ranges::find(m_list, option) != m_list.end())
        return option;
    const auto found = std::ranges::find_if(m_list, [&](int o) {
        return plainOf(o) == option && m_space.options()[static_cast<std::size_t>(o)].plain;
    });
    return found != m_list.end() ? *found : -1;
}

Pattern PatternOptions::patternOf(const Chain& chain) const {
    Pattern pattern;
    for (const ChainStage& stage : chain)
        if (const int option = listed(stage.option); option >= 0)
            pattern.push_back(option);
    return pattern;
}

bool PatternOptions::placeable(const Pattern& pattern, Return back) const {
    if (pattern.empty())
        return false;
    const AlikeStages& alike = m_space.problem().space().alike;
    const StageOption& first = m_space.options()[static_cast<std::size_t>(pattern.front())];
    std::vector<int> used(m_space.classes().size(), 0);
    int before = -1;
    bool returned = false; // to the class of the last stages
    const int ends = back == Return::ToTheEnds ? first.cls : -1;
    for (const int o : pattern) {
        const StageOption& option = m_space.options()[static_cast<std::size_t>(o)];
        int& taken = used[static_cast<std::size_t>(option.cls)];
        const int position = m_space.placeOf(option, taken);
        if ((taken > 0 && option.cls != before && option.cls != ends) || position < 0 ||
            (before == ends && returned && option.cls != ends) || !areAlike(alike, first, option))
            return false;
        returned = returned || (taken > 0 && option.cls != before);
        taken = position + option.devices;
        before = option.cls;
    }
    return static_cast<int>(pattern.size()) <= m_space.maxStages();
}

bool PatternProgramme::place(const Pattern& pattern, Reserve reserve, double deadline) {
    m_places.clear();
    std::vector<int> used(m_space.classes().size(), 0);
    const double pace = deadline / m_space.microbatches();
    ChainStage back, last;
    int launches = 0;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const StageOption& option = m_space.options()[static_cast<std::size_t>(pattern[i])];
        Place place;
        ChainStage stage;
        stage.option = pattern[i];
        int& taken = used[static_cast<std::size_t>(option.cls)];
        stage.position = place.position = m_space.placeOf(option, taken);
        int more = 1;
        if (i > 0) {
            const ChainSpace::Send& send = m_space.send(stage, back);
            place.send = send.time;
            if (!send.inNode && (reserve == Reserve::Ceil || reserve == Reserve::Artifact))
                more = h1f1bDelta(reserve == Reserve::Ceil ? LaunchRule::Ceil : LaunchRule::Artifact,
                                  send.time, pace, m_space.microbatches());
        }
        launches += more;
        place.inFlight = std::min(launches, m_space.microbatches());
        place.line = &m_options.lineOf(pattern[i], i + 1 == pattern.size(), i == 0);
        if (place.most(*place.line, 1) < 1 && m_space.leadBlocks() == 0)
            return false;
        taken = place.position + option.devices;
        back = stage;
        if (i == 0)
            last = stage;
        m_places.push_back(place);
    }
    m_tied = pattern.size() > 1 ? m_space.tied(back, last) : 0.0;
    return std::isfinite(m_tied);
}

int PatternProgramme::Place::most(const StageLine& of, int blocks) const {
    constexpr double kRounding = 1e-9;
    return static_cast<int>(std::clamp(std::floor(of.mostByMemory(inFlight) * (1.0 + kRounding)), 0.0,
                                       static_cast<double>(blocks)));
}

PatternProgramme::Begin PatternProgramme::begin(int lead, int more, int ahead) const {
    const int all = m_space.leadBlocks();
    if (ahead == 0)
        return {0, lead == all || (lead > 0 && more == 0) ? 0 : -1};
    if (lead == 0)
        return {std::max(all, ahead), m_space.blocks() - more};
    return {more > 0 ? std::max(all - lead, ahead) : ahead, all - lead};
}

ChainStage PatternProgramme::stageAt(std::size_t place, int optionIndex, int first, int blocks) const {
    const Place& at = m_places[place];
    const StageOption& option = m_space.options()[static_cast<std::size_t>(optionIndex)];
    const int lead = std::clamp(m_space.leadBlocks() - first, 0, blocks);
    ChainStage stage;
    stage.option = optionIndex;
    stage.position = at.position;
    stage.first = first;
    stage.end = first + blocks;
    if (!option.plain)
        return stage;
    int again =
        static_cast<int>(std::ceil(at.line->withLead(lead).recomputed(blocks - lead, at.inFlight) - 1e-9));
    again += again > 0 ? lead : 0;
    const auto take = [&] {
        stage.option = again > 0 ? optionIndex : m_options.plainOf(optionIndex);
        stage.recomputed = again < blocks ? again : 0;
    };
    // A line knows of its leading blocks only what they keep at least.
    for (take(); lead > 0 && again < blocks &&
                 memoryTotal(m_space.problem(), m_space.cost(stage), static_cast<int>(at.inFlight)) >
                     m_space.capacity(option);
         take())
        ++again;
    return stage;
}

void PatternProgramme::Labels::clear(std::size_t size) {
    value.assign(size, kNever);
    path.assign(size, 0.0);
    end.assign(size, 0.0);
    rank.assign(size, kNever);
}

void PatternProgramme::extend(const Held& stage, int from, int to, std::vector<std::int64_t>& taken) {
    const auto at = static_cast<std::size_t>(from), count = static_cast<std::size_t>(to - from);
    const std::size_t placed = at + static_cast<std::size_t>(stage.blocks);
    pw::extend(stage, count, m_inFront.data() + placed, m_now.value.data() + at, m_now.path.data() + at,
               m_now.end.data() + at, m_next.value.data() + placed, m_next.path.data() + placed,
               m_next.end.data() + placed, m_next.rank.data() + placed, taken.data() + placed);
}

std::optional<PatternProgramme::Layers> PatternProgramme::best(const Pattern& pattern, Reserve reserve,
                                                               double deadline, double cutoff) {
    if (!place(pattern, reserve, deadline))
        return std::nullopt;
    const int blocks = m_space.blocks();
    const auto size = static_cast<std::size_t>(blocks) + 1;
    Held stage;
    stage.microbatches = m_space.microbatches();
    stage.mostValue = cutoff;
    m_now.clear(size);
    m_now.value[0] = m_now.rank[0] = 0.0;
    double quickest = kNever; // s, what a block takes in front, there and back
    for (const Place& place : m_places)
        quickest = std::min(quickest, place.line->timeBlock);
    m_inFront.resize(size);
    for (int n = 0; n <= blocks; ++n)
        m_inFront[static_cast<std::size_t>(n)] = (blocks - n) * quickest;
    m_taken.resize(std::max(m_taken.size(), pattern.size()));
    int ahead = static_cast<int>(pattern.size()); // stages that still want a block each
    int fewest = 0, most = 0;                     // blocks placed, of labels
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        --ahead;
        const Place& p = m_places[i];
        m_next.clear(size);
        m_taken[i].assign(size, 0);
        stage.send = p.send;
        stage.mostEnd = ahead > 0 ? kNever : cutoff;
        for (int lead = 0; lead <= m_space.leadBlocks(); ++lead) {
            const StageLine line = lead > 0 ? p.line->withLead(lead) : *p.line;
            const int fitting = p.most(line, blocks - lead);
            for (int more = lead > 0 ? 0 : 1; more <= fitting; ++more) {
                stage.blocks = lead + more;
                stage.time =
                    line.time(more) + line.slowerBlock * std::ceil(line.recomputed(more, p.inFlight) - 1e-9);
                stage.busy = stage.microbatches * stage.time;
                if (stage.busy > cutoff)
                    break;
                stage.tail = line.tail(more) + (i == 0 || ahead == 0 ? m_tied : 0.0);
                stage.held = std::min(std::max(p.inFlight, line.held(more)), stage.microbatches) - 1.0;
                stage.forward = line.forward(more);
                const auto [first, last] = begin(lead, more, ahead);
                const int from = std::max(fewest, blocks - stage.blocks - last);
                const int to = std::min(most, blocks - stage.blocks - first) + 1;
                if (from < to)
                    extend(stage, from, to, m_taken[i]);
            }
        }
        std::swap(m_now, m_next);
        const auto stands = [](double value) { return value < kNever; };
        const auto low = std::ranges::find_if(m_now.value, stands);
        if (low == m_now.value.end())
            return std::nullopt;
        fewest = static_cast<int>(low - m_now.value.begin());
        most = blocks - static_cast<int>(std::find_if(m_now.value.rbegin(), m_now.value.rend(), stands) -
                                         m_now.value.rbegin());
    }
    if (m_now.value.back() == kNever)
        return std::nullopt;
    Layers layers;
    layers.value = m_now.end.back();
    int placed = blocks;
    for (std::size_t i = pattern.size(); i-- > 0;) {
        const auto k = static_cast<int>(m_taken[i][static_cast<std::size_t>(placed)]);
        layers.chain.push_back(stageAt(i, pattern[i], blocks - placed, k));
        placed -= k;
    }
    std::reverse(layers.chain.begin(), layers.chain.end());
    return layers;
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/pipewright/segment_starts.h"

#include "core/base/quantity.h"

#include <algorithm>
#include <bit>
#include <map>

namespace pw {
namespace {

constexpr std::size_t kEach = 32;     // segments of a class
constexpr std::size_t kExtended = 32; // sequences of segments that get a further one

struct Segment {
    int option = 0, cls = 0;
    int stages = 0;
    double rate = 0.0;  // blocks a second
    double least = 0.0; // s, of a stage without blocks
    double send = 0.0;  // s, of a micro-batch into or out of it over the network
    int crossings = 0;  // between its own stages
};

// 1, 2, 3, 4, 6, 8, 12, 16, ... and the most of them; one more than these at last.
int more(int count, int most) {
    if (count == most)
        return most + 1;
    const bool power = std::has_single_bit(static_cast<unsigned>(count));
    return std::min(most, count < 2 ? 2 : power ? count + count / 2 : count / 3 * 4);
}

struct Sequence {
    std::vector<int> segments; // indices, last stage first
    double value = kNever;
    double memory = 0.0; // blocks that fit
};

class Starts {
public:
    Starts(const PatternOptions& options, const std::function<bool()>& over)
        : m_options(options), m_space(options.space()), m_over(over) {
        for (int cls = 0; cls < static_cast<int>(m_space.classes().size()); ++cls)
            addSegments(cls);
    }

    std::vector<std::vector<Pattern>> best(std::size_t most) {
        std::vector<std::vector<Pattern>> levels;
        std::vector<Sequence> reached(1); // the empty one
        for (std::size_t level = 0; level < m_space.classes().size() && !m_over(); ++level) {
            std::vector<Sequence> longer = extended(reached);
            levels.push_back(patternsOf(longer, most));
            keepDifferent(longer);
            reached = std::move(longer);
        }
        return levels;
    }

private:
    void addSegments(int cls) {
        const ChainClass& of = m_space.classes()[static_cast<std::size_t>(cls)];
        std::vector<std::pair<double, Segment>> list; // by what it would take alone, memory aside
        for (const int o : m_options.list()) {
            const StageOption& option = m_space.options()[static_cast<std::size_t>(o)];
            if (option.cls != cls)
                continue;
            const StageLine& line = m_options.lineOf(o, false, false);
            if (line.mostByMemory(1.0) < 1.0)
                continue;
            const int room = std::min(m_space.maxStages(), m_space.blocks());
            int most = 0;
            for (int used = 0; most < room; ++most) {
                const int position = m_space.placeOf(option, used);
                if (position < 0)
                    break;
                used = position + option.devices;
            }
            const int inNode = std::max(1, of.gpusPerNode / option.devices); // stages of a node
            for (int stages = 1; stages <= most; stages = more(stages, most)) {
                Segment segment{
                    o, cls, stages, stages / line.timeBlock, line.timeBase, 0.0, (stages - 1) / inNode};
                segment.send = m_space.leastCrossing(cls, std::max(1, option.devices / of.gpusPerNode));
                list.emplace_back(alone(segment), segment);
            }
        }
        std::ranges::stable_sort(list, std::less(), [](const auto& l) { return l.first; });
        if (list.size() > kEach)
            list.resize(kEach);
        for (auto& [value, segment] : list)
            m_segments.push_back(segment);
    }

    double alone(const Segment& segment) const {
        return estimate(segment.rate, segment.least, segment.stages, segment.crossings, segment.send, 0.0);
    }

    // s: an iteration of stages that take equally long.
    double estimate(double rate, double least, int stages, int crossings, double send, double tail) const {
        const double t = m_space.blocks() / rate + least;
        const double m = m_space.microbatches();
        return m * std::max(t, crossings > 0 ? send : 0.0) + (stages - 1) * t + 2.0 * crossings * send + tail;
    }

    void judge(Sequence& sequence) const {
        double rate = 0.0, least = 0.0, send = 0.0, tail = 0.0;
        int stages = 0, crossings = static_cast<int>(sequence.segments.size()) - 1;
        for (const int s : sequence.segments) {
            const Segment& segment = m_segments[static_cast<std::size_t>(s)];
            rate += segment.rate;
            least = std::max(least, segment.least);
            stages += segment.stages;
            crossings += segment.crossings;
            if (sequence.segments.size() > 1 || segment.crossings > 0)
                send = std::max(send, segment.send);
        }
        sequence.memory = 0.0;
        int behind = 0; // stages, the last of the pipeline among them
        for (const int s : sequence.segments) {
            const Segment& segment = m_segments[static_cast<std::size_t>(s)];
            const StageLine& line = m_options.lineOf(segment.option, false, false);
            behind += segment.stages;
            const double inFlight = std::min(behind, m_space.microbatches());
            sequence.memory += segment.stages * std::max(0.0, line.mostByMemory(inFlight));
            tail = std::max(tail, line.tail(m_space.blocks() * (1.0 / line.timeBlock) / rate));
        }
        sequence.value = estimate(rate, least, stages, crossings, send, tail);
        if (stages > std::min(m_space.maxStages(), m_space.blocks()))
            sequence.value = kNever;
    }

    // Those with one segment more, of a class that they have not, at either end; best first.
    std::vector<Sequence> extended(const std::vector<Sequence>& reached) {
        std::vector<Sequence> list;
        for (const Sequence& from : reached)
            for (std::size_t s = 0; s < m_segments.size() && !m_over(); ++s) {
                if (std::ranges::any_of(from.segments, [&](int other) {
                        return m_segments[static_cast<std::size_t>(other)].cls == m_segments[s].cls;
                    }))
                    continue;
                for (const bool behind : {false, true}) {
                    Sequence longer = from;
                    longer.segments.insert(behind ? longer.segments.begin() : longer.segments.end(),
                                           static_cast<int>(s));
                    judge(longer);
                    if (longer.value < kNever)
                        list.push_back(std::move(longer));
                    if (from.segments.empty())
                        break;
                }
            }
        std::ranges::sort(list, [](const Sequence& a, const Sequence& b) {
            return a.value != b.value ? a.value < b.value : a.segments < b.segments;
        });
        list.erase(std::unique(list.begin(), list.end(),
                               [](const Sequence& a, const Sequence& b) { return a.segments == b.segments; }),
                   list.end());
        return list;
    }

    // Of the best only so many with the same devices in another order or division.
    void keepDifferent(std::vector<Sequence>& list) const {
        constexpr int kAlike = 2;
        std::map<std::vector<int>, int> seen; // by classes, ascending
        std::vector<Sequence> kept;
        for (Sequence& sequence : list) {
            std::vector<int> classes;
            for (const int s : sequence.segments)
                classes.push_back(m_segments[static_cast<std::size_t>(s)].cls);
            std::ranges::sort(classes);
            if (++seen[classes] <= kAlike * static_cast<int>(classes.size()))
                kept.push_back(std::move(sequence));
            if (kept.size() == kExtended)
                break;
        }
        list = std::move(kept);
    }

    std::vector<Pattern> patternsOf(const std::vector<Sequence>& list, std::size_t most) const {
        std::vector<Pattern> patterns;
        for (const Sequence& sequence : list) {
            if (sequence.memory < m_space.blocks())
                continue;
            Pattern pattern;
            for (const int s : sequence.segments)
                pattern.insert(pattern.end(),
                               static_cast<std::size_t>(m_segments[static_cast<std::size_t>(s)].stages),
                               m_segments[static_cast<std::size_t>(s)].option);
            if (!m_options.placeable(pattern))
                continue;
            patterns.push_back(std::move(pattern));
            if (patterns.size() == most)
                break;
        }
        return patterns;
    }

    const PatternOptions& m_options;
    const ChainSpace& m_space;
    const std::function<bool()>& m_over;
    std::vector<Segment> m_segments;
};

} // namespace

std::vector<std::vector<Pattern>> segmentStarts(const PatternOptions& options, std::size_t most,
                                                const std::function<bool()>& over) {
    return Starts(options, over).best(most);
}

} // namespace pw

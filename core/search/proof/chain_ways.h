// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/space/stage_line.h"

#include <array>
#include <deque>
#include <functional>
#include <vector>

namespace pw {

// Lines of a space's options, by embedding + 2 * head; those with the embedding hold all leading blocks. At
// kLoneLines those of first stages without any block but such, where the model has them.
using ChainLines = std::array<std::vector<StageLine>, 5>;
inline constexpr std::size_t kLoneLines = 4;
ChainLines chainLines(const ChainSpace& space, const std::function<bool()>& stop);

inline constexpr double kLineRounding = 1e-9; // of lines and quotients, given away

// A way to stand at one place of a chain, by number of blocks behind the leading ones from `first` on: 1, or
// 0 where a first stage may do with some of these. Stages between that hold leading blocks are taken as if
// they had none, or left out: that only makes a chain quicker.
struct ChainWay {
    const StageOption* option = nullptr;
    const StageLine *line = nullptr, *lone = nullptr;
    int first = 1, nodes = 1;
    std::vector<double> time, forward, tail; // s; time with the fewest recomputed
    // Launches: the most that ask for no more recompute than the least do, and the most that fit.
    std::vector<int> launch, mostLaunch;

    int devices() const { return option->devices; }
    int most() const { return first + static_cast<int>(time.size()) - 1; }
    std::size_t at(int blocks) const { return static_cast<std::size_t>(blocks - first); }
    const StageLine& lineOf(int blocks) const { return blocks > 0 ? *line : *lone; }
    // s, t(L): forward and backward of so many blocks with so many micro-batches in flight.
    double timeWith(int blocks, int inFlight) const;
};

// Where the stages of a chain may stand: inside one node of a class, or on some classes.
struct ChainRegion {
    static constexpr int kAnywhere = -1;
    int nodeOf = kAnywhere;   // the class of that node
    std::vector<int> classes; // else these, ascending; none: all

    bool anywhere() const { return nodeOf == kAnywhere; }
    bool holds(int cls) const;
    bool operator==(const ChainRegion&) const = default;
    auto operator<=>(const ChainRegion&) const = default;
};
// The regions that every chain that may end by `upper` (s) is in one of. Classes between whose switches all
// micro-batches take longer are of different ones. Where the network of a class is so slow that what leaves
// one of its nodes takes too long, its stages stand alone, in a chain inside a node, or take many nodes.
std::vector<ChainRegion> chainRegions(const ChainSpace& space, double upper);
// Whether the option may stand in a chain of several stages in the region that ends by `upper`.
bool mayJoin(const ChainSpace& space, const StageOption& option, const ChainRegion& region, double upper);

// All ways of a space that end by a time, by place from the end, made when a place is first asked for: behind
// the last two each holds no more than the one before. Of ways of the same size those that are never better,
// whatever stands behind, are left out. Classes are those that have any: indices into classes().
class ChainWays {
public:
    struct Place {
        std::vector<std::vector<ChainWay>> inside, front; // by class; front: of first stages
    };

    // `upper`: s.
    ChainWays(const ChainSpace& space, const ChainLines& lines, double upper, const ChainRegion& region);

    const Place& place(std::size_t place);
    const std::vector<int>& classes() const { return m_classes; } // of the space
    const ChainClass& classAt(std::size_t c) const {
        return m_space.classes()[static_cast<std::size_t>(m_classes[c])];
    }
    int gpus(std::size_t c) const { return m_region.anywhere() ? classAt(c).gpus() : classAt(c).gpusPerNode; }
    // What the sizes of a class's stages are multiples of: a large cluster has as few states as a small one
    // where its stages are large.
    const std::vector<int>& units() const { return m_units; }
    // Behind the leading ones.
    int blocks() const { return m_blocks; }
    // Blocks a second, from 0 to what the quickest way holds: what seconds are priced at.
    static constexpr std::size_t kFills = 12;
    double fill(std::size_t f) const;
    // By class, for each price of a second, by units of devices: the most that stages on so many of them, at
    // this place (from 1 on) or further in front, hold beyond what their seconds cost, the sum of  k - f
    // (t(k) + 2c) with the least transfer to the stage behind. Of whole stages where the units are few, else
    // as if stages could be divided.
    using Worths = std::vector<std::array<std::vector<double>, kFills>>;
    Worths worths(std::size_t place);
    // s: what a block takes at least, there and back, at any such stage.
    double quickest(std::size_t place);
    // s: the least tail of a first stage there, from place 1 on.
    double leastTail(std::size_t place);

private:
    Place made(int place) const;
    // s: what a transfer to the stage behind takes at least.
    double leastSend(const ChainWay& way, std::size_t c) const;
    // Worth of each size of the class's stages in units, 0 where it has none.
    std::vector<double> worthsBySize(const Place& here, std::size_t c, double fill) const;
    std::vector<ChainWay> waysOf(int cls, int place, bool front) const;
    // So many blocks, of those that fit and end in time; none of them: the way is none.
    void fill(ChainWay& way, int place) const;
    bool beats(const ChainWay& a, const ChainWay& b) const;

    const ChainSpace& m_space;
    const ChainLines& m_lines;
    const int m_blocks;
    const double m_upper;
    const ChainRegion m_region;
    std::vector<int> m_classes;
    std::deque<Place> m_places; // references stay good
    std::vector<int> m_units;
    double m_quickest = 0.0; // s
};

} // namespace pw

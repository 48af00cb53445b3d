// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/partition/slices.h"

namespace pw::partition {

// How one tensor lies on the devices at one moment: into how many parts each of its axes is cut, and which
// part each device holds.
struct AxisParts {
    int count = 1;
    std::vector<std::uint16_t> index; // by device
    auto operator<=>(const AxisParts&) const = default;
};
using Layout = std::vector<AxisParts>; // by axis of the tensor
Layout layoutOf(const Slices& slices, Phase phase, int step, std::span<const Axis> axes);

// Shares of a tensor (or bytes), added up over all devices, that they do not hold themselves and have to get:
// from another device of their own node, or from another node.
struct Missing {
    double inside = 0.0, crossing = 0.0;
    void add(const Missing& share, double bytes) {
        inside += bytes * share.inside;
        crossing += bytes * share.crossing;
    }
};

// Redistribution between two operators by interval overlap (published: sum over devices of V - overlap; the
// difference between nodes and inside is this project's). `needed` and `held` are layouts of the same tensor;
// the first `nodeBits` bits of a device number say its node.
Missing missing(const Layout& held, const Layout& needed, int nodeBits);

// Shares of a tensor, added up over all devices, that two layouts have in common: in the same device, and in
// devices of the same node, pair by pair. The same both ways.
struct Common {
    double own = 0.0, inNode = 0.0;
};

// The same for all pairs of two sets. Parts of an axis nest or are apart, because all counts are powers of
// two. So a pair of cuts of one axis is a bit mask over (device, neighbour), and a pair of layouts the
// intersection of its axes' masks: a few ns a pair for 32 devices, where `missing` takes 2 us.
class LayoutPairs {
public:
    // Layouts of both sides have the same axes and devices, 64 devices at most.
    LayoutPairs(std::span<const Layout> left, std::span<const Layout> right, int nodeBits);

    // What is missing where `right` is wanted and `left` is there, and the other way round.
    Missing toRight(const Common& common, std::size_t left, std::size_t right) const {
        return missing(common, m_left.copies[left], m_right.volume[right]);
    }
    Missing toLeft(const Common& common, std::size_t left, std::size_t right) const {
        return missing(common, m_right.copies[right], m_left.volume[left]);
    }
    void common(std::size_t left, std::span<Common> ofRight) const;

private:
    struct Side {
        std::vector<std::uint32_t> cuts; // [axis][layout]: number of the cut of that axis
        std::vector<double> volume;      // of all devices' boxes, of the whole tensor
        std::vector<double> copies;      // of a box in a node
    };
    struct AxisPairs {
        std::size_t width = 0;            // cuts on the right
        std::vector<std::uint64_t> masks; // [left cut][right cut][word]
        std::vector<std::int32_t> depth;  // [left cut][right cut]: -log2 of what two parts have in common
    };
    Missing missing(const Common& common, double copies, double volume) const {
        const double inNode = m_oneNode ? volume : common.inNode / copies;
        return {inNode - common.own, volume - inNode};
    }

    std::size_t m_axes, m_devices, m_neighbours = 1, m_words = 1;
    bool m_oneNode = false;
    std::uint64_t m_own = 0; // the bits of the first word that mean the same device
    Side m_left, m_right;
    std::vector<AxisPairs> m_pairs; // by axis
};

} // namespace pw::partition

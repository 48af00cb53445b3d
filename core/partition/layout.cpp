// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/partition/layout.h"

#include "core/partition/vectors.h"

#include <algorithm>
#include <bit>
#include <map>

namespace pw::partition {
namespace {

// Share of an axis that two parts have in common.
double overlap(const AxisParts& a, std::size_t deviceA, const AxisParts& b, std::size_t deviceB) {
    const double lowA = static_cast<double>(a.index[deviceA]) / a.count;
    const double lowB = static_cast<double>(b.index[deviceB]) / b.count;
    return std::max(0.0, std::min(lowA + 1.0 / a.count, lowB + 1.0 / b.count) - std::max(lowA, lowB));
}

bool sameBox(const Layout& layout, std::size_t a, std::size_t b) {
    return std::ranges::all_of(layout, [&](const AxisParts& axis) { return axis.index[a] == axis.index[b]; });
}

int depth(const AxisParts& axis) { // log2 of the number of parts
    return std::countr_zero(static_cast<unsigned>(axis.count));
}

double boxVolume(const Layout& layout) {
    double volume = 1.0;
    for (const AxisParts& axis : layout)
        volume /= axis.count;
    return volume;
}

// Devices of a node that hold the same box as the first one: as many for each.
double copiesInNode(const Layout& layout, std::size_t neighbours) {
    double copies = 0.0;
    for (std::size_t d = 0; d < neighbours; ++d)
        copies += sameBox(layout, 0, d) ? 1.0 : 0.0;
    return copies;
}

} // namespace

Layout layoutOf(const Slices& slices, Phase phase, int step, std::span<const Axis> axes) {
    Layout layout;
    for (const Axis axis : axes) {
        const auto parts = slices.indices(phase, axis, step);
        layout.push_back({slices.count(axis), {parts.begin(), parts.end()}});
    }
    return layout;
}

Missing missing(const Layout& held, const Layout& needed, int nodeBits) {
    const std::size_t devices = held.front().index.size();
    const std::size_t neighbours = devices >> nodeBits;
    double own = 0.0, inNode = 0.0;
    for (std::size_t device = 0; device < devices; ++device)
        for (std::size_t s = 0; s < neighbours; ++s) {
            double volume = 1.0;
            for (std::size_t axis = 0; axis < held.size(); ++axis)
                volume *= overlap(held[axis], device ^ s, needed[axis], device);
            inNode += volume;
            if (s == 0)
                own += volume;
        }
    inNode /= copiesInNode(held, neighbours);
    const double all = static_cast<double>(devices) * boxVolume(needed);
    return {inNode - own, all - inNode};
}

LayoutPairs::LayoutPairs(std::span<const Layout> left, std::span<const Layout> right, int nodeBits)
    : m_axes(left.front().size()), m_devices(left.front().front().index.size()) {
    m_oneNode = nodeBits == 0; // nothing crosses, and neighbours need not be looked at
    m_neighbours = m_oneNode ? 1 : m_devices >> nodeBits;
    m_words = (m_devices * m_neighbours + 63) / 64;
    m_own = m_devices == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << m_devices) - 1;

    // Numbers the cuts of an axis that a side has.
    const auto number = [&](std::span<const Layout> layouts, Side& side, std::size_t axis) {
        std::map<AxisParts, std::uint32_t> known;
        std::vector<const AxisParts*> cuts;
        for (const Layout& layout : layouts) {
            const auto [entry, fresh] =
                known.try_emplace(layout[axis], static_cast<std::uint32_t>(known.size()));
            if (fresh)
                cuts.push_back(&layout[axis]);
            side.cuts.push_back(entry->second);
        }
        return cuts;
    };
    for (const auto& [layouts, side] : {std::pair{left, &m_left}, std::pair{right, &m_right}})
        for (const Layout& layout : layouts) {
            side->volume.push_back(static_cast<double>(m_devices) * boxVolume(layout));
            side->copies.push_back(copiesInNode(layout, m_neighbours));
        }
    for (std::size_t axis = 0; axis < m_axes; ++axis) {
        const auto leftCuts = number(left, m_left, axis), rightCuts = number(right, m_right, axis);
        AxisPairs& pairs = m_pairs.emplace_back();
        pairs.width = rightCuts.size();
        pairs.masks.assign(leftCuts.size() * rightCuts.size() * m_words, 0);
        std::uint64_t* mask = pairs.masks.data();
        for (const AxisParts* l : leftCuts)
            for (const AxisParts* r : rightCuts) {
                const int depthLeft = depth(*l), depthRight = depth(*r);
                pairs.depth.push_back(std::max(depthLeft, depthRight));
                const int shiftLeft = std::max(0, depthLeft - depthRight);
                const int shiftRight = std::max(0, depthRight - depthLeft);
                std::size_t bit = 0;
                for (std::size_t s = 0; s < m_neighbours; ++s)
                    for (std::size_t d = 0; d < m_devices; ++d, ++bit)
                        if (l->index[d ^ s] >> shiftLeft == r->index[d] >> shiftRight)
                            mask[bit / 64] |= std::uint64_t{1} << bit % 64;
                mask += m_words;
            }
    }
}

PW_NEWER_INSTRUCTIONS void LayoutPairs::common(std::size_t left, std::span<Common> ofRight) const {
    const std::size_t rights = m_right.volume.size(), lefts = m_left.volume.size();
    // By axis: what the left layout's cut makes with every cut on the right.
    std::array<const std::uint64_t*, kAxes> masks{};
    std::array<const std::int32_t*, kAxes> depths{};
    std::array<const std::uint32_t*, kAxes> cuts{};
    for (std::size_t axis = 0; axis < m_axes; ++axis) {
        const AxisPairs& pairs = m_pairs[axis];
        const std::size_t first = m_left.cuts[axis * lefts + left] * pairs.width;
        masks[axis] = pairs.masks.data() + first * m_words;
        depths[axis] = pairs.depth.data() + first;
        cuts[axis] = m_right.cuts.data() + axis * rights;
    }
    for (std::size_t right = 0; right < rights; ++right) {
        int own = 0, inNode = 0, depth = 0;
        for (std::size_t axis = 0; axis < m_axes; ++axis)
            depth += depths[axis][cuts[axis][right]];
        for (std::size_t w = 0; w < m_words; ++w) {
            std::uint64_t mask = ~std::uint64_t{0};
            for (std::size_t axis = 0; axis < m_axes; ++axis)
                mask &= masks[axis][cuts[axis][right] * m_words + w];
            if (w == 0)
                own = std::popcount(mask & m_own);
            inNode += std::popcount(mask);
        }
        const double each = 1.0 / static_cast<double>(std::uint64_t{1} << depth);
        ofRight[right] = {own * each, inNode * each};
    }
}

} // namespace pw::partition

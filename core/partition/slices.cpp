// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/partition/slices.h"

#include "core/partition/transfers.h"

namespace pw::partition {
namespace {

struct Entries {
    int rows = 0, inner = 0, columns = 0;
};

// The table above, before mod q.
Entries gridEntries(Phase phase, int r, int c, int t, int q) {
    const int last = t == q - 1 ? 1 : 0;
    switch (phase) {
    case Phase::Forward:
        return {r, r + c + t, c};
    case Phase::Backward:
        return {r, r + c - 1, c + t};
    case Phase::Gradient:
        return {r + t, r + c - 1 + last, c - 1 + last};
    }
    return {};
}

} // namespace

Slices::Slices(const Sequence& sequence) : m_bits(bitsOf(sequence)) {
    for (const Step& step : sequence)
        if (step.kind == Step::Kind::Grid)
            m_steps <<= step.k;
    for (int a = 0; a < kAxes; ++a)
        m_counts[static_cast<std::size_t>(a)] = slicesAlong(sequence, static_cast<Axis>(a));
    m_index.assign(place(Phase::Gradient, Axis::Keys, m_steps - 1) + (std::size_t{1} << m_bits), 0);

    for (const Phase phase : kAllPhases)
        for (int t = 0; t < m_steps; ++t)
            for (int device = 0; device < devices(); ++device) {
                const auto at = [&](Axis axis) -> std::uint16_t& {
                    return m_index[place(phase, axis, t) + static_cast<std::size_t>(device)];
                };
                const auto append = [&](Axis axis, int q, int entry) {
                    at(axis) = static_cast<std::uint16_t>(q * at(axis) + ((entry % q) + q) % q);
                };
                int pointer = 1, loops = m_steps, rest = t;
                for (const Step& step : sequence) {
                    if (step.kind == Step::Kind::Split) {
                        append(step.axis, 2, deviceBit(device, m_bits, pointer));
                    } else if (step.kind == Step::Kind::Grid) {
                        const GridPlace place{m_bits, pointer, step.k};
                        const int q = place.side();
                        loops /= q;
                        const Entries e =
                            gridEntries(phase, place.row(device), place.column(device), rest / loops, q);
                        rest %= loops;
                        append(Axis::Rows, q, e.rows);
                        append(Axis::Inner, q, e.inner);
                        append(Axis::Columns, q, e.columns);
                    }
                    pointer += step.bits();
                }
            }
}

} // namespace pw::partition

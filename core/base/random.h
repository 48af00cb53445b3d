// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace pw {

// splitmix64: the same stream on every platform and library for one seed, which the standard distributions do
// not promise. Good enough to draw test problems and search orders; not for statistics or secrets.
class Random {
public:
    explicit Random(std::uint64_t seed) : m_state(seed) {}

    std::uint64_t next() {
        m_state += 0x9E3779B97F4A7C15ULL;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }
    double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }         // [0, 1)
    double uniform(double low, double high) { return low + (high - low) * uniform(); } // [low, high)
    std::uint64_t below(std::uint64_t n) { return next() % n; }                        // 0 .. n-1, n > 0

private:
    std::uint64_t m_state;
};

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"

#include <atomic>
#include <cmath>

namespace pw::test {

// A clock that stands still but for advance(), for pauses, which take no time of the machine, and for the
// seconds that every look at it takes.
class FalseClock : public Clock {
public:
    explicit FalseClock(double perLook = 0.0) : m_perLook(perLook) {}
    void advance(double seconds) { m_now += seconds; }
    double steady() const override { return m_now += m_perLook; }
    std::int64_t wall() const override { return std::llround(steady() * 1e3); }
    void pause(double seconds) const override { m_now += seconds; }

private:
    double m_perLook;
    mutable std::atomic<double> m_now = 0.0;
};

} // namespace pw::test

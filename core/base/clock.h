// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace pw {

// Time as the program reads it, handed in to whoever needs it: a test hands in one that moves as it is told,
// so that what depends on time is tested without waiting for any. Asked from any thread.
class Clock {
public:
    virtual ~Clock() = default;
    virtual double steady() const = 0;            // s since some moment; never goes back
    virtual std::int64_t wall() const = 0;        // ms since the beginning of 1970, UTC
    virtual void pause(double seconds) const = 0; // back when steady() has moved on by that much
};

const Clock& systemClock(); // the machine's own

} // namespace pw

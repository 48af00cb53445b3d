// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace pw {

// Work that is worth doing for the latest state only, and at most so often, on a thread of its own:
//
//   given:  a      b  c           d                   end
//   done:     a .......... c ........... d            nothing more
//            first            every          every
//
// `first` is counted from the beginning and `every` from the end of the work before. Waiting is by the clock
// that is handed in: it is looked at with each give() and when its own time should have come.
class PacedWork {
public:
    struct Pace {
        double first = 5.0, every = 30.0; // s
    };
    explicit PacedWork(Pace pace, const Clock& clock = systemClock()); // which outlives it
    ~PacedWork();                                                      // waits for work that is being done
    PacedWork(const PacedWork&) = delete;
    PacedWork& operator=(const PacedWork&) = delete;

    // In place of what was given before and not begun. What it throws is dropped with it. From any thread.
    void give(std::function<void()> work);

private:
    void run(const std::stop_token& stop);

    const Pace m_pace;
    const Clock& m_clock;
    const double m_begin; // s of the clock
    std::mutex m_mutex;   // of what follows
    std::condition_variable_any m_changed;
    std::function<void()> m_next; // empty: nothing
    std::jthread m_thread;        // last: it uses the above
};

} // namespace pw

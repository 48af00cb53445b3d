// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

#include <atomic>
#include <functional>
#include <memory>
#include <stop_token>
#include <thread>

namespace pw {

// Work on a thread of its own whose owner looks into its mailbox twenty times a second: signals straight from
// the work would queue faster than a window can repaint.
//
//   work's thread:  writes  ->  mailbox  <- 50 ms -  tick(false), tick(false), ... tick(true)
class BackgroundJob {
public:
    // `tick` is called in the owner's thread, the last time with true: then the work has ended, all that it
    // wrote is in the mailbox, and isRunning() is false.
    explicit BackgroundJob(std::function<void(bool ended)> tick);
    ~BackgroundJob();
    BackgroundJob(const BackgroundJob&) = delete;
    BackgroundJob& operator=(const BackgroundJob&) = delete;

    bool isRunning() const { return m_running; }
    void start(std::function<void(const std::stop_token&)> work); // only while nothing runs
    void stop();                                                  // asks; the ticks go on
    void abandon();                                               // asks and waits; no tick follows

private:
    void look();

    std::function<void(bool)> m_tick;
    QTimer m_timer;
    bool m_running = false;
    std::shared_ptr<std::atomic<bool>> m_done;
    std::jthread m_thread; // last: joined before the rest dies
};

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <csignal>
#include <functional>
#include <stop_token>
#include <thread>

namespace pw::cli {

// Turns Ctrl-C (SIGINT), SIGTERM and the end of the terminal (SIGHUP, as a dropped ssh session sends it) into
// a stop request; a SIGHUP that the caller ignores, as under nohup, stays ignored. The signals are blocked in
// every thread and one thread waits for them, so nothing ever runs inside a signal handler. Make it before
// any other thread starts. A command that listens keeps its best result; for one that does not, or at the
// second signal, `giveUp` is called from the waiting thread and does not return.
class Interrupt {
public:
    explicit Interrupt(std::function<void()> giveUp);
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    std::stop_token listen(); // from now on the first signal is a request

private:
    std::function<void()> m_giveUp;
    std::stop_source m_stop;
    std::atomic<bool> m_listening{false};
    std::atomic<bool> m_done{false};
    sigset_t m_signals;
    std::thread m_thread;
};

} // namespace pw::cli

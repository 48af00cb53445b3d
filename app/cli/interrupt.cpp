// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interrupt.h"

#include <pthread.h>

namespace pw::cli {

Interrupt::Interrupt(std::function<void()> giveUp) : m_giveUp(std::move(giveUp)) {
    sigemptyset(&m_signals);
    sigaddset(&m_signals, SIGINT);
    sigaddset(&m_signals, SIGTERM);
    struct sigaction hangUp {};
    // A blocked signal would be heard even where it is ignored.
    if (sigaction(SIGHUP, nullptr, &hangUp) == 0 && hangUp.sa_handler != SIG_IGN)
        sigaddset(&m_signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &m_signals, nullptr);
    m_thread = std::thread([this] {
        for (int signal = 0; sigwait(&m_signals, &signal) == 0 && !m_done;)
            if (!m_listening || !m_stop.request_stop())
                m_giveUp();
    });
}

Interrupt::~Interrupt() {
    m_done = true;
    pthread_kill(m_thread.native_handle(), SIGTERM);
    m_thread.join();
}

std::stop_token Interrupt::listen() {
    m_listening = true;
    return m_stop.get_token();
}

} // namespace pw::cli

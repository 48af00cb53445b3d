// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/background_job.h"

namespace pw {

namespace {
constexpr int kLookMs = 50;
}

BackgroundJob::BackgroundJob(std::function<void(bool ended)> tick) : m_tick(std::move(tick)) {
    m_timer.setInterval(kLookMs);
    QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { look(); });
}

BackgroundJob::~BackgroundJob() = default;

void BackgroundJob::start(std::function<void(const std::stop_token&)> work) {
    m_running = true;
    m_done = std::make_shared<std::atomic<bool>>(false);
    m_thread = std::jthread([done = m_done, work = std::move(work)](const std::stop_token& stop) {
        work(stop);
        done->store(true, std::memory_order_release);
    });
    m_timer.start();
}

void BackgroundJob::stop() {
    if (m_running)
        m_thread.request_stop();
}

void BackgroundJob::abandon() {
    stop();
    if (m_thread.joinable())
        m_thread.join();
    m_timer.stop();
    m_running = false;
}

void BackgroundJob::look() {
    const bool ended = m_done->load(std::memory_order_acquire); // before the owner empties its mailbox
    if (ended) {
        m_timer.stop();
        m_thread.join();
        m_running = false;
    }
    m_tick(ended);
}

} // namespace pw

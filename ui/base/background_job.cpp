// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/background_job.h"

#include <atomic>

namespace pw {

namespace {
constexpr int kTickMs = 50;
std::atomic<int> g_running = 0;
} // namespace

BackgroundJob::BackgroundJob(std::function<void()> tick) : m_tick(std::move(tick)) {
    m_timer.setInterval(kTickMs);
    if (m_tick)
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { m_tick(); });
}

BackgroundJob::~BackgroundJob() {
    setRunning(false);
    if (!m_thread.joinable())
        return;
    {
        const std::lock_guard lock(m_mutex);
        m_closing = true;
    }
    askOthers();
    m_changed.notify_all();
    m_thread.join();
}

void BackgroundJob::request(std::function<Deliver(const std::stop_token&)> work, Before before) {
    ++m_asked;
    if (before == Before::Dropped) {
        m_least = m_asked;
        askOthers();
    }
    m_latest = std::stop_source();
    setRunning(true);
    {
        const std::lock_guard lock(m_mutex);
        m_next = Request{m_asked, m_latest, std::move(work)};
    }
    m_changed.notify_all();
    if (!m_thread.joinable())
        m_thread = std::thread([this] { run(); });
    if (m_tick)
        m_timer.start();
}

bool BackgroundJob::anyRunning() {
    return g_running > 0;
}

void BackgroundJob::setRunning(bool running) {
    if (m_running == running)
        return;
    m_running = running;
    g_running += running ? 1 : -1;
}

void BackgroundJob::stop() {
    if (m_running)
        m_latest.request_stop();
}

void BackgroundJob::drop() {
    m_least = m_asked + 1;
    setRunning(false);
    m_timer.stop();
    askOthers();
}

void BackgroundJob::askOthers() {
    std::optional<Request> forgotten;
    std::stop_source working(std::nostopstate);
    {
        const std::lock_guard lock(m_mutex);
        forgotten.swap(m_next);
        working = m_working;
    }
    working.request_stop();
}

void BackgroundJob::wait() {
    if (!m_running)
        return;
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_ended && m_ended->number == m_asked; });
    }
    deliver();
}

void BackgroundJob::run() noexcept {
    for (;;) {
        Request request;
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait(lock, [this] { return m_closing || m_next; });
            if (m_closing)
                return;
            request = *std::exchange(m_next, std::nullopt);
            m_working = request.stop;
        }
        std::optional<Ended> ended(Ended{request.number, request.work(request.stop.get_token())});
        {
            const std::lock_guard lock(m_mutex);
            ended.swap(m_ended); // one that was not heard yet is out of date
        }
        m_changed.notify_all();
        // In turns of the event loop of their own, so that what a tick has changed is drawn between them.
        QMetaObject::invokeMethod(
            &m_timer, [this] { QTimer::singleShot(0, &m_timer, [this] { hear(); }); }, Qt::QueuedConnection);
    }
}

void BackgroundJob::hear() {
    std::uint64_t number = 0;
    {
        const std::lock_guard lock(m_mutex);
        number = m_ended ? m_ended->number : 0;
    }
    if (!m_tick || number != m_asked || number < m_least) {
        deliver();
        return;
    }
    m_complete = number;
    m_tick(); // the mailbox is complete
    QTimer::singleShot(0, &m_timer, [this] { deliver(); });
}

void BackgroundJob::deliver() {
    std::optional<Ended> ended;
    {
        const std::lock_guard lock(m_mutex);
        ended.swap(m_ended);
    }
    if (!ended || ended->number < m_least)
        return;
    if (ended->number == m_asked) {
        if (m_tick && m_complete != ended->number)
            m_tick();
        if (ended->number < m_least)
            return;
        setRunning(false);
        m_timer.stop();
    }
    ended->deliver(); // last: it may start the next one, or be the end of the owner
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/paced_work.h"

#include "core/base/contained.h"
#include "core/base/result.h"

#include <chrono>
#include <utility>

namespace pw {

PacedWork::PacedWork(Pace pace, const Clock& clock)
    : m_pace(pace), m_clock(clock), m_begin(clock.steady()),
      m_thread([this](const std::stop_token& stop) { run(stop); }) {}

PacedWork::~PacedWork() = default;

void PacedWork::give(std::function<void()> work) {
    {
        const std::lock_guard lock(m_mutex);
        m_next = std::move(work);
    }
    m_changed.notify_one();
}

void PacedWork::run(const std::stop_token& stop) {
    double due = m_begin + m_pace.first;
    std::unique_lock lock(m_mutex);
    while (m_changed.wait(lock, stop, [this] { return static_cast<bool>(m_next); })) {
        for (double left = due - m_clock.steady(); left > 0.0 && !stop.stop_requested();
             left = due - m_clock.steady()) // better ones may come meanwhile
            m_changed.wait_for(lock, stop, std::chrono::duration<double>(left),
                               [&] { return m_clock.steady() >= due; });
        if (stop.stop_requested())
            return;
        const std::function<void()> work = std::exchange(m_next, nullptr);
        lock.unlock();
        static_cast<void>(contained([&work] {
            work();
            return Ok{};
        }));
        due = m_clock.steady() + m_pace.every;
        lock.lock();
    }
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/contained.h"

#include <QEventLoop>
#include <QTimer>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

namespace pw {

// Work on a thread of its own for an owner that lives in an event loop: the one way in which the window waits
// for something. One work at a time, and the latest request wins:
//
//   owner's thread   start(work, done) ... tick() tick() ...           done(result)
//                             |              every 50 ms                    ^
//   job's thread              `--> work(stop token) -- writes a Mailbox --> result
//
// Whatever the work needs it holds itself; what it reports on the way it writes into a mailbox, which the
// owner empties at each tick: signals straight from the work would queue faster than a window can repaint.
// The last tick comes before the result, which waits until what that has changed is drawn. Neither comes
// after a drop() or once the job is gone. An exception that leaves the work is its result, as an error: the
// owner shows it as any other.
class BackgroundJob {
public:
    // What becomes of a request that has not ended when the next one comes.
    enum class Before {
        Dropped,  // asked to stop; its result is not heard
        Finished, // goes on and is heard if it ends before the next one; one not yet begun is forgotten
    };

    explicit BackgroundJob(std::function<void()> tick = {});
    ~BackgroundJob(); // asks, and waits for the work
    BackgroundJob(const BackgroundJob&) = delete;
    BackgroundJob& operator=(const BackgroundJob&) = delete;

    // Begins as soon as what runs has ended. Both functions are copied; `done` takes what `work` returns, as
    // a Result if it is none.
    template <class Work, class Done>
    void start(Work work, Done done, Before before = Before::Dropped) {
        request(
            [work = std::move(work), done = std::move(done)](const std::stop_token& stop) mutable -> Deliver {
                auto made = contained([&] { return work(stop); });
                auto result = std::make_shared<decltype(made)>(std::move(made));
                return [done, result] { done(std::move(*result)); };
            },
            before);
    }
    // The latest request waits, works or is about to be delivered.
    bool isRunning() const { return m_running; }
    static bool anyRunning(); // of all jobs; to be asked in the thread that owns them
    void stop();              // asks the latest one; its result follows
    void drop();              // asks; no tick and no result follow
    void wait();              // until the latest one has ended, and delivers it at once

private:
    using Deliver = std::function<void()>;
    struct Request {
        std::uint64_t number = 0;
        std::stop_source stop;
        std::function<Deliver(const std::stop_token&)> work;
    };
    struct Ended {
        std::uint64_t number = 0;
        Deliver deliver;
    };
    void request(std::function<Deliver(const std::stop_token&)> work, Before before);
    void run() noexcept;
    void hear(); // that something has ended
    void deliver();
    void askOthers(); // what works or waits, to stop
    void setRunning(bool running);

    // Of the owner's thread.
    std::function<void()> m_tick;
    QTimer m_timer;
    bool m_running = false;
    std::uint64_t m_asked = 0;    // number of the latest request
    std::uint64_t m_least = 0;    // results of earlier ones are stale
    std::uint64_t m_complete = 0; // of whose mailbox all was read
    std::stop_source m_latest{std::nostopstate};

    std::mutex m_mutex; // of what follows
    std::condition_variable m_changed;
    std::optional<Request> m_next;
    std::stop_source m_working{std::nostopstate}; // of the request that works
    std::optional<Ended> m_ended;
    bool m_closing = false;

    std::thread m_thread; // from the first request on
};

// What `work` returns, as a Result if it is none, worked out on a thread of its own while the window goes on
// painting: for what a user waits for. Keys and clicks come behind it.
template <class Work>
auto awaited(const Work& work) {
    using Made = decltype(contained(work));
    std::optional<Made> made;
    QEventLoop loop;
    BackgroundJob job;
    job.start([&work](const std::stop_token&) { return work(); },
              [&](Made result) {
                  made.emplace(std::move(result));
                  loop.quit();
              });
    loop.exec(QEventLoop::ExcludeUserInputEvents);
    job.wait(); // the loop has ended before where the program does
    return *std::move(made);
}

// What a work tells its owner on the way.
template <class T>
class Mailbox {
public:
    explicit Mailbox(T value = {}) : m_value(std::move(value)) {}
    // `change` gets the value.
    template <class Change>
    void write(const Change& change) {
        const std::lock_guard lock(m_mutex);
        change(m_value);
    }
    T read() const {
        const std::lock_guard lock(m_mutex);
        return m_value;
    }
    T take() { // and leaves an empty one
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_value, T());
    }

private:
    mutable std::mutex m_mutex;
    T m_value;
};

// Where a work waits while its owner wants it to.
class Pause {
public:
    void set(bool paused) {
        {
            const std::lock_guard lock(m_mutex);
            m_paused = paused;
        }
        m_ended.notify_all();
    }
    void
    pass(const std::stop_token& stop) { // at once if there is no pause; until its end or a stop otherwise
        std::unique_lock lock(m_mutex);
        m_ended.wait(lock, stop, [this] { return !m_paused; });
    }

private:
    std::mutex m_mutex;
    bool m_paused = false;
    std::condition_variable_any m_ended;
};

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace pw {

// Threads that so many pieces of work are done on where so many are wanted (0 = as many as there are cores).
inline std::size_t threadsFor(std::size_t count, int wanted) {
    return std::min(count, wanted > 0 ? static_cast<std::size_t>(wanted)
                                      : std::max<std::size_t>(1, std::thread::hardware_concurrency()));
}

// Calls work(0) .. work(count - 1), each once, on so many threads (0 = as many as there are cores), this one
// among them; back when all are done. Which thread takes which and in what order is open: results must not
// depend on it. An exception that leaves a call is thrown here again, once the others have ended: of several
// calls that throw, that of the lowest number that was begun. What was not begun by then is left out.
template <class Work>
void inParallel(std::size_t count, int threads, const Work& work) {
    std::atomic<std::size_t> next{0};
    std::mutex mutex; // of what follows
    std::exception_ptr thrown;
    std::size_t thrownBy = count;
    const auto take = [&] {
        for (std::size_t i = next++; i < count; i = next++) {
            try {
                work(i);
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (i < thrownBy) {
                    thrown = std::current_exception();
                    thrownBy = i;
                }
                next = count;
            }
        }
    };
    std::vector<std::jthread> others;
    for (std::size_t t = 1; t < threadsFor(count, threads); ++t)
        others.emplace_back(take);
    take();
    others.clear(); // joins
    if (thrown)
        std::rethrow_exception(thrown);
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <exception>
#include <type_traits>

namespace pw {

// Trouble that is expected is a Result's. What is not, an exception of a library or of a machine without
// memory, may end the work that met it and nothing else: whoever runs work for somebody who goes on (a thread
// of the window, the command line that has an exit code to give) runs it contained.

// "memory" where there was none, else "internal" with the exception's own words.
Error unforeseen(const std::exception_ptr& thrown);

template <class T>
struct ResultOf {
    using Type = Result<T>;
};
template <class T>
struct ResultOf<Result<T>> {
    using Type = Result<T>;
};

// What the work gives, or as an error the exception that left it. A work that gives a Result gives the same.
template <class Work>
auto contained(Work&& work) -> typename ResultOf<std::decay_t<decltype(work())>>::Type {
    try {
        return work();
    } catch (...) {
        return unforeseen(std::current_exception());
    }
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <benchmark/benchmark.h>

namespace pw::perf {

// States how long one iteration of this benchmark may take. budget.cpp's main ends with 1 when the fastest
// repetition of a benchmark is slower, or when one states nothing: the fastest, because other programs on the
// machine only ever add.
inline void budget(benchmark::State& state, double milliseconds) {
    state.counters["budget_ms"] = milliseconds;
}

} // namespace pw::perf

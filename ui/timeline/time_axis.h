// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline.h"

#include <QString>

#include <vector>

namespace pw {

// Ticks of a time axis: a step of 1, 2 or 5 times a power of ten, wide enough for its labels, in one unit for
// all.
struct TimeTicks {
    std::int64_t step = 1;                     // ns between labelled ticks; a fifth of it between small ones
    std::vector<std::int64_t> labelled, small; // ns, inside the window; small excludes labelled
    QString label(std::int64_t t) const;       // "0.5 s", "14.62 s", "3.1 ms"

private:
    friend TimeTicks timeTicks(const TimeWindow& window, int width, int spacing);
    double m_unit = 1e9;
    int m_decimals = 1;
    QString m_suffix;
};

// `spacing`: smallest distance of two labels in px.
TimeTicks timeTicks(const TimeWindow& window, int width, int spacing = 80);

// A length of any size with three or four digits that count: "1.204 s", "114.9 ms", "20.4 µs".
QString spanText(std::int64_t nanoseconds);

// "0 to 15.82 s", with the decimals that the span asks for.
QString windowText(const TimeWindow& window);

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/time_axis.h"

#include "ui/base/format.h"

#include <QObject>

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

struct Unit {
    double nanoseconds;
    const char16_t* suffix;
};

Unit unitFor(std::int64_t span) {
    if (span >= 100'000'000)
        return {1e9, u" s"};
    if (span >= 100'000)
        return {1e6, u" ms"};
    return {1e3, u" µs"};
}

} // namespace

QString TimeTicks::label(std::int64_t t) const {
    return decimalText(static_cast<double>(t) / m_unit, m_decimals) + m_suffix;
}

TimeTicks timeTicks(const TimeWindow& window, int width, int spacing) {
    TimeTicks ticks;
    const double least = static_cast<double>(window.span()) * spacing / std::max(width, 1);
    std::int64_t power = 1;
    while (static_cast<double>(power) * 10.0 <= least)
        power *= 10;
    ticks.step = power * 10;
    for (const std::int64_t factor : {1, 2, 5})
        if (static_cast<double>(power * factor) >= least) {
            ticks.step = power * factor;
            break;
        }
    const Unit unit = unitFor(window.span());
    ticks.m_unit = unit.nanoseconds;
    ticks.m_suffix = QString::fromUtf16(unit.suffix);
    ticks.m_decimals = 0;
    for (double step = static_cast<double>(ticks.step) / unit.nanoseconds;
         std::abs(step - std::round(step)) > 1e-9 && ticks.m_decimals < 6; step *= 10.0)
        ++ticks.m_decimals;

    const std::int64_t fine = std::max<std::int64_t>(ticks.step / 5, 1);
    for (std::int64_t t = (window.begin + fine - 1) / fine * fine; t <= window.end; t += fine)
        (t % ticks.step == 0 ? ticks.labelled : ticks.small).push_back(t);
    return ticks;
}

QString spanText(std::int64_t nanoseconds) {
    const double ns = static_cast<double>(nanoseconds);
    if (ns >= 1e9)
        return decimalText(ns / 1e9, 3) + QStringLiteral(" s");
    if (ns >= 1e6 || ns == 0.0)
        return decimalText(ns / 1e6, 1) + QStringLiteral(" ms");
    return decimalText(ns / 1e3, 1) + QStringLiteral(" µs");
}

QString windowText(const TimeWindow& window) {
    const Unit unit = unitFor(window.span());
    const double span = static_cast<double>(window.span()) / unit.nanoseconds;
    const int decimals =
        std::clamp(static_cast<int>(std::ceil(3.0 - std::log10(std::max(span, 1e-3)))), 1, 5);
    const auto text = [&](std::int64_t t) {
        return t == 0 ? QStringLiteral("0")
                      : decimalText(static_cast<double>(t) / unit.nanoseconds, decimals);
    };
    return QObject::tr("%1 to %2").arg(text(window.begin), text(window.end)) +
           QString::fromUtf16(unit.suffix);
}

} // namespace pw

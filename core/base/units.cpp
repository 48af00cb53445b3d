// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <span>

namespace pw {

namespace {

struct Unit {
    std::string_view name;
    double factor;
};

constexpr double kKi = 1024.0;

constexpr std::array kByteUnits = {
    Unit{"B", 1.0},
    Unit{"kB", 1e3},
    Unit{"KB", 1e3},
    Unit{"MB", 1e6},
    Unit{"GB", 1e9},
    Unit{"TB", 1e12},
    Unit{"PB", 1e15},
    Unit{"KiB", kKi},
    Unit{"MiB", kKi* kKi},
    Unit{"GiB", kKi* kKi* kKi},
    Unit{"TiB", kKi* kKi* kKi* kKi},
    Unit{"PiB", kKi* kKi* kKi* kKi* kKi},
};

constexpr std::array kRateUnits = {
    Unit{"B/s", 1.0},
    Unit{"kB/s", 1e3},
    Unit{"MB/s", 1e6},
    Unit{"GB/s", 1e9},
    Unit{"TB/s", 1e12},
    Unit{"KiB/s", kKi},
    Unit{"MiB/s", kKi* kKi},
    Unit{"GiB/s", kKi* kKi* kKi},
    Unit{"TiB/s", kKi* kKi* kKi* kKi},
    Unit{"bit/s", 0.125},
    Unit{"kbit/s", 125.0},
    Unit{"Mbit/s", 125e3},
    Unit{"Gbit/s", 125e6},
    Unit{"Tbit/s", 125e9},
    Unit{"kbps", 125.0},
    Unit{"Mbps", 125e3},
    Unit{"Gbps", 125e6},
    Unit{"Tbps", 125e9},
};

constexpr std::array kTimeUnits = {
    Unit{"ns", 1e-9}, Unit{"us", 1e-6}, Unit{"\u00b5s", 1e-6}, Unit{"\u03bcs", 1e-6},
    Unit{"ms", 1e-3}, Unit{"s", 1.0},   Unit{"min", 60.0},     Unit{"h", 3600.0},
};

Error refused(std::string_view text, const char* pattern) {
    return badInput("units.syntax", "", {pattern, {{"text", text}}});
}

Result<double> parse(std::string_view text, std::span<const Unit> units, const char* pattern) {
    const std::string_view body = trimmed(text);
    // from_chars also takes "inf", "nan" and a minus sign: only a digit or a point may start a quantity.
    if (body.empty() || !((body[0] >= '0' && body[0] <= '9') || body[0] == '.'))
        return refused(text, pattern);
    double number = 0.0;
    const auto [end, code] = std::from_chars(body.data(), body.data() + body.size(), number);
    if (code != std::errc{})
        return refused(text, pattern);
    const std::string_view rest = trimmed(body.substr(static_cast<std::size_t>(end - body.data())));
    double factor = rest.empty() ? 1.0 : 0.0;
    for (const Unit& unit : units)
        if (unit.name == rest)
            factor = unit.factor;
    // Small units divide, so that "20 us" is the double nearest to 2e-5.
    const double value = factor < 1.0 && factor > 0.0 ? number / std::round(1.0 / factor) : number * factor;
    if (factor == 0.0 || !std::isfinite(value))
        return refused(text, pattern);
    return value;
}

// Four significant digits and no trailing zeros: 100, 12.5, 1.6.
std::string scaled(double value, std::span<const Unit> prefixes, std::string_view unit) {
    std::size_t pick = 0;
    while (pick + 1 < prefixes.size() && value >= prefixes[pick + 1].factor * 0.99995)
        ++pick;
    const double v = value / prefixes[pick].factor;
    return v < 9999.5 ? fmt::format("{:.4g} {}{}", v, prefixes[pick].name, unit)
                      : fmt::format("{:.0f} {}{}", v, prefixes[pick].name, unit);
}

constexpr std::array kPrefixes = {Unit{"", 1.0},  Unit{"k", 1e3},  Unit{"M", 1e6},
                                  Unit{"G", 1e9}, Unit{"T", 1e12}, Unit{"P", 1e15}};

// In which a duration is shown; as it is shown there, 1.00 s and not 1000.0 ms.
enum class TimeUnit { Second, Millisecond, Microsecond };

TimeUnit unitOf(Seconds time) {
    const double size = std::abs(time.value);
    if (size == 0.0 || size >= 0.99995)
        return TimeUnit::Second;
    return size >= 0.99995e-3 ? TimeUnit::Millisecond : TimeUnit::Microsecond;
}

// Without the unit.
std::string figureOf(Seconds time) {
    const double s = time.value;
    switch (unitOf(time)) {
    case TimeUnit::Millisecond:
        return fmt::format("{:.1f}", s * 1e3);
    case TimeUnit::Microsecond:
        return fmt::format("{:.3g}", s * 1e6);
    case TimeUnit::Second:
        break;
    }
    return s == 0.0 ? "0" : fmt::format("{:.2f}", s);
}

} // namespace

Result<double> parseBytes(std::string_view text) {
    return parse(text, kByteUnits,
                 "\"{text}\" is not a size; expected a number with B, kB, MB, GB, TB, KiB, MiB, GiB or TiB");
}

Result<double> parseBandwidth(std::string_view text) {
    constexpr const char* pattern =
        "\"{text}\" is not a bandwidth above 0; expected a number with Gbit/s, GB/s, GiB/s or another prefix";
    Result<double> rate = parse(text, kRateUnits, pattern);
    if (rate && *rate == 0.0)
        return refused(text, pattern);
    return rate;
}

Result<double> parseDuration(std::string_view text) {
    return parse(text, kTimeUnits,
                 "\"{text}\" is not a time; expected a number with ns, us, ms, s, min or h");
}

std::string formatGibibytes(Bytes bytes) {
    return fmt::format("{:.1f} GiB", toGibibytes(bytes));
}

std::string formatBitRate(BytesPerSecond rate) {
    return scaled(rate.value * 8.0, kPrefixes, "bit/s");
}

std::string formatByteRate(BytesPerSecond rate) {
    return scaled(rate.value, kPrefixes, "B/s");
}

std::string formatDuration(Seconds time) {
    const TimeUnit unit = unitOf(time);
    return figureOf(time) + (unit == TimeUnit::Second ? " s" : unit == TimeUnit::Millisecond ? " ms" : " us");
}

std::string formatSpan(Seconds low, Seconds high) {
    return (unitOf(low) == unitOf(high) ? figureOf(low) : formatDuration(low)) + " to " +
           formatDuration(high);
}

} // namespace pw

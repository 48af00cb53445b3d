// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/run_deadline.h"

#include "core/base/text.h"
#include "core/base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>

namespace pw {

namespace {

struct Word {
    std::string_view name;
    double factor;
};
constexpr Word kLong[] = {{"d", 86400.0},      {"day", 86400.0},  {"days", 86400.0}, {"week", 604800.0},
                          {"weeks", 604800.0}, {"hours", 3600.0}, {"hour", 3600.0}};
constexpr Word kCounts[] = {{"", 1.0},        {"k", 1e3},       {"M", 1e6},  {"B", 1e9},        {"G", 1e9},
                            {"billion", 1e9}, {"million", 1e6}, {"T", 1e12}, {"trillion", 1e12}};

constexpr double kHour = 3600.0, kDay = 86400.0; // s

double countOf(const RunDeadline& run, const Recipe& recipe) {
    const double each = static_cast<double>(recipe.gbs) * static_cast<double>(recipe.seq);
    return std::max(1.0, std::ceil(run.tokens > 0.0 ? run.tokens / each : run.iterations));
}

struct Counted {
    double number = 0.0;
    std::string_view rest;
};

std::optional<Counted> numberAt(std::string_view text) {
    text = trimmed(text);
    if (text.empty() || !((text[0] >= '0' && text[0] <= '9') || text[0] == '.'))
        return std::nullopt;
    Counted found;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), found.number);
    if (code != std::errc{} || !std::isfinite(found.number))
        return std::nullopt;
    found.rest = trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
    return found;
}

template <std::size_t N>
double factorOf(const Word (&words)[N], std::string_view word) {
    const auto at = std::ranges::find(words, word, &Word::name);
    return at == std::end(words) ? 0.0 : at->factor;
}

// "30 days": 0 = no such time.
double longTime(std::string_view text) {
    const std::optional<Counted> counted = numberAt(text);
    return counted ? counted->number * factorOf(kLong, lowered(counted->rest)) : 0.0;
}

Error notRead(std::string_view text, const char* pattern) {
    return badInput("units.syntax", "", {pattern, {{"text", std::string(text)}}});
}

} // namespace

Seconds RunDeadline::ofIteration(const Recipe& recipe) const {
    return isOfRun() ? Seconds(time.value / countOf(*this, recipe)) : time;
}

Seconds RunDeadline::ofRun(Seconds iteration, const Recipe& recipe) const {
    return isOfRun() ? Seconds(iteration.value * countOf(*this, recipe)) : iteration;
}

std::string plainFigure(double value) {
    return value < 1000.0 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
}

std::string deadlineText(Seconds iteration, const std::optional<RunDeadline>& run) {
    return run ? fmt::format("{}, {} an iteration", run->stated, formatDuration(iteration))
               : formatDuration(iteration);
}

std::string runTimeText(Seconds iteration, const std::optional<RunDeadline>& run, const Recipe& recipe) {
    if (!run || iteration.value <= 0.0)
        return {};
    const double seconds = run->ofRun(iteration, recipe).value;
    return seconds >= kDay    ? fmt::format(", the run {} days", plainFigure(seconds / kDay))
           : seconds >= kHour ? fmt::format(", the run {} h", plainFigure(seconds / kHour))
                              : fmt::format(", the run {}", formatDuration(Seconds(seconds)));
}

Result<RunDeadline> parseRunDeadline(std::string_view text) {
    constexpr std::string_view kFor = " for ";
    RunDeadline deadline;
    deadline.stated = trimmed(text);
    const std::size_t at = text.find(kFor);
    const std::string_view time = trimmed(text.substr(0, at));
    if (const double days = longTime(time); days > 0.0) {
        if (at == std::string_view::npos)
            return notRead(text,
                           "\"{text}\" is a time of a run, whose length is to stand behind it: \"30 days for "
                           "15T tokens\" or \"12 h for 5000 iterations\"; an iteration's is in s, min or h");
        deadline.time = Seconds(days);
    } else {
        const Result<double> seconds = parseDuration(time);
        if (!seconds && at != std::string_view::npos)
            return notRead(
                time, "\"{text}\" is not a time of a run; expected a number with s, min, h, days or weeks");
        if (!seconds)
            return seconds.error();
        if (*seconds <= 0.0)
            return notRead(text, "\"{text}\": a deadline is above 0, as in 2.5 or 800ms");
        deadline.time = Seconds(*seconds);
    }
    if (at == std::string_view::npos)
        return deadline;
    const std::optional<Counted> counted = numberAt(text.substr(at + kFor.size()));
    const std::string_view rest = counted ? counted->rest : std::string_view();
    const std::size_t word = rest.rfind(' ');
    const std::string_view unit = word == std::string_view::npos ? rest : rest.substr(word + 1);
    const double factor =
        factorOf(kCounts, word == std::string_view::npos ? "" : trimmed(rest.substr(0, word)));
    const double count = counted ? counted->number * factor : 0.0;
    const bool ofTokens = unit == "tokens" || unit == "token",
               ofIterations =
                   unit == "iterations" || unit == "steps" || unit == "iteration" || unit == "step";
    if (count <= 0.0 || !std::isfinite(count) || !(ofTokens || ofIterations))
        return notRead(text, "\"{text}\" does not say how long the run is; expected a number of tokens or "
                             "iterations, as in \"30 days for 15T tokens\"");
    (ofTokens ? deadline.tokens : deadline.iterations) = count;
    return deadline;
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/problem/memory_span.h"

#include "core/base/json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace pw {

namespace embedded {
extern const char* const memorySpansJson; // resources/calibration/memory_spans.json
}

namespace {

constexpr const char* kSchema = "pipewright-memory-spans-1";
constexpr double kNormal80 = 1.2815515655; // standard deviations that 80 % lie within

// The inverse of the normal distribution from 0.5 on, by bisection of erfc.
double deviations(double chance) {
    double low = 0.0, high = 8.0;
    for (int step = 0; step < 60; ++step) {
        const double middle = 0.5 * (low + high);
        (1.0 - 0.5 * std::erfc(middle / std::sqrt(2.0)) < chance ? low : high) = middle;
    }
    return high;
}

Json toJson(const MemorySpan& span) {
    const auto rounded = [](double value) { return std::round(value * 1e4) / 1e4; };
    return Json{{"centre", rounded(span.centre)},
                {"half", rounded(span.half)},
                {"rows", span.rows},
                {"sources", span.sources}};
}

MemorySpan spanFromJson(const JsonReader& reader) {
    constexpr double kWidest = 5.0;
    constexpr std::int64_t kMost = 1'000'000'000;
    MemorySpan span;
    span.centre = reader.number("centre", -kWidest, kWidest);
    span.half = reader.number("half", 1e-4, kWidest);
    span.rows = static_cast<int>(reader.count("rows", 0, kMost));
    span.sources = static_cast<int>(reader.count("sources", 0, kMost));
    return span;
}

} // namespace

const MemorySpan& MemorySpans::of(std::string_view stack) const {
    const auto found = stacks.find(std::string(stack));
    return found == stacks.end() ? strangers : found->second;
}

double lowOf(const MemorySpan& span, double gib) {
    return std::max(0.0, (gib + kSpanOwn) * std::exp(span.centre - span.half) - kSpanOwn);
}

double highOf(const MemorySpan& span, double gib) {
    return (gib + kSpanOwn) * std::exp(span.centre + span.half) - kSpanOwn;
}

double chanceToFit(const MemorySpan& span, Bytes peak, Bytes usable) {
    return chanceToFit(span, roomRatio(peak, usable));
}

double roomRatio(Bytes peak, Bytes usable) {
    return (toGibibytes(usable) + kSpanOwn) / (toGibibytes(peak) + kSpanOwn);
}

double chanceToFit(const MemorySpan& span, double ratio) {
    return 1.0 - 0.5 * std::erfc(kNormal80 * std::log(ratio) / (span.half * std::sqrt(2.0)));
}

Bytes roomFor(const MemorySpan& span, Bytes usable, double chance) {
    const double margin = deviations(chance) * span.half / kNormal80;
    return gibibytes(std::max(0.0, (toGibibytes(usable) + kSpanOwn) * std::exp(-margin) - kSpanOwn));
}

std::string memorySpansJson(const MemorySpans& spans) {
    Json stacks = Json::object();
    for (const auto& [stack, span] : spans.stacks)
        stacks[stack] = toJson(span);
    return printJson(
        Json{{"schema", kSchema}, {"strangers", toJson(spans.strangers)}, {"stacks", std::move(stacks)}});
}

Result<MemorySpans> readMemorySpans(std::string_view text, const std::string& file) {
    const Result<Json> document = parseJson(text, file);
    if (!document)
        return document.error();
    const JsonReader reader(*document, file);
    MemorySpans spans;
    if (reader.text("schema") != kSchema)
        reader.fail("spans.schema", reader.where("schema"), {"expected {schema}", {{"schema", kSchema}}});
    spans.strangers = spanFromJson(reader.object("strangers"));
    for (const auto& [stack, span] : reader.object("stacks").members())
        spans.stacks[stack] = spanFromJson(span);
    if (const Status sound = reader.status(); !sound)
        return sound.error();
    return spans;
}

const MemorySpans& memorySpans() {
    static const MemorySpans spans = [] {
        Result<MemorySpans> read = readMemorySpans(embedded::memorySpansJson, "memory_spans.json");
        if (!read) { // a mistake of ours in what is compiled in
            std::fprintf(stderr, "memory spans: %s\n", read.error().text().c_str());
            std::abort();
        }
        return *std::move(read);
    }();
    return spans;
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/compare.h"

#include <fmt/format.h>

#include <cmath>

#include <nlohmann/json.hpp>

namespace pw {
namespace {

constexpr double kEqual = 5e-5;       // of an iteration: a difference that no figure shows
constexpr double kWorthWords = 0.002; // of an iteration: entries below go without a sentence
constexpr std::size_t kMostCauses = 3;

std::string duration(double seconds) {
    const double size = std::abs(seconds);
    return size < 1.0 ? fmt::format("{:.1f} ms", 1e3 * size) : fmt::format("{:.2f} s", size);
}

// "spends 2.32 s more waiting for a slower stage"
const char* doing(TimeEntry entry) {
    switch (entry) {
    case TimeEntry::Forward:
        return "in forward passes";
    case TimeEntry::Recompute:
        return "recomputing";
    case TimeEntry::Backward:
        return "in backward passes";
    case TimeEntry::WeightGrad:
        return "on gradients of weights";
    case TimeEntry::AllReduce:
        return "summing gradients";
    case TimeEntry::Optimizer:
        return "in the optimiser step";
    case TimeEntry::WarmUp:
        return "in the warm-up";
    case TimeEntry::SlowerStage:
        return "waiting for a slower stage";
    case TimeEntry::Transfer:
        return "waiting for transfers";
    case TimeEntry::CoolDown:
        return "in the cool-down";
    }
    return "";
}

} // namespace

const char* label(TimeEntry entry) {
    switch (entry) {
    case TimeEntry::Forward:
        return "forward";
    case TimeEntry::Recompute:
        return "recompute";
    case TimeEntry::Backward:
        return "backward";
    case TimeEntry::WeightGrad:
        return "weight gradient";
    case TimeEntry::AllReduce:
        return "all-reduce";
    case TimeEntry::Optimizer:
        return "optimiser";
    case TimeEntry::WarmUp:
        return "warm-up";
    case TimeEntry::SlowerStage:
        return "waits for a slower stage";
    case TimeEntry::Transfer:
        return "transfer not hidden";
    case TimeEntry::CoolDown:
        return "cool-down";
    }
    return "";
}

std::string signedDuration(double seconds) {
    return (seconds < 0.0 ? "−" : "+") + duration(seconds);
}

std::vector<std::string> comparisonText(const Comparison& c) {
    std::vector<std::string> sentences;
    const std::string& base = c.names[c.base];
    const std::vector<double>& iteration = c.figures.front().values;
    for (std::size_t p = 0; p < c.names.size(); ++p) {
        if (p == c.base)
            continue;
        const double change = iteration[p] - iteration[c.base];
        const double share = change / iteration[c.base];
        if (std::abs(share) < kEqual)
            sentences.push_back(fmt::format("{} takes as long as {}", c.names[p], base));
        else
            sentences.push_back(fmt::format("{} takes {} ({:.2f} %) {} than {}", c.names[p], duration(change),
                                            100.0 * std::abs(share), change < 0.0 ? "less" : "longer", base));
        std::size_t causes = 0;
        for (const TimeDifference& row : c.time) {
            const double more = row.seconds[p] - row.seconds[c.base];
            if (std::abs(more) < kWorthWords * iteration[c.base] || ++causes > kMostCauses)
                continue;
            sentences.push_back(fmt::format("a GPU of {} spends {} {} {} (mean)", c.names[p], duration(more),
                                            more > 0.0 ? "more" : "less", doing(row.entry)));
        }
    }
    return sentences;
}

Json toJson(const Comparison& c) {
    Json time = Json::array(), fields = Json::array(), figures = Json::array(), memory = Json::array();
    for (const TimeDifference& row : c.time)
        time.push_back({{"entry", label(row.entry)}, {"seconds", row.seconds}, {"largest", row.largest}});
    for (const PlanField& row : c.fields)
        fields.push_back({{"name", row.name}, {"values", row.values}, {"differs", row.differs}});
    for (const PlanFigure& row : c.figures)
        figures.push_back({{"name", row.name}, {"unit", row.unit}, {"values", row.values}});
    for (const DevicePeaks& row : c.memory) {
        Json peaks = Json::array();
        for (const MemoryParts& peak : row.peak)
            peaks.push_back(peak.total().value);
        memory.push_back(
            {{"device", row.device}, {"capacity_bytes", row.capacity.value}, {"peak_bytes", peaks}});
    }
    return Json{{"plans", c.names},   {"base", c.base},     {"different_inputs", c.inputs},
                {"figures", figures}, {"time", time},       {"plan", fields},
                {"memory", memory},   {"text", c.sentences}};
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/plan_figures.h"

#include "core/accuracy/band.h"
#include "core/accuracy/conformal.h"
#include "core/accuracy/memory_cases.h"
#include "core/accuracy/tie.h"
#include "core/base/hash.h"
#include "core/base/version.h"
#include "core/cost/cost.h"
#include "core/document/search_summary.h"
#include "core/evaluate/launch_stated.h"
#include "core/plan/device_names.h"
#include "core/search/search.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace pw {
namespace {

Json memoryRow(Json device, const DeviceMemory& m) {
    return Json{{"device", std::move(device)},
                {"bytes", m.peak.total().value},
                {"capacity", m.capacity.value},
                {"weights", m.peak.weights.value},
                {"gradients", m.peak.gradients.value},
                {"optimizer", m.peak.optimizer.value},
                {"activations", m.peak.activations.value},
                {"transient", m.peak.transient.value},
                {"communication", m.peak.communication.value},
                {"reserve", m.peak.reserve.value}};
}

// Devices of which the same is said, by the first of each group.
std::vector<std::pair<const DeviceMemory*, std::vector<DeviceIndex>>>
alikeInMemory(const std::vector<DeviceMemory>& memory) {
    std::vector<std::pair<const DeviceMemory*, std::vector<DeviceIndex>>> groups;
    std::map<std::array<double, 8>, std::size_t> known;
    for (const DeviceMemory& m : memory) {
        const MemoryParts& p = m.peak;
        const auto [at, fresh] = known.try_emplace({m.capacity.value, p.weights.value, p.gradients.value,
                                                    p.optimizer.value, p.activations.value, p.transient.value,
                                                    p.communication.value, p.reserve.value},
                                                   groups.size());
        if (fresh)
            groups.push_back({&m, {}});
        groups[at->second].second.push_back(m.device);
    }
    return groups;
}

Json memoryJson(const Problem& problem, const Plan&, const Evaluation& evaluation, const DeviceNames& names) {
    const Topology& topology = problem.topology();
    Json list = Json::array();
    if (names == DeviceNames::Each)
        for (const DeviceMemory& m : evaluation.memory)
            list.push_back(memoryRow(topology.devices()[static_cast<std::size_t>(m.device)].id, m));
    else
        for (const auto& [first, devices] : alikeInMemory(evaluation.memory))
            for (Json& device : namesOfSet(topology, devices))
                list.push_back(memoryRow(std::move(device), *first));
    return list;
}

Json notesJson(const Problem& problem, const Diagnostics& ofSearch) {
    Json list = Json::array();
    Diagnostics all = problemNotes(problem);
    append(all, ofSearch);
    for (const Diagnostic& d : all)
        list.push_back(toJson(d));
    return list;
}

// The span that the iteration is expected in, and the measured cases that say so.
Json expectedJson(const Problem& problem, const Plan& plan, const Evaluation& evaluation,
                  const DeviceNames&) {
    const Features features = featuresOf(problem, plan, evaluation);
    const Seconds iteration = evaluation.iteration;
    constexpr std::size_t kNamed = 12;
    const CaseTable& table = measuredCases();
    const ErrorBand band = errorBand(features);
    Json nearest = Json::array();
    for (std::size_t i = 0; i < std::min(kNamed, band.cases.size()); ++i) {
        const MeasuredCase& found = table.cases[static_cast<std::size_t>(band.cases[i].index)];
        nearest.push_back({{"source", table.sources[static_cast<std::size_t>(found.source)]},
                           {"row_id", found.rowId},
                           {"distance", band.cases[i].distance},
                           {"weight", band.cases[i].weight}});
    }
    return Json{{"share", kBandShare},
                {"low_s", iteration.value * band.low},
                {"high_s", iteration.value * band.high},
                {"near", band.isNear()},
                {"distance", band.distance},
                {"cases", band.cases.size()},
                {"sources", band.sources},
                {"nearest", std::move(nearest)}};
}

// How sure it is that the first of the list takes less time than another.
Json comparedWithFirst(const Problem& problem, const std::vector<FoundPlan>& plans, std::size_t other) {
    const auto featuresAt = [&](std::size_t i) {
        return featuresOf(problem, plans[i].plan, plans[i].evaluation);
    };
    const TimeComparison c = compareTimes(featuresAt(0), plans[0].evaluation.iteration, featuresAt(other),
                                          plans[other].evaluation.iteration);
    return Json{{"plan", other + 1},
                {"first_faster", c.firstFaster},
                {"tie", c.isTie()},
                {"low", c.low},
                {"high", c.high}};
}

Json againstFirst(const Problem& problem, const SearchOutcome& outcome) {
    Json list = Json::array();
    for (std::size_t i = 1; i < outcome.plans.size(); ++i)
        list.push_back(comparedWithFirst(problem, outcome.plans, i));
    return list;
}

Json phasesJson(const std::vector<Phase>& phases) {
    const auto best = [](Seconds time) { return time.value > 0.0 ? Json(time.value) : Json(nullptr); };
    Json list = Json::array();
    for (const Phase& phase : phases) {
        list.push_back({{"name", phase.name},
                        {"work", phase.work},
                        {"seconds", phase.seconds},
                        {"before_s", best(phase.before)},
                        {"after_s", best(phase.after)}});
        if (!phase.within.empty())
            list.back()["phases"] = phasesJson(phase.within);
    }
    return list;
}

Json timeJson(const Problem&, const Plan&, const Evaluation& e, const DeviceNames&) {
    return Json{{"fill", e.time.fill.value},
                {"steady", e.time.steady.value},
                {"drain", e.time.drain.value},
                {"exposed_tp", e.time.exposedTp.value},
                {"exposed_dp", e.time.exposedDp.value},
                {"exposed_pp", e.time.exposedPp.value},
                {"sync", e.time.sync.value},
                {"optimizer", e.time.optimizer.value}};
}

Json planHash(const Problem&, const Plan& plan, const Evaluation& evaluation, const DeviceNames&) {
    return hashText(canonicalKey(withLaunchCounts(plan, evaluation)));
}

} // namespace

const std::vector<OutcomeFigure>& outcomeFigures() {
    using O = SearchOutcome;
    static const std::vector<OutcomeFigure> table = {
        {"tool_version", [](const Problem&, const O&) { return Json(fullVersion()); }},
        {"problem_hash", [](const Problem& p, const O&) { return Json(p.hash()); }},
        {"lower_bound_s", [](const Problem&, const O& o) { return Json(o.bound.value.value); }},
        {"gap",
         [](const Problem&, const O& o) {
             const bool known = !o.plans.empty() && o.covered && o.bound.value.value > 0.0;
             return known ? Json(o.gap()) : Json(nullptr);
         }},
        {"bound", [](const Problem&, const O& o) { return boundJson(o); }},
        {"search",
         [](const Problem&, const O& o) {
             return Json{{"phases", phasesJson(o.phases)}};
         }},
        {"notes", [](const Problem& p, const O& o) { return notesJson(p, o.notes); }},
        {"against_first", againstFirst},
    };
    return table;
}

const std::vector<const char*>& addedKeys() {
    static const std::vector<const char*> keys = {"tournament",
                                                  "deadline",
                                                  "answers",
                                                  "pareto",
                                                  "target",
                                                  "best_by_target",
                                                  "kept",
                                                  "verdict",
                                                  "findings",
                                                  "sensitivity",
                                                  "sensitivity_links_left_out",
                                                  "fails",
                                                  "idle",
                                                  "measured",
                                                  "run",
                                                  "improved"};
    return keys;
}

const std::vector<EntryFigure>& entryFigures() {
    using P = Problem;
    using E = Evaluation;
    using N = const DeviceNames&;
    static const std::vector<EntryFigure> table = {
        {"plan_hash", planHash},
        {"iteration_s", [](const P&, const Plan&, const E& e, N) { return Json(e.iteration.value); }},
        {"expected", expectedJson},
        {"closed_form_s", [](const P&, const Plan&, const E& e, N) { return Json(e.closedForm.value); }},
        {"tokens_per_s", [](const P&, const Plan&, const E& e, N) { return Json(e.tokensPerSecond); }},
        {"bubble", [](const P&, const Plan&, const E& e, N) { return Json(e.bubble); }},
        {"measured_share", [](const P&, const Plan&, const E& e, N) { return Json(e.measuredShare); }},
        {"provenance", [](const P&, const Plan&, const E& e, N) { return Json(name(e.provenance)); }},
        {"time", timeJson},
        {"layer_count", [](const P& p, const Plan&, const E&, N) { return Json(fineLayerCount(p.model())); }},
        {"precision", [](const P& p, const Plan&, const E&, N) { return Json(name(p.precision())); }},
        {"gbs", [](const P& p, const Plan&, const E&, N) { return Json(p.recipe().gbs); }},
        {"seq", [](const P& p, const Plan&, const E&, N) { return Json(p.recipe().seq); }},
        {"feasible", [](const P&, const Plan&, const E& e, N) { return Json(e.feasible); }},
        {"reasons",
         [](const P&, const Plan&, const E& e, N) {
             Json lines = Json::array();
             for (const Wording& reason : e.reasons)
                 lines.push_back(reason.message);
             return lines;
         }},
        {"fit_chance", [](const P& p, const Plan&, const E& e, N) { return Json(chanceToFit(p, e)); }},
        {"peak_memory", memoryJson},
    };
    return table;
}

const std::vector<FoundFigure>& foundFigures() {
    static const std::vector<FoundFigure> table = {
        {"found_by", [](const FoundPlan& found) { return Json(found.foundBy); }},
        {"differs",
         [](const FoundPlan& found) {
             Json names = Json::array();
             for (const Difference difference : found.differs)
                 names.push_back(name(difference));
             return names;
         }},
    };
    return table;
}

const std::vector<StageFigure>& stageFigures() {
    using F = StageFigures;
    static const std::vector<StageFigure> table = {
        {"forward_s", [](const F& f) { return Json(f.forward.value); }},
        {"backward_s", [](const F& f) { return Json(f.backward.value); }},
        {"weight_grad_s", [](const F& f) { return Json(f.weightGrad.value); }},
        {"recompute_s", [](const F& f) { return Json(f.recompute.value); }},
        {"send_s", [](const F& f) { return Json(f.send.value); }},
        {"sync_s", [](const F& f) { return Json(f.sync.value); }},
        {"optimizer_s", [](const F& f) { return Json(f.optimizer.value); }},
        {"link", [](const F& f) { return Json(f.link); }},
        {"in_flight", [](const F& f) { return Json(f.inFlight); }},
        {"provenance", [](const F& f) { return Json(name(f.forwardProvenance)); }},
        {"measured_share", [](const F& f) { return Json(f.measuredShare); }},
    };
    return table;
}

} // namespace pw

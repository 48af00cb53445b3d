// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sensitivity.h"
#include "app/cli/table.h"

#include "core/base/units.h"
#include "core/whatif/slice.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

namespace pw::cli {

namespace {

using SliceKind = whatif::SliceParameter::Kind;

struct SlicedParameters {
    std::vector<whatif::SliceParameter> list;
    std::size_t links = 0, leftOut = 0; // single links of the cluster, and those not in the list
};

SlicedParameters slicedParameters(const JudgedPlan& judged) {
    SlicedParameters sliced{whatif::sliceParameters(*judged.problem, judged.plan()), 0, 0};
    std::map<std::string, Seconds> sends; // by the narrowest link, the longest over it
    for (const PipelineFigures& pipeline : judged.evaluation().pipelines)
        for (const StageFigures& stage : pipeline.stages)
            if (!stage.link.empty())
                sends[stage.link] = std::max(sends[stage.link], stage.send);
    const auto links = std::stable_partition(
        sliced.list.begin(), sliced.list.end(),
        [](const whatif::SliceParameter& parameter) { return parameter.kind != SliceKind::Link; });
    const auto sendOver = [&](const whatif::SliceParameter& parameter) {
        const auto found = sends.find(parameter.link);
        return found == sends.end() ? Seconds(-1.0) : found->second;
    };
    std::stable_sort(links, sliced.list.end(),
                     [&](const whatif::SliceParameter& a, const whatif::SliceParameter& b) {
                         return sendOver(a) > sendOver(b);
                     });
    sliced.links = static_cast<std::size_t>(std::distance(links, sliced.list.end()));
    sliced.leftOut = sliced.links - std::min(sliced.links, kMostSlicedLinks);
    sliced.list.resize(sliced.list.size() - sliced.leftOut);
    return sliced;
}

std::string parameterText(const whatif::SliceParameter& parameter) {
    switch (parameter.kind) {
    case SliceKind::AllLinks:
        return "bandwidth of all links";
    case SliceKind::AllLatencies:
        return "latency of all links";
    case SliceKind::Latency:
        return fmt::format("latency of link {}", parameter.link);
    case SliceKind::Link:
        return fmt::format("bandwidth of link {}", parameter.link);
    case SliceKind::Microbatch:
        return "sequences of a micro-batch";
    case SliceKind::Boundary:
        return parameter.chunk < 0
                   ? fmt::format("boundary behind stage {}", parameter.stage)
                   : fmt::format("boundary behind chunk {} of stage {}", parameter.chunk, parameter.stage);
    case SliceKind::Tp:
        return fmt::format("tp of stage {}", parameter.index);
    }
    return {};
}

Json parameterJson(const whatif::SliceParameter& parameter) {
    switch (parameter.kind) {
    case SliceKind::AllLinks:
        return {{"parameter", "all_links"}};
    case SliceKind::AllLatencies:
        return {{"parameter", "all_latencies"}};
    case SliceKind::Latency:
        return {{"parameter", "latency"}, {"link", parameter.link}};
    case SliceKind::Link:
        return {{"parameter", "link"}, {"link", parameter.link}};
    case SliceKind::Microbatch:
        return {{"parameter", "microbatch"}};
    case SliceKind::Boundary:
        return {{"parameter", "boundary"}, {"boundary", parameter.index}};
    case SliceKind::Tp:
        return {{"parameter", "tp"}, {"stage", parameter.index}};
    }
    return Json::object();
}

std::string valueText(const whatif::SliceParameter& parameter, double at) {
    if (parameter.isOfLinks())
        return fmt::format("× {}", at);
    if (parameter.kind == SliceKind::Boundary) // odd fine layers begin a block, even ones its second half
        return fmt::format("block {}", (at - 1.0) / 2.0);
    return fmt::format("{}", at);
}

// A row a value; where no value changes anything, one for all of them.
void addCurve(Table& table, const whatif::SliceParameter& parameter,
              const std::vector<whatif::SlicePoint>& points, bool estimated) {
    const auto now = std::ranges::find(points, true, &whatif::SlicePoint::now);
    if (now == points.end())
        return;
    const auto time = [&](const whatif::SlicePoint& point) {
        return formatDuration(point.iteration) + (estimated ? " ∴" : "");
    };
    std::string what = parameterText(parameter);
    const bool flat = std::ranges::all_of(points, [&](const whatif::SlicePoint& point) {
        return point.iteration == now->iteration && point.fits == now->fits;
    });
    if (flat && points.size() > 1) {
        table.add({what,
                   fmt::format("{} to {}", valueText(parameter, points.front().at),
                               valueText(parameter, points.back().at)),
                   time(*now), "0 %", now->fits ? "" : "does not fit"});
        return;
    }
    const auto change = [&](const whatif::SlicePoint& point) -> std::string {
        if (point.now)
            return "now";
        const double share = point.iteration / now->iteration - 1.0;
        return share == 0.0 ? "0 %" : fmt::format("{:+.2f} %", 100.0 * share);
    };
    for (const whatif::SlicePoint& point : points) {
        table.add({what, valueText(parameter, point.at), time(point), change(point),
                   point.fits ? "" : "does not fit"});
        what.clear();
    }
}

} // namespace

Status addSensitivity(const Session& session, const JudgedPlan& judged, Answer& answer) {
    const SlicedParameters sliced = slicedParameters(judged);
    Json list = Json::array();
    Table table({"what changes", "value", ">iteration", ">change", ""});
    std::string unknown;
    for (const whatif::SliceParameter& parameter : sliced.list) {
        Json entry = parameterJson(parameter), values = Json::array();
        const auto points = whatif::slice(*judged.problem, judged.plan(), parameter, session.stop);
        if (!points) { // a bandwidth that no cluster may have; the other parameters have their curves
            entry["why"] = points.error().text();
            unknown += fmt::format("{}: {}\n", parameterText(parameter), points.error().text());
        } else {
            for (const whatif::SlicePoint& point : *points)
                values.push_back({{"at", point.at},
                                  {"iteration_s", point.iteration.value},
                                  {"fits", point.fits},
                                  {"now", point.now}});
            addCurve(table, parameter, *points, judged.evaluation().isEstimated());
        }
        entry["points"] = std::move(values);
        list.push_back(std::move(entry));
    }
    answer.document["sensitivity"] = std::move(list);
    answer.document["sensitivity_links_left_out"] = sliced.leftOut;
    answer.text += "\none thing at a time, all else stays; predicted\n" + table.text() + unknown;
    if (sliced.leftOut > 0)
        answer.text += fmt::format("{} of {} links: the narrowest between stages first, then in the "
                                   "cluster's order; {} left out\n",
                                   sliced.links - sliced.leftOut, sliced.links, sliced.leftOut);
    if (judged.plan().pipelines.size() > 1)
        answer.text += "only links: the plan has several pipelines, and edits are of one\n";
    return Ok{};
}

} // namespace pw::cli

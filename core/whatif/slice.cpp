// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/whatif/slice.h"

#include "core/whatif/arrange.h"
#include "core/whatif/costing.h"
#include "core/whatif/whatif.h"

#include <algorithm>
#include <cstdlib>

namespace pw::whatif {

namespace {

Result<std::shared_ptr<const Problem>> scaled(const Problem& problem, const SliceParameter& parameter,
                                              double factor) {
    using Kind = SliceParameter::Kind;
    const LinkFigure figure = parameter.kind == Kind::Latency || parameter.kind == Kind::AllLatencies
                                  ? LinkFigure::Latency
                                  : LinkFigure::Bandwidth;
    std::vector<std::string> links{parameter.link};
    if (parameter.kind == Kind::AllLinks || parameter.kind == Kind::AllLatencies) {
        links.clear();
        for (const Link& link : problem.topology().cluster().links)
            links.push_back(link.id);
    }
    return withLinksScaled(problem, links, factor, figure);
}

Result<std::vector<SlicePoint>> ofLinks(const Problem& problem, const Plan& plan,
                                        const SliceParameter& parameter, const std::stop_token& stop) {
    std::vector<SlicePoint> points;
    for (const double factor : kSliceFactors) {
        if (stop.stop_requested())
            break;
        const auto changed = scaled(problem, parameter, factor);
        if (!changed)
            return changed.error();
        const Result<Evaluation> evaluation = evaluate(**changed, plan);
        if (!evaluation)
            return evaluation.error();
        points.push_back({factor, evaluation->iteration, evaluation->feasible, factor == 1.0, std::nullopt});
    }
    return points;
}

bool isFar(const Link& link) {
    return link.latency >= kFarLatency;
}

// The values that a parameter of the plan can take, and the one that it has.
struct Values {
    std::vector<double> all;
    double now = 0.0;
};

Values valuesOf(const Problem& problem, const Plan& plan, const SliceParameter& parameter) {
    Values values;
    switch (parameter.kind) {
    case SliceParameter::Kind::Microbatch:
        for (const std::int64_t size : microbatchChoices(problem, plan))
            values.all.push_back(static_cast<double>(size));
        values.now = static_cast<double>(plan.pipelines.front().microbatchSize);
        break;
    case SliceParameter::Kind::Tp:
        for (const int tp : tpChoices(problem, plan, parameter.index))
            values.all.push_back(tp);
        values.now = plan.pipelines.front().stages[static_cast<std::size_t>(parameter.index)].tp;
        break;
    case SliceParameter::Kind::Boundary: {
        const BoundaryRange range = boundaryRange(plan, parameter.index);
        const int now = boundaryLayer(plan, parameter.index);
        for (int layer = range.low; layer <= range.high; ++layer)
            if (layer == now || (layer % 2 == 1 && std::abs(layer - now) <= 2 * kSliceBlocks))
                values.all.push_back(layer);
        values.now = now;
        break;
    }
    case SliceParameter::Kind::AllLinks:
    case SliceParameter::Kind::AllLatencies:
    case SliceParameter::Kind::Link:
    case SliceParameter::Kind::Latency:
        break;
    }
    std::sort(values.all.begin(), values.all.end());
    return values;
}

Result<Plan> with(const Problem& problem, const Plan& plan, const SliceParameter& parameter, double value) {
    switch (parameter.kind) {
    case SliceParameter::Kind::Microbatch:
        return setMicrobatch(problem, plan, static_cast<std::int64_t>(value));
    case SliceParameter::Kind::Tp:
        return setTp(problem, plan, parameter.index, static_cast<int>(value));
    case SliceParameter::Kind::Boundary:
        return moveBoundary(problem, plan, parameter.index, static_cast<int>(value));
    case SliceParameter::Kind::AllLinks:
    case SliceParameter::Kind::AllLatencies:
    case SliceParameter::Kind::Link:
    case SliceParameter::Kind::Latency:
        break;
    }
    return refusal("not a parameter of the plan");
}

} // namespace

std::vector<SliceParameter> sliceParameters(const Problem& problem, const Plan& plan) {
    using Kind = SliceParameter::Kind;
    std::vector<SliceParameter> parameters;
    std::vector<std::string> links, far; // that are in use
    const std::vector<Link>& drawn = problem.topology().cluster().links;
    const std::vector<bool>& closed = problem.topology().closed();
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        if (!closed.empty() && closed[i])
            continue;
        links.push_back(drawn[i].id);
        if (isFar(drawn[i]))
            far.push_back(drawn[i].id);
    }
    if (!links.empty())
        parameters.push_back({Kind::AllLinks, {}, 0});
    if (!far.empty())
        parameters.push_back({Kind::AllLatencies, {}, 0});
    if (far.size() <= kMostFar)
        for (const std::string& link : far)
            parameters.push_back({Kind::Latency, link, 0});
    const auto add = [&](const SliceParameter& parameter) {
        if (valuesOf(problem, plan, parameter).all.size() > 1)
            parameters.push_back(parameter);
    };
    if (plan.pipelines.size() == 1) { // edits are of one pipeline
        add({Kind::Microbatch, {}, 0});
        const ChunkLayout layout = plan.pipelines.front().layout();
        for (int boundary = 0; boundary < boundaries(plan); ++boundary)
            add({Kind::Boundary,
                 {},
                 boundary,
                 layout.stageOf(boundary),
                 layout.chunks > 1 ? layout.chunkOf(boundary) : -1});
        for (int stage = 0; stage < static_cast<int>(plan.pipelines.front().stages.size()); ++stage)
            add({Kind::Tp, {}, stage});
    }
    for (const std::string& link : links)
        parameters.push_back({Kind::Link, link, 0});
    return parameters;
}

Result<std::vector<SlicePoint>> slice(const Problem& problem, const Plan& plan,
                                      const SliceParameter& parameter, const std::stop_token& stop) {
    if (parameter.isOfLinks())
        return ofLinks(problem, plan, parameter, stop);
    const Costing costing(std::make_shared<const Problem>(problem)); // stages that stay are not priced again
    const Values values = valuesOf(problem, plan, parameter);
    std::vector<SlicePoint> points;
    for (const double value : values.all) {
        if (stop.stop_requested())
            break;
        const bool now = value == values.now;
        const Result<Plan> changed = now ? Result<Plan>(plan) : with(problem, plan, parameter, value);
        if (!changed)
            continue;
        if (const Result<Evaluation> evaluation = costing.evaluate(*changed))
            points.push_back({value, evaluation->iteration, evaluation->feasible, now, *changed});
    }
    return points;
}

} // namespace pw::whatif

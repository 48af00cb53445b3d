// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accuracy/run_detail.h"

#include "core/timeline/build.h"
#include "ui/base/error_text.h"
#include "ui/session/shown_plan.h"
#include "ui/topology/geometry.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pw {

namespace {

constexpr double kGap = 2.0 * kGrid; // between the boxes of the drawing

double sum(const std::array<double, kBarKinds>& busy) {
    return std::accumulate(busy.begin(), busy.end(), 0.0);
}

RunDetail refusedDetail(const Error& error) {
    RunDetail detail;
    detail.problem = errorText(error);
    return detail;
}

} // namespace

RunDetail makeRunDetail(const RunRow& row, const std::vector<LayerTime>& layers,
                        const std::function<bool()>& stop) {
    Result<RunCase> run = runCase(row, {}, layers);
    if (!run)
        return refusedDetail(run.error());
    Candidate candidate;
    candidate.problem = run->problem;
    candidate.plan = run->plan;
    Result<Evaluation> evaluation = evaluate(*run->problem, run->plan, {.keepOps = true, .stop = &stop});
    if (!evaluation)
        return refusedDetail(evaluation.error());
    const auto judged = std::make_shared<CandidateDetail>();
    judged->timeline = buildTimeline(*run->problem, run->plan, *evaluation);
    judged->evaluation = *std::move(evaluation);
    const auto shown = makeShownPlan(candidate, judged, false);
    const auto busiest =
        std::max_element(shown->stages.begin(), shown->stages.end(),
                         [](const ShownStage& a, const ShownStage& b) { return sum(a.busy) < sum(b.busy); });
    RunDetail detail;
    detail.iteration = shown->iteration.value;
    detail.measuredShare = shown->measuredShare;
    detail.busy = busiest->busy;
    detail.idle = busiest->idle.total().value;
    detail.exposedTransfer = busiest->idle.transfer.value;
    detail.stage = busiest->stage;
    detail.stages = static_cast<int>(shown->stages.size());
    detail.figures = busiest->figures;
    detail.assumptions = std::move(run->assumptions);
    return detail;
}

Project projectOfRun(const RunCase& run, const std::string& name) {
    Project project;
    project.name = name;
    project.cluster = run.problem->topology().cluster();
    project.model = run.problem->model();
    project.recipe = run.problem->recipe();
    project.profiles = run.problem->profiles().rows();
    project.forbidden = run.problem->space().forbidden;
    std::vector<Node>& nodes = project.cluster.nodes;
    const auto columns = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(nodes.size()))));
    int largest = 0;
    for (const Node& node : nodes)
        largest = std::max(largest, node.gpus);
    const QSizeF box = nodeSize(largest);
    for (std::size_t i = 0; i < nodes.size(); ++i)
        nodes[i].at = {static_cast<double>(i % columns) * snapped(box.width() + kGap),
                       static_cast<double>(i / columns) * snapped(box.height() + kGap)};
    // The switches stand in a row above their nodes.
    double x =
        snapped((static_cast<double>(columns) * (box.width() + kGap) - kGap - kSwitchSize.width()) / 2);
    for (Switch& item : project.cluster.switches) {
        item.at = {x, -snapped(kSwitchSize.height() + 2.0 * kGap)};
        x += snapped(kSwitchSize.width() + kGap);
    }
    return project;
}

RunDetailMaker::RunDetailMaker(QObject* parent) : QObject(parent) {}

RunDetailMaker::~RunDetailMaker() = default;

void RunDetailMaker::make(const RunRow& row, const std::vector<LayerTime>& layers) {
    drop();
    m_job.start(
        [row, layers](const std::stop_token& stop) {
            return makeRunDetail(row, layers, [&stop] { return stop.stop_requested(); });
        },
        [this](Result<RunDetail> made) {
            m_detail =
                std::make_shared<const RunDetail>(made ? *std::move(made) : refusedDetail(made.error()));
            Q_EMIT changed();
        });
}

void RunDetailMaker::drop() {
    m_job.drop();
    if (std::exchange(m_detail, nullptr))
        Q_EMIT changed();
}

} // namespace pw

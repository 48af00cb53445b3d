// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"
#include "core/evaluate/deciding_stages.h"
#include "core/findings/advisor.h"
#include "core/whatif/whatif.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>

namespace pw {
namespace {

constexpr double kSlow = 0.05;         // above the mean
constexpr double kIdles = 0.10;        // of the iteration, above the stage that idles least
constexpr std::size_t kMostStages = 3; // findings of a rule
constexpr int kMostBlocks = 4;         // moved at once

// Of a micro-batch, forward and backward.
Seconds passes(const Advisor& advisor, int stage) {
    const StageFigures& f = advisor.figures()[static_cast<std::size_t>(stage)];
    return f.forward + f.backward;
}

bool hasHead(const Advisor& advisor, int stage) {
    const LayerRange& last = advisor.pipeline().stages[static_cast<std::size_t>(stage)].chunks.back();
    return last.last + 1 == static_cast<int>(advisor.problem().layers().size());
}

std::string blocks(int count) {
    return count == 1 ? "a block" : fmt::format("{} blocks", count);
}

// Blocks of a stage to its neighbours, over the boundary in front of it or behind it.
void tryMoves(Advisor& advisor, int stage, std::optional<Advisor::Trial>& best) {
    if (advisor.pipeline().schedule.chunks != 1)
        return;
    for (int count = 1; count <= kMostBlocks; ++count) {
        if (stage > 0)
            advisor.attempt(
                whatif::moveBoundary(advisor.problem(), advisor.plan(), stage - 1,
                                     whatif::boundaryLayer(advisor.plan(), stage - 1) + 2 * count),
                fmt::format("move {} to stage {}", blocks(count), stage - 1), best);
        if (stage + 1 < advisor.stages())
            advisor.attempt(whatif::moveBoundary(advisor.problem(), advisor.plan(), stage,
                                                 whatif::boundaryLayer(advisor.plan(), stage) - 2 * count),
                            fmt::format("move {} to stage {}", blocks(count), stage + 1), best);
    }
    // A block through a neighbour to the one behind it.
    for (const int by : {-1, 1}) {
        const int near = by < 0 ? stage - 1 : stage, far = near + by;
        if (near < 0 || far < 0 || near + 1 >= advisor.stages() || far + 1 >= advisor.stages())
            continue;
        const Result<Plan> first = whatif::moveBoundary(advisor.problem(), advisor.plan(), near,
                                                        whatif::boundaryLayer(advisor.plan(), near) - 2 * by);
        if (!first)
            continue;
        advisor.attempt(
            whatif::moveBoundary(advisor.problem(), *first, far, whatif::boundaryLayer(*first, far) - 2 * by),
            fmt::format("move a block to stage {} and one from there to stage {}", stage + by,
                        stage + 2 * by),
            best);
    }
}

// Blocks to a stage from its neighbours, or a block from the nearest stage that decides the time, handed on
// by those between.
void tryFilling(Advisor& advisor, int stage, std::optional<Advisor::Trial>& best) {
    if (advisor.pipeline().schedule.chunks != 1)
        return;
    const auto moved = [&](const Plan& plan, int boundary, int by) { // blocks, backwards if negative
        return whatif::moveBoundary(advisor.problem(), plan, boundary,
                                    whatif::boundaryLayer(plan, boundary) + 2 * by);
    };
    for (int count = 1; count <= kMostBlocks; ++count) {
        if (stage > 0)
            advisor.attempt(moved(advisor.plan(), stage - 1, -count),
                            fmt::format("move {} from stage {} to stage {}", blocks(count), stage - 1, stage),
                            best);
        if (stage + 1 < advisor.stages())
            advisor.attempt(moved(advisor.plan(), stage, count),
                            fmt::format("move {} from stage {} to stage {}", blocks(count), stage + 1, stage),
                            best);
    }
    int from = -1;
    for (const int deciding : decidingStages(advisor.now()).stages)
        if (from < 0 || std::abs(deciding - stage) < std::abs(from - stage))
            from = deciding;
    if (std::abs(from - stage) < 2)
        return;
    const int by = from > stage ? 1 : -1; // the stage before has taken one, before it gives one
    Result<Plan> plan = advisor.plan();
    for (int at = from; at != stage && plan; at -= by)
        plan = moved(*plan, by > 0 ? at - 1 : at, by);
    advisor.attempt(
        plan,
        fmt::format("move a block from stage {} to stage {}, handed on by the stages between", from, stage),
        best);
}

// Where most of the stage's idle time comes from.
std::string idleCause(const Advisor& advisor, int stage) {
    const IdleTime& idle = advisor.times()[static_cast<std::size_t>(stage)].idle;
    const Seconds ends = idle.warmUp + idle.coolDown;
    if (idle.transfer > idle.slowerStage && idle.transfer > ends)
        return "most of it waits for transfers";
    if (ends > idle.slowerStage)
        return "most of it is warm-up and cool-down";
    const std::vector<int> deciding = decidingStages(advisor.now()).stages;
    return fmt::format("most of it waits for slower stages: its passes take {}, those of stage{} {} {}",
                       formatDuration(passes(advisor, stage)), deciding.size() > 1 ? "s" : "",
                       stageNumbers(deciding), formatDuration(passes(advisor, deciding.front())));
}

} // namespace

// The stages that decide the time stand together: relieving one of several gains nothing. Behind them those
// that are slow beside the mean and decide nothing.
void findSlowStages(Advisor& advisor, std::vector<Finding>& found) {
    if (advisor.stages() < 2)
        return;
    std::vector<int> others(static_cast<std::size_t>(advisor.stages()));
    std::iota(others.begin(), others.end(), 0);
    double sum = 0.0;
    for (const int stage : others)
        sum += passes(advisor, stage).value;
    const double mean = sum / advisor.stages();
    const std::vector<int> deciding = decidingStages(advisor.now()).stages;
    std::erase_if(others, [&](int stage) { return std::ranges::binary_search(deciding, stage); });
    std::ranges::stable_sort(others, std::ranges::greater(),
                             [&](int stage) { return passes(advisor, stage).value; });
    std::vector<std::vector<int>> groups = {deciding};
    for (const int stage : others)
        if (groups.size() < kMostStages)
            groups.push_back({stage});
    for (const std::vector<int>& stages : groups) {
        double time = 0.0;
        for (const int stage : stages)
            time = std::max(time, passes(advisor, stage).value);
        if (time < (1.0 + kSlow) * mean)
            break;
        const bool several = stages.size() > 1;
        Finding finding;
        finding.rule = "slow-stage";
        finding.severity = &stages == &groups.front() ? Severity::Warning : Severity::Note;
        finding.stage = stages.front();
        finding.stages = several ? stages : std::vector<int>();
        const auto head = std::ranges::find_if(stages, [&](int stage) { return hasHead(advisor, stage); });
        finding.text = fmt::format("{} {:.1f} % slower than the mean of the stages{}",
                                   several ? fmt::format("stages {} are", stageNumbers(stages))
                                           : fmt::format("stage {} is", stages.front()),
                                   100.0 * (time / mean - 1.0),
                                   head == stages.end() ? ""
                                   : several            ? fmt::format("; stage {} also holds the head", *head)
                                                        : "; it also holds the head");
        std::optional<Advisor::Trial> best;
        tryMoves(advisor, stages.front(), best);
        if (several)
            tryMoves(advisor, stages.back(), best);
        found.push_back(advisor.with(std::move(finding), best));
    }
}

// What a schedule costs all stages bear alike; a stage that waits for longer has too little to do. The causes
// are those of idleByCause().
void findIdleStages(Advisor& advisor, std::vector<Finding>& found) {
    if (advisor.stages() < 2)
        return;
    const auto idle = [&](int stage) {
        return advisor.times()[static_cast<std::size_t>(stage)].idle.total().value / advisor.iteration();
    };
    std::vector<int> stages(static_cast<std::size_t>(advisor.stages()));
    std::iota(stages.begin(), stages.end(), 0);
    std::ranges::stable_sort(stages, std::ranges::greater(), idle);
    const double least = idle(stages.back());
    std::size_t told = 0;
    for (const int stage : stages) {
        if (told == kMostStages || idle(stage) < least + kIdles)
            break;
        Finding finding;
        finding.rule = "idle-stage";
        finding.severity = told++ == 0 ? Severity::Warning : Severity::Note;
        finding.stage = stage;
        finding.text =
            fmt::format("stage {} is idle {:.1f} % of the iteration, {:.1f} percentage points more than the "
                        "schedule asks; {}",
                        stage, 100.0 * idle(stage), 100.0 * (idle(stage) - least), idleCause(advisor, stage));
        std::optional<Advisor::Trial> best;
        tryFilling(advisor, stage, best);
        found.push_back(advisor.with(std::move(finding), best));
    }
}

void findOverflow(Advisor& advisor, std::vector<Finding>& found) {
    for (int i = 0; i < advisor.stages() && !advisor.now().feasible; ++i) {
        const DeviceMemory* worst = advisor.fullest(i);
        if (!worst || worst->peak.total() <= worst->capacity)
            continue;
        Finding finding;
        finding.rule = "overflow";
        finding.severity = Severity::Error;
        finding.stage = i;
        finding.text = fmt::format("stage {} needs {:.1f} of {:.1f} GiB on {}", i,
                                   toGibibytes(worst->peak.total()), toGibibytes(worst->capacity),
                                   advisor.problem().topology().kindOf(worst->device).shortName);
        std::optional<Advisor::Trial> best;
        const Problem& problem = advisor.problem();
        for (const Recompute mode : {Recompute::Selective, Recompute::Full}) {
            advisor.attempt(whatif::setRecompute(problem, advisor.plan(), i, mode),
                            fmt::format("use {} recompute in stage {}", name(mode), i), best);
            // All stages that do not fit, at once.
            Result<Plan> all = advisor.plan();
            for (int j = 0; j < advisor.stages() && all; ++j)
                if (const DeviceMemory* m = advisor.fullest(j); m && m->peak.total() > m->capacity)
                    all = whatif::setRecompute(problem, *all, j, mode);
            advisor.attempt(all, fmt::format("use {} recompute where it does not fit", name(mode)), best);
        }
        for (const int tp : whatif::tpChoices(problem, advisor.plan(), i))
            advisor.attempt(whatif::setTp(problem, advisor.plan(), i, tp),
                            fmt::format("set tp of stage {} to {}", i, tp), best);
        for (const std::int64_t size : whatif::microbatchChoices(problem, advisor.plan()))
            if (size < advisor.pipeline().microbatchSize)
                advisor.attempt(whatif::setMicrobatch(problem, advisor.plan(), size),
                                fmt::format("set the micro-batch to {}", size), best);
        tryMoves(advisor, i, best);
        found.push_back(advisor.with(std::move(finding), best));
    }
}

} // namespace pw

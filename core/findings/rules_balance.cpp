// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/findings/advisor.h"
#include "core/whatif/whatif.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace pw {
namespace {

constexpr double kSlow = 0.05; // above the mean
constexpr int kMostStages = 3; // that get a finding of a rule
constexpr int kMostBlocks = 4; // moved at once

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

} // namespace

void findSlowStages(Advisor& advisor, std::vector<Finding>& found) {
    if (advisor.stages() < 2)
        return;
    double sum = 0.0;
    std::vector<std::pair<double, int>> stages;
    for (int i = 0; i < advisor.stages(); ++i) {
        const StageFigures& f = advisor.figures()[static_cast<std::size_t>(i)];
        stages.emplace_back((f.forward + f.backward).value, i);
        sum += stages.back().first;
    }
    const double mean = sum / advisor.stages();
    std::sort(stages.rbegin(), stages.rend());
    for (int k = 0; k < std::min<int>(kMostStages, advisor.stages()); ++k) {
        const auto [time, stage] = stages[static_cast<std::size_t>(k)];
        if (time < (1.0 + kSlow) * mean)
            break;
        Finding finding;
        finding.rule = "slow-stage";
        finding.severity = k == 0 ? Severity::Warning : Severity::Note;
        finding.stage = stage;
        const LayerRange& last = advisor.pipeline().stages[static_cast<std::size_t>(stage)].chunks.back();
        const bool head = last.last + 1 == static_cast<int>(advisor.problem().layers().size());
        finding.text = fmt::format("stage {} is {:.1f} % slower than the mean of the stages{}", stage,
                                   100.0 * (time / mean - 1.0), head ? "; it also holds the head" : "");
        std::optional<Advisor::Trial> best;
        tryMoves(advisor, stage, best);
        found.push_back(advisor.with(std::move(finding), best));
    }
}

void findUnused(Advisor& advisor, std::vector<Finding>& found) {
    const Topology& topology = advisor.problem().topology();
    std::map<int, std::vector<DeviceIndex>> byKind;
    for (const DeviceIndex d : whatif::unusedDevices(advisor.problem(), advisor.plan()))
        byKind[topology.devices()[static_cast<std::size_t>(d)].kind].push_back(d);
    for (const auto& [kind, devices] : byKind) {
        Finding finding;
        finding.rule = "unused";
        finding.severity = Severity::Note;
        const std::string& name = topology.kinds()[static_cast<std::size_t>(kind)].shortName;
        finding.text = fmt::format("{} {} in no stage", devices.size(),
                                   devices.size() == 1 ? name + " is" : name + " are");
        std::optional<Advisor::Trial> best;
        for (int i = 0; i < advisor.stages(); ++i) {
            const Stage& stage = advisor.pipeline().stages[static_cast<std::size_t>(i)];
            for (int dp = stage.dp() + 1; dp <= stage.dp() + static_cast<int>(devices.size()); ++dp)
                advisor.attempt(whatif::setDp(advisor.problem(), advisor.plan(), i, dp),
                                fmt::format("raise dp of stage {} to {}", i, dp), best);
            advisor.attempt(whatif::moveDevices(advisor.problem(), advisor.plan(), devices, i),
                            fmt::format("give them to stage {}", i), best);
        }
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

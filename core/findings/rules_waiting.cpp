// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/link_loads.h"
#include "core/findings/advisor.h"
#include "core/whatif/whatif.h"

#include <fmt/format.h>

#include <algorithm>

namespace pw {
namespace {

constexpr double kWaits = 0.02;     // of the iteration
constexpr double kFills = 0.10;     // of the iteration
constexpr double kTalks = 0.15;     // of a stage's time
constexpr double kBusy = 0.5;       // of the iteration
constexpr double kAlike = 0.98;     // of the busiest link's time
constexpr double kFasterLink = 2.0; // what a link with twice the bandwidth would bring

void trySchedules(Advisor& advisor, std::optional<Advisor::Trial>& best) {
    for (const ScheduleChoice& choice : advisor.problem().space().schedules) {
        if (!choice.allows(advisor.pipeline().stages.size()))
            continue;
        const bool ruled = choice.kind == ScheduleKind::H1F1B;
        advisor.attempt(
            whatif::setSchedule(advisor.problem(), advisor.plan(), choice.kind, choice.rule),
            fmt::format("run it as {}{}", label(choice.kind),
                        ruled ? fmt::format(", launch counts by \"{}\"", name(choice.rule)) : std::string()),
            best);
    }
}

// Gradients or activations: the narrowest link next to the stage, by the time of a transfer.
std::string slowestLinkOf(const Advisor& advisor, int stage, Seconds* send) {
    std::string link;
    const ChunkLayout layout = advisor.pipeline().layout();
    for (const int front : {layout.stageBefore(stage), stage}) {
        if (front < 0 || layout.stageBehind(front) < 0)
            continue;
        const StageFigures& f = advisor.figures()[static_cast<std::size_t>(front)];
        if (f.send > *send) {
            *send = f.send;
            link = f.link;
        }
    }
    return link;
}

} // namespace

void findLinks(Advisor& advisor, std::vector<Finding>& found) {
    int worst = -1;
    for (int i = 0; i < advisor.stages(); ++i) {
        const double waits = advisor.times()[static_cast<std::size_t>(i)].idle.transfer.value;
        if (waits >= kWaits * advisor.iteration() &&
            (worst < 0 || waits > advisor.times()[static_cast<std::size_t>(worst)].idle.transfer.value))
            worst = i;
    }
    if (worst < 0)
        return;
    Seconds send;
    Finding finding;
    finding.rule = "link";
    finding.severity = Severity::Warning;
    finding.stage = worst;
    const std::string link = slowestLinkOf(advisor, worst, &send);
    const auto& links = advisor.problem().topology().cluster().links;
    const auto at = std::find_if(links.begin(), links.end(), [&](const Link& l) { return l.id == link; });
    finding.link = at == links.end() ? std::string() : link;
    finding.text = fmt::format(
        "stage {} waits {:.1f} % of the iteration on {}{}", worst,
        100.0 * (advisor.times()[static_cast<std::size_t>(worst)].idle.transfer.value / advisor.iteration()),
        at == links.end() ? link : "link " + link,
        at == links.end() ? std::string() : fmt::format(" ({})", rateText(at->bandwidth)));
    std::optional<Advisor::Trial> best;
    trySchedules(advisor, best);
    for (const std::int64_t size : whatif::microbatchChoices(advisor.problem(), advisor.plan()))
        if (size >= advisor.pipeline().microbatchSize / 2 && size <= 2 * advisor.pipeline().microbatchSize)
            advisor.attempt(whatif::setMicrobatch(advisor.problem(), advisor.plan(), size),
                            fmt::format("set the micro-batch to {}", size), best);
    Finding byPlan = advisor.with(finding, best);
    if (byPlan.remedy.empty() && at != links.end()) {
        std::optional<Advisor::Trial> faster;
        advisor.attempt(whatif::withLinksScaled(advisor.problem(), {link}, kFasterLink),
                        fmt::format("give link {} {}", link, rateText(at->bandwidth * kFasterLink)), faster);
        byPlan = advisor.with(std::move(finding), faster);
    }
    found.push_back(std::move(byPlan));
}

// A plan is made for the links that there are: where one of them is nearly always busy, the same plan gains
// little by a faster one, and another plan much.
void findBusyLink(Advisor& advisor, std::vector<Finding>& found) {
    const LinkLoads loads = linkLoads(advisor.problem(), advisor.plan());
    const auto busier = [](const std::array<LinkLoad, 2>& ways) {
        return std::max(ways[0].total(), ways[1].total());
    };
    const auto most = std::ranges::max_element(loads, {}, busier);
    if (most == loads.end() || busier(*most) < kBusy * advisor.iteration())
        return;
    const Link& link =
        advisor.problem().topology().cluster().links[static_cast<std::size_t>(most - loads.begin())];
    Finding finding;
    finding.rule = "busy-link";
    finding.severity = Severity::Warning;
    finding.link = link.id;
    const auto alike = std::ranges::count_if(
        loads, [&](const std::array<LinkLoad, 2>& ways) { return busier(ways) >= kAlike * busier(*most); });
    finding.text = fmt::format(
        "link {} ({}) is busy {:.1f} % of the iteration{}: plans are made for the links that there are, and "
        "with faster ones a new search may find a much faster plan",
        link.id, rateText(link.bandwidth * link.lanes), 100.0 * busier(*most) / advisor.iteration(),
        alike > 1 ? fmt::format(", and {} more as much", alike - 1) : std::string());
    if (alike > 1) { // a faster one alone would show nothing
        found.push_back(std::move(finding));
        return;
    }
    std::optional<Advisor::Trial> faster;
    advisor.attempt(whatif::withLinksScaled(advisor.problem(), {link.id}, kFasterLink),
                    fmt::format("give link {} {} and keep the plan", link.id,
                                rateText(link.bandwidth * link.lanes * kFasterLink)),
                    faster);
    found.push_back(advisor.with(std::move(finding), faster));
}

void findSync(Advisor& advisor, std::vector<Finding>& found) {
    const TimeParts& time = advisor.now().time;
    const double exposed = (time.exposedDp + time.sync).value;
    if (exposed < kWaits * advisor.iteration())
        return;
    int worst = 0;
    for (int i = 1; i < advisor.stages(); ++i)
        if (advisor.figures()[static_cast<std::size_t>(i)].sync >
            advisor.figures()[static_cast<std::size_t>(worst)].sync)
            worst = i;
    Finding finding;
    finding.rule = "sync";
    finding.severity = Severity::Warning;
    finding.stage = worst;
    finding.text = fmt::format("summing gradients adds {:.1f} % to the iteration; stage {} takes longest",
                               100.0 * exposed / advisor.iteration(), worst);
    std::optional<Advisor::Trial> best;
    const Stage& stage = advisor.pipeline().stages[static_cast<std::size_t>(worst)];
    for (const int tp : whatif::tpChoices(advisor.problem(), advisor.plan(), worst))
        if (tp != stage.tp)
            advisor.attempt(whatif::setTp(advisor.problem(), advisor.plan(), worst, tp),
                            fmt::format("set tp of stage {} to {}", worst, tp), best);
    if (worst > 0)
        advisor.attempt(whatif::moveBoundary(advisor.problem(), advisor.plan(), worst - 1,
                                             whatif::boundaryLayer(advisor.plan(), worst - 1) + 2),
                        fmt::format("move a block to stage {}", worst - 1), best);
    if (worst + 1 < advisor.stages())
        advisor.attempt(whatif::moveBoundary(advisor.problem(), advisor.plan(), worst,
                                             whatif::boundaryLayer(advisor.plan(), worst) - 2),
                        fmt::format("move a block to stage {}", worst + 1), best);
    found.push_back(advisor.with(std::move(finding), best));
}

void findTensorParallel(Advisor& advisor, std::vector<Finding>& found) {
    for (int i = 0; i < advisor.stages(); ++i) {
        const Stage& stage = advisor.pipeline().stages[static_cast<std::size_t>(i)];
        const StageFigures& f = advisor.figures()[static_cast<std::size_t>(i)];
        const double share = f.communication / (f.forward + f.backward);
        if (stage.tp < 2 || share < kTalks)
            continue;
        Finding finding;
        finding.rule = "tensor-parallel";
        finding.stage = i;
        finding.text =
            fmt::format("stage {} spends {:.1f} % of its time in tensor-parallel communication, tp {}", i,
                        100.0 * share, stage.tp);
        std::optional<Advisor::Trial> best;
        for (const int tp : whatif::tpChoices(advisor.problem(), advisor.plan(), i))
            if (tp < stage.tp)
                advisor.attempt(whatif::setTp(advisor.problem(), advisor.plan(), i, tp),
                                fmt::format("set tp of stage {} to {}", i, tp), best);
        found.push_back(advisor.with(std::move(finding), best));
    }
}

void findFillAndDrain(Advisor& advisor, std::vector<Finding>& found) {
    double idle = 0.0, devices = 0.0;
    for (int i = 0; i < advisor.stages(); ++i) {
        const IdleTime& time = advisor.times()[static_cast<std::size_t>(i)].idle;
        const double weight = advisor.pipeline().stages[static_cast<std::size_t>(i)].deviceCount();
        idle += weight * (time.warmUp + time.coolDown).value;
        devices += weight;
    }
    const double share = idle / devices / advisor.iteration();
    if (share < kFills || advisor.stages() < 2)
        return;
    Finding finding;
    finding.rule = "fill";
    finding.severity = Severity::Warning;
    finding.text =
        fmt::format("a GPU stands {:.1f} % of the iteration in warm-up and cool-down: {} micro-batches "
                    "for {} stages",
                    100.0 * share, advisor.pipeline().microbatches, advisor.stages());
    std::optional<Advisor::Trial> best;
    for (const std::int64_t size : whatif::microbatchChoices(advisor.problem(), advisor.plan()))
        if (size < advisor.pipeline().microbatchSize)
            advisor.attempt(whatif::setMicrobatch(advisor.problem(), advisor.plan(), size),
                            fmt::format("lower the micro-batch to {}", size), best);
    for (int i = 0; i + 1 < advisor.stages(); ++i)
        advisor.attempt(whatif::mergeStages(advisor.problem(), advisor.plan(), i),
                        fmt::format("merge stages {} and {}", i, i + 1), best);
    found.push_back(advisor.with(std::move(finding), best));
}

void findSchedule(Advisor& advisor, std::vector<Finding>& found) {
    if (advisor.stages() < 2)
        return;
    std::optional<Advisor::Trial> best;
    trySchedules(advisor, best);
    Finding finding;
    finding.rule = "schedule";
    finding.text =
        fmt::format("{} is not the fastest order of these passes", label(advisor.pipeline().schedule.kind));
    finding = advisor.with(std::move(finding), best);
    if (!finding.remedy.empty())
        found.push_back(std::move(finding));
}

} // namespace pw

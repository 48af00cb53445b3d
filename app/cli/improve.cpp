// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/chosen_plan.h"
#include "app/cli/plan_output.h"
#include "app/cli/session.h"

#include "core/base/units.h"
#include "core/document/plan_document.h"
#include "core/whatif/improve.h"

#include <fmt/format.h>

namespace pw::cli {

namespace {

struct ImproveFlags {
    PlanFlags plan;
    std::vector<int> stages;
    std::vector<std::string> devices;
    whatif::Reach reach;
    PlanOutput output;
};

Result<whatif::Locks> locksOf(const ImproveFlags& flags, const Problem& problem, const Plan& plan) {
    whatif::Locks locks;
    const auto stages = static_cast<int>(plan.pipelines.front().stages.size());
    for (const int stage : flags.stages) {
        if (stage < 0 || stage >= stages)
            return badInput("usage", "--lock-stage",
                            {"the plan has stages 0 to {last}", {{"last", stages - 1}}});
        locks.stages.push_back(stage);
    }
    for (const std::string& id : flags.devices) {
        const DeviceIndex device = problem.topology().find(id);
        if (device < 0)
            return badInput("usage", "--lock-device",
                            {"\"{device}\" is no device of the cluster", {{"device", id}}});
        locks.devices.push_back(device);
    }
    return locks;
}

Result<Answer> improveCommand(const Session& session, const ImproveFlags& flags) {
    Result<JudgedPlan> judged = judgePlan(session, flags.plan, false);
    if (!judged)
        return judged.error();
    const Result<whatif::Locks> locks = locksOf(flags, *judged->problem, judged->plan());
    if (!locks)
        return locks.error();
    const Seconds before = judged->evaluation().iteration;
    Result<whatif::Improvement> better =
        whatif::improve(judged->problem, judged->plan(), *locks, flags.reach, {}, session.stop);
    if (!better)
        return better.error();
    std::string line;
    if (better->steps.empty()) {
        line = fmt::format("none of {} edits of the plan makes it faster", better->tried);
    } else {
        whatif::Improvement::Step& best = better->steps.back();
        line = fmt::format("{} edits out of {} tried: {} instead of {} ({:+.2f} %)", better->steps.size(),
                           better->tried, formatDuration(best.evaluation.iteration), formatDuration(before),
                           100.0 * (best.evaluation.iteration / before - 1.0));
        judged->outcome.plans = {{std::move(best.plan), std::move(best.evaluation)}};
    }
    if (better->stopped || better->exhausted)
        line += better->stopped ? "; interrupted" : "; the limit of tries ended it";
    const auto document = [&](DeviceNames names) {
        Json made = judged->document(names);
        made["improved"] = {{"from_s", before.value},
                            {"steps", better->steps.size()},
                            {"tried", better->tried},
                            {"stopped", better->stopped},
                            {"exhausted", better->exhausted}};
        if (session.reproducible)
            leaveOutRunTimes(made);
        return made;
    };
    Answer answer{document(DeviceNames::Each), line + "\n\n" + judged->text(), judged->refusal()};
    if (!flags.output.out.empty()) {
        const DeviceNames names = flags.output.names(judged->problem->topology());
        if (Status done = flags.output.write(document(names), names); !done)
            return done.error();
        answer.text += fmt::format("\nwritten to {}\n", flags.output.out);
    }
    return answer;
}

} // namespace

Command addImprove(CLI::App& app) {
    auto flags = std::make_shared<ImproveFlags>();
    CLI::App* sub = app.add_subcommand("improve", "climb from a plan by edits that each make it faster");
    flags->plan.addTo(*sub);
    sub->add_option("--lock-stage", flags->stages, "stages that keep their blocks and devices")
        ->type_name("STAGE...");
    sub->add_option("--lock-device", flags->devices, "devices that stay with the blocks they hold")
        ->type_name("DEVICE...");
    sub->add_option("--tries", flags->reach.tries, "plans to evaluate at most")
        ->check(CLI::Range(1, 1'000'000'000).description(""))
        ->capture_default_str();
    sub->add_flag("--all-schedules", flags->reach.wider.schedules,
                  "also interleaved and zero-bubble schedules, which a search takes only if asked");
    sub->add_flag("--mixed-stages", flags->reach.wider.mixedStages,
                  "also stages on two kinds of device; likewise");
    flags->output.addTo(*sub, "write the plan document");
    return {sub, [flags](const Session& session) { return improveCommand(session, *flags); }, true};
}

} // namespace pw::cli

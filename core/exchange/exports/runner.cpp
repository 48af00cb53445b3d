// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/plan_document.h"
#include "core/exchange/exports/exporters.h"
#include "core/exchange/exports/launch_files.h"
#include "core/exchange/exports/plain_pipelines.h"
#include "core/exchange/exports/torch_schedule.h"
#include "core/plan/plan.h"
#include "runner_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace pw {

namespace {

// A container image with a PyTorch for the plan's GPUs. Those with kernels for what was announced from 2024
// on (Blackwell) have none for Volta and older kinds.
const char* imageFor(const Problem& problem, const Plan& plan) {
    const std::vector<const DeviceKind*> kinds = usedKinds(problem, plan);
    if (kinds.front()->vendor == "AMD")
        return "rocm/pytorch:latest";
    return std::ranges::any_of(kinds, [](const DeviceKind* kind) { return kind->date >= "2024"; })
               ? "pytorch/pytorch:2.7.1-cuda12.8-cudnn9-runtime"
               : "pytorch/pytorch:2.5.1-cuda12.4-cudnn9-runtime";
}

// As shape.py has them: what a family has beside its sizes (activation, positions, order of norms) is written
// there.
constexpr std::array<std::string_view, 11> kFamilies = {"llama",     "mistral",  "mixtral",   "qwen2",
                                                        "qwen2_moe", "qwen3",    "qwen3_moe", "gpt2",
                                                        "gpt_neo",   "gpt_neox", "opt"};

// The plan document, and beside it the order of passes wherever a search chose it: no document holds that.
std::vector<ExportFile> planFiles(const ExportInput& input) {
    std::vector<ExportFile> orders;
    SearchOutcome outcome = input.outcome;
    outcome.plans = {FoundPlan{input.plan, input.evaluation}};
    Json document = planDocument(input.problem, outcome);
    for (std::size_t p = 0; p < input.evaluation.pipelines.size(); ++p) {
        if (!splitsBackward(input.plan.pipelines[p].schedule.kind))
            continue;
        orders.push_back({fmt::format("order-{}.csv", p), torchScheduleCsv(input.evaluation.pipelines[p])});
        document["plans"][0]["pipelines"][p]["schedule"]["order"] = orders.back().name;
    }
    std::vector<ExportFile> files = {{"plan.json", printJson(document)}};
    std::move(orders.begin(), orders.end(), std::back_inserter(files));
    return files;
}

std::string runScript(const ExportInput& input, const LaunchOrder& order) {
    std::string text = fmt::format("#!/bin/bash\n# Trains the plan: {} GPUs of {} nodes.\n", order.world(),
                                   order.nodes.size());
    text += "# Nodes in rank order:\n" + placementComment(input.problem, order);
    text += R"sh(# Run it on every node, or hand it to slurm.sbatch or kubernetes.yaml:
#     ./run.sh [FLAG...]
# Flags are those of runner/run.py, which --help lists; --dry-run 10 trains ten steps on synthetic tokens. The last three
# steps are recorded, unless --record says otherwise: recorded steps are slower, and what they say is kept until the end.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
exec bash "$here/launch.sh" --redirects 1 --tee 1 "$here/runner/run.py" --plan "$here/plan.json" --out "$here/run.json" --record 3 "$@"
)sh";
    return text;
}

// A name inside a line of Markdown: whatever it holds, it is no HTML, link, emphasis or other block. What
// addresses are made of is escaped, too, since some readers make links of them.
std::string inMarkdown(std::string_view name) {
    std::string text;
    for (const char c : name) {
        if (std::string_view("\\`*_~[]<>&!|#:@").find(c) != std::string_view::npos ||
            (c == '.' && text.ends_with("www")))
            text += '\\';
        text += c == '\n' || c == '\t' ? ' ' : c;
    }
    return text;
}

std::string readMe(const ExportInput& input, const LaunchOrder& order) {
    return fmt::format(
        R"md(# {} on {} GPUs

A plan of Pipewright (`{}`) with the program that runs it. It needs Python 3.9 and PyTorch 1.13 or later, nothing of
Pipewright. Three commands:

On this machine, without GPUs: all ranks with the plan's shape and small widths, as slow to each other as its devices, a
process each.

    python3 runner/run.py --plan plan.json --emulate --tiny --steps 3 --out run.json{}

On the cluster, in a folder that all nodes see: on every node `./run.sh --dry-run 10`, or for all of them at once

    sbatch slurm.sbatch ./run.sh --dry-run 10

What was predicted beside what ran:

    pipewright-cli evaluate --plan plan.json --measured run.json

Without `--dry-run` it trains; `--tokens`, `--weights`, `--checkpoints` and all others are in `runner/run.py --help` and
[runner/README.md](runner/README.md). `kubernetes.yaml` starts the same under Kubernetes; `launch.sh` is what each of
them runs on a node. Nodes in rank order: {}.

`pipewright-export.json` says of which plan every file is, and no script runs where it names two. Of what was changed or
copied into the folder by hand it knows nothing.
)md",
        inMarkdown(input.problem.model().name), order.world(), stagePattern(input.problem, input.plan),
        // As many as run.py starts without being asked (MOST_RANKS in flags.py).
        order.world() > 64 ? fmt::format(" --most-ranks {}", order.world()) : std::string(), [&] {
            std::vector<std::string> names;
            names.reserve(order.nodes.size());
            for (const RankNode& node : order.nodes)
                names.push_back(
                    input.problem.topology().cluster().nodes[static_cast<std::size_t>(node.node)].id);
            return inMarkdown(fmt::format("{}", fmt::join(names, ", ")));
        }());
}

} // namespace

void checkRunnerQuestion(const Problem& problem, const std::string&, std::vector<Refusal>& refusals) {
    const Model& m = problem.model();
    const std::string where = "model " + m.name;
    if (std::find(kFamilies.begin(), kFamilies.end(), m.family) == kFamilies.end())
        refusals.push_back(
            {"E_UNSUPPORTED_MODEL",
             where,
             {"family \"{family}\"; {known} are run",
              {{"family", m.family}, {"known", fmt::format("{}", fmt::join(kFamilies, ", "))}}}});
    if (m.chunks)
        refusals.push_back({"E_UNSUPPORTED_MODEL", where, "its windows do not slide"});
    if (scalesPositions(m))
        refusals.push_back({"E_UNSUPPORTED_MODEL",
                            where,
                            {"its rotary positions are scaled ({kind}); plain ones are run",
                             {{"kind", m.rotaryScaling.kind}}}});
    if (m.experts.routerBias || m.experts.groups > 0 || m.experts.scale > 0.0)
        refusals.push_back(
            {"E_UNSUPPORTED_MODEL", where, "its router has a bias, groups or a scale; a plain one is run"});
}

void checkRunner(const Problem& problem, const Plan& plan, const std::string&,
                 std::vector<Refusal>& refusals) {
    checkHostNames(problem, usedNodes(problem, plan), refusals);
    const bool several = plan.pipelines.size() > 1;
    for (std::size_t p = 0; p < plan.pipelines.size(); ++p) {
        const Pipeline& pipeline = plan.pipelines[p];
        const Stage& first = pipeline.stages.front();
        const std::string where = several ? fmt::format("pipeline {}", p) : "stage 0";
        if (pipeline.stages.size() > 1 || first.zero != 2)
            continue;
        if (several)
            refusals.push_back({"E_SHARDING", where, "ZeRO-2 is not run beside another pipeline; ZeRO-1 is"});
        else if (first.dp() > 1 && (pipeline.schedule.chunks > 1 || splitsBackward(pipeline.schedule.kind)))
            refusals.push_back({"E_SHARDING", where,
                                "ZeRO-2 is run with whole backward passes of one chunk; ZeRO-1 with any"});
    }
}

void runnerNotes(const Problem& problem, const Plan&, const std::string&, Diagnostics& notes) {
    const Model& m = problem.model();
    if (m.learnedPositions == 0 && m.rotaryBase == 0)
        notes.push_back({Severity::Warning, "export.rotary_base", "model " + m.name,
                         "does not state the base of its rotary positions, and the runner takes that of its "
                         "family's first models: give the runner --config, or the model rotary_base"});
}

std::vector<ExportFile> exportRunner(const ExportInput& input) {
    const LaunchOrder order = usedNodes(input.problem, input.plan);
    std::vector<ExportFile> files = planFiles(input);
    files.push_back({"README.md", readMe(input, order)});
    files.push_back({"run.sh", runScript(input, order)});
    for (ExportFile& file : launchFiles(input.problem, order, "./run.sh"))
        files.push_back(std::move(file));
    files.push_back(kubernetesPods(input.problem, order, "run.sh", imageFor(input.problem, input.plan)));
    for (const embedded::RunnerFile& file : embedded::kRunnerFiles)
        files.push_back({fmt::format("runner/{}", file.name), file.text});
    return files;
}

} // namespace pw

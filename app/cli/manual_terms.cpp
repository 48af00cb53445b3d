// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/manual_pages.h"
#include "app/cli/markdown.h"
#include "app/cli/run_sources.h"

#include "core/accuracy/published_runs.h"
#include "core/calibrate/run_case.h"
#include "core/calibrate/score.h"
#include "core/evaluate/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pw::cli {

namespace {

constexpr double kNothing = 1e-12; // what costs nothing; constants are above 0
constexpr double kNoLimit = 1e18;
constexpr double kShown = 0.0005; // of a median error

// What a fitted constant would be if its effect did not exist.
struct Neutral {
    std::string_view name;
    double value;
    const char* what; // for people
};
constexpr Neutral kNeutral[] = {
    {"launch", kNothing, "calls start at once"},
    {"step", kNothing, "steps take the cables' latency alone"},
    {"switched_share", 1.0, "the line rate"},
    {"direct_share", 1.0, "the line rate"},
    {"mesh_share", 1.0, "the line rate"},
    {"reducing_share", 1.0, "the line rate"},
    {"low_latency_share", kNothing, "no such protocol"},
    {"pcie_share", 1.0, "the lanes' rate"},
    {"rdma_latency", kNothing, "no latency"},
    {"ethernet_latency", kNothing, "no latency"},
    {"rdma_share", 1.0, "the line rate"},
    {"efa_share", 1.0, "the line rate"},
    {"ethernet_share", 1.0, "the line rate"},
    {"host_copy_rate", kNoLimit, "hosts copy in no time"},
    {"sustained_share", 1.0, "the best measured rate"},
    {"energy_12nm", kNothing, "no limit on power"},
    {"energy_8nm", kNothing, "no limit on power"},
    {"product_startup", kNothing, "tiles start at once"},
    {"memory_share", 1.0, "the datasheet's bandwidth"},
    {"kernel_launch", kNothing, "kernels follow each other at once"},
    {"host_call", kNothing, "the host is never what is waited for"},
    {"attention_forward", 1.0, "the best published kernel"},
    {"attention_backward", 1.0, "the best published kernel"},
    {"rowwise_share", 1.0, "as with one scale a tensor"},
    {"quantise_bytes", kNothing, "operands are narrowed for nothing"},
    {"overlap_slowdown", 1.0, "nothing slows beside a collective"},
    {"hidden_share", kNothing, "nothing is hidden"},
    {"library_share", 1.0, "the published rate"},
    {"attention_library_share", 1.0, "the published rate"},
    {"queued_launch", kNothing, "kernels follow each other at once"},
    {"graph_launch", kNothing, "kernels follow each other at once"},
    {"update_share", 1.0, "the rate of any other kernel over memory"},
    {"workspaces", kNothing, "no scratch"},
    {"reserved_factor", 1.0, "allocators hold what they have given out"},
    {"in_use_offset", kNothing, "nothing beside"},
    {"gpu_memory_offset", kNothing, "nothing beside"},
};

const char* name(FittedTo fit) {
    return fit == FittedTo::Runs ? "runs" : fit == FittedTo::Collectives ? "collectives" : "by hand";
}

std::string constantsTable(const ConstantSet& constants) {
    MarkdownTable table({"constant", "of", ">value", "unit", "fitted to", "what it is", "source"});
    for (const FittedConstant& c : constants.list())
        table.add({inCode(c.name), c.section, fmt::format("{:.4g}", c.value), c.unit == "1" ? "" : c.unit,
                   name(c.fit), c.meaning, c.source});
    return table.text();
}

struct Medians {
    double time = std::nan(""), memory = std::nan("");
};

std::vector<Medians> mediansOf(const Session& session, const std::vector<RunSource>& sources,
                               const ConstantSet& constants) {
    std::vector<Medians> all;
    for (const RunSource& source : sources) {
        const SourceScore score =
            scoreRuns(source.name, source.rows,
                      predictRuns(source.rows, 0, session.stop, {}, source.layers, constants));
        Medians& own = all.emplace_back();
        if (score.time.count > 0)
            own.time = score.time.median;
        if (score.memory.count > 0)
            own.memory = score.memory.median;
    }
    return all;
}

Result<std::string> ablationTable(const Session& session, const std::vector<RunSource>& sources) {
    const ConstantSet& builtin = ConstantSet::builtin();
    const std::vector<Medians> with = mediansOf(session, sources, builtin);
    MarkdownTable table({"without", "taken instead", "figure", "runs of", ">with", ">without"});
    for (std::size_t i = 0; i < builtin.list().size(); ++i) {
        const FittedConstant& constant = builtin.list()[i];
        const auto neutral = std::ranges::find(kNeutral, constant.name, &Neutral::name);
        if (neutral == std::ranges::end(kNeutral))
            return failure("manual.constant", constant.name, "nobody has said what it is without effect");
        std::vector<double> values;
        for (const FittedConstant& c : builtin.list())
            values.push_back(c.value);
        values[i] = neutral->value;
        const std::vector<Medians> without = mediansOf(session, sources, builtin.with(values));
        if (session.stop.stop_requested())
            return stopped("stopped", "stopped before all terms were tried");
        session.event(LogLevel::Info, "accuracy", "without " + constant.name);
        int rows = 0;
        const auto compare = [&](const char* figure, double Medians::*of) {
            for (std::size_t s = 0; s < sources.size(); ++s)
                if (std::abs(without[s].*of - with[s].*of) >= kShown) {
                    const bool first = rows++ == 0;
                    table.add({first ? inCode(constant.name) : "", first ? neutral->what : "", figure,
                               publishedTable(sources[s].name).label,
                               fmt::format("{:.1f} %", 100.0 * with[s].*of),
                               fmt::format("{:.1f} %", 100.0 * without[s].*of)});
                }
        };
        compare("time", &Medians::time);
        compare("memory", &Medians::memory);
        if (rows == 0)
            table.add({inCode(constant.name), neutral->what, "", "none moves", "", ""});
    }
    return table.text();
}

// Software that lacks every capability, with those that are written only where they are set.
const Json& usualSoftware() {
    static const Json usual = [] {
        Software stalls;
        stalls.stageStall = 1.0;
        Json json = toJson(Software{});
        const Json every = toJson(stalls);
        for (const auto& [capability, set] : every.items())
            if (!json.contains(capability))
                json[capability] = 0.0;
        return json;
    }();
    return usual;
}

// The same question to software that lacks a capability, as usualSoftware() does; null where it has none.
std::shared_ptr<const Problem> lacking(const Problem& problem, const std::string& capability) {
    const Json& usual = usualSoftware().at(capability);
    Recipe recipe = problem.recipe();
    Json software = toJson(recipe.software);
    if (software.value(capability, usual) == usual)
        return nullptr;
    software[capability] = usual;
    recipe.software = softwareFromJson(JsonReader(software, "software"));
    const auto made = Problem::make(problem.topology().cluster(), problem.model(), recipe,
                                    problem.profiles().rows(), problem.space(), problem.constants());
    return made ? *made : nullptr;
}

// Of the rows of a source that have the capability: their errors with it, and without.
struct CapabilityErrors {
    std::vector<double> with, without;
};
CapabilityErrors errorsOf(const Session& session, const RunSource& source,
                          const std::vector<RunPrediction>& predictions, const std::string& capability) {
    constexpr const char* kLacks = "lacks it";
    const std::vector<RunPrediction> changed =
        predictRuns(source.rows, 0, session.stop, {}, source.layers, ConstantSet::builtin(),
                    [&](const RunCase& run, const Evaluation&, RunPrediction& prediction) {
                        const std::shared_ptr<const Problem> problem = lacking(*run.problem, capability);
                        if (!problem)
                            return;
                        if (const Result<Evaluation> evaluation = evaluate(*problem, run.plan)) {
                            prediction.iterTimeS = evaluation->iteration.value;
                            prediction.remarks = kLacks;
                        }
                    });
    const std::vector<bool> scored = scoredRows(source.rows, predictions);
    CapabilityErrors errors;
    for (std::size_t i = 0; i < changed.size(); ++i) {
        const std::optional<double> with = timeError(source.rows[i], predictions[i]),
                                    without = timeError(source.rows[i], changed[i]);
        if (!scored[i] || !with || !without || changed[i].remarks != kLacks)
            continue;
        errors.with.push_back(*with);
        errors.without.push_back(*without);
    }
    return errors;
}

Result<std::string> capabilityTable(const Session& session, const std::vector<RunSource>& sources) {
    std::vector<std::vector<RunPrediction>> predictions;
    predictions.reserve(sources.size());
    for (const RunSource& source : sources)
        predictions.push_back(predictRuns(source.rows, 0, session.stop, {}, source.layers));
    MarkdownTable table({"without", "runs of", ">rows that have it", ">with", ">bias", ">without", ">bias"});
    for (const auto& [capability, usual] : usualSoftware().items()) {
        int rows = 0;
        for (std::size_t s = 0; s < sources.size(); ++s) {
            const CapabilityErrors errors = errorsOf(session, sources[s], predictions[s], capability);
            if (session.stop.stop_requested())
                return stopped("stopped", "stopped before all capabilities were tried");
            if (errors.with.empty() || errors.with == errors.without)
                continue;
            const ErrorFigures with = errorFigures(errors.with), without = errorFigures(errors.without);
            const auto percent = [](double share) { return fmt::format("{:.1f} %", 100.0 * share); };
            table.add({rows++ == 0 ? inCode(capability) : "", publishedTable(sources[s].name).label,
                       fmt::format("{}", with.count), percent(with.median),
                       fmt::format("{:+.1f} %", 100.0 * with.bias), percent(without.median),
                       fmt::format("{:+.1f} %", 100.0 * without.bias)});
        }
        session.event(LogLevel::Info, "accuracy", "without " + capability);
        if (rows == 0)
            table.add({inCode(capability), "none moves", "", "", "", "", ""});
    }
    return table.text();
}

} // namespace

Result<std::string> termsPage(const Session& session, const CLI::App&) {
    const Result<std::vector<RunSource>> sources = readRunSources({});
    if (!sources)
        return sources.error();
    const Result<std::string> ablation = ablationTable(session, *sources);
    if (!ablation)
        return ablation.error();
    const Result<std::string> capabilities = capabilityTable(session, *sources);
    if (!capabilities)
        return capabilities.error();
    return pageHead("Terms in figures", "terms",
                    "What is fitted in the cost model, and what the published runs lose without it. What "
                    "trainers differ in stands in [software stacks](../project-file.md#software-stacks).") +
           "\n## Constants\n\n" + constantsTable(ConstantSet::builtin()) +
           "\n## Without each\n\nMedian |predicted / measured − 1| of a source's rows of quality A and B, "
           "with all constants and with one put out of force, the others unchanged; sources that move by "
           "less than 0.05 points are left out. A source may gain: a constant is one for all.\n\n" +
           *ablation +
           "\n## Without each capability\n\nThe same for what software stacks state: median |predicted / "
           "measured − 1| and median of the signed errors of those rows of quality A and B whose software "
           "has the capability, as they are predicted and as if their software had it not and did what is "
           "usual instead. Plans, batches and constants stay. Sources that do not move are left out.\n\n" +
           *capabilities;
}

} // namespace pw::cli

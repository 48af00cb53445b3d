// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/parse.h"
#include "app/cli/plan_text.h"
#include "app/cli/problem_flags.h"
#include "app/cli/session.h"
#include "app/cli/table.h"

#include "core/base/file.h"
#include "core/base/units.h"
#include "core/base/version.h"
#include "core/partition/comparison.h"
#include "core/reproduce/published_paper.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace pw::cli {

namespace {

namespace ptn = pw::partition;

struct PartitionFlags {
    ProblemFlags problem;
    std::string gpus, blocks, published;
    bool withoutGrids = false;
};

struct Group {
    int gpus = 0;
    ptn::Comparison found;
    double published = 0.0; // 0: nothing is
};

// What a paper's authors have measured of a model, by number of GPUs. Shown beside predictions, never used
// for one.
struct Gains {
    std::string source, model, where;
    std::map<int, double> gain;
};

Result<Gains> publishedGains(const std::string& file, const std::string& model) {
    const Result<std::string> text = readFile(file);
    if (!text)
        return text.error();
    const Result<PublishedPaper> paper = readPublishedPaper(*text, file);
    if (!paper)
        return paper.error();
    Gains gains;
    gains.source = fmt::format("{}, {}", paper->title, paper->source);
    for (const PublishedCase& one : paper->cases)
        for (const PublishedRow& row : one.rows)
            if (const auto* asked = std::get_if<BlockPartition>(&row.prediction);
                asked && asked->tp == 0 && row.figure == "gain" && row.published && one.model &&
                one.model->name == model) {
                gains.model = one.name;
                gains.where = row.where;
                gains.gain[asked->gpus] = row.published->low;
            }
    if (gains.gain.empty())
        return badInput("published.model", file,
                        {"states no gain of a partition of \"{model}\"", {{"model", model}}});
    return gains;
}

std::vector<DeviceIndex> allowedDevices(const Problem& problem) {
    std::vector<DeviceIndex> devices;
    for (std::size_t d = 0; d < problem.allowed().size(); ++d)
        if (problem.allowed()[d])
            devices.push_back(static_cast<DeviceIndex>(d));
    return devices;
}

std::string sizesText(const ptn::TensorParallel& other) {
    return fmt::format("tp {} x dp {}", other.tp, other.dp);
}

std::string strategyText(const ptn::Comparison& found) {
    const ptn::TensorParallel* other = found.chosen();
    if (!other)
        return "partition";
    return fmt::format("tensor parallelism, {}{}", sizesText(*other),
                       other->sequenceParallel ? ", sequence parallel" : "");
}

std::string seconds(double s, bool fits) {
    return formatDuration(Seconds(s)) + (fits ? "" : " *");
}

std::string gainText(double gain) {
    return gain > 0.0 ? fmt::format("{:.2f}", gain) : "";
}

std::string otherText(const ptn::Comparison& found, bool sequenceParallel) {
    const ptn::TensorParallel* other = found.best(sequenceParallel);
    return other ? fmt::format("{} ({})", seconds(other->figures.seconds, other->fits), sizesText(*other))
                 : "";
}

std::string comparisonTable(const std::vector<Group>& groups) {
    Table table({">GPUs", ">partition", ">tensor parallel", ">and sequence parallel", ">predicted gain",
                 ">over both", ">published gain"});
    for (const Group& group : groups) {
        const ptn::Comparison& found = group.found;
        table.add({fmt::format("{}", group.gpus), seconds(found.partition.figures.seconds, found.fits),
                   otherText(found, false), otherText(found, true), gainText(found.ratio(false)),
                   gainText(found.ratio(true)), gainText(group.published)});
    }
    return table.text();
}

// What the partition gains over every size of plain tensor parallelism, whether it is the fastest or not:
// what others compare with is not always stated.
std::string sizesLine(const ptn::Comparison& found) {
    std::string sizes, gains;
    for (const ptn::TensorParallel& other : found.others)
        if (!other.sequenceParallel) {
            const char* comma = sizes.empty() ? "" : ", ";
            sizes += fmt::format("{}{}", comma, other.tp);
            gains += fmt::format("{}{:.2f}{}", comma, other.figures.seconds / found.partition.figures.seconds,
                                 other.fits ? "" : " *");
        }
    return sizes.empty() ? "" : fmt::format("predicted gain over tp {}: {}\n", sizes, gains);
}

std::string figuresLine(const ptn::StackFigures& f) {
    const auto time = [](double s) { return formatDuration(Seconds(s)); };
    return fmt::format("forward {}, backward {}, weight gradients {}, their sum {}, redistribution {}; of it "
                       "all-reduces {}, ring beyond its steps {}; memory {}",
                       time(f.forward), time(f.backward), time(f.weightGrad), time(f.sync),
                       time(f.redistribution), time(f.collective), time(f.ring),
                       formatGibibytes(Bytes(f.memory())));
}

std::string waysTable(const ptn::Partition& partition) {
    Table table({"blocks", "operator", "divided", ">forward", ">backward", ">weights", ">sum"});
    int block = 0;
    for (const ptn::Partition::Run& run : partition.runs) {
        std::string blocks =
            run.count > 1 ? fmt::format("{} to {}", block, block + run.count - 1) : fmt::format("{}", block);
        for (const ptn::OperatorWay& own : run.operators) {
            const auto time = [](double s) { return formatDuration(Seconds(s)); };
            table.add({blocks, own.name, text(own.way), time(own.price.forward), time(own.price.backward),
                       time(own.price.weightGrad), time(own.price.sync)});
            blocks.clear();
        }
        block += run.count;
    }
    return table.text();
}

std::string summary(const Problem& problem, int blocks, const std::vector<Group>& groups,
                    const std::optional<Gains>& published) {
    std::string text = fmt::format(
        "{} of {} blocks, forward and backward of {} sequences at once, no pipeline\n"
        "predicted ∴: everything here rests on estimates; gain is throughput over tensor parallelism\n",
        blocks, problem.model().blocks, problem.recipe().gbs);
    if (published)
        text += fmt::format("published, measured by others: {}, {}; {}\n", published->model, published->where,
                            published->source);
    text += "\n" + comparisonTable(groups);
    if (std::ranges::any_of(groups, [](const Group& g) {
            return !g.found.fits ||
                   !std::ranges::all_of(g.found.others, [](const auto& other) { return other.fits; });
        }))
        text += "* needs more memory than a GPU has\n";
    for (const Group& group : groups)
        text += fmt::format("\n{} GPUs, {} ways priced; best strategy: {}\n{}{}\n{}", group.gpus,
                            group.found.ways, strategyText(group.found), sizesLine(group.found),
                            figuresLine(group.found.partition.figures), waysTable(group.found.partition));
    return text +
           "\nB batch, M rows, N inner, K columns, H heads, C keys; R copied, P2x2 spatial-temporal on "
           "four GPUs. No trainer runs such partitions today: they are not exported.\n";
}

Json figuresJson(const ptn::StackFigures& f, bool fits) {
    return {{"seconds", f.seconds},
            {"forward_s", f.forward},
            {"backward_s", f.backward},
            {"weight_grad_s", f.weightGrad},
            {"sync_s", f.sync},
            {"redistribution_s", f.redistribution},
            {"exposed_collective_s", f.collective},
            {"exposed_ring_s", f.ring},
            {"memory", f.memory()},
            {"fits", fits}};
}

Json groupJson(const Group& group) {
    const ptn::Comparison& found = group.found;
    Json runs = Json::array();
    for (const ptn::Partition::Run& run : found.partition.runs) {
        Json operators = Json::array();
        for (const ptn::OperatorWay& own : run.operators)
            operators.push_back({{"operator", own.name},
                                 {"divided", text(own.way)},
                                 {"forward_s", own.price.forward},
                                 {"backward_s", own.price.backward},
                                 {"weight_grad_s", own.price.weightGrad},
                                 {"sync_s", own.price.sync}});
        runs.push_back({{"blocks", run.count}, {"operators", std::move(operators)}});
    }
    Json others = Json::array();
    for (const ptn::TensorParallel& other : found.others) {
        Json own = figuresJson(other.figures, other.fits);
        own.update({{"tp", other.tp}, {"dp", other.dp}, {"sequence_parallel", other.sequenceParallel}});
        others.push_back(std::move(own));
    }
    Json partition = figuresJson(found.partition.figures, found.fits);
    partition["runs"] = std::move(runs);
    Json json{{"gpus", group.gpus},
              {"ways", found.ways},
              {"partition", std::move(partition)},
              {"tensor_parallel", std::move(others)},
              {"best", strategyText(found)}};
    const auto gain = [&](const char* key, double value) { json[key] = value > 0.0 ? Json(value) : Json(); };
    gain("predicted_gain", found.ratio(false));
    gain("predicted_gain_over_sequence_parallel", found.ratio(true));
    gain("published_gain", group.published);
    return json;
}

Result<Answer> partition(const Session& session, const PartitionFlags& flags) {
    const Result<std::shared_ptr<const Problem>> made = flags.problem.problem(session, {});
    if (!made)
        return made.error();
    const Problem& problem = **made;
    const std::vector<DeviceIndex> devices = allowedDevices(problem);
    const auto all = static_cast<std::int64_t>(devices.size());
    std::vector<std::int64_t> sizes = {all};
    if (!flags.gpus.empty()) {
        const Result<std::vector<std::int64_t>> list = parseCounts("--gpus", flags.gpus, 1, all);
        if (!list)
            return list.error();
        sizes = *list;
    }
    int blocks = static_cast<int>(problem.model().blocks);
    if (!flags.blocks.empty()) {
        const Result<std::vector<std::int64_t>> list =
            parseCounts("--blocks", flags.blocks, 1, problem.model().blocks);
        if (!list)
            return list.error();
        if (list->size() != 1)
            return badInput("usage", "--blocks", "takes one number");
        blocks = static_cast<int>(list->front());
    }
    std::optional<Gains> published;
    if (!flags.published.empty()) {
        Result<Gains> gains = publishedGains(flags.published, problem.model().name);
        if (!gains)
            return gains.error();
        published = *std::move(gains);
    }

    std::vector<Group> groups;
    for (const std::int64_t n : sizes) {
        Result<ptn::Comparison> found = ptn::compareStrategies(
            problem, {devices.begin(), devices.begin() + static_cast<std::ptrdiff_t>(n)},
            {problem.recipe().gbs, flags.withoutGrids ? 0 : 1}, blocks);
        if (!found)
            return found.error();
        const auto size = static_cast<int>(n);
        const bool known = published && published->gain.contains(size);
        groups.push_back({size, *std::move(found), known ? published->gain.at(size) : 0.0});
    }
    Json list = Json::array();
    for (const Group& group : groups)
        list.push_back(groupJson(group));
    Json document{{"tool_version", fullVersion()},
                  {"problem_hash", problem.hash()},
                  {"model", problem.model().name},
                  {"cluster", problem.topology().cluster().name},
                  {"blocks", blocks},
                  {"sequences", problem.recipe().gbs},
                  {"seq", problem.recipe().seq},
                  {"precision", name(problem.precision())},
                  {"provenance", "predicted, from estimates"},
                  {"groups", std::move(list)}};
    if (published)
        document["published"] = {
            {"source", published->source}, {"model", published->model}, {"where", published->where}};
    return Answer{
        std::move(document), problemLine(problem) + summary(problem, blocks, groups, published), {}};
}

} // namespace

Command addPartition(CLI::App& app) {
    auto flags = std::make_shared<PartitionFlags>();
    CLI::App* sub = app.add_subcommand(
        "partition", "search the tensor partitions of a stack of blocks (PrimePar's space, reconstructed "
                     "prices) and compare them with tensor parallelism");
    flags->problem.addTo(*sub);
    sub->add_option("--gpus", flags->gpus,
                    "how many of the cluster's GPUs, from the first on: powers of two up to 32; default all")
        ->type_name("LIST");
    sub->add_option("--blocks", flags->blocks, "how many blocks are stacked (default: the model's)")
        ->type_name("N");
    sub->add_option(
           "--published", flags->published,
           "figures that others published of the model, to print beside the predictions: a file as reproduce "
           "takes it")
        ->type_name("FILE");
    sub->add_flag("--without-grids", flags->withoutGrids,
                  "splits alone, without the spatial-temporal primitive");
    return {sub, [flags](const Session& session) { return partition(session, *flags); }};
}

} // namespace pw::cli

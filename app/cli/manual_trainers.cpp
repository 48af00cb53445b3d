// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/inputs.h"
#include "app/cli/manual_pages.h"
#include "app/cli/markdown.h"

#include "core/answers/by_trainer.h"
#include "core/base/file.h"
#include "core/base/one_line.h"
#include "core/base/units.h"
#include "core/search/planners.h"

#include <fmt/format.h>

#include <map>

namespace pw::cli {

namespace {

// A sample: a project, or a cluster and a model with the batch that they are planned with.
struct SampleProblem {
    const char* name;
    const char *cluster = nullptr, *model = nullptr; // null: the project of that name
    std::int64_t gbs = 0, seq = 0;
    std::vector<std::string> forbidden = {};
};

const std::vector<SampleProblem>& samples() {
    static const std::vector<SampleProblem> list = {
        {"measured-16"},
        {"mixed-16"},
        {"mixed-64", "mixed-64", "llama3-70b", 512, 4096},
        {"mixed-1024", "mixed-1024", "llama3-405b", 1024, 4096},
        {"mixtral", "mixed-64", "mixtral-8x7b", 512, 4096},
        {"deepseek-v3", "mixed-1024", "deepseek-v3", 1024, 4096},
        // What trainers that have few models take.
        {"gpt3-1.3b", "v100-32", "gpt3-1.3b", 512, 2048},
        {"llama2-7b", "mixed-16", "llama2-7b", 256, 4096, {"V100-SXM2-16GB"}},
    };
    return list;
}

std::filesystem::path sample(const char* folder, const std::string& file) {
    return std::filesystem::path("samples") / folder / file;
}

Result<std::shared_ptr<const Problem>> problemOfSample(const Session& session, const SampleProblem& asked) {
    if (asked.cluster == nullptr) {
        const std::filesystem::path path = sample("projects", std::string(asked.name) + ".pwx");
        const Result<std::string> text = readFile(path);
        if (!text)
            return text.error();
        const Result<Project> project = readProject(*text, path.string());
        if (!project)
            return project.error();
        return pw::problemOf(*project);
    }
    const Result<Cluster> cluster =
        readCluster(session, sample("clusters", std::string(asked.cluster) + ".json").string());
    if (!cluster)
        return cluster.error();
    const Result<Model> model =
        readModel(session, sample("models", std::string(asked.model) + ".json").string());
    if (!model)
        return model.error();
    Recipe recipe;
    recipe.gbs = asked.gbs;
    recipe.seq = asked.seq;
    Space space;
    space.forbidden = asked.forbidden;
    return Problem::make(*cluster, *model, recipe, {}, space);
}

} // namespace

Result<std::string> trainersPage(const Session& session, const CLI::App&) {
    std::string page = pageHead("Trainers of the samples", "trainers",
                                "The best plan of samples for each trainer that files are written for, "
                                "as `pipewright-cli plan --target all` "
                                "finds it: its predicted iteration over that of the best plan for any "
                                "trainer. Where there is none, the reasons "
                                "stand below; the lines of the trainers' own code behind them are in "
                                "[where trainers refuse](../formats.md#where-trainers-refuse).");
    std::vector<std::string> heads = {"trainer"};
    std::map<std::string, std::vector<std::string>> cells; // by trainer
    std::string reasons;
    for (const SampleProblem& asked : samples()) {
        const auto problem = problemOfSample(session, asked);
        if (!problem)
            return problem.error();
        SearchObserver nobody;
        const Result<BestByTrainer> best = bestByTrainer(*problem, {}, nobody, session.stop);
        if (!best)
            return best.error();
        if (const std::optional<Error> none = refusalOf(best->open))
            return *none;
        const Seconds any = best->open.plans.front().evaluation.iteration;
        heads.push_back(fmt::format(">{}", asked.name));
        reasons += fmt::format("\n## {}\n\nFor any trainer {}.\n\n", asked.name, formatDuration(any));
        for (const BestByTrainer::Row& row : best->rows) {
            std::vector<std::string>& line = cells[row.trainer->label];
            if (row.best)
                line.push_back(fmt::format("{:.2f}", row.best->evaluation.iteration / any));
            else
                line.emplace_back("none");
            if (row.refused)
                reasons += fmt::format("- {}: {}\n", row.trainer->label, inOneLine(*row.refused));
        }
    }
    MarkdownTable table(heads);
    for (const ExporterRow& row : exporterTable())
        if (const auto found = cells.find(row.label); found != cells.end()) {
            std::vector<std::string> line = {row.label};
            line.insert(line.end(), found->second.begin(), found->second.end());
            table.add(line);
        }
    return page + "\n" + table.text() + reasons;
}

} // namespace pw::cli

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/trainer_samples.h"

#include "core/base/file.h"
#include "core/exchange/imports/import_table.h"
#include "core/project/project.h"

namespace pw {

namespace {

Result<std::shared_ptr<const Problem>> problemOfProject(const std::filesystem::path& file) {
    const Result<std::string> text = readFile(file);
    if (!text)
        return text.error();
    const Result<Project> project = readProject(*text, file.string());
    if (!project)
        return project.error();
    return problemOf(*project);
}

} // namespace

const std::vector<TrainerSample>& trainerSamples() {
    static const std::vector<TrainerSample> list = {
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

Result<std::shared_ptr<const Problem>> problemOf(const TrainerSample& sample,
                                                 const std::filesystem::path& folder) {
    if (sample.cluster == nullptr)
        return problemOfProject(folder / "projects" / (std::string(sample.name) + ".pwx"));
    const std::filesystem::path file = folder / "clusters" / (std::string(sample.cluster) + ".json");
    const Result<std::string> text = readFile(file);
    if (!text)
        return text.error();
    const Result<Cluster> cluster = readCluster(*text, file.string());
    if (!cluster)
        return cluster.error();
    const Result<Model> model = readModelFile(folder / "models" / (std::string(sample.model) + ".json"));
    if (!model)
        return model.error();
    Recipe recipe;
    recipe.gbs = sample.gbs;
    recipe.seq = sample.seq;
    Space space;
    space.forbidden = sample.forbidden;
    return Problem::make(*cluster, *model, recipe, {}, space);
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
#include "core/project/project.h"

#include <nlohmann/json.hpp>

#include <QtGlobal>

namespace pw::test {

inline Json sampleJson(const std::string& path) {
    const std::string file = std::string(PW_SOURCE_DIR "/samples/") + path;
    const Result<std::string> text = readFile(file);
    const Result<Json> json = text ? parseJson(*text, file) : Result<Json>(text.error());
    if (!json)
        qFatal("%s", json.error().text().c_str());
    return *json;
}

inline Cluster sampleCluster(const std::string& name) {
    const Json json = sampleJson("clusters/" + name + ".json");
    const auto cluster = clusterFromJson(JsonReader(json, name));
    if (!cluster)
        qFatal("%s", cluster.error().text().c_str());
    return *cluster;
}

inline Model sampleModel(const std::string& name) {
    const Json json = sampleJson("models/" + name + ".json");
    const auto model = modelFromJson(JsonReader(json, name));
    if (!model)
        qFatal("%s", model.error().text().c_str());
    return *model;
}

inline std::shared_ptr<const Problem> problemOf(const Cluster& cluster, const Model& model, std::int64_t gbs,
                                                std::int64_t seq, const Space& space = {}) {
    Recipe recipe;
    recipe.gbs = gbs;
    recipe.seq = seq;
    auto problem = Problem::make(cluster, model, recipe, {}, space);
    if (!problem)
        qFatal("%s", problem.error().text().c_str());
    return *problem;
}

inline std::shared_ptr<const Problem> sampleProject(const std::string& name) {
    const std::string file = std::string(PW_SOURCE_DIR "/samples/projects/") + name + ".pwx";
    const Result<std::string> text = readFile(file);
    const Result<Project> project = text ? readProject(*text, file) : Result<Project>(text.error());
    if (!project)
        qFatal("%s", project.error().text().c_str());
    auto problem = pw::problemOf(*project);
    if (!problem)
        qFatal("%s", problem.error().text().c_str());
    return *problem;
}

// Nodes behind one switch: kind, GPUs, link in Gbit/s.
struct DrawnNode {
    std::string kind;
    int gpus = 1;
    double gigabits = 100.0;
};
inline Cluster drawnCluster(const std::vector<DrawnNode>& nodes) {
    Cluster c;
    c.name = "drawn";
    c.switches.push_back({"s1", "Ethernet", {}});
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        Node node;
        node.id = "n" + std::to_string(n + 1);
        node.kind = nodes[n].kind;
        node.gpus = nodes[n].gpus;
        c.nodes.push_back(node);
        c.links.push_back({node.id + "-s1", node.id, "s1", BytesPerSecond(nodes[n].gigabits * 1.25e8), 1,
                           Seconds(20e-6), 0.88});
    }
    return c;
}

} // namespace pw::test

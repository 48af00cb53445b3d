// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/problems/fixes.h"

#include "core/cluster/host_name.h"
#include "core/edit/edit.h"
#include "ui/base/convert.h"
#include "ui/topology/geometry.h"

#include <QCoreApplication>

#include <algorithm>

namespace pw {

namespace {

QString words(const char* text) {
    return QCoreApplication::translate("Fixes", text);
}

using Maker = std::optional<Fix> (*)(const Project&, const Diagnostic&);

using ChangeRecipe = void (*)(Recipe&, const Model&);

Fix ofRecipe(const QString& text, ChangeRecipe change) {
    return {text, [change](const Project& project) {
                Recipe recipe = project.recipe;
                change(recipe, project.model.value_or(Model()));
                return setRecipe(project, recipe);
            }};
}

std::optional<Fix> chooseModel(const Project&, const Diagnostic& d) {
    return Fix{words("Choose a model"), {}, q(d.where)};
}

std::optional<Fix> addNodes(const Project&, const Diagnostic&) {
    return Fix{words("Add nodes"), {}, {}, "canvas.node"};
}

std::optional<Fix> importMeasurements(const Project&, const Diagnostic&) {
    return Fix{words("Import measurements"), {}, {}, "file.import"};
}

std::optional<Fix> chooseKind(const Project&, const Diagnostic& d) {
    return Fix{words("Choose the kind"), {}, q(d.where + ".kind")};
}

std::optional<Fix> chooseMedium(const Project&, const Diagnostic& d) {
    return Fix{words("Choose the medium"), {}, q(d.where + ".medium")};
}

std::optional<Fix> changeBandwidth(const Project& project, const Diagnostic& d) {
    const auto& links = project.cluster.links;
    if (std::ranges::none_of(links, [&](const Link& link) { return link.id == d.where; }))
        return std::nullopt; // a node with several ways out
    return Fix{words("Change the bandwidth"), {}, q(d.where + ".bandwidth")};
}

// To the switch that is drawn nearest, or to the one other node.
std::optional<Fix> linkNode(const Project& project, const Diagnostic& d) {
    const Cluster& cluster = project.cluster;
    const Node* node = cluster.node(d.where);
    if (!node)
        return std::nullopt;
    const QPointF middle = QRectF(QPointF(node->at.x, node->at.y), nodeSize(node->gpus)).center();
    const auto distance = [middle](const Switch& item) {
        const QPointF apart = QRectF(QPointF(item.at.x, item.at.y), kSwitchSize).center() - middle;
        return QPointF::dotProduct(apart, apart);
    };
    std::string other;
    if (!cluster.switches.empty())
        other = std::ranges::min_element(cluster.switches, {}, distance)->id;
    else if (cluster.nodes.size() == 2)
        other = cluster.nodes[cluster.nodes.front().id == d.where ? 1 : 0].id;
    if (other.empty())
        return std::nullopt;
    return Fix{words("Link %1 to %2").arg(q(d.where), q(other)),
               [from = d.where, other](const Project& now) { return addLink(now, from, other); }};
}

std::optional<Fix> removeLink(const Project&, const Diagnostic& d) {
    return Fix{words("Remove %1").arg(q(d.where)),
               [id = d.where](const Project& now) { return removeItems(now, {id}); }};
}

std::optional<Fix> nameNodes(const Project& project, const Diagnostic& d) {
    const auto odd =
        std::ranges::count_if(project.cluster.nodes, [](const Node& node) { return !isHostName(node.id); });
    return Fix{odd == 1 ? words("Rename to %1").arg(q(hostNameLike(d.where)))
                        : words("Rename %1 nodes").arg(odd),
               [](const Project& now) { return nameForHosts(now); }};
}

std::optional<Fix> rename(const Project&, const Diagnostic& d) {
    return Fix{words("Rename to %1").arg(q(hostNameLike(d.where))),
               [id = d.where](const Project& now) { return nameForHosts(now, {id}); }};
}

std::optional<Fix> freeMemory(const Project& project, const Diagnostic& d) {
    const Node* node = project.cluster.node(d.where);
    if (!node)
        return std::nullopt;
    Node changed = *node;
    changed.memoryTaken = Bytes();
    return Fix{words("Set to 0 GiB"), [changed](const Project& now) { return setNode(now, changed); }};
}

std::optional<Fix> useName(const Project& project, const Diagnostic& d) {
    std::vector<std::string> names = project.forbidden;
    names.erase(std::remove(names.begin(), names.end(), d.where), names.end());
    return Fix{words("Leave %1 out of the list").arg(q(d.where)),
               [names](const Project& now) { return setForbidden(now, names); }};
}

std::optional<Fix> useAll(const Project&, const Diagnostic&) {
    return Fix{words("Leave out nothing"), [](const Project& now) { return setForbidden(now, {}); }};
}

std::optional<Fix> shorten(const Project& project, const Diagnostic&) {
    if (!project.model)
        return std::nullopt;
    return ofRecipe(words("Set to %1").arg(project.model->positions),
                    [](Recipe& recipe, const Model& model) { recipe.seq = model.positions; });
}

std::optional<Fix> leavePrecision(const Project& project, const Diagnostic&) {
    if (project.recipe.precision == Precision::Auto)
        return std::nullopt;
    return ofRecipe(words("Leave it to the search"),
                    [](Recipe& recipe, const Model&) { recipe.precision = Precision::Auto; });
}

std::optional<Fix> listOnce(const Project&, const Diagnostic&) {
    return ofRecipe(words("List it once"), [](Recipe& recipe, const Model&) {
        std::sort(recipe.mbs.begin(), recipe.mbs.end());
        recipe.mbs.erase(std::unique(recipe.mbs.begin(), recipe.mbs.end()), recipe.mbs.end());
    });
}

std::optional<Fix> leaveMemory(const Project& project, const Diagnostic&) {
    return fixOfMemory(project);
}

struct FixRow {
    const char* code;
    Maker make;
};

constexpr FixRow kFixes[] = {
    {"project.no_model", chooseModel},     {"project.estimates_only", importMeasurements},
    {"project.long_sequence", shorten},    {"problem.seq", shorten},
    {"problem.precision", leavePrecision}, {"problem.no_device", useAll},
    {"space.forbidden", useName},          {"recipe.twice", listOnce},
    {"cluster.empty", addNodes},           {"cluster.unlinked", linkNode},
    {"cluster.kind_unknown", chooseKind},  {"cluster.memory_taken", freeMemory},
    {"cluster.link_end", removeLink},      {"cluster.link_self", removeLink},
    {"cluster.id_character", rename},      {"cluster.host_name", nameNodes},
    {"cluster.medium", chooseMedium},      {"cluster.narrow", changeBandwidth},
    {"search.infeasible", leaveMemory},
};

} // namespace

std::optional<Fix> fixOf(const Project& project, const Diagnostic& problem) {
    for (const FixRow& row : kFixes)
        if (problem.code == row.code)
            return row.make(project, problem);
    return std::nullopt;
}

std::optional<Fix> fixOfMemory(const Project& project) {
    const ChangeRecipe leave = [](Recipe& recipe, const Model&) {
        recipe.mbs.clear();
        recipe.recompute.clear();
        recipe.zero = -1;
        recipe.sequenceParallel = Choice::Auto;
    };
    Recipe recipe = project.recipe;
    leave(recipe, Model());
    if (recipe == project.recipe)
        return std::nullopt;
    return ofRecipe(words("Leave micro-batch, recompute and ZeRO to the search"), leave);
}

} // namespace pw

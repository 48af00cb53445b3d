// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/constants.h"
#include "core/cluster/topology.h"
#include "core/model/model.h"
#include "core/problem/recipe.h"
#include "core/problem/space.h"
#include "core/profile/profile.h"

#include <memory>
#include <optional>

namespace pw {

// What keeps sound parts from being one question: unknown names among `forbidden`, no device left, a
// precision that a device in use cannot run, a sequence beyond the positions that the model has learned. The
// cluster must have passed checkCluster without errors. Places are ids, or field names of the model form
// ("model.seq").
Diagnostics questionProblems(const Cluster& cluster, const Model& model, const Recipe& recipe,
                             const std::vector<std::string>& forbidden);

// The precision of all plans: the one that is wanted, for `auto` the first of bf16, fp16, fp32 that every
// kind in use can run. Nothing where a kind cannot.
std::optional<Precision> resolvedPrecision(const Cluster& cluster, Precision wanted,
                                           const std::vector<std::string>& forbidden);

// Those of `names` that are no node, device, device kind, switch or link in this cluster.
std::vector<std::string> unknownNames(const Cluster& cluster, const std::vector<std::string>& names);
// A flag per device, node by node in the order of the drawing: not forbidden by these names.
std::vector<bool> allowedDevices(const Cluster& cluster, const std::vector<std::string>& forbidden);
// A flag per link: named here, or with an end at a switch that is. Empty: none is.
std::vector<bool> closedLinks(const Cluster& cluster, const std::vector<std::string>& forbidden);

// The immutable question: the only thing that a search ever reads. Made once, shared by pointer, hashed over
// its canonical JSON; results carry the hash and views mark what no longer matches. The fitted constants of
// its costs belong to it: what is derived from one problem takes them along.
class Problem {
public:
    // Bad input if cluster, model, recipe or Space do not hold together; refused (Infeasible) if no device is
    // left to use, or one that is left cannot run the precision.
    static Result<std::shared_ptr<const Problem>> make(Cluster cluster, Model model, Recipe recipe,
                                                       std::vector<ProfileRow> profiles, Space space = {},
                                                       ConstantSet constants = ConstantSet::builtin());

    // The same question over another Space, with the same devices forbidden.
    std::shared_ptr<const Problem> withSpace(Space space) const;
    // The same question with others left out; errors as make() has them. Shares the topology where the links
    // are the same.
    Result<std::shared_ptr<const Problem>> withForbidden(std::vector<std::string> forbidden) const;
    // The same question of plans that fit with this chance at least (RecipeLimits).
    std::shared_ptr<const Problem> withFitChance(double chance) const;

    const Topology& topology() const { return *m_topology; }
    const Model& model() const { return m_model; }
    const std::vector<FineLayer>& layers() const { return m_layers; }
    const Recipe& recipe() const { return m_recipe; }
    const ProfileTable& profiles() const { return m_profiles; }
    const ConstantSet& constants() const { return m_constants; }
    const Space& space() const { return m_space; }
    const std::vector<bool>& allowed() const { return m_allowed; } // per device: not forbidden by the Space
    Precision precision() const { return m_precision; }            // resolved over the allowed devices
    // Of cluster (not of where its items are drawn), model, recipe, profiles of this model, what is
    // forbidden, and the constants where they are not the built-in ones.
    const std::string& hash() const { return m_hash; }
    // {cluster, model, recipe, profiles}, `forbidden` if anything is, and `constants` if they are not the
    // built-in ones. The device kinds in use are written with the cluster: the question stays the same where
    // the catalogue is another.
    Json toJson() const;
    // `forbidden` is read unless the Space has its own.
    static Result<std::shared_ptr<const Problem>> fromJson(const JsonReader& reader, Space space = {});

private:
    std::shared_ptr<const Topology> m_topology;
    Model m_model;
    std::vector<FineLayer> m_layers;
    Recipe m_recipe;
    ProfileTable m_profiles;
    ConstantSet m_constants = ConstantSet::builtin();
    Space m_space;
    std::vector<bool> m_allowed;
    Precision m_precision = Precision::Fp32;
    std::string m_hash;
};

// The parts by which b is another question than a, as toJson() names them: none where their hashes agree.
std::vector<std::string> differingParts(const Problem& a, const Problem& b);

} // namespace pw

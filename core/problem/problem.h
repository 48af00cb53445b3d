// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/topology.h"
#include "core/model/model.h"
#include "core/problem/recipe.h"
#include "core/profile/profile.h"
#include "core/problem/space.h"

#include <memory>

namespace pw {

// The immutable question: the only thing that a search ever reads. Made once, shared by pointer, hashed over its
// canonical JSON; results carry the hash and views mark what no longer matches.
class Problem {
public:
    static Result<std::shared_ptr<const Problem>> make(Cluster cluster, Model model, Recipe recipe,
                                                       std::vector<ProfileRow> profiles, Space space = {});

    const Topology& topology() const { return *m_topology; }
    const Model& model() const { return m_model; }
    const std::vector<FineLayer>& layers() const { return m_layers; }
    const Recipe& recipe() const { return m_recipe; }
    const ProfileTable& profiles() const { return m_profiles; }
    const Space& space() const { return m_space; }
    Precision precision() const { return m_precision; } // resolved over the allowed devices
    const std::string& hash() const { return m_hash; }  // of cluster, model, recipe and profiles
    Json toJson() const;                                // {cluster, model, recipe, profiles}
    static Result<std::shared_ptr<const Problem>> fromJson(const JsonReader& reader, Space space = {});

private:
    std::shared_ptr<const Topology> m_topology;
    Model m_model;
    std::vector<FineLayer> m_layers;
    Recipe m_recipe;
    ProfileTable m_profiles;
    Space m_space;
    Precision m_precision = Precision::Fp32;
    std::string m_hash;
};

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/unused_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>

namespace pw {

namespace {

constexpr std::size_t kNamed = 4; // values that a sentence lists

// Ways to differ, the easiest to mend first.
enum Way : unsigned { Sequence, Numerics, Split, Layer, Kind, OtherModel, Ways };

constexpr unsigned bit(Way way) {
    return 1u << way;
}

// What plans of a project look up.
class Asked {
public:
    explicit Asked(const Project& project)
        : m_project(project), m_last(static_cast<int>(project.model->blocks) + 1),
          m_precision(
              resolvedPrecision(project.cluster, project.recipe.precision, project.forbidden)
                  .value_or(project.recipe.precision)) { // none that all can run is said by checkProject
        const Cluster& cluster = project.cluster;
        const auto joined = [&](const std::string& kind, int gpus) {
            int& most = m_joined[canonical(kind)];
            most = std::max(most, gpus);
        };
        for (const Node& node : cluster.nodes)
            joined(node.kind, node.gpus);
        for (const NvlinkDomain& domain : cluster.nvlinkDomains) {
            std::map<std::string, int> gpus;
            for (const std::string& id : domain.nodes)
                if (const Node* node = cluster.node(id))
                    gpus[node->kind] += node->gpus;
            for (const auto& [kind, count] : gpus)
                joined(kind, count);
        }
    }

    unsigned differences(const ProfileRow& row) {
        const std::int64_t seq = m_project.recipe.seq;
        const int most = mostJoined(row.kind);
        return (row.seq != 0 && row.seq != seq ? bit(Sequence) : 0) |
               (!row.precision.empty() && row.precision != name(m_precision) ? bit(Numerics) : 0) |
               (most > 0 && row.tp > most ? bit(Split) : 0) | (row.layer > m_last ? bit(Layer) : 0) |
               (most == 0 ? bit(Kind) : 0) | (row.model != m_project.model->name ? bit(OtherModel) : 0);
    }

    // The most GPUs of a kind in one node or NVLink domain; 0: the cluster has none of it.
    int mostJoined(const std::string& kind) {
        if (const auto known = m_ofRows.find(kind); known != m_ofRows.end())
            return known->second;
        const auto found = m_joined.find(canonical(kind));
        return m_ofRows[kind] = found == m_joined.end() ? 0 : found->second;
    }

    int lastLayer() const { return m_last; }
    const char* precision() const { return name(m_precision); }
    std::set<std::string> kinds() const {
        std::set<std::string> names;
        for (const auto& [kind, gpus] : m_joined)
            names.insert(kind);
        return names;
    }

private:
    std::string canonical(const std::string& kind) const {
        const DeviceKind* known = findKind(m_project.cluster, kind);
        return known ? known->name : kind;
    }

    const Project& m_project;
    int m_last;
    Precision m_precision;
    std::map<std::string, int> m_joined; // by kind of the cluster
    std::map<std::string, int> m_ofRows; // the same by the names that rows have
};

template <class T>
std::string listed(const std::set<T>& values) {
    const auto end = std::next(values.begin(), static_cast<std::ptrdiff_t>(std::min(kNamed, values.size())));
    return fmt::format("{}{}", fmt::join(values.begin(), end, ", "),
                       values.size() > kNamed ? ", \u2026" : "");
}

// What the nearest rows say.
struct Found {
    std::set<std::int64_t> lengths;
    std::set<int> splits, layers;
    std::set<std::string> precisions, kinds, models;
    int mostJoined = 0;
};

Wording sentence(Way way, const Found& found, const Asked& asked, const Project& project) {
    switch (way) {
    case Sequence:
        return {"no row applies: rows are of sequence {found}, the recipe has {wanted}",
                {{"found", listed(found.lengths)}, {"wanted", project.recipe.seq}}};
    case Numerics:
        return {"no row applies: rows are of precision {found}, the plans compute in {wanted}",
                {{"found", listed(found.precisions)}, {"wanted", asked.precision()}}};
    case Split:
        return {"no row applies: rows are of tensor-parallel size {found}, at most {wanted} of these GPUs "
                "are in one node or NVLink domain",
                {{"found", listed(found.splits)}, {"wanted", found.mostJoined}}};
    case Layer:
        return {"no row applies: rows are of layer {found}, the last one of the model, its head, is {wanted}",
                {{"found", listed(found.layers)}, {"wanted", asked.lastLayer()}}};
    case Kind:
        return {"no row applies: rows are of the device kind {found}, the cluster has {wanted}",
                {{"found", listed(found.kinds)}, {"wanted", listed(asked.kinds())}}};
    case OtherModel:
    case Ways:
        break;
    }
    return {"no row applies: rows are of the model {found}, the project trains {wanted}",
            {{"found", listed(found.models)}, {"wanted", project.model->name}}};
}

} // namespace

std::vector<Wording> whyNoRowApplies(const Project& project, const std::vector<ProfileRow>& rows) {
    if (!project.model || project.cluster.gpuCount() == 0)
        return {};
    Asked asked(project);
    constexpr unsigned kNone = bit(Ways); // above all masks
    std::array<bool, kNone> met{};
    for (const ProfileRow& row : rows)
        if (row.op.empty())
            met[asked.differences(row)] = true;
    unsigned nearest = kNone;
    for (unsigned mask = 0; mask < kNone; ++mask)
        if (met[mask] && (nearest == kNone || std::popcount(mask) < std::popcount(nearest)))
            nearest = mask;
    if (nearest == kNone)
        return {};
    Found found;
    for (const ProfileRow& row : rows) {
        if (!row.op.empty() || asked.differences(row) != nearest)
            continue;
        found.lengths.insert(row.seq);
        found.splits.insert(row.tp);
        found.layers.insert(row.layer);
        found.precisions.insert(row.precision);
        found.kinds.insert(row.kind);
        found.models.insert(row.model);
        found.mostJoined = std::max(found.mostJoined, asked.mostJoined(row.kind));
    }
    std::vector<Wording> why;
    for (unsigned way = Sequence; way < Ways; ++way)
        if ((nearest & bit(static_cast<Way>(way))) != 0)
            why.push_back(sentence(static_cast<Way>(way), found, asked, project));
    return why;
}

} // namespace pw

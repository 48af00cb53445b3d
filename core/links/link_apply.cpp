// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/links/link_apply.h"

#include "core/base/units.h"
#include "core/cluster/topology.h"
#include "core/comm/comm.h"
#include "core/inventory/device_match.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace pw {

namespace {

constexpr double kSlowest = 1e6, kFastest = 1e13; // bytes/s of a lane
constexpr double kLongest = 1e-2;                 // s
constexpr int kHalvings = 60;
constexpr int kRounds = 4;                   // bandwidth and latency settle after each other
constexpr double kFarFromFit = 0.05;         // what is left of it is told
constexpr double kSmall = 8, kLarge = 256e6; // bytes, for fits that came without their samples

std::optional<Collective> collectiveOf(const std::string& name) {
    if (name == "all_reduce")
        return Collective::AllReduce;
    if (name == "all_gather")
        return Collective::AllGather;
    if (name == "reduce_scatter")
        return Collective::ReduceScatter;
    if (name == "alltoall" || name == "alltoallv")
        return Collective::AllToAll;
    if (name == "broadcast")
        return Collective::Broadcast;
    return std::nullopt;
}

// The measured setting on the cluster: which GPUs run what.
struct Setting {
    std::vector<int> nodes; // indices
    int perNode = 1;
    std::string collective;

    Seconds time(const Cluster& cluster, double bytes) const {
        const auto topology = Topology::make(cluster);
        // A cluster is fitted for the problems that will be asked on it: those have the built-in set.
        const CommConstants& constants = ConstantSet::builtin().comm();
        std::vector<DeviceIndex> group;
        for (const int node : nodes)
            for (int k = 0; k < perNode; ++k)
                group.push_back(topology->firstOfNode(node) + k);
        if (const std::optional<Collective> known = collectiveOf(collective))
            return collectiveTime(*topology, constants, {group}, *known, Bytes(bytes));
        const RankGroup from{std::span(group).first(1), 1.0}, to{std::span(group).last(1), 1.0};
        return boundaryTransfer(*topology, constants, {&from, 1}, {&to, 1}, Bytes(bytes), false).time;
    }
};

// Halves [low, high] until `rises` changes sides: where a value makes the prediction meet the fit.
double halve(double low, double high, bool logarithmic, const std::function<bool(double)>& enough) {
    for (int i = 0; i < kHalvings; ++i) {
        const double middle = logarithmic ? std::sqrt(low * high) : (low + high) / 2;
        (enough(middle) ? high : low) = middle;
    }
    return logarithmic ? std::sqrt(low * high) : (low + high) / 2;
}

struct Chosen {
    std::vector<std::size_t> nodes, links; // indices; one of the two is empty
};

Result<Chosen> chosenItems(const Cluster& cluster, const std::vector<std::string>& items) {
    Chosen chosen;
    for (const std::string& id : items) {
        const Node* node = cluster.node(id);
        const Link* link = cluster.link(id);
        if (node != nullptr)
            chosen.nodes.push_back(static_cast<std::size_t>(node - cluster.nodes.data()));
        else if (link != nullptr)
            chosen.links.push_back(static_cast<std::size_t>(link - cluster.links.data()));
        else
            return badInput("links.item", id, "is no node and no link of the cluster");
    }
    if (chosen.nodes.empty() == chosen.links.empty())
        return badInput("links.items", items.empty() ? "--to" : items.front(),
                        items.empty() ? "choose the nodes or the links that were measured"
                                      : "choose nodes (inside of which it was measured) or links, not both");
    return chosen;
}

Result<Setting> settingOf(const Cluster& cluster, const LinkMeasurement& m, const Chosen& chosen) {
    Setting setting;
    setting.collective = m.collective;
    if (!collectiveOf(m.collective) && !(m.collective == "sendrecv" && m.ranks >= 2))
        return badInput("links.collective", m.source,
                        {"{operation} is no operation that the cost model prices; known are all_reduce, "
                         "all_gather, reduce_scatter, alltoall, broadcast and sendrecv",
                         {{"operation", m.collective}}});
    const int ranks = m.collective == "sendrecv" ? 2 : m.ranks;
    if (!chosen.nodes.empty()) {
        setting.nodes = {static_cast<int>(chosen.nodes.front())};
        setting.perNode = ranks;
        for (const std::size_t n : chosen.nodes)
            if (cluster.nodes[n].gpus < ranks)
                return badInput(
                    "links.ranks", cluster.nodes[n].id,
                    {"has {gpus} GPUs; {operation} were timed over {ranks} ranks in one node",
                     {{"gpus", cluster.nodes[n].gpus}, {"operation", m.collective}, {"ranks", ranks}}});
        return setting;
    }
    const int hosts = std::max(2, hostCount(m));
    std::set<std::size_t> ends;
    for (const std::size_t l : chosen.links)
        for (const std::string& end : {cluster.links[l].a, cluster.links[l].b})
            if (const Node* node = cluster.node(end))
                ends.insert(static_cast<std::size_t>(node - cluster.nodes.data()));
    setting.perNode = std::max(1, ranks / hosts);
    for (const std::size_t n : ends)
        if (static_cast<int>(setting.nodes.size()) < hosts && cluster.nodes[n].gpus >= setting.perNode)
            setting.nodes.push_back(static_cast<int>(n));
    if (static_cast<int>(setting.nodes.size()) < hosts)
        return badInput("links.ranks", cluster.links[chosen.links.front()].id,
                        {"the chosen links join {nodes} nodes with {gpus} GPUs or more; {operation} was "
                         "timed over {ranks} ranks on {hosts}",
                         {{"nodes", setting.nodes.size()},
                          {"gpus", setting.perNode},
                          {"operation", m.collective},
                          {"ranks", ranks},
                          {"hosts", hosts}}});
    return setting;
}

void put(Cluster& cluster, const Chosen& chosen, double bandwidth, double latency) {
    for (const std::size_t n : chosen.nodes) {
        cluster.nodes[n].intraBandwidth = BytesPerSecond(bandwidth);
        cluster.nodes[n].intraLatency = Seconds(latency);
    }
    for (const std::size_t l : chosen.links) {
        cluster.links[l].bandwidth = BytesPerSecond(bandwidth);
        cluster.links[l].latency = Seconds(latency);
    }
}

} // namespace

const LinkFit* fitOf(const LinkMeasurement& m) {
    return m.outOfPlaceFit ? &*m.outOfPlaceFit : m.inPlaceFit ? &*m.inPlaceFit : nullptr;
}

int hostCount(const LinkMeasurement& m) {
    std::set<std::string> hosts;
    for (const LinkDevice& device : m.devices)
        hosts.insert(device.host);
    return std::max(1, static_cast<int>(hosts.size()));
}

std::string deviceName(const LinkMeasurement& m) {
    return m.devices.empty() ? std::string() : m.devices.front().name;
}

std::vector<std::string> linkTargets(const Cluster& cluster, const LinkMeasurement& m) {
    std::vector<std::string> ids;
    if (hostCount(m) > 1) {
        for (const Link& link : cluster.links)
            if (cluster.node(link.a) != nullptr || cluster.node(link.b) != nullptr)
                ids.push_back(link.id);
        return ids;
    }
    const DeviceMatch match =
        m.devices.empty() ? DeviceMatch{} : matchDevice(Catalogue::builtin(), deviceName(m), {});
    const auto fits = [&](const DeviceKind* kind) {
        return (match.kind == nullptr && match.candidates.empty()) || kind == match.kind ||
               std::find_if(match.candidates.begin(), match.candidates.end(), [&](const DeviceKind* c) {
                   return kind != nullptr && c->name == kind->name;
               }) != match.candidates.end();
    };
    for (const Node& node : cluster.nodes)
        if (node.gpus >= m.ranks && fits(Catalogue::builtin().find(node.kind)))
            ids.push_back(node.id);
    return ids;
}

Result<Cluster> applyMeasurement(const Cluster& cluster, const LinkMeasurement& m,
                                 const std::vector<std::string>& items, Diagnostics& notes) {
    const LinkFit* fit = fitOf(m);
    if (fit == nullptr)
        return badInput("links.fit", m.source, "has no fit: at least two sizes must have been timed");
    const Result<Chosen> chosen = chosenItems(cluster, items);
    if (!chosen)
        return chosen.error();
    if (Status sound = statusOf(checkCluster(cluster)); !sound)
        return sound.error();
    const Result<Setting> setting = settingOf(cluster, m, *chosen);
    if (!setting)
        return setting.error();
    double small = kSmall, large = kLarge;
    if (const auto& samples = m.outOfPlaceFit ? m.outOfPlace : m.inPlace; !samples.empty()) {
        const auto [least, most] =
            std::minmax_element(samples.begin(), samples.end(),
                                [](const LinkSample& a, const LinkSample& b) { return a.size < b.size; });
        small = std::max(1.0, least->size.value);
        large = most->size.value;
    }
    const auto measured = [&](double bytes) { return fit->latency.value + bytes / fit->algorithm.value; };
    Cluster changed = cluster;
    double bandwidth = fit->bus.value, latency = 0.0;
    const auto predicted = [&](double b, double l, double bytes) {
        put(changed, *chosen, b, l);
        return setting->time(changed, bytes).value;
    };
    for (int round = 0; round < kRounds; ++round) {
        bandwidth = halve(kSlowest, kFastest, true,
                          [&](double b) { return predicted(b, latency, large) <= measured(large); });
        latency = halve(0.0, kLongest, false,
                        [&](double l) { return predicted(bandwidth, l, small) >= measured(small); });
        if (latency < 1e-9) // less than what the model adds of its own
            latency = 0.0;
    }
    if (bandwidth > 0.99 * kFastest || bandwidth < 1.01 * kSlowest)
        return badInput("links.rate", m.source,
                        {chosen->nodes.empty()
                             ? "no bandwidth of these links gives {time} for {operation} of {bytes} bytes: "
                               "something else limits it in the cost model"
                             : "no bandwidth of these nodes gives {time} for {operation} of {bytes} bytes: "
                               "something else limits it in the cost model",
                         {{"time", formatDuration(Seconds(measured(large)))},
                          {"operation", m.collective},
                          {"bytes", fmt::format("{:.0f}", large)}}});
    for (const double bytes : {small, large})
        if (const double left = predicted(bandwidth, latency, bytes) / measured(bytes) - 1;
            std::abs(left) > kFarFromFit)
            notes.push_back({Severity::Warning,
                             "links.residual",
                             m.source,
                             {"{operation} of {bytes} bytes is predicted {off} % off the fit; no latency and "
                              "bandwidth of the cost model meets it",
                              {{"operation", m.collective},
                               {"bytes", fmt::format("{:.0f}", bytes)},
                               {"off", fmt::format("{:+.0f}", 100 * left)}}}});
    put(changed, *chosen, bandwidth, latency);
    return changed;
}

Result<Cluster> applyMeasurements(const Cluster& cluster, const std::vector<LinkMeasurement>& measurements,
                                  const std::vector<std::string>& items, Diagnostics& notes) {
    Cluster with = cluster;
    for (const LinkMeasurement& m : measurements) {
        const std::vector<std::string> targets = items.empty() ? linkTargets(with, m) : items;
        if (targets.empty())
            return badInput("links.items", m.source,
                            {m.devices.empty()
                                 ? "{operation} was timed over {ranks} ranks, and the cluster has nothing "
                                   "like it{?; name its nodes or links with --to}"
                                 : "{operation} was timed over {ranks} ranks on {device}, and the cluster "
                                   "has nothing like it{?; name its nodes or links with --to}",
                             {{"operation", m.collective}, {"ranks", m.ranks}, {"device", deviceName(m)}}});
        Result<Cluster> changed = applyMeasurement(with, m, targets, notes);
        if (!changed)
            return changed;
        with = *std::move(changed);
    }
    return with;
}

std::vector<LinkMeasurement> preferredLinks(const std::vector<LinkMeasurement>& measurements) {
    using Key = std::tuple<std::string, int, int, std::string>;
    std::map<Key, const LinkMeasurement*> counting;
    for (const LinkMeasurement& m : measurements) {
        const LinkMeasurement*& best = counting[Key(m.collective, m.ranks, hostCount(m), deviceName(m))];
        if (best == nullptr || std::tie(m.date, m.source) >= std::tie(best->date, best->source))
            best = &m;
    }
    std::vector<LinkMeasurement> list;
    for (const auto& [key, best] : counting)
        list.push_back(*best);
    return list;
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/machines/slurm_files.h"

#include "core/formats/source.h"
#include "core/inventory/host_list.h"

#include <fmt/format.h>

#include <optional>

namespace pw::slurm {

namespace {

constexpr std::size_t kMostGpus = 1024; // of one node

struct Links {
    std::vector<std::int64_t> counts; // to every GPU of the node, -1 to itself
    int line = 0;
};

struct Node {
    InventoryHost host;
    std::vector<Links> links; // one a GPU, empty where the line has none
};

std::optional<std::size_t> gpusOf(const ConfLine& conf, TextFaults& faults) {
    std::optional<std::size_t> count;
    if (const auto stated = conf.values.find("count"); stated != conf.values.end()) {
        const std::optional<std::int64_t> n = integerNumber(stated->second);
        if (!n || *n < 0 || *n > static_cast<std::int64_t>(kMostGpus)) {
            faults.add("slurm.count", faults.where(conf.number),
                       {"Count is \"{stated}\"; expected 0 to {limit}",
                        {{"stated", stated->second}, {"limit", kMostGpus}}});
            return std::nullopt;
        }
        count = static_cast<std::size_t>(*n);
    }
    if (const auto file = conf.values.find("file"); file != conf.values.end()) {
        const Result<std::vector<std::string>> devices = expandHostList(file->second);
        if (!devices || devices->size() > kMostGpus) {
            faults.add("slurm.hostlist", faults.where(conf.number),
                       devices ? Wording("File comes to more than {limit} devices", {{"limit", kMostGpus}})
                               : Wording(devices.error()));
            return std::nullopt;
        }
        if (count && *count != devices->size())
            faults.add("slurm.count", faults.where(conf.number),
                       {"Count is {count}, File names {devices} devices",
                        {{"count", *count}, {"devices", devices->size()}}});
        count = devices->size();
    }
    return count;
}

std::vector<std::int64_t> linksOf(const ConfLine& conf, TextFaults& faults) {
    std::vector<std::int64_t> counts;
    const auto links = conf.values.find("links");
    if (links == conf.values.end())
        return counts;
    for (const std::string_view part : partsOf(links->second, ',')) {
        const std::optional<std::int64_t> n = integerNumber(part);
        if (!n || *n < -1 || *n > 1024)
            faults.add("slurm.links", faults.where(conf.number),
                       {"\"{part}\" is no link count", {{"part", part}}});
        counts.push_back(n.value_or(0));
    }
    return counts;
}

// Rows of link counts must be square and symmetric, -1 where a GPU meets itself.
void joinLinks(Node& node, TextFaults& faults) {
    const std::size_t n = node.host.gpus.size();
    std::size_t rows = 0;
    for (const Links& row : node.links)
        rows += row.counts.empty() ? 0 : 1;
    if (rows == 0)
        return;
    for (std::size_t a = 0; a < n; ++a) {
        const Links& row = node.links[a];
        if (row.counts.size() != n) {
            faults.add("slurm.links", row.line > 0 ? faults.where(row.line) : node.host.where,
                       {"Links of GPU {a} of {name} has {counts} entries, the node has {number} GPUs",
                        {{"a", a}, {"name", node.host.name}, {"counts", row.counts.size()}, {"number", n}}});
            return;
        }
    }
    for (std::size_t a = 0; a < n; ++a) {
        if (node.links[a].counts[a] != -1)
            faults.add("slurm.links", faults.where(node.links[a].line),
                       {"Links of GPU {a} of {name} is {counts} for itself; expected -1",
                        {{"a", a}, {"name", node.host.name}, {"counts", node.links[a].counts[a]}}});
        for (std::size_t b = a + 1; b < n; ++b) {
            const std::int64_t there = node.links[a].counts[b], back = node.links[b].counts[a];
            if (there != back || there < 0) {
                faults.add(
                    "slurm.links", faults.where(node.links[b].line),
                    {"GPUs {a} and {b} of {name} have {there} links one way and {back} the other",
                     {{"a", a}, {"b", b}, {"name", node.host.name}, {"there", there}, {"back", back}}});
                continue;
            }
            GpuPair pair{static_cast<int>(a), static_cast<int>(b), "", static_cast<int>(there), {}};
            if (there > 0)
                pair.path = fmt::format("NV{}", there);
            node.host.pairs.push_back(std::move(pair));
        }
    }
}

} // namespace

Inventory readGres(std::string_view text, TextFaults& faults) {
    std::vector<Node> nodes;
    std::map<std::string, std::size_t> placeOf;
    std::size_t names = 0, gpus = 0;
    for (const ConfLine& conf : confLines(text, faults)) {
        const auto name = conf.values.find("name");
        if (name == conf.values.end()) {
            if (!conf.values.contains("autodetect"))
                faults.add("slurm.gres", faults.where(conf.number), "has neither Name nor AutoDetect");
            continue;
        }
        if (name->second != "gpu")
            continue;
        std::vector<std::string> hosts = {""}; // a file of one host leaves NodeName out
        if (const auto list = conf.values.find("nodename"); list != conf.values.end()) {
            const Result<std::vector<std::string>> expanded = expandHostList(list->second);
            if (!expanded) {
                faults.add("slurm.hostlist", faults.where(conf.number), expanded.error());
                continue;
            }
            hosts = *expanded;
        }
        const std::optional<std::size_t> count = gpusOf(conf, faults);
        const std::vector<std::int64_t> links = linksOf(conf, faults);
        if (!links.empty() && count.value_or(0) != 1)
            faults.add("slurm.links", faults.where(conf.number), "Links takes a line for every GPU");
        names += hosts.size();
        gpus += hosts.size() * count.value_or(0);
        if (names > ImportLimits::hostNames || gpus > static_cast<std::size_t>(ImportLimits::gpus)) {
            faults.add("slurm.size", faults.where(conf.number),
                       {"the file comes to more than {limit} nodes or {gpus} GPUs",
                        {{"limit", ImportLimits::hostNames}, {"gpus", ImportLimits::gpus}}});
            break;
        }
        const auto type = conf.values.find("type");
        for (const std::string& host : hosts) {
            const auto [place, isNew] = placeOf.emplace(host, nodes.size());
            if (isNew) {
                nodes.emplace_back();
                nodes.back().host.name = host;
                nodes.back().host.where = faults.where(conf.number);
            }
            Node& node = nodes[place->second];
            for (std::size_t k = 0; k < count.value_or(0); ++k) {
                InventoryGpu gpu;
                gpu.index = static_cast<int>(node.host.gpus.size());
                gpu.model = type == conf.values.end() ? "" : type->second;
                node.host.gpus.push_back(std::move(gpu));
                node.links.push_back({links, conf.number});
            }
            if (node.host.gpus.size() > kMostGpus) {
                faults.add(
                    "slurm.count", faults.where(conf.number),
                    {"{host} comes to more than {limit} GPUs", {{"host", host}, {"limit", kMostGpus}}});
                return {};
            }
        }
    }
    Inventory found;
    for (Node& node : nodes) {
        joinLinks(node, faults);
        found.hosts.push_back(std::move(node.host));
    }
    return found;
}

} // namespace pw::slurm

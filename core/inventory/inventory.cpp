// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inventory/inventory.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace pw {

namespace {

template <class T>
void fill(std::optional<T>& empty, const std::optional<T>& from) {
    if (!empty)
        empty = from;
}

template <class T>
void fill(std::vector<T>& empty, std::vector<T>& from) {
    if (empty.empty())
        empty = std::move(from);
}

void complete(InventoryGpu& gpu, const InventoryGpu& more) {
    if (more.model.size() > gpu.model.size()) // the driver's name says more than a scheduler's
        gpu.model = more.model;
    if (gpu.busId.empty())
        gpu.busId = more.busId;
    if (gpu.compute == 0)
        gpu.compute = more.compute;
    fill(gpu.memory, more.memory);
    fill(gpu.pcie, more.pcie);
    fill(gpu.numa, more.numa);
    fill(gpu.toSwitch, more.toSwitch);
}

// A file that describes the GPUs of a host without counting them has one entry, numbered -1.
bool describesEach(const std::vector<InventoryGpu>& gpus) {
    return gpus.size() == 1 && gpus.front().index < 0;
}

bool haveBusIds(const std::vector<InventoryGpu>& gpus) {
    return std::none_of(gpus.begin(), gpus.end(), [](const InventoryGpu& g) { return g.busId.empty(); });
}

Status joinGpus(InventoryHost& host, InventoryHost& more, const std::string& file) {
    if (more.gpus.empty())
        return Ok{};
    if (host.gpus.empty()) {
        host.gpus = std::move(more.gpus);
        return Ok{};
    }
    if (describesEach(host.gpus))
        std::swap(host.gpus, more.gpus);
    if (describesEach(more.gpus)) {
        for (InventoryGpu& gpu : host.gpus)
            complete(gpu, more.gpus.front());
        return Ok{};
    }
    const std::string name = host.name.empty() ? "the host" : host.name;
    if (host.gpus.size() != more.gpus.size())
        return badInput("import.join", file,
                        {"counts {gpus} GPUs of {host}, another file {other}",
                         {{"gpus", more.gpus.size()}, {"host", name}, {"other", host.gpus.size()}}});
    const bool byBus = haveBusIds(host.gpus) && haveBusIds(more.gpus);
    for (const InventoryGpu& other : more.gpus) {
        const auto same = std::find_if(host.gpus.begin(), host.gpus.end(), [&](const InventoryGpu& gpu) {
            return byBus ? gpu.busId == other.busId : gpu.index == other.index;
        });
        if (same == host.gpus.end())
            return badInput("import.join", file,
                            {byBus ? "has a GPU at {bus}, where another file has none"
                                   : "has a GPU {index} of {host}, which another file has not",
                             {{"bus", other.busId}, {"index", other.index}, {"host", name}}});
        complete(*same, other);
    }
    return Ok{};
}

Status joinHosts(InventoryHost& host, InventoryHost& more, const std::string& file) {
    if (host.name.empty())
        host.name = more.name;
    if (Status joined = joinGpus(host, more, file); !joined)
        return joined;
    fill(host.gpuCount, more.gpuCount);
    fill(host.pairs, more.pairs);
    fill(host.nics, more.nics);
    fill(host.betweenGpus, more.betweenGpus);
    fill(host.gpuLatency, more.gpuLatency);
    fill(host.memory, more.memory);
    fill(host.numaNodes, more.numaNodes);
    fill(host.processors, more.processors);
    fill(host.nvswitches, more.nvswitches);
    if (host.nvlinkDomain.empty())
        host.nvlinkDomain = more.nvlinkDomain;
    host.ratesAsUsed = host.ratesAsUsed || more.ratesAsUsed;
    if (host.note.empty())
        host.note = more.note;
    return Ok{};
}

class Joiner {
public:
    Inventory all;

    Status take(Inventory& part, const std::string& file) {
        const bool single = part.hosts.size() == 1 && all.hosts.size() == 1 &&
                            (part.hosts.front().name.empty() || all.hosts.front().name.empty());
        for (InventoryHost& host : part.hosts) {
            if (single) {
                if (Status joined = joinHosts(all.hosts.front(), host, file); !joined)
                    return joined;
                m_placeOf.emplace(all.hosts.front().name, 0);
                continue;
            }
            if (host.name.empty() && !all.hosts.empty())
                return badInput(
                    "import.join", file,
                    {"is about one host and does not say which of {hosts}", {{"hosts", all.hosts.size()}}});
            const auto [place, isNew] = m_placeOf.emplace(host.name, all.hosts.size());
            if (isNew)
                all.hosts.push_back(std::move(host));
            else if (Status joined = joinHosts(all.hosts[place->second], host, file); !joined)
                return joined;
        }
        if (!part.medium.empty() && !all.medium.empty() && part.medium != all.medium)
            return badInput("import.join", file,
                            {"is of a network of {medium}, another one of {other}",
                             {{"medium", part.medium}, {"other", all.medium}}});
        if (all.medium.empty())
            all.medium = part.medium;
        append(all.switches, part.switches);
        append(all.cables, part.cables);
        append(all.excluded, part.excluded);
        return Ok{};
    }

private:
    static std::string keyOf(const InventorySwitch& item) { return "s " + item.name; }
    static std::string keyOf(const ExcludedHost& host) { return "x " + host.name + ' ' + host.reason; }
    static std::string keyOf(const InventoryCable& cable) {
        return fmt::format("c {} {} {} {} {}", cable.a, cable.b, cable.lanes,
                           cable.bandwidth.value_or(BytesPerSecond(0)).value,
                           cable.latency.value_or(Seconds(-1)).value);
    }

    // What another file has said already is not repeated; a file may repeat itself.
    template <class T>
    void append(std::vector<T>& list, std::vector<T>& more) {
        std::vector<std::string> keys;
        for (T& one : more) {
            keys.push_back(keyOf(one));
            if (!m_told.contains(keys.back()))
                list.push_back(std::move(one));
        }
        m_told.insert(keys.begin(), keys.end());
    }

    std::set<std::string> m_told;
    std::map<std::string, std::size_t> m_placeOf;
};

template <class Q>
void put(Json& json, const char* key, const std::optional<Q>& value) {
    if (value)
        json[key] = value->value;
}

Json gpuJson(const InventoryGpu& gpu) {
    Json json = {{"index", gpu.index}, {"model", gpu.model.empty() ? Json() : Json(gpu.model)}};
    put(json, "memory", gpu.memory);
    put(json, "pcie_bandwidth", gpu.pcie);
    put(json, "to_switch_bandwidth", gpu.toSwitch);
    if (!gpu.busId.empty())
        json["bus_id"] = gpu.busId;
    if (gpu.compute > 0)
        json["compute_capability"] = fmt::format("{}.{}", gpu.compute / 10, gpu.compute % 10);
    if (gpu.numa)
        json["numa"] = *gpu.numa;
    return json;
}

Json hostJson(const InventoryHost& host) {
    Json gpus = Json::array(), pairs = Json::array(), nics = Json::array();
    for (const InventoryGpu& gpu : host.gpus)
        gpus.push_back(gpuJson(gpu));
    for (const GpuPair& pair : host.pairs) {
        Json json = {{"a", pair.a}, {"b", pair.b}, {"path", pair.path}, {"nvlinks", pair.nvlinks}};
        put(json, "bandwidth", pair.bandwidth);
        pairs.push_back(std::move(json));
    }
    for (const InventoryNic& nic : host.nics) {
        Json json = {{"name", nic.name}};
        put(json, "bandwidth", nic.bandwidth);
        put(json, "latency", nic.latency);
        nics.push_back(std::move(json));
    }
    Json json = {{"name", host.name},
                 {"gpus", std::move(gpus)},
                 {"pairs", std::move(pairs)},
                 {"nics", std::move(nics)}};
    put(json, "between_gpus", host.betweenGpus);
    if (!host.nvlinkDomain.empty())
        json["nvlink_domain"] = host.nvlinkDomain;
    put(json, "gpu_latency", host.gpuLatency);
    put(json, "memory", host.memory);
    for (const auto& [key, value] : {std::pair{"numa_nodes", host.numaNodes},
                                     {"processors", host.processors},
                                     {"nvswitches", host.nvswitches},
                                     {"gpu_count", host.gpuCount}})
        if (value)
            json[key] = *value;
    if (!host.note.empty())
        json["note"] = host.note;
    return json;
}

} // namespace

Result<Inventory> joinInventories(std::vector<Inventory> parts, const std::vector<std::string>& files) {
    Joiner joiner;
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (Status taken = joiner.take(parts[i], files[i]); !taken)
            return taken.error();
    std::set<std::string> out;
    for (const ExcludedHost& host : joiner.all.excluded)
        out.insert(host.name);
    std::erase_if(joiner.all.hosts, [&](const InventoryHost& host) { return out.contains(host.name); });
    std::erase_if(joiner.all.cables, [&](const InventoryCable& cable) {
        return out.contains(cable.a) || out.contains(cable.b);
    });
    return std::move(joiner.all);
}

int gpuCount(const Inventory& inventory) {
    int count = 0;
    for (const InventoryHost& host : inventory.hosts)
        count += host.gpus.empty() || describesEach(host.gpus) ? host.gpuCount.value_or(0)
                                                               : static_cast<int>(host.gpus.size());
    return count;
}

InventoryCounts countsOf(const Inventory& inventory) {
    InventoryCounts counts;
    counts.hosts = inventory.hosts.size();
    counts.switches = inventory.switches.size();
    for (const InventoryCable& cable : inventory.cables)
        counts.cables += static_cast<std::size_t>(std::max(1, cable.lanes));
    counts.excluded = inventory.excluded.size();
    counts.gpus = gpuCount(inventory);
    std::set<std::pair<std::size_t, int>> numa;
    for (std::size_t h = 0; h < inventory.hosts.size(); ++h) {
        for (const InventoryGpu& gpu : inventory.hosts[h].gpus) {
            ++counts.models[gpu.model];
            if (gpu.numa)
                numa.emplace(h, *gpu.numa);
        }
        for (const GpuPair& pair : inventory.hosts[h].pairs)
            if (!pair.path.empty())
                ++counts.paths[pair.path];
    }
    counts.numaNodes = numa.size();
    return counts;
}

std::string describe(const Inventory& inventory) {
    const InventoryCounts counts = countsOf(inventory);
    std::map<std::string, int> models; // in the order of what they are called
    for (const auto& [model, count] : counts.models)
        models[model.empty() ? "unknown model" : model] += count;
    std::string kinds;
    for (const auto& [model, count] : models)
        kinds += fmt::format("{}{} x {}", kinds.empty() ? "" : ", ", count, model);
    const auto plural = [](std::size_t n, const char* what) {
        return fmt::format("{} {}{}", n, what,
                           n == 1                                            ? ""
                           : n > 0 && std::string_view(what).ends_with("ch") ? "es"
                                                                             : "s");
    };
    std::string text = plural(counts.hosts, "host") + ", " +
                       plural(static_cast<std::size_t>(counts.gpus), "GPU") +
                       (kinds.empty() ? "" : " (" + kinds + ")");
    for (const auto& [path, count] : counts.paths)
        text +=
            fmt::format("{}{} x {}", path == counts.paths.begin()->first ? ", pairs " : " and ", count, path);
    if (counts.numaNodes > 0)
        text += ", " + plural(counts.numaNodes, "NUMA node") + " with GPUs";
    if (counts.switches > 0)
        text += ", " + plural(counts.switches, "switch");
    if (counts.cables > 0)
        text += ", " + plural(counts.cables, "cable");
    if (counts.excluded > 0)
        text += fmt::format(", {} excluded", counts.excluded);
    return text;
}

Json toJson(const Inventory& inventory) {
    Json hosts = Json::array(), switches = Json::array(), cables = Json::array(), excluded = Json::array();
    for (const InventoryHost& host : inventory.hosts)
        hosts.push_back(hostJson(host));
    for (const InventorySwitch& item : inventory.switches)
        switches.push_back(item.name);
    for (const InventoryCable& cable : inventory.cables) {
        Json json = {{"a", cable.a}, {"b", cable.b}, {"lanes", cable.lanes}};
        put(json, "bandwidth", cable.bandwidth);
        put(json, "latency", cable.latency);
        cables.push_back(std::move(json));
    }
    for (const ExcludedHost& host : inventory.excluded)
        excluded.push_back({{"name", host.name}, {"reason", host.reason}});
    Json json = {{"hosts", std::move(hosts)},
                 {"switches", std::move(switches)},
                 {"cables", std::move(cables)},
                 {"excluded", std::move(excluded)}};
    if (!inventory.medium.empty())
        json["medium"] = inventory.medium;
    return json;
}

std::string nvlinkDomainOf(std::string_view clusterUuid, std::string_view clique) {
    if (clusterUuid.find_first_not_of("0-") == std::string_view::npos)
        return {};
    return fmt::format("{}.{}", clusterUuid, clique);
}

} // namespace pw

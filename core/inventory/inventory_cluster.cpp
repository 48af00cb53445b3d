// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inventory/inventory_cluster.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/cluster/network_kind.h"
#include "core/inventory/cluster_layout.h"
#include "core/inventory/device_match.h"
#include "core/inventory/host_links.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace pw {

namespace {

constexpr double kSameMemory = 0.06;
constexpr Seconds kNvlinkLatency(2e-6); // as inside a node

bool countsGpus(const InventoryHost& host) {
    return !host.gpus.empty() && host.gpus.front().index >= 0;
}

class Drawing {
public:
    Drawing(const Inventory& inventory, const ClusterAnswers& answers, const std::string& name,
            Diagnostics& notes)
        : m_inventory(inventory), m_answers(answers), m_notes(notes) {
        m_cluster.name = name;
    }

    ClusterQuestions questions() {
        const Result<Cluster> drawn = draw();
        ClusterQuestions open;
        for (const auto& [model, asked] : m_asked)
            open.devices.push_back({model, asked.hosts, {asked.candidates.begin(), asked.candidates.end()}});
        for (const Error& missing : m_missing) {
            open.gpus = open.gpus || missing.code == "import.gpus";
            open.bandwidth = open.bandwidth || missing.code == "import.bandwidth";
        }
        open.medium = m_mediumAssumed;
        if (!drawn && open.devices.empty() && !open.gpus && !open.bandwidth)
            open.obstacle = drawn.error();
        return open;
    }

    Result<Cluster> draw() {
        for (const ExcludedHost& host : m_inventory.excluded)
            warn("import.excluded", host.name, {"is left out: {reason}", {{"reason", host.reason}}});
        const bool anyCounted =
            std::any_of(m_inventory.hosts.begin(), m_inventory.hosts.end(),
                        [](const InventoryHost& h) { return countsGpus(h) || h.gpuCount; });
        for (const InventoryHost& host : m_inventory.hosts)
            take(host, anyCounted);
        askForKinds();
        if (m_cluster.nodes.empty() && m_missing.empty())
            m_missing.push_back(badInput("import.empty", m_cluster.name, "no host with GPUs is left"));
        if (m_cluster.nodes.size() > 1)
            drawNetwork();
        else if (!m_inventory.cables.empty() && m_missing.empty())
            warn("import.network", m_cluster.name, "a single node needs no network; none is drawn");
        if (!m_missing.empty()) {
            const auto told = static_cast<std::ptrdiff_t>(std::min(m_missing.size(), kMostFaults));
            return statusOf(std::vector<Error>(m_missing.begin(), m_missing.begin() + told)).error();
        }
        drawDomains();
        placeItems(m_cluster);
        if (Status sound = statusOf(checkCluster(m_cluster)); !sound)
            return sound.error();
        return std::move(m_cluster);
    }

private:
    void warn(const std::string& code, const std::string& where, Wording wording) {
        m_notes.push_back({Severity::Warning, code, where, std::move(wording)});
    }
    // Once, however many hosts it is about.
    void warnOnce(const std::string& code, const std::string& where, Wording wording) {
        if (m_told.insert(wording.message).second)
            warn(code, where, std::move(wording));
    }
    void ask(const char* code, const std::string& where, Wording wording) {
        if (m_told.insert(wording.message).second)
            m_missing.push_back(badInput(code, where, std::move(wording)));
    }

    void take(const InventoryHost& host, bool anyCounted) {
        Node node;
        node.id = host.name.empty() ? "n1" : host.name;
        node.gpus = countsGpus(host) ? static_cast<int>(host.gpus.size())
                                     : host.gpuCount.value_or(m_answers.gpus.value_or(0));
        if (node.gpus == 0 && (anyCounted && host.gpus.empty() && !m_answers.gpus)) {
            warn("import.no_gpus", node.id, "is left out: no file says that it has GPUs");
            m_leftOut.insert(node.id);
            return;
        }
        if (node.gpus == 0)
            ask("import.gpus", "--gpus",
                {"how many GPUs has {node}? No file says so; state it, or import the file that does too",
                 {{"node", node.id}}});
        const DeviceKind* kind = kindOf(host, node);
        if (kind != nullptr) { // else it is asked for, with all the rest that is missing
            node.kind = kind->name;
            for (const Remark& remark : linkInside(host, *kind, node))
                warnOnce(remark.code, remark.where, remark);
        }
        if (!host.nvlinkDomain.empty() && kind != nullptr)
            m_domains[{host.nvlinkDomain, kind->name}].push_back(node.id);
        m_uplinks.push_back(uplinkOf(host));
        m_cluster.nodes.push_back(std::move(node));
    }

    const DeviceKind* kindOf(const InventoryHost& host, const Node& node) {
        std::set<std::string> models;
        std::optional<Bytes> memory = m_answers.memory;
        for (const InventoryGpu& gpu : host.gpus) {
            models.insert(gpu.model);
            if (gpu.memory)
                memory = gpu.memory;
        }
        if (models.size() > 1) {
            ask("import.mixed", node.id,
                {"holds GPUs of several models ({models}); a node has one. Draw it as two nodes",
                 {{"models", fmt::format("{}", fmt::join(models, ", "))}}});
            return nullptr;
        }
        const std::string model = models.empty() ? "" : *models.begin();
        for (const std::string& key : {node.id, model, std::string()})
            if (const auto answer = m_answers.devices.find(key);
                answer != m_answers.devices.end() && (!key.empty() || !unique(model, memory))) {
                const DeviceKind* kind = Catalogue::builtin().find(answer->second);
                if (kind == nullptr) {
                    ask("import.device", node.id,
                        {"\"{kind}\"{? of --device} is no device kind of the catalogue",
                         {{"kind", answer->second}}});
                    return nullptr;
                }
                remark(*kind, model, memory, node.id);
                return kind;
            }
        const DeviceMatch& found = matched(model, memory);
        if (found.kind != nullptr) {
            remark(*found.kind, model, memory, node.id);
            return found.kind;
        }
        m_asked[model].hosts.push_back(node.id);
        for (const DeviceKind* kind : found.candidates)
            m_asked[model].candidates.insert(kind->name);
        return nullptr;
    }

    // Thousands of hosts have the same GPUs.
    const DeviceMatch& matched(const std::string& model, std::optional<Bytes> memory) {
        const auto key = std::pair(model, memory ? memory->value : 0.0);
        const auto known = m_matches.find(key);
        return known != m_matches.end()
                   ? known->second
                   : m_matches.emplace(key, matchDevice(Catalogue::builtin(), model, memory)).first->second;
    }

    bool unique(const std::string& model, std::optional<Bytes> memory) {
        return !model.empty() && matched(model, memory).kind != nullptr;
    }

    // A name that is not just the catalogue's, and memory that is not the kind's, are worth saying.
    void remark(const DeviceKind& kind, const std::string& model, std::optional<Bytes> memory,
                const std::string& node) {
        if (!model.empty() && model.find(kind.name) == std::string::npos)
            warnOnce("import.device", node,
                     {"\"{model}\" is taken for {kind}", {{"model", model}, {"kind", kind.name}}});
        if (memory && std::abs(memory->value / kind.memory.value - 1) > kSameMemory)
            warnOnce("import.memory", node,
                     {"{reported} of memory are reported, {kind} has {memory}: the latter counts",
                      {{"reported", formatGibibytes(*memory)},
                       {"kind", kind.name},
                       {"memory", formatGibibytes(kind.memory)}}});
    }

    void askForKinds() {
        for (const auto& [model, asked] : m_asked) {
            const std::string which = asked.hosts.size() > 3
                                          ? fmt::format("{}, {} and {} more", asked.hosts[0], asked.hosts[1],
                                                        asked.hosts.size() - 2)
                                          : fmt::format("{}", fmt::join(asked.hosts, ", "));
            const std::string choice = asked.candidates.empty()
                                           ? std::string("a kind of the catalogue")
                                           : fmt::format("one of {}", fmt::join(asked.candidates, ", "));
            ask("import.device", "--device",
                {model.empty()
                     ? "which GPUs are in {nodes}? No file says so{?; state it as --device KIND, {choice}}"
                     : "which kind are the GPUs \"{model}\" of {nodes}?{? State it as --device "
                       "\"{model}=KIND\", {choice}}",
                 {{"model", model}, {"nodes", which}, {"choice", choice}}});
        }
    }

    Link linkOf(const std::string& a, const std::string& b, std::optional<BytesPerSecond> bandwidth,
                int lanes, std::optional<Seconds> latency) {
        Link link;
        link.id = a + "-" + b;
        for (int number = 2; !m_linkIds.insert(link.id).second; ++number) // cables of another rate, say
            link.id = fmt::format("{}-{}-{}", a, b, number);
        link.a = a;
        link.b = b;
        link.lanes = lanes;
        link.efficiency = m_share;
        if (bandwidth)
            link.bandwidth = *bandwidth;
        if (latency ? latency : m_answers.latency)
            link.latency = latency ? *latency : *m_answers.latency;
        else
            warnOnce(
                "import.latency", m_cluster.name,
                {"No file states the latency of cables: {latency} are assumed{?; --latency says otherwise}",
                 {{"latency", formatDuration(link.latency)}}});
        return link;
    }

    void hostLink(std::size_t node, const std::string& to, const InventoryCable* cable) {
        const std::string& id = m_cluster.nodes[node].id;
        const HostUplink& up = m_uplinks[node];
        std::optional<BytesPerSecond> bandwidth = cable != nullptr ? cable->bandwidth : std::nullopt;
        int lanes = cable != nullptr ? cable->lanes : 1;
        std::optional<Seconds> latency = cable != nullptr ? cable->latency : std::nullopt;
        if (!bandwidth && up.bandwidth) {
            bandwidth = up.bandwidth;
            lanes = up.lanes;
            latency = latency ? latency : up.latency;
        }
        if (!bandwidth && m_answers.bandwidth) {
            bandwidth = m_answers.bandwidth;
            lanes = m_answers.lanes;
        }
        if (!bandwidth)
            ask("import.bandwidth", "--bandwidth",
                "how fast is the network? No file says so{?; state a node's way into it with --bandwidth, as "
                "in 200Gbit/s or 8x200Gbit/s}");
        m_cluster.links.push_back(linkOf(id, to, bandwidth, lanes, latency));
    }

    // Of all switches, and with it what is usable of every link: hardly a format names it.
    std::string medium() {
        const std::string& stated = m_answers.medium.empty() ? m_inventory.medium : m_answers.medium;
        const std::string name = stated.empty() ? "Ethernet" : stated;
        if (networkKind(name) == nullptr)
            ask("import.medium", "--medium",
                {"\"{medium}\" is no network that is known; state one of {known}",
                 {{"medium", name}, {"known", knownNetworks()}}});
        m_share = usableShare(ConstantSet::builtin().comm(), name);
        m_mediumAssumed = stated.empty();
        if (m_mediumAssumed)
            warnOnce("import.medium", m_cluster.name,
                     {"No file states the network's medium: {medium} is assumed, of whose rate {share} % are "
                      "usable{?; --medium says otherwise}",
                      {{"medium", name}, {"share", fmt::format("{:.3g}", 100.0 * m_share)}}});
        return name;
    }

    static std::string knownNetworks() {
        std::vector<std::string_view> names;
        for (const NetworkKind& kind : networkKinds())
            names.push_back(kind.name);
        return fmt::format("{}", fmt::join(names, ", "));
    }

    void drawNetwork() {
        const std::string medium = this->medium();
        for (const InventorySwitch& item : m_inventory.switches)
            m_cluster.switches.push_back({item.name, medium, {}});
        std::map<std::string, std::size_t> placeOf;
        for (std::size_t n = 0; n < m_cluster.nodes.size(); ++n)
            placeOf[m_cluster.nodes[n].id] = n;
        if (m_inventory.cables.empty()) {
            m_cluster.switches.push_back({"s1", medium, {}});
            for (std::size_t n = 0; n < m_cluster.nodes.size(); ++n)
                hostLink(n, "s1", nullptr);
            warnOnce("import.switch", m_cluster.name,
                     "No file states the network: all nodes are drawn on one switch");
            return;
        }
        std::vector<const InventoryCable*> trunks;
        for (const InventoryCable& cable : m_inventory.cables) {
            const auto a = placeOf.find(cable.a), b = placeOf.find(cable.b);
            if (a != placeOf.end() && b == placeOf.end() && !m_leftOut.contains(cable.b))
                hostLink(a->second, cable.b, &cable);
            else if (b != placeOf.end() && a == placeOf.end() && !m_leftOut.contains(cable.a))
                hostLink(b->second, cable.a, &cable);
            else if (a != placeOf.end() && b != placeOf.end())
                hostLink(a->second, cable.b, &cable);
            else if (!m_leftOut.contains(cable.a) && !m_leftOut.contains(cable.b))
                trunks.push_back(&cable);
        }
        // From the leaves up: what lies below a switch is known when its own way up is drawn.
        std::map<std::string, double> below;
        for (const Link& link : m_cluster.links)
            below[link.b] += link.bandwidth.value * link.lanes;
        for (const InventoryCable* cable : trunks)
            if (cable->bandwidth)
                m_statedUp[cable->a] += cable->bandwidth->value * std::max(1, cable->lanes);
            else
                m_lanesUp[cable->a] += std::max(1, cable->lanes);
        while (!trunks.empty()) {
            std::set<std::string> waitedFor;
            for (const InventoryCable* cable : trunks)
                waitedFor.insert(cable->b);
            std::vector<const InventoryCable*> later;
            for (const InventoryCable* cable : trunks)
                if (!cable->bandwidth && waitedFor.contains(cable->a))
                    later.push_back(cable);
                else
                    drawTrunk(*cable, below);
            if (later.size() == trunks.size()) { // a ring of them
                for (const InventoryCable* cable : later)
                    drawTrunk(*cable, below);
                return;
            }
            trunks = std::move(later);
        }
    }

    // Hosts of one kind that the files put into one NVLink domain.
    void drawDomains() {
        std::set<std::string> taken;
        for (const Node& node : m_cluster.nodes)
            taken.insert(node.id);
        for (const InventorySwitch& item : m_inventory.switches)
            taken.insert(item.name);
        int next = 1;
        for (const auto& [key, nodes] : m_domains) {
            if (nodes.size() < 2)
                continue;
            const DeviceKind& kind = *findKind(m_cluster, key.second);
            if (!reachesSwitch(kind)) {
                warnOnce("import.domain", key.first,
                         {"no NVLink domain of {kind} is drawn: these GPUs reach no switch",
                          {{"kind", kind.name}}});
                continue;
            }
            std::string id = fmt::format("d{}", next++);
            while (!taken.insert(id).second)
                id = fmt::format("d{}", next++);
            m_cluster.nvlinkDomains.push_back({std::move(id), nodes, BytesPerSecond(0.0), kNvlinkLatency});
        }
    }

    void drawTrunk(const InventoryCable& cable, std::map<std::string, double>& below) {
        std::optional<BytesPerSecond> bandwidth = cable.bandwidth ? cable.bandwidth : m_answers.trunk;
        if (!bandwidth && below[cable.a] > 0) { // all of its ways up together
            const double rest = below[cable.a] - m_statedUp[cable.a];
            bandwidth = BytesPerSecond((rest > 0.0 ? rest : below[cable.a]) / m_lanesUp.at(cable.a));
            warnOnce("import.trunk", m_cluster.name,
                     "No file states the rate between switches: as much as lies below each is assumed"
                     "{?; --trunk says otherwise}");
        }
        if (!bandwidth)
            return; // a switch with no node below it
        below[cable.b] += bandwidth->value * cable.lanes;
        m_cluster.links.push_back(linkOf(cable.a, cable.b, bandwidth, cable.lanes, cable.latency));
    }

    struct Asked {
        std::vector<std::string> hosts;
        std::set<std::string> candidates;
    };

    const Inventory& m_inventory;
    const ClusterAnswers& m_answers;
    Diagnostics& m_notes;
    Cluster m_cluster;
    std::vector<HostUplink> m_uplinks; // a node each
    std::set<std::string> m_linkIds;
    double m_share = Link{}.efficiency; // usable, of every link
    bool m_mediumAssumed = false;
    std::set<std::string> m_leftOut;
    std::map<std::string, double> m_statedUp; // bytes/s of a switch's ways to others, as files state them
    std::map<std::string, int> m_lanesUp;     // of a switch, to others, whose rate no file states
    std::map<std::pair<std::string, std::string>, std::vector<std::string>> m_domains; // and kind: its nodes
    std::map<std::string, Asked> m_asked; // by what the files call the GPUs
    std::set<std::string> m_told;
    std::map<std::pair<std::string, double>, DeviceMatch> m_matches;
    std::vector<Error> m_missing;
};

} // namespace

Result<Cluster> clusterOf(const Inventory& inventory, const ClusterAnswers& answers, const std::string& name,
                          Diagnostics& notes) {
    return Drawing(inventory, answers, name, notes).draw();
}

ClusterQuestions questionsOf(const Inventory& inventory) {
    const ClusterAnswers answers;
    Diagnostics unused;
    return Drawing(inventory, answers, "cluster", unused).questions();
}

} // namespace pw

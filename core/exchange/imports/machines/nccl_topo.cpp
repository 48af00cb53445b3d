// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/machines/nccl_topo.h"

#include "core/exchange/imports/machines/pci_kinds.h"
#include "core/formats/source.h"
#include "core/formats/xml_file.h"
#include "core/inventory/bus_id.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace pw {

namespace {

// The classes of PCI devices that matter here, without their last byte where any will do.
constexpr std::string_view kGpuClass = "0x03", kNicClass = "0x02", kNvSwitchClass = "0x068000",
                           kCpuClass = "0x068001";

struct Pcie {
    std::string_view generation; // GT/s, without " PCIe" and ".0"
    double speed;                // in 100 Mbit/s a lane, as NCCL rounds it
};
constexpr std::array kPcie = {Pcie{"2.5", 15}, Pcie{"5", 30},   Pcie{"8", 60},
                              Pcie{"16", 120}, Pcie{"32", 240}, Pcie{"64", 480}};
constexpr double kUnknownSpeed = 60;
constexpr std::int64_t kUnknownWidth = 16;

double pcieSpeed(std::string_view text) {
    std::string_view number = text.substr(0, text.find(' '));
    if (number.ends_with(".0"))
        number.remove_suffix(2);
    for (const Pcie& p : kPcie)
        if (number == p.generation)
            return p.speed;
    return kUnknownSpeed;
}

// GB/s of one NVLink in one direction, by the GPU's compute capability.
double nvlinkRate(int sm) {
    switch (sm) {
    case 60:
        return 18.0;
    case 86:
        return 12.0;
    case 90:
        return 20.6;
    case 100:
        return 40.1;
    default:
        return 20.0;
    }
}

struct Nvlink {
    std::string from, to; // bus ids on the host
    int count = 0;
    int sm = 0;
    std::string targetClass;
    pugi::xml_node node;
};

struct Host {
    std::string hash;
    InventoryHost found;
    std::map<std::string, int> lineOf; // bus id
    std::map<std::string, int> gpuAt;  // bus id: place in found.gpus
    std::vector<Nvlink> nvlinks;
    std::set<std::string> nvswitches;
    int cpus = 0;
    std::set<std::int64_t> numa;
};

class NcclTopoReader {
public:
    NcclTopoReader(const XmlFile& xml, const std::string& file) : m_xml(xml), m_faults(file) {}

    Result<Inventory> read(Diagnostics& notes) {
        const pugi::xml_node system = m_xml.root();
        if (std::string_view(system.name()) != "system")
            m_faults.add("nccl.root", m_xml.where(system), "the root must be <system>");
        else if (attribute(system, "version") != "1")
            m_faults.add("nccl.version", m_xml.where(system),
                         {"version is \"{found}\"; expected 1", {{"found", attribute(system, "version")}}});
        if (!m_faults.empty())
            return m_faults.status().error();
        for (pugi::xml_node node = nextElement(system, system); node; node = nextElement(node, system))
            take(node);
        Inventory found;
        for (Host& host : m_hosts) {
            joinNvlinks(host, notes);
            noteNics(host, notes);
            host.found.numaNodes = static_cast<int>(host.numa.size());
            host.found.processors = host.cpus;
            if (!host.nvswitches.empty())
                host.found.nvswitches = static_cast<int>(host.nvswitches.size());
            if (m_hosts.size() > 1)
                host.found.name = host.hash;
            found.hosts.push_back(std::move(host.found));
        }
        if (m_faults.empty() &&
            std::all_of(found.hosts.begin(), found.hosts.end(), [](const auto& h) { return h.gpus.empty(); }))
            m_faults.add("nccl.empty", m_xml.where(system), "holds no GPU");
        if (Status sound = m_faults.status(); !sound)
            return sound.error();
        return found;
    }

private:
    void take(const pugi::xml_node& node) {
        const std::string_view tag = node.name();
        if (tag == "cpu") {
            Host& host = hostOf(attribute(node, "host_hash"));
            ++host.cpus;
            host.numa.insert(m_xml.count(node, "numaid", -1, 65'535, 0, m_faults));
        } else if (tag == "pci") {
            device(node);
        } else if (tag == "gpu") {
            gpu(node);
        } else if (tag == "net") {
            Host& host = currentHost(node);
            InventoryNic nic{std::string(attribute(node, "name")), {}, {}};
            if (const std::int64_t speed = m_xml.count(node, "speed", 0, 100'000'000, 0, m_faults); speed > 0)
                nic.bandwidth = BytesPerSecond(static_cast<double>(speed) * 1e6 / 8);
            if (const double us = m_xml.number(node, "latency", 0.0, 1e6, 0.0, m_faults); us > 0)
                nic.latency = Seconds(us * 1e-6);
            // A card that was listed by its class gets its name and speed now.
            std::vector<InventoryNic>& nics = host.found.nics;
            if (!nics.empty() && nics.back().name == cardAbove(node))
                nics.back() = std::move(nic);
            else
                nics.push_back(std::move(nic));
        } else if (tag == "nvlink") {
            nvlink(node);
        }
    }

    Host& hostOf(std::string_view hash) {
        for (Host& host : m_hosts)
            if (host.hash == hash)
                return host;
        m_hosts.emplace_back();
        m_hosts.back().hash = hash;
        m_hosts.back().found.where = m_faults.file();
        m_hosts.back().found.ratesAsUsed = true;
        return m_hosts.back();
    }

    Host& currentHost(const pugi::xml_node& node) {
        pugi::xml_node up = node;
        while (up && std::string_view(up.name()) != "cpu")
            up = up.parent();
        return hostOf(attribute(up, "host_hash"));
    }

    static std::string busOf(const pugi::xml_node& node) { return normalisedBusId(attribute(node, "busid")); }

    static std::string cardAbove(const pugi::xml_node& net) {
        const pugi::xml_node pci = net.parent().parent();
        return std::string_view(pci.name()) == "pci" ? busOf(pci) : std::string("?");
    }

    void device(const pugi::xml_node& node) {
        const std::string bus = busOf(node);
        if (bus.empty()) {
            m_faults.add("nccl.busid", m_xml.where(node), "has no busid");
            return;
        }
        Host& host = currentHost(node);
        if (const auto [first, isNew] = host.lineOf.emplace(bus, m_xml.line(node)); !isNew)
            m_faults.add("nccl.duplicate", m_xml.where(node),
                         {"repeats the busid {bus} of line {line}", {{"bus", bus}, {"line", first->second}}});
        std::int64_t width = m_xml.count(node, "link_width", 0, 64, 0, m_faults);
        if (width == 0)
            width = kUnknownWidth;
        const BytesPerSecond rate(static_cast<double>(width) * pcieSpeed(attribute(node, "link_speed")) / 80 *
                                  1e9);
        const std::string_view kind = attribute(node, "class");
        if (kind.starts_with(kGpuClass)) {
            InventoryGpu gpu;
            gpu.index = static_cast<int>(host.found.gpus.size());
            gpu.model = kindOfPciIds(attribute(node, "vendor"), attribute(node, "device"));
            gpu.busId = bus;
            gpu.pcie = rate;
            host.gpuAt[bus] = gpu.index;
            host.found.gpus.push_back(std::move(gpu));
        } else if (kind.starts_with(kNicClass)) {
            host.found.nics.push_back({bus, {}, {}});
        } else if (kind == kNvSwitchClass) {
            host.nvswitches.insert(bus);
        }
    }

    void gpu(const pugi::xml_node& node) {
        Host& host = currentHost(node);
        const auto at = host.gpuAt.find(busOf(node.parent()));
        if (at == host.gpuAt.end()) {
            m_faults.add("nccl.gpu", m_xml.where(node), "does not lie in a <pci> of a display class (0x03)");
            return;
        }
        InventoryGpu& found = host.found.gpus[static_cast<std::size_t>(at->second)];
        found.compute = static_cast<int>(m_xml.count(node, "sm", 1, 9999, 0, m_faults));
        found.index = static_cast<int>(m_xml.count(node, "dev", 0, 1023, found.index, m_faults));
        if (const std::int64_t rank = m_xml.count(node, "rank", -1, ImportLimits::gpus, -1, m_faults);
            rank >= 0)
            if (const auto [first, isNew] = m_lineOfRank.emplace(rank, m_xml.line(node)); !isNew)
                m_faults.add(
                    "nccl.duplicate", m_xml.where(node),
                    {"repeats the rank {rank} of line {line}", {{"rank", rank}, {"line", first->second}}});
    }

    void nvlink(const pugi::xml_node& node) {
        const pugi::xml_node device = node.parent().parent();
        Nvlink link;
        link.from = busOf(device);
        link.to = normalisedBusId(attribute(node, "target"));
        link.count = static_cast<int>(m_xml.count(node, "count", 1, 1024, 1, m_faults));
        link.sm = static_cast<int>(m_xml.count(node.parent(), "sm", 1, 9999, 0, m_faults));
        link.targetClass = attribute(node, "tclass");
        link.node = node;
        currentHost(node).nvlinks.push_back(std::move(link));
    }

    // Topologies that clouds ship name the adapters' places alone; a dump of a running job has their speed.
    void noteNics(const Host& host, Diagnostics& notes) {
        const auto slow = std::count_if(host.found.nics.begin(), host.found.nics.end(),
                                        [](const InventoryNic& nic) { return !nic.bandwidth; });
        if (slow > 0)
            notes.push_back({Severity::Warning,
                             "nccl.nic_speed",
                             m_faults.file(),
                             {"{adapters} network adapters, whose speed the file does not state{?: state the "
                              "host's way into the network with --bandwidth}",
                              {{"adapters", slow}}}});
    }

    void joinNvlinks(Host& host, Diagnostics& notes) {
        std::map<std::pair<int, int>, GpuPair> pairs;
        for (const Nvlink& link : host.nvlinks) {
            const auto from = host.gpuAt.find(link.from), to = host.gpuAt.find(link.to);
            const BytesPerSecond rate(link.count * nvlinkRate(link.sm) * 1e9);
            if (from == host.gpuAt.end())
                continue; // an NVSwitch lists its own ends
            InventoryGpu& gpu = host.found.gpus[static_cast<std::size_t>(from->second)];
            if (link.from == link.to) {
                notes.push_back({Severity::Warning, "nccl.self_link", m_xml.where(link.node),
                                 "leads to the GPU's own bus id and is ignored"});
            } else if (to != host.gpuAt.end()) {
                const InventoryGpu& other = host.found.gpus[static_cast<std::size_t>(to->second)];
                GpuPair& pair = pairs[std::minmax(gpu.index, other.index)];
                std::tie(pair.a, pair.b) = std::minmax(gpu.index, other.index);
                pair.nvlinks = std::max(pair.nvlinks, link.count);
                pair.path = fmt::format("NV{}", pair.nvlinks);
                pair.bandwidth = rate;
            } else if (link.targetClass == kNvSwitchClass) {
                gpu.toSwitch = BytesPerSecond(gpu.toSwitch.value_or(BytesPerSecond(0)).value + rate.value);
                if (host.nvswitches.empty())
                    host.found.nvswitches = 1; // they are all drawn as one
            } else if (link.targetClass != kCpuClass) {
                m_faults.add("nccl.target", m_xml.where(link.node),
                             {"leads to {target}, which is no GPU of the file, NVSwitch or CPU",
                              {{"target", link.to}}});
            }
        }
        for (auto& [ends, pair] : pairs)
            host.found.pairs.push_back(std::move(pair));
        std::sort(host.found.gpus.begin(), host.found.gpus.end(),
                  [](const InventoryGpu& a, const InventoryGpu& b) { return a.index < b.index; });
        for (std::size_t i = 1; i < host.found.gpus.size(); ++i)
            if (host.found.gpus[i].index == host.found.gpus[i - 1].index)
                m_faults.add(
                    "nccl.duplicate", m_faults.file(),
                    {"two GPUs of one host have dev {index}", {{"index", host.found.gpus[i].index}}});
    }

    const XmlFile& m_xml;
    TextFaults m_faults;
    std::vector<Host> m_hosts;
    std::map<std::int64_t, int> m_lineOfRank;
};

} // namespace

bool recogniseNcclTopo(std::string_view text, const std::filesystem::path&) {
    return text.find("<system") != std::string_view::npos;
}

Result<Imported> importNcclTopo(std::string_view text, const std::filesystem::path& path,
                                const ImportHints&) {
    const Result<XmlFile> xml = XmlFile::parse(text, path.string());
    if (!xml)
        return xml.error();
    Diagnostics notes;
    Result<Inventory> found = NcclTopoReader(*xml, path.string()).read(notes);
    if (!found)
        return found.error();
    return importedInventory("nccl-topo", *std::move(found), std::move(notes));
}

} // namespace pw

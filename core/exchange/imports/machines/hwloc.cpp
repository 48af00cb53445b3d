// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/machines/hwloc.h"

#include "core/formats/source.h"
#include "core/formats/xml_file.h"
#include "core/inventory/bus_id.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace pw {

namespace {

constexpr double kMegabyte = 1e6;    // the matrix counts in MB/s
constexpr double kNvlinkMb = 25'000; // of one link

class HwlocReader {
public:
    HwlocReader(const XmlFile& xml, const std::string& file) : m_xml(xml), m_faults(file) {
        m_host.where = file;
    }

    Result<Inventory> read() {
        const pugi::xml_node root = m_xml.root();
        const std::string_view version = attribute(root, "version");
        if (std::string_view(root.name()) != "topology")
            m_faults.add("hwloc.root", m_xml.where(root), "the root must be <topology>");
        else if (!version.starts_with("2.") && !version.starts_with("3."))
            m_faults.add("hwloc.version", m_xml.where(root),
                         {"version is \"{version}\"; expected 2.x or 3.x", {{"version", version}}});
        if (!m_faults.empty())
            return m_faults.status().error();
        int numa = 0, packages = 0, nvswitches = 0;
        for (pugi::xml_node node = nextElement(root, root); node; node = nextElement(node, root)) {
            if (std::string_view(node.name()) != "object")
                continue;
            const std::string_view type = attribute(node, "type");
            if (const std::string_view id = attribute(node, "gp_index"); !id.empty())
                if (const auto [first, isNew] = m_lineOf.emplace(id, m_xml.line(node)); !isNew)
                    m_faults.add(
                        "hwloc.duplicate", m_xml.where(node),
                        {"repeats the gp_index {id} of line {line}", {{"id", id}, {"line", first->second}}});
            numa += type == "NUMANode" ? 1 : 0;
            packages += type == "Package" ? 1 : 0;
            if (type == "PCIDev" && attribute(node, "subtype") == "NVSwitch") {
                ++nvswitches;
                m_switchObjects[objectName(node)] = true;
            } else if (type == "OSDev") {
                device(node);
            }
        }
        if (m_host.gpus.empty() && m_faults.empty())
            m_faults.add("hwloc.empty", m_xml.where(root), "holds no GPU that NVML or CUDA has seen");
        for (const pugi::xml_node& node : root.children())
            if (std::string_view(node.name()).starts_with("distances2") &&
                attribute(node, "name") == "NVLinkBandwidth")
                nvlinks(node);
        if (Status sound = m_faults.status(); !sound)
            return sound.error();
        m_host.numaNodes = numa;
        m_host.processors = packages;
        if (nvswitches > 0)
            m_host.nvswitches = nvswitches;
        Inventory found;
        found.hosts.push_back(std::move(m_host));
        return found;
    }

private:
    static std::string objectName(const pugi::xml_node& node) {
        return fmt::format("{}:{}", attribute(node, "type"), attribute(node, "gp_index"));
    }

    static std::string_view info(const pugi::xml_node& object, std::string_view name) {
        for (const pugi::xml_node& child : object.children("info"))
            if (attribute(child, "name") == name)
                return attribute(child, "value");
        return {};
    }

    // One GPU may be two devices, nvml0 and cuda0, below one PCI device.
    void device(const pugi::xml_node& node) {
        const std::string_view backend = info(node, "Backend"), name = attribute(node, "name");
        const bool nvml = backend == "NVML" && name.starts_with("nvml");
        const bool cuda = backend == "CUDA" && name.starts_with("cuda");
        if (!nvml && !cuda)
            return;
        const std::optional<std::int64_t> number = integerNumber(name.substr(4));
        if (!number || *number < 0 || *number > 1023) {
            m_faults.add("hwloc.gpu", m_xml.where(node),
                         {"{name} has no number from 0 to 1023", {{"name", name}}});
            return;
        }
        pugi::xml_node pci = node.parent();
        while (pci && attribute(pci, "type") != "PCIDev")
            pci = pci.parent();
        const std::string bus = normalisedBusId(attribute(pci, "pci_busid"));
        std::size_t at = 0;
        while (at < m_host.gpus.size() && (bus.empty() || m_host.gpus[at].busId != bus))
            ++at;
        if (at == m_host.gpus.size())
            m_host.gpus.emplace_back();
        InventoryGpu& gpu = m_host.gpus[at];
        m_gpuObjects[objectName(node)] = at;
        if (pci)
            m_gpuObjects[objectName(pci)] = at;
        gpu.index = static_cast<int>(*number);
        gpu.busId = bus;
        if (const std::string_view model = info(node, "GPUModel"); !model.empty())
            gpu.model = model;
        if (const double rate = pci ? m_xml.number(pci, "pci_link_speed", 0.0, 1e5, 0.0, m_faults) : 0.0;
            rate > 0)
            gpu.pcie = BytesPerSecond(rate * 1e9);
        if (const std::string_view size = info(node, "CUDAGlobalMemorySize"); !size.empty()) {
            const std::optional<std::int64_t> kib = integerNumber(size);
            if (!kib || *kib < 1 || *kib > std::int64_t{1} << 34)
                m_faults.add("hwloc.memory", m_xml.where(node),
                             {"CUDAGlobalMemorySize is \"{size}\"; expected KiB", {{"size", size}}});
            else
                gpu.memory = Bytes(static_cast<double>(*kib) * 1024);
        }
    }

    std::vector<std::string_view> listed(const pugi::xml_node& matrix, const char* tag) const {
        std::vector<std::string_view> all;
        for (const pugi::xml_node& part : matrix.children(tag)) {
            const std::vector<std::string_view> some = fieldsOf(part.child_value());
            all.insert(all.end(), some.begin(), some.end());
        }
        return all;
    }

    void nvlinks(const pugi::xml_node& node) {
        constexpr std::int64_t kMostObjects = 4096;
        const std::int64_t n = m_xml.count(node, "nbobjs", 1, kMostObjects, 0, m_faults);
        if (n == 0) {
            m_faults.add("hwloc.matrix", m_xml.where(node), "has no nbobjs");
            return;
        }
        const std::string type(attribute(node, "type")); // of all objects, where they are of one
        std::vector<std::string> objects;
        for (const std::string_view index : listed(node, "indexes"))
            objects.push_back(type.empty() ? std::string(index) : fmt::format("{}:{}", type, index));
        const std::vector<std::string_view> values = listed(node, "u64values");
        if (static_cast<std::int64_t>(objects.size()) != n ||
            static_cast<std::int64_t>(values.size()) != n * n) {
            m_faults.add(
                "hwloc.matrix", m_xml.where(node),
                {"has {objects} indexes and {values} values; {number} objects make {number} and {other}",
                 {{"objects", objects.size()}, {"values", values.size()}, {"number", n}, {"other", n * n}}});
            return;
        }
        const auto size = static_cast<std::size_t>(n);
        std::vector<double> rates;
        for (const std::string_view text : values) {
            const std::optional<std::int64_t> value = integerNumber(text);
            if (!value || *value < 0) {
                m_faults.add("hwloc.matrix", m_xml.where(node),
                             {"\"{text}\" is no rate in MB/s", {{"text", text}}});
                return;
            }
            rates.push_back(static_cast<double>(*value));
        }
        for (std::size_t a = 0; a < size; ++a) {
            const auto gpu = m_gpuObjects.find(objects[a]);
            if (gpu == m_gpuObjects.end() && !m_switchObjects.contains(objects[a]) &&
                !m_lineOf.contains(objects[a].substr(objects[a].find(':') + 1)))
                m_faults.add("hwloc.index", m_xml.where(node),
                             {"{object} is no object of the file", {{"object", objects[a]}}});
            for (std::size_t b = 0; b < size; ++b) {
                const double rate = rates[a * size + b];
                if (b > a && rate != rates[b * size + a])
                    m_faults.add("hwloc.symmetry", m_xml.where(node),
                                 {"{object} to {other} is {rate} MB/s, back {back}",
                                  {{"object", objects[a]},
                                   {"other", objects[b]},
                                   {"rate", rate},
                                   {"back", rates[b * size + a]}}});
                if (gpu == m_gpuObjects.end() || rate <= 0 || a == b)
                    continue;
                const auto other = m_gpuObjects.find(objects[b]);
                InventoryGpu& from = m_host.gpus[gpu->second];
                if (m_switchObjects.contains(objects[b]))
                    from.toSwitch =
                        BytesPerSecond(from.toSwitch.value_or(BytesPerSecond(0)).value + rate * kMegabyte);
                else if (other != m_gpuObjects.end() && a < b)
                    m_host.pairs.push_back({from.index, m_host.gpus[other->second].index, "",
                                            static_cast<int>(rate / kNvlinkMb),
                                            BytesPerSecond(rate * kMegabyte)});
            }
        }
    }

    const XmlFile& m_xml;
    TextFaults m_faults;
    InventoryHost m_host;
    std::map<std::string, int, std::less<>> m_lineOf; // by gp_index
    std::map<std::string, std::size_t> m_gpuObjects;  // "OSDev:802": place in m_host.gpus
    std::map<std::string, bool> m_switchObjects;
};

} // namespace

bool recogniseHwloc(std::string_view text, const std::filesystem::path&) {
    return text.find("<topology") != std::string_view::npos;
}

Result<Imported> importHwloc(std::string_view text, const std::filesystem::path& path, const ImportHints&) {
    const Result<XmlFile> xml = XmlFile::parse(text, path.string());
    if (!xml)
        return xml.error();
    Result<Inventory> found = HwlocReader(*xml, path.string()).read();
    if (!found)
        return found.error();
    return importedInventory("hwloc", *std::move(found), {});
}

} // namespace pw

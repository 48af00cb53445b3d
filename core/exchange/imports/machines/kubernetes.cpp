// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/machines/kubernetes.h"

#include "core/base/text.h"
#include "core/formats/source.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <optional>

namespace pw {

namespace {

constexpr const char* kResource = "nvidia.com/gpu";

// Labels and capacities are texts of digits; nothing is 0 or absent.
std::optional<std::int64_t> countOf(const JsonReader& labels, const char* key) {
    if (!labels.has(key))
        return std::nullopt;
    const std::optional<std::int64_t> value = integerNumber(labels.text(key, ""));
    if (value && *value >= 0 && *value <= ImportLimits::gpus * 1024)
        return value;
    labels.fail("k8s.count", labels.where(key), "must be a text of digits, as in \"8\"");
    return std::nullopt;
}

// Why a node's GPUs cannot be planned with, or "".
std::string exclusion(const JsonReader& labels, const std::string& product, std::int64_t count) {
    const std::size_t slice = product.find("-MIG-");
    if (slice != std::string::npos)
        return fmt::format("MIG: {} slices of {}", count, product.substr(slice + 5));
    for (const auto& [key, label] : labels.members())
        if (key.starts_with("nvidia.com/mig-") && key.ends_with(".count"))
            return fmt::format("MIG: {}", key);
    const std::int64_t replicas = countOf(labels, "nvidia.com/gpu.replicas").value_or(1);
    if (replicas > 1)
        return fmt::format("shared: {} GPU{} of {} replicas each", count, count == 1 ? "" : "s", replicas);
    if (product.ends_with("-SHARED"))
        return "shared";
    return {};
}

void readNode(const JsonReader& item, std::map<std::string, std::string>& placeOf, Inventory& found,
              Diagnostics& notes) {
    const JsonReader metadata = item.object("metadata");
    InventoryHost host;
    host.name = metadata.text("name");
    host.where = item.where();
    if (!host.name.empty()) {
        const auto [first, isNew] = placeOf.emplace(host.name, metadata.where("name"));
        if (!isNew)
            metadata.fail("k8s.duplicate", metadata.where("name"),
                          {"repeats {line}, \"{name}\"",
                           {{"line", first->second.substr(first->second.find('#'))}, {"name", host.name}}});
    }
    if (!metadata.has("labels"))
        return;
    const JsonReader labels = metadata.object("labels");
    const std::optional<std::int64_t> count = countOf(labels, "nvidia.com/gpu.count");
    if (!count || *count == 0)
        return; // a node without GPUs
    const std::string product = labels.text("nvidia.com/gpu.product", "");
    if (std::string why = exclusion(labels, product, *count); !why.empty()) {
        found.excluded.push_back({host.name, std::move(why)});
        return;
    }
    std::int64_t usable = *count;
    if (item.has("status") && item.object("status").has("allocatable")) {
        const JsonReader allocatable = item.object("status").object("allocatable");
        if (const std::optional<std::int64_t> free = countOf(allocatable, kResource)) {
            if (*free > *count)
                notes.push_back({Severity::Warning,
                                 "k8s.allocatable",
                                 allocatable.where(kResource),
                                 {"is {free}, more than the {count} that the labels count: they describe one "
                                  "of several GPU models",
                                  {{"free", *free}, {"count", *count}}}});
            usable = std::min(*free, *count);
        }
    }
    if (usable > 1024) {
        labels.fail("k8s.count", labels.where("nvidia.com/gpu.count"), "is above 1024");
        return;
    }
    if (usable == 0) {
        found.excluded.push_back({host.name, "no GPU is allocatable"});
        return;
    }
    const std::optional<std::int64_t> memory = countOf(labels, "nvidia.com/gpu.memory"); // MiB
    const std::optional<std::int64_t> major = countOf(labels, "nvidia.com/gpu.compute.major");
    const std::optional<std::int64_t> minor = countOf(labels, "nvidia.com/gpu.compute.minor");
    for (int k = 0; k < usable; ++k) {
        InventoryGpu gpu;
        gpu.index = k;
        gpu.model = product;
        if (memory && *memory > 0)
            gpu.memory = Bytes(static_cast<double>(*memory) * 1024 * 1024);
        if (major && minor && *major < 1000 && *minor < 10)
            gpu.compute = static_cast<int>(*major * 10 + *minor);
        host.gpus.push_back(std::move(gpu));
    }
    if (labels.has("nvidia.com/gpu.clique")) { // UUID of the cluster, a point, the clique
        const std::string label = labels.text("nvidia.com/gpu.clique");
        const std::size_t point = label.rfind('.');
        host.nvlinkDomain = nvlinkDomainOf(
            std::string_view(label).substr(0, point),
            point == std::string::npos ? std::string_view() : std::string_view(label).substr(point + 1));
    }
    found.hosts.push_back(std::move(host));
}

} // namespace

bool recogniseKubernetes(std::string_view text, const std::filesystem::path&) {
    return text.find("\"items\"") != std::string_view::npos &&
           text.find("\"metadata\"") != std::string_view::npos;
}

Result<Imported> importKubernetes(std::string_view text, const std::filesystem::path& path,
                                  const ImportHints&) {
    const Result<Json> document = parseJson(text, path.string());
    if (!document)
        return document.error();
    const JsonReader root(*document, path.string());
    if (const std::string kind = root.text("kind"); kind != "List" && kind != "NodeList" && !kind.empty())
        root.fail("k8s.kind", root.where("kind"),
                  {"is \"{kind}\"; expected List or NodeList", {{"kind", kind}}});
    Inventory found;
    Diagnostics notes;
    std::map<std::string, std::string> placeOf;
    std::int64_t gpus = 0;
    for (const JsonReader& item : root.array("items")) {
        readNode(item, placeOf, found, notes);
        if (!found.hosts.empty())
            gpus += found.hosts.back().where == item.where()
                        ? static_cast<std::int64_t>(found.hosts.back().gpus.size())
                        : 0;
        if (gpus > ImportLimits::gpus)
            return badInput("k8s.size", item.where(),
                            {"more than {gpus} GPUs", {{"gpus", ImportLimits::gpus}}});
    }
    if (Status sound = root.status(); !sound)
        return sound.error();
    if (found.hosts.empty() && found.excluded.empty())
        return badInput("k8s.empty", root.where("items"), "no node has NVIDIA GPUs by its labels");
    return importedInventory("kubernetes", std::move(found), std::move(notes));
}

} // namespace pw

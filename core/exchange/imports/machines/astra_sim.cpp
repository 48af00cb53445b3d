// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/machines/astra_sim.h"

#include "core/base/text.h"
#include "core/formats/source.h"
#include "core/formats/yaml_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <optional>

namespace pw {

namespace {

struct Dimension {
    std::string topology;
    std::int64_t size = 0;
    std::optional<double> bandwidth; // GB/s of an NPU
    std::optional<double> latency;   // ns
};

constexpr std::size_t kMostDimensions = 16;

std::vector<Dimension> networkOf(const JsonReader& root) {
    std::vector<Dimension> dimensions;
    for (const JsonReader& word : root.array("topology")) {
        Dimension d;
        d.topology = word.value().is_string() ? word.value().get<std::string>() : "";
        if (d.topology != "Ring" && d.topology != "Switch" && d.topology != "FullyConnected")
            word.fail("astra.topology", word.where(), "must be Ring, Switch or FullyConnected");
        dimensions.push_back(std::move(d));
    }
    const auto fill = [&](const char* key, double low, bool whole, auto&& take) {
        const std::vector<JsonReader> values = root.array(key);
        if (values.size() != dimensions.size()) {
            root.fail("astra.lengths", root.where(key),
                      {"has {values} entries, topology has {dimensions}",
                       {{"values", values.size()}, {"dimensions", dimensions.size()}}});
            return;
        }
        for (std::size_t i = 0; i < values.size(); ++i) {
            const Json& value = values[i].value();
            const double number = value.is_number() ? value.get<double>() : -1.0;
            if (!(number >= low && number <= 1e12) || (whole && !value.is_number_integer()))
                values[i].fail("astra.value", values[i].where(),
                               {whole ? "must be a whole number of at least {low}"
                                      : "must be a number of at least {low}",
                                {{"low", fmt::format("{:g}", low)}}});
            else
                take(dimensions[i], number);
        }
    };
    fill("npus_count", 2, true, [](Dimension& d, double n) { d.size = static_cast<std::int64_t>(n); });
    fill("bandwidth", 1e-6, false, [](Dimension& d, double n) { d.bandwidth = n; });
    fill("latency", 0, false, [](Dimension& d, double n) { d.latency = n; });
    return dimensions;
}

std::vector<Dimension> logicalOf(const JsonReader& root) {
    std::vector<Dimension> dimensions;
    for (const JsonReader& entry : root.array("logical-dims")) {
        const std::optional<std::int64_t> size =
            entry.value().is_string() ? integerNumber(entry.value().get_ref<const std::string&>())
                                      : std::nullopt;
        if (!size || *size < 1)
            entry.fail("astra.value", entry.where(), "must be a text of digits, at least \"1\"");
        else
            dimensions.push_back({"", *size, {}, {}});
    }
    return dimensions;
}

// The first dimension is a node; every further one joins what is below it by a switch of its own.
Inventory inventoryOf(const std::vector<Dimension>& dimensions) {
    Inventory found;
    std::int64_t nodes = 1;
    for (std::size_t d = 1; d < dimensions.size(); ++d)
        nodes *= dimensions[d].size;
    const Dimension& inner = dimensions.front();
    for (std::int64_t n = 0; n < nodes; ++n) {
        InventoryHost host;
        host.name = fmt::format("n{}", n + 1);
        host.gpuCount = static_cast<int>(inner.size);
        if (inner.bandwidth)
            host.betweenGpus = BytesPerSecond(*inner.bandwidth * 1e9);
        if (inner.latency)
            host.gpuLatency = Seconds(*inner.latency * 1e-9);
        found.hosts.push_back(std::move(host));
    }
    std::vector<std::string> below;
    for (const InventoryHost& host : found.hosts)
        below.push_back(host.name);
    for (std::size_t d = 1; d < dimensions.size(); ++d) {
        const auto group = static_cast<std::size_t>(dimensions[d].size);
        std::vector<std::string> above;
        for (std::size_t first = 0; first < below.size(); first += group) {
            const std::string name = fmt::format("s{}.{}", d, above.size() + 1);
            found.switches.push_back({name});
            above.push_back(name);
            for (std::size_t i = first; i < first + group; ++i) {
                InventoryCable cable{below[i], name, {}, {}, 1};
                // Every NPU has its own way up in each dimension.
                std::int64_t lanes = inner.size;
                for (std::size_t inside = 1; inside < d; ++inside)
                    lanes *= dimensions[inside].size;
                cable.lanes = static_cast<int>(lanes);
                if (dimensions[d].bandwidth)
                    cable.bandwidth = BytesPerSecond(*dimensions[d].bandwidth * 1e9);
                if (dimensions[d].latency)
                    cable.latency = Seconds(*dimensions[d].latency * 1e-9);
                found.cables.push_back(std::move(cable));
            }
        }
        below = std::move(above);
    }
    return found;
}

bool isLogical(std::string_view text) {
    return text.find("\"logical-dims\"") != std::string_view::npos;
}

} // namespace

bool recogniseAstraSim(std::string_view text, const std::filesystem::path&) {
    return isLogical(text) || (text.find("npus_count:") != std::string_view::npos &&
                               text.find("topology:") != std::string_view::npos);
}

Result<Imported> importAstraSim(std::string_view text, const std::filesystem::path& path,
                                const ImportHints&) {
    const bool logical = isLogical(text);
    const Result<Json> document = logical ? parseJson(text, path.string()) : parseYaml(text, path.string());
    if (!document)
        return document.error();
    const JsonReader root(*document, path.string());
    const std::vector<Dimension> dimensions = logical ? logicalOf(root) : networkOf(root);
    const char* sizes = logical ? "logical-dims" : "npus_count";
    std::int64_t npus = 1;
    for (const Dimension& d : dimensions)
        npus = d.size > ImportLimits::gpus || npus * d.size > ImportLimits::gpus ? ImportLimits::gpus + 1
                                                                                 : npus * d.size;
    if (npus > ImportLimits::gpus || dimensions.size() > kMostDimensions)
        root.fail("astra.size", root.where(sizes),
                  {"comes to more than {gpus} NPUs or {dimensions} dimensions",
                   {{"gpus", ImportLimits::gpus}, {"dimensions", kMostDimensions}}});
    if (root.status() && dimensions.empty())
        root.fail("astra.empty", root.where(sizes), "has no dimension");
    if (dimensions.size() == 1 && npus > 1024)
        root.fail("astra.size", root.where(sizes), "a node of more than 1024 NPUs");
    if (Status sound = root.status(); !sound)
        return sound.error();
    Diagnostics notes = root.unread();
    for (std::size_t d = 1; d < dimensions.size(); ++d)
        if (dimensions[d].topology == "Ring" || dimensions[d].topology == "FullyConnected")
            notes.push_back({Severity::Warning,
                             "astra.drawn",
                             root.where("topology"),
                             {"Dimension {dimension} is a {topology}: it is drawn as a switch with the same "
                              "bandwidth for every NPU",
                              {{"dimension", d + 1}, {"topology", dimensions[d].topology}}}});
    return importedInventory("astra-sim", inventoryOf(dimensions), std::move(notes));
}

} // namespace pw

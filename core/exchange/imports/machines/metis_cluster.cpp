// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/machines/metis_cluster.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pw {

namespace {

// A rate below a MB/s is no cable of a cluster: the file counts in GB/s or Gbit/s.
constexpr double kSlowest = 1e6;

BytesPerSecond rateOf(const JsonReader& host, const char* key) {
    const double rate = host.number(key, 0.0, 1e15, kSlowest);
    if (rate < kSlowest)
        host.fail(
            "metis.bandwidth", host.where(key),
            {"is {rate}, which is no rate in bytes per second; expected one as in 1.25e10 for 100 Gbit/s",
             {{"rate", fmt::format("{:g}", rate)}}});
    return BytesPerSecond(rate);
}

} // namespace

bool recogniseMetisCluster(std::string_view text, const std::filesystem::path&) {
    return text.find("\"instance_type\"") != std::string_view::npos &&
           text.find("\"inter_bandwidth\"") != std::string_view::npos;
}

Result<Imported> importMetisCluster(std::string_view text, const std::filesystem::path& path,
                                    const ImportHints&) {
    const Result<Json> document = parseJson(text, path.string());
    if (!document)
        return document.error();
    const JsonReader root(*document, path.string());
    Inventory found;
    for (const auto& [address, reader] : root.members()) {
        InventoryHost host;
        host.name = address;
        host.where = reader.where();
        host.betweenGpus = rateOf(reader, "intra_bandwidth");
        host.nics.push_back({"inter_bandwidth", rateOf(reader, "inter_bandwidth"), {}});
        InventoryGpu each; // how many the hostfile says
        each.index = -1;
        each.model = reader.text("instance_type");
        each.memory = gibibytes(reader.number("memory", 1.0, 65'536.0));
        host.gpus.push_back(std::move(each));
        found.hosts.push_back(std::move(host));
    }
    if (root.value().is_object() && found.hosts.empty())
        root.fail("metis.empty", root.where(), "names no host");
    if (Status sound = root.status(); !sound)
        return sound.error();
    Diagnostics notes = root.unread();
    notes.push_back({Severity::Note, "metis.units", path.string(),
                     "Bandwidths are taken as bytes per second, memory as GiB"});
    return importedInventory("metis-cluster", std::move(found), std::move(notes));
}

} // namespace pw

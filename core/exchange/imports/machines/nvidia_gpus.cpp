// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/machines/nvidia_gpus.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/formats/csv.h"
#include "core/inventory/bus_id.h"

#include <fmt/format.h>

#include <map>
#include <optional>

namespace pw {

namespace {

constexpr const char* kCommand = "nvidia-smi --query-gpu=index,name,memory.total,pci.bus_id --format=csv";

// "memory.total [MiB]" is the column memory.total in MiB.
struct Column {
    std::string name, unit;
};
Column columnOf(std::string_view text) {
    const std::string_view head = trimmed(text);
    const std::size_t open = head.find('[');
    if (open == std::string_view::npos || !head.ends_with(']'))
        return {std::string(head), {}};
    return {std::string(trimmed(head.substr(0, open))),
            std::string(head.substr(open + 1, head.size() - open - 2))};
}

bool isUnknown(std::string_view value) { // [N/A], [Not Supported], N/A
    return value.empty() || value.starts_with('[') || value == "N/A";
}

} // namespace

bool recogniseNvidiaGpus(std::string_view text, const std::filesystem::path&) {
    const std::string_view first = text.substr(0, text.find('\n'));
    return first.find(',') != std::string_view::npos &&
           (first.find("memory.total") != std::string_view::npos ||
            first.find("pci.bus_id") != std::string_view::npos);
}

Result<Imported> importNvidiaGpus(std::string_view text, const std::filesystem::path& path,
                                  const ImportHints&) {
    const std::string file = path.string();
    const Result<std::vector<CsvRecord>> records = parseCsv(text, file);
    if (!records)
        return records.error();
    TextFaults faults(file);
    if (records->empty())
        return badInput("gpus.header", file,
                        {"is empty; expected what {command} prints", {{"command", kCommand}}});
    std::map<std::string, std::size_t> at;
    std::vector<Column> columns;
    for (const CsvCell& cell : records->front()) {
        columns.push_back(columnOf(cell.text));
        if (!at.emplace(columns.back().name, columns.size() - 1).second)
            faults.add("gpus.column", faults.where(cell.line, cell.column),
                       {"the column {name} is given twice", {{"name", columns.back().name}}});
    }
    if (!at.contains("name") && !at.contains("memory.total"))
        return badInput(
            "gpus.header", faults.where(1),
            {"names no column name or memory.total; expected what {command} prints, with its first line",
             {{"command", kCommand}}});
    if (records->size() == 1)
        return badInput("gpus.empty", faults.where(1), "lists no GPU");

    InventoryHost host;
    host.where = file;
    std::map<int, int> lineOfIndex;
    std::map<std::string, int> lineOfBus;
    for (std::size_t r = 1; r < records->size(); ++r) {
        const CsvRecord& record = (*records)[r];
        const int line = record.front().line;
        if (record.size() != columns.size()) {
            faults.add("gpus.row", faults.where(line),
                       {"has {found} fields; expected {columns}",
                        {{"found", record.size()}, {"columns", columns.size()}}});
            continue;
        }
        const auto value = [&](const char* name) -> std::string_view {
            const auto found = at.find(name);
            return found == at.end() ? std::string_view() : trimmed(record[found->second].text);
        };
        InventoryGpu gpu;
        gpu.index = static_cast<int>(r - 1);
        if (at.contains("index")) {
            const std::optional<std::int64_t> index = integerNumber(value("index"));
            if (!index || *index < 0 || *index > 1023)
                faults.add(
                    "gpus.index", faults.where(line),
                    {"index is \"{value}\"; expected a number from 0 to 1023", {{"value", value("index")}}});
            else
                gpu.index = static_cast<int>(*index);
        }
        if (const auto [first, isNew] = lineOfIndex.emplace(gpu.index, line); !isNew)
            faults.add("gpus.duplicate", faults.where(line),
                       {"repeats the index {index} of line {line}",
                        {{"index", gpu.index}, {"line", first->second}}});
        if (const std::string_view name = value("name"); !isUnknown(name))
            gpu.model = name;
        if (const std::string_view bus = value("pci.bus_id"); !isUnknown(bus)) {
            gpu.busId = normalisedBusId(bus);
            if (const auto [first, isNew] = lineOfBus.emplace(gpu.busId, line); !isNew)
                faults.add("gpus.duplicate", faults.where(line),
                           {"repeats the bus id {bus_id} of line {line}",
                            {{"bus_id", gpu.busId}, {"line", first->second}}});
        }
        if (const std::string_view size = value("memory.total"); !isUnknown(size)) {
            const std::string& unit = columns[at.at("memory.total")].unit;
            const Result<double> bytes =
                parseBytes(finiteNumber(size) ? fmt::format("{} {}", size, unit.empty() ? "MiB" : unit)
                                              : std::string(size));
            if (!bytes || *bytes <= 0)
                faults.add("gpus.memory", faults.where(line),
                           {"memory.total is \"{size}\"; expected a size as in 81920 MiB", {{"size", size}}});
            else
                gpu.memory = Bytes(*bytes);
        }
        host.gpus.push_back(std::move(gpu));
    }
    if (Status sound = faults.status(); !sound)
        return sound.error();
    Inventory found;
    found.hosts.push_back(std::move(host));
    return importedInventory("nvidia-gpus", std::move(found), {});
}

} // namespace pw

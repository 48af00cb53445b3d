// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/machines/slurm_files.h"

#include "core/base/json.h"
#include "core/formats/source.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace pw::slurm {

namespace {

// The keys of a record, as far as any release prints them. Values may hold blanks and equal signs, so that a
// blank and a word with an equal sign alone are no boundary.
constexpr std::array<std::string_view, 52> kKeys = {"NodeName",
                                                    "Arch",
                                                    "CoresPerSocket",
                                                    "CPUAlloc",
                                                    "CPUEfctv",
                                                    "CPUErr",
                                                    "CPUTot",
                                                    "CPULoad",
                                                    "AvailableFeatures",
                                                    "ActiveFeatures",
                                                    "Gres",
                                                    "GresDrain",
                                                    "GresUsed",
                                                    "NodeAddr",
                                                    "NodeHostName",
                                                    "Version",
                                                    "OS",
                                                    "RealMemory",
                                                    "AllocMem",
                                                    "FreeMem",
                                                    "Sockets",
                                                    "Boards",
                                                    "CoreSpecCount",
                                                    "CPUSpecList",
                                                    "MemSpecLimit",
                                                    "State",
                                                    "ThreadsPerCore",
                                                    "TmpDisk",
                                                    "Weight",
                                                    "Owner",
                                                    "MCS_label",
                                                    "Partitions",
                                                    "BootTime",
                                                    "SlurmdStartTime",
                                                    "LastBusyTime",
                                                    "ResumeAfterTime",
                                                    "CfgTRES",
                                                    "AllocTRES",
                                                    "CapWatts",
                                                    "CurrentWatts",
                                                    "AveWatts",
                                                    "ExtSensorsJoules",
                                                    "ExtSensorsWatts",
                                                    "ExtSensorsTemp",
                                                    "Reason",
                                                    "Comment",
                                                    "Extra",
                                                    "InstanceId",
                                                    "InstanceType",
                                                    "BcastAddr",
                                                    "Port",
                                                    "NextState"};

constexpr std::size_t kLongestKey = 20;

// Free texts run to the end of their line.
bool isFreeText(std::string_view key) {
    return key == "Reason" || key == "Comment" || key == "Extra" || key == "OS";
}

// Where the next known key begins, from `from` on; npos if none does.
std::size_t nextKey(std::string_view line, std::size_t from) {
    for (std::size_t at = from; at < line.size(); ++at) {
        if (at > 0 && line[at - 1] != ' ' && line[at - 1] != '\t')
            continue;
        const std::string_view word = line.substr(at, kLongestKey + 1);
        if (const std::size_t equals = word.find('='); equals != std::string_view::npos)
            if (std::find(kKeys.begin(), kKeys.end(), word.substr(0, equals)) != kKeys.end())
                return at;
    }
    return std::string_view::npos;
}

void takeLine(std::string_view line, NodeRecord& record) {
    for (std::size_t at = nextKey(line, 0); at != std::string_view::npos;) {
        const std::size_t equals = line.find('=', at);
        const std::string_view key = line.substr(at, equals - at);
        std::size_t next = nextKey(line, equals + 1);
        // The one key that may follow a free text on its line, in the form with one line a record.
        if (isFreeText(key) && next != std::string_view::npos && key != "OS")
            next = std::string_view::npos;
        const std::string value(trimmed(line.substr(equals + 1, next - equals - 1)));
        if (key == "NodeName")
            record.name = value;
        else if (key == "Gres")
            record.gres = value;
        else if (key == "CfgTRES")
            record.tres = value;
        else if (key == "State")
            record.state = value;
        else if (key == "Reason")
            record.reason = value;
        else if (key == "Partitions")
            record.partitions = value;
        else if (key == "ActiveFeatures")
            record.features = value;
        else if (key == "RealMemory")
            record.memoryMb = finiteNumber(value).value_or(0.0);
        at = next;
    }
}

// A node that takes no work, by the flags of its state.
bool isOut(std::string_view state) {
    if (state.find('*') != std::string_view::npos) // does not answer
        return true;
    for (const std::string_view part : partsOf(state, '+'))
        for (const std::string_view bad : {"DOWN", "DRAIN", "DRAINED", "DRAINING", "FAIL", "FAILING", "ERROR",
                                           "FUTURE", "UNKNOWN", "INVAL", "NOT_RESPONDING"})
            if (part == bad)
                return true;
    return false;
}

Result<TypedCounts> counts(std::string_view text, std::string_view prefix, char before) {
    TypedCounts found;
    int depth = 0;
    std::string plain; // without what is in brackets
    for (const char c : text) {
        depth += c == '(' ? 1 : 0;
        if (depth == 0)
            plain += c;
        depth -= c == ')' && depth > 0 ? 1 : 0;
    }
    for (const std::string_view part : partsOf(plain, ',')) {
        std::string_view rest = trimmed(part);
        if (!rest.starts_with(prefix) || rest.size() == prefix.size())
            continue;
        rest.remove_prefix(prefix.size());
        if (rest.front() != ':' && rest.front() != before)
            continue;
        const std::size_t last = rest.rfind(before);
        const std::optional<std::int64_t> n = integerNumber(rest.substr(last + 1));
        if (last == std::string_view::npos || !n || *n < 0 || *n > 1024)
            return badInput("slurm.count", "", {"\"{part}\" has no count from 0 to 1024", {{"part", part}}});
        const std::string type(last == 0 ? std::string_view() : rest.substr(1, last - 1));
        int& count = found[type];
        count += static_cast<int>(*n);
        if (count > 1024)
            return badInput("slurm.count", "", {"\"{text}\" comes to more than 1024", {{"text", text}}});
    }
    return found;
}

int total(const TypedCounts& found) {
    int sum = 0;
    for (const auto& [type, count] : found)
        sum += count;
    return sum;
}

} // namespace

Result<TypedCounts> gresCounts(std::string_view text) {
    return counts(text, "gpu", ':');
}

// The untyped entry is the sum of the typed ones, where there are any.
Result<TypedCounts> tresCounts(std::string_view text) {
    Result<TypedCounts> found = counts(text, "gres/gpu", '=');
    if (found && found->size() > 1)
        found->erase("");
    return found;
}

void addNode(const NodeRecord& record, Inventory& found, TextFaults& faults) {
    const Result<TypedCounts> gres = gresCounts(record.gres), tres = tresCounts(record.tres);
    for (const Result<TypedCounts>* side : {&gres, &tres})
        if (!*side) {
            faults.add("slurm.count", record.where,
                       {"{name}: {message}", {{"name", record.name}, {"message", side->error()}}});
            return;
        }
    if (!record.gres.empty() && !record.tres.empty() && !tres->empty() && total(*gres) != total(*tres)) {
        faults.add("slurm.count", record.where,
                   {"{name}: Gres counts {total} GPUs, CfgTRES {other}",
                    {{"name", record.name}, {"total", total(*gres)}, {"other", total(*tres)}}});
        return;
    }
    if (isOut(record.state)) {
        found.excluded.push_back({record.name, record.reason.empty()
                                                   ? record.state
                                                   : fmt::format("{}: {}", record.state, record.reason)});
        return;
    }
    InventoryHost host;
    host.name = record.name;
    host.where = record.where;
    for (const auto& [type, count] : gres->empty() ? *tres : *gres)
        for (int k = 0; k < count; ++k) {
            InventoryGpu gpu;
            gpu.index = static_cast<int>(host.gpus.size());
            gpu.model = type;
            host.gpus.push_back(std::move(gpu));
        }
    host.gpuCount = static_cast<int>(host.gpus.size());
    if (record.memoryMb > 0)
        host.memory = Bytes(record.memoryMb * 1024 * 1024);
    if (!record.partitions.empty())
        host.note = "partition " + record.partitions;
    if (!record.features.empty() && record.features != "(null)")
        host.note += (host.note.empty() ? "" : ", ") + ("features " + record.features);
    found.hosts.push_back(std::move(host));
}

Inventory readNodes(std::string_view text, TextFaults& faults) {
    Inventory found;
    std::map<std::string, std::string> placeOf;
    std::optional<NodeRecord> record;
    const auto close = [&] {
        if (record && !record->name.empty()) {
            if (const auto [first, isNew] = placeOf.emplace(record->name, record->where); isNew)
                addNode(*record, found, faults);
            else
                faults.add(
                    "slurm.duplicate", record->where,
                    {"repeats the node {name} of {line}", {{"name", record->name}, {"line", first->second}}});
        } else if (record) {
            faults.add("slurm.record", record->where, "a record without NodeName");
        }
        record.reset();
    };
    for (const TextLine& line : linesOf(text)) {
        if (trimmed(line.text).empty()) {
            close();
            continue;
        }
        if (line.text.starts_with("NodeName="))
            close();
        if (!record)
            record = NodeRecord{{}, {}, {}, {}, {}, {}, {}, faults.where(line.number), 0.0};
        takeLine(line.text, *record);
    }
    close();
    return found;
}

Result<Inventory> readNodesJson(std::string_view text, const std::string& file) {
    const Result<Json> document = parseJson(text, file);
    if (!document)
        return document.error();
    const JsonReader root(*document, file);
    TextFaults faults(file);
    Inventory found;
    std::map<std::string, std::string> placeOf;
    const auto listed = [](const JsonReader& node, const char* key) {
        std::string all;
        const auto value = node.value().is_object() ? node.value().find(key) : node.value().end();
        if (!node.value().is_object() || value == node.value().end())
            return all;
        if (value->is_string())
            return value->get<std::string>();
        if (value->is_array())
            for (const Json& item : *value)
                if (item.is_string())
                    all += (all.empty() ? "" : "+") + item.get<std::string>();
        return all;
    };
    for (const JsonReader& node : root.array("nodes")) {
        NodeRecord record;
        record.name = node.text("name");
        record.where = node.where();
        record.gres = node.text("gres", "");
        record.tres = node.text("tres", "");
        record.state = listed(node, "state");
        record.reason = node.text("reason", "");
        record.partitions = listed(node, "partitions");
        record.features = listed(node, "active_features");
        record.memoryMb = node.number("real_memory", 0.0, 1e12, 0.0);
        if (record.name.empty())
            continue;
        if (const auto [first, isNew] = placeOf.emplace(record.name, record.where); !isNew)
            node.fail("slurm.duplicate", node.where("name"),
                      {"repeats the node of {line}", {{"line", first->second}}});
        else
            addNode(record, found, faults);
    }
    if (Status sound = root.status(); !sound)
        return sound.error();
    if (Status sound = faults.status(); !sound)
        return sound.error();
    return found;
}

} // namespace pw::slurm

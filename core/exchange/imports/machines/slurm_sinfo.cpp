// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/machines/slurm_files.h"

#include "core/base/text.h"
#include "core/formats/source.h"
#include "core/inventory/host_list.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace pw::slurm {

namespace {

std::optional<std::size_t> columnOf(const std::vector<std::string_view>& head, std::string_view name) {
    const auto found = std::ranges::find(head, name);
    return found == head.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - head.begin()));
}

// sinfo's short words and marks as scontrol has them: "drng" is DRAINING, "idle~" is IDLE, powered down;
// "*" stays, for a node that does not answer.
std::string stateOf(std::string_view shown) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kShort = {
        {{"DRNG", "DRAINING"}, {"FAILG", "FAILING"}, {"FUTR", "FUTURE"}, {"UNK", "UNKNOWN"}}};
    const bool silent = shown.find('*') != std::string_view::npos;
    std::string state = inCapitals(shown.substr(0, shown.find_first_of("*~#!%$@^-")));
    for (const auto& [word, whole] : kShort)
        if (state == word)
            state = whole;
    return silent ? state + '*' : state;
}

} // namespace

bool isSinfo(std::string_view text) {
    for (const TextLine& line : linesOf(text)) {
        const std::vector<std::string_view> head = fieldsOf(line.text);
        if (!head.empty())
            return columnOf(head, "NODELIST") && head.size() > 1 &&
                   line.text.find('=') == std::string_view::npos;
    }
    return false;
}

Inventory readSinfo(std::string_view text, TextFaults& faults) {
    Inventory found;
    std::vector<std::string_view> head;
    std::set<std::string> seen; // a node stands in a row of every partition that has it
    const auto shown = [&head](const std::vector<std::string_view>& row, const char* name) {
        const std::optional<std::size_t> at = columnOf(head, name);
        return at && row[*at] != "(null)" && row[*at] != "n/a" ? row[*at] : std::string_view();
    };
    for (const TextLine& line : linesOf(text)) {
        const std::vector<std::string_view> row = fieldsOf(line.text);
        if (row.empty() || row == head)
            continue;
        if (head.empty()) {
            head = row;
            if (columnOf(head, "GRES"))
                continue;
            faults.add(
                "slurm.sinfo", faults.where(line.number),
                "has no column GRES, so that it says of no GPU; sinfo -o \"%N %t %m %G\" prints one, and "
                "scontrol show node says the same and more");
            break;
        }
        if (row.size() != head.size()) {
            faults.add("slurm.sinfo", faults.where(line.number),
                       {"has {words} words under {columns} columns",
                        {{"words", row.size()}, {"columns", head.size()}}});
            continue;
        }
        const Result<std::vector<std::string>> names = expandHostList(shown(row, "NODELIST"));
        if (!names) {
            faults.add("slurm.hostlist", faults.where(line.number), names.error());
            continue;
        }
        if (seen.size() + names->size() > ImportLimits::hostNames) {
            faults.add("slurm.size", faults.where(line.number),
                       {"the file comes to more than {limit} nodes", {{"limit", ImportLimits::hostNames}}});
            break;
        }
        NodeRecord record;
        record.gres = shown(row, "GRES");
        record.state = stateOf(shown(row, "STATE"));
        record.features = shown(row, "AVAIL_FEATURES");
        std::string_view memory = shown(row, "MEMORY"); // "515000+": and more
        record.memoryMb = finiteNumber(memory.substr(0, memory.find('+'))).value_or(0.0);
        record.where = faults.where(line.number);
        for (const std::string& name : *names)
            if (seen.insert(name).second) {
                record.name = name;
                addNode(record, found, faults);
            }
    }
    return found;
}

} // namespace pw::slurm

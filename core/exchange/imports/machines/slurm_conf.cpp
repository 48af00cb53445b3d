// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/machines/slurm_files.h"

#include "core/base/text.h"
#include "core/formats/source.h"
#include "core/inventory/host_list.h"

#include <algorithm>

namespace pw::slurm {

namespace {

// Only the lines about nodes, all others empty, so that numbers of lines stay; blanks within quotes become
// underscores.
std::string nodeLines(std::string_view text) {
    std::string kept;
    bool goesOn = false;
    for (const TextLine& line : linesOf(text)) {
        const std::string begin = lowered(trimmed(line.text).substr(0, 10));
        const bool starts = begin.starts_with("nodename=") || begin == "downnodes=";
        if (starts || goesOn) {
            bool quoted = false;
            for (const char c : line.text) {
                quoted = quoted != (c == '"');
                if (c != '"')
                    kept += quoted && c == ' ' ? '_' : c;
            }
            goesOn = trimmed(line.text).ends_with('\\');
        }
        kept += '\n';
    }
    return kept;
}

// What a line says, and, where it is silent, what the last NodeName=DEFAULT said.
std::string valueOf(const ConfLine& conf, const ConfLine& defaults, const char* key) {
    for (const ConfLine* line : {&conf, &defaults})
        if (const auto found = line->values.find(key); found != line->values.end())
            return found->second;
    return {};
}

// What DownNodes= says of nodes that NodeName= names elsewhere.
struct Down {
    std::string state, reason;
};

std::map<std::string, Down> downNodes(const std::vector<ConfLine>& lines, TextFaults& faults) {
    std::map<std::string, Down> down;
    for (const ConfLine& conf : lines) {
        const auto list = conf.values.find("downnodes");
        if (list == conf.values.end())
            continue;
        const Result<std::vector<std::string>> names = expandHostList(list->second);
        if (!names) {
            faults.add("slurm.hostlist", faults.where(conf.number), names.error());
            continue;
        }
        const std::string state = inCapitals(valueOf(conf, {}, "state"));
        for (const std::string& name : *names)
            down[name] = {state.empty() || state == "UNKNOWN" ? "DOWN" : state, valueOf(conf, {}, "reason")};
    }
    return down;
}

} // namespace

std::string inCapitals(std::string_view word) {
    std::string capitals(word);
    std::ranges::transform(capitals, capitals.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return capitals;
}

Inventory readConf(std::string_view text, TextFaults& faults) {
    Inventory found;
    ConfLine defaults;
    std::map<std::string, std::string> placeOf;
    const std::vector<ConfLine> lines = confLines(nodeLines(text), faults);
    const std::map<std::string, Down> down = downNodes(lines, faults);
    for (const ConfLine& conf : lines) {
        const auto named = conf.values.find("nodename");
        if (named == conf.values.end())
            continue; // behind a backslash that stands in a comment, and so joins nothing
        const std::string& list = named->second;
        if (lowered(list) == "default") {
            for (const auto& [key, value] : conf.values)
                defaults.values[key] = value;
            continue;
        }
        const Result<std::vector<std::string>> names = expandHostList(list);
        if (!names) {
            faults.add("slurm.hostlist", faults.where(conf.number), names.error());
            continue;
        }
        if (placeOf.size() + names->size() > ImportLimits::hostNames) {
            faults.add("slurm.size", faults.where(conf.number),
                       {"the file comes to more than {limit} nodes", {{"limit", ImportLimits::hostNames}}});
            break;
        }
        NodeRecord record;
        record.gres = valueOf(conf, defaults, "gres");
        // UNKNOWN is what the file calls a node that may be used.
        record.state = inCapitals(valueOf(conf, defaults, "state"));
        if (record.state == "UNKNOWN")
            record.state.clear();
        record.reason = valueOf(conf, defaults, "reason");
        record.features = valueOf(conf, defaults, "feature");
        if (record.features.empty())
            record.features = valueOf(conf, defaults, "features");
        record.memoryMb = finiteNumber(valueOf(conf, defaults, "realmemory")).value_or(0.0);
        record.where = faults.where(conf.number);
        for (const std::string& name : *names) {
            if (const auto [first, isNew] = placeOf.emplace(name, record.where); !isNew) {
                faults.add("slurm.duplicate", record.where,
                           {"repeats the node {name} of {line}", {{"name", name}, {"line", first->second}}});
                continue;
            }
            NodeRecord own = record;
            own.name = name;
            if (const auto said = down.find(name); said != down.end()) {
                own.state = said->second.state;
                own.reason = said->second.reason;
            }
            addNode(own, found, faults);
        }
    }
    return found;
}

} // namespace pw::slurm

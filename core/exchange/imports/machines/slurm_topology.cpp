// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/machines/slurm_files.h"

#include "core/formats/source.h"
#include "core/inventory/host_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace pw::slurm {

std::vector<ConfLine> confLines(std::string_view text, TextFaults& faults) {
    std::vector<ConfLine> found;
    std::string joined;
    int first = 0;
    for (const TextLine& line : linesOf(text)) {
        if (first == 0)
            first = line.number;
        std::string_view body = trimmed(line.text.substr(0, line.text.find('#')));
        const bool goesOn = body.ends_with('\\');
        if (goesOn)
            body.remove_suffix(1);
        joined += std::string(body) + ' ';
        if (goesOn)
            continue;
        ConfLine conf;
        conf.number = first;
        for (const std::string_view field : fieldsOf(joined)) {
            const std::size_t equals = field.find('=');
            if (equals == std::string_view::npos || equals == 0) {
                faults.add("slurm.field", faults.where(first),
                           {"\"{field}\" is no Key=Value", {{"field", field}}});
                continue;
            }
            const std::string key = lowered(field.substr(0, equals));
            if (!conf.values.emplace(key, field.substr(equals + 1)).second)
                faults.add("slurm.field", faults.where(first), {"{key} is given twice", {{"key", key}}});
        }
        if (!conf.values.empty())
            found.push_back(std::move(conf));
        joined.clear();
        first = 0;
    }
    return found;
}

namespace {

struct SwitchLine {
    int line = 0;
    std::vector<std::string> children; // switches
    std::string parent;
    int parentLine = 0;
};

class Topology {
public:
    explicit Topology(TextFaults& faults) : m_faults(faults) {}

    void take(const ConfLine& conf) {
        const auto name = conf.values.find("switchname");
        if (name == conf.values.end()) {
            if (!conf.values.contains("linkspeed"))
                m_faults.add("slurm.topology", m_faults.where(conf.number), "has no SwitchName");
            return;
        }
        const auto nodes = conf.values.find("nodes"), switches = conf.values.find("switches");
        const bool leaf = nodes != conf.values.end(), inner = switches != conf.values.end();
        if (leaf == inner) {
            m_faults.add("slurm.topology", m_faults.where(conf.number),
                         {leaf ? "the switch {name} has both Nodes and Switches"
                               : "the switch {name} has neither Nodes nor Switches",
                          {{"name", name->second}}});
            return;
        }
        const auto [place, isNew] = m_switches.emplace(name->second, SwitchLine{conf.number, {}, {}, 0});
        if (!isNew) {
            m_faults.add("slurm.duplicate", m_faults.where(conf.number),
                         {"repeats the switch {name} of line {line}",
                          {{"name", name->second}, {"line", place->second.line}}});
            return;
        }
        m_order.push_back(name->second);
        const Result<std::vector<std::string>> below =
            expandHostList(leaf ? nodes->second : switches->second);
        if (!below) {
            m_faults.add("slurm.hostlist", m_faults.where(conf.number), below.error());
            return;
        }
        m_names += below->size();
        if (m_names > ImportLimits::hostNames) {
            m_faults.add("slurm.hostlist", m_faults.where(conf.number),
                         {"the file comes to more than {limit} names", {{"limit", ImportLimits::hostNames}}});
            return;
        }
        if (inner) {
            place->second.children = *below;
            return;
        }
        for (const std::string& node : *below) {
            if (const auto [first, fresh] = m_leafOf.emplace(node, conf.number); !fresh) {
                m_faults.add("slurm.duplicate", m_faults.where(conf.number),
                             {"the node {node} is already under a switch in line {line}",
                              {{"node", node}, {"line", first->second}}});
                continue;
            }
            InventoryHost host;
            host.name = node;
            host.where = m_faults.where(conf.number);
            m_found.hosts.push_back(std::move(host));
            m_found.cables.push_back({node, name->second, {}, {}, 1});
        }
    }

    Inventory finish() {
        for (const std::string& name : m_order)
            for (const std::string& child : m_switches[name].children)
                adopt(name, child);
        std::set<std::string> told;
        for (const std::string& name : m_order)
            cycle(name, told);
        for (const std::string& name : m_order)
            m_found.switches.push_back({name});
        return std::move(m_found);
    }

private:
    void adopt(const std::string& name, const std::string& child) {
        const int line = m_switches[name].line;
        const auto found = m_switches.find(child);
        if (found == m_switches.end()) {
            m_faults.add("slurm.unknown", m_faults.where(line),
                         {"{child} is no switch of this file", {{"child", child}}});
            return;
        }
        SwitchLine& below = found->second;
        if (!below.parent.empty()) {
            m_faults.add(
                "slurm.parents", m_faults.where(line),
                {"the switch {child} is already under {parent} in line {parent_line}; only trees are read",
                 {{"child", child}, {"parent", below.parent}, {"parent_line", below.parentLine}}});
            return;
        }
        below.parent = name;
        below.parentLine = line;
        m_found.cables.push_back({child, name, {}, {}, 1});
    }

    // Each switch has one parent at most, so that a way up either ends or comes back.
    void cycle(const std::string& from, std::set<std::string>& told) {
        std::vector<std::string> way;
        std::string at = from;
        while (!at.empty() && !told.contains(at)) {
            told.insert(at);
            way.push_back(at);
            at = m_switches[at].parent;
        }
        const auto begin = std::find(way.begin(), way.end(), at);
        if (at.empty() || begin == way.end())
            return;
        std::vector<std::string> names(begin, way.end());
        // Told from the switch that the file names first, downwards.
        std::reverse(names.begin(), names.end());
        const auto least = std::min_element(names.begin(), names.end(), [&](const auto& a, const auto& b) {
            return m_switches[a].line < m_switches[b].line;
        });
        std::rotate(names.begin(), least, names.end());
        std::vector<int> lines;
        for (const std::string& name : names)
            lines.push_back(m_switches[name].line);
        std::sort(lines.begin(), lines.end());
        names.push_back(names.front());
        m_faults.add("slurm.cycle", m_faults.where(lines.front()),
                     {"the switches contain one another: cycle {names}, lines {lines}",
                      {{"names", fmt::format("{}", fmt::join(names, " > "))},
                       {"lines", fmt::format("{}", fmt::join(lines, " and "))}}});
    }

    TextFaults& m_faults;
    Inventory m_found;
    std::map<std::string, SwitchLine> m_switches;
    std::vector<std::string> m_order;
    std::map<std::string, int> m_leafOf; // node: line
    std::size_t m_names = 0;
};

} // namespace

Inventory readTopology(std::string_view text, TextFaults& faults, Diagnostics& notes) {
    Topology topology(faults);
    std::int64_t speeds = 0;
    for (const ConfLine& conf : confLines(text, faults)) {
        topology.take(conf);
        speeds += conf.values.contains("linkspeed") ? 1 : 0;
    }
    if (speeds > 0) // "not currently used", its manual says, and "arbitrary units"
        notes.push_back({Severity::Note,
                         "slurm.linkspeed",
                         "",
                         {"LinkSpeed is not read (lines that state it: {count}): it has no unit; links have "
                          "the rate that is usual, or the one that is stated as they are imported",
                          {{"count", speeds}}}});
    return topology.finish();
}

} // namespace pw::slurm

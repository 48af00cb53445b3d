// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/machines/slurm.h"

#include "core/exchange/imports/machines/slurm_files.h"

#include <algorithm>

namespace pw {

namespace {

// The first word of the first line that has one.
std::string firstKey(std::string_view text) {
    for (const TextLine& line : linesOf(text)) {
        const std::string_view body = trimmed(line.text.substr(0, line.text.find('#')));
        if (!body.empty())
            return lowered(body.substr(0, body.find('=')));
    }
    return {};
}

bool isScontrol(std::string_view text) {
    return text.find("CfgTRES=") != std::string_view::npos ||
           text.find("RealMemory=") != std::string_view::npos ||
           text.find("NodeAddr=") != std::string_view::npos;
}

// slurm.conf, or what it includes: its own keys, or nodes with the CPUs that are asked for there.
bool isConf(std::string_view text) {
    for (const TextLine& line : linesOf(text)) {
        const std::string body = lowered(trimmed(line.text));
        for (const char* key : {"clustername=", "slurmctldhost=", "controlmachine=", "partitionname="})
            if (body.starts_with(key))
                return true;
        if (body.starts_with("nodename=") && body.find(" cpus=") != std::string::npos)
            return true;
    }
    return false;
}

bool isScontrolJson(std::string_view text) {
    return trimmed(text).starts_with('{') && text.find("\"nodes\"") != std::string_view::npos &&
           (text.find("\"gres\"") != std::string_view::npos ||
            text.find("\"tres\"") != std::string_view::npos);
}

} // namespace

bool recogniseSlurm(std::string_view text, const std::filesystem::path&) {
    const std::string key = firstKey(text.substr(0, 65'536));
    return key == "switchname" || key == "autodetect" || key == "nodename" ||
           (key == "name" && text.find("gpu") != std::string_view::npos &&
            text.find('=') != std::string_view::npos) ||
           isScontrolJson(text) || slurm::isSinfo(text) ||
           (isConf(text) && lowered(text).find("nodename=") != std::string::npos);
}

Result<Imported> importSlurm(std::string_view text, const std::filesystem::path& path, const ImportHints&) {
    const std::string file = path.string();
    TextFaults faults(file);
    Inventory found;
    Diagnostics notes;
    if (isScontrolJson(text)) {
        Result<Inventory> read = slurm::readNodesJson(text, file);
        if (!read)
            return read.error();
        found = *std::move(read);
    } else if (lowered(text.substr(0, 65'536)).find("switchname=") != std::string::npos) {
        found = slurm::readTopology(text, faults, notes);
    } else {
        found = slurm::isSinfo(text) ? slurm::readSinfo(text, faults)
                : isConf(text)       ? slurm::readConf(text, faults)
                : isScontrol(text)   ? slurm::readNodes(text, faults)
                                     : slurm::readGres(text, faults);
    }
    if (Status sound = faults.status(); !sound)
        return sound.error();
    if (found.hosts.empty() && found.excluded.empty())
        return badInput("slurm.empty", file, "names no node");
    return importedInventory("slurm", std::move(found), std::move(notes));
}

} // namespace pw

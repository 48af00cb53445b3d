// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/machines/hostfile.h"

#include "core/base/text.h"
#include "core/formats/source.h"

#include <map>
#include <optional>

namespace pw {

namespace {

std::string_view withoutComment(std::string_view line) {
    return trimmed(line.substr(0, line.find('#')));
}

} // namespace

bool recogniseHostfile(std::string_view text, const std::filesystem::path&) {
    for (const TextLine& line : linesOf(text.substr(0, 65'536))) {
        const std::vector<std::string_view> fields = fieldsOf(withoutComment(line.text));
        if (!fields.empty())
            return fields.size() >= 2 && fields.size() <= 4 && fields[1].starts_with("slots=");
    }
    return false;
}

Result<Imported> importHostfile(std::string_view text, const std::filesystem::path& path,
                                const ImportHints&) {
    TextFaults faults(path.string());
    Inventory found;
    std::map<std::string, int, std::less<>> lineOf;
    std::int64_t all = 0;
    bool typed = false;
    for (const TextLine& line : linesOf(text)) {
        const std::vector<std::string_view> fields = fieldsOf(withoutComment(line.text));
        if (fields.empty())
            continue;
        InventoryHost host;
        host.name = fields[0];
        host.where = faults.where(line.number);
        std::optional<std::int64_t> slots;
        std::string type;
        for (std::size_t i = 1; i < fields.size(); ++i) {
            if (fields[i].starts_with("slots=") ? slots.has_value()
                                                : fields[i].starts_with("type=") && !type.empty())
                faults.add("hostfile.field", host.where,
                           {"{field} stands behind another of its kind", {{"field", fields[i]}}});
            else if (fields[i].starts_with("slots="))
                slots = integerNumber(fields[i].substr(6));
            else if (fields[i].starts_with("type="))
                type = fields[i].substr(5);
            else if (!fields[i].starts_with("max_slots=")) // of Open MPI: processes, not GPUs
                faults.add(
                    "hostfile.field", host.where,
                    {"the field {field} is none of slots=, max_slots= and type=", {{"field", fields[i]}}});
        }
        if (!slots || *slots < 1 || *slots > 1024) {
            faults.add("hostfile.slots", host.where, "has no slots=N; expected 1 to 1024");
            continue;
        }
        if (const auto [first, isNew] = lineOf.emplace(host.name, line.number); !isNew)
            faults.add(
                "hostfile.duplicate", host.where,
                {"repeats the host {name} of line {line}", {{"name", host.name}, {"line", first->second}}});
        if (!found.hosts.empty() && typed == type.empty())
            faults.add("hostfile.type", host.where, "either every host has a type= or none has");
        typed = !type.empty();
        all += *slots;
        if (all > ImportLimits::gpus)
            return badInput("hostfile.size", host.where,
                            {"comes to more than {gpus} GPUs", {{"gpus", ImportLimits::gpus}}});
        for (int k = 0; k < *slots; ++k) {
            InventoryGpu gpu;
            gpu.index = k;
            gpu.model = type;
            host.gpus.push_back(std::move(gpu));
        }
        found.hosts.push_back(std::move(host));
    }
    if (found.hosts.empty() && faults.empty())
        faults.add("hostfile.empty", path.string(), "names no host");
    if (Status sound = faults.status(); !sound)
        return sound.error();
    return importedInventory("hostfile", std::move(found), {});
}

} // namespace pw

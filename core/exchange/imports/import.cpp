// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/import.h"

#include <algorithm>

namespace pw {

Imported importedInventory(const char* kind, Inventory found, Diagnostics notes) {
    std::string summary = describe(found);
    return {kind, std::move(summary), std::move(notes), std::move(found)};
}

namespace {

// The hosts of a trainer's plan are those of the hostfile beside it, in its order.
TrainerPlan hostsOf(const Inventory& found) {
    TrainerPlan plan;
    for (const InventoryHost& host : found.hosts) {
        TrainerHost one{host.name, {}, host.gpus.empty() ? "" : host.gpus.front().model};
        for (const InventoryGpu& gpu : host.gpus)
            one.gpus.push_back(gpu.index);
        plan.hosts.push_back(std::move(one));
    }
    return plan;
}

Wording held(ImportSort sort) {
    switch (sort) {
    case ImportSort::Model:
        return "holds a model";
    case ImportSort::Layers:
        return "holds measured layers";
    case ImportSort::Links:
        return "holds timed links";
    case ImportSort::Machines:
        break;
    }
    return "holds machines, or a plan for them";
}

Status ofOneSort(const std::vector<Imported>& parts, const std::vector<std::string>& files) {
    const ImportSort first = sortOf(parts.front());
    const auto other =
        std::find_if(parts.begin(), parts.end(), [&](const Imported& part) { return sortOf(part) != first; });
    if (other == parts.end()) {
        if (first == ImportSort::Model)
            return badInput("import.mixed", files[1], "a model is imported alone, one file at a time");
        return Ok{};
    }
    Error error =
        badInput("import.mixed", {}, "the files are of several sorts; import those of one sort together");
    for (std::size_t i = 0; i < parts.size(); ++i)
        error.reasons.push_back(badInput("import.mixed", files[i], held(sortOf(parts[i]))));
    return error;
}

} // namespace

ImportSort sortOf(const Imported& imported) {
    if (std::holds_alternative<Model>(imported.what))
        return ImportSort::Model;
    if (std::holds_alternative<std::vector<ProfileRow>>(imported.what))
        return ImportSort::Layers;
    return std::holds_alternative<std::vector<LinkMeasurement>>(imported.what) ? ImportSort::Links
                                                                               : ImportSort::Machines;
}

Result<Imported> joinImported(std::vector<Imported> parts, const std::vector<std::string>& files) {
    if (parts.size() == 1)
        return std::move(parts.front());
    for (std::size_t i = 0; i < parts.size(); ++i)
        for (std::size_t j = i + 1; j < parts.size(); ++j)
            if (!parts[i].identity.empty() && parts[i].identity == parts[j].identity)
                return badInput("import.twice", files[j],
                                {"is of {identity}, like {other}",
                                 {{"identity", parts[j].identity}, {"other", files[i]}}});
    if (Status one = ofOneSort(parts, files); !one)
        return one.error();
    Imported all;
    std::vector<Inventory> inventories;
    std::vector<std::string> inventoryFiles;
    std::optional<TrainerPlan> plan;
    std::vector<ProfileRow> rows;
    std::vector<LinkMeasurement> links;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (all.kind.find(parts[i].kind) == std::string::npos)
            all.kind += (all.kind.empty() ? "" : "+") + parts[i].kind;
        all.summary += (all.summary.empty() ? "" : "; ") + parts[i].summary;
        append(all.notes, std::move(parts[i].notes));
        auto& what = parts[i].what;
        if (auto* inventory = std::get_if<Inventory>(&what)) {
            inventories.push_back(std::move(*inventory));
            inventoryFiles.push_back(files[i]);
        } else if (auto* some = std::get_if<std::vector<ProfileRow>>(&what)) {
            rows.insert(rows.end(), std::make_move_iterator(some->begin()),
                        std::make_move_iterator(some->end()));
        } else if (auto* timed = std::get_if<std::vector<LinkMeasurement>>(&what)) {
            links.insert(links.end(), timed->begin(), timed->end());
        } else if (auto* found = std::get_if<TrainerPlan>(&what)) {
            if (!plan)
                plan = std::move(*found);
            else if (Status joined = joinParts(*plan, std::move(*found), files[i]); !joined)
                return joined.error();
        }
    }
    if (!inventories.empty()) {
        Result<Inventory> joined = joinInventories(std::move(inventories), inventoryFiles);
        if (!joined)
            return joined.error();
        if (plan) {
            if (Status taken = joinParts(*plan, hostsOf(*joined), inventoryFiles.front()); !taken)
                return taken.error();
        } else {
            all.summary = describe(*joined);
            all.what = *std::move(joined);
        }
    }
    if (plan)
        all.what = *std::move(plan);
    else if (!links.empty())
        all.what = std::move(links);
    else if (!rows.empty())
        all.what = std::move(rows);
    return all;
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/diagnostics.h"
#include "core/exchange/imports/trainer_plan.h"
#include "core/inventory/inventory.h"
#include "core/links/link_measurement.h"
#include "core/model/model.h"
#include "core/profile/profile.h"

#include <functional>
#include <map>
#include <stop_token>
#include <variant>

namespace pw {

// What an import found, parsed and validated but not yet put anywhere: the caller shows the summary and
// commits it as one step, or drops it. Warnings never stop an import; errors are the Result's.
struct Imported {
    std::string kind; // "hf-config", "sailor"
    std::string summary;
    Diagnostics notes;
    std::variant<Model, std::vector<ProfileRow>, Inventory, std::vector<LinkMeasurement>, TrainerPlan> what;
    std::string identity = {}; // what only one file of an import may be ("rank 0 of 4"); empty = nothing
};

// What files may hold. An import takes one sort: the machines with what a trainer's plan says of them.
enum class ImportSort { Model, Layers, Links, Machines };
ImportSort sortOf(const Imported& imported);

struct ImportHints {
    const Model* model = nullptr; // profiles: checked against its block count and used for its name
    bool measuresModel = false;   // own profiles that name another model measure it, as their owner says
    std::string modelName;        // profiles without a model at hand
    std::string deviceKind;       // of all that files call otherwise, or not at all
    std::map<std::string, std::string> deviceNames = {}; // what files call a device, and which kind that is
    std::int64_t vocabulary = 0; // a trainer's arguments that leave it to their tokenizer
    int ranks = 0;               // link measurements of a file that does not list its ranks
    std::string collective;      // link measurements of a file that does not name it
    // Of files that are streamed.
    std::stop_token stop = {};
    std::function<void(double share)> progress = {};
};

// An inventory as an import's result, with its summary.
Imported importedInventory(const char* kind, Inventory found, Diagnostics notes);

// Several files that were read for one import, as one: measured layers and links one after the other, what is
// said about machines joined host by host, a trainer's plan with the hosts of its hostfile. A model comes
// alone, and so does each sort: else the reasons say what each file holds. `files` are for messages.
Result<Imported> joinImported(std::vector<Imported> parts, const std::vector<std::string>& files);

} // namespace pw

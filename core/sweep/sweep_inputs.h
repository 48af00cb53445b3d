// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/cluster/cluster.h"
#include "core/model/model.h"
#include "core/problem/recipe.h"
#include "core/profile/profile.h"
#include "core/sweep/sweep_document.h"

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace pw {

// All that a sweep's files hold, read once: from where the document names them when a folder is made, from
// the folder when it is worked off. By the name that the document has for each; the base's own is "".
struct SweepInputs {
    std::map<std::string, Cluster> clusters; // with its device kinds in use, prices and calibration applied
    std::map<std::string, Model> models;
    std::map<std::string, std::string> plans; // entries of plan documents, as JSON
    Recipe recipe;                            // of the base, with the calibration applied
    std::vector<ProfileRow> profiles;
    std::vector<std::string> forbidden;
};

// Bad input for whatever a file holds that is none: with that file and place. Relative names begin at
// `folder`, that of the document; `file` is the document's own name for messages. `notes`: keys that are not
// known, and whose measurements are taken.
Result<SweepInputs> readSweepInputs(const SweepDocument& sweep, const std::string& file,
                                    const std::filesystem::path& folder, Diagnostics& notes);

// The recipe with some keys of its file form changed, JSON texts. Bad input for a key or a value that is
// none, at file#pointer/key.
Result<Recipe> changedRecipe(const Recipe& base, const std::map<std::string, std::string>& changes,
                             const std::string& file, const std::string& pointer);

// The inputs as files named by their content: HASH.json below the folder. What they are is one JSON object,
// {"clusters": {NAME: HASH}, "models", "plans", "base": HASH}, which packing makes and unpacking takes.
struct PackedInputs {
    std::map<std::string, std::string> files; // by hash
    std::string index;                        // the object
};
PackedInputs packed(const SweepInputs& inputs);
// `fetch`: the text of a file by its hash. Bad input at `where` for an index or a file that is not one.
Result<SweepInputs> unpacked(const JsonReader& index,
                             const std::function<Result<std::string>(const std::string& hash)>& fetch);

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/diagnostics.h"
#include "core/base/trace.h"
#include "core/plan/plan.h"
#include "core/search/difference.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

class JsonReader;

// The entries of a plan document in the order in which they are counted: `plans`, then `differing`, which a
// document may be without.
std::vector<JsonReader> planEntries(const JsonReader& document);

// `differs` of an entry; what this program does not know is left out.
std::vector<Difference> differencesOf(const JsonReader& entry);

// What a plan document holds for its reader: the problem and all plans. Figures of a document are passed
// over; evaluate() makes them anew.
struct PlanFile {
    std::shared_ptr<const Problem> problem;
    std::vector<Plan> plans; // of planEntries()
    Diagnostics notes;       // keys that are not known
};
Result<PlanFile> readPlanFile(std::string_view text, const std::string& file);

// "FILE" or "FILE:k": the k-th of planEntries(), the first one where none is said.
struct PlanArgument {
    std::string file;
    std::size_t index = 1;
};
PlanArgument planArgument(const std::string& argument);

// `search.phases`: what the search did whose document it is. None where no such list is.
std::vector<Phase> phasesOf(const JsonReader& document);

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"

#include <vector>

namespace pw {

class Problem;
struct FoundPlan;

// Writes into a plan document ("pipewright-plan-1") of these plans, which stand under `list`, under
// `runs_with` of each, the formats of the trainers that take it as it is, in the order of exporterTable():
// `export --to` refuses it for every other.
void writeRunsWith(Json& document, const Problem& problem, const std::vector<FoundPlan>& plans,
                   const char* list = "plans");

} // namespace pw

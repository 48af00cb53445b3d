// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/runs_with.h"

#include "core/exchange/exports/export.h"

#include <nlohmann/json.hpp>

namespace pw {

void writeRunsWith(Json& document, const Problem& problem, const std::vector<FoundPlan>& plans,
                   const char* list) {
    Json& entries = document.at(list);
    for (std::size_t p = 0; p < plans.size(); ++p) {
        Json takers = Json::array();
        for (const ExporterRow* row : expressibleBy(problem, plans[p].plan))
            if (row->trainer && row->write != nullptr)
                takers.push_back(row->format);
        entries.at(p)["runs_with"] = std::move(takers);
    }
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/exports/export.h"
#include "core/problem/space.h"

#include <string>
#include <vector>

namespace pw {

// What the window's search asks of plans beside the options of the planner, as --target, --require and
// --max-tp, --max-cp, --max-ep do.
struct SearchDemand {
    const ExporterRow* target = nullptr; // null: any trainer
    std::vector<std::string> required;   // nodes, devices, device kinds that every plan uses
    int maxTp = 0, maxCp = 0, maxEp = 0; // 0: as the Space has them
    bool limitsPlans() const { return target != nullptr || !required.empty(); }
    void narrow(Space& space) const {
        space.maxTp = maxTp > 0 ? maxTp : space.maxTp;
        space.maxCp = maxCp > 0 ? maxCp : space.maxCp;
        space.maxEp = maxEp > 0 ? maxEp : space.maxEp;
    }
};

} // namespace pw

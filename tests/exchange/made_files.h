// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/exports/export.h"
#include "tests/exchange/target_plans.h"

#include <functional>
#include <memory>
#include <string>

namespace pw {

// What a test changes of a target's question and plan.
struct TargetVariant {
    const char* name;
    std::function<void(TargetPlan&)> edit;
};

// What is exported of it, with the question; nothing where the plan cannot be evaluated.
struct MadeFiles {
    std::shared_ptr<const Problem> problem;
    ExportResult result;
};
inline MadeFiles filesMade(const std::string& format, const std::string& release,
                           const TargetVariant& variant) {
    TargetPlan target = planFor(format);
    if (format == "nemo2") // as many GPUs on every node
        for (Node& n : target.cluster.nodes)
            n.gpus = 8;
    variant.edit(target);
    MadeFiles made{target.problem(), {}};
    const auto evaluation = evaluate(*made.problem, target.plan, {.keepOps = true});
    if (evaluation)
        made.result =
            makeExport(*exporterRow(format), {*made.problem, {}, target.plan, *evaluation, release});
    return made;
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/findings_for.h"

#include "core/answers/target_search.h"
#include "core/exchange/exports/export.h"

namespace pw {

Result<Findings> findingsFor(const std::shared_ptr<const Problem>& problem, const Plan& plan,
                             const ExporterRow* target, const std::stop_token& stop) {
    if (!target || !constrains(*target))
        return findingsOf(problem, plan, stop);
    const PlanRunner runner{target->label, [target](const Problem& of, const Plan& edited) {
                                return canRun(*target, of, edited);
                            }};
    return findingsOf(problem, plan, stop, runner);
}

} // namespace pw

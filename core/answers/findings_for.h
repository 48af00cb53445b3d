// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/findings/findings.h"

namespace pw {

struct ExporterRow;

// findingsOf() whoever runs the plan with that target, which advises nothing that it cannot run. Null, or a
// format that takes any plan: no edit is left out.
Result<Findings> findingsFor(const std::shared_ptr<const Problem>& problem, const Plan& plan,
                             const ExporterRow* target, const std::stop_token& stop = {});

} // namespace pw

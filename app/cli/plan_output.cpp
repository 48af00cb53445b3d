// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plan_output.h"

#include "core/base/file.h"
#include "core/document/plan_document.h"

#include <fmt/format.h>

namespace pw::cli {

void PlanOutput::addTo(CLI::App& sub, const char* help) {
    CLI::Option* file = sub.add_option("--out", out, help)->type_name("FILE");
    sub.add_flag_callback(
           "--compact", [this] { compact = true; },
           fmt::format("in that file devices by ranges and short lines (default above {} devices)",
                       kMostNamedEach))
        ->needs(file);
    sub.add_flag_callback(
           "--no-compact", [this] { compact = false; }, "in that file each device by its id")
        ->needs(file)
        ->excludes("--compact");
}

DeviceNames PlanOutput::names(const Topology& topology) const {
    if (compact)
        return *compact ? DeviceNames::Ranges : DeviceNames::Each;
    return usualNames(topology);
}

Status PlanOutput::write(const Json& document, DeviceNames names) const {
    return writeFileAtomically(out, printPlanDocument(document, names));
}

} // namespace pw::cli

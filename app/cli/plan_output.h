// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/plan/device_names.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

namespace pw::cli {

// The file that a command writes its plan document to, and how devices are named in it: as usualNames() has
// it, unless --compact or --no-compact say otherwise. What --json prints names each.
struct PlanOutput {
    std::string out;             // --out; empty: none
    std::optional<bool> compact; // --compact, --no-compact

    void addTo(CLI::App& sub, const char* help); // stands as long as the parser does
    DeviceNames names(const Topology& topology) const;
    Status write(const Json& document, DeviceNames names) const;
};

} // namespace pw::cli

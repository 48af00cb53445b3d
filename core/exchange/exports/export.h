// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/evaluate/evaluation.h"
#include "core/search/search.h"

#include <filesystem>
#include <string>
#include <vector>

namespace pw {

struct ExportFile {
    std::string name; // relative to the target folder
    std::string text; // UTF-8, LF
};

// Why a target cannot express a plan: never approximated. `where` names the stage or replica.
struct Refusal {
    std::string code; // "E_SCHEDULE", as in the exchange reference
    std::string where;
    std::string message; // the plan's value, what the target allows, which targets could
};

struct ExportResult {
    std::vector<ExportFile> files; // empty if refused
    std::vector<Refusal> refusals; // all of them at once
};

struct ExportInput {
    const Problem& problem;
    const SearchOutcome& outcome; // for the plan document
    const Plan& plan;
    const Evaluation& evaluation; // with ops
    // The best plan of the same search without tensor partitions, as the reader finds it: "plan 3, 4.0 %
    // slower". Empty: none is known.
    std::string unpartitioned = {};
};

// One row an exporter.
struct ExporterRow {
    const char* format; // "flagscale"
    const char* label;
    const char* release; // what the files are for: "FlagScale, November 2025 layout"
    ExportResult (*make)(const ExportInput& input);
    // The schedules that the target runs; a search for it is restricted to them. Empty = every schedule.
    std::vector<ScheduleChoice> schedules;
    // Whether it takes tensor partitions. No trainer runs them today; what draws or describes a plan does.
    bool partitions = false;
};
const std::vector<ExporterRow>& exporterTable();

// The one way to ask an exporter: what it makes, after what every target has to answer for is checked.
ExportResult makeExport(const ExporterRow& exporter, const ExportInput& input);

// Of a search's plans, best first; for ExportInput.
std::string bestUnpartitioned(const std::vector<FoundPlan>& plans, Seconds iteration);
// The same of a plan document.
std::string bestUnpartitioned(const Json& document, Seconds iteration);

// Writes what an exporter made, for callers that showed it first; see exportPlan.
Status writeExport(const ExporterRow& exporter, const ExportResult& result,
                   const std::filesystem::path& folder);

// Writes all files or none (into a temporary folder beside `folder`, then renamed file by file). Refused:
// Infeasible with every refusal as a reason.
Status exportPlan(const ExporterRow& exporter, const ExportInput& input, const std::filesystem::path& folder);

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/diagnostics.h"
#include "core/evaluate/evaluation.h"
#include "core/exchange/exports/capability.h"
#include "core/search/search.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pw {

struct ExportFile {
    std::string name; // relative to the target folder
    std::string text; // UTF-8, LF
};

struct ExportResult {
    std::vector<ExportFile> files; // empty if refused
    std::vector<Refusal> refusals; // all of them at once
    Diagnostics notes = {};        // what the trainer does otherwise than planned, or must be told besides
    std::string plan = {};         // which plan the files are of (export_set.h)
};

struct ExportInput {
    const Problem& problem;
    const SearchOutcome& outcome; // for the plan document
    const Plan& plan;
    const Evaluation& evaluation; // with ops
    std::string release = {};     // of ExporterRow::releases; empty: the first
};

// A version of the target that files can be written for.
struct ExportRelease {
    const char* name;  // "0.19": --release
    const char* label; // "Megatron-LM core 0.19.0 (2026-08-19)"
};

// One row an exporter.
struct ExporterRow {
    const char* format; // "flagscale"
    const char* label;
    std::vector<ExportRelease> releases; // never empty, newest first
    bool trainer;                        // else it draws or describes a plan
    Capability capability;
    // What no row of capabilityTable() checks. Null: nothing.
    void (*check)(const Problem& problem, const Plan& plan, const std::string& release,
                  std::vector<Refusal>& refusals);
    // Only asked about plans without a refusal. Null: there is no writer, and `checkQuestion` says why.
    std::vector<ExportFile> (*write)(const ExportInput& input);
    // ExportResult::notes that are this target's own. Null: none.
    void (*notes)(const Problem& problem, const Plan& plan, const std::string& release,
                  Diagnostics& notes) = nullptr;
    // As `check`, where no plan is needed to tell: what follows from model and recipe alone, and that there
    // is no writer. Asked before any search. Null: nothing.
    void (*checkQuestion)(const Problem& problem, const std::string& release,
                          std::vector<Refusal>& refusals) = nullptr;
};
const std::vector<ExporterRow>& exporterTable();
const ExporterRow* exporterRow(std::string_view format); // null if there is none

// The release of that name, or the first for an empty one; null if there is none.
const ExportRelease* findRelease(const ExporterRow& exporter, std::string_view name);

// Why the target can run no plan of the problem at all, as far as no plan is needed to tell.
std::vector<Refusal> questionRefusals(const ExporterRow& exporter, const Problem& problem);

// The code of a refusal that another name of the node takes away.
inline constexpr const char* kHostNameRefusal = "E_HOST_NAME";

// Every reason why the target cannot run the plan, each with the trainers that could take what it refuses:
// none of those that can run no plan of the problem at all. Empty: it can.
std::vector<Refusal> exportRefusals(const ExporterRow& exporter, const Problem& problem, const Plan& plan,
                                    const std::string& release = {});
// Whether exportRefusals() has none, without wording them.
bool canRun(const ExporterRow& exporter, const Problem& problem, const Plan& plan);
// Of all rows, in the table's order: formats that can run or describe the whole plan.
std::vector<const ExporterRow*> expressibleBy(const Problem& problem, const Plan& plan);

// The one way to ask an exporter.
ExportResult makeExport(const ExporterRow& exporter, const ExportInput& input);

// Of a search's plans, best first, the first one that the target can run: what is offered in place of a
// refused plan. Of the evaluations only the iteration time is looked at.
struct OfferedPlan {
    std::size_t index = 0;
    double slower = 0.0; // than the refused plan: 0.04 is 4 %
};
std::optional<OfferedPlan> bestRunnable(const ExporterRow& exporter, const std::string& release,
                                        const Problem& problem, const std::vector<FoundPlan>& plans,
                                        Seconds refused);
std::string text(const OfferedPlan& offer); // "plan 3, 4.0 % slower"

// What becomes of files that are in the folder already. Unchanged: those that are as an export wrote them are
// replaced; where one was changed since, or was never an export's, nothing is written at all.
enum class Replace : std::uint8_t { Unchanged, All };

// Writes what an exporter made, all files or none, with a manifest of what they are (export_set.h).
// Refused: Infeasible with every refusal as a reason.
Status writeExport(const ExporterRow& exporter, const ExportResult& result,
                   const std::filesystem::path& folder, Replace replace);

// The Space of a search for a target: what its schedules and partitions leave of `space`. What else it cannot
// run shows only in a whole plan.
void restrictTo(const Capability& capability, Space& space);

} // namespace pw

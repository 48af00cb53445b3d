// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"
#include "core/plan/plan.h"

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// run.json (schema "pipewright-run-1") of the runner, samples/runner/run_record.py: what every rank of a run
// did when. Measured, or acted out on one machine: times that are `emulated` or
// were taken on CPUs are no GPU's, and those of `tiny` widths are not the model's. They never leave this
// value without that mark.

enum class RunOpKind : std::uint8_t { Forward, Backward, WeightGrad, Send, Receive, Sync, Update };
inline constexpr std::array<RunOpKind, 3> kPassKinds = {RunOpKind::Forward, RunOpKind::Backward,
                                                        RunOpKind::WeightGrad};
bool isPass(RunOpKind kind);
const char* name(RunOpKind kind); // "F", "B", "W", "send", "recv", "sync", "update"

// `chunk` and `microbatch` are of the stage and the replica, from 0; 0 for sync and update.
struct RunOp {
    int step = 0, rank = 0, pipeline = 0, replica = 0, stage = 0, chunk = 0;
    RunOpKind kind = RunOpKind::Forward;
    std::int64_t microbatch = 0;
    double start = 0.0, end = 0.0; // s from the moment at which all ranks had met
};

struct RunStep {
    int step = 0;
    double loss = 0.0;
    Seconds duration;
    bool recorded = false; // its operations are in the file
};

// Which device a rank was. Files of others may leave it out.
struct RunRank {
    int rank = 0, pipeline = 0, stage = 0, replica = 0, tpRank = 0;
    std::string device, host; // the plan's id; the machine's name
};

// How an emulated run kept its slots, as samples/runner/emulation.py has it.
struct RunPace {
    double realShare = 0.0;            // of the slots that was real work
    std::int64_t late = 0, passes = 0; // that took longer than their slots, of all
    bool disturbed = false;            // times say more of the machine than of the plan
};

struct RunRecord {
    std::string file;
    bool emulated = false, onCpus = false, tiny = false;
    std::vector<RunStep> steps;
    std::vector<RunOp> ops;
    std::vector<Bytes> peak;            // by rank
    std::vector<RunRank> ranks;         // by rank, or none
    std::string software;               // "python 3.11.2, torch 1.13.1"
    std::optional<Precision> precision; // that its times stand for, where the file states it
    std::optional<bool> fusedUpdate; // whether the optimizer stepped in one kernel, where the file states it
    std::optional<RunPace> pace;     // of an emulated run, where the file states it
    // The plan document that the run was of, where the file holds it.
    std::shared_ptr<const Problem> problem;
    std::optional<Plan> plan;
    Diagnostics notes; // keys that are not known

    // On the plan's devices and with the model's widths.
    bool isMeasured() const { return !emulated && !onCpus && !tiny; }
    bool isAtPrecision() const { return emulated || isMeasured(); } // of the plan; others in what CPUs have
    std::string standing() const; // "measured", "measured on CPUs", "emulated, with tiny widths"
};

// Strict: bad input with file and place for whatever is missing, of another type, out of range, or does not
// hold together (an operation of a step or rank that is not there, one that ends before it begins).
Result<RunRecord> readRunRecord(std::string_view text, const std::string& file);

// That the run is of this plan: of its model, batch, sequence, kinds of GPU, stages and schedule where the
// file holds the plan that ran, in its precision where GPUs or their emulation ran it, every rank a device of
// its stage, every operation of a stage, replica, chunk and micro-batch that are there, every pass once and
// as many of each kind in every recorded step as the plan has.
Status checkRun(const RunRecord& run, const Problem& problem, const Plan& plan);

// Layer times, for `profiles import`.
bool recogniseRun(std::string_view text, const std::filesystem::path& path);
Result<Imported> importRun(std::string_view text, const std::filesystem::path& path,
                           const ImportHints& hints);

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/diagnostics.h"
#include "core/base/json.h"
#include "core/base/log.h"
#include "core/base/result.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace pw::cli {

struct NamedFile {
    std::string option, path;
};

// What holds for every command: the flags that all of them take, and the way to ask a long one to stop.
struct Session {
    bool json = false;
    bool reproducible = false;         // --reproducible: documents without the times of the run
    std::string profiles;              // --profiles: a profile database, read only when named
    std::string project;               // --project: a *.pwx in place of cluster, model, recipe and profiles
    std::string calibration;           // --calibration: factors fitted to one's own machines
    bool emulated = false;             // --emulated: also one that was fitted to an emulated run
    LogLevel said = LogLevel::Warning; // notes up to it are a line on standard error, in words
    std::shared_ptr<Log> log;          // --log, --log-file; null: neither is given
    bool logsToTerminal = false;       // to standard error, where no progress line is drawn then
    std::vector<NamedFile> named;      // by options, but for what is written: files among them may be read
    std::stop_token stop;

    // For whoever watches: in words where notes of the level are said, and an event of the log.
    void note(LogLevel level, const std::string& place, const std::string& text) const;
    // Findings about an input file: a note each, and part of the document's `notes`.
    void note(const Diagnostics& found) const;
    // Of the log alone.
    void event(LogLevel level, const std::string& place, const std::string& text) const;
    void event(const Error& error) const;
    std::shared_ptr<Diagnostics> notes = std::make_shared<Diagnostics>();
};

// What a command has to say: the document for --json and the same for people. Printed once, at the end, by
// main. With `refused` set the exit code is that error's, and the document carries it beside its figures.
struct Answer {
    Json document;
    std::string text;
    std::optional<Error> refused;
};

// A subcommand: its parser, and what it does once the arguments are in.
struct Command {
    CLI::App* app = nullptr;
    std::function<Result<Answer>(const Session&)> run;
    bool stoppable = false; // reads Session::stop and keeps what it has
};

// Why a file is not to be written that `option` names or leads to: another option names it, too, and the
// command may read it.
std::optional<Error> overwritten(const std::vector<NamedFile>& named, const std::string& option,
                                 const std::filesystem::path& file);

// Every subcommand is made by one function of its own file, in the order of the help text.
Command addPlan(CLI::App& app);
Command addEvaluate(CLI::App& app);
Command addSimulate(CLI::App& app);
Command addImprove(CLI::App& app);
Command addCompare(CLI::App& app);
Command addSchedule(CLI::App& app);
Command addPartition(CLI::App& app);
Command addReproduce(CLI::App& app);
Command addModel(CLI::App& app);
Command addCluster(CLI::App& app);
Command addValidate(CLI::App& app);
Command addCalibrate(CLI::App& app);
Command addImport(CLI::App& app);
Command addExport(CLI::App& app);
Command addManual(CLI::App& app);
std::vector<Command> addSweep(CLI::App& app);    // make, run, work, status, cancel, collect
std::vector<Command> addProfiles(CLI::App& app); // list, show, import, export, remove, check

// A reason as a line: "where: message", behind its code if that is one of those that people look up
// ("E_VPP").
std::string reasonText(const Error& reason);
// {"error":{"code", "message", "where", "params", "reasons", "details"}}: what --json prints with exit codes
// 1 to 4. `reasons` are lines; `details` has the same ones by "code", "where", "message" and "params".
Json errorDocument(const Error& error);
// For people: "where: message" and the further reasons, one a line.
std::string errorText(const Error& error);

inline Error usage(Wording wording) {
    return badInput("usage", "", std::move(wording));
}

} // namespace pw::cli

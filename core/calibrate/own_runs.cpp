// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/own_runs.h"

#include "core/base/file.h"
#include "core/base/text.h"

#include <algorithm>
#include <filesystem>
#include <tuple>

namespace pw {

namespace {

Result<TrainingLog> readLog(const std::string& file) {
    const Result<std::string> text = readFile(file);
    if (!text)
        return text.error();
    return readTrainingLog(*text, file);
}

// Takes every log that the rows of a table name.
Status takeLogs(std::vector<RunRow>& rows, const std::string& table) {
    for (RunRow& row : rows) {
        if (row.log.empty())
            continue;
        const std::filesystem::path named(row.log);
        const std::string file =
            (named.is_absolute() ? named : std::filesystem::path(table).parent_path() / named).string();
        const Result<TrainingLog> log = readLog(file);
        if (!log)
            return log.error();
        if (Status taken = takeLog(*log, file, row); !taken)
            return taken.error();
    }
    return Ok{};
}

std::string_view firstLine(std::string_view text) {
    return text.substr(0, text.find('\n'));
}

// What a log without arguments says of its run, beside what those of another say.
Status checkPair(const OwnLog& rest, const OwnLog& arguments) {
    const Result<RunRow> row = runOfArguments(arguments.log, arguments.file);
    if (!row)
        return row.error();
    for (const auto& [what, printed, argued] :
         {std::tuple("global batch size", rest.log.globalBatch, row->gbs),
          std::tuple("world size", rest.log.worldSize, row->nGpus)})
        if (printed && argued && *printed != *argued)
            return badInput(
                "log.pair", rest.file,
                {"has a {what} of {printed}, and {file} lists {argued}: they are not of one run",
                 {{"what", what}, {"printed", *printed}, {"file", arguments.file}, {"argued", *argued}}});
    return Ok{};
}

bool isDocumentLine(std::string_view line) {
    return line.starts_with('{') || line.starts_with('[');
}

// A table that lacks the first column is told so, and not that it is no log.
bool isMeantAsTable(std::string_view text) {
    constexpr auto kCommas = 10; // of the 45 that a table has; a log has no such line but of its steps
    const std::string_view line = trimmed(firstLine(text));
    return isRunTable(text) ||
           (!isDocumentLine(line) && std::ranges::count(line, ',') >= kCommas && trainerOfLog(text).empty());
}

} // namespace

bool isRunTable(std::string_view text) {
    const std::string_view line = trimmed(firstLine(text));
    if (isDocumentLine(line)) // which may hold the word
        return false;
    const std::vector<std::string_view> cells = partsOf(line, ',');
    return std::ranges::any_of(cells, [](std::string_view cell) {
        cell = trimmed(cell);
        return cell == "row_id" || cell == "\"row_id\"" || cell == "\xEF\xBB\xBFrow_id";
    });
}

Status joinRanks(std::vector<OwnLog>& logs) {
    const bool bare = std::ranges::any_of(logs, [](const OwnLog& own) {
        return !own.log.arguments.empty() && own.log.steps.empty() && !own.log.outOfMemory;
    });
    const auto lists = [bare](const OwnLog& own) {
        return !own.log.arguments.empty() && own.log.steps.empty() && !(bare && own.log.outOfMemory);
    };
    const auto goesOn = [](const OwnLog& own) {
        return own.log.arguments.empty() &&
               (own.log.trainer == kListsArguments || (own.log.steps.empty() && own.log.outOfMemory));
    };
    const auto from = std::ranges::find_if(logs, lists), to = std::ranges::find_if(logs, goesOn);
    if (from == logs.end() || to == logs.end())
        return Ok{};
    if (std::ranges::count_if(logs, lists) > 1 || std::ranges::count_if(logs, goesOn) > 1)
        return badInput("log.pair", from->file,
                        "lists the arguments of a run of which another log has the rest, and there are "
                        "several such logs: load the two of one run alone");
    if (from->log.outOfMemory && !to->log.steps.empty()) // of one run, or of the next that was tried
        return badInput(
            "log.pair", to->file,
            {"has the steps of a run, and {file} the arguments of one that ran out of memory: load "
             "{file} alone for that one, and this log with the arguments of its own",
             {{"file", from->file}}});
    if (Status alike = checkPair(*to, *from); !alike)
        return alike;
    to->argumentsOf = std::move(from->file);
    to->log.arguments = std::move(from->log.arguments);
    to->log.outOfMemory = to->log.outOfMemory || from->log.outOfMemory;
    const double peak = from->log.peakGib.value_or(0.0), own = to->log.peakGib.value_or(0.0); // GiB
    if (peak > own && (own == 0.0 || to->log.peakDefinition == from->log.peakDefinition)) {
        to->log.peakGib = from->log.peakGib;
        to->log.peakDefinition = from->log.peakDefinition;
    }
    logs.erase(from);
    return Ok{};
}

Result<RunRow> loggedRun(const OwnLog& own, const LoggedMachine& machine) {
    if (Status told = checkSteps(own.log, own.file); !told)
        return told.error();
    Result<RunRow> row = runOfArguments(own.log, own.file);
    if (!row)
        return row.error();
    row->gpu = machine.gpu;
    row->network = machine.network;
    if (machine.gpusPerNode > 0)
        row->gpusPerNode = machine.gpusPerNode;
    if (Status taken = takeLog(own.log, own.file, *row); !taken)
        return taken.error();
    return row;
}

Result<std::vector<RunRow>> readOwnRuns(const std::vector<std::string>& files, const LoggedMachine& machine,
                                        Diagnostics& notes) {
    std::vector<OwnLog> logs;
    for (const std::string& file : files) {
        const Result<std::string> text = readFile(file);
        if (!text)
            return text.error();
        if (isMeantAsTable(*text)) {
            if (files.size() != 1)
                return badInput("runs.mixed", file, "is a table of runs, and is read alone");
            Result<std::vector<RunRow>> table = readRuns(*text, file, &notes);
            if (!table)
                return table.error();
            if (Status taken = takeLogs(*table, file); !taken)
                return taken.error();
            return table;
        }
        logs.push_back({file, scanTrainingLog(*text)});
    }
    if (Status joined = joinRanks(logs); !joined)
        return joined.error();
    std::vector<RunRow> rows;
    for (const OwnLog& own : logs) {
        Result<RunRow> row = loggedRun(own, machine);
        if (!row)
            return row.error();
        rows.push_back(*std::move(row));
    }
    if (!rows.empty() && machine.gpu.empty())
        return badInput("runs.gpu", "", "no log says on which GPUs it ran{?: --gpu NAME}");
    return rows;
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/own_runs.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/calibrate/training_log.h"

#include <algorithm>
#include <filesystem>

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

Result<RunRow> loggedRun(std::string_view text, const std::string& file, const LoggedMachine& machine) {
    const Result<TrainingLog> log = readTrainingLog(text, file);
    if (!log)
        return log.error();
    Result<RunRow> row = runOfArguments(*log, file);
    if (!row)
        return row.error();
    row->gpu = machine.gpu;
    row->network = machine.network;
    if (machine.gpusPerNode > 0)
        row->gpusPerNode = machine.gpusPerNode;
    if (Status taken = takeLog(*log, file, *row); !taken)
        return taken.error();
    return row;
}

Result<std::vector<RunRow>> readOwnRuns(const std::vector<std::string>& files, const LoggedMachine& machine,
                                        Diagnostics& notes) {
    std::vector<RunRow> rows;
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
        Result<RunRow> row = loggedRun(*text, file, machine);
        if (!row)
            return row.error();
        rows.push_back(*std::move(row));
    }
    if (!rows.empty() && machine.gpu.empty())
        return badInput("runs.gpu", "", "no log says on which GPUs it ran{?: --gpu NAME}");
    return rows;
}

} // namespace pw

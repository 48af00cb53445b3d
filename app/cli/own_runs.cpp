// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/own_runs.h"

#include "app/cli/session.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/calibrate/training_log.h"

#include <filesystem>

namespace pw::cli {

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

// The columns that every table begins with stand in its first line.
bool isTable(std::string_view text) {
    return text.substr(0, text.find('\n')).find("row_id") != std::string_view::npos;
}

Result<RunRow> loggedRun(const std::string& text, const std::string& file, const LoggedMachine& machine) {
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

} // namespace

Result<std::vector<RunRow>> readOwnRuns(const std::vector<std::string>& files, const LoggedMachine& machine,
                                        Diagnostics& notes) {
    std::vector<RunRow> rows;
    for (const std::string& file : files) {
        const Result<std::string> text = readFile(file);
        if (!text)
            return text.error();
        if (isTable(*text)) {
            if (files.size() != 1)
                return usage("takes one table of your own runs, or their logs");
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
        if (machine.gpu.empty())
            return usage("no log says on which GPUs it ran: --gpu NAME");
        rows.push_back(*std::move(row));
    }
    return rows;
}

} // namespace pw::cli

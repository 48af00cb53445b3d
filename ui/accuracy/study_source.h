// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/calibrate/score.h"

#include <QString>

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace pw {

// A table of measured runs in the 46-column form, not yet read; or the user's own runs, which are.
struct RunTable {
    QString title; // "zero_bubble"
    QString path;  // of the first own file; messages name it
    std::string text;
    bool own = false;              // loaded by the user, not one that ships
    QString note = {};             // who measured it, for the tool tip
    std::string layers = {};       // layer times of the same machines (layer_table.h), "" = none
    std::vector<RunRow> rows = {}; // own ones
};
std::vector<RunTable> publishedRunTables(); // those that ship

// A table that was read and predicted. It has at least one row.
struct StudySource {
    QString title, path, note;
    bool own = false;
    std::vector<LayerTime> layers;
    std::vector<RunRow> rows;
    std::vector<RunPrediction> predictions; // one a row
    std::vector<bool> leftOut;              // by the user: not part of any figure
    std::vector<bool> counted;              // scoredRows() of those that are not left out
    SourceScore score;                      // of the rows that are not left out
};

// The table read, not yet predicted.
Result<StudySource> readTable(const RunTable& table);
// Of its rows, in their order; fewer once a stop was asked for. `done` is told of as many rows from time to
// time, in this thread.
std::vector<RunPrediction> predictInChunks(const StudySource& source, const std::stop_token& stop,
                                           const std::function<void(std::size_t)>& done);
void scoreSource(StudySource& source); // once predicted, and when rows are left out or taken back

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrate/layer_table.h"
#include "core/calibrate/run_table.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// Training runs that others have measured and published, shipped with the program: resources/measurements,
// one table a source, compiled in. Rows of quality A and B only. What a prediction is worth is said from
// them.
struct PublishedTable {
    std::string name;        // of the file, without its ending: "zero_bubble"
    std::string label;       // for people: "Zero bubble"
    std::string what;        // which runs these are, in half a line
    std::string title, url;  // where they were published
    std::string licence;     // what the figures were taken from
    std::string_view csv;    // in the 46-column form
    std::string_view layers; // measured layer times of the same machines (layer_table.h); "" = none
};

// In the order of resources/measurements/index.json.
std::span<const PublishedTable> publishedTables();
// Of one of these names.
const PublishedTable& publishedTable(std::string_view name);

struct PublishedRuns {
    std::vector<RunRow> rows;
    std::vector<LayerTime> layers; // to rest predictions of these rows on
};
// Reads a table; the shipped ones are sound, which a test holds.
Result<PublishedRuns> readPublished(const PublishedTable& table);

} // namespace pw

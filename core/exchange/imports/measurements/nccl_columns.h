// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// The line of column names over the rows of nccl-tests, whose releases differ in which columns there are. Two
// halves, out of place and in place, follow the columns that describe a row.
struct NcclColumns {
    // Which column has what; -1 = not there.
    struct Half {
        int time = -1, algbw = -1, busbw = -1, wrong = -1;
        bool deltas = false; // older releases print the largest difference in place of a count
    };
    std::vector<std::string> names;
    // Where the header's second "time" ends: trace replay leaves the first half blank.
    std::size_t secondEnds = 0;
    Half out, in;
    int common = 0; // columns in front of the halves
    bool redop = false;
};

// `line` begins with '#'; nothing if it is another comment.
std::optional<NcclColumns> ncclColumnsOf(std::string_view line);

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

namespace pw {

// What is wrong with the contents of a file names a part of it, "n1-s1" or "model.gbs". Where several files
// are read the file has to be named too: "cluster.json: n1-s1". Places that name it already stay as they are.
inline Error inFile(Error error, const std::string& file) {
    const auto name = [&file](std::string& where) {
        if (!file.empty() && !where.starts_with(file))
            where = where.empty() ? file : file + ": " + where;
    };
    name(error.where);
    for (Error& reason : error.reasons)
        name(reason.where);
    return error;
}

} // namespace pw

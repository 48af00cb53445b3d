// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"

#include <filesystem>
#include <functional>
#include <stop_token>

namespace pw {

// Reads a JSON document (plain or gzip) that is one object with a long list in it, without ever holding the
// list: every item of `list` is handed over as soon as it is complete and then dropped. The rules are those
// of parseJson: UTF-8, no duplicate keys, no NaN or overflow, nesting at most 128, syntax errors with
// file:line:column and the offset in the uncompressed text. The rest of the document, without the list, comes
// back; it is held to 64 MiB like every document that is read whole.
struct JsonItems {
    // Takes one item; its places count from the document's root ("trace.json#/traceEvents/17/dur"). Mistakes
    // that the reader records are collected, 20 at most; an error that is returned ends the reading.
    std::function<Status(const JsonReader& item)> take;
    std::stop_token stop;                       // ends it with "stopped"
    std::function<void(double share)> progress; // of the file, now and then; may be empty
};
Result<Json> readJsonItems(const std::filesystem::path& path, const std::string& list,
                           const JsonItems& items);

} // namespace pw

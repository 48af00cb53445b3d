// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

#include <filesystem>

namespace pw {

// One row an importer: name on the command line, what people call it, recognition by content. An importer
// either takes the text of the whole file, decoded (core/base/text.h: no byte order mark, LF), or reads the
// file itself through a ByteStream; the other pointer is null. The latter recognises its files by their
// first 64 KiB, uncompressed.
struct ImporterRow {
    const char* kind;
    const char* label;
    const char* fileFilter; // "config.json"
    bool (*recognise)(std::string_view text, const std::filesystem::path& path);
    Result<Imported> (*import)(std::string_view text, const std::filesystem::path& path,
                               const ImportHints& hints);
    Result<Imported> (*stream)(const std::filesystem::path& path, const ImportHints& hints) = nullptr;
};
const std::vector<ImporterRow>& importerTable();

// The importer that knows the file by its content; null if none does.
Result<const ImporterRow*> recogniseFile(const std::filesystem::path& path);

// What a person sees in a text that is not of the kind that is asked for: "is a training log of torchtitan",
// "looks like CSV that begins with ...", "is JSON with the keys ...".
std::string looksLike(const std::string& text);

// Reads the file with the named importer, or with the one that recognises it.
Result<Imported> importFile(const std::filesystem::path& path, std::string_view kind,
                            const ImportHints& hints);

// `--model`: a Pipewright model or a Hugging Face config.json, recognised by content. `notes` gets the
// keys of a Pipewright model that are not known; a configuration has many that are none of ours.
Result<Model> readModelFile(const std::filesystem::path& path, Diagnostics* notes = nullptr);

} // namespace pw

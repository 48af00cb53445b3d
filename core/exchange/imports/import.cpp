// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/import.h"

#include "core/exchange/imports/hf_config.h"
#include "core/exchange/imports/sailor.h"
#include "core/exchange/imports/source.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pw {

const std::vector<ImporterRow>& importerTable() {
    static const std::vector<ImporterRow> table = {
        {"hf-config", "Hugging Face model configuration", "config.json", recogniseHfConfig, importHfConfig},
        {"sailor", "Sailor layer profile", "profile.json", recogniseSailor, importSailor},
    };
    return table;
}

Result<Imported> importFile(const std::filesystem::path& path, std::string_view kind,
                            const ImportHints& hints) {
    std::string known;
    for (const ImporterRow& row : importerTable())
        known += (known.empty() ? "" : ", ") + std::string(row.kind);
    const auto& table = importerTable();
    const auto named = [&](const ImporterRow& row) { return row.kind == kind; };
    if (!kind.empty() && std::none_of(table.begin(), table.end(), named))
        return badInput("import.kind", std::string(kind),
                        fmt::format("is no kind of import; known are {}", known));

    const Result<std::string> head = readHead(path);
    if (!head)
        return head.error();
    const auto streamed = std::find_if(table.begin(), table.end(), [&](const ImporterRow& r) {
        return r.stream != nullptr && (kind.empty() ? r.recognise(*head, path) : named(r));
    });
    if (streamed != table.end())
        return streamed->stream(path, hints);
    const Result<std::string> text = readText(path);
    if (!text)
        return text.error();
    const auto row = std::find_if(table.begin(), table.end(), [&](const ImporterRow& r) {
        return r.stream == nullptr && (kind.empty() ? r.recognise(*text, path) : named(r));
    });
    if (row == table.end())
        return badInput(
            "import.unrecognised", path.string(),
            fmt::format("is of no kind that can be imported ({}); name the kind if it is one", known));
    return row->import(*text, path, hints);
}

Result<Model> readModelFile(const std::filesystem::path& path, Diagnostics* notes) {
    const Result<std::string> text = readText(path);
    if (!text)
        return text.error();
    const Result<Json> document = parseJson(*text, path.string());
    if (!document)
        return document.error();
    const JsonReader reader(*document, path.string());
    if (reader.has("schema")) {
        Result<Model> model = modelFromJson(reader);
        if (model && notes != nullptr)
            append(*notes, reader.unread());
        return model;
    }
    Result<Imported> imported = importHfConfig(*text, path, {});
    if (!imported)
        return imported.error();
    return std::get<Model>(std::move(imported->what));
}

} // namespace pw

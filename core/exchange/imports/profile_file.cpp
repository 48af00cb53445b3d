// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/profile_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pw {

namespace {

constexpr const char* kSchema = "pipewright-profiles-1";

} // namespace

std::string printProfiles(const std::vector<ProfileRow>& rows) {
    Json list = Json::array();
    for (const ProfileRow& row : rows)
        list.push_back(toJson(row));
    return printJson(Json{{"schema", kSchema}, {"rows", std::move(list)}});
}

bool recogniseProfileFile(std::string_view text, const std::filesystem::path&) {
    return text.find(std::string("\"") + kSchema + "\"") != std::string_view::npos;
}

Result<Imported> importProfileFile(std::string_view text, const std::filesystem::path& path,
                                   const ImportHints&) {
    Result<std::vector<ProfileRow>> rows = readProfiles(text, path.string());
    if (!rows)
        return rows.error();
    std::string summary = fmt::format("{} measured points", rows->size());
    return Imported{"pipewright-profiles", std::move(summary), {}, *std::move(rows)};
}

Result<std::vector<ProfileRow>> readProfiles(std::string_view text, const std::string& file) {
    const Result<Json> document = parseJson(text, file);
    if (!document)
        return document.error();
    const JsonReader reader(*document, file);
    if (const std::string schema = reader.text("schema"); schema != kSchema)
        reader.fail("profiles.schema", reader.where("schema"),
                    "\"" + schema + "\"; expected \"" + kSchema + "\"");
    std::vector<ProfileRow> rows;
    for (const JsonReader& item : reader.array("rows")) {
        Result<ProfileRow> row = profileRowFromJson(item);
        if (!row)
            return row.error();
        rows.push_back(*std::move(row));
    }
    if (Status status = reader.status(); !status)
        return status.error();
    return rows;
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/measurements/profile_file.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/exchange/imports/measurements/other_model.h"
#include "core/exchange/imports/measurements/profile_columns.h"
#include "core/formats/csv.h"
#include "core/formats/json_items.h"
#include "core/formats/source.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <variant>

namespace pw {

namespace {

constexpr const char* kSchema = "pipewright-profiles-1";
constexpr std::size_t kPiece = 256 * 1024;

// Rows from records of a CSV file, whose head may give the columns in any order.
class CsvRows {
public:
    CsvRows(const std::string& file, const std::function<Status(const ProfileRow&)>& take)
        : m_faults(file), m_take(take) {}

    // Whole records. The error of `take` or of the syntax ends the reading, and so do too many faults.
    Status add(std::string_view text, int firstLine) {
        const auto records = parseCsv(text, m_faults.file(), firstLine);
        if (!records)
            return records.error();
        for (const CsvRecord& record : *records) {
            if (m_columns.empty()) {
                readHead(record);
                if (!m_faults.empty())
                    return m_faults.status();
                continue;
            }
            const ProfileRow row = readRow(record);
            if (m_count >= kMostFaults)
                return m_faults.status();
            if (!m_faults.empty())
                continue; // further mistakes are looked for, but nothing is taken any more
            if (Status taken = m_take(row); !taken)
                return taken;
        }
        return Ok{};
    }

    Status status() const { return m_faults.status(); }

private:
    void fault(const CsvCell& cell, Wording wording) {
        ++m_count;
        m_faults.add("profiles.csv", m_faults.where(cell.line, cell.column), std::move(wording));
    }

    void readHead(const CsvRecord& record) {
        for (const CsvCell& cell : record) {
            const auto known = std::find_if(profileColumns().begin(), profileColumns().end(),
                                            [&](const ProfileColumn& c) { return cell.text == c.name; });
            if (known == profileColumns().end())
                fault(cell, {"\"{text}\" is no column of a profile; expected some of {columns}",
                             {{"text", cell.text}, {"columns", profileCsvHead()}}});
            else if (std::find(m_columns.begin(), m_columns.end(), &*known) != m_columns.end())
                fault(cell, {"the column \"{text}\" is there twice", {{"text", cell.text}}});
            else
                m_columns.push_back(&*known);
        }
        for (const ProfileColumn& column : profileColumns())
            if (column.needed && std::find(m_columns.begin(), m_columns.end(), &column) == m_columns.end())
                fault(record.front(), {"the column \"{name}\" is missing", {{"name", column.name}}});
    }

    ProfileRow readRow(const CsvRecord& record) {
        ProfileRow row;
        const std::size_t before = m_count;
        if (record.size() != m_columns.size())
            fault(record.front(), {"has {found} columns; the head has {columns}",
                                   {{"found", record.size()}, {"columns", m_columns.size()}}});
        else
            for (std::size_t i = 0; i < record.size(); ++i)
                if (const std::string expected = setProfileCell(row, m_columns[i]->field, record[i].text);
                    !expected.empty())
                    fault(record[i],
                          {"{name} is \"{text}\"; expected {expected}",
                           {{"name", m_columns[i]->name}, {"text", record[i].text}, {"expected", expected}}});
        if (m_count == before)
            if (const std::string problem = rowProblem(row); !problem.empty())
                fault(record.front(), {"the row {problem}", {{"problem", problem}}});
        return row;
    }

    TextFaults m_faults;
    std::size_t m_count = 0;
    const std::function<Status(const ProfileRow&)>& m_take;
    std::vector<const ProfileColumn*> m_columns; // of the file
};

// Behind the last line end outside quotes; 0 if there is none.
std::size_t wholeRecords(std::string_view text) {
    std::size_t end = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        quoted = quoted != (text[i] == '"');
        if (text[i] == '\n' && !quoted)
            end = i + 1;
    }
    return end;
}

Status eachCsvProfile(const std::filesystem::path& path, const std::function<Status(const ProfileRow&)>& take,
                      const std::stop_token& stop) {
    Result<ByteStream> stream = ByteStream::open(path);
    if (!stream)
        return stream.error();
    CsvRows rows(path.string(), take);
    std::string text;
    int line = 1;
    while (true) {
        if (stop.stop_requested())
            return stopped("stopped", "stopped before the file was read");
        const std::size_t filled = text.size();
        if (filled > kWholeFileLimit)
            return badInput("file.size", fmt::format("{}:{}", path.string(), line),
                            "has a record larger than a whole file may be; is a quote not closed?");
        text.resize(filled + kPiece);
        const Result<std::size_t> got = stream->read(std::span(text).subspan(filled));
        if (!got)
            return got.error();
        text.resize(filled + *got);
        const std::size_t whole = *got == 0 ? text.size() : wholeRecords(text);
        const std::string_view piece = std::string_view(text).substr(0, whole);
        if (Status sound = checkEncoding(piece, path.string()); !sound)
            return sound;
        if (Status added = rows.add(piece, line); !added)
            return added;
        line += static_cast<int>(std::count(piece.begin(), piece.end(), '\n'));
        text.erase(0, whole);
        if (*got == 0)
            return rows.status();
    }
}

// A row that is as printProfile writes it, without a reader's bookkeeping, which would take as long as all
// the rest; nothing if anything about it is unusual, which the reader then finds words for.
std::optional<ProfileRow> plainRow(const Json& item) {
    if (!item.is_object())
        return std::nullopt;
    ProfileRow row;
    std::ptrdiff_t needed = 0;
    auto next = profileColumnsByName().begin();
    for (auto member = item.begin(); member != item.end(); ++member) {
        const std::string& name = member.key();
        next = std::find_if(next, profileColumnsByName().end(),
                            [&](const ProfileColumn* c) { return name == c->name; });
        if (next == profileColumnsByName().end())
            return std::nullopt;
        const ProfileColumn* column = *next++;
        const bool plain = std::visit(
            [&](auto field) {
                auto& value = row.*field;
                using T = std::decay_t<decltype(value)>;
                if constexpr (std::is_same_v<T, std::string>) {
                    if (member->is_string())
                        value = member->template get_ref<const std::string&>();
                    return member->is_string();
                } else if constexpr (kIsProfileCount<T>) {
                    const auto count =
                        member->is_number_integer() ? member->template get<std::int64_t>() : -1;
                    value = static_cast<T>(count);
                    return count >= 0 && count <= kMostProfileCount<T>;
                } else {
                    if (member->is_number())
                        value = T(member->template get<double>());
                    return member->is_number();
                }
            },
            column->field);
        if (!plain)
            return std::nullopt;
        needed += column->needed ? 1 : 0;
    }
    static const auto all = std::ranges::count_if(profileColumns(), &ProfileColumn::needed);
    return needed == all && rowProblem(row).empty() ? std::optional(std::move(row)) : std::nullopt;
}

Status eachJsonProfile(const std::filesystem::path& path,
                       const std::function<Status(const ProfileRow&)>& take, const std::stop_token& stop) {
    bool faulty = false;
    JsonItems items;
    items.stop = stop;
    items.take = [&](const JsonReader& item) -> Status {
        if (const std::optional<ProfileRow> plain = faulty ? std::nullopt : plainRow(item.value()))
            return take(*plain);
        const Result<ProfileRow> row = profileRowFromJson(item);
        faulty = faulty || !row; // recorded by the reader; from here on nothing is taken
        return row && !faulty ? take(*row) : Status(Ok{});
    };
    const Result<Json> rest = readJsonItems(path, "rows", items);
    if (!rest)
        return rest.error();
    const JsonReader reader(*rest, path.string());
    if (const std::string schema = reader.text("schema"); schema != kSchema)
        reader.fail(
            "profiles.schema", reader.where("schema"),
            {"is \"{schema}\"; expected \"{expected}\"", {{"schema", schema}, {"expected", kSchema}}});
    return reader.status();
}

bool isCsv(std::string_view head) {
    const std::string_view line = head.substr(0, head.find_first_of("\r\n"));
    const auto has = [&](std::string_view name) {
        const std::vector<std::string_view> cells = partsOf(line, ',');
        return std::find(cells.begin(), cells.end(), name) != cells.end();
    };
    return has("model") && has("kind") && has("layer") && has("forward_s");
}

} // namespace

std::string profileFileHead(ProfileFormat format) {
    return format == ProfileFormat::Table ? profileCsvHead() + "\n" : std::string("{\n  \"rows\": [");
}

std::string printProfile(const ProfileRow& row, ProfileFormat format) {
    if (format == ProfileFormat::Document)
        return "\n    " + toJson(row).dump();
    std::string line;
    for (const ProfileColumn& column : profileColumns())
        line += (&column == profileColumns().data() ? "" : ",") + profileCellText(row, column.field);
    return line + "\n";
}

const char* profileFileSeparator(ProfileFormat format) {
    return format == ProfileFormat::Table ? "" : ",";
}

std::string profileFileEnd(ProfileFormat format) {
    return format == ProfileFormat::Table ? "" : fmt::format("\n  ],\n  \"schema\": \"{}\"\n}}\n", kSchema);
}

std::string printProfiles(const std::vector<ProfileRow>& rows, ProfileFormat format) {
    std::string text = profileFileHead(format);
    for (std::size_t i = 0; i < rows.size(); ++i)
        text += (i == 0 ? "" : profileFileSeparator(format)) + printProfile(rows[i], format);
    return text + profileFileEnd(format);
}

bool recogniseProfileFile(std::string_view head, const std::filesystem::path&) {
    return isCsv(head) ||
           (head.find("\"rows\"") != std::string_view::npos &&
            head.find("\"forward_s\"") != std::string_view::npos) ||
           head.find(std::string("\"") + kSchema + "\"") != std::string_view::npos;
}

Status eachProfile(const std::filesystem::path& path, const std::function<Status(const ProfileRow&)>& take,
                   const std::stop_token& stop) {
    const Result<std::string> head = readHead(path);
    if (!head)
        return head.error();
    const std::string file = pathText(path.filename());
    ProfileRow named;
    const auto takeNamed = [&](const ProfileRow& row) -> Status {
        if (!row.source.empty())
            return take(row);
        named = row;
        named.source = file;
        return take(named);
    };
    return isCsv(*head) ? eachCsvProfile(path, takeNamed, stop) : eachJsonProfile(path, takeNamed, stop);
}

Result<Imported> importProfileFile(const std::filesystem::path& path, const ImportHints& hints) {
    std::vector<ProfileRow> rows;
    const auto keep = [&](const ProfileRow& row) -> Status {
        rows.push_back(row);
        return Ok{};
    };
    const Status read = eachProfile(path, keep, hints.stop);
    if (!read)
        return read.error();
    Imported imported;
    if (hints.measuresModel && hints.model != nullptr &&
        std::ranges::none_of(
            rows, [&](const ProfileRow& row) { return sameModelName(row.model, hints.model->name); })) {
        const std::string named = rows.empty() ? "" : rows.front().model;
        Result<std::vector<ProfileRow>> taken = rowsOfModel(std::move(rows), *hints.model, path.string());
        if (!taken)
            return taken.error();
        rows = *std::move(taken);
        imported.notes.push_back({Severity::Note,
                                  "profiles.other_model",
                                  path.string(),
                                  {"Rows that name {named} count as measured of {model}, as was stated",
                                   {{"named", named}, {"model", hints.model->name}}}});
    }
    imported.kind = kProfileFileKind;
    imported.summary = fmt::format("{} measured points", rows.size());
    imported.what = std::move(rows);
    return imported;
}

} // namespace pw

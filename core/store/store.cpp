// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/store.h"

#include "core/store/schema.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <fmt/format.h>
#include <sqlite3.h>

#include <cmath>
#include <filesystem>
#include <set>
#include <system_error>

namespace pw {

namespace {

constexpr int kBusyTimeoutMs = 5000;

Error storeError(const std::string& path, const char* code, std::string message) {
    return failure(code, path, std::move(message));
}

// What SQLite's result codes mean to the owner of the file.
Error translate(const std::string& path, const SQLite::Exception& error) {
    switch (error.getErrorCode() & 0xFF) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return storeError(
            path, "store.corrupt",
            fmt::format("is damaged or no SQLite database and was left as it is ({})", error.what()));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return storeError(path, "store.locked",
                          fmt::format("is in use by another program ({} s waited)", kBusyTimeoutMs / 1000));
    case SQLITE_READONLY:
        return storeError(path, "store.read_only", "is write-protected");
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return storeError(path, "store.open", fmt::format("cannot be opened ({})", error.what()));
    case SQLITE_FULL:
        return storeError(path, "store.full", "cannot grow: the disk is full");
    default:
        return storeError(path, "store.failed", error.what());
    }
}

// The pragma's rows other than "ok", at most 20.
std::vector<std::string> integrityProblems(SQLite::Database& database, const char* pragma) {
    std::vector<std::string> problems;
    SQLite::Statement query(database, fmt::format("PRAGMA {}(20)", pragma));
    while (query.executeStep())
        if (const std::string line = query.getColumn(0).getString(); line != "ok")
            problems.push_back(line);
    return problems;
}

// Refuses what must not be touched: other programs' databases, newer versions, damage.
Status inspect(SQLite::Database& database, const std::string& path, bool mayCreate) {
    const int version = database.execAndGet("PRAGMA user_version").getInt();
    const int application = database.execAndGet("PRAGMA application_id").getInt();
    const bool empty = database.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0;
    if (empty && version == 0) {
        if (mayCreate)
            return Ok{};
        return storeError(path, "store.empty", "is an empty database without measurements");
    }
    if (application != kStoreApplicationId)
        return storeError(path, "store.foreign", "is a database of another program");
    if (version > storeVersion())
        return storeError(path, "store.newer",
                          fmt::format("has version {}, this program reads up to {}: use a newer Pipewright",
                                      version, storeVersion()));
    if (std::vector<std::string> problems = integrityProblems(database, "quick_check"); !problems.empty()) {
        Error error = storeError(path, "store.corrupt", "is damaged and was left as it is");
        error.reasons = std::move(problems);
        return error;
    }
    return Ok{};
}

Status checkRow(const std::string& path, const ProfileRow& row, std::size_t index) {
    const auto time = [](Seconds s) { return std::isfinite(s.value) && s.value >= 0; };
    const bool good = time(row.forward) && time(row.backward) && time(row.update) &&
                      std::isfinite(row.memory.value) && row.memory.value >= 0 && row.layer >= 0 &&
                      row.tp >= 1 && row.mbs >= 1 && row.seq >= 0 && !row.model.empty() &&
                      !row.kind.empty() && !row.source.empty();
    if (good)
        return Ok{};
    return badInput("store.row", path,
                    fmt::format("measurement {} ({} layer {} on {}) is incomplete or not a finite number",
                                index + 1, row.model, row.layer, row.kind));
}

} // namespace

struct ProfileStore::Private {
    std::string path;
    // SQLite connections are not const-correct: reading steps the connection too.
    mutable SQLite::Database database;
};

ProfileStore::ProfileStore(std::unique_ptr<Private> p) : m_p(std::move(p)) {}
ProfileStore::~ProfileStore() = default;
ProfileStore::ProfileStore(ProfileStore&&) noexcept = default;
ProfileStore& ProfileStore::operator=(ProfileStore&&) noexcept = default;

Result<ProfileStore> ProfileStore::open(const std::filesystem::path& path, Mode mode) {
    const std::string file = path.string();
    std::error_code ignored;
    const bool exists = std::filesystem::exists(path, ignored);
    if (mode == Mode::ReadOnly && !exists)
        return badInput("store.missing", file, "there is no such profile database");
    if (exists && !std::filesystem::is_regular_file(path, ignored))
        return badInput("store.open", file, "is not a file");
    try {
        const int flags =
            mode == Mode::ReadOnly ? SQLite::OPEN_READONLY : SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE;
        auto p = std::unique_ptr<Private>(new Private{file, SQLite::Database(file, flags, kBusyTimeoutMs)});
        SQLite::Database& database = p->database;
        if (Status s = inspect(database, file, mode == Mode::ReadWrite); !s)
            return s.error();
        database.exec("PRAGMA foreign_keys = ON");
        if (mode == Mode::ReadWrite) {
            database.exec("PRAGMA journal_mode = WAL");
            database.exec(
                "PRAGMA synchronous = FULL"); // a measurement once reported as stored survives a power cut
            migrateStore(database);
        }
        return ProfileStore(std::move(p));
    } catch (const SQLite::Exception& error) {
        return translate(file, error);
    }
}

Result<std::vector<ProfileStore::SourceRow>> ProfileStore::sources() const {
    try {
        SQLite::Statement query(
            m_p->database, "SELECT name, model, licence, date, kind, count(*) FROM source JOIN measurement "
                           "ON source_id = id GROUP BY id, kind ORDER BY name, model, date, licence, kind");
        std::vector<SourceRow> list;
        while (query.executeStep()) {
            SourceRow row{query.getColumn(0).getString(),
                          query.getColumn(1).getString(),
                          query.getColumn(2).getString(),
                          query.getColumn(3).getString(),
                          {},
                          0};
            const bool same = !list.empty() && list.back().source == row.source &&
                              list.back().model == row.model && list.back().licence == row.licence &&
                              list.back().date == row.date;
            if (!same)
                list.push_back(std::move(row));
            list.back().kinds.push_back(query.getColumn(4).getString());
            list.back().rows += query.getColumn(5).getInt();
        }
        return list;
    } catch (const SQLite::Exception& error) {
        return translate(m_p->path, error);
    }
}

Result<std::vector<ProfileRow>> ProfileStore::rows(std::string_view model, std::string_view source) const {
    try {
        SQLite::Statement query(
            m_p->database,
            "SELECT model, kind, layer, tp, mbs, seq, precision, forward_s, backward_s, update_s, "
            "memory_bytes, name, licence, date FROM source JOIN measurement ON source_id = id "
            "WHERE (?1 = '' OR model = ?1) AND (?2 = '' OR name = ?2) "
            "ORDER BY model, date, name, licence, kind, layer, tp, mbs, seq, precision");
        query.bind(1, std::string(model));
        query.bind(2, std::string(source));
        std::vector<ProfileRow> list;
        while (query.executeStep()) {
            ProfileRow row;
            row.model = query.getColumn(0).getString();
            row.kind = query.getColumn(1).getString();
            row.layer = query.getColumn(2).getInt();
            row.tp = query.getColumn(3).getInt();
            row.mbs = query.getColumn(4).getInt();
            row.seq = query.getColumn(5).getInt64();
            row.precision = query.getColumn(6).getString();
            row.forward = Seconds(query.getColumn(7).getDouble());
            row.backward = Seconds(query.getColumn(8).getDouble());
            row.update = Seconds(query.getColumn(9).getDouble());
            row.memory = Bytes(query.getColumn(10).getDouble());
            row.source = query.getColumn(11).getString();
            row.licence = query.getColumn(12).getString();
            row.date = query.getColumn(13).getString();
            list.push_back(std::move(row));
        }
        return list;
    } catch (const SQLite::Exception& error) {
        return translate(m_p->path, error);
    }
}

Result<int> ProfileStore::add(const std::vector<ProfileRow>& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (Status s = checkRow(m_p->path, rows[i], i); !s)
            return s.error();
    try {
        SQLite::Database& database = m_p->database;
        SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
        SQLite::Statement addSource(
            database, "INSERT OR IGNORE INTO source (name, model, licence, date) VALUES (?, ?, ?, ?)");
        SQLite::Statement drop(database,
                               "DELETE FROM measurement WHERE source_id IN (SELECT id FROM source WHERE "
                               "name = ? AND model = ?) AND kind = ? AND layer = ? AND tp = ? AND mbs = ? "
                               "AND seq = ? AND precision = ?");
        SQLite::Statement add(database,
                              "INSERT INTO measurement SELECT id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM source "
                              "WHERE name = ? AND model = ? AND licence = ? AND date = ?");
        for (const ProfileRow& row : rows) {
            const auto run = [](SQLite::Statement& statement, const auto&... values) {
                int index = 0;
                (statement.bind(++index, values), ...);
                statement.exec();
                statement.reset();
            };
            run(addSource, row.source, row.model, row.licence, row.date);
            run(drop, row.source, row.model, row.kind, row.layer, row.tp, row.mbs, row.seq, row.precision);
            run(add, row.kind, row.layer, row.tp, row.mbs, row.seq, row.precision, row.forward.value,
                row.backward.value, row.update.value, row.memory.value, row.source, row.model, row.licence,
                row.date);
        }
        database.exec("DELETE FROM source WHERE id NOT IN (SELECT source_id FROM measurement)");
        transaction.commit();
        return static_cast<int>(rows.size());
    } catch (const SQLite::Exception& error) {
        return translate(m_p->path, error);
    }
}

Result<int> ProfileStore::remove(std::string_view source) {
    try {
        SQLite::Database& database = m_p->database;
        SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
        SQLite::Statement drop(
            database, "DELETE FROM measurement WHERE source_id IN (SELECT id FROM source WHERE name = ?)");
        drop.bind(1, std::string(source));
        const int removed = drop.exec();
        database.exec("DELETE FROM source WHERE id NOT IN (SELECT source_id FROM measurement)");
        transaction.commit();
        return removed;
    } catch (const SQLite::Exception& error) {
        return translate(m_p->path, error);
    }
}

Status ProfileStore::check() const {
    try {
        SQLite::Database& database = m_p->database;
        std::vector<std::string> problems = integrityProblems(database, "integrity_check");
        SQLite::Statement orphans(database, "PRAGMA foreign_key_check");
        while (orphans.executeStep())
            problems.push_back(fmt::format("table {} refers to a missing row of {}",
                                           orphans.getColumn(0).getString(),
                                           orphans.getColumn(2).getString()));
        if (problems.empty())
            return Ok{};
        Error error = storeError(m_p->path, "store.corrupt", "is damaged");
        error.reasons = std::move(problems);
        return error;
    } catch (const SQLite::Exception& error) {
        return translate(m_p->path, error);
    }
}

} // namespace pw

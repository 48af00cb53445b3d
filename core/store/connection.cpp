// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/connection.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/store/journal.h"
#include "core/store/schema.h"

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <fmt/format.h>
#include <sqlite3.h>

#include <filesystem>
#include <system_error>

namespace pw {

namespace {

constexpr int kAgainMs = 10;

// Opens for reading. A database in WAL mode keeps its index beside itself, which cannot be made on a
// write-protected disk; with no log there, the file is all there is and nobody can be writing to it.
SQLite::Database openForReading(const std::string& file, int patienceMs) {
    SQLite::Database database(file, SQLite::OPEN_READONLY, patienceMs);
    try {
        database.execAndGet("PRAGMA schema_version");
        return database;
    } catch (const SQLite::Exception& error) {
        std::error_code ignored;
        const auto log = std::filesystem::file_size(file + "-wal", ignored);
        const int code = error.getErrorCode() & 0xFF;
        if ((code != SQLITE_CANTOPEN && code != SQLITE_READONLY) || (!ignored && log > 0))
            throw;
    }
    std::string name = "file:";
    for (const char c : file)
        name += c == '?' || c == '#' || c == '%' ? fmt::format("%{:02x}", c) : std::string(1, c);
    return {name + "?immutable=1", SQLite::OPEN_READONLY | SQLite::OPEN_URI, patienceMs};
}

// What an older program wrote, brought up to date in memory: reading leaves the file as it is.
SQLite::Database migratedCopy(SQLite::Database& old) {
    SQLite::Database copy(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    SQLite::Backup(copy, old).executeStep();
    migrateStore(copy);
    return copy;
}

// Ready for rows, of this version; says where the file system has no write-ahead log.
std::optional<Diagnostic> prepareForWriting(SQLite::Database& database, const std::string& file) {
    std::optional<Diagnostic> journal;
    if (const std::string why = setJournal(database, fileSystemOf(file)); !why.empty())
        journal = Diagnostic(Severity::Warning, "store.journal", file,
                             {"{reason}: kept without a write-ahead log, so that readers and writers wait "
                              "for each other",
                              {{"reason", why}}});
    database.exec("PRAGMA cache_size = -131072"); // KiB: an import goes to and fro in its index
    // A measurement once reported as stored survives a power cut.
    database.exec("PRAGMA synchronous = FULL");
    migrateStore(database);
    database.exec("PRAGMA foreign_keys = ON");
    return journal;
}

} // namespace

Error storeError(const std::string& path, const SQLite::Exception& error, std::chrono::seconds patience) {
    const auto named = [&](const char* code, Wording wording) {
        return failure(code, path, std::move(wording));
    };
    switch (error.getErrorCode() & 0xFF) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return named("store.corrupt", {"is damaged or no SQLite database and was left as it is ({reason})",
                                       {{"reason", error.what()}}});
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return named("store.locked",
                     {"is in use by another program ({seconds} s waited)", {{"seconds", patience.count()}}});
    case SQLITE_READONLY:
        return named("store.read_only", "is write-protected");
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return named("store.open", {"cannot be opened ({reason})", {{"reason", error.what()}}});
    case SQLITE_FULL:
        return named("store.full", "cannot grow: the disk is full; it is as it was before");
    case SQLITE_IOERR:
        if (error.getExtendedErrorCode() == SQLITE_IOERR_WRITE) // a quota and a limit on files come as this
            return named("store.disk", {"cannot be written ({reason}); it is as it was before",
                                        {{"reason", error.what()}}});
        return named("store.disk", {"cannot be read or written ({reason})", {{"reason", error.what()}}});
    default:
        return named("store.failed", std::string(error.what()));
    }
}

std::string textAt(SQLite::Statement& row, int column) {
    return wellFormed(row.getColumn(column).getString());
}

void addIntegrityProblems(SQLite::Database& database, const char* pragma, Error& error) {
    SQLite::Statement query(database, fmt::format("PRAGMA {}(20)", pragma));
    while (query.executeStep())
        if (std::string line = query.getColumn(0).getString(); line != "ok")
            error.because(std::move(line));
}

Status inspectStore(SQLite::Database& database, const std::string& path, bool mayCreate) {
    SQLite::Transaction moment(database); // of reading; ends with its scope
    const int version = database.execAndGet("PRAGMA user_version").getInt();
    const int application = database.execAndGet("PRAGMA application_id").getInt();
    const bool empty = database.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0;
    if (empty && version == 0) {
        if (mayCreate)
            return Ok{};
        return failure("store.empty", path, "is an empty database without measurements");
    }
    if (application != kStoreApplicationId)
        return failure("store.foreign", path, "is a database of another program");
    if (version > storeVersion())
        return failure("store.newer", path,
                       {"has version {version}, this program reads up to {newest}: use a newer Pipewright",
                        {{"version", version}, {"newest", storeVersion()}}});
    Error damaged = failure("store.corrupt", path, "is damaged and was left as it is");
    addIntegrityProblems(database, "quick_check", damaged);
    if (!damaged.reasons.empty())
        return damaged;
    return Ok{};
}

Result<ProfileStore> ProfileStore::open(const std::filesystem::path& path, Mode mode,
                                        std::chrono::seconds patience) {
    const std::string file = path.string();
    std::error_code ignored;
    const bool exists = std::filesystem::exists(path, ignored);
    if (mode == Mode::ReadOnly && !exists)
        return badInput("store.missing", file, "there is no such profile database");
    if (exists && !std::filesystem::is_regular_file(path, ignored))
        return badInput("store.open", file, "is not a file");
    if (Status length = checkLength(path); !length)
        return length.error();
    const int patienceMs = static_cast<int>(std::chrono::milliseconds(patience).count());
    const auto attempt = [&]() -> Result<ProfileStore> {
        try {
            auto p = std::unique_ptr<Private>(new Private{
                file,
                mode == Mode::ReadOnly
                    ? openForReading(file, patienceMs)
                    : SQLite::Database(file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, patienceMs),
                patience,
                {}});
            SQLite::Database& database = p->database;
            if (Status s = inspectStore(database, file, mode == Mode::ReadWrite); !s)
                return s.error();
            if (mode == Mode::ReadWrite)
                p->journal = prepareForWriting(database, file);
            else if (database.execAndGet("PRAGMA user_version").getInt() < storeVersion())
                database = migratedCopy(database);
            return ProfileStore(std::move(p));
        } catch (const SQLite::Exception& error) {
            return storeError(file, error, patience);
        }
    };
    // SQLite waits for others by itself but while one of them changes the journal or, as the last to close,
    // folds it in: there it says busy at once.
    const double until = systemClock().steady() + std::chrono::duration<double>(patience).count();
    Result<ProfileStore> opened = attempt();
    while (!opened && opened.error().code == "store.locked" && systemClock().steady() < until) {
        sqlite3_sleep(kAgainMs);
        opened = attempt();
    }
    return opened;
}

} // namespace pw

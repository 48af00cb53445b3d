// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/connection.h"

#include "core/base/text.h"
#include "core/store/journal.h"
#include "core/store/schema.h"

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

namespace pw {

namespace {

constexpr double kAgain = 0.01; // s

SQLite::Database openFile(const std::string& file, int flags, Patience& patience) {
    SQLite::Database database(file, flags);
    patience.heed(database);
    return database;
}

// Opens for reading. A database in WAL mode keeps its index beside itself, which cannot be made on a
// write-protected disk; with no log there, the file is all there is and nobody can be writing to it.
SQLite::Database openReadOnly(const std::string& file, Patience& patience) {
    SQLite::Database database = openFile(file, SQLite::OPEN_READONLY, patience);
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
    return openFile(name + "?immutable=1", SQLite::OPEN_READONLY | SQLite::OPEN_URI, patience);
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

void Patience::heed(SQLite::Database& database) {
    sqlite3_busy_handler(database.getHandle(), tryAgain, this);
}

// Pauses as SQLite's own timeout does: 228 ms in twelve steps, then a tenth of a second each.
int Patience::tryAgain(void* patience, int before) {
    constexpr std::array kPauses{0.001, 0.002, 0.005, 0.010, 0.015, 0.020,
                                 0.025, 0.025, 0.025, 0.050, 0.050, 0.100};
    constexpr double kLeast = 0.001; // s
    Patience& self = *static_cast<Patience*>(patience);
    const double now = self.m_clock.steady();
    if (before == 0)
        self.m_since = now;
    const double left = static_cast<double>(self.m_most.count()) - (now - self.m_since);
    if (left < kLeast)
        return 0;
    self.m_clock.pause(
        std::min(kPauses[std::min(static_cast<std::size_t>(before), kPauses.size() - 1)], left));
    return 1;
}

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
        return named("store.failed", Wording::asIs(error.what()));
    }
}

// What an older version or another program has put in may be anything, and goes from here into tables.
std::string textAt(SQLite::Statement& row, int column) {
    std::string text = wellFormed(row.getColumn(column).getString());
    return isPrintable(text, kInText) ? text : printable(text, kInText);
}

void addIntegrityProblems(SQLite::Database& database, const char* pragma, Error& error) {
    SQLite::Statement query(database, fmt::format("PRAGMA {}(20)", pragma));
    while (query.executeStep())
        if (std::string line = query.getColumn(0).getString(); line != "ok")
            error.because(Wording::asIs(std::move(line)));
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
                                        std::chrono::seconds patience, const Clock& clock) {
    const std::string file = path.string();
    std::error_code ignored;
    const bool exists = std::filesystem::exists(path, ignored);
    if (mode == Mode::ReadOnly && !exists)
        return badInput("store.missing", file, "there is no such profile database");
    if (exists && !std::filesystem::is_regular_file(path, ignored))
        return badInput("store.open", file, "is not a file");
    if (Status length = checkLength(path); !length)
        return length.error();
    const auto attempt = [&]() -> Result<ProfileStore> {
        try {
            auto waits = std::make_unique<Patience>(patience, clock);
            SQLite::Database opened =
                mode == Mode::ReadOnly ? openReadOnly(file, *waits)
                                       : openFile(file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, *waits);
            auto p = std::unique_ptr<Private>(new Private{file, std::move(waits), std::move(opened), {}});
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
    const double until = clock.steady() + std::chrono::duration<double>(patience).count();
    Result<ProfileStore> opened = attempt();
    while (!opened && opened.error().code == "store.locked" && clock.steady() < until) {
        clock.pause(kAgain);
        opened = attempt();
    }
    return opened;
}

} // namespace pw

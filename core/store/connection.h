// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/store/store.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace pw {

// How long others are waited for. SQLite's own timeout sleeps by the machine's clock, which no test can move,
// so its connections ask here whether to try again.
class Patience {
public:
    Patience(std::chrono::seconds most, const Clock& clock) : m_most(most), m_clock(clock) {}
    void heed(SQLite::Database& database); // by which this is outlived
    std::chrono::seconds most() const { return m_most; }

private:
    static int tryAgain(void* patience, int before);

    std::chrono::seconds m_most;
    const Clock& m_clock;
    double m_since = 0.0; // s, when the lock that is waited for was met
};

// An open database and the name it goes by in messages. Inside core/store only.
struct ProfileStore::Private {
    std::string path;
    std::unique_ptr<Patience> patience; // before the database, which asks it
    // SQLite connections are not const-correct: reading steps the connection too.
    mutable SQLite::Database database;
    std::optional<Diagnostic> journal;
};

// A column as text of the program: what older versions or other programs have stored may be no UTF-8.
std::string textAt(SQLite::Statement& row, int column);

// What SQLite's result codes mean to the owner of the file.
Error storeError(const std::string& path, const SQLite::Exception& error, std::chrono::seconds patience);

inline Error storeError(const ProfileStore::Private& store, const SQLite::Exception& error) {
    return storeError(store.path, error, store.patience->most());
}

// Refuses what must not be touched: other programs' databases, newer versions, damage. An empty database is
// good only for one who `mayCreate`. All of it is read at one moment: another program may be creating it.
Status inspectStore(SQLite::Database& database, const std::string& path, bool mayCreate);

// Sources of which nothing is left.
inline constexpr const char* kDropEmptySources =
    "DELETE FROM source WHERE NOT EXISTS (SELECT 1 FROM measurement WHERE source_id = source.id) "
    "AND NOT EXISTS (SELECT 1 FROM link_run WHERE source_id = source.id)";

// The rows of "PRAGMA quick_check" or "integrity_check" other than "ok", at most 20, as reasons of the error.
void addIntegrityProblems(SQLite::Database& database, const char* pragma, Error& error);

} // namespace pw

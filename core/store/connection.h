// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/store/store.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <chrono>
#include <optional>
#include <string>

namespace pw {

// An open database and the name it goes by in messages. Inside core/store only.
struct ProfileStore::Private {
    std::string path;
    // SQLite connections are not const-correct: reading steps the connection too.
    mutable SQLite::Database database;
    std::chrono::seconds patience;
    std::optional<Diagnostic> journal;
};

// A column as text of the program: what older versions or other programs have stored may be no UTF-8.
std::string textAt(SQLite::Statement& row, int column);

// What SQLite's result codes mean to the owner of the file.
Error storeError(const std::string& path, const SQLite::Exception& error, std::chrono::seconds patience);

inline Error storeError(const ProfileStore::Private& store, const SQLite::Exception& error) {
    return storeError(store.path, error, store.patience);
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

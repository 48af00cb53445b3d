// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace SQLite {
class Database;
}

namespace pw {

// Marks the file as ours (PRAGMA application_id, "PwSt"), so that another program's database is never
// touched.
inline constexpr int kStoreApplicationId = 0x50775374;

// The version that this program writes (PRAGMA user_version). Older ones are brought up step by step, newer
// ones refused.
int storeVersion();

// Brings an older or empty database up to storeVersion() in one transaction. Throws SQLite::Exception.
void migrateStore(SQLite::Database& database);

} // namespace pw

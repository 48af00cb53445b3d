// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <optional>
#include <string>

namespace SQLite {
class Database;
}

namespace pw {

// How a database keeps itself whole. A write-ahead log is what lets readers go on while somebody writes; it
// needs memory that all its users share, which file systems between machines do not give: there two hosts
// would each believe a log of their own, and the file would be damaged. On those a rollback journal is kept
// that is truncated at each commit; readers then wait for a writer and the writer for readers.
//
// Sources: sqlite.org/wal.html ("all processes using a database must be on the same host computer"), the
// numbers of statfs(2) and of linux/magic.h, for Lustre, GPFS and BeeGFS of their own headers.

// The name of a file system that lies between machines, or may, by f_type of statfs; null: one of this
// machine.
const char* sharedFileSystem(unsigned long type);

// f_type of what the path lies on, or its folder where the file is yet to be made. Nothing where the system
// does not tell.
std::optional<unsigned long> fileSystemOf(const std::string& path);

// Sets the database's journal for writing on such a file system: the log, else the journal. Returns why it is
// not the log, in words; empty where it is. Throws SQLite::Exception where neither can be had.
std::string setJournal(SQLite::Database& database, std::optional<unsigned long> fileSystem);

// Refuses a file that is shorter than a database's header and not empty: SQLite takes it for a new database
// and writes over it. Beside a journal it is the beginning of one, which SQLite takes back.
Status checkLength(const std::filesystem::path& path);

} // namespace pw

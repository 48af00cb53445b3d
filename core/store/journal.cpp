// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/journal.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <sys/vfs.h>

namespace pw {

namespace {

struct FileSystemRow {
    unsigned long type;
    const char* name;
};

constexpr std::array kShared = {
    FileSystemRow{0x6969, "NFS"},        FileSystemRow{0x517B, "SMB"},
    FileSystemRow{0xFF534D42, "SMB"}, // as cifs
    FileSystemRow{0xFE534D42, "SMB"}, // version 2 and later
    FileSystemRow{0x0BD00BD0, "Lustre"}, FileSystemRow{0x47504653, "GPFS"},
    FileSystemRow{0x01021997, "9p"},     FileSystemRow{0x00C36400, "Ceph"},
    FileSystemRow{0x19830326, "BeeGFS"}, FileSystemRow{0x5346414F, "AFS"},
    FileSystemRow{0x65735546, "FUSE"}, // sshfs and others; what is behind it is not told
};

} // namespace

const char* sharedFileSystem(unsigned long type) {
    const auto row = std::ranges::find(kShared, type, &FileSystemRow::type);
    return row == kShared.end() ? nullptr : row->name;
}

std::optional<unsigned long> fileSystemOf(const std::string& path) {
    struct statfs found {};
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    if (statfs(path.c_str(), &found) != 0 && statfs(folder.empty() ? "." : folder.c_str(), &found) != 0)
        return std::nullopt;
    return static_cast<unsigned long>(found.f_type) & 0xFFFFFFFFUL; // f_type is signed, the numbers are not
}

std::string setJournal(SQLite::Database& database, std::optional<unsigned long> fileSystem) {
    const char* shared = fileSystem ? sharedFileSystem(*fileSystem) : nullptr;
    if (shared == nullptr && database.execAndGet("PRAGMA journal_mode = WAL").getString() == "wal")
        return {};
    // A pragma that cannot have its way says which mode stays.
    if (database.execAndGet("PRAGMA journal_mode = TRUNCATE").getString() != "truncate")
        throw SQLite::Exception("the journal cannot be changed while others use the database", SQLITE_BUSY);
    return shared != nullptr ? fmt::format("lies on {}", shared)
                             : std::string("lies where SQLite can share no memory");
}

Status checkLength(const std::filesystem::path& path) {
    constexpr std::uintmax_t kHeader = 100; // bytes; sqlite.org/fileformat.html, 1.3
    std::error_code missing, ignored;
    const std::uintmax_t size = std::filesystem::file_size(path, missing);
    const auto beside = [&](const char* end) {
        return std::filesystem::exists(path.string() + end, ignored);
    };
    if (missing || size == 0 || size >= kHeader || beside("-journal") || beside("-wal"))
        return Ok{};
    return failure("store.corrupt", path.string(),
                   {"is damaged or no SQLite database and was left as it is ({reason})",
                    {{"reason", fmt::format("{} bytes", size)}}});
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace pw {

// The user's measurements in one SQLite file: WAL, foreign keys, `user_version` migrations. Opening runs a
// quick check; a corrupt file, a newer version, a read-only or full disk are reported with the path, and
// nothing is overwritten.
class ProfileStore {
public:
    enum class Mode { ReadOnly, ReadWrite }; // ReadWrite creates the file
    static Result<ProfileStore> open(const std::filesystem::path& path, Mode mode);
    ~ProfileStore();
    ProfileStore(ProfileStore&&) noexcept;
    ProfileStore& operator=(ProfileStore&&) noexcept;

    struct SourceRow {
        std::string source, model, licence, date;
        std::vector<std::string> kinds;
        int rows = 0;
    };
    Result<std::vector<SourceRow>> sources() const;
    Result<std::vector<ProfileRow>> rows(std::string_view model = {}, std::string_view source = {}) const;
    // All or nothing: one transaction. Points of the same source are replaced.
    Result<int> add(const std::vector<ProfileRow>& rows);
    Result<int> remove(std::string_view source); // number of rows removed
    Status check() const;                        // full integrity check

private:
    struct Private;
    explicit ProfileStore(std::unique_ptr<Private> p);
    std::unique_ptr<Private> m_p;
};

} // namespace pw

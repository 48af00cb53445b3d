// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace pw::test {

// A file or folder of tests/data, whose README says what each is and where it comes from. All that a test
// reads is in the repository, so that a clone of it alone runs every test.
inline std::filesystem::path testData(const std::string& path) {
    return std::filesystem::path(PW_SOURCE_DIR) / "tests" / "data" / path;
}

} // namespace pw::test

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace pw::fuzz {

// What is fuzzed: every row of importerTable() and every document of the program's own that people open.
// Whatever the input, an import is a value or an error; what it gives is used further as the command line
// does, and what was read of an own document is printed and read again as the same. Anything else ends the
// process.
struct Kind {
    std::string name; // of the folder of its seeds in tests/fuzz/corpus
    std::function<bool(const std::string& bytes)> run;
};
const std::vector<Kind>& kinds();
const std::vector<Kind>& folderKinds(); // those of folder_targets.cpp, which are among them
// Where those of a process write what they read; it is gone behind each input, unless that ended the process.
std::filesystem::path workFolder(pid_t process);
// Under the name of a file that the kind expects. Whether it was read, and not refused.
bool run(const Kind& kind, const std::string& bytes);

} // namespace pw::fuzz

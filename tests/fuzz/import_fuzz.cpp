// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The targets under libFuzzer; --kind=NAME says which.
#include "tests/fuzz/targets.h"

#include <cstdio>
#include <cstdlib>

namespace {

const pw::fuzz::Kind* target = nullptr;

} // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
    const std::string kindFlag = "--kind=";
    std::string kind, known;
    for (int i = 1; i < *argc; ++i)
        if (const std::string argument = (*argv)[i]; argument.starts_with(kindFlag))
            kind = argument.substr(kindFlag.size());
    for (const pw::fuzz::Kind& each : pw::fuzz::kinds()) {
        known += "  " + each.name + "\n";
        if (kind == each.name)
            target = &each;
    }
    if (target)
        return 0;
    std::fprintf(stderr, "import_fuzz --kind=KIND CORPUS, with one of:\n%s", known.c_str());
    std::exit(1);
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    static_cast<void>(pw::fuzz::run(*target, std::string(reinterpret_cast<const char*>(data), size)));
    return 0;
}

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/terminal.h"

#include "core/base/text.h"

#include <cstdio>

namespace pw::cli {

void say(const std::string& text) {
    const std::string shown = printable(text, kInText);
    std::fwrite(shown.data(), 1, shown.size(), stderr);
}

} // namespace pw::cli

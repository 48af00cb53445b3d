// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdlib>
#include <string_view>

namespace pw::test {

// How many things a test draws. One that draws for more than half a minute stands twice in ctest's list (LONG
// of pw_test): with a few draws under its name, and with all of them as NAME_long under the label long.
inline int draws(int few, int all) {
    const char* asked = std::getenv("PW_DRAWS");
    return asked && std::string_view(asked) == "all" ? all : few;
}

} // namespace pw::test

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace pw::test {

inline std::string_view drawsAsked() {
    const char* set = std::getenv("PW_DRAWS");
    return set == nullptr ? "" : set;
}

// How many things a test draws: `few`, of an environment with PW_DRAWS=all `all`, with PW_DRAWS=least a fifth
// of a few. One that draws for more than half a minute stands twice in ctest's list (LONG of pw_test): under
// its name, and with all of them as NAME_long under the label long. Sanitizers ask for the least: they look
// for what a path does at all, not how often.
inline int draws(int few, int all) {
    const std::string_view asked = drawsAsked();
    if (asked == "least")
        return few > 0 ? std::max(1, few / 5) : 0;
    return asked == "all" ? all : few;
}

// Whether to assert what holds for most of them: so few say nothing of it.
inline bool manyDrawn() {
    return drawsAsked() != "least";
}

} // namespace pw::test

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/text.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw {

// One word of a shell script as a program would get it, as far as the script itself says.
struct ShellWord {
    std::string text;
    int line = 1;
    std::string open;  // an expansion in it that the script does not define: "$NODE_RANK"; the text lacks it
    bool ends = false; // no word: the end of a command
};

// The words of a bash script without running it: quotes, continuation lines, comments, NAME=value and
// NAME=( ... ) with their use as $NAME, ${NAME} and "${NAME[@]}", and the defaults of ${NAME:-default}, which
// stand where the script itself gives NAME no value. Anything else that bash would work out stays open.
// Arrays that no command uses are behind the commands, and so are values that begin with an option ("--a 1
// --b 2"), each as one word: whoever reads options divides them.
struct ShellScript {
    std::vector<ShellWord> words;
    std::vector<TextLine> comments; // without '#'
};
// Bad input for a quote that is not closed, at its line, and for expansions beyond a million words.
Result<ShellScript> readShell(std::string_view text, const std::string& file);

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace pw::cli {

// The way of every sentence to standard error: control characters that names and files bring along do not
// reach the terminal (core/base/text.h, printable).
void say(const std::string& text);

} // namespace pw::cli

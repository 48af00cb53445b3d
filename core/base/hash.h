// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace pw {

// XXH3 of 128 bits as 32 hex digits: the identity of a problem, the key of a plan. Not for secrets.
std::string hashText(std::string_view text);

} // namespace pw

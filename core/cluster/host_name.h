// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace pw {

// Whether launch files can find a machine by the name: what host lists, shell scripts and YAML hold as it is.
// Letters, digits, underscores and, but at the beginning, dots and dashes.
bool isHostName(std::string_view name);

// A name that is one, as much like `id` as can be: what cannot stand in it is a dash.
std::string hostNameLike(std::string_view id);

} // namespace pw

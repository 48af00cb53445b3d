// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace pw {

// The text as a gzip file (RFC 1952), the same bytes every time: without a name and a time. source.h reads
// it.
std::string gzipped(std::string_view text);

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace pw {

// A date as texts sort: "2026", "2026-11", "2026-11-20" and what may follow that are of ISO 8601. Any other
// is none and comes before them all: empty.
std::string_view sortableDate(std::string_view date);

} // namespace pw

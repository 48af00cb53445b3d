// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace pw {

// The catalogue's name of a GPU, by the ids that its PCI function has ("0x10de", "0x20b5"), for files that
// call it nothing else. Empty for all others: a board that the catalogue does not have is no board nearby.
std::string_view kindOfPciIds(std::string_view vendor, std::string_view device);

} // namespace pw

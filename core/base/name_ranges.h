// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace pw {

// Names of nodes, or numbers, shortened for a label: three or more in a row that end in consecutive numbers
// behind the same letters are one item, "n57 to n60". The others stay as they are, and the order does.
// `counts`, where it is given, becomes how many names each item stands for.
std::vector<std::string> nameRanges(const std::vector<std::string>& names,
                                    std::vector<std::size_t>* counts = nullptr);

} // namespace pw

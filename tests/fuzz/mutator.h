// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/random.h"

#include <string>
#include <vector>

namespace pw::fuzz {

// A file as accidents and ill will make it: one to six changes of a seed. Bytes are flipped, cut, doubled and
// put in (none of them UTF-8, control characters, escapes of terminals, formulas, markup), numbers become
// what no machine has, values of JSON others, lines and pieces move, repeat, or come from another seed.
std::string mutated(const std::vector<std::string>& seeds, std::size_t seed, Random& random);

} // namespace pw::fuzz

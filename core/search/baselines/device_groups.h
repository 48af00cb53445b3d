// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace pw {

// Metis' device groups (published: ATC 2024): `gpus` divided into `stages` groups whose sizes are powers of
// two and at least `variance` of the mean. Every order of the sizes; where there are more than `merged`
// groups, equal ones are first merged until so many are left, and only those change places.
//
//     deviceGroups(16, 3)   4 4 8   4 8 4   8 4 4
std::vector<std::vector<int>> deviceGroups(int gpus, int stages, double variance = 0.5, int merged = 4);

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/partition/stack_search.h"

namespace pw::partition {

// c[x][z] = min over y of a[x][y] + b[y][z], for b without negative entries. Additions and comparisons only,
// so that vector units of any width, and any number of threads, give the same bits.
Matrix minPlus(const Matrix& a, const Matrix& b, int threads);

} // namespace pw::partition

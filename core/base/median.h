// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace pw {

// Of one value or more: the middle one, or half-way between the two middle ones.
inline double median(std::vector<double> values) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), at, values.end());
    return values.size() % 2 == 1 ? *at : (*std::max_element(values.begin(), at) + *at) / 2.0;
}

} // namespace pw

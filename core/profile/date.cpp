// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/date.h"

#include <algorithm>

namespace pw {

std::string_view sortableDate(std::string_view date) {
    for (std::size_t i = 0; i < std::min<std::size_t>(date.size(), 10); ++i)
        if (i == 4 || i == 7 ? date[i] != '-' : date[i] < '0' || date[i] > '9')
            return {};
    return date.size() == 4 || date.size() == 7 || date.size() >= 10 ? date : std::string_view();
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inventory/bus_id.h"

#include "core/base/text.h"

namespace pw {

std::string normalisedBusId(std::string_view text) {
    std::string id = lowered(trimmed(text));
    constexpr std::string_view kLongZeros = "0000";
    if (id.find(':') == 8 && id.starts_with(kLongZeros))
        id.erase(0, kLongZeros.size());
    return id;
}

} // namespace pw

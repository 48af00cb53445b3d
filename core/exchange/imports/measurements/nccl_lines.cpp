// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/measurements/nccl_lines.h"

#include "core/base/text.h"
#include "core/inventory/bus_id.h"

#include <algorithm>
#include <vector>

namespace pw {

std::optional<LinkDevice> ncclDeviceOf(std::string_view line) {
    const std::vector<std::string_view> f = fieldsOf(line.substr(1));
    LinkDevice device;
    const auto rank = f.size() < 3 || f[0] != "Rank" ? std::nullopt : integerNumber(f[1]);
    if (!rank)
        return std::nullopt;
    device.rank = static_cast<int>(std::clamp<std::int64_t>(*rank, 0, kMostNcclRanks));
    for (std::size_t i = 2; i + 1 < f.size(); ++i) {
        if (f[i] == "on")
            device.host = f[i + 1];
        else if (f[i] == "device")
            device.index =
                static_cast<int>(std::clamp<std::int64_t>(integerNumber(f[i + 1]).value_or(0), 0, 1023));
    }
    const std::size_t open = line.find('['), close = line.find(']', std::min(open, line.size()));
    if (close != std::string_view::npos) {
        device.busId = normalisedBusId(line.substr(open + 1, close - open - 1));
        device.name = trimmed(line.substr(close + 1));
    }
    return device;
}

std::string_view withoutMpiTag(std::string_view line) {
    constexpr std::string_view kTag =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 []:,.@+-_/";
    for (const std::string_view stream : {"<stdout>:", "<stderr>:", "<stddiag>:"})
        if (const std::size_t at = line.find(stream);
            at != std::string_view::npos &&
            line.substr(0, at).find_first_not_of(kTag) == std::string_view::npos)
            return line.substr(at + stream.size());
    return line;
}

} // namespace pw

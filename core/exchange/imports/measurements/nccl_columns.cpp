// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/measurements/nccl_columns.h"

#include "core/base/text.h"

namespace pw {

std::optional<NcclColumns> ncclColumnsOf(std::string_view line) {
    NcclColumns c;
    std::size_t at = line.find('#') + 1; // behind a tag it may be indented
    for (const std::string_view name : fieldsOf(line.substr(at))) {
        at = line.find(name, at) + name.size();
        const int place = static_cast<int>(c.names.size());
        if (name == "time" || name == "cputime") {
            NcclColumns::Half& half = c.out.time < 0 ? c.out : c.in;
            if (half.time >= 0)
                return std::nullopt;
            half.time = place;
            if (&half == &c.in)
                c.secondEnds = at;
            else
                c.common = place;
        } else {
            NcclColumns::Half& half = c.in.time < 0 ? c.out : c.in;
            if (name == "algbw")
                half.algbw = place;
            else if (name == "busbw")
                half.busbw = place;
            else if (name == "#wrong" || name == "error") {
                half.wrong = place;
                half.deltas = name == "error";
            }
            c.redop = c.redop || name == "redop";
        }
        c.names.emplace_back(name);
    }
    const auto whole = [](const NcclColumns::Half& h) {
        return h.time >= 0 && h.algbw > h.time && h.busbw > h.time;
    };
    return !c.names.empty() && c.names[0] == "size" && whole(c.out) && whole(c.in) ? std::optional(c)
                                                                                   : std::nullopt;
}

} // namespace pw

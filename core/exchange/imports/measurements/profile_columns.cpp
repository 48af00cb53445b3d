// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/measurements/profile_columns.h"

#include "core/base/text.h"
#include "core/formats/csv.h"

#include <fmt/format.h>

#include <algorithm>

namespace pw {

const std::array<ProfileColumn, 18>& profileColumns() {
    static const std::array<ProfileColumn, 18> table = {{{"model", &ProfileRow::model, true},
                                                         {"kind", &ProfileRow::kind, true},
                                                         {"layer", &ProfileRow::layer, true},
                                                         {"op", &ProfileRow::op},
                                                         {"shape", &ProfileRow::shape},
                                                         {"tp", &ProfileRow::tp, true},
                                                         {"mbs", &ProfileRow::mbs, true},
                                                         {"seq", &ProfileRow::seq},
                                                         {"precision", &ProfileRow::precision},
                                                         {"forward_s", &ProfileRow::forward, true},
                                                         {"backward_s", &ProfileRow::backward, true},
                                                         {"update_s", &ProfileRow::update},
                                                         {"memory", &ProfileRow::memory},
                                                         {"confidence", &ProfileRow::confidence},
                                                         {"source", &ProfileRow::source},
                                                         {"licence", &ProfileRow::licence},
                                                         {"date", &ProfileRow::date},
                                                         {"software", &ProfileRow::software}}};
    return table;
}

const std::array<const ProfileColumn*, 18>& profileColumnsByName() {
    static const std::array<const ProfileColumn*, 18> sorted = [] {
        std::array<const ProfileColumn*, 18> list{};
        std::ranges::transform(profileColumns(), list.begin(),
                               [](const ProfileColumn& column) { return &column; });
        std::ranges::sort(list, {},
                          [](const ProfileColumn* column) { return std::string_view(column->name); });
        return list;
    }();
    return sorted;
}

std::string profileCsvHead() {
    std::string line;
    for (const ProfileColumn& column : profileColumns())
        line += (line.empty() ? "" : ",") + std::string(column.name);
    return line;
}

std::string profileCellText(const ProfileRow& row, const ProfileField& field) {
    return std::visit(
        [&](auto member) -> std::string {
            const auto& value = row.*member;
            using T = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<T, std::string>)
                return csvField(value);
            else if constexpr (kIsProfileCount<T> || std::is_same_v<T, double>)
                return fmt::to_string(value);
            else
                return fmt::to_string(value.value);
        },
        field);
}

std::string setProfileCell(ProfileRow& row, const ProfileField& field, const std::string& text) {
    return std::visit(
        [&](auto member) -> std::string {
            auto& value = row.*member;
            using T = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<T, std::string>) {
                value = csvFieldText(text);
            } else if constexpr (kIsProfileCount<T>) {
                const auto read = integerNumber(text);
                if (!read || *read < 0 || *read > kMostProfileCount<T>)
                    return fmt::format("a count from 0 to {}", kMostProfileCount<T>);
                value = static_cast<T>(*read);
            } else {
                const auto read = finiteNumber(text);
                if (!read)
                    return "a finite number";
                value = T(*read);
            }
            return {};
        },
        field);
}

} // namespace pw

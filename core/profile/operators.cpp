// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/operators.h"

namespace pw {

bool isTimedOperator(const ProfileRow& row) {
    return !row.op.empty() && (row.forward + row.backward + row.update).value > 0.0;
}

OperatorTable::OperatorTable(const std::vector<ProfileRow>& rows) {
    std::map<std::tuple<int, std::string, std::string>, std::vector<ProfileRow>> apart;
    for (const ProfileRow& row : rows)
        if (isTimedOperator(row)) {
            ProfileRow& kept = apart[{row.layer, row.op, row.shape}].emplace_back(row);
            kept.op.clear(); // which a table of layers would leave out
            kept.shape.clear();
        }
    for (auto& [key, list] : apart)
        m_tables.emplace(key, ProfileTable(std::move(list)));
}

std::vector<OperatorTable::Cover> OperatorTable::at(const OperatorPoint& point) const {
    std::vector<Cover> covers;
    for (const auto& [key, table] : m_tables) {
        const auto& [layer, op, shape] = key;
        covers.push_back({layer, op, shape,
                          table.find(point.kind, layer, point.tp, point.mbs, point.precision, point.seq)});
    }
    return covers;
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result.h"

#include <iterator>

namespace pw {

Wording Remark::asWording() const {
    if (where.empty())
        return *this;
    return {"{where}: {message}", {{"where", where}, {"message", *this}}};
}

Error infeasible(std::string code, std::string where, Wording wording, const std::vector<Wording>& reasons) {
    Error error(ErrorKind::Infeasible, std::move(code), std::move(where), std::move(wording));
    for (const Wording& reason : reasons)
        error.because(reason);
    return error;
}

Status statusOf(std::vector<Error> list, std::size_t untold) {
    if (list.empty())
        return Ok{};
    Error all = std::move(list.front());
    for (std::size_t i = 1; i < list.size(); ++i) {
        std::vector<Error> further = std::move(list[i].reasons);
        list[i].reasons.clear();
        all.reasons.push_back(std::move(list[i]));
        all.reasons.insert(all.reasons.end(), std::make_move_iterator(further.begin()),
                           std::make_move_iterator(further.end()));
    }
    if (untold > 0)
        all.because({"and {count} more", {{"count", untold}}});
    return all;
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/search_demand.h"

#include "ui/base/convert.h"
#include "ui/base/format.h"

#include <QCoreApplication>

namespace pw {

std::shared_ptr<const Problem> SearchDemand::narrowed(const std::shared_ptr<const Problem>& problem) const {
    Space space = problem->space();
    narrow(space);
    return space == problem->space() ? problem : problem->withSpace(std::move(space));
}

Question SearchDemand::question(const SearchOptions& options) const {
    Question question;
    question.options = options;
    question.target = target;
    question.required = required;
    return question;
}

Error clashError(const Clash& clash) {
    const auto translated = [](const char* text) { return QCoreApplication::translate("Questions", text); };
    const QString text = QCoreApplication::translate("Questions", "%1 is not combined with %2: %3")
                             .arg(translated(rowOf(clash.part).words), translated(rowOf(clash.with).words),
                                  translated(clash.why));
    return badInput(errorOf(clash).code, {}, s(sentence(text)));
}

} // namespace pw

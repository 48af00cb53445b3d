// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/error_text.h"

#include "ui/base/convert.h"
#include "ui/base/format.h"

#include <QCoreApplication>

namespace pw {

namespace {

// Options of our command line that core's messages name, and what the window calls the same.
struct OptionRow {
    const char* option;
    const char* context; // of `field`
    const char* field;
};
constexpr OptionRow kOptions[] = {
    {"--forbid", "pw::DemandForm", QT_TRANSLATE_NOOP("pw::DemandForm", "Leave out")},
    {"--partitions", "SearchOptions", QT_TRANSLATE_NOOP("SearchOptions", "Partitions")},
};

// The window's words in place of the command line's and of core's.
Params inTheWindow(Params params) {
    for (Param& param : params)
        if (param.said)
            param.value = s(messageText(*param.said));
    for (const OptionRow& row : kOptions) {
        const std::string field =
            s(QLatin1Char('"') + QCoreApplication::translate(row.context, row.field) + QLatin1Char('"'));
        for (Param& param : params)
            if (param.value == row.option)
                param.value = field;
        params.emplace_back(row.option, field);
    }
    return params;
}

} // namespace

Wording wordingOf(const QString& text) {
    return Wording::asIs(s(text));
}

QString messageText(const Wording& wording) {
    if (wording.pattern.empty())
        return q(wording.message);
    const QString pattern = QCoreApplication::translate("Errors", wording.pattern.c_str());
    return q(filled(withoutAsides(s(pattern)), inTheWindow(wording.params)));
}

QString sentence(const Wording& wording) {
    return sentence(messageText(wording));
}

QString lineText(const Error& error) {
    QString line = sentence(error);
    for (const Error& reason : error.reasons)
        line += QStringLiteral("; ") + errorText(reason);
    return line;
}

QString errorText(const Remark& remark) {
    const QString message = messageText(remark);
    return remark.where.empty() || remark.where.starts_with("--")
               ? message
               : QStringLiteral("%1: %2").arg(q(remark.where), message);
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/error_text.h"

#include "ui/base/convert.h"
#include "ui/base/format.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace pw {

QString messageText(const Wording& wording) {
    if (wording.pattern.empty())
        return q(wording.message);
    const QString pattern = QCoreApplication::translate("Errors", wording.pattern.c_str());
    return q(filled(s(pattern), wording.params));
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
    return remark.where.empty() ? message : QStringLiteral("%1: %2").arg(q(remark.where), message);
}

QString windowWords(const Wording& wording) {
    QString text = sentence(wording);
    static const QRegularExpression option(QStringLiteral("(^|\\s)--[a-z]"));
    const qsizetype at = text.indexOf(option);
    if (at < 0)
        return text;
    static const QRegularExpression ends(QStringLiteral("[;:.?] "));
    const qsizetype clause = text.lastIndexOf(ends, at);
    if (clause < 0)
        return text;
    const bool question = text[clause] == QLatin1Char('?');
    return text.left(clause) + (question ? QStringLiteral("?") : QStringLiteral("."));
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/error_text.h"

#include "ui/base/convert.h"
#include "ui/base/format.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace pw {

namespace {

// Options of our command line that core's messages name. `field`: what the window calls the same where it is
// to be found elsewhere; null: it is asked for beside the message, or not at all.
struct OptionRow {
    const char* option;
    const char* context; // of `field`
    const char* field;
};
constexpr OptionRow kOptions[] = {
    {"--forbid", "pw::DemandForm", QT_TRANSLATE_NOOP("pw::DemandForm", "Leave out")},
    {"--partitions", "SearchOptions", QT_TRANSLATE_NOOP("SearchOptions", "Partitions")},
    {"--any-version", nullptr, nullptr},
    {"--bandwidth", nullptr, nullptr},
    {"--collective", nullptr, nullptr},
    {"--device", nullptr, nullptr},
    {"--force", nullptr, nullptr},
    {"--gbs", nullptr, nullptr},
    {"--latency", nullptr, nullptr},
    {"--ranks", nullptr, nullptr},
    {"--seq", nullptr, nullptr},
    {"--to", nullptr, nullptr},
    {"--trunk", nullptr, nullptr},
    {"--vocabulary", nullptr, nullptr},
};

// Where the option stands as a word of its own; -1: nowhere.
qsizetype placeOf(const QString& option, const QString& text) {
    for (qsizetype at = text.indexOf(option); at >= 0; at = text.indexOf(option, at + 1)) {
        const qsizetype end = at + option.size();
        const bool begins = at == 0 || text[at - 1].isSpace();
        if (begins && (end == text.size() || !(text[end].isLetterOrNumber() || text[end] == u'-')))
            return at;
    }
    return -1;
}

// The clause that holds the place goes: "; state it as --device KIND". All of it: the text stays whole.
QString withoutClause(const QString& text, qsizetype at) {
    static const QRegularExpression ends(QStringLiteral("[;:.?] "));
    const qsizetype clause = text.lastIndexOf(ends, at);
    if (clause < 0)
        return text;
    const bool question = text[clause] == QLatin1Char('?');
    return text.left(clause) + (question ? QStringLiteral("?") : QStringLiteral("."));
}

QString withoutOptions(QString pattern) {
    for (const OptionRow& row : kOptions) {
        const QString option = QLatin1String(row.option);
        const qsizetype at = placeOf(option, pattern);
        if (at >= 0 && row.field)
            pattern.replace(at, option.size(),
                            QLatin1Char('"') + QCoreApplication::translate(row.context, row.field) +
                                QLatin1Char('"'));
        else if (at >= 0)
            pattern = withoutClause(pattern, at);
    }
    return pattern;
}

} // namespace

QString messageText(const Wording& wording) {
    if (wording.pattern.empty())
        return q(wording.message);
    QString pattern = QCoreApplication::translate("Errors", wording.pattern.c_str());
    if (const std::string option = wording.param("flag"); option.starts_with("--"))
        pattern.replace(QStringLiteral("{flag}"), q(option));
    return q(filled(s(withoutOptions(pattern)), wording.params));
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

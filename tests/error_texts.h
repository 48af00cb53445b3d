// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QString>

#include <map>
#include <set>

namespace pw::test {

inline const QRegularExpression kHole(QStringLiteral("\\{([a-z_]+)\\}"));

// The texts that a folder's sources give to a Wording (core/base/wording.h), with the source of the file that
// each stands in. Those with a hole, "is {found}; expected an object", are taken wherever they stand: nothing
// else is written that way. Fixed ones are taken out of statements that make an error or a note.
inline std::map<QString, QString> errorTexts(const QString& folder, const QString& makers) {
    static const QString literal = QStringLiteral("\"(?:[^\"\\\\\\n]|\\\\.)*\"");
    static const QRegularExpression token(
        QStringLiteral("//[^\\n]*|'(?:\\\\.|[^'\\\\])'|R\"\\((?:.|\\n)*?\\)\"|(%1(?:\\s*%1)*)").arg(literal));
    static const QRegularExpression one(literal);
    static const QRegularExpression escaped(QStringLiteral("\\\\(.)"));
    const QRegularExpression maker(QStringLiteral("\\b(?:%1)\\(|Severity::\\w+,").arg(makers));
    std::map<QString, QString> texts;
    QDirIterator files(QStringLiteral(PW_SOURCE_DIR "/%1").arg(folder),
                       {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files,
                       QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const QString source = QString::fromUtf8(file.readAll());
        std::map<qsizetype, qsizetype> statements; // end by begin
        for (auto it = maker.globalMatch(source); it.hasNext();) {
            const qsizetype begin = it.next().capturedStart();
            statements[begin] = source.indexOf(QStringLiteral(";\n"), begin);
        }
        for (auto it = token.globalMatch(source); it.hasNext();) {
            const QRegularExpressionMatch found = it.next();
            QString text;
            for (auto parts = one.globalMatch(found.captured(1)); parts.hasNext();) {
                const QString part = parts.next().captured();
                text += part.mid(1, part.size() - 2).replace(escaped, QStringLiteral("\\1"));
            }
            const auto statement = statements.upper_bound(found.capturedStart());
            const bool made =
                statement != statements.begin() && found.capturedStart() < std::prev(statement)->second;
            const bool fixed = made && text == text.trimmed() && !text.contains(QLatin1Char('{'));
            if (text.contains(QLatin1Char(' ')) && (fixed || text.contains(kHole)))
                texts[text] = source;
        }
    }
    return texts;
}

// All that the catalogue of the window has to know (context "Errors").
inline std::map<QString, QString> errorTexts() {
    std::map<QString, QString> texts = errorTexts(
        QStringLiteral("core"),
        QStringLiteral(
            "badInput|failure|infeasible|stopped|because|fail|need|add|refuse|refusal|ask|warn|warnOnce|"
            "fault|wrong|named|contradiction|misplaced|unpriced|unfit|unsupported|note|error|(?:out|refusals|"
            "notes|"
            "found|list)\\.push_back"));
    texts.merge(errorTexts(QStringLiteral("ui"),
                           QStringLiteral("(?<![.>])(?:badInput|failure|infeasible|stopped|pass)")));
    return texts;
}

} // namespace pw::test

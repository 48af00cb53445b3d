// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diagnostics/private_names.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSysInfo>

#include <algorithm>
#include <pwd.h>
#include <unistd.h>

namespace pw {
namespace {

bool byLength(const QString& a, const QString& b) {
    return a.size() > b.size();
}

// Not inside a longer name on either side.
QRegularExpression alone(const QString& text, const char* ofName) {
    return QRegularExpression(
        QStringLiteral("(?<![%1])%2(?![%1])").arg(QLatin1String(ofName), QRegularExpression::escape(text)),
        QRegularExpression::UseUnicodePropertiesOption);
}

} // namespace

PrivateNames::PrivateNames(QStringList homes, QStringList users, QStringList hosts)
    : m_homes(std::move(homes)) {
    for (QString& home : m_homes)
        home = QDir::cleanPath(home);
    // The root of all files is nobody's home.
    m_homes.removeIf([](const QString& home) { return !QDir::isAbsolutePath(home) || home.size() < 2; });
    m_homes.removeDuplicates();
    std::sort(m_homes.begin(), m_homes.end(), byLength);
    for (const QString& user : users)
        m_words.append({user, QStringLiteral("<user>")});
    for (const QString& host : hosts) {
        m_words.append({host, QStringLiteral("<host>")});
        m_words.append({host.section(QLatin1Char('.'), 0, 0), QStringLiteral("<host>")});
    }
    m_words.removeIf([](const Word& word) { return word.name.isEmpty(); });
    std::stable_sort(m_words.begin(), m_words.end(),
                     [](const Word& a, const Word& b) { return byLength(a.name, b.name); });
}

PrivateNames PrivateNames::ofThisUser() {
    QStringList users = {qEnvironmentVariable("USER"), qEnvironmentVariable("LOGNAME")};
    QStringList homes = {QDir::homePath(), QFileInfo(QDir::homePath()).canonicalFilePath()};
    if (const passwd* entry = ::getpwuid(::getuid())) {
        users.append(QString::fromLocal8Bit(entry->pw_name));
        homes.append(QString::fromLocal8Bit(entry->pw_dir));
    }
    return {homes, users, {QSysInfo::machineHostName()}};
}

QString PrivateNames::shortened(const QString& text) const {
    QString result = text;
    for (const QString& home : m_homes)
        result.replace(alone(home, "\\w.-"), QStringLiteral("~"));
    for (const Word& word : m_words)
        result.replace(alone(word.name, "\\w"), word.instead);
    return result;
}

} // namespace pw

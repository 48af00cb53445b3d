// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/process.h"

#include <QFile>

#include <cerrno>
#include <csignal>

namespace pw {

namespace {
constexpr qsizetype kStartField = 19; // of proc(5)'s stat, counted from the state, which follows the name
}

QString processMark(qint64 process) {
    if (process <= 0)
        return {};
    if (!QFile::exists(QStringLiteral("/proc/self/stat"))) {
        const bool takesSignals = ::kill(static_cast<pid_t>(process), 0) == 0 || errno == EPERM;
        return takesSignals ? QStringLiteral("running") : QString();
    }
    QFile stat(QStringLiteral("/proc/%1/stat").arg(process));
    if (!stat.open(QIODevice::ReadOnly))
        return {};
    const QByteArray line = stat.readAll();
    // The name stands in parentheses and may hold any character.
    const QList<QByteArray> fields = line.mid(line.lastIndexOf(')') + 1).simplified().split(' ');
    if (fields.size() <= kStartField || fields.front() == "Z" || fields.front() == "X")
        return {};
    return QString::fromLatin1(fields[kStartField]);
}

bool isRunning(qint64 process, const QString& mark) {
    const QString now = processMark(process);
    return !now.isEmpty() && (mark.isEmpty() || mark == now);
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStringList>

#include <unistd.h>

// One run of the built pipewright-cli, as an outside script would see it.
struct CliRun {
    int code = -1; // -1: it crashed or hung
    QByteArray out, err;

    // The one document on standard output; empty if there is anything else there.
    QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
    QJsonObject error() const { return json()[QStringLiteral("error")].toObject(); }
};

#ifdef PW_ADDRESS_SANITIZER // some ten times as long
constexpr int kCliTimeoutMs = 600000;
#else
constexpr int kCliTimeoutMs = 60000;
#endif

inline CliRun runCli(const QStringList& arguments, int timeoutMs = kCliTimeoutMs) {
    QProcess process;
    process.start(QStringLiteral(PW_CLI), arguments);
    CliRun run;
    if (process.waitForFinished(timeoutMs) && process.exitStatus() == QProcess::NormalExit)
        run.code = process.exitCode();
    else {
        process.kill();
        process.waitForFinished();
    }
    run.out = process.readAllStandardOutput();
    run.err = process.readAllStandardError();
    return run;
}

// What a running program has used of the processors so far.
inline double processorSeconds(qint64 process) {
    QFile file(QStringLiteral("/proc/%1/stat").arg(process));
    const QByteArray stat = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    const QList<QByteArray> fields = stat.mid(stat.lastIndexOf(')') + 2).split(' '); // from the state on
    return (fields.value(11).toDouble() + fields.value(12).toDouble()) /
           static_cast<double>(::sysconf(_SC_CLK_TCK));
}

inline QStringList words(const char* text) {
    return QString::fromUtf8(text).split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/cli/cli_run.h"

#include <QByteArray>
#include <QFile>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

// What tests of commands have in common: the samples, and a folder of their own.

inline QString sample(const char* path) {
    return QStringLiteral(PW_SOURCE_DIR "/samples/") + QLatin1String(path);
}

inline QStringList problemFlags(const char* model = "models/llama3-8b.json") {
    return {QStringLiteral("--cluster"), sample("clusters/mixed-16.json"),
            QStringLiteral("--model"),   sample(model),
            QStringLiteral("--gbs"),     QStringLiteral("256"),
            QStringLiteral("--seq"),     QStringLiteral("2048")};
}

// Of a problem that a search with all the work in the world takes minutes for.
inline QStringList lastingFlags() {
    return words("--work 1000000000000 --gbs 512 --seq 4096") +
           QStringList{QStringLiteral("--cluster"), sample("clusters/mixed-64.json"),
                       QStringLiteral("--model"), sample("models/llama3-70b.json")};
}

inline QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

class CliFiles {
public:
    bool isValid() const { return m_dir.isValid(); }
    QString path(const char* name) const { return m_dir.filePath(QLatin1String(name)); }
    QString write(const char* name, const QByteArray& text) const {
        QFile file(path(name));
        if (file.open(QIODevice::WriteOnly))
            file.write(text);
        return path(name);
    }

private:
    QTemporaryDir m_dir;
};

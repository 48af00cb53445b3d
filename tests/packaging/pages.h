// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/manual/manual.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QString>

// The documents of the tree, as the tests of tests/packaging read them.

inline QString source(const QString& path) {
    return QStringLiteral(PW_SOURCE_DIR "/") + path;
}

inline QString textOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

inline const QString kManualSource = source(QStringLiteral("resources/manual"));

// Names below resources/manual, sorted: "index.md", "planners/haap.md".
inline QStringList manualFiles(const QString& pattern) {
    QStringList names;
    QDirIterator files(kManualSource, {pattern}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext())
        names << QDir(kManualSource).relativeFilePath(files.next());
    names.sort();
    return names;
}

inline pw::Manual manualOfTree() {
    std::vector<pw::ManualPage> pages;
    for (const QString& name : manualFiles(QStringLiteral("*.md")))
        pages.push_back(pw::readManualPage(name.toStdString(),
                                           textOf(kManualSource + QLatin1Char('/') + name).toStdString()));
    return pw::Manual(std::move(pages));
}

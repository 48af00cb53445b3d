// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/file_dialogs.h"

#include "ui/base/config_folder.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

namespace pw {

namespace {

constexpr qsizetype kLongestName = 200; // bytes; file systems take 255, with the ending

QString keyOf(const QString& kind) {
    return QStringLiteral("folders/") + kind;
}

QString thereOrAround(const QString& folder) {
    QString at = QDir::cleanPath(QDir(folder).absolutePath());
    while (!QFileInfo(at).isDir() && !QDir(at).isRoot())
        at = QFileInfo(at).path();
    return at;
}

QString startOf(const QString& kind, const QString& begin) {
    return begin.isEmpty() ? folderOfLast(kind) : begin;
}

} // namespace

QString folderOfLast(const QString& kind) {
    const QString last = QSettings(settingsFile(), QSettings::IniFormat).value(keyOf(kind)).toString();
    if (!last.isEmpty() && QFileInfo(last).isDir())
        return last;
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return QFileInfo(documents).isDir() ? documents : QDir::homePath();
}

void keepFolderOf(const QString& kind, const QString& path) {
    QSettings(settingsFile(), QSettings::IniFormat).setValue(keyOf(kind), QFileInfo(path).absolutePath());
}

QString askForFile(QWidget* parent, const QString& kind, const QString& title, const QString& filter,
                   const QString& begin) {
    const QString path = QFileDialog::getOpenFileName(parent, title, startOf(kind, begin), filter);
    if (!path.isEmpty())
        keepFolderOf(kind, path);
    return path;
}

QStringList askForFiles(QWidget* parent, const QString& kind, const QString& title, const QString& filter,
                        const QString& begin) {
    QStringList paths = QFileDialog::getOpenFileNames(parent, title, startOf(kind, begin), filter);
    if (!paths.isEmpty())
        keepFolderOf(kind, paths.first());
    return paths;
}

QString askForFolder(QWidget* parent, const QString& kind, const QString& title, const QString& begin) {
    const QString path =
        QFileDialog::getExistingDirectory(parent, title, thereOrAround(startOf(kind, begin)));
    if (!path.isEmpty())
        keepFolderOf(kind, path);
    return path;
}

QString askWhereToSave(QWidget* parent, const QString& kind, const QString& title, const QString& proposed,
                       const QString& filter, QString* chosen) {
    const QString start = QDir(folderOfLast(kind)).filePath(proposed); // a path stays as it is
    const QString path = QFileDialog::getSaveFileName(parent, title, start, filter, chosen);
    if (!path.isEmpty())
        keepFolderOf(kind, path);
    return path;
}

QString safeFileName(const QString& name, const QString& otherwise) {
    QString safe;
    for (const QChar letter : name)
        if (letter == QLatin1Char('/') || letter == QLatin1Char('\\'))
            safe += QLatin1Char('-');
        else if (letter.category() != QChar::Other_Control)
            safe += letter;
    safe = safe.trimmed();
    while (safe.startsWith(QLatin1Char('.')) || safe.startsWith(QLatin1Char(' ')))
        safe.remove(0, 1);
    while (safe.toUtf8().size() > kLongestName)
        safe.chop(safe.size() > 1 && safe.back().isLowSurrogate() ? 2 : 1);
    return safe.isEmpty() ? otherwise : safe;
}

} // namespace pw

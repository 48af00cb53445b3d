// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

class QWidget;

namespace pw {

// Dialogs that ask for files. Each kind of file, by its key in the settings ("import"), begins where the last
// one was, in this run or an earlier one; the first in the user's documents. The folder in which the program
// was started says nothing of where files are.
QString folderOfLast(const QString& kind); // one that is there
void keepFolderOf(const QString& kind, const QString& path);

// Empty if nothing is chosen. `begin`: another folder, or file, to begin at.
QString askForFile(QWidget* parent, const QString& kind, const QString& title, const QString& filter,
                   const QString& begin = {});
QStringList askForFiles(QWidget* parent, const QString& kind, const QString& title,
                        const QString& filter = {}, const QString& begin = {});
// Begins at the folder, or the nearest one around it that is there, so that this can be chosen at once.
QString askForFolder(QWidget* parent, const QString& kind, const QString& title, const QString& begin = {});
// `proposed`: a file name, or the path of a file. `chosen`: of the filters, the one before and afterwards.
QString askWhereToSave(QWidget* parent, const QString& kind, const QString& title, const QString& proposed,
                       const QString& filter, QString* chosen = nullptr);

// A name as that of a file: without control characters and dots in front, each slash a hyphen, and of a
// length that file systems take; `otherwise` where nothing is left.
QString safeFileName(const QString& name, const QString& otherwise);

} // namespace pw

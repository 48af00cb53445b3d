// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocale>
#include <QStringList>

class QTranslator;

namespace pw {

// Languages are files that lrelease has made, "pipewright_de.qm", in one of these folders: the user's own
// before those that are installed. resources/translations has the template and says how to begin.
QStringList translationFolders();
// False where no folder has the locale's language; then the program speaks English, as it is written.
bool loadTranslation(QTranslator& translator, const QLocale& locale, const QStringList& folders);

} // namespace pw

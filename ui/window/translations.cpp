// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/translations.h"

#include "ui/base/config_folder.h"

#include <QCoreApplication>
#include <QDir>
#include <QTranslator>

#include <algorithm>

namespace pw {

QStringList translationFolders() {
    return {QDir(configFolder()).filePath(QStringLiteral("translations")),
            QDir(QCoreApplication::applicationDirPath())
                .filePath(QStringLiteral("../share/pipewright/translations"))};
}

bool loadTranslation(QTranslator& translator, const QLocale& locale, const QStringList& folders) {
    return std::any_of(folders.begin(), folders.end(), [&](const QString& folder) {
        return translator.load(locale, QStringLiteral("pipewright"), QStringLiteral("_"), folder);
    });
}

} // namespace pw

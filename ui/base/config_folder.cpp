// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/config_folder.h"

#include <QDir>
#include <QStandardPaths>

namespace pw {

QString configFolder() {
    const QString given = qEnvironmentVariable("PIPEWRIGHT_CONFIG_DIR");
    if (!given.isEmpty())
        return given;
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           QStringLiteral("/pipewright");
}

QString settingsFile() {
    return QDir(configFolder()).filePath(QStringLiteral("pipewright.ini"));
}

} // namespace pw

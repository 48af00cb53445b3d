// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/settings.h"

#include "ui/base/config_folder.h"

#include <QCoreApplication>
#include <QDir>
#include <QSettings>

#include <algorithm>
#include <iterator>

namespace pw {

QString samplesFolder() {
    const QDir program(QCoreApplication::applicationDirPath());
    for (const char* relative : {"../share/pipewright/samples", "../../../samples", "../../../../samples",
                                 "../../samples", "samples"}) {
        const QString folder = QDir::cleanPath(program.filePath(QLatin1String(relative)));
        if (QDir(folder + QStringLiteral("/projects")).exists())
            return folder;
    }
    return {};
}

void applyTextSize(int textSize) {
    constexpr char kScale[] = "QT_SCALE_FACTOR";
    if (textSize != 100 && !qEnvironmentVariableIsSet(kScale))
        qputenv(kScale, QByteArray::number(textSize / 100.0));
}

Settings Settings::load() {
    QSettings ini(settingsFile(), QSettings::IniFormat);
    Settings settings;
    const QString mode = ini.value(QStringLiteral("theme")).toString();
    for (const ThemeRow& row : themeTable())
        if (mode == QLatin1String(row.name))
            settings.theme = row.mode;
    const int size = ini.value(QStringLiteral("textSize"), settings.textSize).toInt();
    if (std::find(std::begin(kTextSizes), std::end(kTextSizes), size) != std::end(kTextSizes))
        settings.textSize = size;
    settings.geometry = ini.value(QStringLiteral("geometry")).toByteArray();
    settings.manualGeometry = ini.value(QStringLiteral("manualGeometry")).toByteArray();
    settings.recent = ini.value(QStringLiteral("recent")).toStringList();
    ini.beginGroup(QStringLiteral("layouts"));
    for (const QString& name : ini.childKeys())
        settings.layouts.insert(name, ini.value(name).toByteArray());
    return settings;
}

void Settings::save() const {
    QSettings ini(settingsFile(), QSettings::IniFormat);
    ini.setValue(QStringLiteral("theme"), QLatin1String(themeName(theme)));
    ini.setValue(QStringLiteral("textSize"), textSize);
    ini.setValue(QStringLiteral("geometry"), geometry);
    ini.setValue(QStringLiteral("manualGeometry"), manualGeometry);
    ini.setValue(QStringLiteral("recent"), recent);
    ini.remove(QStringLiteral("layouts")); // also those that were reset
    ini.beginGroup(QStringLiteral("layouts"));
    for (auto layout = layouts.begin(); layout != layouts.end(); ++layout)
        ini.setValue(layout.key(), layout.value());
}

void Settings::addRecent(const QString& path) {
    recent.removeAll(path);
    recent.prepend(path);
    if (recent.size() > kRecentFiles)
        recent.resize(kRecentFiles);
}

} // namespace pw

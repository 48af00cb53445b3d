// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/base/theme.h"

#include <QByteArray>
#include <QStringList>

namespace pw {

// What the program remembers between runs, in one INI file under PIPEWRIGHT_CONFIG_DIR (the XDG folder by
// default).
struct Settings {
    ThemeMode theme = ThemeMode::System;
    QByteArray geometry, layout, accuracyLayout, compareLayout, sweepLayout,
        manualGeometry; // empty = default
    QStringList recent; // absolute paths, latest first, at most kRecentFiles

    static Settings load();
    void save() const;
    void addRecent(const QString& path);
};

inline constexpr int kRecentFiles = 8;

QString configFolder();
// Folder of the bundled samples: beside the program, in its source tree or installed; empty if there is none.
QString samplesFolder();

} // namespace pw

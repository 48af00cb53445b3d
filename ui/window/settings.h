// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/base/theme.h"

#include <QByteArray>
#include <QMap>
#include <QStringList>

namespace pw {

// What the program remembers between runs, in one INI file under PIPEWRIGHT_CONFIG_DIR (the XDG folder by
// default).
struct Settings {
    ThemeMode theme = ThemeMode::System;
    int textSize = 100; // per cent, one of kTextSizes; of the whole window, from the next start on
    QByteArray geometry, manualGeometry; // empty = default
    QMap<QString, QByteArray> layouts;   // of docks, as DockArea::layouts() names them; none = default
    QStringList recent;                  // absolute paths, latest first, at most kRecentFiles

    static Settings load();
    void save() const;
    void addRecent(const QString& path);
};

inline constexpr int kRecentFiles = 8;
inline constexpr char kPlanColumns[] = "planColumns"; // among the layouts: PlansView::columns()

inline constexpr int kTextSizes[] = {100, 125, 150, 175, 200};

// Has Qt draw at that size; to be called before there is a QGuiApplication. A QT_SCALE_FACTOR of the user's
// own stays.
void applyTextSize(int textSize);

// Folder of the bundled samples: beside the program, in its source tree or installed; empty if there is none.
QString samplesFolder();

} // namespace pw

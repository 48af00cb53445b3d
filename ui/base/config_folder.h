// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace pw {

// Where the program keeps what is the user's own: PIPEWRIGHT_CONFIG_DIR, by default in the XDG folder.
QString configFolder();
// The INI file in it, with what is remembered between runs.
QString settingsFile();

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/diagnostics/bug_report.h"

class QObject;
class QWidget;

namespace pw {

struct AppContext;
class Autosave;
class FileActions;
class Improver;
struct ImportReading;
struct Settings;
class WindowLog;

// Writes what the window's parts tell to its log: what was opened, saved and kept unsaved, searches that
// could not run, improvements. `owner` ends it. Searches tell the log themselves (SearchRunner::setTrace).
void logEvents(WindowLog& log, const AppContext& app, const FileActions& files, const Autosave& autosave,
               const Improver& improver, QObject* owner);

// Errors that the bars of a part of the window will show, whatever view they stand in.
void logErrors(WindowLog& log, const QWidget& part);

// What an import has read, and what is wrong with it and where.
void logReading(WindowLog& log, const ImportReading& reading);

// What a bug report says of the settings and of the open project.
Facts settingFacts(const Settings& settings, const AppContext& app);

} // namespace pw

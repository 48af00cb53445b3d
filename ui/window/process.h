// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace pw {

// Tells one running program from another that later got its number: the moment at which the process started,
// in the kernel's own count. Empty: there is no such process, or it has ended and only waits to be reaped.
// Where the kernel does not tell (no /proc) any process that takes signals counts as running.
QString processMark(qint64 process);

// Whether the program that left `mark` still runs. An empty mark, of an older file, fits any.
bool isRunning(qint64 process, const QString& mark);

} // namespace pw

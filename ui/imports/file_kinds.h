// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <stop_token>
#include <string>
#include <vector>

namespace pw {

// What files are that somebody gives the program, by their content: Pipewright's own, which name their
// schema, or others', which core/exchange and core/calibrate know.

// Own files by the `schema` in them, as {kind, label}.
struct OwnFileKind {
    const char* kind;
    const char* label;
    const char* schema; // that it begins with
};
const std::vector<OwnFileKind>& ownFileKinds();
inline constexpr const char* kTrainingLogKind = "training-log";
QString importKindLabel(const QString& kind);

// Whether the file is a project, which is opened and not imported.
bool isProjectFile(const QString& path);

// The own kind of each file, null: it is another's, or not looked at since `stop` came.
std::vector<const OwnFileKind*> ownKindsOf(const std::vector<std::string>& files,
                                           const std::stop_token& stop);

// What the other files are, as kinds of importerTable() or kTrainingLogKind; empty = not known, one of
// Pipewright's own (`own`, as many as files), or not looked at since `stop` came. The log of a run lists the
// arguments of its trainer, too, and is a log all the same; so is a file beside it, or are two, that have a
// part of one: rank 0's has the arguments, another's tells that memory ran out.
std::vector<QString> foreignKindsOf(const std::vector<std::string>& files,
                                    const std::vector<const OwnFileKind*>& own, const std::stop_token& stop);

} // namespace pw

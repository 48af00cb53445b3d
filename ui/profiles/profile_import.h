// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/diagnostics.h"
#include "core/project/project.h"

#include <QDialog>
#include <QStringList>

#include <vector>

namespace pw {

// What a file or a folder of measurements holds, read and checked but not yet taken.
struct ProfileImport {
    std::vector<ProfileRow> rows;
    QStringList summaries; // one a file that was read
    Diagnostics notes;     // warnings of the importer, and the files that were refused, as errors
};

// A folder is searched with its subfolders for *.json files; those of another form are left out with a note.
ProfileImport readProfiles(const QString& path, const Project& project);

// Shows it before anything is taken: "Add the 41 good rows" or Cancel.
class ProfileImportDialog : public QDialog {
    Q_OBJECT

public:
    ProfileImportDialog(const QString& path, const ProfileImport& found, QWidget* parent = nullptr);
};

} // namespace pw

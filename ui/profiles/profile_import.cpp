// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profiles/profile_import.h"

#include "core/exchange/imports/import.h"
#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme.h"

#include <QDialogButtonBox>
#include <QDirIterator>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace pw {

namespace {

constexpr int kFileLimit = 500; // files of a folder that are looked at

QStringList filesOf(const QString& path) {
    if (!QFileInfo(path).isDir())
        return {path};
    QStringList files;
    QDirIterator walk(path, {QStringLiteral("*.json"), QStringLiteral("*.csv"), QStringLiteral("*.json.gz")},
                      QDir::Files, QDirIterator::Subdirectories);
    while (walk.hasNext() && files.size() < kFileLimit)
        files << walk.next();
    files.sort();
    return files;
}

} // namespace

ProfileImport readProfiles(const QString& path, const Project& project) {
    ProfileImport found;
    ImportHints hints;
    if (project.model) {
        hints.model = &*project.model;
        hints.modelName = project.model->name;
    }
    const QStringList files = filesOf(path);
    for (const QString& file : files) {
        Result<Imported> imported = importFile(std::filesystem::path(s(file)), {}, hints);
        if (!imported) {
            // In a folder, files of other forms are expected; they are named and passed over.
            const bool other = files.size() > 1 && imported.error().code == "import.unrecognised";
            found.notes.push_back({other ? Severity::Note : Severity::Error,
                                   imported.error().code,
                                   imported.error().where.empty() ? s(file) : imported.error().where,
                                   imported.error().message,
                                   {},
                                   {}});
            for (const std::string& reason : imported.error().reasons)
                found.notes.push_back({Severity::Error, imported.error().code, {}, reason, {}, {}});
            continue;
        }
        if (auto* rows = std::get_if<std::vector<ProfileRow>>(&imported->what)) {
            found.rows.insert(found.rows.end(), rows->begin(), rows->end());
            found.summaries << q(imported->summary);
        } else {
            found.notes.push_back({files.size() > 1 ? Severity::Note : Severity::Error,
                                   "import.not_profiles",
                                   s(file),
                                   "holds no measurements",
                                   {},
                                   {}});
        }
        found.notes.insert(found.notes.end(), imported->notes.begin(), imported->notes.end());
    }
    if (files.isEmpty())
        found.notes.push_back({Severity::Error,
                               "import.empty_folder",
                               s(path),
                               "holds no *.json, *.csv or *.json.gz file",
                               {},
                               {}});
    return found;
}

ProfileImportDialog::ProfileImportDialog(const QString& path, const ProfileImport& found, QWidget* parent)
    : QDialog(parent) {
    setObjectName(QStringLiteral("profileImport"));
    setWindowTitle(tr("Import measurements"));
    setAccessibleName(windowTitle());
    resize(640, 400);
    auto* heading = new QLabel(
        tr("%1 rows in %2")
            .arg(countText(static_cast<std::int64_t>(found.rows.size())), QFileInfo(path).fileName()),
        this);
    heading->setFont(headingFont());
    heading->setObjectName(QStringLiteral("profileImport.heading"));
    std::set<std::string> models;
    for (const ProfileRow& row : found.rows)
        models.insert(row.model);
    QStringList names;
    for (const std::string& each : models)
        names << q(each);
    auto* summary = new QLabel(
        (names.isEmpty() ? QStringList() : QStringList(tr("Model: %1").arg(names.join(QStringLiteral(", ")))))
            .join(QString()),
        this);
    summary->setObjectName(QStringLiteral("profileImport.summary"));
    auto* list = new QListWidget(this);
    list->setObjectName(QStringLiteral("profileImport.list"));
    list->setAccessibleName(tr("What was found"));
    list->setWordWrap(true);
    for (const Diagnostic& note : found.notes) {
        if (note.severity == Severity::Note && found.notes.size() > 50)
            continue;
        const char* symbol = note.severity == Severity::Error     ? "error"
                             : note.severity == Severity::Warning ? "warning"
                                                                  : "info";
        const IconTone tone = note.severity == Severity::Error     ? IconTone::Err
                              : note.severity == Severity::Warning ? IconTone::Warn
                                                                   : IconTone::Text2;
        const QString text =
            note.where.empty() ? q(note.message) : q(note.where) + QStringLiteral(": ") + q(note.message);
        list->addItem(new QListWidgetItem(icon(QLatin1String(symbol), tone), text));
    }
    for (const QString& line : found.summaries)
        list->addItem(new QListWidgetItem(icon(QStringLiteral("ok"), IconTone::Ok), line));
    auto* buttons = new QDialogButtonBox(this);
    auto* add = buttons->addButton(
        tr("Add the %1 good rows").arg(countText(static_cast<std::int64_t>(found.rows.size()))),
        QDialogButtonBox::AcceptRole);
    add->setObjectName(QStringLiteral("profileImport.add"));
    add->setEnabled(!found.rows.empty());
    buttons->addButton(QDialogButtonBox::Cancel)->setObjectName(QStringLiteral("profileImport.cancel"));
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(8);
    column->addWidget(heading);
    column->addWidget(summary);
    column->addWidget(list, 1);
    column->addWidget(new QLabel(tr("Nothing is added until you say so."), this));
    column->addWidget(buttons);
}

} // namespace pw

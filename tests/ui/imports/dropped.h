// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/ui_fixture.h"
#include "ui/imports/import_dialog.h"

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QFileInfo>
#include <QMimeData>
#include <QPushButton>
#include <QTabWidget>
#include <QTableWidget>
#include <QTemporaryDir>

namespace pw {

// Empty: it could not be written.
inline QString fileIn(const QTemporaryDir& folder, const char* name, const QByteArray& bytes) {
    const QString path = folder.filePath(QLatin1String(name));
    QFile out(path);
    return out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size() ? path : QString();
}

// The import dialog with files dropped onto it, and a store of its own.
struct Dropped : UiFixture {
    QTemporaryDir folder;
    QString store = folder.filePath(QStringLiteral("profiles.db"));
    ImportDialog dialog{context, store, &window};
    ProjectPtr before;
    int steps = 0;

    Dropped() { dialog.show(); }

    template <class T>
    T* find(const char* name) {
        return dialog.findChild<T*>(QLatin1String(name));
    }
    bool drop(const QStringList& paths) {
        before = document.project();
        steps = document.undoStack()->count();
        QMimeData mime;
        QList<QUrl> urls;
        for (const QString& path : paths)
            urls << QUrl::fromLocalFile(path);
        mime.setUrls(urls);
        QDragEnterEvent enter(QPoint(20, 20), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&dialog, &enter); // without it Qt delivers no drop
        QDropEvent event(QPointF(20, 20), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QSignalSpy shown(&dialog, &ImportDialog::readingShown);
        QApplication::sendEvent(&dialog, &event);
        return !shown.isEmpty() || shown.wait(60'000);
    }
    // The places and messages in view.
    QString notes() {
        auto* table = find<QTableWidget>("import.notes");
        QStringList lines;
        for (int row = 0; row < table->rowCount(); ++row)
            lines << table->item(row, 0)->toolTip() + QStringLiteral(": ") + table->item(row, 1)->text();
        return lines.join(QLatin1Char('\n'));
    }
    bool mayImport() { return find<QPushButton>("import.import")->isEnabled(); }
    void import() { QTest::mouseClick(find<QPushButton>("import.import"), Qt::LeftButton); }
    bool untouched() const {
        return document.project() == before &&
               const_cast<Document&>(document).undoStack()->count() == steps && candidates.all().empty() &&
               !QFileInfo::exists(store);
    }
    int tables() { return find<QTabWidget>("import.tabs")->count() - 1; } // and the file's text
};

} // namespace pw

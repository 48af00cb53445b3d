// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/manual_pages.h"

#include "ui/base/convert.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>

// A static library's resources are linked in by this call only; it must stand outside of any namespace.
static void initManual() {
    Q_INIT_RESOURCE(manual);
}

namespace pw {

const Manual& shippedManual() {
    static const Manual manual = [] {
        initManual();
        const QDir folder(QLatin1String{kManualFolder});
        std::vector<ManualPage> pages;
        QDirIterator files(folder.path(), {QStringLiteral("*.md")}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            if (file.open(QIODevice::ReadOnly))
                pages.push_back(readManualPage(s(folder.relativeFilePath(file.fileName())),
                                               file.readAll().toStdString()));
        }
        return Manual(std::move(pages));
    }();
    return manual;
}

} // namespace pw

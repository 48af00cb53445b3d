// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/about.h"

#include "core/base/version.h"
#include "ui/base/convert.h"

#include <QApplication>
#include <QIcon>
#include <QMessageBox>

namespace pw {

void showAbout(QWidget* parent) {
    QMessageBox box(parent);
    box.setWindowModality(Qt::WindowModal); // the manual stays within reach
    box.setWindowTitle(QCoreApplication::translate("About", "About Pipewright"));
    const QIcon icon = QApplication::windowIcon();
    box.setIconPixmap(icon.pixmap(48));
    box.setTextFormat(Qt::RichText);
    box.setText(
        QCoreApplication::translate(
            "About",
            "<b>Pipewright %1</b><br>%2<br><br>Plans for training on mixed GPUs.<br><br>Free software "
            "under the GNU General Public License, version 3 or later. Built with Qt and "
            "QCustomPlot.")
            .arg(q(fullVersion()), q(buildKind())));
    box.exec();
}

} // namespace pw

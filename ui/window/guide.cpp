// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/guide.h"

#include "core/base/version.h"
#include "ui/base/convert.h"
#include "ui/base/theme.h"

#include <QDialogButtonBox>
#include <QMessageBox>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace pw {

namespace {

QString guideHtml() {
    const std::pair<QString, QString> steps[] = {
        {Guide::tr("Draw"),
         Guide::tr("Put nodes and switches on the canvas and link them (L), or open a sample. Every "
                   "edit can be undone.")},
        {Guide::tr("Model"),
         Guide::tr("Choose a model or import its config.json. Global batch, sequence length and "
                   "precision are part of the question.")},
        {Guide::tr("Profiles"),
         Guide::tr("Import measured times where you have them. What is not measured is "
                   "estimated and carries dots and the sign \u2234 in every view.")},
        {Guide::tr("Search"),
         Guide::tr("F5 searches in the background; the best plan so far can be inspected "
                   "meanwhile. Shift+F5 stops and keeps what was found. The lower bound says how "
                   "much a better plan could gain at most. F6 puts all planners into one table.")},
        {Guide::tr("Inspect"),
         Guide::tr("Select a plan: stage map, timeline, memory and topology follow. Each idle "
                   "span names its length and cause.")},
        {Guide::tr("Export"),
         Guide::tr("Ctrl+E writes the plan as files of a trainer. What a trainer cannot express "
                   "is refused with the stage and the reason, never approximated.")},
    };
    QString html;
    int number = 1;
    for (const auto& [title, text] : steps)
        html += QStringLiteral("<p><b>%1. %2</b><br>%3</p>").arg(number++).arg(title, text);
    return html;
}

} // namespace

Guide::Guide(QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("guide"));
    setWindowTitle(tr("From a cluster to a plan"));
    resize(520, 480);
    auto* text = new QTextBrowser;
    text->setObjectName(QStringLiteral("guide.text"));
    text->setAccessibleName(windowTitle());
    text->setFont(bodyFont());
    text->setHtml(guideHtml());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addWidget(text);
    column->addWidget(buttons);
}

void showAbout(QWidget* parent) {
    QMessageBox::about(
        parent, Guide::tr("About Pipewright"),
        Guide::tr("<b>Pipewright %1</b><br>%2<br><br>Plans for training on mixed GPUs.<br><br>Free software "
                  "under the GNU General Public License, version 3 or later. Built with Qt and "
                  "QCustomPlot.")
            .arg(q(fullVersion()), q(buildKind())));
}

} // namespace pw

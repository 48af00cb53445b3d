// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/key_sheet.h"

#include "ui/base/theme.h"
#include "ui/commands/command_table.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QKeySequence>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace pw {

namespace {

QString keysText(const CommandRow& row) {
    QStringList shown;
    for (const QString& key : QString::fromLatin1(row.keys).split(QStringLiteral("; "), Qt::SkipEmptyParts))
        shown.append(
            QKeySequence(key, QKeySequence::PortableText).toString(QKeySequence::NativeText).toHtmlEscaped());
    return shown.join(QStringLiteral("&nbsp; "));
}

} // namespace

QString keySheetHtml() {
    QStringList contexts;
    for (const CommandRow& row : commandTable())
        if (*row.keys && !contexts.contains(QLatin1String(row.context)))
            contexts.append(QLatin1String(row.context));
    QString html;
    for (const QString& context : contexts) {
        QString title = QCoreApplication::translate("Commands", context.toLatin1().constData());
        title[0] = title[0].toUpper();
        html += QStringLiteral("<p style='font-weight:600; margin-top:12px'>%1</p><table cellpadding='2'>")
                    .arg(title);
        for (const CommandRow& row : commandTable())
            if (*row.keys && context == QLatin1String(row.context))
                html += QStringLiteral("<tr><td width='170'><b>%1</b></td><td>%2</td></tr>")
                            .arg(keysText(row),
                                 QCoreApplication::translate("Commands", row.help).toHtmlEscaped());
        html += QStringLiteral("</table>");
    }
    return html;
}

KeySheet::KeySheet(QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("keySheet"));
    setWindowTitle(tr("Keys"));
    resize(560, 640);
    auto* sheet = new QTextBrowser;
    sheet->setObjectName(QStringLiteral("keySheet.text"));
    sheet->setAccessibleName(tr("Keys of all commands"));
    sheet->setFont(bodyFont());
    sheet->setHtml(keySheetHtml());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addWidget(sheet);
    column->addWidget(buttons);
}

} // namespace pw

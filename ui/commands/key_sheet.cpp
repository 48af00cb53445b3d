// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/key_sheet.h"

#include "ui/base/theme.h"
#include "ui/commands/command_table.h"
#include "ui/widgets/read_by_keys.h"

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

// In the order of the table.
QStringList contexts() {
    QStringList names;
    for (const CommandRow& row : commandTable())
        if (!names.contains(QLatin1String(row.context)))
            names << QLatin1String(row.context);
    return names;
}

QString capitalised(QString text) {
    text[0] = text[0].toUpper();
    return text;
}

QString tableRow(const CommandRow& row) {
    QStringList keys;
    for (const QString& key : QString::fromLatin1(row.keys).split(QStringLiteral("; "), Qt::SkipEmptyParts))
        keys << QStringLiteral("`%1`").arg(key);
    const QString menu = QLatin1String(row.menu);
    const QString name = QString::fromUtf8(row.text).remove(QLatin1Char('&')).remove(QStringLiteral("..."));
    return QStringLiteral("| %1%2 | %3 | %4 |\n")
        .arg(menu.isEmpty() ? QString() : menu + QStringLiteral(", "), name, keys.join(QLatin1Char(' ')),
             QString::fromUtf8(row.help));
}

} // namespace

QString keySheetHtml() {
    QString html;
    for (const QString& context : contexts()) {
        const QString title =
            capitalised(QCoreApplication::translate("Commands", context.toLatin1().constData()));
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

// In English, whatever the user's language: the page stands in the repository.
QString keysPage() {
    QString page = QStringLiteral(
        "# Commands and keys\n\nEvery command of the window. Written by `pipewright --keys`.\n");
    for (const QString& context : contexts()) {
        page +=
            QStringLiteral("\n## %1\n\n| command | keys | what |\n|---|---|---|\n").arg(capitalised(context));
        for (const CommandRow& row : commandTable())
            if (context == QLatin1String(row.context))
                page += tableRow(row);
    }
    return page;
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
    readByKeys(*sheet);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addWidget(sheet);
    column->addWidget(buttons);
}

} // namespace pw

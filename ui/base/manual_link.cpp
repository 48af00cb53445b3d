// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/manual_link.h"

#include "core/manual/page.h"
#include "ui/base/convert.h"

#include <QAbstractItemView>
#include <QCoreApplication>
#include <QDesktopServices>
#include <QLabel>

namespace pw {

QUrl manualUrl(const QString& target) {
    QUrl url;
    url.setScheme(QLatin1String(kManualScheme));
    url.setPath(QLatin1Char('/') + target.section(QLatin1Char('#'), 0, 0));
    if (target.contains(QLatin1Char('#')))
        url.setFragment(target.section(QLatin1Char('#'), 1));
    return url;
}

QUrl messageUrl(std::string_view code) {
    return manualUrl(QStringLiteral("messages.md#") + q(headingAnchor(code)));
}

void openMessage(std::string_view code) {
    QDesktopServices::openUrl(messageUrl(code));
}

void linkMessages(QAbstractItemView* view, int column) {
    QObject::connect(view, &QAbstractItemView::clicked, view, [column](const QModelIndex& index) {
        if (const QString code = index.data(kMessageCodeRole).toString();
            index.column() == column && !code.isEmpty())
            openMessage(s(code));
    });
}

QString explainText(std::string_view code) {
    return QCoreApplication::translate("ManualLink", "Explain %1 (Shift+F1)").arg(q(code));
}

QString explainLink(std::string_view code) {
    return code.empty() ? QString()
                        : QStringLiteral(" <a href=\"%1\">%2</a>")
                              .arg(messageUrl(code).toString(QUrl::FullyEncoded),
                                   QCoreApplication::translate("ManualLink", "Explain"));
}

void openLinks(QLabel* label) {
    label->setTextFormat(Qt::RichText);
    label->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    label->setOpenExternalLinks(true);
}

} // namespace pw

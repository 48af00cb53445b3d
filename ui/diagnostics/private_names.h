// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace pw {

// What a text for strangers has no need to tell: where somebody's home is, who it is, and which machine.
class PrivateNames {
public:
    PrivateNames(QStringList homes, QStringList users, QStringList hosts);
    static PrivateNames ofThisUser();

    // Paths in a home folder from "~" on; user and host as "<user>" and "<host>" wherever they stand as a
    // word of their own.
    QString shortened(const QString& text) const;

private:
    struct Word {
        QString name, instead;
    };
    QStringList m_homes; // longest first, as the words are
    QList<Word> m_words;
};

} // namespace pw

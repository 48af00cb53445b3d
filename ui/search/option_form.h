// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/search.h"

#include <QHash>
#include <QWidget>

class QLineEdit;

namespace pw {

// The search options as fields, made from core's option table: label, help, range and default are those of
// the command line. A field whose text is refused turns red with the reason, and valid() is false until it is
// repaired.
class OptionForm : public QWidget {
    Q_OBJECT

public:
    explicit OptionForm(QWidget* parent = nullptr);

    const SearchOptions& options() const { return m_options; }
    void setOptions(const SearchOptions& options);
    bool valid() const { return m_refused.isEmpty(); }
    QString refusal() const; // of the first refused field

Q_SIGNALS:
    void changed();

private:
    QWidget* makeField(const SearchOptionRow& row);
    void take(const SearchOptionRow& row, const QString& text, QWidget* field);
    void refreshHints();

    SearchOptions m_options;
    QHash<QString, QString> m_refused; // option name -> why
};

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/imports/text_place.h"

#include <QString>
#include <QWidget>

#include <string>

class QLabel;
class QPlainTextEdit;

namespace pw {

// The text of one of the files, as it is, with the place that a message names.
class SourcePane : public QWidget {
    Q_OBJECT

public:
    explicit SourcePane(QWidget* parent = nullptr);

    void showFile(const QString& path);
    QString path() const { return m_path; }
    // `where` as messages have it, "file:12:5" or "file#/key"; false if it names no place in this text.
    bool goTo(const QString& where);
    std::optional<TextPlace> place() const { return m_place; } // that is marked

private:
    QString m_path;
    std::string m_text;
    std::optional<TextPlace> m_place;
    QLabel* m_title;
    QPlainTextEdit* m_view;
};

} // namespace pw

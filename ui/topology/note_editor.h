// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

namespace pw {

// Stands over a note of the drawing while it is written: Ctrl+Enter and leaving it take the text, Esc drops
// it.
class NoteEditor : public QPlainTextEdit {
    Q_OBJECT

public:
    NoteEditor(const QString& text, QWidget* parent);
    void finish(bool take); // ends it; once

Q_SIGNALS:
    void written(const QString& text);
    void ended();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool focusNextPrevChild(bool next) override; // Tab leaves it for the canvas

private:
    QString m_before;
    bool m_done = false;
};

} // namespace pw

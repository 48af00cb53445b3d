// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

#include <functional>

namespace pw {

// Stands over the name of a node or switch while another one is written: Enter and leaving it take the name,
// Esc drops it. After Enter it stays where the name was refused, which is said elsewhere.
class NameEditor : public QLineEdit {
    Q_OBJECT

public:
    // `rename` takes a name without blanks around it, and answers whether the item is called so now.
    NameEditor(const QString& name, std::function<bool(const QString&)> rename, QWidget* parent);
    void take(bool leaves); // leaves: it ends however that goes
    void end();             // once

Q_SIGNALS:
    void ended();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool focusNextPrevChild(bool next) override; // Tab leaves it for the canvas

private:
    QString m_before;
    std::function<bool(const QString&)> m_rename;
    bool m_done = false;
};

} // namespace pw

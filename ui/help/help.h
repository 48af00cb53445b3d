// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QUrl>

#include <memory>

namespace pw {

class Commands;
class GlossaryMarks;
class ManualWindow;

// What opens the manual: the commands of the Help menu, F1 in a view or dialog or over a word of the
// glossary, and every link to a message.
// Modal dialogs shadow the window's keys; they are given the two keys of help when they are shown.
class Help : public QObject {
    Q_OBJECT

public:
    // `geometry` of the manual's window as it was left; empty: its own.
    Help(Commands& commands, QWidget& window, const QByteArray& geometry);
    ~Help() override;

    QByteArray geometry() const;                            // to be remembered
    ManualWindow* manual() const { return m_manual.get(); } // null before it was first asked for
    void show(const QString& target);

public Q_SLOTS:
    void open(const QUrl& url); // QDesktopServices calls it by this name

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void explain();

    Commands& m_commands;
    QWidget& m_window;
    QByteArray m_geometry;
    GlossaryMarks* m_glossary;
    std::unique_ptr<ManualWindow> m_manual;
};

// The code of the message that `focus` is at: that of the current row or the only one, or of a bar; empty if
// there is none.
QString messageCodeAt(const QWidget* focus);

} // namespace pw

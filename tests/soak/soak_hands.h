// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/random.h"

#include <QHash>
#include <QObject>
#include <QString>
#include <QStringList>

class QAction;
class QFileDialog;
class QMenu;
class QWidget;

namespace pw {

class MainWindow;
class SoakRecord;

// Hands that do not know what they do: any command, a click, key, turn of the wheel or drag anywhere, any
// file. What opens before the window is answered after a while, at random too. They write into one folder
// only and leave out what ends the program.
class SoakHands : public QObject {
    Q_OBJECT

public:
    SoakHands(MainWindow& window, const QString& folder, std::uint64_t seed, SoakRecord& record);

    void act(); // one action, until what it opened is closed

private:
    void command();
    void touch(QWidget* within);
    void press();
    void undo();
    void open();
    void import();
    void search();
    void answerSoon();
    void answer(); // what stands before the window
    void answerFile(QFileDialog& dialog);
    void answerMenu(QMenu& menu);

    bool chance(double share);
    template <class List>
    auto any(const List& list) -> decltype(list[0]);

    MainWindow& m_window;
    const QString m_folder;
    Random m_random;
    SoakRecord& m_record;
    QHash<QWidget*, int> m_patience;  // answers that a dialog still gets
    QStringList m_projects, m_inputs; // that ship
    QList<const char*> m_commands;
};

} // namespace pw

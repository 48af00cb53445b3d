// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QMap>

class QLabel;
class QTableWidget;

namespace pw {

class Commands;

// Keys of the user's own by command id, as portable text; a command without an entry has those of the table.
using OwnKeys = QMap<QString, QString>;
OwnKeys loadKeys(const QString& file); // an INI file; a missing one is empty
bool saveKeys(const QString& file, const OwnKeys& keys);
void applyKeys(const Commands& commands, const OwnKeys& keys);
// Commands that share a key where both can be meant: ids by id.
QMap<QString, QStringList> keyConflicts(const OwnKeys& keys);

// Every command with its keys. A double click, or Enter, takes new ones; what clashes is marked, and stays so
// until one of the two is changed. OK saves, Defaults goes back to the table.
class ShortcutEditor : public QDialog {
    Q_OBJECT

public:
    ShortcutEditor(Commands& commands, const QString& file, QWidget* parent = nullptr);
    QTableWidget* table() const { return m_table; }

private:
    void fill();
    void changed(int row);
    void mark();
    void filter(const QString& text);

    Commands& m_commands;
    QString m_file;
    OwnKeys m_keys;
    QTableWidget* m_table;
    QLabel* m_state;
    bool m_filling = false;
};

} // namespace pw

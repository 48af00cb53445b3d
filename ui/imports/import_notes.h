// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/diagnostics.h"

#include <QTableWidget>

namespace pw {

// What an import has to say: a row a message with its place, errors first; a click on one asks for the place,
// one on the last column for what the manual says.
class ImportNotes : public QTableWidget {
    Q_OBJECT

public:
    enum Column { Place, Message, Explain, ColumnCount };

    explicit ImportNotes(QWidget* parent = nullptr);

    void setNotes(const Diagnostics& notes);
    const Diagnostics& notes() const { return m_notes; } // in the order of the rows

Q_SIGNALS:
    void placeRequested(const QString& where);

private:
    Diagnostics m_notes;
};

// Whether a note asks for something that no file says, by the flag that states it on the command line.
bool isQuestion(const Diagnostic& note);

} // namespace pw

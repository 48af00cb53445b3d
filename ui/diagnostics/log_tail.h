// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/log.h"

#include <QByteArray>
#include <QString>

#include <vector>

namespace pw {

// Reads a rotating log, older files first, and then what is added to it.
class LogTail {
public:
    LogTail(QString file, int olderKept) : m_file(std::move(file)), m_olderKept(olderKept) {}

    struct News {
        bool fromBeginning = false; // all events: what was read before counts no more
        std::vector<LogEvent> events;
    };
    // What has come since the last call; everything at the first, and after the file was renamed. Lines that
    // are none of a log are events without time and place.
    News read();

private:
    void readFrom(const QString& file, qint64 offset, std::vector<LogEvent>& events);

    const QString m_file;
    const int m_olderKept;
    quint64 m_inode = 0; // of the file that m_end counts in; 0: none yet
    qint64 m_end = 0;    // behind the last whole line
};

} // namespace pw

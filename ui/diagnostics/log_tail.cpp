// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diagnostics/log_tail.h"

#include "core/base/log_file.h"
#include "core/base/text.h"
#include "ui/base/convert.h"

#include <QFile>

#include <sys/stat.h>

namespace pw {

LogTail::News LogTail::read() {
    News news;
    struct stat now {};
    const bool there = ::stat(QFile::encodeName(m_file).constData(), &now) == 0;
    const quint64 inode = there ? now.st_ino : 0;
    news.fromBeginning = inode != m_inode || now.st_size < m_end;
    if (news.fromBeginning)
        for (const std::filesystem::path& file : logFiles(s(m_file), m_olderKept))
            readFrom(q(file.string()), 0, news.events);
    else if (there && now.st_size > m_end)
        readFrom(m_file, m_end, news.events);
    m_inode = inode;
    return news;
}

void LogTail::readFrom(const QString& file, qint64 offset, std::vector<LogEvent>& events) {
    QFile in(file);
    if (!in.open(QIODevice::ReadOnly) || !in.seek(offset))
        return; // removed in this moment: what there is now is read at the next look
    const QByteArray text = in.readAll();
    const qsizetype end = text.lastIndexOf('\n') + 1; // a line that is being written is read later
    m_end = offset + end;
    for (const TextLine& line : linesOf({text.constData(), static_cast<std::size_t>(end)}))
        if (auto event = readLogLine(line.text))
            events.push_back(*std::move(event));
        else
            events.push_back({0, LogLevel::Info, {}, oneLine(line.text)});
}

} // namespace pw

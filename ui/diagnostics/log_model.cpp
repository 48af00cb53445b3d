// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diagnostics/log_model.h"

#include "ui/base/convert.h"
#include "ui/base/icons.h"
#include "ui/base/theme.h"

#include <QDateTime>

#include <algorithm>
#include <iterator>

namespace pw {

namespace {

// A tool tip does not break lines by itself; texts of somebody else's may have no blanks either.
QString wrapped(const QString& text) {
    constexpr int kColumns = 100;
    QString lines;
    for (qsizetype at = 0; at < text.size();) {
        qsizetype end = std::min<qsizetype>(at + kColumns, text.size());
        if (const qsizetype blank = text.lastIndexOf(QLatin1Char(' '), end - 1);
            end < text.size() && blank > at)
            end = blank + 1;
        lines += (lines.isEmpty() ? QString() : QStringLiteral("\n")) + text.mid(at, end - at);
        at = end;
    }
    return lines;
}

} // namespace

QString levelName(LogLevel level) {
    switch (level) {
    case LogLevel::Error:
        return LogModel::tr("error");
    case LogLevel::Warning:
        return LogModel::tr("warning");
    case LogLevel::Info:
        return LogModel::tr("info");
    case LogLevel::Debug:
        break;
    }
    return LogModel::tr("debug");
}

void LogModel::setEvents(std::vector<LogEvent> events) {
    beginResetModel();
    m_events = std::move(events);
    endResetModel();
}

void LogModel::append(std::vector<LogEvent> events) {
    if (events.empty())
        return;
    const int first = rowCount();
    beginInsertRows({}, first, first + static_cast<int>(events.size()) - 1);
    m_events.insert(m_events.end(), std::make_move_iterator(events.begin()),
                    std::make_move_iterator(events.end()));
    endInsertRows();
}

int LogModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_events.size());
}

int LogModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant LogModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const LogEvent& event = m_events[static_cast<std::size_t>(index.row())];
    switch (role) {
    case LevelRole:
        return static_cast<int>(event.level);
    case Qt::ToolTipRole:
        return index.column() == Place || index.column() == Event
                   ? wrapped(data(index, Qt::DisplayRole).toString())
                   : QVariant();
    case Qt::ForegroundRole:
        if (index.column() == Level && event.level == LogLevel::Error)
            return theme().err;
        if (index.column() == Level && event.level == LogLevel::Warning)
            return theme().warn;
        return index.column() != Event || event.level == LogLevel::Debug ? theme().text2 : QVariant();
    case Qt::DecorationRole:
        if (index.column() != Level || event.level > LogLevel::Warning)
            return {};
        return event.level == LogLevel::Error ? icon(QStringLiteral("error"), IconTone::Err)
                                              : icon(QStringLiteral("warning"), IconTone::Warn);
    case Qt::DisplayRole:
        break;
    default:
        return {};
    }
    switch (index.column()) {
    case Time:
        return event.time == 0 ? QString()
                               : QDateTime::fromMSecsSinceEpoch(event.time)
                                     .toString(QStringLiteral("yyyy-MM-dd hh:mm:ss.zzz"));
    case Level:
        return levelName(event.level);
    case Place:
        return q(event.place);
    default:
        return q(event.text);
    }
}

QVariant LogModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Time:
        return tr("Time");
    case Level:
        return tr("Level");
    case Place:
        return tr("Place");
    default:
        return tr("Event");
    }
}

void LogFilter::setMost(LogLevel level) {
    m_most = level;
    invalidateFilter();
}

void LogFilter::setText(const QString& text) {
    m_text = text;
    invalidateFilter();
}

bool LogFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const auto of = [&](int column) { return sourceModel()->index(row, column, parent); };
    if (of(LogModel::Level).data(LogModel::LevelRole).toInt() > static_cast<int>(m_most))
        return false;
    return m_text.isEmpty() || of(LogModel::Place).data().toString().contains(m_text, Qt::CaseInsensitive) ||
           of(LogModel::Event).data().toString().contains(m_text, Qt::CaseInsensitive);
}

} // namespace pw

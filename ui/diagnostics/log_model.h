// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/log.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include <vector>

namespace pw {

// The events of a log, oldest first.
class LogModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Time, Level, Place, Event, ColumnCount };
    enum Role { LevelRole = Qt::UserRole };

    using QAbstractTableModel::QAbstractTableModel;
    void setEvents(std::vector<LogEvent> events);
    void append(std::vector<LogEvent> events);
    const std::vector<LogEvent>& events() const { return m_events; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::vector<LogEvent> m_events;
};

QString levelName(LogLevel level); // for people

// Those up to a level that have a text in their place or event.
class LogFilter : public QSortFilterProxyModel {
    Q_OBJECT

public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setMost(LogLevel level);
    void setText(const QString& text);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    LogLevel m_most = LogLevel::Debug;
    QString m_text;
};

} // namespace pw

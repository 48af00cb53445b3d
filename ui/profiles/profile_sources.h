// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile.h"
#include "core/store/store.h"

#include <QAbstractTableModel>
#include <QStringList>

#include <vector>

namespace pw {

// One set of measurements, by its source: how much of it the project holds and how much the user's own store.
struct ProfileSource {
    QString source, model, licence, date;
    QStringList kinds;
    std::int64_t inProject = 0, inStore = 0; // rows
};

std::vector<ProfileSource> profileSources(const std::vector<ProfileRow>& project,
                                          const std::vector<ProfileStore::SourceRow>& store);

class SourceModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Source, Model, Kinds, InProject, InStore, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;
    void setSources(std::vector<ProfileSource> sources);
    const std::vector<ProfileSource>& sources() const { return m_sources; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::vector<ProfileSource> m_sources;
    qsizetype m_common = 0; // leading characters that are left out of every name
};

} // namespace pw

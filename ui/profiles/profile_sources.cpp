// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profiles/profile_sources.h"

#include "ui/base/convert.h"
#include "ui/base/format.h"

#include <map>

namespace pw {

std::vector<ProfileSource> profileSources(const std::vector<ProfileRow>& project,
                                          const std::vector<ProfileStore::SourceRow>& store) {
    std::map<QString, ProfileSource> found;
    const auto note = [](QStringList& list, const QString& text) {
        if (!list.contains(text))
            list << text;
    };
    for (const ProfileRow& row : project) {
        ProfileSource& entry = found[q(row.source)];
        entry.source = q(row.source);
        entry.model = q(row.model);
        entry.licence = q(row.licence);
        entry.date = q(row.date);
        note(entry.kinds, q(row.kind));
        ++entry.inProject;
    }
    for (const ProfileStore::SourceRow& row : store) {
        ProfileSource& entry = found[q(row.source)];
        entry.source = q(row.source);
        if (entry.model.isEmpty())
            entry.model = q(row.model);
        if (entry.licence.isEmpty())
            entry.licence = q(row.licence);
        if (entry.date.isEmpty())
            entry.date = q(row.date);
        for (const std::string& kind : row.kinds)
            note(entry.kinds, q(kind));
        if (row.links > 0)
            note(entry.kinds, SourceModel::tr("%1 timed collectives").arg(row.links));
        entry.inStore += row.rows;
    }
    std::vector<ProfileSource> all;
    for (auto& [name, entry] : found)
        all.push_back(std::move(entry));
    return all;
}

namespace {

// Characters of the folders that all names begin with: they tell nothing apart and are what a narrow column
// would show.
qsizetype commonFolder(const std::vector<ProfileSource>& sources) {
    if (sources.size() < 2)
        return 0;
    QString folder = sources.front().source;
    for (const ProfileSource& one : sources)
        while (!folder.isEmpty() && !one.source.startsWith(folder))
            folder.chop(1);
    return folder.lastIndexOf(QLatin1Char('/')) + 1;
}

} // namespace

void SourceModel::setSources(std::vector<ProfileSource> sources) {
    beginResetModel();
    m_common = commonFolder(sources);
    m_sources = std::move(sources);
    endResetModel();
}

int SourceModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_sources.size());
}

int SourceModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant SourceModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const ProfileSource& row = m_sources[static_cast<std::size_t>(index.row())];
    if (role == Qt::TextAlignmentRole)
        return index.column() >= InProject ? int(Qt::AlignRight | Qt::AlignVCenter)
                                           : int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && index.column() == Source)
        return QStringList({row.source, row.licence, row.date}).join(QLatin1Char('\n')).trimmed();
    if (role != Qt::DisplayRole)
        return {};
    const auto count = [](std::int64_t n) { return n ? countText(n) : QStringLiteral("\u2013"); };
    switch (index.column()) {
    case Source:
        return m_common > 0 ? QStringLiteral("\u2026/") + row.source.mid(m_common) : row.source;
    case Model:
        return row.model;
    case Kinds:
        return row.kinds.join(QStringLiteral(", "));
    case InProject:
        return count(row.inProject);
    case InStore:
        return count(row.inStore);
    default:
        return {};
    }
}

QVariant SourceModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section >= InProject ? int(Qt::AlignRight | Qt::AlignVCenter)
                                    : int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Source:
        return tr("Source");
    case Model:
        return tr("Model");
    case Kinds:
        return tr("Kinds");
    case InProject:
        return tr("In project");
    case InStore:
        return tr("In store");
    default:
        return {};
    }
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profiles/coverage.h"

#include "ui/base/convert.h"
#include "ui/base/theme.h"

#include <QPainter>

#include <algorithm>
#include <set>

namespace pw {

namespace {

// Profilers count 0 embedding, then the blocks, the head behind them; the first block stands for all.
std::vector<std::pair<int, QString>> coveredLayers(const Model& model) {
    return {{1, CoverageModel::tr("block")},
            {0, CoverageModel::tr("embedding")},
            {static_cast<int>(model.blocks) + 1, CoverageModel::tr("head")}};
}

} // namespace

Coverage coverageOf(const Project& project) {
    Coverage coverage;
    if (!project.model)
        return coverage;
    std::vector<ProfileRow> rows;
    for (const ProfileRow& row : project.profiles)
        if (row.model == project.model->name)
            rows.push_back(row);
    std::set<int> microbatches = {1, 2, 4, 8};
    for (const ProfileRow& row : rows)
        microbatches.insert(row.mbs);
    coverage.microbatches.assign(microbatches.begin(), microbatches.end());
    // Kinds in the order of the drawing, each with the widest node that has them.
    std::vector<std::pair<std::string, int>> kinds;
    for (const Node& n : project.cluster.nodes) {
        const auto known =
            std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.first == n.kind; });
        if (known == kinds.end())
            kinds.emplace_back(n.kind, n.gpus);
        else
            known->second = std::max(known->second, n.gpus);
    }
    // A row that states its precision or sequence answers for that only; those of the plans are asked for.
    const Precision precision =
        resolvedPrecision(project.cluster, project.recipe.precision, project.forbidden)
            .value_or(project.recipe.precision);
    const ProfileTable table(std::move(rows));
    for (const auto& [kind, gpus] : kinds) {
        const DeviceKind* known = findKind(project.cluster, kind);
        for (const auto& [layer, layerName] : coveredLayers(*project.model))
            for (int tp = 1; tp <= std::min(8, gpus); tp *= 2) {
                Coverage::Row row;
                row.kindName = kind;
                row.layer = layer;
                row.layerName = layerName;
                row.kind = known ? q(known->shortName) : q(kind);
                row.tp = tp;
                for (const int mbs : coverage.microbatches) {
                    CoverageCell cell;
                    if (const auto cost = table.find(kind, layer, tp, mbs, precision, project.recipe.seq)) {
                        cell.provenance = cost->provenance;
                        cell.seconds = (cost->forward + cost->backward).value;
                    }
                    coverage.measured += cell.provenance == Provenance::Measured;
                    coverage.interpolated += cell.provenance == Provenance::Interpolated;
                    coverage.estimated += cell.provenance == Provenance::Estimated;
                    row.cells.push_back(cell);
                }
                coverage.rows.push_back(std::move(row));
            }
    }
    return coverage;
}

void CoverageModel::setCoverage(Coverage coverage) {
    beginResetModel();
    m_coverage = std::move(coverage);
    endResetModel();
}

int CoverageModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_coverage.rows.size());
}

int CoverageModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kNames + static_cast<int>(m_coverage.microbatches.size());
}

QVariant CoverageModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Coverage::Row& row = m_coverage.rows[static_cast<std::size_t>(index.row())];
    if (role == Qt::TextAlignmentRole)
        return index.column() < kNames ? int(Qt::AlignLeft | Qt::AlignVCenter) : int(Qt::AlignCenter);
    if (index.column() < kNames) {
        if (role != Qt::DisplayRole)
            return {};
        return index.column() == 0 ? row.kind : index.column() == 1 ? row.layerName : tr("tp %1").arg(row.tp);
    }
    const CoverageCell& cell = row.cells[static_cast<std::size_t>(index.column() - kNames)];
    const QString what = q(name(cell.provenance));
    switch (role) {
    case Qt::DisplayRole:
        return cell.provenance == Provenance::Estimated ? QStringLiteral("\u2234")
                                                        : QString::number(cell.seconds, 'f', 3);
    case Qt::ToolTipRole:
    case Qt::AccessibleDescriptionRole:
        return what;
    case ProvenanceRole:
        return static_cast<int>(cell.provenance);
    default:
        return {};
    }
}

QVariant CoverageModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section < kNames ? int(Qt::AlignLeft | Qt::AlignVCenter) : int(Qt::AlignCenter);
    if (role != Qt::DisplayRole)
        return {};
    if (section == 0)
        return tr("Seconds");
    if (section < kNames)
        return QString();
    return tr("mbs %1").arg(m_coverage.microbatches[static_cast<std::size_t>(section - kNames)]);
}

void paintCoverageSign(QPainter& painter, const QRect& rect, Provenance provenance) {
    const Theme& t = theme();
    switch (provenance) {
    case Provenance::Measured:
        painter.fillRect(rect, t.infoGround);
        painter.setPen(t.line);
        break;
    case Provenance::Interpolated:
        painter.setPen(t.text3);
        break;
    case Provenance::Fitted:
    case Provenance::Estimated: {
        painter.fillRect(rect, QBrush(t.line, Qt::Dense6Pattern));
        painter.setPen(QPen(t.text3, 1, Qt::DotLine));
        break;
    }
    }
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect.adjusted(0, 0, -1, -1));
}

void CoverageDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const {
    const QVariant provenance = index.data(CoverageModel::ProvenanceRole);
    if (!provenance.isValid()) {
        QStyledItemDelegate::paint(painter, option, index);
        return;
    }
    const QRect cell = option.rect.adjusted(2, 2, -2, -2);
    paintCoverageSign(*painter, cell, static_cast<Provenance>(provenance.toInt()));
    if (option.state & QStyle::State_Selected) {
        painter->setPen(QPen(theme().accent, 2));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(cell);
    }
    painter->setFont(smallFont());
    painter->setPen(static_cast<Provenance>(provenance.toInt()) == Provenance::Estimated ? theme().text2
                                                                                         : theme().text);
    painter->drawText(cell, Qt::AlignCenter, index.data().toString());
}

} // namespace pw

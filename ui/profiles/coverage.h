// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/project/project.h"

#include <QAbstractTableModel>
#include <QStyledItemDelegate>

#include <vector>

namespace pw {

// What is known about the embedding, a transformer block and the head, by device kind of the cluster,
// tensor-parallel size and micro-batch: measured, interpolated between two measured micro-batches, or left to
// the estimate.
struct CoverageCell {
    Provenance provenance = Provenance::Estimated;
    double seconds = 0.0; // forward + backward of the layer; 0 when estimated
};

struct Coverage {
    struct Row {
        QString kind;
        std::string kindName; // of the catalogue
        int layer = 1;        // as profilers count
        QString layerName;
        int tp = 1;
        std::vector<CoverageCell> cells; // one a micro-batch
    };
    std::vector<int> microbatches;
    std::vector<Row> rows;
    int measured = 0, interpolated = 0, estimated = 0; // cells
    int total() const { return measured + interpolated + estimated; }
};

// tp 1, 2, 4, 8 up to the GPUs of a node, and micro-batches 1, 2, 4, 8 with whatever else is measured.
Coverage coverageOf(const Project& project);

class CoverageModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role { ProvenanceRole = Qt::UserRole };
    static constexpr int kNames = 3; // columns before those of the micro-batches

    using QAbstractTableModel::QAbstractTableModel;
    void setCoverage(Coverage coverage);
    const Coverage& coverage() const { return m_coverage; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    Coverage m_coverage;
};

// Measured cells filled, interpolated ones outlined, estimates dotted: told apart without colour.
class CoverageDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

// The same three signs for a legend.
void paintCoverageSign(QPainter& painter, const QRect& rect, Provenance provenance);

} // namespace pw

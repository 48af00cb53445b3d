// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/sweep/sweep_study.h"

#include <QAbstractTableModel>

#include <optional>

namespace pw {

// Tasks of the open sweep, or some of them: number, a column an axis, standing, and the figures that any task
// has. It sorts numbers itself: a proxy that asks for every comparison takes half a second for 59,049 tasks.
// Tasks without the figure come last, whichever way is sorted.
class SweepTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    explicit SweepTableModel(SweepStudy& study, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

    void setTasks(std::vector<std::size_t> tasks); // these and no others from now on
    int taskAt(int row) const;                     // -1: there is no such row
    int rowOf(int task) const;                     // -1: it is not among them
    int columnOf(SweepFigure figure) const;        // -1: no task has it

private:
    void reload();
    void refresh();
    void arrange();
    std::optional<SweepFigure> figureOf(int column) const;
    double sortKey(std::size_t task) const; // of the sorted column; not a number: none
    int standingColumn() const;

    SweepStudy& m_study;
    std::optional<std::vector<std::size_t>> m_only;
    std::vector<std::size_t> m_order;   // tasks, by row
    std::vector<int> m_rowOf;           // by task
    std::vector<SweepFigure> m_figures; // columns behind the standing
    int m_column = 0;
    Qt::SortOrder m_direction = Qt::AscendingOrder;
};

} // namespace pw

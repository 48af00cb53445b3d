// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/accuracy/tie.h"
#include "ui/commands/app_context.h"
#include "ui/plans/differing_plans.h"
#include "ui/plans/known_plans.h"
#include "ui/plans/near_ties.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace pw {

struct Candidate;

// The candidates as rows, best first. Display texts carry their units; SortRole has the raw values.
class PlanTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        Pin,
        Name,
        Ties, // how many near ties stand behind the plan; a mark where it differs
        Iteration,
        Expected, // the span of 80 % of runs like it
        Beside,   // the best plan of the same question: a tie, slower, or of another file faster
        Differs,  // from that one by what, and for how much time
        Tokens,
        Bubble,
        Idle, // of all GPUs
        PeakMemory,
        Chance, // to fit
        Stages,
        Schedule,
        Launch,
        Trainers, // that can run it
        Measured,
        Rank,   // of non-dominated sorting by time, GPUs and memory; none of a stale plan
        Origin, // of a stale plan that word
        Note,
        ColumnCount
    };
    Q_ENUM(Column)
    enum Role {
        SortRole = Qt::UserRole + 1, // raw value
        IdRole,                      // of the candidate
        ShareRole,                   // 0..1: length of the cell's bar; of the plans shown for Iteration
        ReasonRole,                  // why an infeasible plan does not work; empty = feasible
        BestRole,                    // the fastest feasible plan of the project as it is
        StaleRole,                   // answers another question than the document's
        PlaceRole,                   // PlanPlace, as a number
        AheadRole,                   // sharesAhead(), of its place
        TightRole,                   // a device is at 95 % of its memory or above
        DeviceRole,                  // of the peak memory, "n1.g0"
        TieRole,                     // too close to the best plan to tell which is faster
        LeaderRole,                  // id of the plan that it is a near tie of; -1: of none
        TiesRole,                    // how many plans are near ties of it
        StagesRole,                  // QVariantList of (stage, layers, devices) for the coloured strip
    };

    explicit PlanTableModel(AppContext& context, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value,
                 int role = Qt::EditRole) override; // notes and names
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    // What a drag of rows carries: the candidates' ids, for the comparison.
    static constexpr char kPlanMime[] = "application/x-pipewright-plan";
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;
    QModelIndex indexOf(int id, int column = Name) const;

private:
    const Candidate& at(int row) const;
    std::optional<TimeComparison> besideBest(const Candidate& c) const;
    QString displayText(const Candidate& c, int column) const;
    QVariant sortValue(const Candidate& c, int column) const;
    QVariant share(const Candidate& c, int column) const;
    void reload();

    AppContext& m_context;
    std::vector<int> m_ranks;              // by row
    std::vector<double> m_ahead;           // likewise
    QHash<int, DifferingPlan> m_differing; // by id
    NearTies m_ties;
    mutable KnownPlans m_known;
    std::vector<int> m_ids; // rows; only changes between begin and end of a reset or an insertion
    double m_fastest = 0.0, m_slowest = 0.0; // feasible plans, seconds
};

} // namespace pw

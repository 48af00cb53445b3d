// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tournament/tournament_model.h"

#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/session/memory_room.h"
#include "ui/session/plan_text.h"
#include "ui/session/tournament_runner.h"

namespace pw {

namespace {

constexpr double kTight = 0.95;

bool rightAligned(int column) {
    return column >= TournamentModel::Time && column <= TournamentModel::PeakMemory;
}

QString wallText(double seconds) {
    return iterationText(Seconds(seconds));
}

QString statusWord(const SearchOutcome& outcome) {
    switch (outcome.status) {
    case SearchStatus::Optimal:
        return TournamentModel::tr("Optimal");
    case SearchStatus::Feasible:
        return TournamentModel::tr("Feasible");
    case SearchStatus::Stopped:
        return TournamentModel::tr("Stopped");
    case SearchStatus::Budget:
        return outcome.timeLimit ? TournamentModel::tr("Time limit") : TournamentModel::tr("Work limit");
    case SearchStatus::Infeasible:
        return TournamentModel::tr("Infeasible");
    }
    return {};
}

double hitShare(const SearchOutcome& outcome) {
    return static_cast<double>(outcome.cacheHits) / static_cast<double>(outcome.cacheLookups);
}

double fullness(const Evaluation& evaluation) {
    const DeviceMemory* fullest = fullestDevice(evaluation);
    return fullest ? fullest->peak.total() / fullest->capacity : 0.0;
}

} // namespace

TournamentModel::TournamentModel(AppContext& context, QObject* parent)
    : QAbstractTableModel(parent), m_context(context) {
    const TournamentRunner& runner = context.tournament;
    connect(&runner, &TournamentRunner::started, this, &TournamentModel::reload);
    connect(&runner, &TournamentRunner::forgotten, this, &TournamentModel::reload);
    connect(&runner, &TournamentRunner::progressed, this, &TournamentModel::refresh);
    connect(&runner, &TournamentRunner::finished, this, &TournamentModel::refresh);
    reload();
}

void TournamentModel::reload() {
    beginResetModel();
    m_rows = static_cast<int>(m_context.tournament.entrants().size());
    m_fastest = 0.0;
    endResetModel();
    refresh();
}

void TournamentModel::refresh() {
    const auto ranked = m_context.tournament.tournament().ranked();
    m_fastest = ranked.empty() ? 0.0 : ranked.front()->outcome.plans.front().evaluation.iteration.value;
    if (m_rows > 0)
        Q_EMIT dataChanged(index(0, 0), index(m_rows - 1, ColumnCount - 1));
}

int TournamentModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_rows;
}

int TournamentModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

const TournamentRow* TournamentModel::ended(int row) const {
    const auto& rows = m_context.tournament.tournament().rows;
    return row >= 0 && static_cast<std::size_t>(row) < rows.size() ? &rows[static_cast<std::size_t>(row)]
                                                                   : nullptr;
}

QString TournamentModel::progressText(int column) const {
    const SearchProgress& p = m_context.tournament.progress();
    if (column == Ended)
        return tr("Searching");
    if (p.work == 0 && p.workLimit == 0) // nothing reported yet
        return {};
    switch (column) {
    case Time:
        return wallText(p.elapsed);
    case Candidates:
        return countText(p.work);
    case Judged:
        return countText(p.evaluated);
    case Iteration:
        return p.best.value > 0.0 ? iterationText(p.best) : QString();
    default:
        return {};
    }
}

QString TournamentModel::endedText(int row, int column) const {
    const TournamentRow& r = *ended(row);
    const SearchOutcome& o = r.outcome;
    if (r.leftOut)
        return column == Ended ? tr("Left out") : QString();
    switch (column) {
    case Ended:
        return statusWord(o);
    case Time:
        return wallText(o.wall);
    case Candidates:
        return countText(o.work);
    case Judged:
        return countText(o.evaluated);
    case Operators:
        return countText(o.operatorEvaluations);
    case CacheHits:
        return o.cacheLookups > 0 ? shareText(hitShare(o)) : tr("none");
    default:
        break;
    }
    if (o.plans.empty())
        return {};
    const Plan& plan = o.plans.front().plan;
    const Evaluation& e = o.plans.front().evaluation;
    switch (column) {
    case Iteration:
        return markedIteration(e);
    case Behind:
        return e.iteration.value <= m_fastest ? tr("best") : shareText(e.iteration.value / m_fastest - 1.0);
    case Gap: {
        const std::optional<double> gap = m_context.tournament.tournament().gap(r);
        return gap ? shareText(*gap) : tr("none");
    }
    case PeakMemory: {
        const DeviceMemory* fullest = fullestDevice(e);
        return fullest
                   ? peakText(fullest->peak.total(), memoryRoom(*m_context.tournament.problem(), *fullest))
                   : QString();
    }
    case Schedule:
        return scheduleText(plan);
    case Gpus:
        return q(stagePattern(*m_context.tournament.problem(), plan));
    default:
        return {};
    }
}

QString TournamentModel::displayText(int row, int column) const {
    const Entrant& entrant = m_context.tournament.entrants()[static_cast<std::size_t>(row)];
    if (column == Planner)
        return q(entrant.label());
    if (column == Standing)
        return q(entrant.planner->standing);
    if (ended(row))
        return endedText(row, column);
    if (row == m_context.tournament.current())
        return progressText(column);
    return column == Ended ? tr("Waiting") : QString();
}

QVariant TournamentModel::sortValue(int row, int column) const {
    if (column == Planner)
        return row;
    if (column == Standing || column == Ended)
        return displayText(row, column);
    const TournamentRow* r = ended(row);
    if (!r || r->leftOut)
        return {};
    const SearchOutcome& o = r->outcome;
    switch (column) {
    case Time:
        return o.wall;
    case Candidates:
        return static_cast<qlonglong>(o.work);
    case Judged:
        return static_cast<qlonglong>(o.evaluated);
    case Operators:
        return static_cast<qlonglong>(o.operatorEvaluations);
    case CacheHits:
        return o.cacheLookups > 0 ? QVariant(hitShare(o)) : QVariant();
    default:
        break;
    }
    if (o.plans.empty())
        return {};
    const Evaluation& e = o.plans.front().evaluation;
    if (column == Gap) {
        const std::optional<double> gap = m_context.tournament.tournament().gap(*r);
        return gap ? QVariant(*gap) : QVariant();
    }
    if (column == PeakMemory)
        return fullness(e);
    return column == Iteration || column == Behind ? QVariant(e.iteration.value)
                                                   : QVariant(displayText(row, column));
}

QVariant TournamentModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const int row = index.row(), column = index.column();
    const TournamentRow* r = ended(row);
    const Entrant& entrant = m_context.tournament.entrants()[static_cast<std::size_t>(row)];
    const Evaluation* best = r && !r->outcome.plans.empty() ? &r->outcome.plans.front().evaluation : nullptr;
    const QString reason = r && r->refusal ? lineText(*r->refusal) : QString();
    switch (role) {
    case Qt::DisplayRole:
        return displayText(row, column);
    case Qt::ToolTipRole:
        if (!reason.isEmpty() && column >= Ended)
            return reason;
        if (column == Gap && best && !r->outcome.covered)
            return tr("This plan lies outside the space that bounds are proven for");
        if (const DeviceMemory* fullest = column == PeakMemory && best ? fullestDevice(*best) : nullptr)
            if (const MemoryRoom room = memoryRoom(*m_context.tournament.problem(), *fullest);
                room.isHeldBack())
                return memoryText(fullest->peak.total(), room);
        return column == Planner || column == Standing ? QVariant(q(entrant.planner->help)) : QVariant();
    case Qt::AccessibleTextRole: {
        const QString header = headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        const QString text = QStringLiteral("%1 %2").arg(header, displayText(row, column)).trimmed();
        return reason.isEmpty() ? text : tr("%1, no plan: %2").arg(text, reason);
    }
    case Qt::TextAlignmentRole:
        return rightAligned(column) ? int(Qt::AlignRight | Qt::AlignVCenter)
                                    : int(Qt::AlignLeft | Qt::AlignVCenter);
    case SortRole:
        return sortValue(row, column);
    case ReasonRole:
        return reason;
    case InfeasibleRole:
        return r && !r->leftOut && r->outcome.status == SearchStatus::Infeasible;
    case BestRole:
        return best && best->iteration.value <= m_fastest;
    case PartialRole:
        return !entrant.without.empty();
    case SearchingRole:
        return !r && row == m_context.tournament.current();
    case TightRole:
        return best && fullness(*best) >= kTight;
    default:
        return {};
    }
}

QVariant TournamentModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return rightAligned(section) ? int(Qt::AlignRight | Qt::AlignVCenter)
                                     : int(Qt::AlignLeft | Qt::AlignVCenter);
    struct Header {
        QString title, tip;
    };
    const Header headers[ColumnCount] = {
        {tr("Planner"), tr("Sorts as they ran")},
        {tr("Standing"), tr("Whether the planner is a published one, a reconstruction, or this program's")},
        {tr("Ended"), tr("What ended the search")},
        {tr("Search"), tr("How long it searched")},
        {tr("Candidates"), tr("Candidates for a stage that were priced, its work")},
        {tr("Judged"), tr("Plans that were simulated")},
        {tr("Operators"), tr("Costs of single operators that were worked out")},
        {tr("Cache hits"), tr("Of all costs asked for, those that were known")},
        {tr("Iteration"), tr("Simulated time of one optimiser step of its best plan")},
        {tr("Behind"), tr("How much longer than the fastest of this table")},
        {tr("Gap"), tr("How much longer than the highest lower bound that any of them proved")},
        {tr("Peak memory"), tr("The fullest GPU of its best plan")},
        {tr("Schedule"), tr("Of its best plan")},
        {tr("GPUs a stage"), tr("Of its best plan; a bar where the kind changes")},
    };
    return role == Qt::DisplayRole   ? QVariant(headers[section].title)
           : role == Qt::ToolTipRole ? QVariant(headers[section].tip)
                                     : QVariant();
}

TournamentOrder::TournamentOrder(QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(TournamentModel::SortRole);
    setDynamicSortFilter(true);
}

bool TournamentOrder::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const bool hasLeft = left.data(TournamentModel::SortRole).isValid();
    const bool hasRight = right.data(TournamentModel::SortRole).isValid();
    if (hasLeft != hasRight)
        return hasLeft == (sortOrder() == Qt::AscendingOrder);
    return QSortFilterProxyModel::lessThan(left, right);
}

} // namespace pw

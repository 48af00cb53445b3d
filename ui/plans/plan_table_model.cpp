// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plans/plan_table_model.h"

#include "core/evaluate/idle_share.h"
#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/plans/kept_plans.h"
#include "ui/plans/plan_titles.h"
#include "ui/plots/plan_axis.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/memory_room.h"
#include "ui/session/plan_order.h"
#include "ui/session/plan_text.h"

#include <QMimeData>

#include <algorithm>
#include <limits>

namespace pw {

namespace {

constexpr double kTight = 0.95;

QVariantList strip(const Plan& plan) {
    QVariantList parts;
    int number = 0;
    for (const Pipeline& pipeline : plan.pipelines)
        for (const Stage& stage : pipeline.stages) {
            int layers = 0;
            for (const LayerRange& chunk : stage.chunks)
                layers += chunk.last - chunk.first + 1;
            parts.append(QVariant(QVariantList{number++, layers, stage.deviceCount()}));
        }
    return parts;
}

bool rightAligned(int column) {
    return column >= PlanTableModel::Iteration && column <= PlanTableModel::Chance &&
           column != PlanTableModel::Beside && column != PlanTableModel::Differs;
}

QString expectedTip(const Candidate& c) {
    const QString differs = differencesOf(c.band, c.features).join(QStringLiteral(", "));
    const QString text = PlanTableModel::tr("80 % of runs like it: %1; nearest %2")
                             .arg(basisText(c.band), nearestText(c.band));
    return differs.isEmpty() ? text : PlanTableModel::tr("%1, which differs in %2").arg(text, differs);
}

// Numbers by value, "17, edited" behind "17", other names behind all numbers.
QString nameOrder(const QString& name) {
    qsizetype digits = 0;
    while (digits < name.size() && name[digits].isDigit())
        ++digits;
    return digits == 0 ? QLatin1Char('~') + name
                       : name.left(digits).rightJustified(12, QLatin1Char('0')) + name.mid(digits);
}

} // namespace

PlanTableModel::PlanTableModel(AppContext& context, QObject* parent)
    : QAbstractTableModel(parent), m_context(context) {
    connect(&m_context.candidates, &Candidates::changed, this, &PlanTableModel::reload);
    connect(&m_context.document, &Document::changed, this, [this] {
        m_ahead = sharesAhead(m_context.candidates, m_context.document.problem());
        if (!m_ids.empty())
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    });
    reload();
}

void PlanTableModel::reload() {
    std::vector<int> ids;
    double fastest = 0.0, slowest = 0.0;
    for (const Candidate& c : m_context.candidates.all()) {
        ids.push_back(c.id);
        if (!c.evaluation.feasible)
            continue;
        if (fastest <= 0.0)
            fastest = c.evaluation.iteration.value;
        slowest = c.evaluation.iteration.value;
    }
    m_known.forgetOthers(ids);
    m_ranks = planRanks(m_context.candidates.all());
    m_ahead = sharesAhead(m_context.candidates, m_context.document.problem());
    m_differing =
        differingPlans(m_context.candidates.all(), [this](const Candidate& c) { return m_known.traits(c); });
    m_ties = nearTies(
        m_context.candidates.all(), m_differing,
        [this](const Candidate& c) -> const QString& { return m_known.structure(c); },
        [this](const Candidate& c) -> const QStringList& { return m_known.trainers(c); });
    const bool sameRows = ids == m_ids;
    if (!sameRows)
        beginResetModel();
    m_ids = std::move(ids);
    m_fastest = fastest;
    m_slowest = slowest;
    if (!sameRows)
        endResetModel();
    else if (!m_ids.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

const Candidate& PlanTableModel::at(int row) const {
    return m_context.candidates.all()[static_cast<std::size_t>(row)];
}

int PlanTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_ids.size());
}

int PlanTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QModelIndex PlanTableModel::indexOf(int id, int column) const {
    const auto at = std::find(m_ids.begin(), m_ids.end(), id);
    return at == m_ids.end() ? QModelIndex() : index(static_cast<int>(at - m_ids.begin()), column);
}

std::optional<TimeComparison> PlanTableModel::besideBest(const Candidate& c) const {
    return m_context.candidates.besideBest(c, m_context.document.problem());
}

QString PlanTableModel::displayText(const Candidate& c, int column) const {
    const Evaluation& e = c.evaluation;
    switch (column) {
    case Name:
        return c.name;
    case Iteration:
        return markedIteration(e);
    case Expected:
        return e.feasible ? expectedText(c.band, e.iteration) : QString();
    case Beside: {
        if (isEarlier(c, m_context.document.problem()))
            return staleWord();
        const auto beside = besideBest(c);
        return beside ? besideFigure(*beside) : QString();
    }
    case Tokens:
        return tokensText(e.tokensPerSecond);
    case Bubble:
        return shareText(idleShare(e.bubble));
    case Idle:
        return shareText(gpuIdleShare(c.plan, e));
    case Chance:
        return e.feasible ? shareText(m_known.chance(c)) : QString();
    case Ties: {
        const int ties = m_ties.count.value(c.id);
        QString count = ties > 0 ? QStringLiteral("+%1").arg(ties) : QString();
        if (!m_differing.contains(c.id))
            return count;
        return ties > 0 ? QStringLiteral("\u2260 ") + count : QStringLiteral("\u2260");
    }
    case Differs: {
        const auto at = m_differing.constFind(c.id);
        return at == m_differing.cend() ? QString() : differingText(*at);
    }
    case PeakMemory: {
        const DeviceMemory* fullest = fullestDevice(e);
        return fullest ? peakText(fullest->peak.total(), memoryRoom(*c.problem, *fullest)) : QString();
    }
    case Stages:
        return q(stagesText(*c.problem, c.plan));
    case Schedule:
        return scheduleText(c.plan);
    case Launch:
        return launchText(c.plan);
    case Trainers: {
        const QStringList& names = m_known.trainers(c);
        if (names.isEmpty())
            return tr("none");
        if (names.front() == runnerLabel())
            return tr("the runner");
        return names.size() == 1 ? names.front() : tr("%1 +%2").arg(names.front()).arg(names.size() - 1);
    }
    case Measured:
        return e.measuredShare > 0.0 ? shareText(e.measuredShare) : tr("\u2234 estimated");
    case Origin:
        return isEarlier(c, m_context.document.problem()) ? staleWord() : c.origin;
    case Note:
        return c.note;
    default:
        return {};
    }
}

QVariant PlanTableModel::sortValue(const Candidate& c, int column) const {
    const Evaluation& e = c.evaluation;
    switch (column) {
    case Pin:
        return c.pinned ? 0 : 1;
    case Name:
        return nameOrder(c.name);
    case Iteration:
        return e.feasible ? e.iteration.value : 1e30 + e.iteration.value; // infeasible rows stay last
    case Expected:
        return e.iteration.value * c.band.high;
    case Beside: {
        const auto beside = besideBest(c);
        return beside ? beside->firstFaster : e.feasible ? 0.0 : 2.0;
    }
    case Differs: {
        const auto at = m_differing.constFind(c.id);
        return at == m_differing.cend() ? std::numeric_limits<double>::max() : at->slower();
    }
    case Tokens:
        return e.tokensPerSecond;
    case Bubble:
        return idleShare(e.bubble);
    case Idle:
        return gpuIdleShare(c.plan, e);
    case Chance:
        return m_known.chance(c);
    case Ties:
        return -m_ties.count.value(c.id);
    case PeakMemory:
        return peakShare(c);
    case Stages:
        return stageCount(c.plan);
    case Measured:
        return e.measuredShare;
    case Trainers:
        return -static_cast<int>(m_known.trainers(c).size()); // those that most can run first
    default:
        return displayText(c, column);
    }
}

QVariant PlanTableModel::share(const Candidate& c, int column) const {
    if (column == Bubble)
        return idleShare(c.evaluation.bubble);
    if (column != Iteration || m_slowest <= m_fastest)
        return column == Iteration ? QVariant(1.0) : QVariant();
    // The range of the plans fills the bar, with a tenth left for the fastest one.
    return std::clamp(0.1 + 0.9 * (c.evaluation.iteration.value - m_fastest) / (m_slowest - m_fastest), 0.0,
                      1.0);
}

QVariant PlanTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Candidate& c = at(index.row());
    const int column = index.column();
    const QString reason = c.evaluation.feasible          ? QString()
                           : c.evaluation.reasons.empty() ? QString()
                                                          : messageText(c.evaluation.reasons.front());
    if (column == Rank && (role == Qt::DisplayRole || role == SortRole)) {
        const int rank = Candidates::isStale(c, m_context.document.problem())
                             ? 0
                             : m_ranks[static_cast<std::size_t>(index.row())];
        if (role == SortRole)
            return rank > 0 ? rank : std::numeric_limits<int>::max();
        return rank > 0 ? QString::number(rank) : QString();
    }
    switch (role) {
    case Qt::DisplayRole:
        return displayText(c, column);
    case Qt::EditRole:
        return column == Note ? QVariant(c.note) : column == Name ? QVariant(c.name) : QVariant();
    case Qt::ToolTipRole:
        if (!c.evaluation.feasible)
            return tr("Infeasible: %1").arg(reason);
        if (column == Iteration && c.evaluation.isEstimated())
            return tr("\u2234 rests on estimates, %1 of its computing time is measured")
                .arg(shareText(c.evaluation.measuredShare));
        if (column == Expected)
            return expectedTip(c);
        if (const DeviceMemory* fullest = column == PeakMemory ? fullestDevice(c.evaluation) : nullptr)
            if (const MemoryRoom room = memoryRoom(*c.problem, *fullest); room.isHeldBack())
                return memoryText(fullest->peak.total(), room);
        if (column == Trainers)
            return m_known.trainers(c).isEmpty()
                       ? tr("No trainer runs it as it is: Run with in Search looks for plans that one can")
                       : m_known.trainers(c).join(QLatin1Char('\n'));
        if (const auto at = m_differing.constFind(c.id);
            at != m_differing.cend() && (column == Ties || column == Differs))
            return differingTip(*at, m_context.candidates.bestLike(c)->name);
        if (const auto beside = besideBest(c); beside && column == Beside)
            return besideSentence(*beside, c, *m_context.candidates.bestLike(c));
        if (const QString apart = apartText(c, m_context.document.problem());
            !apart.isEmpty() && (column == Beside || column == Origin))
            return tr("Origin: %1. %2").arg(c.origin, apart);
        return c.note.isEmpty() ? QVariant() : QVariant(c.note);
    case Qt::AccessibleTextRole: {
        const QString header = headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        if (column == Pin)
            return (c.pinned ? tr("%1, pinned") : tr("%1, not pinned")).arg(planTitle(c));
        QString text = QStringLiteral("%1 %2").arg(header, displayText(c, column));
        if (const auto at = m_differing.constFind(c.id); at != m_differing.cend() && column == Ties)
            text = differingText(*at); // in place of the sign
        return c.evaluation.feasible ? text : tr("%1, infeasible: %2").arg(text, reason);
    }
    case Qt::TextAlignmentRole:
        return rightAligned(column) ? int(Qt::AlignRight | Qt::AlignVCenter)
                                    : int(Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::CheckStateRole:
        return {};
    case SortRole:
        return sortValue(c, column);
    case IdRole:
        return c.id;
    case ShareRole:
        return share(c, column);
    case ReasonRole:
        return c.evaluation.feasible ? QString() : (reason.isEmpty() ? tr("no reason given") : reason);
    case BestRole:
        return c.evaluation.feasible && m_context.candidates.bestLike(c) == &c &&
               !Candidates::isStale(c, m_context.document.problem());
    case StaleRole:
        return Candidates::isStale(c, m_context.document.problem());
    case PlaceRole:
        return static_cast<int>(placeOf(c, m_context.document.problem()));
    case AheadRole:
        return m_ahead[static_cast<std::size_t>(index.row())];
    case TightRole:
        return peakShare(c) >= kTight;
    case LeaderRole:
        return m_ties.leader.value(c.id, -1);
    case TiesRole:
        return m_ties.count.value(c.id);
    case TieRole: {
        const auto beside = besideBest(c);
        return beside && beside->isTie();
    }
    case DeviceRole: {
        const DeviceMemory* fullest = fullestDevice(c.evaluation);
        return fullest ? deviceId(*c.problem, fullest->device) : QString();
    }
    case StagesRole:
        return strip(c.plan);
    default:
        return column == Pin && role == Qt::UserRole ? QVariant(c.pinned) : QVariant();
    }
}

bool PlanTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || (index.column() != Note && index.column() != Name))
        return false;
    const int id = at(index.row()).id;
    if (index.column() == Note)
        notePlan(m_context, id, value.toString());
    else
        renamePlan(m_context, id, value.toString());
    return true;
}

Qt::ItemFlags PlanTableModel::flags(const QModelIndex& index) const {
    if (!index.isValid())
        return QAbstractTableModel::flags(index);
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index) | Qt::ItemIsDragEnabled;
    return index.column() == Note || index.column() == Name ? flags | Qt::ItemIsEditable : flags;
}

QStringList PlanTableModel::mimeTypes() const {
    return {QLatin1String(kPlanMime)};
}

QMimeData* PlanTableModel::mimeData(const QModelIndexList& indexes) const {
    QByteArrayList ids;
    for (const QModelIndex& index : indexes)
        if (const QByteArray id = QByteArray::number(at(index.row()).id); !ids.contains(id))
            ids << id;
    auto* data = new QMimeData;
    data->setData(QLatin1String(kPlanMime), ids.join(' '));
    return data;
}

QVariant PlanTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return rightAligned(section) ? int(Qt::AlignRight | Qt::AlignVCenter)
                                     : int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::DisplayRole)
        return columnTitle(section);
    const QString help = role == Qt::ToolTipRole ? columnHelp(section) : QString();
    return help.isEmpty() ? QVariant() : help;
}

} // namespace pw

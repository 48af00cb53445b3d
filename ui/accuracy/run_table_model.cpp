// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accuracy/run_table_model.h"

#include "ui/accuracy/accuracy_delegate.h"
#include "ui/base/convert.h"
#include "ui/base/format.h"

#include <cmath>

namespace pw {

namespace {

QString countOr(const std::optional<std::int64_t>& value) {
    return value ? QString::number(*value) : QStringLiteral("?");
}

// A run that failed has no figure: whether it fits is what was predicted of it.
bool judgedByFit(const RunRow& row, const RunPrediction& prediction) {
    return row.failed() && prediction.status == PredictionStatus::Ok;
}

} // namespace

QString runFigure(double value, RunQuantity quantity) {
    return quantity == RunQuantity::Time ? iterationText(Seconds(value))
                                         : QStringLiteral("%1 GiB").arg(decimalText(value, 1));
}

QString errorText(double error) {
    return QStringLiteral("%1 %").arg(signedText(100.0 * error, 1));
}

QString deviceText(const RunRow& row) {
    // "32 H100, 16 A100" and "8xRTX-3090+16xRTX-2080" state their numbers themselves.
    if (row.nGpus && row.gpu.find_first_of("+,&") != std::string::npos)
        return RunTableModel::tr("%1 GPUs: %2").arg(countText(*row.nGpus), q(row.gpu));
    return row.nGpus ? QStringLiteral("%1 \u00d7 %2").arg(countText(*row.nGpus), q(row.gpu)) : q(row.gpu);
}

QString refusalText(const RunPrediction& prediction) {
    switch (prediction.status) {
    case PredictionStatus::Ok:
        return {};
    case PredictionStatus::Unsupported:
        return RunTableModel::tr("Unsupported, %1").arg(q(prediction.remarks));
    case PredictionStatus::Error:
        return RunTableModel::tr("Error, %1").arg(q(prediction.remarks));
    }
    return {};
}

RunTableModel::RunTableModel(AccuracyStudy& study, QObject* parent)
    : QAbstractTableModel(parent), m_study(study) {
    connect(&study, &AccuracyStudy::changed, this, &RunTableModel::reload);
    connect(&study, &AccuracyStudy::chosenChanged, this, &RunTableModel::reload);
    connect(&study, &AccuracyStudy::quantityChanged, this, &RunTableModel::reload);
    reload();
}

void RunTableModel::reload() {
    const StudySource* source = m_study.source(m_study.chosen());
    const int rows = source ? static_cast<int>(source->rows.size()) : 0;
    const bool same = m_source == m_study.chosen() && rows == m_rows;
    if (!same)
        beginResetModel();
    m_source = m_study.chosen();
    m_rows = rows;
    if (!same)
        endResetModel();
    else if (m_rows > 0)
        Q_EMIT dataChanged(index(0, 0), index(m_rows - 1, ColumnCount - 1));
    Q_EMIT headerDataChanged(Qt::Horizontal, Measured, Error);
}

int RunTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_rows;
}

int RunTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

RunRef RunTableModel::runAt(const QModelIndex& index) const {
    return index.isValid() ? RunRef{m_source, index.row()} : RunRef{};
}

QModelIndex RunTableModel::indexOf(RunRef run) const {
    return run && run.source == m_source && run.row < m_rows ? index(run.row, Run) : QModelIndex();
}

QString RunTableModel::displayText(RunRef run, int column) const {
    const RunRow& row = *m_study.row(run);
    const RunPrediction& prediction = *m_study.prediction(run);
    const RunQuantity quantity = m_study.quantity();
    switch (column) {
    case Run:
        return q(row.rowId);
    case ModelName:
        return q(row.model);
    case Devices:
        return deviceText(row);
    case Parallel:
        return QStringLiteral("%1, %2, %3").arg(countOr(row.tp), countOr(row.pp), countOr(row.dp));
    case Schedule:
        return q(row.schedule);
    case Measured:
        if (row.failed())
            return tr("failed");
        return m_study.measured(run, quantity) ? runFigure(*m_study.measured(run, quantity), quantity)
                                               : dash();
    case Predicted:
        if (judgedByFit(row, prediction))
            return prediction.fits ? tr("fits") : tr("does not fit");
        return m_study.predicted(run, quantity) ? runFigure(*m_study.predicted(run, quantity), quantity)
                                                : dash();
    case Error:
        if (judgedByFit(row, prediction))
            return prediction.fits ? tr("wrong") : tr("right");
        return m_study.error(run, quantity) ? errorText(*m_study.error(run, quantity)) : dash();
    case Quality:
        return q(row.quality);
    default:
        return {};
    }
}

QVariant RunTableModel::sortValue(RunRef run, int column) const {
    switch (column) {
    case Devices:
        return double(m_study.row(run)->nGpus.value_or(0));
    case Measured:
        return m_study.measured(run, m_study.quantity()).value_or(-1.0);
    case Predicted:
        return m_study.predicted(run, m_study.quantity()).value_or(-1.0);
    case Error: // by size; rows without one follow, those that are refused last
        if (const auto error = m_study.error(run, m_study.quantity()))
            return std::abs(*error);
        return refusalText(*m_study.prediction(run)).isEmpty() ? -1.0 : -2.0;
    default:
        return displayText(run, column);
    }
}

// Why the run stands outside the figures, or what was assumed.
QString RunTableModel::note(RunRef run) const {
    if (m_study.isLeftOut(run))
        return tr("Left out by you");
    const RunPrediction& prediction = *m_study.prediction(run);
    if (const QString refused = refusalText(prediction); !refused.isEmpty())
        return refused;
    if (!m_study.source(run.source)->counted[static_cast<std::size_t>(run.row)])
        return tr("Not scored: of quality %1, or in contradiction with another row")
            .arg(q(m_study.row(run)->quality));
    return prediction.remarks.empty() ? QString() : tr("Assumed: %1").arg(q(prediction.remarks));
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const RunRef run = runAt(index);
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return displayText(run, column);
    case Qt::ToolTipRole:
        return note(run);
    case Qt::AccessibleTextRole: {
        const QString header = headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        const QString refused = refusalText(*m_study.prediction(run));
        if (column == Measured && !refused.isEmpty())
            return refused;
        const QString text = QStringLiteral("%1 %2").arg(header, displayText(run, column));
        return column == Run && m_study.isLeftOut(run) ? tr("%1, left out").arg(text) : text;
    }
    case Qt::TextAlignmentRole:
        return column >= Measured && column <= Error ? int(Qt::AlignRight | Qt::AlignVCenter)
                                                     : int(Qt::AlignLeft | Qt::AlignVCenter);
    case AccuracySortRole:
        return sortValue(run, column);
    case ErrorRole: {
        const auto error = m_study.error(run, m_study.quantity());
        return column == Error && error ? QVariant(*error) : QVariant();
    }
    case QuietRole:
        return m_study.isLeftOut(run) ||
               !m_study.source(run.source)->counted[static_cast<std::size_t>(run.row)];
    case StruckRole:
        return column == Run && m_study.isLeftOut(run);
    case StrongRole:
        return column == Run && run == m_study.run();
    case ReasonRole:
        return column == Measured ? refusalText(*m_study.prediction(run)) : QString();
    default:
        return {};
    }
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section >= Measured && section <= Error ? int(Qt::AlignRight | Qt::AlignVCenter)
                                                       : int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        if (section == Error)
            return tr("predicted / measured \u2212 1; sorted by its size");
        if (section == Parallel)
            return tr("Tensor, pipeline and data parallel");
        if (section == Quality)
            return tr("A complete, B with one thing inferred, C a sanity check that is not scored");
        return {};
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Run:
        return tr("Run");
    case ModelName:
        return tr("Model");
    case Devices:
        return tr("GPUs");
    case Parallel:
        return tr("tp, pp, dp");
    case Schedule:
        return tr("Schedule");
    case Measured:
        return tr("Measured");
    case Predicted:
        return tr("Predicted");
    case Error:
        return tr("Error");
    case Quality:
        return tr("Quality");
    default:
        return {};
    }
}

RunFilter::RunFilter(QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(AccuracySortRole);
    setDynamicSortFilter(true);
}

void RunFilter::setFilter(const QString& text) {
    m_words = text.simplified().toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

bool RunFilter::filterAcceptsRow(int row, const QModelIndex&) const {
    if (m_words.isEmpty())
        return true;
    QString haystack;
    for (int column = 0; column < sourceModel()->columnCount(); ++column)
        haystack += sourceModel()->index(row, column).data().toString().toLower() + QLatin1Char('\n');
    haystack += sourceModel()->index(row, RunTableModel::Measured).data(ReasonRole).toString().toLower();
    for (const QString& word : m_words)
        if (!haystack.contains(word))
            return false;
    return true;
}

bool RunFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const QPartialOrdering order =
        QVariant::compare(left.data(AccuracySortRole), right.data(AccuracySortRole));
    if (order != QPartialOrdering::Equivalent)
        return order == QPartialOrdering::Less;
    return left.row() < right.row();
}

} // namespace pw

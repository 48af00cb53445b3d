// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accuracy/source_table_model.h"

#include "ui/accuracy/accuracy_delegate.h"
#include "ui/base/format.h"

#include <QPointF>

namespace pw {

namespace {

QString signedShare(double share) {
    return QStringLiteral("%1 %").arg(signedText(100.0 * share, 1));
}

QString orderText(double tau) {
    return tau < 0.0 ? signedText(tau, 2) : decimalText(tau, 2);
}

int fitsRight(const FitsTable& fits) {
    return fits.fitsWorked + fits.tooLargeFailed;
}

int fitsAll(const FitsTable& fits) {
    return fits.fitsWorked + fits.fitsFailed + fits.tooLargeWorked + fits.tooLargeFailed;
}

// Whether memory was at stake anywhere: rows that ran and were expected to run tell nothing about it.
bool tellsFits(const SourceScore& score) {
    return score.memory.count > 0 || score.fits.fitsFailed + score.fits.tooLargeFailed > 0 ||
           score.fits.tooLargeWorked > 0;
}

QString fitsTip(const FitsTable& fits) {
    return SourceTableModel::tr("Ran: %1 predicted to fit, %2 not. Failed for want of memory: %3 predicted "
                                "to fit, %4 not.")
        .arg(fits.fitsWorked)
        .arg(fits.tooLargeWorked)
        .arg(fits.fitsFailed)
        .arg(fits.tooLargeFailed);
}

QVariant sortValue(const StudySource& source, int row, int column) {
    const SourceScore& s = source.score;
    switch (column) {
    case SourceTableModel::Source:
        return source.title;
    case SourceTableModel::Runs:
        return s.scorable;
    case SourceTableModel::Median:
    case SourceTableModel::Spread:
        return s.time.median;
    case SourceTableModel::P90:
        return s.time.p90;
    case SourceTableModel::Bias:
        return s.time.bias;
    case SourceTableModel::Order:
        return s.ranking.groups > 0 ? s.ranking.medianTau : -2.0;
    case SourceTableModel::Memory:
        return s.memory.count > 0 ? s.memory.median : -1.0;
    case SourceTableModel::Fits:
        return fitsAll(s.fits) > 0 ? double(fitsRight(s.fits)) / fitsAll(s.fits) : -1.0;
    case SourceTableModel::Refused:
        return s.unsupported + s.errors;
    default:
        return row;
    }
}

} // namespace

SourceMark markOf(const AccuracyStudy& study, int source) {
    if (source == study.chosen())
        return SourceMark::Chosen;
    const std::vector<int>& compared = study.compared();
    for (std::size_t i = 0; i < compared.size(); ++i)
        if (compared[i] == source)
            return i == 0 ? SourceMark::Triangle : SourceMark::Square;
    return SourceMark::Grey;
}

SourceTableModel::SourceTableModel(AccuracyStudy& study, QObject* parent)
    : QAbstractTableModel(parent), m_study(study) {
    connect(&study, &AccuracyStudy::changed, this, &SourceTableModel::reload);
    connect(&study, &AccuracyStudy::chosenChanged, this, [this] {
        if (m_rows > 0)
            Q_EMIT dataChanged(index(0, Mark), index(m_rows - 1, Mark));
    });
    reload();
}

void SourceTableModel::reload() {
    const int rows = static_cast<int>(m_study.sources().size());
    if (rows > m_rows) {
        beginInsertRows({}, m_rows, rows - 1);
        m_rows = rows;
        endInsertRows();
    } else if (rows < m_rows) {
        beginResetModel();
        m_rows = rows;
        endResetModel();
    }
    if (m_rows > 0)
        Q_EMIT dataChanged(index(0, 0), index(m_rows - 1, ColumnCount - 1));
}

int SourceTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_rows;
}

int SourceTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString SourceTableModel::displayText(const StudySource& source, int column) const {
    const SourceScore& s = source.score;
    const bool timed = s.time.count > 0;
    switch (column) {
    case Source:
        return source.title;
    case Runs:
        return countText(s.scorable);
    case Median:
        return timed ? shareText(s.time.median) : dash();
    case P90:
        return timed ? shareText(s.time.p90) : dash();
    case Bias:
        return timed ? signedShare(s.time.bias) : dash();
    case Order:
        return s.ranking.groups > 0 ? orderText(s.ranking.medianTau) : dash();
    case Memory:
        return s.memory.count > 0 ? shareText(s.memory.median) : dash();
    case Fits:
        return tellsFits(s) ? tr("%1 of %2").arg(fitsRight(s.fits)).arg(fitsAll(s.fits)) : dash();
    case Refused:
        return countText(s.unsupported + s.errors);
    default:
        return {};
    }
}

QVariant SourceTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const StudySource& source = m_study.sources()[static_cast<std::size_t>(index.row())];
    const SourceScore& s = source.score;
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return displayText(source, column);
    case Qt::AccessibleTextRole: {
        const QString header = headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        return QStringLiteral("%1 %2").arg(header, displayText(source, column)).trimmed();
    }
    case Qt::ToolTipRole:
        if (column == Fits)
            return fitsTip(s.fits);
        if (column == Order && s.ranking.groups > 0)
            return tr("%1 groups of equal model, GPUs, batch and sequence length. What is predicted fastest "
                      "costs %2 more than the fastest, in the median.")
                .arg(s.ranking.groups)
                .arg(shareText(s.ranking.medianRegret));
        if (column == Memory && s.memory.count > 0)
            return tr("%1 runs, 90 % within %2, bias %3")
                .arg(s.memory.count)
                .arg(shareText(s.memory.p90), signedShare(s.memory.bias));
        return tr("%1 rows, %2 of quality A and B, %3 predicted, %4 with a time%5")
            .arg(s.rows)
            .arg(s.scorable)
            .arg(s.predicted)
            .arg(s.time.count)
            .arg(source.note.isEmpty() ? QString() : QLatin1Char('\n') + source.note);
    case Qt::TextAlignmentRole:
        return column >= Runs ? int(Qt::AlignRight | Qt::AlignVCenter)
                              : int(Qt::AlignLeft | Qt::AlignVCenter);
    case AccuracySortRole:
        return sortValue(source, index.row(), column);
    case MarkRole:
        return column == Mark ? QVariant(int(markOf(m_study, index.row()))) : QVariant();
    case SpreadRole:
        return column == Spread && s.time.count > 0 ? QVariant(QPointF(s.time.median, s.time.p90))
                                                    : QVariant();
    case StrongRole:
        return column == Median || (column == Source && index.row() == m_study.chosen());
    case QuietRole:
        return column == P90 || displayText(source, column) == dash();
    default:
        return {};
    }
}

QVariant SourceTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section >= Runs ? int(Qt::AlignRight | Qt::AlignVCenter)
                               : int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        switch (section) {
        case Runs:
            return tr("Rows of quality A and B; others are predicted and not scored");
        case Median:
            return tr("Median of the size of the errors of iteration time, predicted / measured \u2212 1");
        case Spread:
            return tr("Median and 90th percentile, to 40 %");
        case P90:
            return tr("Nine of ten errors are smaller");
        case Bias:
            return tr("Median of the signed errors");
        case Order:
            return tr("Kendall's tau: 1 where runs of equal model, GPUs and batch come in the right order");
        case Memory:
            return tr("Median of the size of the errors of peak memory");
        case Fits:
            return tr("Runs for which it was right whether they fit");
        case Refused:
            return tr("Rows of quality A and B that are not predicted; Runs lists them with the reason");
        default:
            return {};
        }
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Source:
        return tr("Source");
    case Runs:
        return tr("Runs");
    case Median:
        return tr("Median");
    case P90:
        return tr("P90");
    case Bias:
        return tr("Bias");
    case Order:
        return tr("Order \u03c4");
    case Memory:
        return tr("Memory");
    case Fits:
        return tr("Fits");
    case Refused:
        return tr("Refused");
    default:
        return {};
    }
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/problems/problems_model.h"

#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/manual_link.h"
#include "ui/base/theme.h"

#include <QCoreApplication>

#include <algorithm>

namespace pw {

namespace {

// "model.seq" is where the check puts it; people read "Model, seq".
QString placeText(const std::string& where) {
    QString place = q(where);
    if (place.isEmpty())
        return ProblemsModel::tr("Cluster");
    if (place == QLatin1String("model"))
        return ProblemsModel::tr("Model");
    if (place == QLatin1String("search"))
        return ProblemsModel::tr("Search");
    if (place == QLatin1String("profiles"))
        return ProblemsModel::tr("Profiles");
    if (place.startsWith(QLatin1String("model#/")))
        return ProblemsModel::tr("Model, %1").arg(place.mid(7));
    if (place.startsWith(QLatin1String("model.")))
        return ProblemsModel::tr("Training, %1").arg(place.mid(6));
    return place;
}

} // namespace

QString severityName(Severity severity) {
    switch (severity) {
    case Severity::Error:
        return ProblemsModel::tr("error");
    case Severity::Warning:
        return ProblemsModel::tr("warning");
    case Severity::Note:
        break;
    }
    return ProblemsModel::tr("note");
}

QString problemCounts(int errors, int warnings, int notes) {
    QStringList parts;
    const auto add = [&](int n, const char* one, const char* many) {
        if (n > 0)
            parts << QStringLiteral("%1 %2").arg(n).arg(
                QCoreApplication::translate("pw::ProblemsModel", n == 1 ? one : many));
    };
    add(errors, "error", "errors");
    add(warnings, "warning", "warnings");
    add(notes, "note", "notes");
    return parts.join(QStringLiteral(", "));
}

void ProblemsModel::setDiagnostics(const Diagnostics& list, std::shared_ptr<const Project> project) {
    beginResetModel();
    m_list = list;
    m_project = std::move(project);
    std::stable_sort(m_list.begin(), m_list.end(),
                     [](const Diagnostic& a, const Diagnostic& b) { return a.severity > b.severity; });
    endResetModel();
}

int ProblemsModel::count(Severity severity) const {
    return static_cast<int>(std::count_if(m_list.begin(), m_list.end(),
                                          [&](const Diagnostic& d) { return d.severity == severity; }));
}

std::optional<Fix> ProblemsModel::fixAt(int row) const {
    if (!m_project || row < 0 || row >= rowCount())
        return std::nullopt;
    return fixOf(*m_project, m_list[static_cast<std::size_t>(row)]);
}

int ProblemsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_list.size());
}

int ProblemsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ProblemsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Diagnostic& d = m_list[static_cast<std::size_t>(index.row())];
    switch (role) {
    case WhereRole:
        return q(d.where);
    case SeverityRole:
        return static_cast<int>(d.severity);
    case kMessageCodeRole:
        return q(d.code);
    case Qt::ToolTipRole:
        if (index.column() == Mend)
            return data(index, Qt::AccessibleTextRole);
        return index.column() == Explain ? explainText(d.code) : sentence(d);
    case Qt::AccessibleTextRole:
        if (index.column() == Explain)
            return explainText(d.code);
        if (const QString fix = index.column() == Mend ? data(index).toString() : QString(); !fix.isEmpty())
            return tr("%1: F or a click does it, Enter goes to the place").arg(fix);
        return index.column() == Sign ? severityName(d.severity) : data(index, Qt::DisplayRole);
    case Qt::FontRole:
        return index.column() == Place || index.column() == Mend ? bodyFont(500) : QVariant();
    case Qt::ForegroundRole:
        return index.column() == Limit ? theme().text2 : index.column() == Mend ? theme().accent : QVariant();
    case Qt::DecorationRole:
        if (index.column() == Explain)
            return icon(QStringLiteral("help"), IconTone::Text2);
        if (index.column() != Sign)
            return {};
        return d.severity == Severity::Error     ? icon(QStringLiteral("error"), IconTone::Err)
               : d.severity == Severity::Warning ? icon(QStringLiteral("warning"), IconTone::Warn)
                                                 : icon(QStringLiteral("info"), IconTone::Text2);
    case Qt::DisplayRole:
        break;
    default:
        return {};
    }
    switch (index.column()) {
    case Place:
        return placeText(d.where);
    case Problem:
        return sentence(d);
    case Value:
        return q(d.param("value"));
    case Limit:
        return q(d.param("limit"));
    case Mend:
        if (const std::optional<Fix> fix = fixAt(index.row()))
            return fix->text;
        return {};
    default:
        return {};
    }
}

QVariant ProblemsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Place:
        return tr("Place");
    case Problem:
        return tr("Problem");
    case Value:
        return tr("Value");
    case Limit:
        return tr("Limit");
    case Mend:
        return tr("Fix");
    default:
        return QString();
    }
}

} // namespace pw
